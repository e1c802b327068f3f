//! Conversion from and to the format of the published opus-mt translators, Hugging Face's `MarianMTModel`: the names of
//! their weights and the order of their vocabulary. `config` and `written` convert their `config.json`, and `tables`
//! finds their tables of words.
//!
//! Marian's `model.encoder.layers.0.self_attn.q_proj.weight` is `encoder.layers.0.self_attn.query.weight` here. The
//! rows of the embedding matrix are in a different order, see [`Ids`].

mod config;
mod tables;
mod written;

use std::collections::BTreeMap;

pub use config::{Described, read};
pub use tables::Ties;
use tables::{DECODER, ENCODER, OUTPUT, SHARED};
pub use written::{config_json, differences, generation_json};

use super::safetensors::Shapes;
use super::state_dict::without_prefix;
use super::weights::{WeightsError, belong, fill};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::text::marian::Ids;
use crate::text::vocabulary::{BOS, PAD, UNK};
use crate::transformer::{Config, Transformer};

/// Bias of a logit whose token is never to be chosen.
const NEVER: f32 = -1e9;

const LOGITS_BIAS: &str = "final_logits_bias";
/// Position tables, which are computed here.
const POSITIONS: [&str; 2] = [
    "model.encoder.embed_positions.weight",
    "model.decoder.embed_positions.weight",
];

/// Marian's name for the parameter that is called `ours` here.
pub fn name(ours: &str) -> String {
    match ours {
        "embed.table" => return SHARED.to_owned(),
        "src_embed.table" => return ENCODER.to_owned(),
        "tgt_embed.table" => return DECODER.to_owned(),
        "generator.proj.weight" => return OUTPUT.to_owned(),
        "generator.proj.bias" => return LOGITS_BIAS.to_owned(),
        _ => {}
    }
    let norms: &[&str] = if ours.starts_with("decoder") {
        &[
            "self_attn_layer_norm",
            "encoder_attn_layer_norm",
            "final_layer_norm",
        ]
    } else {
        &["self_attn_layer_norm", "final_layer_norm"]
    };
    let mut name = format!("model.{ours}");
    for (n, norm) in norms.iter().enumerate() {
        name = name.replace(&format!("sublayer.{n}.norm"), norm);
    }
    for (from, to) in [
        ("src_attn", "encoder_attn"),
        (".query.", ".q_proj."),
        (".key.", ".k_proj."),
        (".value.", ".v_proj."),
        (".output.", ".out_proj."),
        ("feed_forward.w_1", "fc1"),
        ("feed_forward.w_2", "fc2"),
        (".scale", ".weight"),
    ] {
        name = name.replace(from, to);
    }
    name
}

/// Checks that the shapes match the model of a `config.json`, whose words have these ids in source and target. All
/// names may begin with the same prefix. Errors name a tensor that is missing, left over or of the wrong shape.
pub fn belongs(described: &Described, ids: [&Ids; 2], shapes: &Shapes) -> Result<(), WeightsError> {
    let config = &described.config;
    let mut left = without_prefix(shapes.clone(), &tables::NAMES);
    tables::named(&mut left, described.ties)?;
    for table in tables::NAMES {
        let side = usize::from(table == DECODER || table == OUTPUT);
        if let Some(shape) = left.get_mut(table) {
            shaped(table, shape, &[described.words[side], config.d_model])?;
            // The imported table gets a row for the start token.
            *shape = vec![ids[side].len(), config.d_model];
        }
    }
    for positions in POSITIONS {
        if let Some(shape) = left.remove(positions) {
            shaped(positions, &shape, &[config.max_len, config.d_model])?;
        }
    }
    if let Some(shape) = left.insert(LOGITS_BIAS.to_owned(), vec![ids[1].len()]) {
        shaped(LOGITS_BIAS, &shape, &[1, described.words[1]])?;
    }
    let mut params = Params::layout();
    Transformer::new(&mut params, config);
    belong(&params, &left, name)
}

/// Builds the model of a `config.json` with the weights of its file; see [`belongs`]. Errors also name a tensor that has
/// a NaN or infinite value.
pub fn import(
    described: &Described,
    ids: [&Ids; 2],
    tensors: BTreeMap<String, Tensor>,
) -> Result<(Transformer, Params), WeightsError> {
    let config = &described.config;
    let mut tensors = without_prefix(tensors, &tables::NAMES);
    // Check this before the rows are reordered, so that the reported index is the one in the file.
    for name in tables::NAMES.into_iter().chain([LOGITS_BIAS]) {
        finite(name, &tensors)?;
    }
    tables::named(&mut tensors, described.ties)?;
    for name in POSITIONS {
        if let Some(table) = tensors.remove(name) {
            same_positions(name, &table, config)?;
        }
    }
    for table in tables::NAMES {
        let side = usize::from(table == DECODER || table == OUTPUT);
        if let Some(tensor) = tensors.get_mut(table) {
            shaped(
                table,
                tensor.shape(),
                &[described.words[side], config.d_model],
            )?;
            *tensor = rows_here(tensor, ids[side], 0.0);
        }
    }
    let [_, words] = described.words;
    let bias = match tensors.remove(LOGITS_BIAS) {
        Some(bias) => {
            shaped(LOGITS_BIAS, bias.shape(), &[1, words])?;
            bias
        }
        None => Tensor::zeros(&[1, words]),
    };
    let bias = rows_here(&bias.reshape(&[words, 1]), ids[1], NEVER);
    tensors.insert(LOGITS_BIAS.to_owned(), bias.reshape(&[ids[1].len()]));
    let mut params = Params::layout();
    let model = Transformer::new(&mut params, config);
    fill(&mut params, tensors, name)?;
    Ok((model, params))
}

/// Makes a model that was trained here behave as it would after export and import: the start token, which has a row
/// here and none in Marian, is never generated.
pub fn without_start(params: &mut Params) {
    set_rows(params, LOGITS_BIAS, &[BOS], NEVER);
}

/// Undoes [`without_start`], so that the model can be trained further: with a bias of −10⁹, label smoothing would make
/// the loss of every token enormous.
pub fn with_start(params: &mut Params) {
    set_rows(params, LOGITS_BIAS, &[BOS], 0.0);
}

/// Sets the embeddings of padding, Marian's first decoder input, and of the start token, which replaces it here, to
/// zero. Marian has no other first input, and engines that run its models rely on this.
pub fn zero_start_rows(params: &mut Params) {
    set_rows(params, SHARED, &[PAD, BOS], 0.0);
}

fn set_rows(params: &mut Params, of: &str, rows: &[usize], value: f32) {
    let index = params.iter().position(|(_, ours, _)| name(ours) == of);
    let tensor = &mut params.tensors_mut()[index.expect("a model of Marian's form has it")];
    let width = tensor.len() / tensor.shape()[0];
    for row in rows {
        tensor.data_mut()[row * width..(row + 1) * width].fill(value);
    }
}

/// Returns an error that names the first NaN or infinite value of a tensor.
fn finite(name: &str, tensors: &BTreeMap<String, Tensor>) -> Result<(), WeightsError> {
    let Some(tensor) = tensors.get(name) else {
        return Ok(());
    };
    match tensor.data().iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(at) => Err(WeightsError::NotFinite {
            name: name.to_owned(),
            value: tensor.data()[at],
            index: tensor.indices().nth(at).unwrap_or_default(),
        }),
    }
}

fn shaped(name: &str, shape: &[usize], expected: &[usize]) -> Result<(), WeightsError> {
    if shape == expected {
        return Ok(());
    }
    Err(WeightsError::Shape {
        name: name.to_owned(),
        found: shape.to_vec(),
        expected: expected.to_vec(),
    })
}

/// Rows in the order of the ids here. The row of the start token, which Marian lacks, is filled with `nothing`.
fn rows_here(theirs: &Tensor, ids: &Ids, nothing: f32) -> Tensor {
    let width = theirs.last();
    let mut rows = Vec::with_capacity(ids.len() * width);
    for id in 0..ids.len() as u32 {
        let at = ids.theirs(id) as usize * width;
        if id == BOS as u32 {
            rows.extend(std::iter::repeat_n(nothing, width))
        } else {
            rows.extend_from_slice(&theirs.data()[at..at + width])
        }
    }
    Tensor::new(&[ids.len(), width], rows)
}

/// The inverse of [`rows_here`].
fn rows_there(ours: &Tensor, ids: &Ids) -> Tensor {
    let (words, width) = (ids.len() - 1, ours.len() / ids.len());
    let ours = ours.data();
    let row = |their: u32| {
        let at = ids.ours(their).map_or(UNK, |id| id as usize) * width;
        ours[at..at + width].iter().copied()
    };
    Tensor::new(&[words, width], (0..words as u32).flat_map(row).collect())
}

/// Checks that a position table saved with the weights is the one that this model computes.
fn same_positions(name: &str, table: &Tensor, config: &Config) -> Result<(), WeightsError> {
    let wrong = || {
        WeightsError::Form(format!(
            "{name} is not Marian's position table, so the model would see its words elsewhere"
        ))
    };
    let &[length, width] = table.shape() else {
        return Err(wrong());
    };
    if width != config.d_model || length != config.max_len {
        return Err(wrong());
    }
    let ours = config.position_table(length);
    let near = |(a, b): (&f32, &f32)| (a - b).abs() < 5e-3; // far positions and bf16 round differently
    if table.data().iter().zip(ours.data()).all(near) {
        Ok(())
    } else {
        Err(wrong())
    }
}

/// Parameters under Marian's names, their rows in Marian's order, which `ids` gives for source and target. Returns an
/// error if the model is not of Marian's form.
pub fn export(
    config: &Config,
    params: &Params,
    ids: [&Ids; 2],
) -> Result<BTreeMap<String, Tensor>, WeightsError> {
    let differs = differences(config);
    if !differs.is_empty() {
        return Err(WeightsError::Form(format!(
            "this model is not of Marian's form: it has {}; loaded there, its weights would compute something else",
            differs.join("; ")
        )));
    }
    for (rows, ids) in [config.src_vocab, config.tgt_vocab].into_iter().zip(ids) {
        if rows != ids.len() {
            return Err(WeightsError::Form(format!(
                "the model has {rows} words, and its vocabulary {}",
                ids.len()
            )));
        }
    }
    let [source, target] = ids;
    let all = params.iter().map(|(_, ours, tensor)| {
        let name = name(ours);
        let tensor = match name.as_str() {
            SHARED | ENCODER => rows_there(tensor, source),
            DECODER | OUTPUT => rows_there(tensor, target),
            LOGITS_BIAS => rows_there(tensor, target).reshape(&[1, target.len() - 1]),
            _ => tensor.clone(),
        };
        (name, tensor)
    });
    Ok(all.collect())
}

#[cfg(test)]
mod tests;
