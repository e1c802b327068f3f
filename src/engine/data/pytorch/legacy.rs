//! Files of `torch.save` before PyTorch 1.6: a series of pickles (a magic number, a version, the machine, the tensors,
//! the keys of their storages), then the storages in the order of the keys.

use std::collections::{BTreeMap, HashMap};

use super::filled;
use crate::data::pickle::{self, Numbers};
use crate::tensor::Tensor;

/// Pickles of the magic number 0x1950a86a20f9469cfc6c and of the version, 1001.
const MAGIC: &[u8] = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.";
const VERSION: &[u8] = b"\x80\x02M\xe9\x03.";

/// True if `bytes` begin like such a file.
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads the tensors of such a file.
pub fn tensors(bytes: &[u8]) -> Result<BTreeMap<String, Tensor>, String> {
    let rest = bytes.strip_prefix(MAGIC).unwrap_or_default();
    let rest = rest
        .strip_prefix(VERSION)
        .ok_or("its version of torch.save is not 1001")?;
    let (_, behind) = pickle::tensors(rest)?;
    if !little_end_first(&rest[..rest.len() - behind.len()]) {
        return Err(
            "it does not say that its numbers begin with the low byte (little_endian)".to_owned(),
        );
    }
    let (views, behind) = pickle::tensors(behind)?;
    let (keys, mut rest) = pickle::texts(behind)?;
    let kinds: HashMap<&str, Numbers> = views
        .values()
        .map(|view| (view.storage.key.as_str(), view.storage.numbers))
        .collect();
    let mut storages: HashMap<&str, &[u8]> = HashMap::new();
    for key in &keys {
        let kind = kinds
            .get(key.as_str())
            .ok_or_else(|| format!("no tensor has its storage {key}"))?;
        let cut = || format!("the storage {key} is cut short");
        let (count, behind) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
        let count = usize::try_from(u64::from_le_bytes(*count)).map_err(|_| cut())?;
        let size = count.checked_mul(kind.width()).ok_or_else(cut)?;
        let (data, behind) = behind.split_at_checked(size).ok_or_else(cut)?;
        if storages.insert(key, data).is_some() {
            return Err(format!("it has the storage {key} twice"));
        }
        rest = behind;
    }
    if !rest.is_empty() {
        return Err(format!("it has {} bytes behind its storages", rest.len()));
    }
    filled(views, bytes.len(), |key| {
        storages
            .get(key)
            .copied()
            .ok_or_else(|| format!("its storage {key} is missing"))
    })
}

/// True if the pickle about the machine contains the text `little_endian`, perhaps memoised, and then True.
fn little_end_first(machine: &[u8]) -> bool {
    const NAME: &[u8] = b"little_endian";
    let place = machine.windows(NAME.len()).position(|word| word == NAME);
    let Some(rest) = place.map(|at| &machine[at + NAME.len()..]) else {
        return false;
    };
    matches!(
        rest,
        [b'q', _, 0x88, ..] | [b'r', _, _, _, _, 0x88, ..] | [0x88, ..]
    )
}
