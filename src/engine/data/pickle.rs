//! The pickles in which PyTorch describes tensors, read without executing anything.
//!
//! A pickle is a program for a stack machine that can call any function. This reader knows the operations that a
//! dictionary of tensors needs and no more: the only calls are those of two known functions, which are carried out
//! here. Anything else is refused by name.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Maximum number of axes of a tensor.
const AXES: usize = 8;
/// Maximum number of operations; a hundred thousand tensors take half as many.
const OPERATIONS: usize = 8_000_000;
/// Maximum length of a storage's key in bytes; PyTorch's keys are short numbers.
const KEY: usize = 100;

/// Data types of the numbers in a storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    F32,
    F16,
    BF16,
}

impl Numbers {
    /// Bytes per number.
    pub fn width(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::BF16 => 2,
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

type Dict = Rc<RefCell<BTreeMap<String, View>>>;

#[derive(Clone)]
enum Value {
    Mark,
    None,
    Bool,
    Number(i64),
    Text(Rc<str>),
    Tuple(Rc<[Value]>),
    Dict(Dict),
    Kind(Numbers),
    RebuildTensor,
    OrderedDict,
    Storage(Rc<Storage>),
    Tensor(Rc<View>),
}

/// Reads the dictionary of tensors that a pickle describes. Also returns the bytes after the pickle.
pub fn tensors(bytes: &[u8]) -> Result<(BTreeMap<String, View>, &[u8]), String> {
    let mut machine = Machine {
        bytes,
        stack: Vec::new(),
        memo: HashMap::new(),
    };
    match machine.run()? {
        Value::Dict(dict) => Ok((dict.take(), machine.bytes)),
        other => Err(format!(
            "it holds {}, not a dictionary of tensors",
            other.what()
        )),
    }
}

/// Reads a pickle that is a list of texts and nothing else. Also returns the bytes after the pickle.
pub fn texts(bytes: &[u8]) -> Result<(Vec<String>, &[u8]), String> {
    let mut machine = Machine {
        bytes,
        stack: Vec::new(),
        memo: HashMap::new(),
    };
    let mut found = Vec::new();
    loop {
        match machine.take(1)?[0] {
            0x80 | b'q' => drop(machine.take(1)?),
            b'r' => drop(machine.take(4)?),
            b']' | b'(' | b'a' | b'e' => {}
            b'X' => found.push(machine.text()?.to_owned()),
            b'.' => return Ok((found, machine.bytes)),
            other => return Err(refused(other)),
        }
    }
}

struct Machine<'a> {
    bytes: &'a [u8],
    stack: Vec<Value>,
    memo: HashMap<u32, Value>,
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
            Self::Dict(_) => "a dictionary",
            Self::Kind(_) => "a kind of storage",
            Self::RebuildTensor | Self::OrderedDict => "a function",
            Self::Storage(_) => "a storage",
            Self::Tensor(_) => "a tensor",
        }
    }

    fn size(&self) -> Option<usize> {
        match self {
            Self::Number(n) => usize::try_from(*n).ok(),
            _ => None,
        }
    }

    fn sizes(&self) -> Option<Vec<usize>> {
        match self {
            Self::Tuple(parts) if parts.len() <= AXES => parts.iter().map(Self::size).collect(),
            _ => None,
        }
    }
}

impl<'a> Machine<'a> {
    fn run(&mut self) -> Result<Value, String> {
        for _ in 0..OPERATIONS {
            let operation = self.take(1)?[0];
            match operation {
                0x80 => match self.take(1)?[0] {
                    2 => {}
                    n => {
                        return Err(format!(
                            "its pickle is of protocol {n}; PyTorch's is of protocol 2"
                        ));
                    }
                },
                b'}' => self.push(Value::Dict(Dict::default())),
                b')' => self.push(Value::Tuple(Rc::new([]))),
                b'(' => self.push(Value::Mark),
                b't' => {
                    let parts = self.above_mark()?;
                    self.tuple(parts)?;
                }
                0x85..=0x87 => {
                    let parts = self.pop_many(usize::from(operation - 0x84))?;
                    self.tuple(parts)?;
                }
                b'N' => self.push(Value::None),
                0x88 | 0x89 => self.push(Value::Bool),
                b'K' => {
                    let number = self.number(1)?;
                    self.push(Value::Number(number));
                }
                b'M' => {
                    let number = self.number(2)?;
                    self.push(Value::Number(number));
                }
                b'J' => {
                    let number = self.number(4)? as i32;
                    self.push(Value::Number(number.into()));
                }
                0x8A => {
                    let width = self.take(1)?[0];
                    if width > 7 {
                        return Err(format!("its pickle has a number of {width} bytes"));
                    }
                    let number = self.number(width.into())?;
                    // The highest bit is the sign.
                    let negative = width > 0 && number >> (8 * width - 1) & 1 == 1;
                    let number = if negative {
                        number - (1 << (8 * width))
                    } else {
                        number
                    };
                    self.push(Value::Number(number));
                }
                b'X' => {
                    let text = self.text()?;
                    self.push(Value::Text(text.into()));
                }
                b'q' => {
                    let place = self.number(1)?;
                    self.keep(place)?;
                }
                b'r' => {
                    let place = self.number(4)?;
                    self.keep(place)?;
                }
                b'h' => {
                    let place = self.number(1)?;
                    self.recall(place)?;
                }
                b'j' => {
                    let place = self.number(4)?;
                    self.recall(place)?;
                }
                b'c' => {
                    let value = self.global()?;
                    self.push(value);
                }
                b'Q' => {
                    let value = self.pop()?;
                    let storage = storage(&value)?;
                    self.push(Value::Storage(Rc::new(storage)));
                }
                b'R' => {
                    let (arguments, function) = (self.pop()?, self.pop()?);
                    let value = call(&function, &arguments)?;
                    self.push(value);
                }
                b's' => {
                    let pair = self.pop_many(2)?;
                    self.set(pair)?;
                }
                b'u' => {
                    let pairs = self.above_mark()?;
                    self.set(pairs)?;
                }
                // The attributes of an ordered dictionary (PyTorch's _metadata) contain no tensors.
                b'b' => match (self.pop()?, self.stack.last()) {
                    (Value::Dict(_), Some(Value::Dict(_))) => {}
                    (state, _) => {
                        return Err(format!(
                            "its pickle builds an object from {}, which is refused",
                            state.what()
                        ));
                    }
                },
                b'.' => return self.pop(),
                other => return Err(refused(other)),
            }
        }
        Err(format!(
            "its pickle has more than {OPERATIONS} operations, which no weights need"
        ))
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self
            .bytes
            .split_at_checked(count)
            .ok_or("its pickle is cut short")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn number(&mut self, width: usize) -> Result<i64, String> {
        let bytes = self.take(width)?.iter().rev();
        Ok(bytes.fold(0, |number, byte| number << 8 | i64::from(*byte)))
    }

    fn text(&mut self) -> Result<&'a str, String> {
        let length = self.number(4)? as usize;
        let text = std::str::from_utf8(self.take(length)?);
        text.map_err(|_| "its pickle has a text that is not UTF-8".to_owned())
    }

    /// Reads a name up to the end of its line.
    fn line(&mut self) -> Result<&'a str, String> {
        let end = self.bytes.iter().take(200).position(|byte| *byte == b'\n');
        let line = self.take(end.ok_or("its pickle has a name without end")? + 1)?;
        std::str::from_utf8(&line[..line.len() - 1])
            .map_err(|_| "its pickle has a name that is not UTF-8".to_owned())
    }

    fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    fn pop(&mut self) -> Result<Value, String> {
        self.stack
            .pop()
            .ok_or_else(|| "its pickle takes more from its stack than is there".to_owned())
    }

    fn pop_many(&mut self, count: usize) -> Result<Vec<Value>, String> {
        let start = self.stack.len().checked_sub(count);
        let start = start.ok_or("its pickle takes more from its stack than is there")?;
        Ok(self.stack.split_off(start))
    }

    fn above_mark(&mut self) -> Result<Vec<Value>, String> {
        let mark = self
            .stack
            .iter()
            .rposition(|value| matches!(value, Value::Mark));
        let values = self
            .stack
            .split_off(mark.ok_or("its pickle closes what it has not opened")? + 1);
        self.stack.pop();
        Ok(values)
    }

    fn tuple(&mut self, parts: Vec<Value>) -> Result<(), String> {
        // A tensor's arguments contain tuples, which contain no further ones. This check keeps the nesting finite.
        let nested = |part: &Value| matches!(part, Value::Tuple(inner) if inner.iter().any(|x| matches!(x, Value::Tuple(_))));
        if parts.iter().any(nested) {
            return Err("its pickle nests tuples deeper than tensors need".to_owned());
        }
        self.push(Value::Tuple(parts.into()));
        Ok(())
    }

    fn keep(&mut self, place: i64) -> Result<(), String> {
        let value = self
            .stack
            .last()
            .ok_or("its pickle remembers what is not there")?;
        self.memo.insert(place as u32, value.clone());
        Ok(())
    }

    fn recall(&mut self, place: i64) -> Result<(), String> {
        let value = self.memo.get(&(place as u32)).cloned();
        let value = value.ok_or("its pickle recalls what it has not remembered")?;
        self.push(value);
        Ok(())
    }

    fn global(&mut self) -> Result<Value, String> {
        let (module, name) = (self.line()?, self.line()?);
        Ok(match (module, name) {
            ("torch._utils", "_rebuild_tensor_v2") => Value::RebuildTensor,
            ("collections", "OrderedDict") => Value::OrderedDict,
            ("torch", "FloatStorage") => Value::Kind(Numbers::F32),
            ("torch", "HalfStorage") => Value::Kind(Numbers::F16),
            ("torch", "BFloat16Storage") => Value::Kind(Numbers::BF16),
            _ => {
                return Err(format!(
                    "its pickle asks for {module}.{name}, which no weights need; it is refused"
                ));
            }
        })
    }

    /// Adds pairs of keys and values to the dictionary below them on the stack. Values other than tensors are left out.
    fn set(&mut self, pairs: Vec<Value>) -> Result<(), String> {
        let Some(Value::Dict(dict)) = self.stack.last() else {
            return Err("its pickle puts something into what is no dictionary".to_owned());
        };
        if !pairs.len().is_multiple_of(2) {
            return Err("its pickle has a key without a value".to_owned());
        }
        for pair in pairs.chunks_exact(2) {
            if let (Value::Text(key), Value::Tensor(view)) = (&pair[0], &pair[1])
                && dict
                    .borrow_mut()
                    .insert(key.to_string(), (**view).clone())
                    .is_some()
            {
                return Err(format!("it has the tensor {key} twice"));
            }
        }
        Ok(())
    }
}

fn refused(operation: u8) -> String {
    let name = match operation {
        b'i' => "INST",
        b'o' => "OBJ",
        0x81 => "NEWOBJ",
        0x92 => "NEWOBJ_EX",
        0x93 => "STACK_GLOBAL",
        0x82..=0x84 => "EXT",
        b'P' => "PERSID",
        b'a' => "APPEND",
        b'e' => "APPENDS",
        b']' => "EMPTY_LIST",
        b'0' => "POP",
        b'2' => "DUP",
        _ => {
            return format!(
                "its pickle has the operation {operation:#04x}, which no weights need; it is refused"
            );
        }
    };
    format!("its pickle has the operation {name}, which no weights need; it is refused")
}

/// Parses `('storage', kind, key, device, count)`. Before version 1.6, PyTorch added a view, which was always `None`.
fn storage(value: &Value) -> Result<Storage, String> {
    let wrong = || "its pickle names a storage in a way that is not PyTorch's".to_owned();
    let Value::Tuple(parts) = value else {
        return Err(wrong());
    };
    let parts = match &parts[..] {
        [five @ .., Value::None] => five,
        five => five,
    };
    let [
        Value::Text(word),
        Value::Kind(numbers),
        Value::Text(key),
        Value::Text(_),
        count,
    ] = parts
    else {
        return Err(wrong());
    };
    if &**word != "storage" || key.len() > KEY {
        return Err(wrong());
    }
    Ok(Storage {
        key: key.to_string(),
        numbers: *numbers,
        count: count.size().ok_or_else(wrong)?,
    })
}

/// Performs one of the two permitted calls: an ordered dictionary without arguments, or a tensor of a storage.
fn call(function: &Value, arguments: &Value) -> Result<Value, String> {
    let Value::Tuple(arguments) = arguments else {
        return Err("its pickle calls a function without a tuple of arguments".to_owned());
    };
    match (function, &arguments[..]) {
        (Value::OrderedDict, []) => Ok(Value::Dict(Dict::default())),
        (
            Value::RebuildTensor,
            [
                Value::Storage(storage),
                offset,
                shape,
                strides,
                Value::Bool,
                Value::Dict(_),
                ..,
            ],
        ) => {
            let wrong = || "its pickle has a tensor whose sizes are no whole numbers".to_owned();
            let view = View {
                storage: (**storage).clone(),
                offset: offset.size().ok_or_else(wrong)?,
                shape: shape.sizes().ok_or_else(wrong)?,
                strides: strides.sizes().ok_or_else(wrong)?,
            };
            Ok(Value::Tensor(Rc::new(view)))
        }
        (Value::RebuildTensor, _) => {
            Err("its pickle builds a tensor of something that is no storage".to_owned())
        }
        (Value::OrderedDict, _) => {
            Err("its pickle gives an ordered dictionary arguments, which is refused".to_owned())
        }
        (other, _) => Err(format!(
            "its pickle calls {}, which is no function",
            other.what()
        )),
    }
}

#[cfg(test)]
mod tests;
