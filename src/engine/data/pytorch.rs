//! Tensors in files of `torch.save`: an archive with a pickle that describes them, and their numbers beside it. Before
//! PyTorch 1.6, when most opus-mt models were published, it was a series of pickles (`legacy`).

mod legacy;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::file;
use super::numbers;
use super::pickle::{self, Numbers, View};
use super::safetensors::ReadError;
use super::signature;
use super::zip::{self, Archive};
use crate::tensor::Tensor;
use crate::transformer::size::bytes as amount;

/// Maximum size of a pickle in bytes; the names and shapes of a hundred thousand tensors need less.
const PICKLE: usize = 16 << 20;

/// Reads the tensors of a file of at most `most` bytes, the largest size that the model's weights could have.
pub fn read(path: &Path, most: u64) -> Result<BTreeMap<String, Tensor>, ReadError> {
    let bytes = file::bytes(path, most.min(file::WEIGHTS)).map_err(|source| ReadError::Io {
        path: path.into(),
        source,
    })?;
    parse(path, &bytes)
}

/// Reads the tensors in the `bytes` of a file; `path` is for error messages. Nothing in the file is executed.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, Tensor>, ReadError> {
    tensors(bytes).map_err(|why| ReadError::PyTorch {
        path: path.into(),
        why,
    })
}

fn tensors(bytes: &[u8]) -> Result<BTreeMap<String, Tensor>, String> {
    if legacy::is_one(bytes) {
        return legacy::tensors(bytes);
    }
    if !zip::is_zip(bytes) {
        let known = signature::no_weights(bytes);
        return Err(known.unwrap_or_else(|| {
            "it was not written by torch.save: it is neither a zip file nor a pickle".to_owned()
        }));
    }
    let archive = Archive::parse(bytes)?;
    let mut pickles = archive.names().filter(|name| name.ends_with("/data.pkl"));
    let (Some(name), None) = (pickles.next(), pickles.next()) else {
        return Err("it holds no data.pkl, or several, so it is not of torch.save".to_owned());
    };
    let folder = name.trim_end_matches("data.pkl");
    let order = format!("{folder}byteorder");
    if archive.names().any(|name| name == order) && archive.read(&order)? != b"little" {
        return Err(
            "its numbers begin with the high byte (byteorder), which is not read".to_owned(),
        );
    }
    let pickle = archive.read(name)?;
    if pickle.len() > PICKLE {
        return Err(format!(
            "its data.pkl has {} bytes, more than {PICKLE}",
            pickle.len()
        ));
    }
    let (views, _) = pickle::tensors(pickle)?;
    filled(views, bytes.len(), |key| {
        archive.read(&format!("{folder}data/{key}"))
    })
}

/// Builds the tensors of `views` from a file of `left` bytes, where `read` returns the storage with a given key. Equal
/// views (tied tables) share one tensor in memory; the others may not have more numbers than the file.
fn filled<'a>(
    views: BTreeMap<String, View>,
    mut left: usize,
    read: impl Fn(&str) -> Result<&'a [u8], String>,
) -> Result<BTreeMap<String, Tensor>, String> {
    if views.is_empty() {
        return Err("it holds no tensors by name".to_owned());
    }
    let mut storages: HashMap<String, &[u8]> = HashMap::new();
    let mut found: Vec<(View, Tensor)> = Vec::new();
    let mut places: HashMap<(String, usize), Vec<usize>> = HashMap::new();
    let mut all = BTreeMap::new();
    let mut room = file::memory();
    for (name, view) in views {
        let key = &view.storage.key;
        let same = places.entry((key.clone(), view.offset)).or_default();
        if let Some(&place) = same.iter().find(|&&place| found[place].0 == view) {
            all.insert(name, found[place].1.clone());
            continue;
        }
        let data = match storages.get(key) {
            Some(data) => data,
            None => {
                let data = read(key).map_err(|why| format!("the tensor {name}: {why}"))?;
                storages.entry(key.clone()).or_insert(data)
            }
        };
        let cells = fits(&view, data).map_err(|why| format!("the tensor {name} {why}"))?;
        left = left
            .checked_sub(cells * view.storage.numbers.width())
            .ok_or_else(|| format!("its tensors up to {name} have more numbers than the file"))?;
        room = room.checked_sub(4 * cells as u64).ok_or_else(|| {
            format!(
                "its tensors up to {name} need more memory than the limit of {}",
                amount(file::memory().into())
            )
        })?;
        let tensor = tensor(&view, data);
        same.push(found.len());
        found.push((view, tensor.clone()));
        all.insert(name, tensor);
    }
    Ok(all)
}

/// Number of cells of a view; the error says why its storage cannot hold them.
fn fits(view: &View, data: &[u8]) -> Result<usize, String> {
    let storage = &view.storage;
    let bytes = storage.count.checked_mul(storage.numbers.width());
    if bytes != Some(data.len()) {
        return Err(format!(
            "needs {} numbers, and its data has {} bytes",
            storage.count,
            data.len()
        ));
    }
    let shape = &view.shape;
    if view.strides.len() != shape.len() {
        return Err(format!("is {shape:?} with {} strides", view.strides.len()));
    }
    // A size of 0 hides the other sizes, but memory is requested for them all the same.
    let mut sizes = shape.iter().filter(|size| **size > 0);
    let product = sizes.try_fold(1_usize, |product, size| product.checked_mul(*size));
    let axes = shape.iter().zip(&view.strides);
    let mut axes = axes.filter(|(size, _)| **size > 0);
    let last = axes.try_fold(view.offset, |last, (size, stride)| {
        last.checked_add((size - 1).checked_mul(*stride)?)
    });
    let (Some(product), Some(last)) = (product.filter(|p| *p <= storage.count.max(1)), last) else {
        return Err(format!(
            "is {shape:?}, more than the {} numbers of its data",
            storage.count
        ));
    };
    let cells = if shape.contains(&0) { 0 } else { product };
    if cells > 0 && last >= storage.count {
        return Err(format!(
            "is {shape:?} and ends behind the {} numbers of its data",
            storage.count
        ));
    }
    Ok(cells)
}

/// Tensor of a view that [`fits`].
fn tensor(view: &View, data: &[u8]) -> Tensor {
    match view.storage.numbers {
        Numbers::F32 => cells(view, data, f32::from_le_bytes),
        Numbers::F16 => cells(view, data, numbers::f16),
        Numbers::BF16 => cells(view, data, numbers::bf16),
    }
}

fn cells<const N: usize>(view: &View, data: &[u8], number: impl Fn([u8; N]) -> f32) -> Tensor {
    let mut step = 1;
    let in_order = view
        .shape
        .iter()
        .zip(&view.strides)
        .rev()
        .all(|(size, stride)| {
            let fits = *size == 1 || *stride == step;
            step *= size;
            fits
        });
    let stored = data.as_chunks::<N>().0;
    if in_order {
        let stored = stored
            .get(view.offset..view.offset + step)
            .unwrap_or_default();
        let cells = numbers::each(stored.as_flattened(), number);
        return Tensor::new(&view.shape, cells.collect());
    }
    Tensor::from_fn(&view.shape, |index| {
        let place = index
            .iter()
            .zip(&view.strides)
            .map(|(i, stride)| i * stride);
        number(stored[view.offset + place.sum::<usize>()])
    })
}

#[cfg(test)]
mod tests;
