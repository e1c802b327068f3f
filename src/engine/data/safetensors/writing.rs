//! Serialisation of safetensors files.
//!
//! The crate `safetensors` writes metadata in no fixed order, but the same run must produce the same bytes. The header
//! is therefore written here, with the tensors in the crate's order.

use std::collections::{BTreeMap, HashMap};

use safetensors::Dtype;
use safetensors::tensor::TensorInfo;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::NamedTensors;
use crate::data::seal;

/// Numbers of one tensor.
pub enum Cells<'a> {
    /// 32-bit floats.
    F32(&'a [f32]),
    /// Numbers computed for the file, such as one scale per row.
    OwnedF32(Vec<f32>),
    /// 8-bit integers.
    I8(Vec<i8>),
}

impl Cells<'_> {
    fn dtype(&self) -> Dtype {
        match self {
            Self::F32(_) | Self::OwnedF32(_) => Dtype::F32,
            Self::I8(_) => Dtype::I8,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::F32(cells) => 4 * cells.len(),
            Self::OwnedF32(cells) => 4 * cells.len(),
            Self::I8(cells) => cells.len(),
        }
    }

    fn write(&self, file: &mut Vec<u8>) {
        match self {
            Self::F32(cells) => file.extend(cells.iter().flat_map(|x| x.to_le_bytes())),
            Self::OwnedF32(cells) => file.extend(cells.iter().flat_map(|x| x.to_le_bytes())),
            Self::I8(cells) => file.extend(cells.iter().flat_map(|x| x.to_le_bytes())),
        }
    }
}

/// Serialises a file.
pub fn to_bytes(file: &NamedTensors) -> Vec<u8> {
    let tensors = file.tensors.iter().map(|(name, tensor)| {
        let shape = tensor.shape().to_vec();
        (name.clone(), (shape, Cells::F32(tensor.data())))
    });
    assemble(&file.metadata, tensors.collect())
}

/// Serialises tensors, given by name with shapes and numbers. If the metadata has a placeholder for the file's own
/// checksum, it is filled in.
pub fn assemble(
    metadata: &HashMap<String, String>,
    tensors: BTreeMap<String, (Vec<usize>, Cells)>,
) -> Vec<u8> {
    let mut tensors: Vec<_> = tensors.into_iter().collect();
    // Wide data types first, so that all are aligned; the stable sort keeps the order of names.
    tensors.sort_by_key(|(_, (_, cells))| std::cmp::Reverse(cells.dtype()));
    let mut end = 0;
    let infos = tensors.iter().map(|(name, (shape, cells))| {
        let start = end;
        end += cells.bytes();
        let info = TensorInfo {
            dtype: cells.dtype(),
            shape: shape.clone(),
            data_offsets: (start, end),
        };
        (name.as_str(), info)
    });
    let description = Description {
        tensors: infos.collect(),
        metadata: metadata.iter().collect(),
    };
    let mut text = serde_json::to_vec(&description).expect("a description is plain data");
    text.resize(text.len().next_multiple_of(8), b' ');
    let start = 8 + text.len();
    let mut file = Vec::with_capacity(start + end);
    file.extend((text.len() as u64).to_le_bytes());
    file.append(&mut text);
    for (_, (_, cells)) in &tensors {
        cells.write(&mut file);
    }
    seal::close(&mut file, start);
    file
}

/// Header of a file: its metadata by name, then each tensor.
struct Description<'a> {
    metadata: BTreeMap<&'a String, &'a String>,
    tensors: Vec<(&'a str, TensorInfo)>,
}

impl Serialize for Description<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !self.metadata.is_empty() {
            map.serialize_entry("__metadata__", &self.metadata)?;
        }
        for (name, info) in &self.tensors {
            map.serialize_entry(name, info)?;
        }
        map.end()
    }
}
