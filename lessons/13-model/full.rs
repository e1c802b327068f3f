//! The full-size model, run on demand while its map lights up.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::clock::Instant;
use transformer_tutor::lesson::picture::{Progress, Report};
use transformer_tutor::lesson::{Body, Picture, Run};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::tensor::threads::{start, stopped};
use transformer_tutor::text::sample::{self, BATCH, Language};
use transformer_tutor::transformer::{Config, Transformer};

use transformer_tutor::lesson::model_map;

/// Vocabulary size of each language at the standard size.
pub const WORDS: usize = 30_000;

/// Runs the full-size model over `batch` sentences; returns the trace and the number of parameters. `watch` is called
/// with the name of every step as it is recorded.
pub fn pass(seed: u64, batch: usize, watch: impl FnMut(&str) + 'static) -> (Trace, usize) {
    let mut params = Params::new(seed);
    let model = Transformer::new(&mut params, &Config::annotated(WORDS, WORDS));
    let tape = Tape::eval(&params);
    tape.watch(watch);
    let ids = |length: usize, language| {
        let all = sample::ids(length, language);
        Tensor::new(&[batch, length], all.data()[..batch * length].to_vec())
    };
    let src = tape.ids("src", ids(11, Language::German), &["b", "s"]);
    let tgt = tape.ids("tgt", ids(10, Language::English), &["b", "t"]);
    model.forward(&src, &tgt);
    let words = |length, language| sample::all_words(length, language)[..batch].to_vec();
    let trace = tape.trace();
    let trace = trace
        .label("s", words(11, Language::German))
        .label("t", words(10, Language::English));
    (trace, params.count())
}

/// The picture from which the run is started.
pub fn picture(seed: u64) -> Picture {
    Picture::job(
        "full",
        "The full-size model",
        "Six layers, d_model 512, vocabularies of 30,000. After the run, every box of the map opens its tensors.",
        "Builds the model of 90 million parameters and runs 30 sentences through it: a second or two, and 0.8 GB of memory while you look at it.",
        move |report| run(seed, report),
    )
}

/// Layers of the encoder, and of the decoder.
const LAYERS: usize = 6;

/// Boxes of the map that end in a residual or a positional encoding: two per layer of the encoder, three per layer of the
/// decoder, and the two inputs.
const BOXES: usize = 2 * LAYERS + 3 * LAYERS + 2;

fn run(seed: u64, report: Report<'_>) -> Progress {
    let begun = Instant::now();
    let show = |seen: &BTreeSet<String>, says: String, done: f32| {
        Progress::new(
            done,
            says,
            Body::Map(model_map::map((LAYERS, LAYERS), seen, None)),
        )
    };
    let _ = report(show(
        &BTreeSet::new(),
        "Initialising 90 million weights …".to_owned(),
        0.0,
    ));
    // The pass runs on its own thread, so that the map can be drawn while it works.
    let (sender, steps) = std::sync::mpsc::channel::<String>();
    let (finished, end) = std::sync::mpsc::channel();
    start(move || {
        let sender = Rc::new(RefCell::new(sender));
        let watch = move |name: &str| {
            let _ = sender.borrow().send(name.to_owned());
        };
        // The receiver waits for it.
        let _ = finished.send(catch_unwind(AssertUnwindSafe(|| pass(seed, BATCH, watch))));
    });
    let mut seen = BTreeSet::new();
    let mut boxes = 0;
    while let Ok(name) = steps.recv() {
        let ends_box = name.ends_with("residual") || name.ends_with("with_position");
        seen.insert(name);
        if ends_box {
            boxes += 1;
            let says = format!("{} steps so far.", seen.len());
            // The rest is for the generator, which is the slowest.
            let done = 0.9 * boxes as f32 / BOXES as f32;
            if report(show(&seen, says, done.min(0.95))).is_break() {
                break;
            }
        }
    }
    let (trace, parameters) = match end.recv().expect("the pass says how it ended") {
        Ok(output) => output,
        Err(panic) => return show(&seen, stopped("pass", panic), 1.0),
    };
    let took = begun.elapsed().as_secs_f64();
    let says = format!(
        "{} parameters built and {} steps recorded in {took:.1} s.",
        transformer_tutor::typeset::number::grouped(parameters as u64),
        trace.steps().len()
    );
    let body = Body::Map(model_map::map(
        (LAYERS, LAYERS),
        &model_map::names(&trace),
        Some(&trace),
    ));
    let map = Picture::new(
        "full",
        "The full-size model, as it just ran",
        says.clone(),
        body.clone(),
    );
    let run = Run::new(trace, vec![map]);
    Progress {
        body,
        says,
        done: 1.0,
        run: Some(Arc::new(run)),
        written: None,
    }
}
