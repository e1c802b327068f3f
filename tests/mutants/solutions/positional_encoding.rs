//# Puts the column number itself into the exponent, so that a cosine and its sine differ in frequency.
//= classic-0
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |i| {
        let (position, column) = (i[0] as f64, i[1] as f64);
        let angle = position / 10000_f64.powf(column / d_model as f64);
        if i[1] % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Takes the even column for i and doubles it again in the exponent.
//= classic-3
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let position = index[0] as f64;
        let i = (index[1] - index[1] % 2) as f64;
        let angle = position / 10000_f64.powf(2.0 * i / d_model as f64);
        (if index[1] % 2 == 0 { angle.sin() } else { angle.cos() }) as f32
    })
}
//# Leaves out the 2 of 2i in the exponent: divides the number of the pair by d_model.
//= half-exponent
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let (position, column) = (index[0], index[1]);
        let pair = column / 2;
        let exponent = pair as f64 / d_model as f64;
        let angle = position as f64 / 10_000_f64.powf(exponent);
        match column % 2 {
            0 => angle.sin() as f32,
            _ => angle.cos() as f32,
        }
    })
}
//# Computes the exponent with integers, where 2i / d_model is always 0.
//= classic-4
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let (position, column) = (index[0], index[1]);
        let i = column / 2;
        let exponent = 2 * i / d_model;
        let angle = position as f64 / 10_000_f64.powf(exponent as f64);
        match column % 2 {
            0 => angle.sin() as f32,
            _ => angle.cos() as f32,
        }
    })
}
//# Puts all sines into the first half of the columns and all cosines into the second, as TensorFlow does.
//= classic-1
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    let half = d_model / 2;
    Tensor::from_fn(&[length, d_model], |index| {
        let (position, column) = (index[0] as f64, index[1]);
        let i = column % half;
        let angle = position / 10_000_f64.powf(2.0 * i as f64 / d_model as f64);
        if column < half {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Counts positions from 1.
//= from-one
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let position = (index[0] + 1) as f64;
        let i = index[1] / 2;
        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
        if index[1] % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Spaces the frequencies so that the last pair reaches 10000 exactly: divides by one fewer than the number of pairs.
//=
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    let pairs = d_model / 2;
    let steps = (pairs - 1).max(1) as f64;
    Tensor::from_fn(&[length, d_model], |index| {
        let pair = (index[1] / 2) as f64;
        let angle = index[0] as f64 / 10_000_f64.powf(pair / steps);
        if index[1] % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Converts the angle from degrees to radians, though it is already in radians.
//= classic-5
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let i = index[1] / 2;
        let angle = index[0] as f64 / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
        let angle = angle.to_radians();
        if index[1] % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Divides the position by the length of the table first, so that positions range from 0 to 1.
//= classic-6
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let position = index[0] as f64 / length as f64;
        let i = index[1] / 2;
        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
        if index[1] % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Chooses sine or cosine by the position instead of the column.
//= classic-7
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let (position, column) = (index[0], index[1]);
        let angle = position as f64 / 10_000_f64.powf((column / 2 * 2) as f64 / d_model as f64);
        if position % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Reserves row 0 for padding and leaves it at zero.
//= classic-8
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        if index[0] == 0 {
            return 0.0;
        }
        let i = index[1] / 2;
        let angle = index[0] as f64 / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
        if index[1] % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Multiplies the position by the power instead of dividing, so that later pairs turn faster.
//= classic-2
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let i = index[1] / 2;
        let angle = index[0] as f64 * 10_000_f64.powf((2 * i) as f64 / d_model as f64);
        if index[1] % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Uses the column itself for 2i in the exponent, so that a cosine does not share the frequency of its sine.
//= classic-0 own-frequency
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let (position, column) = (index[0] as f64, index[1]);
        let angle = position / 10000_f64.powf(column as f64 / d_model as f64);
        if column % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Puts all sines into the first half of the columns and all cosines into the second, as tensor2tensor does.
//= classic-1
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    let half = d_model / 2;
    Tensor::from_fn(&[length, d_model], |index| {
        let (position, column) = (index[0] as f64, index[1]);
        let i = column % half;
        let angle = position / 10000_f64.powf(2.0 * i as f64 / d_model as f64);
        if column < half {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
//# Divides 2i by d_model as integers before the conversion, so the exponent is always 0.
//= classic-4
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let (position, column) = (index[0], index[1]);
        let i = column / 2;
        let exponent = (2 * i / d_model) as f64;
        let angle = position as f64 / 10000_f64.powf(exponent);
        match column % 2 {
            0 => angle.sin() as f32,
            _ => angle.cos() as f32,
        }
    })
}
