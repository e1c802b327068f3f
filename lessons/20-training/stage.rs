//! Lesson 20: training a translator. A short run with a time machine, and the learner's own run.

use std::sync::{Arc, LazyLock};

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::lesson;
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::lesson::models;
use transformer_tutor::lesson::picture::Live;
use transformer_tutor::lesson::short_run::ground::{Watched, ground, sentences, sources};
use transformer_tutor::lesson::short_run::{self, Recipe as _, seen};
use transformer_tutor::lesson::{Body, Lesson, Picture, Run, Settings, Stage};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::phrasebook::Pair;
use transformer_tutor::train::config::TrainConfig;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

use knobs::Knobs;
use plan::Plan;
use recipe::{Recipe, STEPS, Seen};

mod bench;
pub mod check;
mod cuts;
mod forks;
mod ground;
mod knobs;
mod lab;
mod lane;
mod pictures;
mod plan;
mod recipe;
mod shipped;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
#[path = "more/training_loop/check.rs"]
pub mod training_loop;
#[path = "more/training_step/check.rs"]
pub mod training_step;

pub static LESSON: LazyLock<Lesson> = lesson!("20-training", TrainingStage, check::TASK; "training_step" => training_step::TASK, "training_loop" => training_loop::TASK);

struct TrainingStage;

/// A forward pass at a snapshot: one sentence with its correct translation, and the loss.
fn record(seen: &Seen, sentence: usize) -> Trace {
    let pair = &sentences()[sentence];
    let pipeline = &ground().pipeline;
    let tape = Tape::eval(&seen.now().params);
    let source = pipeline.source_ids(&pair.german.join(" "));
    let target = pipeline.target_ids(&pair.english.join(" "));
    let src = models::sentence(&tape, "src", &source, "s");
    let tgt = models::sentence(&tape, "tgt", &target[..target.len() - 1], "t");
    let targets = models::sentence(&tape, "targets", &target[1..], "t");
    let hidden = seen.recipe.hidden(&seen.model, &src, &tgt);
    let logits = tape.scoped("generator", || seen.model.generator.logits(&hidden));
    cross_entropy(&logits, &targets, None);
    let german = [&pair.german[..], &["</s>".to_owned()]].concat();
    let english = [&["<s>".to_owned()], &pair.english[..]].concat();
    tape.trace()
        .label("s", vec![german])
        .label("t", vec![english])
}

fn weights(trace: &Trace) -> Option<&Tensor> {
    trace.tensor("decoder.layers.0.src_attn.weights")
}

fn aligned_words(pair: &Pair) -> usize {
    let words = (0..pair.english.len()).filter(|t| pair.alignment.iter().any(|link| link.1 == *t));
    words.count().max(1)
}

/// Largest change of a token's probability when the German words are reversed.
fn order_matters(seen: &Seen, sentence: usize) -> f64 {
    let source = &sources()[sentence];
    let mut turned = source.clone();
    turned[..source.len() - 1].reverse();
    let english = sentences()[sentence].english.join(" ");
    let target = ground().pipeline.target_ids(&english);
    let probabilities = |source: &[u32]| {
        let tape = Tape::eval(&seen.now().params).fused();
        let src = models::sentence(&tape, "src", source, "s");
        let tgt = models::sentence(&tape, "tgt", &target, "t");
        let hidden = seen.recipe.hidden(&seen.model, &src, &tgt);
        let logits = seen.model.generator.logits(&hidden);
        logits.log_softmax().value().map(f32::exp)
    };
    largest_difference(&probabilities(source), &probabilities(&turned))
}

/// The picture of the learner's own run.
fn live(knobs: &Knobs) -> Result<Picture, String> {
    let plan = Plan::of(knobs)?;
    let kept = plan.saved().map_or(String::new(), |step| {
        format!(" There is a checkpoint of update {step}, from which it can continue; a new run sets the old one aside.")
    });
    let (what, long) = if plan.small {
        ("a small model", "2,000 updates, about a minute")
    } else {
        (
            "the translator of the command train, 2 layers of width 128,",
            "2,000 updates, minutes",
        )
    };
    let text = plan.text.about(plan.small)?;
    Ok(Picture::new(
        "training",
        "Your own run",
        String::new(),
        Body::Live(Live {
            about: format!(
                "Trains {what} {text}: {long}. It can be paused and continued, and goes on while you read and when you leave the lesson.{kept}"
            ),
            work: Arc::new(lab::Wired(plan)),
        }),
    ))
}

impl Stage for TrainingStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let (sentence, head) = (knobs.sentence - 1, knobs.head);
        let seen = seen(Recipe::of(settings), knobs.update);
        let trace = record(&seen, sentence);
        let pair = &sentences()[sentence];
        let equally = pair.alignment.len() as f64
            / (pair.german.len() + 1) as f64
            / aligned_words(pair) as f64;
        let facts = pictures::facts(&seen, sentence).with("equally_aligned", equally);
        let watched = sentences().each_ref().map(Watched::from);
        let translations = pictures::translated(&watched, &seen.now().written);
        let look = weights(&trace).map(|weights| pictures::attention(weights, head, pair));
        let mut pictures = vec![
            live(&knobs)?,
            Picture::drawn("translations", translations),
            cuts::picture(seen.recipe),
            forks::picture(knobs.update),
        ];
        pictures.extend(look.map(|look| Picture::drawn("look", look)));
        let run = Run::new(trace, pictures).telling(facts);
        // Not earlier, because it would train while the first frame waits.
        forks::prepare();
        Ok(run)
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let seen = || seen(Recipe::of(settings), knobs.update);
        let pair = &sentences()[knobs.sentence - 1];
        let written =
            |n: usize| f64::from(seen().now().written[n] == sentences()[n].english.join(" "));
        let share = |n: usize| Some(seen().shares()[n]);
        let point = |of: &dyn Fn(&short_run::Point) -> f64| Some(of(seen().log.last()?));
        let forked = |lane: usize| Some(forks::fork(knobs.update, lane).last()?.1);
        let words = |of: fn((usize, usize)) -> usize| of(ground().words()) as f64;
        let fact = cuts::fact(name, Recipe::of(settings)).or_else(|| shipped::fact(name));
        if fact.is_some() {
            return fact;
        }
        match name {
            "held_out" => Some(seen().now().held_out),
            "train_loss" => Some(pictures::smooth(&seen().log, |p| p.loss).last()?.1),
            "first_rate" => seen().log.first().map(|p| p.rate),
            "held_out_280" => Some(short_run::seen(Recipe::default(), 280).now().held_out),
            "gradient" => point(&|p| p.norm),
            "highest_gradient" => Some(seen().log.iter().map(|p| p.norm).fold(0.0, f64::max)),
            "learning_rate" => point(&|p| p.rate),
            "clueless" => Some(words(|w| w.1).ln()),
            "next_right" => share(0),
            "free_right" => share(1),
            "exact" => share(2),
            "right" => Some(written(0) + written(1) + written(2)),
            "aligned" => Some(pictures::aligned(weights(&run.trace)?, knobs.head, pair)),
            "source_vocabulary" => Some(words(|w| w.0)),
            "target_vocabulary" => Some(words(|w| w.1)),
            "parameters" => Some(seen().now().params.count() as f64),
            "pairs" => Some(ground().train.pairs.len() as f64),
            "tokens" => Some(ground().train.target_tokens() as f64),
            "updates" => Some(STEPS as f64),
            "fork_same" => forked(0),
            "fork_fast" => forked(1),
            "fork_slow" => forked(2),
            "fork_dropout" => forked(3),
            "multi30k_parameters" => {
                let config = TrainConfig::preset("multi30k")?;
                let mut layout = Params::layout();
                Transformer::new(&mut layout, &config.model(9712, 9712));
                Some(layout.count() as f64)
            }
            "order_matters" => Some(order_matters(&seen(), knobs.sentence - 1)),
            _ => None,
        }
    }
}
