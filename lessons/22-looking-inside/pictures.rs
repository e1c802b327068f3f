//! The weights of any head and three explanations for a token as pictures, and the facts of the others: links, heads
//! switched off, each head, disagreements.

use std::sync::Arc;

use transformer_tutor::autograd::{Nature, Trace};
use transformer_tutor::decode::align::Links;
use transformer_tutor::lesson::{Body, Fact, Facts, Picture, largest, models};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::built_in::BuiltIn;
use transformer_tutor::transformer::heads::{self, AttentionKind};

use super::check::AlignFn;
use super::knobs::Knobs;
use super::seen::{self, Analysis, LogProbs, one_head, rank_correlation, row};

/// Every picture that is more than a table or bars of facts.
pub fn all(knobs: &Knobs, seen: &Arc<Analysis>, trace: &Trace) -> Vec<Picture> {
    let pictures = [weights(knobs, seen, trace), reasons(knobs, seen)];
    let errors = super::corpus::picture(&seen.model);
    pictures.into_iter().chain([errors]).collect()
}

/// What the other pictures show, added to `facts`; `align` computes the links.
pub fn facts(knobs: &Knobs, align: AlignFn, seen: &Arc<Analysis>, facts: Facts) -> Facts {
    let shown = match knobs.head {
        None => "mean of all heads".to_owned(),
        Some(h) => format!("head {h}"),
    };
    let facts = facts
        .with("shown_layer", seen.layer_of(knobs.kind, knobs))
        .with("shown_heads", shown);
    let facts = off(knobs, seen, links(knobs, align, seen, facts));
    disagreement(knobs, seen, each(seen, facts))
}

/// The decoder's input tokens, from BOS on.
fn read(seen: &Analysis) -> Vec<String> {
    [vec!["<s>".to_owned()], seen.words(&seen.tgt, false)].concat()
}

fn weights(knobs: &Knobs, seen: &Analysis, trace: &Trace) -> Picture {
    let kind = knobs.kind;
    let all = seen::weights(trace, kind, seen.layer_of(kind, knobs));
    let values = match knobs.head {
        None => heads::mean(all),
        Some(h) => one_head(all, h).reshape(&all.shape()[2..]),
    };
    let source = ("s", seen.words(&seen.src, true));
    let target = ("t", read(seen));
    let (rows, columns) = match kind {
        AttentionKind::Encoder => (source.clone(), source),
        AttentionKind::Decoder => (target.clone(), target),
        AttentionKind::Cross => (target, source),
    };
    let body = Body::matrix(values, Nature::Probability, rows, columns);
    Picture::drawn("weights", body)
}

/// The sentence in a model for which true links are known, with a pass over it: the chosen model, or else the
/// phrasebook's.
pub struct Graded {
    pub seen: Arc<Analysis>,
    trace: Trace,
}

impl Graded {
    /// Finds such a model; `None` if the true links of the sentence are unknown.
    pub fn of(knobs: &Knobs, seen: &Arc<Analysis>) -> Option<Self> {
        let seen = match seen.truth {
            Some(_) => seen.clone(),
            None => Analysis::of(models::built_in(BuiltIn::Phrasebook), knobs).ok()?,
        };
        seen.truth.as_ref()?;
        let t = &seen.model;
        let off = heads::parse(&knobs.off, &t.model).ok()?;
        let params = heads::without(&t.params, &t.model, &off);
        let trace = seen::record(t, &params, &seen.src, &seen.tgt, false);
        Some(Self { seen, trace })
    }

    /// Links of the chosen layer and head. If the model lacks these, takes the last layer, and the mean of all heads.
    pub fn links(&self, knobs: &Knobs, align: AlignFn) -> Option<(Links, f64)> {
        let truth = self.seen.truth.as_ref()?;
        let all = seen::weights(&self.trace, AttentionKind::Cross, self.seen.layer(knobs));
        let weights = match knobs.head {
            Some(h) if h < all.shape()[1] => one_head(all, h),
            _ => all.reshape(&all.shape()[1..]),
        };
        Some(align(&weights, truth))
    }
}

fn links(knobs: &Knobs, align: AlignFn, seen: &Arc<Analysis>, facts: Facts) -> Facts {
    let graded = Graded::of(knobs, seen);
    let links = graded.as_ref().and_then(|graded| {
        let truth = graded.seen.truth.as_ref()?;
        Some((&graded.seen, truth, graded.links(knobs, align)?))
    });
    let Some((graded, truth, (predicted, error))) = links else {
        return facts.with("link_english", Fact::words([""; 0]));
    };
    let other = !Arc::ptr_eq(&graded.model, &seen.model);
    let source = graded.words(&graded.src, true);
    let target = graded.words(&graded.tgt, false);
    let word = |all: &[String], at: usize| all.get(at).cloned().unwrap_or("</s>".to_owned());
    let true_ones = |&(_, t): &(usize, usize)| {
        let links = truth.iter().filter(|(_, other)| *other == t);
        let words: Vec<String> = links.map(|&(s, _)| word(&source, s)).collect();
        words.join(" ")
    };
    let is_right = |link: &(usize, usize)| truth.contains(link);
    let verdict = |link: &(usize, usize)| if is_right(link) { "right" } else { "wrong" };
    facts
        .with(
            "link_english",
            Fact::words(predicted.iter().map(|&(_, t)| word(&target, t))),
        )
        .with(
            "link_german",
            Fact::words(predicted.iter().map(|&(s, _)| word(&source, s))),
        )
        .with("link_true", Fact::words(predicted.iter().map(true_ones)))
        .with("link_verdict", Fact::words(predicted.iter().map(verdict)))
        .with(
            "links_right",
            predicted.iter().filter(|link| is_right(link)).count(),
        )
        .with("links_found", predicted.len())
        .with("links_true", truth.len())
        .with("links_error", error)
        .with("links_elsewhere", other)
}

fn off(knobs: &Knobs, seen: &Analysis, facts: Facts) -> Facts {
    let target = [seen.words(&seen.tgt, false), vec!["</s>".to_owned()]].concat();
    let LogProbs { all_heads, without } = &seen.log_probs;
    let pipeline = &seen.model.pipeline;
    let written = pipeline.translation(&pipeline.sentence(&knobs.sentence), &seen.translation);
    facts
        .with("now_written", written)
        .with("token", target)
        .with("p_all_heads", all_heads.clone())
        .with("p_without", without.clone())
}

fn each(seen: &Analysis, facts: Facts) -> Facts {
    let mut all = seen.without_each().to_vec();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    facts
        .with(
            "each_head",
            Fact::words(all.iter().map(|(head, _)| head.to_string())),
        )
        .with(
            "each_change",
            Fact::numbers(all.iter().map(|(_, change)| *change)),
        )
}

/// Normalises a row to proportions, with negative values as 0.
fn shares(row: &[f32]) -> Vec<f64> {
    let kept: Vec<f64> = row.iter().map(|x| f64::from(x.max(0.0))).collect();
    let sum: f64 = kept.iter().sum();
    kept.iter().map(|x| x / sum.max(1e-12)).collect()
}

/// Index of the output token selected by the knob.
pub fn asked(knobs: &Knobs, seen: &Analysis) -> usize {
    knobs.word.min(seen.tgt.len().saturating_sub(1))
}

fn reasons(knobs: &Knobs, seen: &Analysis) -> Picture {
    let (t, layer) = (asked(knobs, seen), seen.layer(knobs));
    let Some(word) = seen.words(&seen.tgt, false).get(t).cloned() else {
        let nothing = Body::table(&[], Vec::new());
        return Picture::new(
            "reasons",
            "Three answers",
            "There is no such token.",
            nothing,
        );
    };
    let matrices = [&seen.attention[layer], &seen.gradient, &seen.left_out];
    let parts = matrices.map(|matrix| shares(row(matrix, t)));
    let source = seen.words(&seen.src, true);
    let cells = (0..source.len()).flat_map(|s| parts.iter().map(move |part| part[s] as f32));
    let values = Tensor::new(&[source.len(), parts.len()], cells.collect());
    let measures = ["attention", "gradient", "left out"];
    Picture::new(
        "reasons",
        format!("Why “{word}”? Three answers"),
        "For each source token its proportion of attention, of gradient × input, and of what the output token loses when it is left out. Each column sums to 1. Turn word.",
        Body::matrix(
            values,
            Nature::Probability,
            ("s", source),
            ("measure", measures.map(String::from).to_vec()),
        ),
    )
    .turned_by("word")
}

fn disagreement(knobs: &Knobs, seen: &Analysis, facts: Facts) -> Facts {
    let layer = seen.layer(knobs);
    let source = seen.words(&seen.src, true);
    let mut all = Vec::new();
    for (t, word) in seen.words(&seen.tgt, false).into_iter().enumerate() {
        let left_out = row(&seen.left_out, t);
        let (attention, gradient) = (row(&seen.attention[layer], t), row(&seen.gradient, t));
        let agrees = rank_correlation(attention, left_out);
        let tops = [attention, gradient, left_out].map(|row| source[largest(row)].clone());
        all.push((agrees, format!("{t} {word}"), tops));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let named = |way: usize| Fact::words(all.iter().map(|(.., tops)| tops[way].clone()));
    facts
        .with(
            "asked_token",
            Fact::words(all.iter().map(|(_, token, _)| token)),
        )
        .with("by_attention", named(0))
        .with("by_gradient", named(1))
        .with("by_leaving_out", named(2))
}
