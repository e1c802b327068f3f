//! Memory that a value takes beyond its own `size_of`.

use std::sync::Arc;

use crate::autograd::Trace;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::adam::Adam;

/// Types that can estimate their heap usage. Tensors count in full, even if their buffers are shared.
pub trait Weigh {
    /// Heap memory in bytes, not counting `size_of` the value itself.
    fn heap(&self) -> usize;
}

/// Weighs a type by those of its fields that take heap memory.
#[macro_export]
macro_rules! weigh {
    ($type:ty $(: $($field:ident),+)?) => {
        impl $crate::lesson::memo::Weigh for $type {
            fn heap(&self) -> usize {
                0 $($(+ $crate::lesson::memo::Weigh::heap(&self.$field))+)?
            }
        }
    };
}

macro_rules! plain {
    ($($type:ty),*) => { $(impl Weigh for $type { fn heap(&self) -> usize { 0 } })* };
}
plain!(bool, u32, u64, usize, f32, f64);

impl Weigh for String {
    fn heap(&self) -> usize {
        self.len()
    }
}

impl<T: Weigh> Weigh for Vec<T> {
    fn heap(&self) -> usize {
        self.len() * size_of::<T>() + self.iter().map(Weigh::heap).sum::<usize>()
    }
}

impl<T: Weigh, const N: usize> Weigh for [T; N] {
    fn heap(&self) -> usize {
        self.iter().map(Weigh::heap).sum()
    }
}

impl<T: Weigh> Weigh for Option<T> {
    fn heap(&self) -> usize {
        self.as_ref().map_or(0, Weigh::heap)
    }
}

impl<T: Weigh> Weigh for Arc<T> {
    fn heap(&self) -> usize {
        size_of::<T>() + (**self).heap()
    }
}

impl<A: Weigh, B: Weigh> Weigh for (A, B) {
    fn heap(&self) -> usize {
        self.0.heap() + self.1.heap()
    }
}

impl Weigh for Tensor {
    fn heap(&self) -> usize {
        size_of::<f32>() * self.len()
    }
}

impl Weigh for Params {
    fn heap(&self) -> usize {
        self.iter().map(|(_, name, t)| name.len() + t.heap()).sum()
    }
}

impl Weigh for Adam {
    fn heap(&self) -> usize {
        self.moments.heap()
    }
}

impl Weigh for Trace {
    fn heap(&self) -> usize {
        let steps = self.steps().iter();
        steps.map(|step| step.name.len() + step.value.heap()).sum()
    }
}
