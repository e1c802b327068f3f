//! The pickles in which PyTorch describes tensors, read without executing anything.
//!
//! A pickle is a program for a stack machine that can call any function. The `machine` here knows the operations that
//! plain data needs: numbers, texts, tuples, lists, dictionaries and tensors. The only calls are those of a few known
//! functions (`globals`), which are carried out here. Anything else is refused by name.

mod globals;
mod machine;
mod state_dict;

use std::rc::Rc;

use globals::Function;
use machine::Machine;

/// Data types of the numbers in a storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    F64,
    F32,
    F16,
    BF16,
    /// Whole numbers or truth values of so many bytes, which no weights are made of.
    Whole(usize),
}

impl Numbers {
    /// Bytes per number.
    pub fn width(self) -> usize {
        match self {
            Self::F64 => 8,
            Self::F32 => 4,
            Self::F16 | Self::BF16 => 2,
            Self::Whole(width) => width,
        }
    }
}

/// A sequence of numbers, stored beside the pickle under its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    pub key: String,
    pub numbers: Numbers,
    pub count: usize,
}

/// A tensor, as a view of a storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub storage: Storage,
    pub offset: usize,
    pub shape: Vec<usize>,
    pub strides: Vec<usize>,
}

/// A value of a pickle. Containers are indices into a [`Heap`], so nesting has no depth and a cycle is harmless.
#[derive(Clone)]
enum Value {
    Mark,
    None,
    Bool,
    /// A whole number; `None` for a fraction, or a number beyond 64 bits.
    Number(Option<i64>),
    Text(Rc<str>),
    Tuple(usize),
    List(usize),
    Dict(usize),
    Kind(Numbers),
    Function(Function),
    Storage(Rc<Storage>),
    Tensor(Rc<View>),
    /// Plain data that no weights are made of, by its name.
    Other(&'static str),
}

/// Contents of the containers of a pickle.
#[derive(Default)]
struct Heap {
    sequences: Vec<Vec<Value>>,
    dicts: Vec<Vec<(Value, Value)>>,
}

/// A pickle that has been read.
pub struct Pickle {
    root: Value,
    heap: Heap,
}

impl Pickle {
    /// Reads a pickle.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut machine = Machine::new(bytes);
        let root = machine.run()?;
        let heap = machine.heap;
        Ok(Self { root, heap })
    }
}

impl Heap {
    /// Value of the last entry of a dictionary with this key.
    fn entry(&self, dict: usize, key: &str) -> Option<&Value> {
        let entries = self.dicts[dict].iter().rev();
        let mut entries = entries.filter(|(k, _)| matches!(k, Value::Text(text) if **text == *key));
        entries.next().map(|(_, value)| value)
    }

    fn tuple(&mut self, values: Vec<Value>) -> Value {
        self.sequences.push(values);
        Value::Tuple(self.sequences.len() - 1)
    }

    fn list(&mut self, values: Vec<Value>) -> Value {
        self.sequences.push(values);
        Value::List(self.sequences.len() - 1)
    }

    fn dict(&mut self, pairs: Vec<(Value, Value)>) -> Value {
        self.dicts.push(pairs);
        Value::Dict(self.dicts.len() - 1)
    }
}

impl Value {
    fn what(&self) -> &'static str {
        match self {
            Self::Mark => "a mark",
            Self::None => "nothing",
            Self::Bool => "a truth value",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::Tuple(_) => "a tuple",
            Self::List(_) => "a list",
            Self::Dict(_) => "a dictionary",
            Self::Kind(_) => "a kind of storage",
            Self::Function(_) => "a function",
            Self::Storage(_) => "a storage",
            Self::Tensor(_) => "a tensor",
            Self::Other(what) => what,
        }
    }

    fn size(&self) -> Option<usize> {
        match self {
            Self::Number(Some(number)) => usize::try_from(*number).ok(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
