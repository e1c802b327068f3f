//! The map of a model, whose boxes open its tensors.

use std::collections::BTreeSet;

use crate::autograd::Trace;
use crate::lesson::picture::{Map, Place, Reached};

/// The map of a model with `layers` encoder and decoder layers. Boxes count as passed according to `seen`, the names of
/// recorded steps; with a `trace`, each box also shows the shape of its tensor.
pub fn map(layers: (usize, usize), seen: &BTreeSet<String>, trace: Option<&Trace>) -> Map {
    let place = |title: &str, layer: Option<usize>, opens: String, lesson: usize| {
        let scope = opens.rsplit_once('.').map(|(scope, _)| scope);
        let prefix = scope.unwrap_or(&opens);
        let next = seen.range(prefix.to_owned()..).next();
        let begun = next.is_some_and(|s| s.starts_with(prefix));
        let shape = trace.and_then(|t| t.tensor(&opens));
        let shape = shape.map(|t| format!("{:?}", t.shape()));
        Some(Place {
            title: title.to_owned(),
            layer,
            lesson,
            note: shape.unwrap_or_default().replace(['[', ']'], ""),
            state: match (seen.contains(&opens), begun) {
                (true, _) => Reached::Passed,
                (false, true) => Reached::Here,
                (false, false) => Reached::Ahead,
            },
            opens,
        })
    };
    let post = |side: &str| {
        seen.contains(&format!("{side}.layers.0.self_attn.residual"))
            && seen.contains(&format!("{side}.layers.0.self_attn.norm"))
            && trace.is_some_and(|t| t.find(&format!("{side}.norm")).is_none())
    };
    let last = |side: &str| match post(side) {
        true => None,
        false => place("last norm", None, format!("{side}.norm"), 9),
    };
    let generator = place("generator", None, "generator.log_probs".to_owned(), 12);
    let mut rows = vec![[None, generator], [last("encoder"), last("decoder")]];
    for n in (0..layers.0.max(layers.1)).rev() {
        let part = |side: &str, what: &str, title: &str, lesson: usize| {
            let of = if side == "encoder" {
                layers.0
            } else {
                layers.1
            };
            if n >= of {
                return None;
            }
            let opens = format!("{side}.layers.{n}.{what}.residual");
            place(title, Some(n), opens, lesson)
        };
        rows.push([
            part("encoder", "feed_forward", "feed-forward", 7),
            part("decoder", "feed_forward", "feed-forward", 7),
        ]);
        rows.push([None, part("decoder", "src_attn", "cross-attention", 6)]);
        rows.push([
            part("encoder", "self_attn", "self-attention", 5),
            part("decoder", "self_attn", "masked attention", 11),
        ]);
    }
    for (title, [source, target], lesson) in [
        (
            "positions",
            ["src_embed.with_position", "tgt_embed.with_position"],
            2,
        ),
        (
            "embeddings",
            ["src_embed.embedded", "tgt_embed.embedded"],
            1,
        ),
    ] {
        let side = |opens: &str| place(title, None, opens.to_owned(), lesson);
        rows.push([side(source), side(target)]);
    }
    rows.push([
        place("source ids", None, "src".to_owned(), 3),
        place("target ids", None, "tgt".to_owned(), 3),
    ]);
    rows.retain(|row| row.iter().any(Option::is_some));
    let words = |axis: &str| {
        let word = |at| trace.and_then(|trace| trace.word(axis, 0, at));
        let words: Vec<&str> = (0..).map_while(word).collect();
        words.join(" ")
    };
    let sentences = [words("s"), words("t")];
    Map { rows, sentences }
}

/// The names of all steps of a run.
pub fn names(trace: &Trace) -> BTreeSet<String> {
    trace.steps().iter().map(|s| s.name.clone()).collect()
}
