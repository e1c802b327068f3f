//! `tools variants`: the differences between the paper, the Annotated Transformer, TensorFlow's official model and Marian,
//! and the first tensor in which two runs differ.

use std::fmt::Write as _;

use serde_json::json;

use crate::autograd::{Tape, Trace};
use crate::ops::Spread;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::schedule::{RECIPES, Recipe};
use crate::transformer::variants::{
    DIFFERENCES, Difference, FirstDifference, MARIAN, first_difference, share,
};
use crate::transformer::{Config, Transformer};

/// Shrinks a configuration to a size at which runs are easy to compare.
fn small(config: Config) -> Config {
    config.sized(2, 16, 32, 4)
}

/// Builds a model and runs it once. Parameters take their values from `weights` where names and shapes match.
fn pass(config: &Config, weights: Option<&Params>) -> (Params, Trace) {
    let mut params = Params::new(7);
    let model = Transformer::new(&mut params, config);
    if let Some(weights) = weights {
        share(weights, &mut params);
    }
    let tape = Tape::eval(&params);
    let src = Tensor::new(&[2, 4], vec![3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 0.0, 0.0]);
    let tgt = Tensor::new(&[2, 4], vec![1.0, 4.0, 6.0, 7.0, 1.0, 9.0, 0.0, 0.0]);
    model.forward(
        &tape.ids("src", src, &["b", "s"]),
        &tape.ids("tgt", tgt, &["b", "t"]),
    );
    (params, tape.trace())
}

/// Marian's form with a different encoder depth and without embedding scaling, as published models may have.
fn marian() -> Config {
    Config {
        encoder_layers: Some(1),
        scale_embeddings: false,
        ..small(Config::marian(11))
    }
}

/// First difference between the Annotated Transformer and the same model with this one choice changed, given the same
/// weights.
fn parts_at(difference: &Difference, from: &Config) -> Option<FirstDifference> {
    let base = small(Config::annotated(11, 11));
    let mut other = base.clone();
    (difference.adopt)(&mut other, from);
    let (weights, one) = pass(&base, None);
    let (_, two) = pass(&other, Some(&weights));
    first_difference(&one, &two)
}

fn smoothing(spread: Spread) -> &'static str {
    match spread {
        Spread::NoPadding => "ε/(V − 2), padding left out",
        Spread::Others => "ε/(V − 1)",
        Spread::All => "ε/V, over all words",
    }
}

/// Returns the command's output.
pub fn run(as_json: bool) -> anyhow::Result<String> {
    let configs = [
        Config::annotated(11, 11),
        Config::tensorflow(11),
        Config::marian(11),
    ];
    let rows = DIFFERENCES.iter().map(|d| {
        let choices = configs.each_ref().map(|config| (d.choice)(config));
        // The Annotated Transformer and TensorFlow place LayerNorm alike, so compare with the paper.
        let from = match d.name {
            "place" => Config::paper(11),
            _ => Config::tensorflow(11),
        };
        (d, choices, parts_at(d, &from))
    });
    let more = MARIAN.iter().map(|d| {
        let mut choices = configs.each_ref().map(|config| (d.choice)(config));
        match d.name {
            "depth" => choices[2] = "as config.json says",
            "scale" => choices[2] = "as config.json says: √d_model or 1",
            _ => {}
        }
        (d, choices, parts_at(d, &marian()))
    });
    let rows: Vec<_> = rows.chain(more).collect();
    let [at, tf]: &[Recipe; 2] = &RECIPES;
    if as_json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(d, [annotated, tensorflow, marian], parting)| {
                json!({
                    "name": d.name, "about": d.about, "paper": d.paper, "annotated": annotated,
                    "tensorflow": tensorflow, "marian": marian, "why": d.why,
                    "parts_at": parting.as_ref().map(|p| &p.step),
                })
            })
            .collect();
        let recipe = |r: &Recipe| {
            json!({
                "name": r.name, "beta2": r.beta2, "factor": r.factor, "warmup": r.warmup,
                "peak": r.peak(512), "smoothing": smoothing(r.spread),
            })
        };
        let report = json!({ "differences": rows, "training": [recipe(at), recipe(tf)] });
        return Ok(serde_json::to_string_pretty(&report)? + "\n");
    }
    let mut out = String::new();
    for (d, [annotated, tensorflow, marian], parting) in &rows {
        let _ = writeln!(out, "{}: {}", d.name, d.about);
        let _ = writeln!(out, "  paper                    {}", d.paper);
        let _ = writeln!(out, "  Annotated Transformer    {annotated}");
        let _ = writeln!(out, "  TensorFlow's official    {tensorflow}");
        let _ = writeln!(out, "  Marian                   {marian}");
        let _ = match parting {
            Some(p) => writeln!(
                out,
                "  with the same weights, two runs part at {} {:?}: {} and {}",
                p.step, p.index, p.values.0, p.values.1
            ),
            None => writeln!(out, "  with the same weights, two runs do not part"),
        };
        let _ = writeln!(out, "  {}\n", d.why);
    }
    let _ = writeln!(out, "In training");
    for r in &RECIPES {
        let _ = writeln!(
            out,
            "  {:<24} Adam β₂ {}, schedule factor {} and warm-up {}: peak {:.6e} at d_model 512; label smoothing {}",
            r.name,
            r.beta2,
            r.factor,
            r.warmup,
            r.peak(512),
            smoothing(r.spread)
        );
    }
    Ok(out)
}
