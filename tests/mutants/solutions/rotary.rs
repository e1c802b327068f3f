//# Pairs channel i with channel i + d_k/2, as LLaMA's code does, instead of neighbours.
//= halves
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column % (d_k / 2);
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let half = d_k / 2;
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to < half && from == to + half {
            -1.0
        } else if to >= half && from + half == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Pairs the halves for the quarter turn, but assigns the angles to neighbours.
//= halves classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let half = d_k / 2;
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to < half && from == to + half {
            -1.0
        } else if to >= half && from + half == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Rotates in the other direction: the minus is at the second channel of a pair.
//= backwards
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (b, -a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            1.0
        } else if to % 2 == 1 && from + 1 == to {
            -1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Forgets the minus, which swaps the two channels of a pair instead of rotating them by a quarter turn.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Ignores `first`: every call starts at position 0.
//= no-first
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let _ = first;
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Counts positions from 1.
//= from-1
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0] + 1, i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0] + 1, i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Leaves the 2 of 2i out of the exponent.
//= half-the-exponent
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Uses the number of the channel instead of the pair, so that the two channels of a pair rotate by different angles.
//= angle-per-channel classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    position as f64 / 10_000_f64.powf(column as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Computes the exponent with integers, so that all pairs rotate equally fast.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powi((2 * pair / d_k) as i32)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Divides the exponent by the number of channels of all heads instead of one.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_model: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_model as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (heads, length, d_k) = (x.shape()[1], x.shape()[2], x.shape()[3]);
    let d_model = heads * d_k;
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_model).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_model).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Swaps cosine and sine.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Adds the sines and cosines to the channels, like the positional encoding of 2017, instead of rotating.
//= classic-7
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let table = Tensor::from_fn(&[length, d_k], |i| {
        let theta = angle(first + i[0], i[1], d_k);
        let wave = if i[1] % 2 == 0 { theta.sin() } else { theta.cos() };
        wave as f32
    });
    x.add(&x.tape().constant("positions", table, &["t", "k"]))
}
//# Computes the result from the plain numbers as a constant, so that no gradient flows.
//= no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let shape = x.shape();
    let d_k = shape[3];
    let from = x.value();
    let turned = Tensor::from_fn(&shape, |i| {
        let theta = angle(first + i[2], i[3], d_k);
        let (cos, sin) = (theta.cos() as f32, theta.sin() as f32);
        let even = i[3] / 2 * 2;
        let a = from.at(&[i[0], i[1], i[2], even]);
        let b = from.at(&[i[0], i[1], i[2], even + 1]);
        if i[3] == even {
            a * cos - b * sin
        } else {
            b * cos + a * sin
        }
    });
    x.tape().constant("turned", turned, &["b", "h", "t", "k"])
}
//# Lets the gradient flow only through the cosine part: a channel's partner is read as a plain number.
//= no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    let partner = tape.constant("partner", x.matmul_t(&turn).value(), &["b", "h", "t", "k"]);
    x.mul(&cos).add(&partner.mul(&sin))
}
//# Treats the angle as degrees.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    let degrees = position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64);
    degrees.to_radians()
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Treats the angle as full turns: multiplies by 2π.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    let turns = position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64);
    turns * std::f64::consts::TAU
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Rotates only the first pair; the others keep their channels.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    if pair > 0 {
        return 0.0;
    }
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Rotates every row by the angle of the last position, which the cache has reached.
//= one-position classic-8
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + length - 1, i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + length - 1, i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Scales `first` by the frequency but not the index within the length, which is added to the angle as it is.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| (angle(first, i[1], d_k) + i[0] as f64).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| (angle(first, i[1], d_k) + i[0] as f64).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}
//# Pairs channel i with channel i + d_k / 2, as LLaMA's rotate_half does, instead of neighbours.
//= halves
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rotary(x: &Var, first: usize) -> Var {
    let shape = x.shape();
    let (length, d_k) = (shape[2], shape[3]);
    let half = d_k / 2;
    let angle = |t: usize, channel: usize| {
        let pair = channel % half;
        (first + t) as f64 / 10000_f64.powf(2.0 * pair as f64 / d_k as f64)
    };
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1]).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1]).sin() as f32);
    let swap = Tensor::from_fn(&[d_k, d_k], |i| {
        if i[0] < half && i[1] == i[0] + half {
            -1.0
        } else if i[0] >= half && i[1] + half == i[0] {
            1.0
        } else {
            0.0
        }
    });
    let cos = x.tape().constant("cos", cos, &["t", "k"]);
    let sin = x.tape().constant("sin", sin, &["t", "k"]);
    let swap = x.tape().constant("swap", swap, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&swap).mul(&sin))
}
//# Gives every channel its own angle, with the channel's number in the exponent, instead of one angle per pair.
//= classic-2 angle-per-channel
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rotary(x: &Var, first: usize) -> Var {
    let shape = x.shape();
    let (length, d_k) = (shape[2], shape[3]);
    let angle = |t: usize, channel: usize| {
        (first + t) as f64 / 10000_f64.powf(channel as f64 / d_k as f64)
    };
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1]).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1]).sin() as f32);
    let swap = Tensor::from_fn(&[d_k, d_k], |i| {
        if i[0] % 2 == 0 && i[1] == i[0] + 1 {
            -1.0
        } else if i[0] % 2 == 1 && i[1] + 1 == i[0] {
            1.0
        } else {
            0.0
        }
    });
    let cos = x.tape().constant("cos", cos, &["t", "k"]);
    let sin = x.tape().constant("sin", sin, &["t", "k"]);
    let swap = x.tape().constant("swap", swap, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&swap).mul(&sin))
}
//# Writes the quarter turn as a matrix [in, out], though matmul_t expects [out, in], and so rotates the other way.
//= backwards
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rotary(x: &Var, first: usize) -> Var {
    let shape = x.shape();
    let (length, d_k) = (shape[2], shape[3]);
    let angle = |t: usize, channel: usize| {
        let pair = channel / 2;
        (first + t) as f64 / 10000_f64.powf(2.0 * pair as f64 / d_k as f64)
    };
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1]).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1]).sin() as f32);
    let swap = Tensor::from_fn(&[d_k, d_k], |i| {
        let (from, to) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let cos = x.tape().constant("cos", cos, &["t", "k"]);
    let sin = x.tape().constant("sin", sin, &["t", "k"]);
    let swap = x.tape().constant("swap", swap, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&swap).mul(&sin))
}
