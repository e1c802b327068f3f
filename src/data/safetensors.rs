//! Reading and writing safetensors files: named tensors with metadata.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::file;
use super::numbers;
use super::output::{self, OutputError};
use crate::tensor::Tensor;

/// The tensors of one file, by name, and its metadata.
#[derive(Debug)]
pub struct NamedTensors {
    /// Free words that the writer added.
    pub metadata: HashMap<String, String>,
    /// Every tensor; whole numbers (ids, masks) have become f32.
    pub tensors: BTreeMap<String, Tensor>,
}

/// Why a file cannot be used; each says which file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file system refused.
    #[error("{path} cannot be read: {source}")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The bytes are not safetensors, or cut short.
    #[error("{path} is damaged: {source}; write it again, or take it away")]
    Format {
        path: PathBuf,
        source: safetensors::SafeTensorError,
    },
    /// A tensor of a kind of number that the program does not compute with.
    #[error(
        "{path}: tensor {name} holds {dtype:?} numbers; only F32, F16, BF16, I64 and I8 are read"
    )]
    Kind {
        path: PathBuf,
        name: String,
        dtype: Dtype,
    },
    /// A file that PyTorch saved, and that is damaged or holds what is not read.
    #[error("{path} cannot be used: {why}")]
    PyTorch { path: PathBuf, why: String },
    /// A shape that no tensor can have, though its cells may be none.
    #[error("{path}: tensor {name} is {shape:?}, which is no shape: no memory has so many places")]
    Shape {
        path: PathBuf,
        name: String,
        shape: Vec<usize>,
    },
    /// A whole number that f32 cannot hold.
    #[error("{path}: tensor {name} holds {value}, which is no id: ids go from 0 to 16777216")]
    Id {
        path: PathBuf,
        name: String,
        value: i64,
    },
}

/// Reads a whole file.
pub fn read(path: &Path) -> Result<NamedTensors, ReadError> {
    let bytes = file::bytes(path, file::WEIGHTS).map_err(|source| ReadError::Io {
        path: path.into(),
        source,
    })?;
    parse(path, &bytes)
}

/// The tensors in the `bytes` of a file, which errors call `path`.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<NamedTensors, ReadError> {
    let damaged = |source| ReadError::Format {
        path: path.into(),
        source,
    };
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
    let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
    let mut tensors = BTreeMap::new();
    for (name, view) in file.tensors() {
        // A size of 0 hides the others from the check of bytes; the strides are made of them all the same.
        let sizes = view.shape().iter().filter(|size| **size > 0);
        let product = sizes.fold(1, |product: usize, size| product.saturating_mul(*size));
        if product > isize::MAX as usize {
            return Err(ReadError::Shape {
                path: path.into(),
                name,
                shape: view.shape().to_vec(),
            });
        }
        let data = match view.dtype() {
            Dtype::F32 => numbers::each(view.data(), f32::from_le_bytes),
            Dtype::I8 => view.data().iter().map(|b| f32::from(*b as i8)).collect(),
            Dtype::F16 => numbers::each(view.data(), numbers::f16),
            Dtype::BF16 => numbers::each(view.data(), numbers::bf16),
            Dtype::I64 => {
                let numbers = view.data().as_chunks::<8>().0;
                let ids = numbers.iter().map(|b| id(i64::from_le_bytes(*b)));
                ids.collect::<Result<_, _>>()
                    .map_err(|value| ReadError::Id {
                        path: path.into(),
                        name: name.clone(),
                        value,
                    })?
            }
            dtype => {
                return Err(ReadError::Kind {
                    path: path.into(),
                    name,
                    dtype,
                });
            }
        };
        let tensor = Tensor::new(view.shape(), data);
        tensors.insert(name, tensor);
    }
    let metadata = header.metadata().clone().unwrap_or_default();
    Ok(NamedTensors { metadata, tensors })
}

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct WriteError(#[from] OutputError);

/// Writes a whole file: all of it or, if something fails, nothing, and what stood there stays.
pub fn write(path: &Path, file: &NamedTensors) -> Result<(), WriteError> {
    Ok(output::replace(path, &to_bytes(file))?)
}

/// The file's bytes.
pub fn to_bytes(file: &NamedTensors) -> Vec<u8> {
    let bytes: BTreeMap<&str, (Vec<usize>, Vec<u8>)> = file
        .tensors
        .iter()
        .map(|(name, tensor)| {
            let bytes = tensor.data().iter().flat_map(|x| x.to_le_bytes()).collect();
            (name.as_str(), (tensor.shape().to_vec(), bytes))
        })
        .collect();
    let views = bytes.iter().map(|(name, (shape, bytes))| {
        let view = TensorView::new(Dtype::F32, shape.clone(), bytes);
        (*name, view.expect("the bytes were made from the shape"))
    });
    let metadata = (!file.metadata.is_empty()).then(|| file.metadata.clone());
    safetensors::serialize(views, metadata).expect("names are unique and shapes fit their bytes")
}

fn id(value: i64) -> Result<f32, i64> {
    if (0..=1 << 24).contains(&value) {
        Ok(value as f32)
    } else {
        Err(value)
    }
}
