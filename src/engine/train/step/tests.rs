use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

use super::*;
use crate::params::Init;
use crate::tensor::on_threads;
use crate::tensor::threads::{message, quiet};
use crate::transformer::Config;

fn batch() -> Batch {
    let pairs: Vec<(Vec<u32>, Vec<u32>)> = (0..7)
        .map(|n| {
            (
                (3..6 + n % 4).collect(),
                [1].into_iter().chain(4..7 + n % 3).chain([2]).collect(),
            )
        })
        .collect();
    let pairs: Vec<(&[u32], &[u32])> = pairs.iter().map(|(s, t)| (&s[..], &t[..])).collect();
    Batch::new(&pairs)
}

const OPTIONS: StepOptions = StepOptions {
    smoothing: 0.1,
    spread: Spread::All,
    shards: 4,
};

fn model() -> (Transformer, Params) {
    let mut params = Params::new(3);
    let model = Transformer::new(&mut params, &Config::annotated(12, 12).sized(2, 16, 32, 4));
    (model, params)
}

/// A step over `batch` with a mean over `tokens`.
fn job<'a>(
    (model, params): (&'a Transformer, &'a Params),
    batch: &'a Batch,
    tokens: usize,
) -> StepJob<'a> {
    StepJob {
        model,
        params,
        batch,
        tokens,
        seed: 5,
        options: OPTIONS,
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (model, params) = model();
    let run = |threads| {
        let mut grads = Vec::new();
        let batch = batch();
        let job = job((&model, &params), &batch, batch.target_tokens());
        let found = on_threads(threads, || job.gradients(&mut grads));
        (found, grads)
    };
    let one = run(1);
    assert!(
        one.1.iter().all(Option::is_some),
        "every parameter was used"
    );
    assert!(run(2) == one && run(4) == one && run(9) == one);
}

#[test]
fn the_fused_shards_have_the_gradients_of_one_visible_run() {
    let (mut model, params) = model();
    model.config.dropout = 0.0;
    let config = Config {
        dropout: 0.0,
        ..model.config.clone()
    };
    let model = Transformer::new(&mut Params::layout(), &config);
    let tokens = batch().target_tokens();
    let mut grads = Vec::new();
    let outcome = job((&model, &params), &batch(), tokens).gradients(&mut grads);
    let tape = Tape::eval(&params);
    let (read, predict) = batch().shifted();
    let src = tape.ids("src", batch().src, &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let smooth = targets.smooth_targets(12, 0.1, Spread::All, 0.0);
    let whole = pass
        .log_probs
        .kl_divergence(&smooth)
        .scale(1.0 / tokens as f32)
        .backward();
    for (param, name, _) in params.iter() {
        let (a, b) = (
            grads[param.index()].as_ref().unwrap(),
            whole.param(param).unwrap(),
        );
        for (a, b) in a.data().iter().zip(b.data()) {
            assert!((a - b).abs() < 2e-6, "{name}: {a} {b}");
        }
    }
    let same = evaluate(&model, &params, &batch(), &OPTIONS);
    assert!((same.loss - outcome.loss).abs() < 1e-5 && (same.nats - outcome.nats).abs() < 1e-5);
}

#[test]
fn parts_keep_every_sentence_and_drop_columns_of_padding() {
    let whole = batch();
    let parts: Vec<Batch> = (0..3).map(|n| whole.part(n, 3)).collect();
    assert_eq!(parts.iter().map(Batch::sentences).sum::<usize>(), 7);
    assert_eq!(
        parts.iter().map(Batch::target_tokens).sum::<usize>(),
        whole.target_tokens()
    );
    assert_eq!(whole.part(0, 7).src.shape(), [1, 3]);
    let (read, predict) = whole.part(0, 7).shifted();
    assert_eq!(
        (read.data(), predict.data()),
        (&[1.0, 4.0, 5.0, 6.0][..], &[4.0, 5.0, 6.0, 2.0][..])
    );
}
/// Returns the result of `work`, or panics if it hangs.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receiver) = mpsc::channel();
    std::thread::spawn(move || send.send(work()));
    let receiver = receiver.recv_timeout(Duration::from_secs(30));
    receiver.expect("it ends instead of waiting for ever")
}

#[test]
fn a_shard_that_panics_ends_the_step_with_its_own_message() {
    for which in 0..4 {
        let result = in_time(move || {
            let (model, params) = model();
            let (batch, sum) = (batch(), OrderedSum::new(vec![None; params.len()]));
            let step = || {
                in_shards(&batch, &OPTIONS, |shard, part| {
                    // Gives the others time to wait for it.
                    std::thread::sleep(Duration::from_millis(if shard == which { 30 } else { 0 }));
                    assert!(shard != which, "shard {shard} has had enough");
                    let (tape, found) = job((&model, &params), &batch, 1).forward(shard, &part);
                    tape.backward_streaming(&found.loss, |param, grad| {
                        sum.add(shard, param, grad);
                    });
                    sum.end(shard);
                    (0.0, 0.0)
                })
            };
            let step = || on_threads(4, step);
            quiet(|| catch_unwind(AssertUnwindSafe(step)).map_err(message))
        });
        let words = format!("shard {which} has had enough");
        assert_eq!(result.unwrap_err().as_deref(), Some(&*words));
    }
}

#[test]
fn a_word_outside_the_vocabulary_ends_a_step_on_any_number_of_threads() {
    for threads in [1, 2, 4] {
        let outcome = in_time(move || {
            let (model, params) = model();
            let mut batch = batch();
            batch.src.data_mut()[0] = 99.0;
            let step = || {
                let job = job((&model, &params), &batch, 1);
                on_threads(threads, || job.gradients(&mut Vec::new()))
            };
            quiet(|| catch_unwind(AssertUnwindSafe(step)).map_err(message))
        });
        let outcome = outcome.unwrap_err().unwrap();
        assert!(outcome.contains("99"), "{outcome}");
    }
}

#[test]
fn a_parameter_that_a_shard_does_not_use_has_the_gradient_zero_there() {
    let sums = in_time(|| {
        let mut params = Params::new(0);
        let [x, unused] =
            ["x", "unused"].map(|name| params.add(name, &[1], &["d"], Init::Constant(1.0)));
        let sum = OrderedSum::new(vec![None; 2]);
        let gradient = |value| Gradient::Dense(Tensor::new(&[1], vec![value]));
        on_threads(4, || {
            in_shards(&batch(), &OPTIONS, |shard, _| {
                // The first shard is delayed, so that the others wait.
                std::thread::sleep(Duration::from_millis(if shard == 0 { 20 } else { 0 }));
                if shard % 2 == 1 {
                    sum.add(shard, x, gradient(shard as f32));
                }
                sum.end(shard);
                (0.0, 0.0)
            })
        });
        let _ = unused;
        sum.finish()
    });
    assert_eq!(sums, [Some(Tensor::new(&[1], vec![4.0])), None]);
}
