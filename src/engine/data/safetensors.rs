//! Reading and writing safetensors files: named tensors with metadata.
//!
//! A file is read in two steps: first the header, which tells a reader whether it wants the rest, then the numbers.

mod reading;
mod writing;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};

use safetensors::Dtype;

pub use self::reading::Opened;
pub use self::writing::{Cells, assemble, to_bytes};
use super::file;
use super::output::{self, OutputError};
use super::seal;
use crate::tensor::Tensor;
use crate::transformer::size::bytes as amount;

/// Shapes of tensors by name.
pub type Shapes = BTreeMap<String, Vec<usize>>;

/// The tensors of one file, by name, and its metadata.
#[derive(Debug)]
pub struct NamedTensors {
    /// Text that the writer added, by key.
    pub metadata: HashMap<String, String>,
    /// All tensors; whole numbers (ids, masks) are converted to f32.
    pub tensors: BTreeMap<String, Tensor>,
}

impl NamedTensors {
    /// Adds a placeholder for the file's own checksum ([`seal`]), which is verified whenever the file is read.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        let blank = seal::BLANK.to_owned();
        self.metadata.insert(seal::KEY.to_owned(), blank);
        self
    }
}

/// Reasons why a file cannot be used; each message names the file.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum ReadError {
    /// The file system returned an error.
    #[error("{path} cannot be read: {source}")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The bytes belong to another format.
    #[error("{path} cannot be used: {what}")]
    Foreign { path: PathBuf, what: String },
    /// The bytes are not safetensors, or have changed since they were written.
    #[error("{path} is damaged: {why}; restore it from a copy, or remove it")]
    Damaged { path: PathBuf, why: String },
    /// A tensor has a data type that the program does not compute with.
    #[error(
        "{path}: tensor {name} holds {dtype:?} numbers; only F64, F32, F16, BF16, I64 and I8 are read"
    )]
    Kind {
        path: PathBuf,
        name: String,
        dtype: Dtype,
    },
    /// The tensors need more memory than the limit.
    #[error("{path} needs {} of memory, and the limit is {}", amount(*.needed), amount(u128::from(*.limit)))]
    Memory {
        path: PathBuf,
        needed: u128,
        limit: u64,
    },
    /// A file saved by PyTorch is damaged, or contains something that is not supported.
    #[error("{path} cannot be used: {why}")]
    PyTorch { path: PathBuf, why: String },
    /// A shape whose nonzero sizes no memory can hold, even if the tensor has no cells.
    #[error(
        "{path}: tensor {name} is {shape:?}, which is not a shape: no memory has so many places"
    )]
    Shape {
        path: PathBuf,
        name: String,
        shape: Vec<usize>,
    },
    /// A whole number that is negative, or too large for f32 to hold exactly.
    #[error("{path}: tensor {name} holds {value}, which is not an id: ids go from 0 to 16777216")]
    Id {
        path: PathBuf,
        name: String,
        value: i64,
    },
}

/// Opens a file and reads its header.
pub fn open(path: &Path) -> Result<Opened<File>, ReadError> {
    let (file, length) = file::open(path, file::WEIGHTS).map_err(|source| ReadError::Io {
        path: path.into(),
        source,
    })?;
    Opened::new(path, file, length)
}

/// Reads a whole file, whatever tensors it contains.
pub fn read(path: &Path) -> Result<NamedTensors, ReadError> {
    open(path)?.read()
}

/// Reads the tensors in the `bytes` of a file; `path` is for error messages.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<NamedTensors, ReadError> {
    Opened::new(path, bytes, Some(bytes.len() as u64))?.read()
}

/// Error from writing a file.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct WriteError(#[from] OutputError);

/// Writes a whole file. If anything fails, nothing is written, and an existing file stays as it was.
pub fn write(path: &Path, file: &NamedTensors) -> Result<(), WriteError> {
    Ok(output::replace(path, &to_bytes(file))?)
}

#[cfg(test)]
mod tests;
