//! Pictures of a training as it runs: its loss, its attention to the source, and what it writes.

use std::ops::ControlFlow;
use std::sync::Arc;

use transformer_tutor::autograd::{Nature, Tape};
use transformer_tutor::data::copy::copy_batch;
use transformer_tutor::lesson::copying::{self, LENGTH, Lane as _, Race};
use transformer_tutor::lesson::picture::{Progress, Report};
use transformer_tutor::lesson::race::{last, smooth};
use transformer_tutor::lesson::{Body, Picture, Run, Series};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::tensor::threads::lock;
use transformer_tutor::transformer::Transformer;
use transformer_tutor::typeset::number::grouped;

use super::model::{Copier, full, small};
use super::training::{self, Lane, STEPS, counting};

/// Records a model after some steps.
pub type Record = fn(Lane, &Params) -> Run;

/// Number of parameters in both sizes.
pub fn counts() -> [usize; 2] {
    [small(), full()].map(|config| {
        let mut params = Params::layout();
        Transformer::new(&mut params, &config);
        params.count()
    })
}

/// The two sizes side by side.
fn sizes() -> Picture {
    let [here, paper] = counts();
    let row = |what: &str, here: usize, paper: usize| {
        vec![what.to_owned(), grouped(here as u64), grouped(paper as u64)]
    };
    let (a, b) = (small(), full());
    Picture::table(
        "sizes",
        "The task here and in the Annotated Transformer",
        format!(
            "The Annotated Transformer's model has {} times as many parameters. Batch counts sentences; warm-up counts steps.",
            paper / here
        ),
        &["", "here", "there"],
        vec![
            row("layers on each side", a.layers, b.layers),
            row("d_model", a.d_model, b.d_model),
            row("d_ff", a.d_ff, b.d_ff),
            row("heads", a.heads, b.heads),
            row("parameters", here, paper),
            row("batch", copying::BATCH, 80),
            row("steps", STEPS, 20 * 20),
            row("warm-up", training::WARMUP, 400),
        ],
    )
}

/// Attention of the decoder's last layer to the source, averaged over heads, on the sentence 1 to 10: `[9, 10]`.
pub fn attention(lane: Lane, params: &Params) -> Tensor {
    let copier = Copier::new(&mut Params::layout(), lane.cut);
    let tape = Tape::eval(params);
    copier.hidden(&tape, &lane.batch(&counting()));
    let trace = tape.trace();
    let weights = trace
        .tensor("decoder.layers.1.src_attn.weights")
        .expect("the last layer attends to the source");
    let heads = weights.shape()[1];
    Tensor::from_fn(&[LENGTH - 1, LENGTH], |i| {
        let sum: f32 = (0..heads).map(|h| weights.at(&[0, h, i[0], i[1]])).sum();
        sum / heads as f32
    })
}

/// Mean attention per position to the token that must be written.
pub fn diagonal(weights: &Tensor) -> f64 {
    let on = (0..LENGTH - 1).map(|t| f64::from(weights.at(&[t, t + 1])));
    on.sum::<f64>() / (LENGTH - 1) as f64
}

/// The model's output for 1 to 10.
pub fn sample(lane: Lane, params: &Params) -> String {
    let output = copying::write(lane, params, &copy_batch(&counting()).src);
    let words = output.data().iter().map(ToString::to_string);
    words.collect::<Vec<_>>().join(" ")
}

/// All pictures of a lane in order; most wait to be started.
pub fn all(lane: Lane, record: Record) -> Vec<Picture> {
    vec![
        sizes(),
        curve(lane, record),
        watched_diagonal(lane, record),
        samples(lane, record),
        race(lane.seed),
        training::RECORD.picture(
            training::lanes(0)
                .iter()
                .map(|(name, word, _)| (*name, *word)),
        ),
        lengths(lane),
    ]
}

/// Lengths of the sentences that the trained model copies; in training all have [`LENGTH`] tokens.
const LENGTHS: [usize; 5] = [7, LENGTH, 12, 15, 20];

/// What the trained model copies of sentences that are shorter and longer than those of its training.
fn lengths(lane: Lane) -> Picture {
    let drawn = move || {
        let row = |length: usize| {
            let right = |positions| {
                let right = copying::right_among(lane, STEPS, length, positions);
                format!("{:.0} %", 100.0 * right)
            };
            vec![length.to_string(), right(length), right(length.min(LENGTH))]
        };
        let header = ["tokens", "right", "right among the first ten"];
        let body = Body::table(&header, LENGTHS.map(row).into());
        Progress::new(1.0, "Twenty new sentences of each length.", body)
    };
    Picture::job(
        "lengths",
        "Shorter and longer sentences than in training",
        "How much of each new sentence the trained model copies. In training, all sentences had ten tokens.",
        format!("Trains the model for {STEPS} steps and lets it write sentences of five lengths; a few seconds."),
        move |_| drawn(),
    )
    .ending(drawn)
}

/// All pictures, with the one called `name` as it was drawn at the end. The finished run replaces the current one, and
/// the drawing must stay.
fn finished(name: &str, (lane, record): (Lane, Record), body: &Body, says: &str) -> Vec<Picture> {
    let mut pictures = all(lane, record);
    if let Some(picture) = pictures.iter_mut().find(|p| p.name == name) {
        picture.body = body.clone();
        says.clone_into(&mut picture.says);
    }
    pictures
}

/// Draws the state of a lane in training.
type Draw = dyn Fn(Lane, usize, &[f64], &Params) -> (Body, String) + Send + Sync;

/// A picture that trains the lane when it is started, and draws every `often` steps.
fn watched(
    name: &'static str,
    title: &str,
    says: &str,
    (lane, record): (Lane, Record),
    often: usize,
    draw: Arc<Draw>,
) -> Picture {
    let at = drawn(name, (lane, record), draw);
    let run = move |report: Report<'_>| {
        let mut latest = None;
        copying::train(lane, STEPS, |step, losses, params| {
            if step > 1 && !step.is_multiple_of(often) {
                return ControlFlow::Continue(());
            }
            let now = at(step, losses, params);
            latest = Some(now.clone());
            report(Progress {
                done: now.done * 0.99,
                run: None,
                ..now
            })
        });
        let last = latest.expect("the first step is drawn");
        Progress { done: 1.0, ..last }
    };
    Picture::job(
        name,
        title.to_owned(),
        says.to_owned(),
        format!("Trains the small model for {STEPS} steps; a few seconds."),
        run,
    )
}

/// Draws one step of a lane's training; the last drawing includes a run of the trained model.
fn drawn(
    name: &'static str,
    (lane, record): (Lane, Record),
    draw: Arc<Draw>,
) -> impl Fn(usize, &[f64], &Params) -> Progress {
    move |step, losses, params| {
        let (body, mut says) = draw(lane, step, losses, params);
        let done = step == STEPS;
        if done {
            says.push_str(" You can look at this model's tensors until you turn a knob.");
        }
        Progress {
            run: done.then(|| {
                let pictures = finished(name, (lane, record), &body, &says);
                Arc::new(Run {
                    pictures,
                    ..record(lane, params)
                })
            }),
            body,
            says,
            done: step as f32 / STEPS as f32,
            written: None,
        }
    }
}

/// Like [`watched`], for drawings whose last one does not depend on those before.
fn watched_to_the_end(
    name: &'static str,
    title: &str,
    says: &str,
    of: (Lane, Record),
    often: usize,
    draw: Arc<Draw>,
) -> Picture {
    let last = drawn(name, of, draw.clone());
    watched(name, title, says, of, often, draw).ending(move || {
        let trained = copying::trained(of.0, STEPS);
        last(STEPS, &trained.losses, &copying::weights(of.0, STEPS))
    })
}

/// The race of all seven lanes.
fn race(seed: u64) -> Picture {
    let race = Race {
        title: format!("Seven models, {STEPS} steps, one seed"),
        says: "The same initial weights and the same batches. Each model differs from the first in one thing.",
        many: "seven",
        lanes: training::lanes(seed)
            .map(|(name, _, lane)| (name, lane))
            .into(),
        each: 10,
        before: format!(
            "A uniform guess among ten tokens has a loss of {:.3}.",
            10_f64.ln()
        ),
    };
    race.picture()
}

/// The loss, step by step.
fn curve(lane: Lane, record: Record) -> Picture {
    let draw = |lane: Lane, step: usize, losses: &[f64], _: &Params| {
        let body =
            Body::curves("step", "loss", [Series::new("loss", smooth(losses, 10))]).by_logarithm();
        let says = format!(
            "Step {step}: the loss of the last batches is {:.3}, the learning rate {:.5}.",
            last(losses),
            lane.rate(step)
        );
        (body, says)
    };
    watched_to_the_end(
        "curve",
        "Learning to copy",
        "The loss of each batch, in nats per token; every batch is new.",
        (lane, record),
        10,
        Arc::new(draw),
    )
}

/// Attention to the source, as it becomes a diagonal.
fn watched_diagonal(lane: Lane, record: Record) -> Picture {
    let draw = |lane: Lane, step: usize, _: &[f64], params: &Params| {
        let weights = attention(lane, params);
        let says = format!(
            "Step {step}: {:.0} % of the attention is on the token to be written.",
            100.0 * diagonal(&weights)
        );
        let words = |from: usize, count| (from..from + count).map(|n| n.to_string()).collect();
        let body = Body::matrix(
            weights,
            Nature::Probability,
            ("to be written", words(2, LENGTH - 1)),
            ("source", words(1, LENGTH)),
        );
        (body, says)
    };
    watched_to_the_end(
        "diagonal",
        "Cross-attention while it learns",
        "The last decoder layer, mean of its heads, for the sentence 1 to 10.",
        (lane, record),
        10,
        Arc::new(draw),
    )
}

/// What the model writes at several steps.
fn samples(lane: Lane, record: Record) -> Picture {
    let lines = std::sync::Mutex::new(Vec::new());
    let draw = move |lane: Lane, step: usize, losses: &[f64], params: &Params| {
        let mut lines = lock(&lines);
        if step == 1 {
            lines.clear();
        }
        let loss = format!("{:.3}", last(losses));
        lines.push(vec![step.to_string(), loss, sample(lane, params)]);
        let body = Body::table(
            &["step", "loss", "what it writes for 1 2 3 4 5 6 7 8 9 10"],
            lines.clone(),
        );
        let says = format!("After {step} steps. The first token, the start token, is given.");
        (body, says)
    };
    watched(
        "samples",
        "What it writes while it learns",
        "After every 30 steps the model copies 1 to 10 on its own.",
        (lane, record),
        30,
        Arc::new(draw),
    )
}
