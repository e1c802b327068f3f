//! The race, the counts, and the names in PyTorch.

use std::ops::ControlFlow;
use std::sync::Arc;

use transformer_tutor::data::annotated;
use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::race::side_by_side;
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::params::{Param, Params};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Config, Transformer};
use transformer_tutor::widgets::number::grouped;

use super::model::{BASE, Broken, Choice, Modern, SMALL, Sizes};
use super::training::{self, LANES, Lane, STEPS, last};

/// Parameters of a choice.
pub fn count(choice: Choice, sizes: Sizes) -> usize {
    let mut params = Params::layout();
    Modern::new(&mut params, choice, sizes, Broken::default());
    params.count()
}

/// Numbers that the decoder keeps for every word it has written: keys and values of self-attention,
/// in all its layers.
pub fn cached(choice: Choice, sizes: Sizes) -> usize {
    let layers = sizes.layers * if choice.decoder_only { 2 } else { 1 };
    let groups = choice.groups_of(sizes.heads);
    layers * 2 * groups * sizes.d_model / sizes.heads
}

/// What each choice costs at both sizes.
pub fn counts() -> Picture {
    let rows = LANES.iter().map(|(name, _, choice)| {
        let numbers = [
            count(*choice, SMALL),
            count(*choice, BASE),
            cached(*choice, BASE),
        ];
        let numbers = numbers.map(|n| grouped(n as u64));
        [&[(*name).to_owned()], &numbers[..]].concat()
    });
    Picture {
        name: "counts",
        title: "What each change saves".to_owned(),
        says: format!(
            "Each row changes one thing of the model of 2017, the last all of them. All four save {:.1} % of the base model's parameters.",
            100.0 * (1.0 - count(training::NEW, BASE) as f64 / count(training::OLD, BASE) as f64)
        ),
        body: Body::Table {
            header: ["", "small", "base", "kept a word"]
                .map(String::from)
                .to_vec(),
            rows: rows.collect(),
        },
    }
}

/// A small model of the Annotated Transformer's form.
fn exported() -> Params {
    let mut params = Params::layout();
    Transformer::new(&mut params, &Config::annotated(11, 11).sized(2, 32, 64, 4));
    params
}

/// How many tensors it has.
pub fn tensors() -> usize {
    exported().len()
}

/// Names here and in PyTorch.
pub fn names() -> Picture {
    let params = exported();
    let row = |(param, ours, _): (Param, &str, &Tensor)| {
        let shape = params.shape(param).iter().map(ToString::to_string);
        let shape = shape.collect::<Vec<_>>().join("×");
        vec![ours.to_owned(), annotated::name(ours), shape]
    };
    let all: Vec<_> = params.iter().map(row).collect();
    let shown = |line: &&Vec<String>| {
        ["src_embed", "encoder.layers.0", "encoder.norm", "generator"]
            .iter()
            .any(|part| line[0].starts_with(part))
            && !line[0].ends_with("bias")
    };
    // Of the other name only what differs: the whole would leave no room.
    let short = |line: &Vec<String>| -> Vec<String> {
        let plain = |word: &String| word.replace("encoder.layers.0.", "").replace(".weight", "");
        let [ours, theirs] = [plain(&line[0]), plain(&line[1])];
        let alike = ours.split_inclusive('.').zip(theirs.split_inclusive('.'));
        let alike: usize = alike
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len())
            .sum();
        let theirs = match ours == theirs {
            true => "the same",
            false => &theirs[alike..],
        };
        vec![ours.clone(), theirs.to_owned(), line[2].clone()]
    };
    Picture {
        name: "names",
        title: "The same tensors under two names".to_owned(),
        says: format!(
            "{} of {} tensors, without encoder.layers.0 before them and weight behind; of the name in PyTorch only what is another. Biases and the other layers are alike. Shapes and layouts are the same.",
            all.iter().filter(shown).count(),
            all.len()
        ),
        body: Body::Table {
            header: ["here", "in PyTorch", "shape"].map(String::from).to_vec(),
            rows: all.iter().filter(shown).map(short).collect(),
        },
    }
}

/// The picture of the race; it is run when the learner starts it.
pub fn race(seed: u64) -> Picture {
    Picture {
        name: "race",
        title: "Six models learn to copy, one seed".to_owned(),
        says: "The same batches for all. Each lane changes one thing, the last all four."
            .to_owned(),
        body: Body::Job(Job {
            about: format!(
                "Trains six small models for {STEPS} steps, four at a time, and lets each write twenty sentences; some seconds."
            ),
            run: Arc::new(move |report| run(seed, report)),
        }),
    }
}

fn run(seed: u64, report: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Progress {
    let lanes = LANES.map(|(_, _, choice)| Lane::sound(choice, seed));
    let train = |n: usize, tell: &mut dyn FnMut(Vec<f64>) -> ControlFlow<()>| {
        let made = training::train(lanes[n], STEPS, |so_far| tell(so_far.to_vec()));
        if made.losses.len() == STEPS {
            training::keep(lanes[n], made);
        }
    };
    let none = vec![Vec::new(); lanes.len()];
    let losses = side_by_side(none, 4, train, &mut |now, told| {
        if !told.is_multiple_of(20) {
            return ControlFlow::Continue(());
        }
        let share = told as f32 / (STEPS * lanes.len()) as f32;
        report(drawing(now, None, share * 0.95))
    });
    let whole = losses.iter().all(|l| l.len() == STEPS);
    let right = whole.then(|| lanes.map(|lane| training::right(lane, STEPS)));
    drawing(&losses, right, 1.0)
}

fn drawing(losses: &[Vec<f64>], right: Option<[f64; 6]>, done: f32) -> Progress {
    let points = |losses: &[f64]| {
        let five = losses.chunks(5).enumerate();
        five.map(|(n, five)| {
            let mean = five.iter().sum::<f64>() / five.len() as f64;
            (5.0 * n as f64 + 2.5, mean)
        })
        .collect()
    };
    let series = LANES.iter().zip(losses).map(|((name, ..), losses)| Series {
        name: (*name).to_owned(),
        points: points(losses),
    });
    let says = match right {
        Some(right) => {
            let ends = LANES.iter().zip(losses).zip(right);
            let ends = ends.map(|(((name, ..), losses), right)| {
                format!("{name} {:.3}, {:.0} %", last(losses), 100.0 * right)
            });
            let ends: Vec<String> = ends.collect();
            format!(
                "Loss at the end, and how many words each then writes rightly alone: {}.",
                ends.join("; ")
            )
        }
        None => "All six begin as guessers, at about log 10 = 2.303.".to_owned(),
    };
    Progress {
        body: Body::Curves {
            x: "step".into(),
            y: "loss".into(),
            log: true,
            series: series.collect(),
        },
        says,
        done,
        run: None,
    }
}
