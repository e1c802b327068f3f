//! The map of a model, whose boxes open its tensors.

use std::collections::BTreeSet;

use crate::autograd::Trace;
use crate::lesson::picture::{BoxState, Map, MapBox};

/// The map of a model with these numbers of encoder and decoder layers. Boxes count as passed according to `seen`, the
/// names of recorded steps; with a `trace`, each box also shows the shape of its tensor.
pub fn map(layers: (usize, usize), seen: &BTreeSet<String>, trace: Option<&Trace>) -> Map {
    let of = Boxes { seen, trace };
    let generator = of.map_box("generator", "generator.log_probs", "generator");
    let mut rows = vec![
        [None, Some(generator)],
        ["encoder", "decoder"].map(|stack| of.last_norm(stack)),
    ];
    for n in (0..layers.0.max(layers.1)).rev() {
        let encoder = |part, title, lesson| {
            (n < layers.0).then(|| of.sublayer("encoder", n, part, title, lesson))
        };
        let decoder = |part, title, lesson| {
            (n < layers.1).then(|| of.sublayer("decoder", n, part, title, lesson))
        };
        rows.extend([
            [
                encoder("feed_forward", "feed-forward", "feed-forward"),
                decoder("feed_forward", "feed-forward", "feed-forward"),
            ],
            [None, decoder("src_attn", "cross-attention", "three-uses")],
            [
                encoder("self_attn", "self-attention", "multi-head"),
                decoder("self_attn", "masked attention", "decoder"),
            ],
        ]);
    }
    let both = |title, [source, target]: [&str; 2], lesson| {
        [source, target].map(|opens| Some(of.map_box(title, opens, lesson)))
    };
    rows.extend([
        both(
            "positions",
            ["src_embed.with_position", "tgt_embed.with_position"],
            "positional-encoding",
        ),
        both(
            "embeddings",
            ["src_embed.embedded", "tgt_embed.embedded"],
            "embeddings",
        ),
        [
            Some(of.map_box("source ids", "src", "masks")),
            Some(of.map_box("target ids", "tgt", "masks")),
        ],
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

/// Makes the boxes of a map.
struct Boxes<'a> {
    /// Names of the steps recorded so far.
    seen: &'a BTreeSet<String>,
    trace: Option<&'a Trace>,
}

impl Boxes<'_> {
    /// The box that opens the step `opens`, taught by the lesson named `lesson`.
    fn map_box(&self, title: &str, opens: &str, lesson: &'static str) -> MapBox {
        let scope = opens.rsplit_once('.').map_or(opens, |(scope, _)| scope);
        let shape = self.trace.and_then(|trace| trace.tensor(opens));
        let shape = shape.map_or_else(String::new, |x| format!("{:?}", x.shape()));
        MapBox {
            title: title.to_owned(),
            layer: None,
            opens: opens.to_owned(),
            lesson,
            note: shape.replace(['[', ']'], ""),
            state: self.reached(scope, opens),
        }
    }

    /// How far the pass has come with the steps whose names begin with `scope`, the last of which is `opens`.
    fn reached(&self, scope: &str, opens: &str) -> BoxState {
        let next = self.seen.range(scope.to_owned()..).next();
        if self.seen.contains(opens) {
            BoxState::Passed
        } else if next.is_some_and(|name| name.starts_with(scope)) {
            BoxState::Here
        } else {
            BoxState::Ahead
        }
    }

    /// The box of the sublayer `part` in layer `n` of a stack.
    fn sublayer(
        &self,
        stack: &str,
        n: usize,
        part: &str,
        title: &str,
        lesson: &'static str,
    ) -> MapBox {
        let opens = format!("{stack}.layers.{n}.{part}.residual");
        MapBox {
            layer: Some(n),
            ..self.map_box(title, &opens, lesson)
        }
    }

    /// The box of the LayerNorm on top of a stack; `None` if each sublayer ends in its own.
    fn last_norm(&self, stack: &str) -> Option<MapBox> {
        let is_seen = |step: &str| {
            self.seen
                .contains(&format!("{stack}.layers.0.self_attn.{step}"))
        };
        let name = format!("{stack}.norm");
        let is_missing = self.trace.is_some_and(|trace| trace.find(&name).is_none());
        let is_post = is_seen("residual") && is_seen("norm") && is_missing;
        (!is_post).then(|| MapBox {
            // The layers below have names that begin with the stack's too.
            state: self.reached(&name, &name),
            ..self.map_box("last norm", &name, "residuals")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::LESSONS;

    #[test]
    fn every_box_names_a_lesson_on_the_parts_of_the_model() {
        let map = map((2, 1), &BTreeSet::new(), None);
        let boxes: Vec<&MapBox> = map.rows.iter().flatten().flatten().collect();
        // Two encoder layers of two sublayers, one decoder layer of three, and nine others.
        assert_eq!(boxes.len(), 2 * 2 + 3 + 9);
        for map_box in boxes {
            let lesson = LESSONS.iter().find(|lesson| lesson.name == map_box.lesson);
            let number = lesson.map(|lesson| lesson.number);
            assert!(
                number.is_some_and(|n| (1..=13).contains(&n)),
                "{}",
                map_box.title
            );
        }
    }

    #[test]
    fn the_last_norm_is_ahead_while_the_layers_below_it_run() {
        let last_norm = |seen: &[&str]| {
            let seen = seen.iter().map(|name| (*name).to_owned()).collect();
            let map = map((1, 1), &seen, None);
            map.rows[1][0].as_ref().unwrap().state
        };
        let layer = "encoder.layers.0.self_attn.residual";
        assert_eq!(last_norm(&[layer]), BoxState::Ahead);
        assert_eq!(last_norm(&[layer, "encoder.norm.mean"]), BoxState::Here);
        assert_eq!(last_norm(&[layer, "encoder.norm"]), BoxState::Passed);
    }
}
