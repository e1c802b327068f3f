//! The tape: it records every operation on tensors, and walks back over them for the gradients.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::params::{Param, Params};
use crate::random::Random;
use crate::tensor::Tensor;

/// A record of all operations of one run.
#[derive(Clone)]
pub struct Tape(Rc<RefCell<Recording>>);

struct Recording {
    params: Params,
    nodes: Vec<Node>,
    /// The nodes of the parameters in use.
    used: HashMap<Param, usize>,
    /// Where in the model the run is: `encoder`, `layers.0`.
    scope: Vec<String>,
    /// Decides what dropout drops; `None` if nothing is dropped.
    dropout: Option<Random>,
}

/// One tensor, and how a gradient passes through the operation that made it.
struct Node {
    name: String,
    value: Tensor,
    inputs: Vec<usize>,
    /// From the gradient of this tensor to those of its inputs; `None` if nothing behind it learns.
    backward: Option<Backward>,
    learns: bool,
}

type Backward = Rc<dyn Fn(&Tensor) -> Vec<Tensor>>;

/// A tensor on a tape.
#[derive(Clone)]
pub struct Var {
    tape: Tape,
    id: usize,
}

/// The gradients of one number with respect to the parameters.
pub struct Grads(HashMap<Param, Tensor>);

impl Grads {
    /// The gradient of a parameter; `None` if the number does not depend on it.
    pub fn param(&self, param: Param) -> Option<&Tensor> {
        self.0.get(&param)
    }
}

impl Tape {
    /// A tape without dropout, for translating.
    pub fn eval(params: &Params) -> Self {
        Self(Rc::new(RefCell::new(Recording {
            params: params.clone(),
            nodes: vec![],
            used: HashMap::new(),
            scope: vec![],
            dropout: None,
        })))
    }

    /// A tape with dropout, for training.
    pub fn train(params: &Params, seed: u64) -> Self {
        let tape = Self::eval(params);
        tape.0.borrow_mut().dropout = Some(Random::new(seed));
        tape
    }

    /// A parameter. All its uses are one tensor, so that their gradients add up.
    pub fn param(&self, param: Param) -> Var {
        if let Some(&id) = self.0.borrow().used.get(&param) {
            return self.var(id);
        }
        let (name, value) = {
            let params = &self.0.borrow().params;
            (params.name(param).to_owned(), params.get(param).clone())
        };
        let var = self.push(name, value, vec![], None, true);
        self.0.borrow_mut().used.insert(param, var.id);
        var
    }

    /// A tensor that does not learn. The names of its axes are for the reader only, here and below.
    pub fn constant(&self, name: &str, value: Tensor, _axes: &[&str]) -> Var {
        let name = self.path(name);
        self.push(name, value, vec![], None, false)
    }

    /// Token ids, as whole numbers.
    pub fn ids(&self, name: &str, value: Tensor, axes: &[&str]) -> Var {
        self.constant(name, value, axes)
    }

    /// A mask: 1 may be seen, 0 is blocked.
    pub fn mask(&self, name: &str, value: Tensor, axes: &[&str]) -> Var {
        self.constant(name, value, axes)
    }

    /// Runs a part of the model whose tensors have `name` before their own.
    pub fn scoped<T>(&self, name: &str, run: impl FnOnce() -> T) -> T {
        self.0.borrow_mut().scope.push(name.to_owned());
        let result = run();
        self.0.borrow_mut().scope.pop();
        result
    }

    /// The factors of a dropout: 0 with probability `p`, otherwise 1 / (1 − p). `None` if nothing is dropped.
    pub fn dropped(&self, shape: &[usize], p: f32) -> Option<Tensor> {
        let mut recording = self.0.borrow_mut();
        let random = recording.dropout.as_mut().filter(|_| p > 0.0)?;
        let mut factor = || {
            if random.uniform() < p {
                0.0
            } else {
                1.0 / (1.0 - p)
            }
        };
        Some(Tensor::from_fn(shape, |_| factor()))
    }

    /// The name of the first tensor with a number that is infinite or NaN.
    pub fn first_not_finite(&self) -> Option<String> {
        let nodes = &self.0.borrow().nodes;
        let broken = |node: &&Node| node.value.data().iter().any(|x| !x.is_finite());
        nodes.iter().find(broken).map(|node| node.name.clone())
    }

    fn path(&self, name: &str) -> String {
        let scope = &self.0.borrow().scope;
        let parts = scope.iter().map(String::as_str).chain([name]);
        parts.collect::<Vec<_>>().join(".")
    }

    fn var(&self, id: usize) -> Var {
        Var {
            tape: self.clone(),
            id,
        }
    }

    fn push(
        &self,
        name: String,
        value: Tensor,
        inputs: Vec<usize>,
        backward: Option<Backward>,
        learns: bool,
    ) -> Var {
        let mut recording = self.0.borrow_mut();
        recording.nodes.push(Node {
            name,
            value,
            inputs,
            backward,
            learns,
        });
        self.var(recording.nodes.len() - 1)
    }
}

impl Var {
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    pub fn value(&self) -> Tensor {
        self.tape.0.borrow().nodes[self.id].value.clone()
    }

    pub fn shape(&self) -> Vec<usize> {
        self.value().shape().to_vec()
    }

    /// One name per axis; this tape does not keep them.
    pub fn axes(&self) -> Vec<&'static str> {
        vec![""; self.value().rank()]
    }

    /// Names the tensor, for [`Tape::first_not_finite`].
    pub fn named(self, name: &str) -> Self {
        let path = self.tape.path(name);
        self.tape.0.borrow_mut().nodes[self.id].name = path;
        self
    }

    /// Records the result of an operation on `inputs`, and how its gradient `dy` becomes theirs.
    pub fn record(
        operation: &str,
        inputs: &[&Var],
        value: Tensor,
        backward: impl Fn(&Tensor) -> Vec<Tensor> + 'static,
    ) -> Var {
        let tape = &inputs[0].tape;
        let ids: Vec<usize> = inputs.iter().map(|input| input.id).collect();
        let learns = ids.iter().any(|&id| tape.0.borrow().nodes[id].learns);
        let backward = learns.then(|| Rc::new(backward) as Backward);
        tape.push(tape.path(operation), value, ids, backward, learns)
    }

    /// The gradients of this number: from the end of the tape to its beginning, each operation hands the gradient of
    /// its result on to its inputs. Where a tensor was used several times, the gradients add up.
    pub fn backward(&self) -> Grads {
        let recording = self.tape.0.borrow();
        let mut gradients: Vec<Option<Tensor>> = vec![None; self.id + 1];
        gradients[self.id] = Some(Tensor::ones(&self.shape()));
        for id in (0..=self.id).rev() {
            let node = &recording.nodes[id];
            let (Some(dy), Some(backward)) = (&gradients[id], &node.backward) else {
                continue;
            };
            for (&input, dx) in node.inputs.iter().zip(backward(dy)) {
                gradients[input] = Some(match &gradients[input] {
                    Some(sum) => sum.zip(&dx, |a, b| a + b),
                    None => dx,
                });
            }
        }
        let of = |(&param, &id): (&Param, &usize)| Some((param, gradients.get(id)?.clone()?));
        Grads(recording.used.iter().filter_map(of).collect())
    }
}
