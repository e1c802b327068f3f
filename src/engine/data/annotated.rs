//! Conversion from and to the weights of a PyTorch model of the Annotated Transformer.
//!
//! For example, its `encoder.layers.0.self_attn.linears.0.weight` is `encoder.layers.0.self_attn.query.weight` here;
//! shapes and layouts are the same.

use std::collections::BTreeMap;

use super::file;
use super::safetensors::Shapes;
use super::state_dict::without_prefix;
use super::weights::{WeightsError, belong, fill};
use crate::nn::residual::NormPlace;
use crate::ops::{Deviation, Layout};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::transformer::config::{Masks, Shift, Start, Tying};
use crate::transformer::{Config, Transformer};

/// A tensor that every such model has. What is in front of its name is in front of all names.
pub const FIRST: &str = "src_embed.0.lut.weight";
/// Length of the longest position table that is compared.
const POSITIONS_MOST: usize = 1_000_000;

// ANCHOR: name
/// The Annotated Transformer's name for the parameter that is called `ours` here.
pub fn name(ours: &str) -> String {
    let parts: Vec<&str> = ours.split('.').collect();
    let translate = |(at, part): (usize, &&str)| {
        let norm = at > 0 && parts[at - 1] == "norm";
        match *part {
            "query" => "linears.0",
            "key" => "linears.1",
            "value" => "linears.2",
            "output" => "linears.3",
            "scale" if norm => "a_2",
            "bias" if norm => "b_2",
            "table" => "0.lut.weight",
            other => other,
        }
        .to_owned()
    };
    let translated: Vec<String> = parts.iter().enumerate().map(translate).collect();
    translated.join(".")
}
// ANCHOR_END: name

/// Parameters under the Annotated Transformer's names. Returns an error if the model is not of its form.
pub fn export(config: &Config, params: &Params) -> Result<BTreeMap<String, Tensor>, WeightsError> {
    let form = Config::annotated(config.src_vocab, config.tgt_vocab);
    let differs = [
        (
            "norms that stand after the sum",
            config.norm_place != NormPlace::Pre,
        ),
        (
            "norms by the population's variance",
            config.deviation != Deviation::Unbiased,
        ),
        (
            "projections without bias",
            config.projection_bias != form.projection_bias,
        ),
        (
            "positions in halves",
            config.positions != Layout::Interleaved,
        ),
        ("positions that begin later", config.first_position != 0),
        ("masks that are added", config.masks != Masks::Fill),
        ("a shift of embeddings", config.shift != Shift::Ids),
        ("a start of padding", config.start != Start::Own),
        ("embeddings that are not scaled", !config.scale_embeddings),
        (
            "another depth or width of the encoder",
            (config.encoder_layers(), config.encoder_d_ff()) != (config.layers, config.d_ff),
        ),
        ("tied tables", config.tying != Tying::None),
        ("padding of zeros", config.zero_padding),
        ("another activation", config.activation != form.activation),
    ];
    if let Some((what, _)) = differs.iter().find(|(_, differs)| *differs) {
        return Err(WeightsError::Form(format!(
            "this model has {what}, which the Annotated Transformer has not: loaded there, its weights \
             would compute something else"
        )));
    }
    let all = params
        .iter()
        .map(|(_, ours, tensor)| (name(ours), tensor.clone()));
    Ok(all.collect())
}

/// True for the name of a position table, which PyTorch saves with the weights and which is computed here.
fn is_position_table(name: &str) -> bool {
    name.rsplit('.').next() == Some("pe")
}

/// Configuration of the model that tensors of these shapes belong to. Its sizes follow from the shapes, except for
/// `heads`, which leaves no trace in them. All names may begin with the same prefix. Returns an error if tensors are
/// missing, left over or of the wrong shape.
pub fn described(shapes: &Shapes, heads: usize) -> Result<Config, WeightsError> {
    let shapes = &without_prefix(shapes.clone(), &[FIRST]);
    let matrix = |name: &str| match shapes.get(name).map(Vec::as_slice) {
        Some(&[rows, columns]) => Ok((rows, columns)),
        Some(shape) => Err(WeightsError::NoMatrix {
            name: name.to_owned(),
            shape: shape.to_vec(),
        }),
        None => Err(WeightsError::Missing {
            name: name.to_owned(),
        }),
    };
    let (src_vocab, d_model) = matrix(FIRST)?;
    let (tgt_vocab, _) = matrix("tgt_embed.0.lut.weight")?;
    let layers = layers(shapes);
    let d_ff = match layers {
        0 => 1,
        _ => matrix("encoder.layers.0.feed_forward.w_1.weight")?.0,
    };
    let config = Config::annotated(src_vocab, tgt_vocab).sized(layers, d_model, d_ff, heads);
    config
        .check()
        .and_then(|()| config.fits(4, "holding its weights", file::memory()))
        .map_err(WeightsError::Form)?;
    let mut params = Params::layout();
    Transformer::new(&mut params, &config);
    let (tables, weights): (Shapes, Shapes) = shapes
        .clone()
        .into_iter()
        .partition(|(name, _)| is_position_table(name));
    for (table, shape) in &tables {
        position_table(table, shape, d_model)?;
    }
    belong(&params, &weights, name)?;
    Ok(config)
}

/// Builds the model that `tensors` belong to; see [`described`].
pub fn import(
    tensors: &BTreeMap<String, Tensor>,
    heads: usize,
) -> Result<(Transformer, Params), WeightsError> {
    let shapes = tensors.iter();
    let shapes = shapes.map(|(name, tensor)| (name.clone(), tensor.shape().to_vec()));
    let config = described(&shapes.collect(), heads)?;
    let mut params = Params::layout();
    let model = Transformer::new(&mut params, &config);
    let weights = without_prefix(tensors.clone(), &[FIRST]).into_iter();
    let (tables, weights): (BTreeMap<String, Tensor>, BTreeMap<String, Tensor>) =
        weights.partition(|(name, _)| is_position_table(name));
    for (table, positions) in &tables {
        same_positions(table, positions, config.d_model)?;
    }
    fill(&mut params, weights, name)?;
    Ok((model, params))
}

/// Number of layers: one more than the largest layer index in a name.
fn layers(shapes: &Shapes) -> usize {
    let number = |name: &String| {
        let (_, rest) = name.split_once(".layers.")?;
        rest.split('.').next()?.parse::<usize>().ok()
    };
    // A name with an absurd number must not build a million layers; it is refused later as unknown.
    shapes
        .keys()
        .filter_map(number)
        .filter(|n| *n < 1000)
        .max()
        .map_or(0, |n| n + 1)
}

/// Length of a position table with this shape.
fn position_table(name: &str, shape: &[usize], d_model: usize) -> Result<usize, WeightsError> {
    match shape {
        &[1, length, width] | &[length, 1, width] | &[length, width]
            if width == d_model && (1..=POSITIONS_MOST).contains(&length) =>
        {
            Ok(length)
        }
        _ => Err(WeightsError::Positions {
            name: name.to_owned(),
        }),
    }
}

/// Checks that the position table, which PyTorch saves with the weights, is the one that this model computes.
fn same_positions(name: &str, table: &Tensor, d_model: usize) -> Result<(), WeightsError> {
    let length = position_table(name, table.shape(), d_model)?;
    let ours = crate::nn::positional_encoding::positional_encoding(length, d_model);
    let near = |(a, b): (&f32, &f32)| (a - b).abs() < 5e-3; // far positions and bf16 round differently
    if table.data().iter().zip(ours.data()).all(near) {
        Ok(())
    } else {
        Err(WeightsError::Positions {
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_contains;

    #[test]
    fn names_are_those_of_pytorch() {
        for (ours, theirs) in [
            ("src_embed.table", "src_embed.0.lut.weight"),
            (
                "decoder.layers.2.src_attn.value.bias",
                "decoder.layers.2.src_attn.linears.2.bias",
            ),
            (
                "encoder.layers.0.sublayer.1.norm.scale",
                "encoder.layers.0.sublayer.1.norm.a_2",
            ),
            ("decoder.norm.bias", "decoder.norm.b_2"),
            ("generator.proj.weight", "generator.proj.weight"),
            (
                "encoder.layers.0.feed_forward.w_1.bias",
                "encoder.layers.0.feed_forward.w_1.bias",
            ),
        ] {
            assert_eq!(name(ours), theirs);
        }
    }

    fn small() -> (Config, Params) {
        let config = Config::annotated(7, 9).sized(2, 8, 12, 2);
        let mut params = Params::new(5);
        Transformer::new(&mut params, &config);
        (config, params)
    }

    #[test]
    fn exported_tensors_import_bit_for_bit() {
        let (config, params) = small();
        let mut tensors = export(&config, &params).unwrap();
        let table = crate::nn::positional_encoding::positional_encoding(50, 8);
        tensors.insert("src_embed.1.pe".to_owned(), table.reshape(&[1, 50, 8]));
        tensors.insert("position.pe".to_owned(), table.reshape(&[50, 1, 8]));
        let prefixed = tensors.iter();
        let prefixed = prefixed.map(|(name, tensor)| (format!("module.{name}"), tensor.clone()));
        for tensors in [tensors.clone(), prefixed.collect()] {
            let (model, back) = import(&tensors, 2).unwrap();
            assert_eq!(model.config, config);
            for (param, name, tensor) in params.iter() {
                assert_eq!(back.get(param), tensor, "{name}");
            }
        }
    }

    #[track_caller]
    fn refused(change: impl FnOnce(&mut BTreeMap<String, Tensor>), says: &str) {
        let (config, params) = small();
        let mut tensors = export(&config, &params).unwrap();
        change(&mut tensors);
        assert_contains(&import(&tensors, 2).err().expect("it is refused"), says);
    }

    #[test]
    fn tensors_missing_misshapen_or_unknown_are_refused_by_name() {
        let query = "encoder.layers.1.self_attn.linears.0.weight";
        refused(
            |t| drop(t.remove(query)),
            "encoder.layers.1.self_attn.linears.0.weight is missing",
        );
        refused(
            |t| drop(t.insert(query.to_owned(), Tensor::zeros(&[8, 6]))),
            "encoder.layers.1.self_attn.linears.0.weight is [8, 6] and must be [8, 8]",
        );
        refused(
            |t| drop(t.insert("bert.pooler.weight".to_owned(), Tensor::zeros(&[1]))),
            "bert.pooler.weight is not a tensor of this model",
        );
        refused(
            |t| t.get_mut("decoder.norm.a_2").unwrap().data_mut()[3] = f32::NAN,
            "decoder.norm.a_2 holds NaN at [3]",
        );
        refused(|t| t.clear(), "src_embed.0.lut.weight is missing");
        refused(
            |t| drop(t.insert("src_embed.1.pe".to_owned(), Tensor::zeros(&[1, 50, 8]))),
            "src_embed.1.pe is not the paper's position table",
        );
    }

    #[test]
    fn another_form_is_not_exported() {
        let config = Config::tensorflow(9).sized(1, 8, 12, 2);
        let mut params = Params::new(1);
        Transformer::new(&mut params, &config);
        assert_contains(
            &export(&config, &params).unwrap_err(),
            "population's variance",
        );
    }
}
