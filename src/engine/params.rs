//! Parameters: one flat, named list of tensors, and how they are initialised.

use std::collections::HashMap;

use crate::tensor::{Axes, Tensor, random};

/// A handle to one parameter in [`Params`]. Layers that use the same handle share (tie) the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Param(usize);

impl Param {
    /// The index in the list, and in every list of the same layout (gradients, moments).
    pub fn index(self) -> usize {
        self.0
    }
}

/// How a parameter is initialised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Init {
    /// This value in every cell.
    Constant(f32),
    /// Normal with mean 0 and this standard deviation.
    Normal(f32),
    /// Uniform from −bound to bound with bound = √(6 / (rows + columns)) (Glorot and Bengio 2010).
    XavierUniform,
    /// Uniform from −bound to bound.
    Uniform(f32),
}

impl Init {
    /// Draws a tensor of `shape` for the parameter `name`.
    pub fn draw(self, shape: &[usize], seed: u64, name: &str) -> Tensor {
        match self {
            Self::Constant(value) => Tensor::full(shape, value),
            Self::Normal(std) => random::normal(shape, std, seed, name),
            Self::XavierUniform => random::uniform(shape, xavier_bound(shape), seed, name),
            Self::Uniform(bound) => random::uniform(shape, bound, seed, name),
        }
    }
}

/// √(6 / (rows + columns)) for a matrix of `shape`. Panics unless `shape` has two axes.
#[track_caller]
pub fn xavier_bound(shape: &[usize]) -> f32 {
    let &[rows, columns] = shape else {
        panic!("Xavier initialisation needs a matrix, not a tensor of shape {shape:?}")
    };
    (6.0 / (rows + columns) as f64).sqrt() as f32
}

/// All parameters of a model, in the order of creation.
///
/// Names are paths such as `encoder.layers.0.self_attn.query.weight`.
#[derive(Clone, Debug, Default)]
pub struct Params {
    seed: u64,
    /// Whether to keep only names and shapes, without drawing values.
    layout: bool,
    scope: Vec<String>,
    names: Vec<String>,
    /// The index of each name.
    places: HashMap<String, usize>,
    shapes: Vec<Vec<usize>>,
    axes: Vec<Axes>,
    tensors: Vec<Tensor>,
}

impl Params {
    /// Creates an empty list whose parameters will be drawn from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// Creates an empty list that keeps only names and shapes, without values, so that the code that
    /// builds a model can also count the parameters of a model too large for memory.
    pub fn layout() -> Self {
        Self {
            layout: true,
            ..Self::default()
        }
    }

    /// Runs `build`, prefixing the names of the parameters it adds with `name`.
    pub fn scoped<T>(&mut self, name: &str, build: impl FnOnce(&mut Self) -> T) -> T {
        self.scope.push(name.to_owned());
        let built = build(self);
        self.scope.pop();
        built
    }

    /// Adds a parameter of `shape`, initialised by `init`. Panics if the name is taken.
    #[track_caller]
    pub fn add(&mut self, name: &str, shape: &[usize], axes: &[&'static str], init: Init) -> Param {
        let path = self.path(name);
        let tensor = if self.layout {
            Tensor::zeros(&[0])
        } else {
            init.draw(shape, self.seed, &path)
        };
        self.push(path, shape, tensor, axes)
    }

    /// Adds a parameter with the values of `tensor`. Panics if the name is taken.
    #[track_caller]
    pub fn insert(&mut self, name: &str, tensor: Tensor, axes: &[&'static str]) -> Param {
        let (path, shape) = (self.path(name), tensor.shape().to_vec());
        self.push(path, &shape, tensor, axes)
    }

    #[track_caller]
    fn push(
        &mut self,
        path: String,
        shape: &[usize],
        tensor: Tensor,
        axes: &[&'static str],
    ) -> Param {
        let taken = self.places.insert(path.clone(), self.names.len());
        assert!(
            taken.is_none(),
            "params: there are two parameters named {path}"
        );
        self.names.push(path);
        self.shapes.push(shape.to_vec());
        self.axes.push(axes.to_vec());
        self.tensors.push(tensor);
        Param(self.names.len() - 1)
    }

    fn path(&self, name: &str) -> String {
        let scopes = self.scope.iter().map(String::as_str);
        scopes.chain([name]).collect::<Vec<_>>().join(".")
    }

    /// The name of `param`.
    pub fn name(&self, param: Param) -> &str {
        &self.names[param.0]
    }

    /// The axes of `param`.
    pub fn axes(&self, param: Param) -> &Axes {
        &self.axes[param.0]
    }

    /// The sizes of the axes of `param`.
    pub fn shape(&self, param: Param) -> &[usize] {
        &self.shapes[param.0]
    }

    /// The parameter whose full name is `name`.
    pub fn find(&self, name: &str) -> Option<Param> {
        self.places.get(name).copied().map(Param)
    }

    /// The values of `param`.
    pub fn get(&self, param: Param) -> &Tensor {
        &self.tensors[param.0]
    }

    /// The values of `param`, mutable.
    pub fn get_mut(&mut self, param: Param) -> &mut Tensor {
        &mut self.tensors[param.0]
    }

    /// All values in order, mutable; their shapes must not change.
    pub fn tensors_mut(&mut self) -> &mut [Tensor] {
        &mut self.tensors
    }

    /// Replaces the values of `param`. Panics if the shape differs.
    #[track_caller]
    pub fn set(&mut self, param: Param, tensor: Tensor) {
        assert!(
            tensor.shape() == self.shape(param),
            "params: {} is {:?}, not {:?}",
            self.name(param),
            self.shape(param),
            tensor.shape()
        );
        self.tensors[param.0] = tensor;
    }

    /// Every parameter with its name and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Param, &str, &Tensor)> {
        let pairs = self.names.iter().zip(&self.tensors).enumerate();
        pairs.map(|(i, (name, tensor))| (Param(i), name.as_str(), tensor))
    }

    /// The number of parameter tensors.
    pub fn len(&self) -> usize {
        self.tensors.len()
    }

    /// True if there are no parameters.
    pub fn is_empty(&self) -> bool {
        self.tensors.is_empty()
    }

    /// The number of scalar parameters: the model's parameter count.
    pub fn count(&self) -> usize {
        self.shapes
            .iter()
            .map(|s| s.iter().product::<usize>())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_paths_and_counts_add_up() {
        let mut params = Params::new(1);
        let weight = params.scoped("encoder", |p| {
            p.scoped("query", |p| {
                p.add("weight", &[4, 4], &["d", "k"], Init::XavierUniform)
            })
        });
        params.add("bias", &[4], &["k"], Init::Constant(0.0));
        assert_eq!(params.name(weight), "encoder.query.weight");
        assert_eq!(params.count(), 20);
    }

    #[test]
    fn a_parameter_is_drawn_alike_wherever_it_stands_in_the_list() {
        let mut one = Params::new(3);
        one.add("a", &[2, 2], &["", ""], Init::Normal(1.0));
        let b = one.add("b", &[2, 2], &["", ""], Init::Normal(1.0));
        let mut other = Params::new(3);
        let alone = other.add("b", &[2, 2], &["", ""], Init::Normal(1.0));
        assert_eq!(one.get(b), other.get(alone));
    }
}
