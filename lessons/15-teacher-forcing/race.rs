//! The copy task, trained with and without the shift.

use std::ops::ControlFlow;

use transformer_tutor::autograd::Tape;
use transformer_tutor::decode::greedy::greedy;
use transformer_tutor::lesson::memo::{Memo, Weigh};
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::race::{Tell, in_turn};
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::nn::masks::shift;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::transformer::{Config, Transformer};

use super::mistakes::{ShiftFn, no_shift};

/// Ids, of which 0 pads and 1 starts; words a sentence, sentences a batch.
const VOCABULARY: usize = 11;
const WORDS: usize = 6;
const BATCH: usize = 32;
const START: f32 = 1.0;
const RATE: f32 = 0.003;

/// Who runs, and how each makes its batches.
pub const LANES: [(&str, ShiftFn); 2] = [("with the shift", shift), ("without", no_shift)];

/// What a lane ended with.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// The loss at every step.
    pub losses: Vec<f64>,
    /// The proportion of tokens that greedy decoding got right, in sentences that were not trained on.
    pub right: f64,
    /// One of those sentences, and what was decoded.
    pub sample: [String; 2],
    /// The same with each id as the first that the decoder reads.
    pub starts: Vec<Started>,
}

/// What a model writes that reads this id first.
#[derive(Clone, Debug, Default)]
pub struct Started {
    /// The proportion of tokens that are right.
    pub right: f64,
    /// The proportion of first tokens that are.
    pub first: f64,
    /// The sample, with its first wrong token in brackets.
    pub sample: String,
}

/// `rows` sentences of tokens that are neither padding nor start.
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

/// Trains for `steps` steps, then decodes; `seen` may stop it.
fn train(lane: usize, steps: usize, seed: u64, seen: Tell<'_>) -> Finish {
    let mut config = Config::annotated(VOCABULARY, VOCABULARY).sized(1, 32, 64, 2);
    config.dropout = 0.0;
    let mut params = Params::new(seed);
    let model = Transformer::new(&mut params, &config);
    let mut adam = Adam::new(&params);
    let mut losses = Vec::new();
    for step in 0..steps {
        let src = sentences(BATCH, seed, &format!("batch {step}"));
        let batch = LANES[lane].1(&started(&src));
        let grads = {
            let tape = Tape::eval(&params);
            let [src, tgt] = [(src, "s"), (batch.tgt, "t")]
                .map(|(ids, axis)| tape.ids("ids", ids, &["b", axis]));
            let pass = model.forward(&src, &tgt);
            let targets = tape.ids("tgt_y", batch.tgt_y, &["b", "t"]);
            let loss = pass.log_probs.pick(&targets).mean().scale(-1.0);
            losses.push(f64::from(loss.value().at(&[])));
            loss.backward()
        };
        adam.step(&mut params, &grads, RATE);
        if seen(step).is_break() {
            break;
        }
    }
    let src = sentences(20, seed, "held out");
    let said = greedy(&model, &params, &src, START, WORDS);
    let right = src.data().iter().zip(said.data());
    let right = right.filter(|(a, b)| a == b).count() as f64 / src.len() as f64;
    let words = |t: &Tensor| {
        let row = t.data()[..WORDS].iter();
        row.map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let starts = (0..VOCABULARY).map(|id| {
        let said = greedy(&model, &params, &src, id as f32, WORDS);
        started_with(&src, &said)
    });
    Finish {
        losses,
        right,
        starts: starts.collect(),
        sample: [words(&src), words(&said)],
    }
}

/// How right `said` is, both `[sentences, words]`.
fn started_with(src: &Tensor, said: &Tensor) -> Started {
    let same: Vec<bool> = src
        .data()
        .iter()
        .zip(said.data())
        .map(|(a, b)| a == b)
        .collect();
    let share = |hits: usize, all: usize| hits as f64 / all as f64;
    let firsts = same.iter().step_by(WORDS);
    let wrong = same[..WORDS].iter().position(|right| !right);
    let words = said.data()[..WORDS].iter().enumerate();
    let words = words.map(|(at, id)| match Some(at) == wrong {
        true => format!("[{id}]"),
        false => id.to_string(),
    });
    Started {
        right: share(same.iter().filter(|right| **right).count(), same.len()),
        first: share(firsts.clone().filter(|right| **right).count(), firsts.len()),
        sample: words.collect::<Vec<_>>().join(" "),
    }
}

/// What a lane ends with. Computed once.
pub fn finish(lane: usize, steps: usize, seed: u64) -> Finish {
    static DONE: Memo<Finish> = Memo::new("teacher forcing: finishes");
    let made = || train(lane, steps, seed, &mut |_| ControlFlow::Continue(()));
    let key = format!("{lane} {steps} {seed}");
    (*DONE.get(key, made)).clone()
}

impl Weigh for Finish {
    fn heap(&self) -> usize {
        let starts = self.starts.iter().map(|start| start.sample.heap());
        self.losses.heap() + self.sample.heap() + starts.sum::<usize>()
    }
}

/// What a model that learned to start with id 1 writes after each other id; it is run when the learner starts it.
pub fn starts(steps: usize, seed: u64) -> Picture {
    let about = format!(
        "Trains the model with the shift for {steps} steps, and lets it write twenty sentences from each start; about {} s.",
        (steps / 200).max(1)
    );
    Picture::job(
        "starts",
        format!("Another start token, after {steps} steps with id {START}"),
        "A row for each id that the decoder reads first.",
        about,
        move |report| {
            let train = |lane: usize, tell: Tell<'_>| train(lane, steps, seed, tell);
            in_turn(1, steps, 5, report, train, drawn_starts)
        },
    )
}

fn drawn_starts(done: &[Finish], share: f32) -> Progress {
    let Some(finish) = done.first() else {
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
        "For {} each row writes this; the first wrong token stands in brackets.",
        finish.sample[0]
    );
    Progress::new(share, says, Body::table(&header, rows))
}

/// The picture of the race; it is run when the learner starts it.
pub fn picture(steps: usize, seed: u64) -> Picture {
    let about = format!(
        "Trains two small models for {steps} steps each and then decodes with them; about {} s.",
        (steps / 100).max(1)
    );
    Picture::job(
        "race",
        format!("Learning to copy in {steps} steps, with and without the shift"),
        "Two models of one layer and one seed. After the training each decodes by itself.",
        about,
        move |report| {
            let train = |lane: usize, tell: Tell<'_>| train(lane, steps, seed, tell);
            in_turn(LANES.len(), steps, 5, report, train, drawing)
        },
    )
}

fn drawing(done: &[Finish], share: f32) -> Progress {
    let lanes = LANES.iter().zip(done);
    let series = lanes.clone().map(|((name, _), finish)| {
        Series::new(
            *name,
            (0..).map(f64::from).zip(finish.losses.iter().copied()),
        )
    });
    let ends = lanes.map(|((name, _), finish)| {
        format!(
            "{name}: loss {:.3}, and of the tokens that it writes by itself {:.0} % are right; for {} it writes {}.",
            finish.losses.last().unwrap_or(&0.0),
            100.0 * finish.right,
            finish.sample[0],
            finish.sample[1]
        )
    });
    let says = match done {
        [] => format!(
            "A model that guesses uniformly among nine tokens has a loss of {:.3}.",
            9_f64.ln()
        ),
        _ => ends.collect::<Vec<_>>().join(" "),
    };
    let chart = Body::curves("step", "loss", series).by_logarithm();
    Progress::new(share, says, chart)
}
