//! The inputs of an exercise's function, as values with names that an instrument can change.
//!
//! The build script makes a second function with the signature of each exercise. Between its caller and the function that
//! an instrument runs, it takes the inputs apart, changes some, and hands them on.

use std::any::Any;
use std::cell::RefCell;
use std::vec::IntoIter;

use crate::autograd::{Alteration, Altered, altered};
use crate::autograd::{Nature, Var};
use crate::tensor::Tensor;
use crate::train::adam::Rules;

/// One input, or one field of it.
#[derive(Clone)]
pub enum Value {
    Whole(i64),
    Real(f64),
    List(Vec<f64>),
    Tensor(Tensor),
    Var(Var),
    /// A mask or another input that is left out.
    Absent,
}

/// An input that can be taken apart and put together again.
pub trait Argument<'a>: Sized {
    /// Owner of what is handed on.
    type Keep: Default;

    /// Adds its values, each with its name.
    fn values(&self, name: &str, out: &mut Vec<(String, Value)>);

    /// The input with the next of these values in place of its own.
    fn changed(self, values: &mut IntoIter<Value>, keep: &'a mut Self::Keep) -> Self;
}

macro_rules! numbers {
    ($($type:ty, $variant:ident;)*) => {$(
        impl Argument<'_> for $type {
            type Keep = ();

            fn values(&self, name: &str, out: &mut Vec<(String, Value)>) {
                out.push((name.to_owned(), Value::$variant(*self as _)));
            }

            fn changed(self, values: &mut IntoIter<Value>, (): &mut ()) -> Self {
                match values.next() {
                    Some(Value::Whole(n)) => Self::try_from_whole(n),
                    Some(Value::Real(x)) => x as Self,
                    _ => self,
                }
            }
        }
    )*};
}
numbers! { usize, Whole; u64, Whole; u32, Whole; i32, Whole; f32, Real; f64, Real; }

/// Numbers that a whole number can be turned into. Panics if it does not fit: a size is not negative.
trait FromWhole {
    fn try_from_whole(n: i64) -> Self;
}

macro_rules! from_whole {
    ($($type:ty)*) => {$(
        impl FromWhole for $type {
            fn try_from_whole(n: i64) -> Self {
                Self::try_from(n).unwrap_or_else(|_| panic!("{n} does not fit"))
            }
        }
    )*};
}
from_whole! { usize u64 u32 i32 }

impl FromWhole for f32 {
    fn try_from_whole(n: i64) -> Self {
        n as Self
    }
}

impl FromWhole for f64 {
    fn try_from_whole(n: i64) -> Self {
        n as Self
    }
}

macro_rules! lists {
    ($($item:ty)*) => {$(
        impl<'a> Argument<'a> for &'a [$item] {
            type Keep = Vec<$item>;

            fn values(&self, name: &str, out: &mut Vec<(String, Value)>) {
                let list = self.iter().map(|&x| x as f64);
                out.push((name.to_owned(), Value::List(list.collect())));
            }

            fn changed(self, values: &mut IntoIter<Value>, keep: &'a mut Self::Keep) -> Self {
                if let Some(Value::List(list)) = values.next() {
                    *keep = list.iter().map(|&x| x as $item).collect();
                }
                keep
            }
        }
    )*};
}
lists! { f32 f64 usize }

impl<'a> Argument<'a> for &'a [(usize, usize)] {
    type Keep = Vec<(usize, usize)>;

    fn values(&self, name: &str, out: &mut Vec<(String, Value)>) {
        let of = |take: fn(&(usize, usize)) -> usize| self.iter().map(move |p| take(p) as f64);
        let (first, second) = (of(|p| p.0).collect(), of(|p| p.1).collect());
        out.push((format!("{name}.0"), Value::List(first)));
        out.push((format!("{name}.1"), Value::List(second)));
    }

    fn changed(self, values: &mut IntoIter<Value>, keep: &'a mut Self::Keep) -> Self {
        if let (Some(Value::List(a)), Some(Value::List(b))) = (values.next(), values.next()) {
            let pairs = a.iter().zip(&b).map(|(&a, &b)| (a as usize, b as usize));
            *keep = pairs.collect();
        }
        keep
    }
}

impl<'a> Argument<'a> for &'a Tensor {
    type Keep = Option<Tensor>;

    fn values(&self, name: &str, out: &mut Vec<(String, Value)>) {
        out.push((name.to_owned(), Value::Tensor((*self).clone())));
    }

    fn changed(self, values: &mut IntoIter<Value>, keep: &'a mut Self::Keep) -> Self {
        match values.next() {
            Some(Value::Tensor(t)) => keep.insert(t),
            _ => self,
        }
    }
}

impl<'a> Argument<'a> for &'a Var {
    type Keep = Option<Var>;

    fn values(&self, name: &str, out: &mut Vec<(String, Value)>) {
        out.push((name.to_owned(), Value::Var((*self).clone())));
    }

    fn changed(self, values: &mut IntoIter<Value>, keep: &'a mut Self::Keep) -> Self {
        match values.next() {
            Some(Value::Var(var)) => keep.insert(var),
            _ => self,
        }
    }
}

impl<'a> Argument<'a> for Option<&'a Var> {
    type Keep = Option<Var>;

    fn values(&self, name: &str, out: &mut Vec<(String, Value)>) {
        let value = self.map_or(Value::Absent, |var| Value::Var(var.clone()));
        out.push((name.to_owned(), value));
    }

    fn changed(self, values: &mut IntoIter<Value>, keep: &'a mut Self::Keep) -> Self {
        match values.next() {
            Some(Value::Var(var)) => Some(keep.insert(var)),
            _ => None,
        }
    }
}

impl<'a> Argument<'a> for &'a Rules {
    type Keep = Option<Rules>;

    fn values(&self, _: &str, out: &mut Vec<(String, Value)>) {
        let Rules {
            rate,
            beta1,
            beta2,
            epsilon,
            decay,
        } = **self;
        for (name, number) in [
            ("rate", rate),
            ("beta1", beta1),
            ("beta2", beta2),
            ("epsilon", epsilon),
            ("decay", decay),
        ] {
            number.values(name, out);
        }
    }

    fn changed(self, values: &mut IntoIter<Value>, keep: &'a mut Self::Keep) -> Self {
        let mut next = |own: f32| own.changed(values, &mut ());
        keep.insert(Rules {
            rate: next(self.rate),
            beta1: next(self.beta1),
            beta2: next(self.beta2),
            epsilon: next(self.epsilon),
            decay: next(self.decay),
        })
    }
}

/// Inputs that are handed on as they are: layers, whose parameters no instrument changes, words and callbacks.
macro_rules! kept {
    ($($type:ty),* $(,)?) => {$(
        impl<'a> Argument<'a> for &'a $type {
            type Keep = ();

            fn values(&self, _: &str, _: &mut Vec<(String, Value)>) {}

            fn changed(self, _: &mut IntoIter<Value>, (): &'a mut ()) -> Self {
                self
            }
        }
    )*};
}
kept! {
    crate::nn::multi_head_attention::MultiHeadAttention,
    crate::nn::three_uses::ThreeUses,
    crate::nn::feed_forward::FeedForward,
    crate::transformer::encoder::EncoderLayer,
    crate::transformer::decoder::DecoderLayer,
    crate::transformer::generator::Generator,
    crate::transformer::Transformer,
    crate::data::batch::Batch,
    [Vec<f32>],
    [&'a str],
    [(&'a str, usize)],
    dyn Fn(&[usize]) -> Vec<f32> + 'a,
}

impl<'a, T: ?Sized> Argument<'a> for &'a mut T {
    type Keep = ();

    fn values(&self, _: &str, _: &mut Vec<(String, Value)>) {}

    fn changed(self, _: &mut IntoIter<Value>, (): &'a mut ()) -> Self {
        self
    }
}

/// What a call that was recorded got.
pub type Call = Vec<(String, Value)>;

/// The function that the second one calls, and what happens to its inputs and steps.
struct Inner {
    function: Box<dyn Any>,
    change: Box<dyn Fn(&mut [Value])>,
    step: Option<(usize, Alteration)>,
    calls: Vec<Call>,
    steps: Vec<Altered>,
}

thread_local! {
    static INNER: RefCell<Option<Inner>> = const { RefCell::new(None) };
}

/// Runs `work`, in which an exercise's second function calls `function` with changed inputs, or with a changed step.
/// Returns the result, what every call got, and the steps of the longest call.
pub(super) fn with<F: 'static, T>(
    function: F,
    change: impl Fn(&mut [Value]) + 'static,
    step: Option<(usize, Alteration)>,
    work: impl FnOnce() -> T,
) -> (T, Vec<Call>, Vec<Altered>) {
    INNER.set(Some(Inner {
        function: Box::new(function),
        change: Box::new(change),
        step,
        calls: Vec::new(),
        steps: Vec::new(),
    }));
    let result = work();
    let inner = INNER.take().expect("set above");
    (result, inner.calls, inner.steps)
}

/// For the second function: the function to call, and the inputs to call it with.
pub fn entered<F: Copy + 'static>(call: Call) -> (F, IntoIter<Value>) {
    INNER.with_borrow_mut(|inner| {
        let inner = inner.as_mut().expect("an instrument runs it");
        let function = inner.function.downcast_ref::<F>();
        let function = *function.expect("the type of the exercise's functions");
        let mut values: Vec<Value> = call.iter().map(|(_, value)| value.clone()).collect();
        (inner.change)(&mut values);
        inner.calls.push(call);
        (function, values.into_iter())
    })
}

/// For the second function: runs the call.
pub fn called<T>(call: impl FnOnce() -> T) -> T {
    let step = INNER.with_borrow(|inner| inner.as_ref().and_then(|inner| inner.step));
    let (result, steps) = altered(step, call);
    INNER.with_borrow_mut(|inner| {
        if let Some(inner) = inner
            && steps.len() > inner.steps.len()
        {
            inner.steps = steps;
        }
    });
    result
}

impl Value {
    /// The value with its numbers changed; a number stays of its kind.
    pub(super) fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::Whole(n) => Self::Whole(change(*n as f64).round() as i64),
            Self::Real(x) => Self::Real(change(*x)),
            Self::List(list) => Self::List(list.iter().map(|&x| change(x)).collect()),
            Self::Tensor(_) | Self::Var(_) => {
                self.with_tensor(|t| t.map(|x| change(f64::from(x)) as f32))
            }
            Self::Absent => Self::Absent,
        }
    }

    /// The value with its tensor replaced, on the same tape if it is on one.
    pub(super) fn with_tensor(&self, change: impl FnOnce(&Tensor) -> Tensor) -> Self {
        match self {
            Self::Tensor(t) => Self::Tensor(change(t)),
            Self::Var(var) => {
                let (tape, axes, value) = (var.tape(), var.axes(), change(&var.value()));
                Self::Var(match var.nature() {
                    Nature::Ids => tape.ids("changed", value, &axes),
                    Nature::Mask => tape.mask("changed", value, &axes),
                    Nature::Signed | Nature::Probability => tape.constant("changed", value, &axes),
                })
            }
            other => other.clone(),
        }
    }

    /// The numbers and their shape: none for a single number.
    pub(super) fn tensor(&self) -> Option<Tensor> {
        match self {
            Self::Tensor(t) => Some(t.clone()),
            Self::Var(var) => Some(var.value()),
            Self::List(list) => {
                let numbers = list.iter().map(|&x| x as f32).collect();
                Some(Tensor::new(&[list.len()], numbers))
            }
            Self::Whole(_) | Self::Real(_) | Self::Absent => None,
        }
    }

    /// The single number.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(n) => Some(*n as f64),
            Self::Real(x) => Some(*x),
            _ => None,
        }
    }

    /// True if numbers of the value are no quantities: ids and masks.
    pub(super) fn is_discrete(&self) -> bool {
        match self {
            Self::Var(var) => matches!(var.nature(), Nature::Ids | Nature::Mask),
            Self::Tensor(t) => t.data().iter().all(|x| x.fract() == 0.0),
            Self::List(list) => list.iter().all(|x| x.fract() == 0.0),
            Self::Whole(_) => true,
            Self::Real(_) | Self::Absent => false,
        }
    }
}
