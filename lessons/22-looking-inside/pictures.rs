//! The pictures: weights of any head, links, heads switched off, three explanations for a token.

use std::sync::Arc;

use transformer_tutor::autograd::{Nature, Trace};
use transformer_tutor::decode::align::Links;
use transformer_tutor::lesson::{Bar, Body, Picture, largest, models};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::built_in::BuiltIn;
use transformer_tutor::transformer::heads::{self, AttentionKind};

use super::check::AlignFn;
use super::knobs::Knobs;
use super::seen::{self, Analysis, LogProbs, one_head, rank_correlation, row};

/// Every picture; `align` computes the links.
pub fn all(knobs: &Knobs, align: AlignFn, seen: &Arc<Analysis>, trace: &Trace) -> Vec<Picture> {
    vec![
        weights(knobs, seen, trace),
        links(knobs, align, seen),
        off(knobs, seen),
        each(seen),
        reasons(knobs, seen),
        disagreement(knobs, seen),
        super::corpus::picture(&seen.model),
    ]
}

/// The decoder's input tokens, from BOS on.
fn read(seen: &Analysis) -> Vec<String> {
    [vec!["<s>".to_owned()], seen.words(&seen.tgt, false)].concat()
}

fn weights(knobs: &Knobs, seen: &Analysis, trace: &Trace) -> Picture {
    let kind = knobs.kind;
    let layer = seen.layer_of(kind, knobs);
    let all = seen::weights(trace, kind, layer);
    let (values, which) = match knobs.head {
        None => (heads::mean(all), "mean of all heads".to_owned()),
        Some(h) => (
            one_head(all, h).reshape(&all.shape()[2..]),
            format!("head {h}"),
        ),
    };
    let (source, target) = (seen.words(&seen.src, true), read(seen));
    let (source, target) = (("s", source), ("t", target));
    let (rows, columns, says) = match kind {
        AttentionKind::Encoder => (
            source.clone(),
            source,
            "Each row is a source token: its attention weights over all source tokens, which sum to 1.",
        ),
        AttentionKind::Decoder => (
            target.clone(),
            target,
            "Each row is a token that was written: its attention weights over itself and the tokens before it.",
        ),
        AttentionKind::Cross => (
            target,
            source,
            "Each row is the token that the decoder reads there; it predicts the next one. Row <s> predicts the first token.",
        ),
    };
    Picture::new(
        "weights",
        format!("{} attention, layer {layer}, {which}", kind.name()),
        says,
        Body::matrix(values, Nature::Probability, rows, columns),
    )
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

fn links(knobs: &Knobs, align: AlignFn, seen: &Arc<Analysis>) -> Picture {
    let title = "Links from cross-attention, and the true ones";
    let header = ["English", "linked to", "true", ""];
    let nobody = || {
        let says = "The true alignment is known only for the phrasebook's sentences. Set model to phrasebook, and sentence to one of those that the knob offers.";
        Picture::table("links", title, says, &header, vec![])
    };
    let Some(graded) = Graded::of(knobs, seen) else {
        return nobody();
    };
    let other = !Arc::ptr_eq(&graded.seen.model, &seen.model);
    let (seen, links) = (&graded.seen, graded.links(knobs, align));
    let (Some(truth), Some((predicted, error))) = (&seen.truth, links) else {
        return nobody();
    };
    let (source, target) = (seen.words(&seen.src, true), seen.words(&seen.tgt, false));
    let word = |all: &[String], at: usize| all.get(at).cloned().unwrap_or("</s>".to_owned());
    let rows = predicted.iter().map(|&(s, t)| {
        let true_ones = truth.iter().filter(|(_, other)| *other == t);
        let true_ones: Vec<String> = true_ones.map(|&(s, _)| word(&source, s)).collect();
        let right = if truth.contains(&(s, t)) {
            "right"
        } else {
            "wrong"
        };
        vec![
            word(&target, t),
            word(&source, s),
            true_ones.join(" "),
            right.to_owned(),
        ]
    });
    let rows = rows.collect();
    let right = predicted.iter().filter(|link| truth.contains(link)).count();
    Picture::table(
        "links",
        title,
        format!(
            "{right} of {} links are true; there are {} true links in all. Alignment error {error:.3}.{}",
            predicted.len(),
            truth.len(),
            if other { " These are the tokens of the phrasebook model, because only its true alignment is known." } else { "" }
        ),
        &header,
        rows,
    )
    .turned_by("layer")
}

fn off(knobs: &Knobs, seen: &Analysis) -> Picture {
    let target = [seen.words(&seen.tgt, false), vec!["</s>".to_owned()]].concat();
    let LogProbs {
        all_heads: whole,
        without,
    } = &seen.log_probs;
    let rows = target.iter().zip(whole.iter().zip(without));
    let rows = rows.map(|(word, (a, b))| {
        let [a, b, change] = [
            format!("{a:.3}"),
            format!("{b:.3}"),
            format!("{:+.3}", b - a),
        ];
        vec![word.clone(), a, b, change]
    });
    let sum = |all: &[f64]| all.iter().sum::<f64>();
    Picture::table(
        "off",
        format!("Heads off: {}", knobs.off),
        format!(
            "Now the model writes “{}” The log-probability of the tokens below goes from {:.2} to {:.2}.",
            seen.model.pipeline.translation(
                &seen.model.pipeline.sentence(&knobs.sentence),
                &seen.translation
            ),
            sum(whole),
            sum(without)
        ),
        &["token", "all heads", "without", "change"],
        rows.collect(),
    )
}

fn each(seen: &Analysis) -> Picture {
    let mut all = seen.without_each().to_vec();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let bars = all
        .iter()
        .map(|(head, change)| Bar::new(head.to_string(), change.abs(), format!("{change:+.3}")));
    Picture::new(
        "heads",
        "Each head switched off on its own",
        "The change of the log-probability of the whole translation, the largest loss first. cross.1.3 is head 3 of layer 1 of the cross-attention.",
        Body::bars("change of the log-probability", bars),
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
        return Picture::table(
            "reasons",
            "Three answers",
            "There is no such token.",
            &[],
            vec![],
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

fn disagreement(knobs: &Knobs, seen: &Analysis) -> Picture {
    let layer = seen.layer(knobs);
    let source = seen.words(&seen.src, true);
    let mut all = Vec::new();
    for (t, word) in seen.words(&seen.tgt, false).into_iter().enumerate() {
        let left_out = row(&seen.left_out, t);
        let (attention, gradient) = (row(&seen.attention[layer], t), row(&seen.gradient, t));
        let agrees = rank_correlation(attention, left_out);
        let top = |row: &[f32]| source[largest(row)].clone();
        let cells = vec![
            format!("{t} {word}"),
            top(attention),
            top(gradient),
            top(left_out),
        ];
        all.push((agrees, cells));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let rows: Vec<Vec<String>> = all.into_iter().map(|(_, cells)| cells).collect();
    Picture::table(
        "disagreement",
        "The source token that each way names",
        "A row for each output token. Those for which attention and leave-one-out order the source tokens least alike (by rank correlation) come first.".to_owned(),
        &["token", "attention", "gradient", "left out"],
        rows,
    )
}
