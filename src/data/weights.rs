//! Models in files: this program's own form, which says what it is in its metadata; `rows8` is the same in a quarter of
//! the room.

mod rows8;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::file::WEIGHTS;
use super::safetensors::{self, NamedTensors, ReadError, WriteError};
use crate::params::{Param, Params};
use crate::tensor::Tensor;
use crate::transformer::{Config, Transformer};

/// The metadata key under which a file of this program keeps its [`Config`].
pub const CONFIG: &str = "transformer-tutor.config";

/// Why a file's weights cannot be used, or a model not be written.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Not a file of this program.
    #[error(
        "{path} does not say what model it holds; a file from PyTorch is read by `weights import`"
    )]
    NoConfig { path: std::path::PathBuf },
    /// The description cannot be understood.
    #[error("{path} describes its model in words that this version does not know: {why}")]
    Config {
        path: std::path::PathBuf,
        why: String,
    },
    /// A tensor that the model needs.
    #[error("the tensor {name} is missing")]
    Missing { name: String },
    /// A tensor that the model has no place for.
    #[error("{name} is no tensor of this model, whose names are like {like}")]
    Unknown { name: String, like: String },
    /// A tensor of another shape than the model's.
    #[error("the tensor {name} is {found:?} and must be {expected:?}")]
    Shape {
        name: String,
        found: Vec<usize>,
        expected: Vec<usize>,
    },
    /// A tensor whose shape should tell the model's sizes.
    #[error("the tensor {name} is {shape:?} and must be a matrix")]
    NoMatrix { name: String, shape: Vec<usize> },
    /// A damaged number.
    #[error("the tensor {name} holds {value} at {index:?}, with which nothing can be computed")]
    NotFinite {
        name: String,
        value: f32,
        index: Vec<usize>,
    },
    /// A position table of another kind.
    #[error("{name} is not the paper's position table, so the model would see its words elsewhere")]
    Positions { name: String },
    /// A model that cannot be, or not in the form asked for.
    #[error("{0}")]
    Form(String),
}

/// Gives every parameter its tensor: parameter `p` takes `tensors[rename(p)]`. Refuses what is missing,
/// left over, of another shape, or not a number; then `params` is as before.
pub fn fill(
    params: &mut Params,
    mut tensors: BTreeMap<String, Tensor>,
    rename: impl Fn(&str) -> String,
) -> Result<(), WeightsError> {
    let mut found: Vec<(Param, Tensor)> = Vec::new();
    for (param, ours, _) in params.iter() {
        let name = rename(ours);
        let Some(tensor) = tensors.remove(&name) else {
            return Err(WeightsError::Missing { name });
        };
        if tensor.shape() != params.shape(param) {
            let (found, expected) = (tensor.shape().to_vec(), params.shape(param).to_vec());
            return Err(WeightsError::Shape {
                name,
                found,
                expected,
            });
        }
        if let Some(at) = tensor.data().iter().position(|x| !x.is_finite()) {
            let (value, index) = (
                tensor.data()[at],
                tensor.indices().nth(at).unwrap_or_default(),
            );
            return Err(WeightsError::NotFinite { name, value, index });
        }
        found.push((param, tensor));
    }
    if let Some(name) = tensors.into_keys().next() {
        let like = params
            .iter()
            .next()
            .map_or_else(String::new, |(_, ours, _)| rename(ours));
        return Err(WeightsError::Unknown { name, like });
    }
    for (param, tensor) in found {
        params.set(param, tensor);
    }
    Ok(())
}

/// Writes a model with everything that is needed to build it again.
pub fn save(path: &Path, config: &Config, params: &Params) -> Result<(), WeightsError> {
    Ok(safetensors::write(path, &file(config, params))?)
}

/// The file of a model with everything that is needed to build it again.
pub fn file(config: &Config, params: &Params) -> NamedTensors {
    let words = serde_json::to_string(config).expect("a config is plain data");
    let metadata = HashMap::from([(CONFIG.to_owned(), words)]);
    let tensors = params
        .iter()
        .map(|(_, name, tensor)| (name.to_owned(), tensor.clone()))
        .collect();
    NamedTensors { metadata, tensors }
}

/// The bytes of such a file with its matrices in 8 bits: every row as whole numbers and one scale.
pub fn packed(config: &Config, params: &Params) -> Vec<u8> {
    rows8::to_bytes(&file(config, params))
}

/// Reads a model that [`save`] wrote.
pub fn load(path: &Path) -> Result<(Transformer, Params), WeightsError> {
    model(path, safetensors::read(path)?)
}

/// Reads a model from the `bytes` of a file that [`save`] wrote; errors call it `path`.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<(Transformer, Params), WeightsError> {
    model(path, safetensors::parse(path, bytes)?)
}

fn model(path: &Path, file: NamedTensors) -> Result<(Transformer, Params), WeightsError> {
    let Some(words) = file.metadata.get(CONFIG) else {
        return Err(WeightsError::NoConfig { path: path.into() });
    };
    let config: Config = serde_json::from_str(words).map_err(|e| WeightsError::Config {
        path: path.into(),
        why: e.to_string(),
    })?;
    config.check().map_err(WeightsError::Form)?;
    config
        .fits(4, "holding its weights", WEIGHTS)
        .map_err(WeightsError::Form)?;
    let mut params = Params::layout();
    let model = Transformer::new(&mut params, &config);
    fill(&mut params, rows8::restored(file)?, str::to_owned)?;
    Ok((model, params))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;

    #[test]
    fn a_description_from_before_marians_options_means_what_it_meant() {
        let config = Config::annotated(7, 9).sized(2, 8, 12, 2);
        let mut words = serde_json::to_value(&config).unwrap();
        let known = words.as_object_mut().unwrap();
        for option in ["waves", "start", "scale_embeddings"] {
            assert!(known.remove(option).is_some(), "{option}");
        }
        assert!(!known.contains_key("decoder_layers") && !known.contains_key("encoder_d_ff"));
        assert_eq!(serde_json::from_value::<Config>(words).unwrap(), config);
    }

    #[test]
    fn a_model_comes_back_from_its_file_and_gives_the_same_outputs_bit_for_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        for config in [
            Config::annotated(7, 9).sized(2, 8, 12, 2),
            Config::tensorflow(9).sized(1, 8, 12, 4),
            Config::paper(9).sized(2, 8, 12, 1),
            Config {
                encoder_layers: Some(2),
                encoder_d_ff: Some(6),
                ..Config::marian(9).sized(1, 8, 12, 2)
            },
        ] {
            let mut params = Params::new(5);
            let model = Transformer::new(&mut params, &config);
            save(&path, &config, &params).unwrap();
            let (back, read) = load(&path).unwrap();
            assert_eq!(back.config, config);
            let run = |model: &Transformer, params: &Params| {
                let tape = Tape::eval(params);
                let ids = || Tensor::new(&[2, 3], vec![1.0, 5.0, 2.0, 6.0, 3.0, 0.0]);
                let (src, tgt) = (
                    tape.ids("src", ids(), &["b", "s"]),
                    tape.ids("tgt", ids(), &["b", "t"]),
                );
                model.forward(&src, &tgt).log_probs.value()
            };
            assert_eq!(run(&model, &params), run(&back, &read));
        }
    }
}
