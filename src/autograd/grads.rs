//! What a backward walk gives.

use std::collections::HashMap;

use super::Var;
use crate::params::Param;
use crate::tensor::Tensor;

/// The gradients of one backward walk.
pub struct Grads {
    /// By the number of the step.
    pub(super) by_id: Vec<Option<Tensor>>,
    /// The step of each parameter.
    pub(super) param_vars: HashMap<Param, usize>,
}

impl Grads {
    /// The gradient by `var`; `None` if it had no influence or has no gradient.
    pub fn get(&self, var: &Var) -> Option<&Tensor> {
        self.by_id.get(var.id)?.as_ref()
    }

    /// The gradient by a parameter; `None` if the run did not use it.
    pub fn param(&self, param: Param) -> Option<&Tensor> {
        self.by_id[*self.param_vars.get(&param)?].as_ref()
    }

    /// The gradient by the step with this number.
    pub fn step(&self, id: usize) -> Option<&Tensor> {
        self.by_id.get(id)?.as_ref()
    }
}
