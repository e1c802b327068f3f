//! Pictures of one sentence in the trained model.

use super::{Reading, drawn, planes, readout};
use crate::autograd::Nature;
use crate::lesson::{Bar, Body, Flaw, Picture};

/// Every picture of a reading; `step` is the written token whose alternatives are shown, by default the least certain
/// one.
pub fn all(reading: &Reading, step: Option<usize>) -> Vec<Picture> {
    let step = step.unwrap_or_else(|| reading.least_sure());
    let mut all = vec![
        translation(reading),
        attention_rows(reading),
        next(reading, step.min(reading.written.len() - 1)),
        stream(reading),
        planes::picture(reading),
    ];
    all.extend(readout::pictures(reading));
    all.extend(drawn::all(reading));
    all
}

/// The written tokens, each with its probability and the runner-up, and beside a broken model's what the intact one
/// writes.
fn translation(reading: &Reading) -> Picture {
    let sound = reading.flaw().map(|_| reading.sound());
    let intact = |at: usize| {
        let sound = sound.as_ref()?;
        Some(sound.written.get(at).cloned().unwrap_or_default())
    };
    let chosen = reading.chosen();
    let longest = sound.as_ref().map_or(0, |sound| sound.written.len());
    let rows = (0..longest.max(reading.written.len())).map(|at| {
        let mut row = vec![at.to_string()];
        row.extend(intact(at));
        let Some(token) = reading.written.get(at) else {
            row.extend([""; 3].map(str::to_owned));
            return row;
        };
        let others = reading.likeliest(at, 2);
        let instead = others.iter().find(|(other, _)| other != token);
        let instead = instead.map(|(other, p)| format!("{other} {p:.2}"));
        let p = format!("{:.2}", chosen[at]);
        row.extend([token.clone(), p, instead.unwrap_or_default()]);
        row
    });
    let beside = sound.as_ref().map_or_else(String::new, |sound| {
        format!(" Intact, it writes “{}”.", sound.text)
    });
    let says = format!(
        "{}{beside} Each line is one step: the token that was written, its probability p, and the token that was next most probable.",
        reading.sentence()
    );
    let header: &[&str] = match sound {
        Some(_) => &["step", "intact", "broken", "p", "instead"],
        None => &["step", "token", "p", "instead"],
    };
    Picture::table(
        "translation",
        format!("“{}”, translated", reading.source),
        says,
        header,
        rows.collect(),
    )
}

/// Which source tokens each written token attended to.
fn attention_rows(reading: &Reading) -> Picture {
    let says = match reading.flaw() {
        Some(Flaw::NoCross) => {
            "Cross-attention is off: its output is multiplied by 0, so no token takes anything from the German tokens."
        }
        Some(Flaw::NoFutureMask) => {
            "Each row is a token when it was written: its attention weights over the German tokens sum to 1."
        }
        _ => {
            "Each row is a token that the model writes; its attention weights over the German tokens sum to 1."
        }
    };
    let body = Body::matrix(
        reading.cross_attention(),
        Nature::Probability,
        ("written", reading.rows()),
        ("read", reading.read.clone()),
    );
    Picture::new(
        "looked",
        format!(
            "What each token looked at: decoder layer {}, mean of heads",
            reading.layers().1 - 1
        ),
        says,
        body.linking_words(),
    )
}

/// The most probable tokens at a step.
fn next(reading: &Reading, at: usize) -> Picture {
    let bars = reading.likeliest(at, 8);
    let bars = bars
        .into_iter()
        .map(|(token, p)| Bar::new(token, p, format!("{p:.3}")));
    let before = reading.written[..at].join(" ");
    let says = match at {
        0 => "The probability of each first token.".to_owned(),
        _ => format!("The probability of each token after “{before}”."),
    };
    let title = format!("Step {at}: what comes next?");
    Picture::bars("next", title, says, "probability", bars.collect())
}

/// The size of the residual stream on its way through the encoder.
fn stream(reading: &Reading) -> Picture {
    let layers = 0..reading.layers().0;
    let mut stages = vec![("embedding".to_owned(), "src_embed.embedded".to_owned())];
    stages.push((
        "+ position".to_owned(),
        "src_embed.with_position".to_owned(),
    ));
    for layer in layers {
        let scope = format!("encoder.layers.{layer}");
        stages.push((
            format!("layer {layer}, after attention"),
            format!("{scope}.self_attn.norm"),
        ));
        stages.push((
            format!("layer {layer}, after feed-forward"),
            format!("{scope}.feed_forward.norm"),
        ));
    }
    // A model without positions lacks that step.
    let bars = stages.into_iter().filter_map(|(label, name)| {
        // Without LayerNorm, the sum goes on as it is.
        let sum = name.replace(".norm", ".residual");
        let rows = reading.trace.tensor(&name);
        let rms = rows.or_else(|| reading.trace.tensor(&sum))?.rms();
        Some(Bar::new(label, rms, format!("{rms:.2}")))
    });
    Picture::bars(
        "stream",
        "The residual stream through the encoder",
        "The RMS of all channels of all tokens: how large the numbers are that each part hands on.",
        "RMS",
        bars.collect(),
    )
}
