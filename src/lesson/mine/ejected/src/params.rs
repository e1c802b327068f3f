//! Parameters: a list of tensors by name, drawn at random or read from a file.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use crate::functions::xavier_uniform;
use crate::random::Random;
use crate::tensor::Tensor;

/// The place of a parameter in [`Params`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Param(usize);

/// All parameters of a model, in the order in which its layers ask for them.
#[derive(Clone, Default)]
pub struct Params {
    names: Vec<String>,
    tensors: Vec<Tensor>,
}

/// How a parameter begins before it is trained.
#[derive(Clone, Copy)]
pub enum Init {
    /// This value in every cell.
    Constant(f32),
    /// Uniform between −bound and bound.
    Uniform(f32),
    /// Uniform with a bound that follows from the shape `[outputs, inputs]`.
    Xavier,
}

/// Where a new model gets the numbers of its parameters.
pub enum Source {
    Drawn(Random),
    Read(HashMap<String, Tensor>),
}

/// Collects the parameters of a model that is being built.
pub struct Builder {
    source: Source,
    params: Params,
    scope: Vec<String>,
}

impl Params {
    pub fn name(&self, param: Param) -> &str {
        &self.names[param.0]
    }

    pub fn get(&self, param: Param) -> &Tensor {
        &self.tensors[param.0]
    }

    pub fn set(&mut self, param: Param, tensor: Tensor) {
        self.tensors[param.0] = tensor;
    }

    pub fn all(&self) -> impl Iterator<Item = Param> + use<> {
        (0..self.tensors.len()).map(Param)
    }

    /// The number of trained numbers.
    pub fn count(&self) -> usize {
        self.tensors.iter().map(Tensor::len).sum()
    }
}

impl Builder {
    pub fn new(source: Source) -> Self {
        Self {
            source,
            params: Params::default(),
            scope: vec![],
        }
    }

    /// Builds a part of the model whose parameters have `name` before their own.
    pub fn scoped<T>(&mut self, name: &str, build: impl FnOnce(&mut Self) -> T) -> T {
        self.scope.push(name.to_owned());
        let part = build(self);
        self.scope.pop();
        part
    }

    /// A new parameter. Panics if the file has none of this name and shape.
    pub fn add(&mut self, name: &str, shape: &[usize], init: Init) -> Param {
        let parts = self.scope.iter().map(String::as_str).chain([name]);
        let name = parts.collect::<Vec<_>>().join(".");
        let tensor = match &mut self.source {
            Source::Read(tensors) => match tensors.remove(&name) {
                Some(tensor) if tensor.shape() == shape => tensor,
                other => panic!(
                    "{name} must have the shape {shape:?}; in the file it has {:?}",
                    other.map(|tensor| tensor.shape().to_vec())
                ),
            },
            Source::Drawn(random) => match init {
                Init::Constant(value) => Tensor::full(shape, value),
                Init::Uniform(bound) => {
                    Tensor::from_fn(shape, |_| (2.0 * random.uniform() - 1.0) * bound)
                }
                Init::Xavier => xavier_uniform(shape[1], shape[0], &mut || random.uniform()),
            },
        };
        self.params.names.push(name);
        self.params.tensors.push(tensor);
        Param(self.params.names.len() - 1)
    }

    pub fn finish(self) -> Params {
        self.params
    }
}

/// The tensors of a safetensors file, and the settings of the model that its metadata describes.
///
/// Such a file is the length of a header in 8 bytes, the header as JSON, which gives the type, shape and place of each
/// tensor, and then the cells of all tensors.
pub fn read(path: &Path) -> Result<(HashMap<String, Tensor>, Value), String> {
    let bytes =
        std::fs::read(path).map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
    let wrong = |what: &str| format!("{} cannot be read: {what}", path.display());
    let (length, rest) = bytes
        .split_first_chunk()
        .ok_or_else(|| wrong("it is too short"))?;
    let length = u64::from_le_bytes(*length) as usize;
    let (header, cells) = rest
        .split_at_checked(length)
        .ok_or_else(|| wrong("it is cut off"))?;
    let header: Value = serde_json::from_slice(header).map_err(|e| wrong(&e.to_string()))?;
    let mut tensors = HashMap::new();
    for (name, entry) in header.as_object().into_iter().flatten() {
        if name != "__metadata__" {
            let tensor =
                tensor(entry, cells).ok_or_else(|| wrong(&format!("{name} is damaged")))?;
            tensors.insert(name.clone(), tensor);
        }
    }
    let config = header["__metadata__"]["transformer-tutor.config"]
        .as_str()
        .unwrap_or_default();
    let config =
        serde_json::from_str(config).map_err(|_| wrong("it does not describe its model"))?;
    Ok((in_full(tensors), config))
}

/// The tensor that an entry of the header describes; `None` if its cells do not fit.
fn tensor(entry: &Value, cells: &[u8]) -> Option<Tensor> {
    let numbers = |key: &str| -> Option<Vec<usize>> {
        let list = entry[key].as_array()?.iter();
        list.map(|n| n.as_u64().map(|n| n as usize)).collect()
    };
    let (shape, place) = (numbers("shape")?, numbers("data_offsets")?);
    let bytes = cells.get(*place.first()?..*place.get(1)?)?;
    let cells: Vec<f32> = match entry["dtype"].as_str()? {
        "F32" => bytes
            .as_chunks()
            .0
            .iter()
            .map(|cell| f32::from_le_bytes(*cell))
            .collect(),
        "I8" => bytes.iter().map(|&cell| f32::from(cell as i8)).collect(),
        _ => return None,
    };
    let fits = cells.len() == shape.iter().product::<usize>();
    fits.then(|| Tensor::new(&shape, cells))
}

/// Matrices of 8-bit numbers come with one scale per row, `NAME.scale`, which makes them f32 again.
fn in_full(mut tensors: HashMap<String, Tensor>) -> HashMap<String, Tensor> {
    let names: Vec<String> = tensors.keys().cloned().collect();
    for name in names {
        if let Some(scales) = tensors.remove(&format!("{name}.scale")) {
            let rows = scales.reshape(&[scales.len(), 1]);
            let matrix = tensors[&name].zip(&rows, |x, scale| x * scale);
            tensors.insert(name, matrix);
        }
    }
    tensors
}
