//! Parameters: a list of tensors by name, drawn at random or read from a file.

use std::collections::HashMap;
use std::path::Path;

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

/// The tensors in a folder, by name: `tensors.txt` lists the name, type and shape of each, and their cells follow each
/// other in `tensors.bin`.
pub fn read(folder: &Path) -> Result<HashMap<String, Tensor>, String> {
    let file = |name: &str| {
        let path = folder.join(name);
        let bytes = std::fs::read(&path);
        bytes.map_err(|e| format!("{} cannot be read: {e}", path.display()))
    };
    let (list, cells) = (file("tensors.txt")?, file("tensors.bin")?);
    let mut rest = &cells[..];
    let mut tensors = HashMap::new();
    for line in String::from_utf8_lossy(&list).lines() {
        let (name, tensor) = tensor(line, &mut rest).ok_or_else(|| {
            format!("tensors.bin has no cells for this line of tensors.txt: {line}")
        })?;
        tensors.insert(name.to_owned(), tensor);
    }
    Ok(in_full(tensors))
}

/// The tensor that a line describes, such as `decoder.layers.0.self_attn.key.bias F32 256`, with the first of the
/// `cells`, which are taken.
fn tensor<'a>(line: &'a str, cells: &mut &[u8]) -> Option<(&'a str, Tensor)> {
    let mut words = line.split(' ');
    let (name, kind) = (words.next()?, words.next()?);
    let sizes: Option<Vec<usize>> = words.map(|size| size.parse().ok()).collect();
    let shape = sizes?;
    let width = match kind {
        "F32" => 4,
        "I8" => 1,
        _ => return None,
    };
    let (own, rest) = cells.split_at_checked(width * shape.iter().product::<usize>())?;
    *cells = rest;
    let numbers = match width {
        1 => own.iter().map(|&cell| f32::from(cell as i8)).collect(),
        _ => {
            let cells = own.as_chunks().0.iter();
            cells.map(|cell| f32::from_le_bytes(*cell)).collect()
        }
    };
    Some((name, Tensor::new(&shape, numbers)))
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
