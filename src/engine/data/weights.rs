//! Model files in this program's own format, which describe the model in their metadata; `rows8` stores the same in a
//! quarter of the space.

mod rows8;

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::file::{self, WEIGHTS};
use super::safetensors::{self, NamedTensors, Opened, ReadError, Shapes, WriteError};
use super::seal;
use crate::params::{Param, Params};
use crate::tensor::Tensor;
use crate::transformer::{Config, Transformer};

/// Metadata key of the model's [`Config`].
pub const CONFIG: &str = "transformer-tutor.config";

/// Metadata key of the SHA-256 of the model's `tokenizer.json`.
const TOKENIZER: &str = "transformer-tutor.tokenizer.sha256";

/// Reasons why the weights of a file cannot be used, or a model cannot be written.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum WeightsError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Not a file of this program.
    #[error(
        "{path} does not say what model it holds; a file from PyTorch is read by `tools weights import`"
    )]
    NoConfig { path: PathBuf },
    /// The description of the model cannot be parsed.
    #[error("{path} describes its model in words that this version does not know: {why}")]
    Config { path: PathBuf, why: String },
    /// The tensors do not match the model that the file describes.
    #[error("{path} cannot be used: {why}")]
    File { path: PathBuf, why: String },
    /// A tensor that the model needs, but the file lacks.
    #[error("the tensor {name} is missing")]
    Missing { name: String },
    /// A tensor that is not part of the model.
    #[error("{name} is not a tensor of this model, whose names are like {like}")]
    Unknown { name: String, like: String },
    /// A tensor whose shape differs from the model's.
    #[error("the tensor {name} is {found:?} and must be {expected:?}")]
    Shape {
        name: String,
        found: Vec<usize>,
        expected: Vec<usize>,
    },
    /// A tensor that determines the model's sizes, but is not a matrix.
    #[error("the tensor {name} is {shape:?} and must be a matrix")]
    NoMatrix { name: String, shape: Vec<usize> },
    /// A NaN or infinite value.
    #[error("the tensor {name} holds {value} at {index:?}, with which nothing can be computed")]
    NotFinite {
        name: String,
        value: f32,
        index: Vec<usize>,
    },
    /// A position table other than the paper's.
    #[error("{name} is not the paper's position table, so the model would see its words elsewhere")]
    Positions { name: String },
    /// A model that cannot exist, or cannot have the requested form.
    #[error("{0}")]
    Form(String),
}

/// Returns an error if tensors are missing, left over, or differ in shape from their parameter `p`, whose name in the
/// file is `rename(p)`.
pub fn belong(
    params: &Params,
    shapes: &Shapes,
    rename: impl Fn(&str) -> String,
) -> Result<(), WeightsError> {
    let mut left: BTreeMap<&str, &[usize]> = shapes
        .iter()
        .map(|(name, shape)| (&**name, &**shape))
        .collect();
    for (param, ours, _) in params.iter() {
        let name = rename(ours);
        let Some(found) = left.remove(&*name) else {
            return Err(WeightsError::Missing { name });
        };
        let expected = params.shape(param);
        if found != expected {
            let (found, expected) = (found.to_vec(), expected.to_vec());
            return Err(WeightsError::Shape {
                name,
                found,
                expected,
            });
        }
    }
    if let Some(name) = left.into_keys().next() {
        let first = params.iter().next();
        return Err(WeightsError::Unknown {
            name: name.to_owned(),
            like: first.map_or_else(String::new, |(_, ours, _)| rename(ours)),
        });
    }
    Ok(())
}

/// Assigns a tensor to every parameter: `p` takes `tensors[rename(p)]`. Refuses tensors that do not [`belong`] or
/// contain NaN or infinity, and then leaves `params` unchanged.
pub fn fill(
    params: &mut Params,
    mut tensors: BTreeMap<String, Tensor>,
    rename: impl Fn(&str) -> String,
) -> Result<(), WeightsError> {
    let shapes = tensors.iter();
    let shapes = shapes.map(|(name, tensor)| (name.clone(), tensor.shape().to_vec()));
    belong(params, &shapes.collect(), &rename)?;
    let mut assigned: Vec<(Param, Tensor)> = Vec::new();
    for (param, ours, _) in params.iter() {
        let name = rename(ours);
        let Some(tensor) = tensors.remove(&name) else {
            return Err(WeightsError::Missing { name });
        };
        if let Some(at) = tensor.data().iter().position(|x| !x.is_finite()) {
            let (value, index) = (
                tensor.data()[at],
                tensor.indices().nth(at).unwrap_or_default(),
            );
            return Err(WeightsError::NotFinite { name, value, index });
        }
        assigned.push((param, tensor));
    }
    for (param, tensor) in assigned {
        params.set(param, tensor);
    }
    Ok(())
}

/// Writes a model with everything needed to rebuild it.
pub fn save(path: &Path, config: &Config, params: &Params) -> Result<(), WeightsError> {
    Ok(safetensors::write(path, &file(config, params))?)
}

/// File of a model with everything needed to rebuild it, and a placeholder for its checksum.
pub fn file(config: &Config, params: &Params) -> NamedTensors {
    let words = serde_json::to_string(config).expect("a config is plain data");
    let metadata = HashMap::from([(CONFIG.to_owned(), words)]);
    let tensors = params
        .iter()
        .map(|(_, name, tensor)| (name.to_owned(), tensor.clone()))
        .collect();
    NamedTensors { metadata, tensors }.sealed()
}

/// The same, with the checksum of the `tokenizer.json` beside it, so that no other tokenizer is accepted.
pub fn file_beside(config: &Config, params: &Params, tokenizer: &str) -> NamedTensors {
    let mut file = file(config, params);
    let sum = seal::sha256(tokenizer.as_bytes());
    file.metadata.insert(TOKENIZER.to_owned(), sum);
    file
}

/// Bytes of such a file with its matrices in 8 bits: whole numbers and one scale per row.
pub fn packed(config: &Config, params: &Params, tokenizer: &str) -> Vec<u8> {
    rows8::to_bytes(&file_beside(config, params, tokenizer))
}

/// A model as stored in its file.
pub struct Stored {
    /// The model itself.
    pub model: Transformer,
    /// Weights of the model.
    pub params: Params,
    /// Checksum of the file; `None` in files of older versions.
    pub sum: Option<String>,
    /// Checksum of the `tokenizer.json` that belongs to the model.
    pub tokenizer: Option<String>,
}

/// Reads a model written by [`save`].
pub fn load(path: &Path) -> Result<(Transformer, Params), WeightsError> {
    let stored = read(path)?;
    Ok((stored.model, stored.params))
}

/// Reads a model from its file.
pub fn read(path: &Path) -> Result<Stored, WeightsError> {
    stored(safetensors::open(path)?)
}

/// Reads a model from the `bytes` of its file; `path` is for error messages.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<Stored, WeightsError> {
    stored(Opened::new(path, bytes, Some(bytes.len() as u64))?)
}

fn stored(file: Opened<impl Read>) -> Result<Stored, WeightsError> {
    let path = file.path().to_owned();
    let unusable = |e: WeightsError| WeightsError::File {
        path: path.clone(),
        why: e.to_string(),
    };
    let Some(words) = file.metadata().get(CONFIG) else {
        return Err(WeightsError::NoConfig { path });
    };
    let config: Config = serde_json::from_str(words).map_err(|e| WeightsError::Config {
        path: path.clone(),
        why: e.to_string(),
    })?;
    let possible = config
        .check()
        .and_then(|()| config.fits(4, "holding its weights", WEIGHTS.min(file::memory())));
    possible.map_err(|why| unusable(WeightsError::Form(why)))?;
    let mut params = Params::layout();
    let model = Transformer::new(&mut params, &config);
    rows8::restored_shapes(file.metadata(), file.shapes())
        .and_then(|shapes| belong(&params, &shapes, str::to_owned))
        .map_err(unusable)?;
    let file = file.read()?;
    let sum = |key: &str| file.metadata.get(key).cloned();
    let (sum, tokenizer) = (sum(seal::KEY), sum(TOKENIZER));
    let tensors = rows8::restored(file).map_err(unusable)?;
    fill(&mut params, tensors, str::to_owned).map_err(unusable)?;
    Ok(Stored {
        model,
        params,
        sum,
        tokenizer,
    })
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
            let (back, loaded) = load(&path).unwrap();
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
            assert_eq!(run(&model, &params), run(&back, &loaded));
        }
    }
}
