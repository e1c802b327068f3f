//! Checks of the whole program. They pass with the reference of every function, and with yours if it is right.

use std::path::Path;

use my_transformer::autograd::{Tape, Var};
use my_transformer::decode::Translator;
use my_transformer::ops::Deviation;
use my_transformer::params::{Builder, Init, Params, Source};
use my_transformer::random::Random;
use my_transformer::tensor::Tensor;
use my_transformer::train::Training;
use my_transformer::transformer::{Config, Transformer};

/// Compares the gradient of an operation on `x [2, 3, 4]` with what happens to the loss if a cell of `x` changes.
fn check(name: &str, operation: impl Fn(&Var) -> Var) {
    let mut build = Builder::new(Source::Drawn(Random::new(3)));
    let x = build.add("x", &[2, 3, 4], Init::Uniform(1.0));
    let mut params = build.finish();
    // Positive and away from 0, for roots, logarithms and kinks.
    params.set(x, params.get(x).map(|cell| cell + 1.5));
    let loss = |params: &Params| {
        let tape = Tape::train(params, 5);
        let y = operation(&tape.param(x)).log_softmax();
        let columns = y.value().last();
        let targets = Tensor::from_fn(&y.shape(), |i| (1 + i[i.len() - 1]) as f32 / columns as f32);
        y.kl_divergence(&tape.constant("targets", targets, &[]))
    };
    let gradients = loss(&params).backward();
    let gradient = gradients.param(x).expect("the loss depends on x").clone();
    for cell in 0..params.get(x).len() {
        let moved = |step: f32| {
            let mut moved = params.clone();
            let mut value = params.get(x).clone();
            value.data_mut()[cell] += step;
            moved.set(x, value);
            loss(&moved).value().at(&[])
        };
        let slope = (moved(5e-3) - moved(-5e-3)) / 1e-2;
        let actual = gradient.data()[cell];
        assert!(
            (slope - actual).abs() < 2e-2 * (1.0 + slope.abs()),
            "{name}: {slope} and {actual}"
        );
    }
}

#[test]
fn gradients_agree_with_finite_differences() {
    check("add", |x| x.add(&x.row_mean()).add(x));
    check("sub", |x| x.row_mean().sub(x));
    check("mul", |x| x.mul(x).mul(&x.row_mean()));
    check("div", |x| x.div(&x.mul(x).row_mean()));
    check("scale", |x| x.scale(-2.0));
    check("sqrt, log and exp", |x| x.sqrt().exp().log().mul(x));
    check("relu", |x| {
        let sign = |i: &[usize]| if (i[0] + i[1]) % 2 == 0 { 1.0 } else { -1.0 };
        let signs = Tensor::from_fn(&[3, 4], sign);
        x.mul(&x.tape().constant("signs", signs, &["t", "d"]))
            .relu()
    });
    check("dropout", |x| x.dropout(0.3));
    check("row_std", |x| x.div(&x.row_std(Deviation::Unbiased)));
    check("softmax", |x| x.scale(3.0).softmax().scale(4.0));
    check("matmul", |x| x.matmul(&x.transpose()));
    check("matmul_t", |x| x.matmul_t(&x.mul(x)));
    check("shapes", |x| {
        x.unsqueeze(1).reshape(&[2, 6, 2], &["b", "t", "d"])
    });
    check("mask_fill", |x| {
        let mask = Tensor::from_fn(&[3, 4], |i| if i[1] <= i[0] { 1.0 } else { 0.0 });
        x.mask_fill(&x.tape().mask("mask", mask, &["t", "s"]), -3.0)
    });
    check("embedding", |x| {
        let ids = x.tape().ids(
            "ids",
            Tensor::new(&[1, 3], vec![5.0, 0.0, 5.0]),
            &["b", "t"],
        );
        x.reshape(&[6, 4], &["v", "d"]).embedding(&ids)
    });
}

#[test]
fn no_position_sees_the_future() {
    let (model, params) = Transformer::new(&Config::copying(11), Source::Drawn(Random::new(1)));
    let first = |last: f32| {
        let tape = Tape::eval(&params);
        let src = tape.ids(
            "src",
            Tensor::new(&[1, 3], vec![1.0, 4.0, 7.0]),
            &["b", "s"],
        );
        let tgt = tape.ids(
            "tgt",
            Tensor::new(&[1, 3], vec![1.0, 4.0, last]),
            &["b", "t"],
        );
        let log_probs = model.forward(&src, &tgt).log_probs.value();
        log_probs.data()[..2 * 11].to_vec()
    };
    assert_eq!(first(7.0), first(9.0));
}

#[test]
fn twenty_steps_of_training_lower_the_loss() {
    let mut training = Training::new(7);
    let losses: Result<Vec<f32>, String> = (0..20).map(|_| training.step()).collect();
    let losses = losses.expect("all numbers are finite");
    assert!(losses[19] < 0.8 * losses[0], "{losses:?}");
}

#[test]
fn a_sentence_is_translated() {
    let translator = Translator::read(Path::new("model")).expect("the files are there");
    let ids = translator
        .translate("Der Hund schläft im Garten.", 1)
        .expect("it is short");
    assert_eq!(
        translator.tokenizer.decode(&ids),
        "The dog is sleeping in the garden."
    );
}
