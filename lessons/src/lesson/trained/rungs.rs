//! The parts that a row of the model passes, and the products of the row with the output matrix after each.

use crate::autograd::{Tape, Var};
use crate::tensor::Tensor;
use crate::transformer::Transformer;

/// A part of the model, the tensor that it leaves, and the read-out of it.
pub struct Rung {
    /// Name of the part: `cross-attention 1`.
    pub label: String,
    /// Scope of the tensor with the rows, or its name.
    rows: String,
    /// Name of the read-out.
    pub name: String,
}

impl Rung {
    fn new(label: impl Into<String>, rows: impl Into<String>, name: impl Into<String>) -> Self {
        let (label, rows, name) = (label.into(), rows.into(), name.into());
        Self { label, rows, name }
    }

    /// The rows on a tape: a part's result is normalised, unless the model lacks LayerNorm.
    fn on(&self, tape: &Tape) -> Option<Var> {
        let names = ["", ".norm", ".residual"].into_iter();
        names
            .filter_map(|end| tape.named(&format!("{}{end}", self.rows)))
            .next()
    }
}

/// The parts that a decoder row passes.
pub fn decoder(layers: usize) -> Vec<Rung> {
    let mut all = vec![Rung::new(
        "embedding",
        "tgt_embed.embedded",
        "readout.embedding",
    )];
    for layer in 0..layers {
        for (part, label) in [
            ("self_attn", "self-attention"),
            ("src_attn", "cross-attention"),
            ("feed_forward", "feed-forward"),
        ] {
            all.push(Rung::new(
                format!("{label} {layer}"),
                format!("decoder.layers.{layer}.{part}"),
                format!("readout.decoder.{layer}.{part}"),
            ));
        }
    }
    all
}

/// The parts that an encoder row passes.
pub fn encoder(layers: usize) -> Vec<Rung> {
    let mut all = vec![
        Rung::new("embedding", "src_embed.embedded", "readout.source"),
        Rung::new("+ position", "src_embed.with_position", "readout.placed"),
    ];
    for layer in 0..layers {
        for (part, label) in [
            ("self_attn", "self-attention"),
            ("feed_forward", "feed-forward"),
        ] {
            all.push(Rung::new(
                format!("{label} {layer}"),
                format!("encoder.layers.{layer}.{part}"),
                format!("readout.encoder.{layer}.{part}"),
            ));
        }
    }
    all
}

/// Records the read-outs of a recorded pass: logits for decoder rows, so that the last rung has those of the model
/// itself; products with the output matrix alone for the rows of the source, which predict nothing. Then `likeness`
/// (each target token's embedding with each source token's row of the matrix) and `dictionary`, its softmax.
pub fn record(tape: &Tape, model: &Transformer) {
    let matrix = tape.param(model.generator.weight);
    for rung in decoder(model.config.layers) {
        let Some(rows) = rung.on(tape) else { continue };
        let _ = match model.generator.bias {
            Some(bias) => rows.linear(&matrix, &tape.param(bias)),
            None => rows.matmul_t(&matrix),
        }
        .named(&rung.name);
    }
    for rung in encoder(model.config.encoder_layers()) {
        if let Some(rows) = rung.on(tape) {
            let _ = rows.matmul_t(&matrix).named(&rung.name);
        }
    }
    if let Some(rows) = tape.named("src_embed.embedded") {
        let length = rows.shape()[1];
        for (share, name) in [(1.0, "numbered"), (0.125, "numbered_small")] {
            let places = Tensor::from_fn(&[1, length, 1], |i| share * i[1] as f32);
            let places = tape.constant("places", places, &["", "s", ""]);
            let read = rows.add(&places).matmul_t(&matrix);
            let _ = read.named(&format!("readout.{name}"));
        }
    }
    let embedded = [
        tape.named("tgt_embed.embedded"),
        tape.named("src_embed.rows"),
    ];
    if let [Some(y), Some(x)] = embedded {
        let _ = y
            .matmul_t(&x)
            .named("likeness")
            .softmax()
            .named("dictionary");
    }
}
