//! Files of `torch.save` before PyTorch 1.6: a series of pickles (a magic number, a version, the machine, the tensors,
//! the keys of their storages), then the storages in the order of the keys.

use std::collections::HashMap;
use std::ops::Range;

use super::{Described, placed};
use crate::data::pickle::Pickle;

/// Pickles of the magic number 0x1950a86a20f9469cfc6c and of the version, 1001.
const MAGIC: &[u8] = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.";
const VERSION: &[u8] = b"\x80\x02M\xe9\x03.";

/// True if `bytes` begin like such a file.
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads the state dict of such a file.
pub fn described(bytes: &[u8]) -> Result<Described, String> {
    let rest = bytes.strip_prefix(MAGIC).unwrap_or_default();
    let rest = rest
        .strip_prefix(VERSION)
        .ok_or("its version of torch.save is not 1001")?;
    let (machine, rest) = Pickle::parse(rest)?;
    if !machine.is_true("little_endian") {
        return Err(
            "it does not say that its numbers begin with the low byte (little_endian)".to_owned(),
        );
    }
    let (tensors, rest) = Pickle::parse(rest)?;
    let (keys, mut rest) = Pickle::parse(rest)?;
    let mut storages: HashMap<String, Range<usize>> = HashMap::new();
    for key in keys.texts()? {
        let kind = tensors
            .storages()
            .get(&key)
            .ok_or_else(|| format!("no tensor has its storage {key}"))?;
        let cut = || format!("the storage {key} is cut short");
        let (count, behind) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
        let count = usize::try_from(u64::from_le_bytes(*count)).map_err(|_| cut())?;
        let size = count.checked_mul(kind.width()).ok_or_else(cut)?;
        let start = bytes.len() - behind.len();
        (_, rest) = behind.split_at_checked(size).ok_or_else(cut)?;
        if storages.insert(key.clone(), start..start + size).is_some() {
            return Err(format!("it has the storage {key} twice"));
        }
    }
    if !rest.is_empty() {
        return Err(format!("it has {} bytes behind its storages", rest.len()));
    }
    placed(tensors.state_dict()?, |key| {
        let range = storages.get(key).cloned();
        range.ok_or_else(|| format!("its storage {key} is missing"))
    })
}
