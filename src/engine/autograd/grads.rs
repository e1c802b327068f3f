//! The result of a backward pass.

use std::collections::HashMap;

use super::Var;
use crate::params::Param;
use crate::tensor::Tensor;

/// The gradients from one backward pass.
pub struct Grads {
    /// The gradient of each step, by its number.
    pub(super) by_id: Vec<Option<Tensor>>,
    /// The step of each parameter.
    pub(super) param_vars: HashMap<Param, usize>,
}

impl Grads {
    /// The gradient with respect to `var`; `None` if it had no influence or has no gradient.
    pub fn get(&self, var: &Var) -> Option<&Tensor> {
        self.by_id.get(var.id)?.as_ref()
    }

    /// The gradient with respect to a parameter; `None` if the run did not use it.
    pub fn param(&self, param: Param) -> Option<&Tensor> {
        self.by_id[*self.param_vars.get(&param)?].as_ref()
    }

    /// The gradient with respect to the step with this number.
    pub fn step(&self, id: usize) -> Option<&Tensor> {
        self.by_id.get(id)?.as_ref()
    }
}
