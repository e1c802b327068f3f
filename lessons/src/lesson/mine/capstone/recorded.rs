//! What the reference computes for one sentence, part by part, with the inputs of each part.

use std::fmt::Write as _;

use crate::autograd::{Tape, Var};
use crate::decode::{DecodeOptions, translate};
use crate::nn::attention::attention;
use crate::nn::multi_head_attention::split_heads;
use crate::tensor::Tensor;
use crate::text::vocabulary::BOS;
use crate::train::checkpoint::Translator;

/// Sentences that the tests translate. The parts are those of the first.
pub const SENTENCES: [&str; 8] = [
    "Der Hund schläft im Garten.",
    "Wo ist der nächste Bahnhof?",
    "Kannst du mir bitte helfen?",
    "Er liest jeden Abend ein Buch.",
    "Die Kinder spielen auf der Straße.",
    "Wie viel kostet dieses Hemd?",
    "Im Winter wird es früh dunkel.",
    "Danke, das ist alles.",
];

/// One line per tensor: its name, the width of its rows, and its cells.
pub fn recorded(translator: &Translator) -> String {
    let Translator { model, params, .. } = translator;
    let mut out = String::new();
    let mut line = |name: &str, width: usize, cells: &[f32]| {
        let cells: Vec<String> = cells.iter().map(f32::to_string).collect();
        let _ = writeln!(out, "{name}: {width}: {}", cells.join(" "));
    };
    let tape = &Tape::eval(params);
    let ids = |name: &str, ids: &[u32]| {
        let cells = ids.iter().map(|&id| id as f32).collect();
        tape.ids(name, Tensor::new(&[1, ids.len()], cells), &["b", "t"])
    };
    let sources = SENTENCES.map(|sentence| translator.pipeline.sentence(sentence).ids);
    let found = translate(model, params, &sources, &DecodeOptions::greedy());
    let pairs = sources
        .iter()
        .zip(&found)
        .enumerate()
        .map(|(n, (source, found))| {
            let target: Vec<u32> = [BOS as u32].iter().chain(&found[0].ids).copied().collect();
            let pair = (ids("src", source), ids("tgt", &target));
            for (name, ids) in [("src", &pair.0), ("tgt", &pair.1)] {
                line(&format!("{name} {n}"), ids.shape()[1], ids.value().data());
            }
            line(&format!("log_prob {n}"), 1, &[found[0].log_prob as f32]);
            pair
        });
    let pairs: Vec<(Var, Var)> = pairs.collect();
    let (src, tgt) = &pairs[0];
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);

    let made = |name: &str| {
        tape.named(name)
            .unwrap_or_else(|| panic!("no {name} was recorded"))
    };
    let [x, y] = ["src_embed", "tgt_embed"].map(|of| made(&format!("{of}.with_position")));
    let layer = &model.encoder.layers[0];
    let query = layer.self_attn.query.forward(&x);
    let heads = [
        query.clone(),
        layer.self_attn.key.forward(&x),
        layer.self_attn.value.forward(&x),
    ];
    let heads = heads.map(|all| split_heads(&all, layer.self_attn.heads));
    let attended = |mask: &Var| {
        let [query, key, value] = &heads;
        first_head(&attention(query, key, value, Some(&mask.unsqueeze(1)), 0.0).context)
    };
    let future = model.future_mask(src);
    let own = layer.self_attn.forward(&x, &x, &x, Some(&src_mask)).output;
    let sum = x.add(&own);
    let normed = layer.sublayer[0].norm.forward(&sum);
    let decoder = &model.decoder.layers[0];
    let masked = decoder
        .self_attn
        .forward(&y, &y, &y, Some(&tgt_mask))
        .output;
    let read = decoder.sublayer[0].norm.forward(&y.add(&masked));
    let across = decoder
        .src_attn
        .forward(&read, &memory, &memory, Some(&src_mask))
        .output;
    let table = params.get(model.src_embed.table);
    let bias = layer.self_attn.query.bias.expect("Marian's maps have one");

    let width = table.last();
    line("query.bias", width, params.get(bias).data());
    let row = src.value().data()[0] as usize * width;
    line("row", width, &table.data()[row..row + width]);
    for (name, head) in ["query", "key", "value"].into_iter().zip(&heads) {
        let head = first_head(head);
        line(name, head.last(), head.data());
    }
    for (name, mask) in [("attention", &src_mask), ("causal attention", &future)] {
        let context = attended(mask);
        line(name, context.last(), context.data());
    }
    for (name, var) in [
        ("embedding", &made("src_embed.embedded")),
        ("positional_encoding", &made("src_embed.pe")),
        ("x", &x),
        ("linear", &query),
        ("encoder.layers.0.self_attn", &own),
        ("sum", &sum),
        ("layer_norm", &normed),
        ("feed_forward", &layer.feed_forward.forward(&normed)),
        ("encoder_layer", &layer.forward(&x, &src_mask)),
        ("encoder", &memory),
        ("y", &y),
        ("decoder.layers.0.self_attn", &masked),
        ("z", &read),
        ("decoder.layers.0.src_attn", &across),
        (
            "decoder_layer",
            &decoder.forward(&y, &memory, &src_mask, &tgt_mask),
        ),
        ("decoder", &hidden),
    ] {
        line(name, width, var.value().data());
    }
    let log_probs = log_probs.value();
    let words = log_probs.last();
    let last = &log_probs.data()[log_probs.len() - words..];
    line("generator", words, last);
    out
}

/// The first of `heads [1, heads, length, d_k]`, `[length, d_k]`.
fn first_head(heads: &Var) -> Tensor {
    let (value, shape) = (heads.value(), heads.shape());
    let cells = value.data()[..shape[2] * shape[3]].to_vec();
    Tensor::new(&shape[2..], cells)
}
