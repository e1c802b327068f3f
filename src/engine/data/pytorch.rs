//! Tensors in files of `torch.save`: an archive with a pickle that describes them, and their numbers beside it.
//!
//! A file is read in two steps: first the names and shapes of its state dict, then the numbers.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::file;
use super::numbers;
use super::pickle::{Numbers, Pickle, View};
use super::safetensors::{ReadError, Shapes};
use super::signature;
use super::zip::{self, Archive};
use crate::tensor::Tensor;
use crate::transformer::size::bytes as amount;

/// Beginning of a file of `torch.save` before PyTorch 1.6: the pickle of a magic number.
const SERIES: &[u8] = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.";

/// Maximum size of a pickle in bytes; the names and shapes of a hundred thousand tensors need less.
const PICKLE: usize = 16 << 20;

/// Maximum ratio of a state dict's numbers to the file's bytes. Views that overlap, such as a matrix and its transpose,
/// have more numbers than the file; a small file must not fill the memory all the same.
const OVERLAP: usize = 16;
/// Bytes that any file may unfold to.
const ALLOWANCE: usize = 1 << 20;

/// A file whose state dict is known, and whose numbers are all there.
pub struct Opened {
    path: PathBuf,
    bytes: Vec<u8>,
    views: BTreeMap<String, View>,
    /// Places of the storages, by their keys.
    storages: HashMap<String, Range<usize>>,
}

/// Opens a file of at most `most` bytes. Nothing in the file is executed.
pub fn open(path: &Path, most: u64) -> Result<Opened, ReadError> {
    let bytes = file::bytes(path, most.min(file::WEIGHTS)).map_err(|source| ReadError::Io {
        path: path.into(),
        source,
    })?;
    Opened::new(path, bytes)
}

/// True if `bytes` begin like a file of `torch.save`.
pub fn is_one(bytes: &[u8]) -> bool {
    zip::is_zip(bytes) || bytes.starts_with(SERIES)
}

impl Opened {
    /// Reads the state dict in the `bytes` of a file; `path` is for error messages.
    pub fn new(path: &Path, bytes: Vec<u8>) -> Result<Self, ReadError> {
        let (views, storages) = described(&bytes).map_err(|why| ReadError::PyTorch {
            path: path.into(),
            why,
        })?;
        Ok(Self {
            path: path.into(),
            bytes,
            views,
            storages,
        })
    }

    /// Path of the file, for error messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Shape of every tensor of the state dict.
    pub fn shapes(&self) -> Shapes {
        let all = self.views.iter();
        all.map(|(name, view)| (name.clone(), view.shape.clone()))
            .collect()
    }

    /// Reads the numbers. Equal views (tied tables) share one tensor in memory.
    pub fn read(self) -> Result<BTreeMap<String, Tensor>, ReadError> {
        let room = self
            .bytes
            .len()
            .saturating_mul(OVERLAP)
            .saturating_add(ALLOWANCE);
        let mut room = room.min(usize::try_from(file::memory()).unwrap_or(usize::MAX));
        let mut tensors: Vec<(&View, Tensor)> = Vec::new();
        let mut places: HashMap<(&str, usize), Vec<usize>> = HashMap::new();
        let mut all = BTreeMap::new();
        for (name, view) in &self.views {
            let same = places.entry((&view.storage.key, view.offset)).or_default();
            if let Some(&index) = same.iter().find(|&&index| tensors[index].0 == view) {
                all.insert(name.clone(), tensors[index].1.clone());
                continue;
            }
            let cells: usize = view.shape.iter().product();
            room = room.checked_sub(4 * cells).ok_or_else(|| ReadError::PyTorch {
                path: self.path.clone(),
                why: format!(
                    "its tensors up to {name} need more than {OVERLAP} times the file's size, or than the memory limit of \
                     {}",
                    amount(file::memory().into())
                ),
            })?;
            let tensor = tensor(view, &self.bytes[self.storages[&view.storage.key].clone()]);
            same.push(tensors.len());
            tensors.push((view, tensor.clone()));
            all.insert(name.clone(), tensor);
        }
        Ok(all)
    }
}

/// Reads the tensors in the `bytes` of a file; `path` is for error messages.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, Tensor>, ReadError> {
    Opened::new(path, bytes.to_vec())?.read()
}

/// Tensors of a state dict as views, and the places of their storages.
type Described = (BTreeMap<String, View>, HashMap<String, Range<usize>>);

fn described(bytes: &[u8]) -> Result<Described, String> {
    if bytes.starts_with(SERIES) {
        return Err(
            "it was written by torch.save before PyTorch 1.6; write it again with a newer one: \
             torch.save(torch.load(FILE, weights_only=True), FILE)"
                .to_owned(),
        );
    }
    if !zip::is_zip(bytes) {
        let known = signature::no_weights(bytes);
        return Err(known.unwrap_or_else(|| {
            "it was not written by torch.save: it is neither a zip file nor a pickle".to_owned()
        }));
    }
    let archive = Archive::parse(bytes).map_err(|why| if is_script(bytes) { "it is a program of TorchScript (torch.jit.save), which is not run; save a state dict instead: \
                 torch.save(model.state_dict(), FILE)"
            .to_owned() } else { why })?;
    if archive.names().any(|name| name.ends_with(".npy")) {
        return Err(
            "it is an archive of NumPy (.npz), as Marian's native models are, and not of torch.save"
                .to_owned(),
        );
    }
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
    let views = Pickle::parse(pickle)?.state_dict()?;
    placed(views, |key| archive.place(&format!("{folder}data/{key}")))
}

/// True for an archive with the code of a model, which is compressed.
fn is_script(bytes: &[u8]) -> bool {
    const CODE: &[u8] = b"/code/__torch__";
    bytes.windows(CODE.len()).any(|part| part == CODE)
}

/// Finds the storage of every view with `range_of`, and checks that it holds the view.
fn placed(
    views: BTreeMap<String, View>,
    range_of: impl Fn(&str) -> Result<Range<usize>, String>,
) -> Result<Described, String> {
    let mut storages: HashMap<String, Range<usize>> = HashMap::new();
    for (name, view) in &views {
        let key = &view.storage.key;
        let range = match storages.get(key) {
            Some(range) => range,
            None => {
                let range = range_of(key).map_err(|why| format!("the tensor {name}: {why}"))?;
                storages.entry(key.clone()).or_insert(range)
            }
        };
        fits(view, range.len()).map_err(|why| format!("the tensor {name} {why}"))?;
    }
    Ok((views, storages))
}

/// Checks that a storage of `size` bytes holds every cell of a view; the error explains why it does not.
fn fits(view: &View, size: usize) -> Result<(), String> {
    let storage = &view.storage;
    let bytes = storage.count.checked_mul(storage.numbers.width());
    if bytes != Some(size) {
        return Err(format!(
            "needs {} numbers, and its data has {size} bytes",
            storage.count
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
    // A stride of 0 repeats numbers, as `expand` does.
    let most = size.saturating_mul(OVERLAP).saturating_add(ALLOWANCE) / 4;
    let (Some(_), Some(last)) = (product.filter(|product| *product <= most), last) else {
        return Err(format!(
            "is {shape:?}, far more than the {} numbers of its data",
            storage.count
        ));
    };
    if !shape.contains(&0) && last >= storage.count {
        return Err(format!(
            "is {shape:?} and ends behind the {} numbers of its data",
            storage.count
        ));
    }
    Ok(())
}

/// Tensor of a view that [`fits`].
fn tensor(view: &View, data: &[u8]) -> Tensor {
    match view.storage.numbers {
        Numbers::F64 => cells(view, data, numbers::f64),
        Numbers::F32 => cells(view, data, f32::from_le_bytes),
        Numbers::F16 => cells(view, data, numbers::f16),
        Numbers::BF16 => cells(view, data, numbers::bf16),
        Numbers::Whole(_) => unreachable!("a state dict has no whole numbers"),
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
