//! A safetensors file whose header has been read, so its contents are known before memory is allocated for them.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};

use super::{NamedTensors, ReadError, Shapes};
use crate::data::seal::{self, Sum};
use crate::data::{file, numbers, signature};
use crate::tensor::Tensor;

/// Maximum header length in bytes, which is the format's own limit.
const DESCRIPTION: u64 = 100_000_000;

/// Bytes read at a time; a multiple of every dtype's size.
const PIECE: usize = 1 << 20;

/// A file whose header has been read; `R` supplies the numbers.
pub struct Opened<R> {
    path: PathBuf,
    source: io::Chain<Cursor<Vec<u8>>, R>,
    /// First bytes, up to the end of the header.
    start: Vec<u8>,
    metadata: HashMap<String, String>,
    /// Tensors that are read, in the order of their data.
    tensors: Vec<(String, TensorInfo)>,
    /// Bytes of all numbers, those of tensors that are not read included.
    data: usize,
}

impl<R: Read> Opened<R> {
    /// Reads the header of a file of `length` bytes (`None` for a pipe).
    pub fn new(path: &Path, mut source: R, length: Option<u64>) -> Result<Self, ReadError> {
        let failed = |source| ReadError::Io {
            path: path.into(),
            source,
        };
        let mut first = Vec::new();
        let enough = signature::ENOUGH as u64;
        let count = source.by_ref().take(enough).read_to_end(&mut first);
        count.map_err(failed)?;
        let refused = |why: String| match signature::no_tensors(&first) {
            Some(what) => ReadError::Foreign {
                path: path.into(),
                what,
            },
            None => ReadError::Damaged {
                path: path.into(),
                why,
            },
        };
        let Some((size, _)) = first.split_first_chunk::<8>() else {
            return Err(refused(format!(
                "it has {} bytes, too few for safetensors",
                first.len()
            )));
        };
        let size = u64::from_le_bytes(*size);
        let most = length.map_or(DESCRIPTION, |length| {
            DESCRIPTION.min(length.saturating_sub(8))
        });
        if size > most {
            return Err(refused(format!(
                "its header would have {size} bytes, more than {most}"
            )));
        }
        let mut source = Cursor::new(first.clone()).chain(source);
        let mut start = Vec::new();
        let count = source.by_ref().take(8 + size).read_to_end(&mut start);
        count.map_err(failed)?;
        if (start.len() as u64) < 8 + size {
            return Err(refused("it ends within its header".to_owned()));
        }
        let described: Metadata = serde_json::from_slice(&start[8..])
            .map_err(|e| refused(format!("its header is not a safetensors header: {e}")))?;
        let all = start.len() as u64 + described.data_len() as u64;
        if let Some(length) = length.filter(|length| *length != all) {
            return Err(refused(format!(
                "it has {length} bytes but should have {all}"
            )));
        }
        let info = |name: String| Some((name.clone(), described.info(&name)?.clone()));
        Ok(Self {
            path: path.into(),
            source,
            start,
            metadata: described.metadata().clone().unwrap_or_default(),
            tensors: described
                .offset_keys()
                .into_iter()
                .filter_map(info)
                .collect(),
            data: described.data_len(),
        })
    }

    /// Leaves out tensors of whole numbers and truth values, such as masks and counters, of which no weights are made.
    #[must_use]
    pub fn without_whole_numbers(mut self) -> Self {
        self.tensors.retain(|(_, info)| {
            !matches!(
                info.dtype,
                Dtype::BOOL
                    | Dtype::I8
                    | Dtype::I16
                    | Dtype::I32
                    | Dtype::I64
                    | Dtype::U8
                    | Dtype::U16
                    | Dtype::U32
                    | Dtype::U64
            )
        });
        self
    }

    /// Path of the file, for error messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Metadata added by the writer.
    pub fn metadata(&self) -> &HashMap<String, String> {
        &self.metadata
    }

    /// Shape of every tensor.
    pub fn shapes(&self) -> Shapes {
        let all = self.tensors.iter();
        all.map(|(name, info)| (name.clone(), info.shape.clone()))
            .collect()
    }

    /// Reads the numbers. Unsupported dtypes and tensors too large for memory are refused before any number is read; a
    /// file whose checksum has changed is refused at the end.
    pub fn read(mut self) -> Result<NamedTensors, ReadError> {
        self.readable()?;
        let mut sum = (self.metadata.contains_key(seal::KEY)).then(Sum::default);
        if let Some(sum) = &mut sum {
            sum.add_description(&self.start);
        }
        let (mut tensors, mut offset) = (BTreeMap::new(), 0);
        for (name, info) in &self.tensors {
            let (begin, end) = info.data_offsets;
            skip(begin - offset, &mut self.source, &mut sum).map_err(|e| self.failed(name, e))?;
            offset = end;
            let cells = numbers_of(info, &mut self.source, &mut sum);
            let cells = cells.map_err(|e| self.failed(name, e))?;
            tensors.insert(name.clone(), Tensor::new(&info.shape, cells));
        }
        skip(self.data - offset, &mut self.source, &mut sum)
            .map_err(|_| self.damaged("it ends within its tensors".to_owned()))?;
        if !matches!(self.source.read(&mut [0]), Ok(0)) {
            return Err(self.damaged("it continues after its tensors".to_owned()));
        }
        if self.metadata.get(seal::KEY) != sum.map(Sum::digits).as_ref() {
            let why = "it has changed since it was written: its SHA-256 is not the one it carries";
            return Err(self.damaged(why.to_owned()));
        }
        Ok(NamedTensors {
            metadata: self.metadata,
            tensors,
        })
    }

    fn damaged(&self, why: String) -> ReadError {
        ReadError::Damaged {
            path: self.path.clone(),
            why,
        }
    }

    fn failed(&self, name: &str, failure: Failure) -> ReadError {
        let (path, name) = (self.path.clone(), name.to_owned());
        match failure {
            Failure::Read(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                self.damaged(format!("it ends within the tensor {name}"))
            }
            Failure::Read(source) => ReadError::Io { path, source },
            Failure::Id(value) => ReadError::Id { path, name, value },
            Failure::Memory => ReadError::Memory {
                path,
                needed: needed(&self.tensors),
                limit: file::memory(),
            },
        }
    }

    fn readable(&self) -> Result<(), ReadError> {
        for (name, info) in &self.tensors {
            if !matches!(
                info.dtype,
                Dtype::F32 | Dtype::F64 | Dtype::I8 | Dtype::F16 | Dtype::BF16 | Dtype::I64
            ) {
                return Err(ReadError::Kind {
                    path: self.path.clone(),
                    name: name.clone(),
                    dtype: info.dtype,
                });
            }
            // A size of 0 hides the other sizes from the check of bytes, but strides are still computed from them.
            let sizes = info.shape.iter().filter(|size| **size > 0);
            let product = sizes.fold(1, |product: usize, size| product.saturating_mul(*size));
            if product > isize::MAX as usize {
                return Err(ReadError::Shape {
                    path: self.path.clone(),
                    name: name.clone(),
                    shape: info.shape.clone(),
                });
            }
        }
        let (needed, limit) = (needed(&self.tensors), file::memory());
        if needed > u128::from(limit) {
            return Err(ReadError::Memory {
                path: self.path.clone(),
                needed,
                limit,
            });
        }
        Ok(())
    }
}

/// Bytes of all numbers as f32.
fn needed(tensors: &[(String, TensorInfo)]) -> u128 {
    let cells = tensors.iter().map(|(_, info)| {
        let product = info.shape.iter().map(|size| *size as u128);
        product.product::<u128>()
    });
    4 * cells.sum::<u128>()
}

/// Reasons why the numbers of a tensor cannot be read.
enum Failure {
    Read(io::Error),
    Id(i64),
    Memory,
}

/// Passes over the next `count` bytes, which belong to tensors that are left out.
fn skip(count: usize, source: &mut impl Read, sum: &mut Option<Sum>) -> Result<(), Failure> {
    let mut piece = vec![0; PIECE.min(count)];
    let mut left = count;
    while left > 0 {
        let bytes = &mut piece[..left.min(PIECE)];
        source.read_exact(bytes).map_err(Failure::Read)?;
        left -= bytes.len();
        if let Some(sum) = sum {
            sum.add(bytes);
        }
    }
    Ok(())
}

/// Reads the numbers of the next tensor.
fn numbers_of(
    info: &TensorInfo,
    source: &mut impl Read,
    sum: &mut Option<Sum>,
) -> Result<Vec<f32>, Failure> {
    let (begin, end) = info.data_offsets;
    let mut left = end - begin;
    let mut cells = Vec::new();
    let count = info.shape.iter().product();
    cells
        .try_reserve_exact(count)
        .map_err(|_| Failure::Memory)?;
    let mut piece = vec![0; PIECE.min(left)];
    while left > 0 {
        let bytes = &mut piece[..left.min(PIECE)];
        source.read_exact(bytes).map_err(Failure::Read)?;
        left -= bytes.len();
        if let Some(sum) = sum {
            sum.add(bytes);
        }
        match info.dtype {
            Dtype::F32 => cells.extend(numbers::each(bytes, f32::from_le_bytes)),
            Dtype::F64 => cells.extend(numbers::each(bytes, numbers::f64)),
            Dtype::I8 => cells.extend(numbers::each(bytes, |[b]| f32::from(b as i8))),
            Dtype::F16 => cells.extend(numbers::each(bytes, numbers::f16)),
            Dtype::BF16 => cells.extend(numbers::each(bytes, numbers::bf16)),
            Dtype::I64 => {
                for number in numbers::each(bytes, i64::from_le_bytes) {
                    cells.push(id(number).map_err(Failure::Id)?);
                }
            }
            dtype => unreachable!("{dtype:?} numbers are refused before"),
        }
    }
    Ok(cells)
}

fn id(value: i64) -> Result<f32, i64> {
    if (0..=1 << 24).contains(&value) {
        Ok(value as f32)
    } else {
        Err(value)
    }
}
