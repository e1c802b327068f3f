//! Weights and options of the everyday model with a fault applied.

use super::fault::{Defect, Kind, scope};
use crate::nn::activation::Activation;
use crate::ops::Layout;
use crate::params::{Param, Params};
use crate::tensor::Tensor;
use crate::train::average::average;
use crate::transformer::config::{Tying, Waves};
use crate::transformer::heads::AttentionKind;
use crate::transformer::{Config, Transformer, variants};

/// The model's options under a defect; most defects leave them unchanged.
pub fn config(sound: &Config, defect: Option<&Defect>) -> Config {
    let mut config = sound.clone();
    match defect.map(|defect| defect.kind) {
        Some(Kind::NoPositions) => config.waves = Waves::None,
        Some(Kind::NoEmbeddingScale) => config.scale_embeddings = false,
        Some(Kind::PositionColumns) => config.positions = Layout::Interleaved,
        Some(Kind::WrongActivation) => config.activation = Activation::Silu,
        Some(Kind::Untied) => config.tying = Tying::None,
        _ => {}
    }
    config
}

/// The weights under a defect, for the model of `config`.
pub fn params(sound: &Params, model: &Transformer, config: &Config, defect: &Defect) -> Params {
    let mut params = sound.clone();
    let at = scope(&defect.place);
    match defect.kind {
        Kind::Untied => {
            // Loading fills every matrix that the file has under its name; it has none for the generator.
            params = Params::new(7);
            Transformer::new(&mut params, config);
            variants::share(sound, &mut params);
        }
        Kind::TransposedOutput => {
            let weight = param(&params, &format!("{at}.output.weight"));
            params.set(weight, params.get(weight).transpose());
        }
        Kind::KeyForValue => {
            for what in ["weight", "bias"] {
                let key = param(&params, &format!("{at}.key.{what}"));
                let value = param(&params, &format!("{at}.value.{what}"));
                let (k, v) = (params.get(key).clone(), params.get(value).clone());
                params.set(key, v);
                params.set(value, k);
            }
        }
        Kind::AveragedModels => params = average(&[params.clone(), twin(&params, model)]),
        _ => {}
    }
    params
}

/// A different model that computes exactly the same function: the heads of every attention are rotated by one, and the
/// inner units of every feed-forward layer reversed.
pub fn twin(params: &Params, model: &Transformer) -> Params {
    let mut other = params.clone();
    let (d_model, d_k) = (
        model.config.d_model,
        model.config.d_model / model.config.heads,
    );
    let moved = |c: usize| (c + d_k) % d_model;
    for kind in AttentionKind::ALL {
        for layer in 0..kind.layers(model) {
            let at = kind.scope(layer);
            for map in ["query", "key", "value"] {
                rows(&mut other, &format!("{at}.{map}.weight"), moved);
                rows(&mut other, &format!("{at}.{map}.bias"), moved);
            }
            columns(&mut other, &format!("{at}.output.weight"), moved);
        }
    }
    let stacks = [
        (
            "encoder",
            model.config.encoder_layers(),
            model.config.encoder_d_ff(),
        ),
        ("decoder", model.config.layers, model.config.d_ff),
    ];
    for (stack, layers, d_ff) in stacks {
        for layer in 0..layers {
            let at = format!("{stack}.layers.{layer}.feed_forward");
            let reversed = |unit: usize| d_ff - 1 - unit;
            rows(&mut other, &format!("{at}.w_1.weight"), reversed);
            rows(&mut other, &format!("{at}.w_1.bias"), reversed);
            columns(&mut other, &format!("{at}.w_2.weight"), reversed);
        }
    }
    other
}

/// Replaces row `i` by the old row `from(i)`; for a vector, cell by cell.
fn rows(params: &mut Params, name: &str, from: impl Fn(usize) -> usize) {
    let Some(param) = params.find(name) else {
        return;
    };
    let old = params.get(param).clone();
    let moved = |i: &[usize]| {
        let mut at = i.to_vec();
        at[0] = from(i[0]);
        old.at(&at)
    };
    params.set(param, Tensor::from_fn(old.shape(), moved));
}

/// Replaces column `i` by the old column `from(i)`.
fn columns(params: &mut Params, name: &str, from: impl Fn(usize) -> usize) {
    let param = param(params, name);
    let old = params.get(param).clone();
    params.set(
        param,
        Tensor::from_fn(old.shape(), |i| old.at(&[i[0], from(i[1])])),
    );
}

fn param(params: &Params, name: &str) -> Param {
    let param = params.find(name);
    param.unwrap_or_else(|| panic!("the everyday model has no {name}"))
}
