//! Drawings: weights of any head, links, heads switched off, three reasons for a word.

use transformer_tutor::autograd::{Nature, Trace};
use transformer_tutor::lesson::{Bar, Body, Picture, Settings};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::heads::{self, KINDS};

use super::mistakes::Links;
use super::seen::{self, Seen, largest, rank_correlation, row};

/// All of them.
pub fn all(settings: &Settings, seen: &Seen, trace: &Trace) -> Vec<Picture> {
    vec![
        weights(settings, seen, trace),
        links(settings, seen, trace),
        off(settings, seen),
        each(settings, seen),
        reasons(settings, seen),
        disagreement(settings, seen),
        super::corpus::picture(&seen.model),
    ]
}

fn kind(settings: &Settings) -> usize {
    let kind = settings.text("kind");
    KINDS.iter().position(|k| *k == kind).unwrap_or(2)
}

/// The decoder's words as it reads them, from BOS on.
fn read(seen: &Seen) -> Vec<String> {
    [vec!["<s>".to_owned()], seen.words(&seen.tgt, false)].concat()
}

fn weights(settings: &Settings, seen: &Seen, trace: &Trace) -> Picture {
    let (kind, layer) = (kind(settings), seen.layer(settings));
    let name = format!("{}.weights", heads::scope(kind, layer));
    let all = trace.tensor(&name).expect("every layer has weights");
    let head = settings.whole("head");
    let values = match head {
        0 => seen::mean_head(all),
        h => Tensor::from_fn(&all.shape()[2..], |i| all.at(&[0, h - 1, i[0], i[1]])),
    };
    let (source, target) = (seen.words(&seen.src, true), read(seen));
    let (rows, columns) = match kind {
        0 => (("s".to_owned(), source.clone()), ("s".to_owned(), source)),
        1 => (("t".to_owned(), target.clone()), ("t".to_owned(), target)),
        _ => (("t".to_owned(), target), ("s".to_owned(), source)),
    };
    let which = match head {
        0 => "the mean of all heads".to_owned(),
        h => format!("head {h}"),
    };
    let says = match kind {
        0 => {
            "Each row is a source word, and how it shares its attention out among the source words."
        }
        1 => {
            "Each row is a word that was written, and what it looks at among those before it and itself."
        }
        _ => {
            "Each row is the word that is read; it looks for what comes next. Row <s> predicts the first word."
        }
    };
    Picture::new(
        "weights",
        format!("{} attention, layer {}, {which}", KINDS[kind], layer + 1),
        says.to_owned(),
        Body::Matrix {
            values,
            nature: Nature::Probability,
            rows,
            columns,
            notes: vec![],
        },
    )
}

/// Links of the chosen layer and head, by the reference or by the mistake that is on.
pub fn aligned(settings: &Settings, seen: &Seen, trace: &Trace, sound: bool) -> Option<Links> {
    let truth = seen.truth.as_ref()?;
    let name = format!("{}.weights", heads::scope(2, seen.layer(settings)));
    let all = trace.tensor(&name)?;
    let &[_, heads, rows, columns] = all.shape() else {
        return None;
    };
    let weights = match settings.whole("head") {
        0 => all.reshape(&[heads, rows, columns]),
        h => Tensor::from_fn(&[1, rows, columns], |i| all.at(&[0, h - 1, i[1], i[2]])),
    };
    let flaw = super::mistakes::ALL
        .iter()
        .find(|(name, _)| !sound && settings.broken(name));
    Some(match flaw {
        Some((_, mistake)) => mistake(&weights, truth),
        None => transformer_tutor::decode::align::alignment(&weights, truth),
    })
}

fn links(settings: &Settings, seen: &Seen, trace: &Trace) -> Picture {
    let title = "What cross attention links, and what is true";
    let header = ["English", "linked to", "true", ""];
    let (Some(truth), Some((found, error))) = (&seen.truth, aligned(settings, seen, trace, false))
    else {
        let says = "The true alignment is known for sentences of the phrasebook only: turn the knob sentence.";
        return Picture::table("links", title, says.to_owned(), &header, vec![]);
    };
    let (source, target) = (seen.words(&seen.src, true), seen.words(&seen.tgt, false));
    let word = |all: &[String], at: usize| all.get(at).cloned().unwrap_or("</s>".to_owned());
    let rows = found.iter().map(|&(s, t)| {
        let true_ones = truth.iter().filter(|(_, other)| *other == t);
        let true_ones: Vec<String> = true_ones.map(|&(s, _)| word(&source, s)).collect();
        let right = truth.contains(&(s, t));
        vec![
            word(&target, t),
            word(&source, s),
            true_ones.join(" "),
            if right { "right" } else { "wrong" }.to_owned(),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let right = found.iter().filter(|link| truth.contains(link)).count();
    Picture::table(
        "links",
        title,
        format!(
            "{right} of {} links are true, and {} are true in all: alignment error {error:.3}. Turn layer and head.",
            found.len(),
            truth.len()
        ),
        &header,
        rows,
    )
}

fn off(settings: &Settings, seen: &Seen) -> Picture {
    let target = [seen.words(&seen.tgt, false), vec!["</s>".to_owned()]].concat();
    let (whole, without) = &seen.log_probs;
    let rows = target.iter().zip(whole.iter().zip(without));
    let rows = rows.map(|(word, (a, b))| {
        vec![
            word.clone(),
            format!("{a:.3}"),
            format!("{b:.3}"),
            format!("{:+.3}", b - a),
        ]
    });
    let sum = |all: &[f64]| all.iter().sum::<f64>();
    Picture::table(
        "off",
        &format!("Heads off: {}", settings.text("off")),
        format!(
            "Now the model writes “{}” The log-probability of the words below goes from {:.2} to {:.2}.",
            seen.words(&seen.translation, false).join(" "),
            sum(whole),
            sum(without)
        ),
        &["word", "all heads", "without", "change"],
        rows.collect(),
    )
}

fn each(_: &Settings, seen: &Seen) -> Picture {
    let mut all = seen.without_each().to_vec();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let bars = all
        .iter()
        .map(|(head, change)| Bar::new(head.to_string(), change.abs(), format!("{change:+.3}")));
    Picture::new(
        "heads",
        "Each head switched off by itself",
        "By how much the log-probability of the whole translation changes. The worst losses stand first.",
        Body::bars("change of the log-probability", bars),
    )
}

/// Shares of a row: what is below 0 counts as nothing.
fn shares(row: &[f32]) -> Vec<f64> {
    let kept: Vec<f64> = row.iter().map(|x| f64::from(x.max(0.0))).collect();
    let sum: f64 = kept.iter().sum();
    kept.iter().map(|x| x / sum.max(1e-12)).collect()
}

/// The output word that the knob asks for, from 0.
pub fn asked(settings: &Settings, seen: &Seen) -> usize {
    settings.whole("word").clamp(1, seen.tgt.len().max(1)) - 1
}

fn reasons(settings: &Settings, seen: &Seen) -> Picture {
    let (t, layer) = (asked(settings, seen), seen.layer(settings));
    let title = "Three answers to one question";
    let Some(word) = seen.words(&seen.tgt, false).get(t).cloned() else {
        return Picture::table(
            "reasons",
            title,
            "There is no word.".to_owned(),
            &[],
            vec![],
        );
    };
    let matrices = [&seen.attention[layer], &seen.gradient, &seen.left_out];
    let names = ["attention", "gradient × input", "left out"];
    let parts = matrices.map(|matrix| shares(row(matrix, t)));
    let mut bars = Vec::new();
    for (s, source) in seen.words(&seen.src, true).iter().enumerate() {
        for (name, part) in names.iter().zip(&parts) {
            bars.push(Bar::new(
                format!("{source} · {name}"),
                part[s],
                format!("{:.3}", part[s]),
            ));
        }
    }
    Picture::new(
        "reasons",
        format!("Why '{word}'? {title}"),
        "Three bars for each source word: its share of attention, of gradient × input, and of what the word loses when the source word is left out. Turn word.",
        Body::bars("share", bars),
    )
}

fn disagreement(settings: &Settings, seen: &Seen) -> Picture {
    let layer = seen.layer(settings);
    let source = seen.words(&seen.src, true);
    let mut all = Vec::new();
    for (t, word) in seen.words(&seen.tgt, false).into_iter().enumerate() {
        let left_out = row(&seen.left_out, t);
        let (attention, gradient) = (row(&seen.attention[layer], t), row(&seen.gradient, t));
        let agrees = rank_correlation(attention, left_out);
        let top = |row: &[f32]| source[largest(row)].clone();
        let cells = vec![
            format!("{} {word}", t + 1),
            top(attention),
            top(gradient),
            top(left_out),
            format!("{agrees:.1}"),
        ];
        all.push((agrees, cells));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let rows: Vec<Vec<String>> = all.into_iter().map(|(_, cells)| cells).collect();
    Picture::table(
        "disagreement",
        "The words whose attention says least about their reason come first",
        "The source word that each of the three puts first, and under ~ how alike attention and leaving out order the source words (1: the same order, 0: none).".to_owned(),
        &["word", "looks at", "gradient", "left out", "~"],
        rows,
    )
}
