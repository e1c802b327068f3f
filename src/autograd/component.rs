//! Other functions in the place of a model's components: how a learner's functions come into a whole model.
//!
//! A layer asks its tape whether it has another function for it, and calls that instead. So whoever calls the layer, the
//! engine or another learner's function, gets the replacement.

use std::any::Any;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::rc::Rc;

use super::Tape;

/// A component that can be replaced: its name, and `F`, the type of its function.
pub struct Component<F> {
    name: &'static str,
    function: PhantomData<fn() -> F>,
}

impl<F> Component<F> {
    /// The component `name`. Two components have two names.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            function: PhantomData,
        }
    }

    /// What it is called.
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
    /// Whether it runs now: then its component is the engine's, which the replacement may call itself.
    running: bool,
}

/// A replacement that is about to run. As long as this lives, the component is the engine's again, so a function that
/// calls what it replaces does not call itself without end.
pub struct Replacement<F> {
    /// The function to call.
    pub function: F,
    name: &'static str,
    tape: Tape,
}

impl<F> Drop for Replacement<F> {
    fn drop(&mut self) {
        // A panic may have left the recording borrowed; then nothing runs on this tape any more.
        if let Ok(mut recording) = self.tape.0.try_borrow_mut()
            && let Some(placed) = recording.components.0.get_mut(self.name)
        {
            placed.running = false;
        }
    }
}

impl Tape {
    /// From now on `function` runs in the place of `component`.
    pub fn replace<F: Copy + 'static>(&self, component: &Component<F>, function: F) {
        let placed = Placed {
            function: Rc::new(function),
            calls: 0,
            running: false,
        };
        let mut recording = self.0.borrow_mut();
        recording.components.0.insert(component.name, placed);
    }

    /// The function that runs in the place of `component`, if there is one and it does not run already.
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

    /// How often each replacement was called, by its component's name.
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
