//! Replaceable components, through which a learner's functions, or faulty ones, run inside a complete model.
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
    /// Creates the component `name`. No other component has this name: see [`Tape::replacement`].
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

/// The replacements of a tape.
#[derive(Default)]
pub(super) struct Components(BTreeMap<Place, Placed>);

/// Name of a component, and the scope in which it is replaced; the empty one is everywhere.
type Place = (&'static str, String);

struct Placed {
    function: Rc<dyn Any>,
    calls: usize,
    /// True while it runs. Meanwhile callers get the engine's function, so that the replacement may call it.
    running: bool,
}

/// A guard for a replacement that is about to run. While it lives, callers of the component get the engine's function,
/// so that a replacement that calls what it replaces does not recurse for ever.
pub struct Replacement<F> {
    /// The function to call.
    pub function: F,
    place: Place,
    tape: Tape,
}

impl<F> Drop for Replacement<F> {
    fn drop(&mut self) {
        // A panic may have left the recording borrowed, but then nothing more runs on this tape.
        if let Ok(mut recording) = self.tape.0.try_borrow_mut()
            && let Some(placed) = recording.components.0.get_mut(&self.place)
        {
            placed.running = false;
        }
    }
}

impl Tape {
    /// Runs `function` instead of `component` from now on.
    pub fn replace<F: Copy + 'static>(&self, component: &Component<F>, function: F) {
        self.replace_in("", component, function);
    }

    /// Runs `function` instead of `component` in one scope, such as `encoder.layers.0.self_attn`, from now on. It takes
    /// precedence over a replacement everywhere. Scopes inside that one are not affected.
    pub fn replace_in<F: Copy + 'static>(
        &self,
        scope: &str,
        component: &Component<F>,
        function: F,
    ) {
        let placed = Placed {
            function: Rc::new(function),
            calls: 0,
            running: false,
        };
        let mut recording = self.0.borrow_mut();
        let key = (component.name, scope.to_owned());
        recording.components.0.insert(key, placed);
    }

    /// The replacement for `component`, if there is one and it is not running already. Panics if the replacement is of
    /// another component with the same name.
    pub fn replacement<F: Copy + 'static>(
        &self,
        component: &Component<F>,
    ) -> Option<Replacement<F>> {
        let mut recording = self.0.borrow_mut();
        if recording.components.0.is_empty() {
            return None;
        }
        let mut key = (component.name, recording.scope.join("."));
        if !recording.components.0.contains_key(&key) {
            key.1.clear();
        }
        let placed = recording.components.0.get_mut(&key)?;
        if placed.running {
            return None;
        }
        let function = placed.function.downcast_ref::<F>();
        let function = *function.unwrap_or_else(|| {
            panic!(
                "two components have the name {}, with different types of functions",
                component.name
            )
        });
        placed.running = true;
        placed.calls += 1;
        Some(Replacement {
            function,
            place: key,
            tape: self.clone(),
        })
    }

    /// The number of calls of each component's replacements, by component name.
    pub fn calls(&self) -> BTreeMap<&'static str, usize> {
        let mut calls = BTreeMap::new();
        for ((name, _), placed) in &self.0.borrow().components.0 {
            *calls.entry(*name).or_default() += placed.calls;
        }
        calls
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

    #[test]
    #[should_panic(expected = "two components have the name double")]
    fn a_second_component_with_the_same_name_is_refused() {
        const OTHER: Component<fn(f32) -> f32> = Component::new("double");
        let tape = Tape::eval(&Params::default());
        tape.replace(&OTHER, |x| 2.0 * x);
        double(&tape.input("x", Tensor::scalar(1.0), &[]));
    }

    #[test]
    fn a_replacement_in_a_scope_runs_only_there_and_takes_precedence() {
        let tape = Tape::eval(&Params::default());
        let x = tape.input("x", Tensor::scalar(1.0), &[]);
        let within = |scope: &str| tape.scoped(scope, || double(&x)).value();
        tape.replace_in("layers.1", &DOUBLE, |x| x.scale(3.0));
        assert_eq!(within("layers.0"), Tensor::scalar(2.0));
        assert_eq!(within("layers.1"), Tensor::scalar(3.0));
        assert_eq!(tape.scoped("layers", || within("1")), Tensor::scalar(3.0));
        tape.replace(&DOUBLE, |x| x.scale(4.0));
        assert_eq!(within("layers.0"), Tensor::scalar(4.0));
        assert_eq!(within("layers.1"), Tensor::scalar(3.0));
        assert_eq!(tape.calls()["double"], 4);
    }
}
