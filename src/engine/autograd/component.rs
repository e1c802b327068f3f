//! Replaceable components, through which a learner's functions run inside a complete model.
//!
//! A layer asks its tape for a replacement and calls that instead, so that every caller of the layer gets the
//! replacement: the engine as well as the learner's other functions.

use std::any::Any;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::rc::Rc;

use super::Tape;

/// A replaceable component, with its name and `F`, the type of its function.
pub struct Component<F> {
    name: &'static str,
    function: PhantomData<fn() -> F>,
}

impl<F> Component<F> {
    /// Creates the component `name`, which must be unique.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            function: PhantomData,
        }
    }

    /// The name of the component.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// The replacements of a tape, by the names of their components.
#[derive(Default)]
pub(super) struct Components(BTreeMap<&'static str, Placed>);

struct Placed {
    function: Rc<dyn Any>,
    calls: usize,
    /// Whether it is running. Meanwhile callers get the engine's function, so that the replacement may call it.
    running: bool,
}

/// A guard for a replacement that is about to run. While it lives, callers of the component get the engine's function,
/// so that a replacement that calls what it replaces does not recurse for ever.
pub struct Replacement<F> {
    /// The function to call.
    pub function: F,
    name: &'static str,
    tape: Tape,
}

impl<F> Drop for Replacement<F> {
    fn drop(&mut self) {
        // A panic may have left the recording borrowed, but then nothing more runs on this tape.
        if let Ok(mut recording) = self.tape.0.try_borrow_mut()
            && let Some(placed) = recording.components.0.get_mut(self.name)
        {
            placed.running = false;
        }
    }
}

impl Tape {
    /// Runs `function` instead of `component` from now on.
    pub fn replace<F: Copy + 'static>(&self, component: &Component<F>, function: F) {
        let placed = Placed {
            function: Rc::new(function),
            calls: 0,
            running: false,
        };
        let mut recording = self.0.borrow_mut();
        recording.components.0.insert(component.name, placed);
    }

    /// The replacement for `component`, if there is one and it is not running already.
    pub fn replacement<F: Copy + 'static>(
        &self,
        component: &Component<F>,
    ) -> Option<Replacement<F>> {
        let mut recording = self.0.borrow_mut();
        let placed = recording.components.0.get_mut(component.name)?;
        if placed.running {
            return None;
        }
        let function = *placed.function.downcast_ref::<F>()?;
        placed.running = true;
        placed.calls += 1;
        Some(Replacement {
            function,
            name: component.name,
            tape: self.clone(),
        })
    }

    /// The number of calls of each replacement, by component name.
    pub fn calls(&self) -> BTreeMap<&'static str, usize> {
        let recording = self.0.borrow();
        let placed = recording.components.0.iter();
        placed.map(|(name, placed)| (*name, placed.calls)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Var;
    use crate::params::Params;
    use crate::tensor::Tensor;

    const DOUBLE: Component<fn(&Var) -> Var> = Component::new("double");

    fn double(x: &Var) -> Var {
        match x.tape().replacement(&DOUBLE) {
            Some(own) => (own.function)(x),
            None => x.scale(2.0),
        }
    }

    #[test]
    fn a_replacement_may_call_what_it_replaces_and_is_counted() {
        let tape = Tape::eval(&Params::default());
        let x = tape.input("x", Tensor::scalar(1.0), &[]);
        assert_eq!(double(&x).value(), Tensor::scalar(2.0));
        tape.replace(&DOUBLE, |x| double(x).scale(10.0));
        for _ in 0..2 {
            assert_eq!(double(&x).value(), Tensor::scalar(20.0));
        }
        assert_eq!(tape.calls()["double"], 2);
    }
}
