//! The race on the copy task: training with and without the shift, from five seeds each.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use transformer_tutor::autograd::Tape;
use transformer_tutor::decode::greedy::greedy;
use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::{Progress, Report};
use transformer_tutor::lesson::race::OnState;
use transformer_tutor::lesson::race::seeds::{self, Spread, Watched};
use transformer_tutor::lesson::{Body, Picture};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::transformer::{Config, Transformer};

use super::check::TASK;

/// Vocabulary (id 0 pads and 1 starts), tokens per sentence, sentences per batch.
const VOCABULARY: usize = 11;
const WORDS: usize = 6;
const BATCH: usize = 32;
const START: f32 = 1.0;
const RATE: f32 = 0.003;

/// Names of the lanes, and the mistake that each makes in its batches.
pub const LANES: [(&str, Option<&str>); 2] =
    [("with the shift", None), ("without", Some("no-shift"))];

/// Result of one training.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// Loss at every step.
    pub losses: Vec<f64>,
    /// Proportion of tokens that greedy decoding got right, in held-out sentences.
    pub right: f64,
    /// One of those sentences, and what was decoded.
    pub sample: [String; 2],
    /// Results with each id as the first that the decoder reads.
    pub starts: Vec<Started>,
}

/// Output of a model that reads this id first.
#[derive(Clone, Debug, Default)]
pub struct Started {
    /// Proportion of right tokens.
    pub right: f64,
    /// Proportion of right first tokens.
    pub first: f64,
    /// The sample, with its first wrong token in brackets.
    pub sample: String,
}

/// `rows` sentences of tokens other than padding and start.
fn sentences(rows: usize, seed: u64, site: &str) -> Tensor {
    let words = (VOCABULARY - 2) as f32;
    random::uniform(&[rows, WORDS], 0.5, seed, site)
        .map(|x| 2.0 + ((x + 0.5) * words).floor().min(words - 1.0))
}

fn started(src: &Tensor) -> Tensor {
    let cell = |i: &[usize]| match i[1].checked_sub(1) {
        Some(before) => src.at(&[i[0], before]),
        None => START,
    };
    Tensor::from_fn(&[src.shape()[0], WORDS + 1], cell)
}

/// Trains for `steps` steps, then decodes; `tell` may stop it.
fn train(lane: usize, steps: usize, seed: u64, tell: OnState<'_, Vec<f64>>) -> Finish {
    let mut config = Config::annotated(VOCABULARY, VOCABULARY).sized(1, 32, 64, 2);
    config.dropout = 0.0;
    let mut params = Params::new(seed);
    let model = Transformer::new(&mut params, &config);
    let mut adam = Adam::new(&params);
    let losses = seeds::steps(steps, tell, |step| {
        let src = sentences(BATCH, seed, &format!("batch {step}"));
        let batch = TASK.with(LANES[lane].1)(&started(&src));
        let (loss, grads) = {
            let tape = Tape::eval(&params);
            let [src, tgt] = [(src, "s"), (batch.tgt, "t")]
                .map(|(ids, axis)| tape.ids("ids", ids, &["b", axis]));
            let pass = model.forward(&src, &tgt);
            let targets = tape.ids("tgt_y", batch.tgt_y, &["b", "t"]);
            let loss = pass.log_probs.pick(&targets).mean().scale(-1.0);
            (f64::from(loss.value().at(&[])), loss.backward())
        };
        adam.step(&mut params, &grads, RATE);
        loss
    });
    let src = sentences(20, seed, "held out");
    let output = greedy(&model, &params, &src, START, WORDS);
    let right = src.data().iter().zip(output.data());
    let right = right.filter(|(a, b)| a == b).count() as f64 / src.len() as f64;
    let words = |t: &Tensor| {
        let row = t.data()[..WORDS].iter();
        row.map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let starts = (0..VOCABULARY).map(|id| {
        let output = greedy(&model, &params, &src, id as f32, WORDS);
        started_with(&src, &output)
    });
    Finish {
        losses,
        right,
        starts: starts.collect(),
        sample: [words(&src), words(&output)],
    }
}

/// Compares `output` with `src`, both `[sentences, words]`.
fn started_with(src: &Tensor, output: &Tensor) -> Started {
    let same: Vec<bool> = src
        .data()
        .iter()
        .zip(output.data())
        .map(|(a, b)| a == b)
        .collect();
    let share = |hits: usize, all: usize| hits as f64 / all as f64;
    let firsts = same.iter().step_by(WORDS);
    let wrong = same[..WORDS].iter().position(|right| !right);
    let words = output.data()[..WORDS].iter().enumerate();
    let words = words.map(|(at, id)| {
        if Some(at) == wrong {
            format!("[{id}]")
        } else {
            id.to_string()
        }
    });
    Started {
        right: share(same.iter().filter(|right| **right).count(), same.len()),
        first: share(firsts.clone().filter(|right| **right).count(), firsts.len()),
        sample: words.collect::<Vec<_>>().join(" "),
    }
}

static DONE: Memo<Finish> = Memo::new("teacher forcing: finishes");

/// Caches the result of a training.
fn keep(lane: usize, steps: usize, seed: u64, made: Finish) {
    DONE.keep(format!("{lane} {steps} {seed}"), Arc::new(made));
}

/// Result of one training. Computed once.
pub fn finish(lane: usize, steps: usize, seed: u64) -> Arc<Finish> {
    let made = || train(lane, steps, seed, &mut |_| ControlFlow::Continue(()));
    DONE.get(format!("{lane} {steps} {seed}"), made)
}

/// Results of both lanes from five seeds, beginning with `first`: loss of the last step, and proportion of tokens that
/// greedy decoding gets right.
pub fn ends(steps: usize, first: u64) -> [[Spread; 2]; 2] {
    let ends = seeds::ends(LANES.len(), first, |lane, seed| finish(lane, steps, seed));
    let of = |lane: usize, what: fn(&Finish) -> f64| {
        let all: Vec<f64> = ends[lane].iter().map(|end| what(end)).collect();
        Spread::of(&all)
    };
    let loss = |end: &Finish| end.losses.last().copied().unwrap_or(0.0);
    [0, 1].map(|lane| [of(lane, loss), of(lane, |end| end.right)])
}

transformer_tutor::weigh!(Finish: losses, sample, starts);
transformer_tutor::weigh!(Started: sample);

/// What a model trained to start with id 1 writes after each other id. The picture runs when the learner starts it.
pub fn starts(steps: usize, seed: u64) -> Picture {
    let run = move |report: Report<'_>| {
        let mut stopped = false;
        let finish = train(0, steps, seed, &mut |losses| {
            let share = losses.len() as f32 / steps as f32 * 0.99;
            let on = report(drawn_starts(None, share));
            stopped = on.is_break();
            on
        });
        drawn_starts((!stopped).then_some(&finish), 1.0)
    };
    Picture::drawn("starts", Body::job(run))
        .ending(move || drawn_starts(Some(&finish(0, steps, seed)), 1.0))
}

fn drawn_starts(done: Option<&Finish>, share: f32) -> Progress {
    let Some(finish) = done else {
        let none = Body::table(&["reads first", "tokens right"], Vec::new());
        return Progress::new(share, "It is still learning.", none);
    };
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let row = |(id, start): (usize, &Started)| {
        vec![
            id.to_string(),
            percent(start.right),
            percent(start.first),
            start.sample.clone(),
        ]
    };
    let header = [
        "reads first",
        "tokens right",
        "first tokens right",
        "writes",
    ];
    let rows = finish.starts.iter().enumerate().map(row).collect();
    let says = format!(
        "For {} each row writes this; the first wrong token is in brackets.",
        finish.sample[0]
    );
    Progress::new(share, says, Body::table(&header, rows))
}

/// The picture of the race, which runs when the learner starts it.
pub fn picture(steps: usize, seed: u64) -> Picture {
    let run = move |report: Report<'_>| {
        let stopped = AtomicBool::new(false);
        let end = watched(steps, seed).run(report, |lane, seed, tell| {
            let mut last = ControlFlow::Continue(());
            let made = train(lane, steps, seed, &mut |losses| {
                last = tell(losses);
                last
            });
            match last {
                ControlFlow::Continue(()) => keep(lane, steps, seed, made),
                ControlFlow::Break(()) => stopped.store(true, Ordering::Relaxed),
            }
        });
        if stopped.into_inner() {
            end
        } else {
            Progress {
                says: ended(steps, seed),
                ..end
            }
        }
    };
    Picture::drawn("race", Body::job(run)).ending(move || {
        let losses = |lane, seed| finish(lane, steps, seed).losses.clone();
        let end = watched(steps, seed).end(losses);
        Progress {
            says: ended(steps, seed),
            ..end
        }
    })
}

fn watched(steps: usize, seed: u64) -> Watched {
    Watched {
        lanes: LANES.map(|(name, _)| name).into(),
        first: seed,
        steps,
        before: format!(
            "A model that guesses uniformly among nine tokens has a loss of {:.3}.",
            9_f64.ln()
        ),
    }
}

/// The final sentence below the race.
fn ended(steps: usize, seed: u64) -> String {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let lanes = LANES.iter().zip(ends(steps, seed)).enumerate();
    let lanes = lanes.map(|(lane, ((name, _), [loss, right]))| {
        let sample = &finish(lane, steps, seed).sample;
        format!(
            "{name}: loss {:.3} ({:.3} to {:.3} across seeds), and of the tokens that it writes on its own {} are right ({} to {}); for {} the first seed writes {}.",
            loss.mean,
            loss.least,
            loss.most,
            percent(right.mean),
            percent(right.least),
            percent(right.most),
            sample[0],
            sample[1]
        )
    });
    lanes.collect::<Vec<_>>().join(" ")
}
