//! The map of a model: which box opens which tensor.

use std::collections::BTreeSet;

use transformer_tutor::autograd::Trace;
use transformer_tutor::lesson::picture::{Map, Place, Reached};

/// The map of a model with `layers` layers, lit up as far as `seen` (names of recorded steps) goes; with
/// a `trace`, each box says the shape of what it opens.
pub fn map(layers: usize, seen: &BTreeSet<String>, trace: Option<&Trace>) -> Map {
    let place = |title: &str, opens: String, lesson: usize| {
        let prefix = opens
            .rsplit_once('.')
            .map_or(opens.as_str(), |(scope, _)| scope);
        let begun = seen
            .range(prefix.to_owned()..)
            .next()
            .is_some_and(|s| s.starts_with(prefix));
        let shape = trace
            .and_then(|t| t.tensor(&opens))
            .map(|t| format!("{:?}", t.shape()));
        Some(Place {
            title: title.to_owned(),
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
    let last = |side: &str| {
        if post(side) {
            None
        } else {
            place("last norm", format!("{side}.norm"), 9)
        }
    };
    let mut rows = vec![
        [
            None,
            place("generator", "generator.log_probs".to_owned(), 12),
        ],
        [last("encoder"), last("decoder")],
    ];
    for n in (0..layers).rev() {
        let part = |side: &str, what: &str, title: &str, lesson: usize| {
            place(
                &format!("{n} {title}"),
                format!("{side}.layers.{n}.{what}.residual"),
                lesson,
            )
        };
        rows.push([
            part("encoder", "feed_forward", "feed-forward", 7),
            part("decoder", "feed_forward", "feed-forward", 7),
        ]);
        rows.push([None, part("decoder", "src_attn", "cross attn", 6)]);
        rows.push([
            part("encoder", "self_attn", "self-attn", 5),
            part("decoder", "self_attn", "masked attn", 11),
        ]);
    }
    rows.push([
        place("positions", "src_embed.with_position".to_owned(), 2),
        place("positions", "tgt_embed.with_position".to_owned(), 2),
    ]);
    rows.push([
        place("words", "src_embed.embedded".to_owned(), 1),
        place("words", "tgt_embed.embedded".to_owned(), 1),
    ]);
    rows.push([
        place("source ids", "src".to_owned(), 3),
        place("target ids", "tgt".to_owned(), 3),
    ]);
    Map { rows }
}

/// The names of all steps of a run.
pub fn names(trace: &Trace) -> BTreeSet<String> {
    trace.steps().iter().map(|s| s.name.clone()).collect()
}
