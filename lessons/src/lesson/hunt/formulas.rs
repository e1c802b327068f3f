//! The instrument that recomputes a sublayer's steps from the recorded tensors before them, using their formulas.

use std::fmt::Write;

use super::fault::scope;
use super::finding::Finding;
use super::suspect::Suspect;
use crate::autograd::Tape;
use crate::lesson::measure::largest_difference;
use crate::tensor::Tensor;
use crate::tensor::matmul::matmul;

/// Fraction of a tensor's RMS below which a difference is rounding.
const ROUNDING: f64 = 1e-3;

/// Steps of the sublayer `place`, compared with their formulas.
pub fn formulas(suspect: &Suspect, place: &str) -> Finding {
    let at = scope(place);
    let of = |name: &str| suspect.usual().tensor(&format!("{at}.{name}")).cloned();
    let mut rows: Vec<(&str, Option<Tensor>, Option<Tensor>)> = Vec::new();
    let adds = if place.ends_with("feed_forward") {
        "ffn"
    } else {
        rows.push((
            "scaled = q kᵀ / √d_k",
            of("scaled"),
            scores(of("query"), of("key_heads"), suspect),
        ));
        rows.push((
            "combined = heads side by side",
            of("combined"),
            side_by_side(of("context")),
        ));
        "attended"
    };
    let sum = before(suspect, place)
        .zip(of(adds))
        .map(|(x, y)| x.zip(&y, |x, y| x + y));
    rows.push(("residual = x + sublayer(x)", of("residual"), sum));
    rows.push((
        "norm = γ ⊙ normal + β",
        of("norm"),
        of("residual").map(|x| normed(suspect, place, &x)),
    ));
    let mut text = format!(
        "{:<32} largest difference from the run\n",
        "step and formula"
    );
    let mut wrong = None;
    for (formula, recorded, again) in rows {
        let (Some(recorded), Some(again)) = (recorded, again) else {
            continue;
        };
        let apart = largest_difference(&recorded, &again);
        let differs = apart > ROUNDING * again.rms();
        let note = if differs { "   <- they differ" } else { "" };
        let _ = writeln!(text, "{formula:<32} {apart:.5}{note}");
        if differs && wrong.is_none() {
            wrong = Some(format!("not so: {formula}"));
        }
    }
    Finding::new(text, wrong)
}

/// Input of a sublayer: the output of the previous one, or the embeddings.
fn before(suspect: &Suspect, place: &str) -> Option<Tensor> {
    let all = super::fault::Kind::NoResidual.places();
    let at = all.iter().position(|one| one == place)?;
    let stack = place.split('.').next()?;
    let name = match at.checked_sub(1).map(|before| &all[before]) {
        Some(before) if before.starts_with(stack) => format!("{}.norm", scope(before)),
        _ if stack == "encoder" => "src_embed.with_position".to_owned(),
        _ => "tgt_embed.with_position".to_owned(),
    };
    suspect.usual().tensor(&name).cloned()
}

/// Scaled scores: `query [1, target, d]` split into heads, times the transpose of `key [1, heads, source, d_k]`,
/// divided by √d_k.
fn scores(query: Option<Tensor>, key: Option<Tensor>, suspect: &Suspect) -> Option<Tensor> {
    let (query, key) = (query?, key?);
    let (heads, d_k) = (suspect.model.config.heads, key.last());
    let split = query
        .reshape(&[1, query.shape()[1], heads, d_k])
        .permute(&[0, 2, 1, 3]);
    let root = (d_k as f32).sqrt();
    Some(matmul(&split, &key.transpose()).map(|x| x / root))
}

/// Concatenates the heads of `context [1, heads, target, d_k]`: `[1, target, heads · d_k]`.
fn side_by_side(context: Option<Tensor>) -> Option<Tensor> {
    let context = context?;
    let &[batch, heads, length, d_k] = context.shape() else {
        return None;
    };
    Some(
        context
            .permute(&[0, 2, 1, 3])
            .reshape(&[batch, length, heads * d_k]),
    )
}

/// Output of the sublayer's LayerNorm for `x`, from the layer itself.
fn normed(suspect: &Suspect, place: &str, x: &Tensor) -> Tensor {
    let parts: Vec<&str> = place.split('.').collect();
    let layer: usize = parts.get(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    let norm = match (parts[0], parts[parts.len() - 1]) {
        ("encoder", "self_attn") => &suspect.model.encoder.layers[layer].sublayer[0].norm,
        ("encoder", _) => &suspect.model.encoder.layers[layer].sublayer[1].norm,
        (_, "self_attn") => &suspect.model.decoder.layers[layer].sublayer[0].norm,
        (_, "src_attn") => &suspect.model.decoder.layers[layer].sublayer[1].norm,
        _ => &suspect.model.decoder.layers[layer].sublayer[2].norm,
    };
    let tape = Tape::eval(&suspect.params);
    let x = tape.input("x", x.clone(), &["b", "t", "d"]);
    norm.forward(&x).value()
}
