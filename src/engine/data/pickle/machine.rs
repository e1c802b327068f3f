//! The stack machine that runs a pickle.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Heap, Value, globals};

/// Maximum number of operations; a hundred thousand tensors take half as many.
pub(super) const OPERATIONS: usize = 8_000_000;

/// A pickle being run.
pub(super) struct Machine<'a> {
    /// Bytes that are left.
    bytes: &'a [u8],
    stack: Vec<Value>,
    memo: HashMap<u64, Value>,
    pub heap: Heap,
}

impl<'a> Machine<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            stack: Vec::new(),
            memo: HashMap::new(),
            heap: Heap::default(),
        }
    }

    /// Runs the pickle up to its end, and returns the value that it leaves.
    pub fn run(&mut self) -> Result<Value, String> {
        for _ in 0..OPERATIONS {
            let operation = self.take(1)?[0];
            if operation == b'.' {
                return self.pop();
            }
            let known = self.framing(operation)?
                || self.scalar(operation)?
                || self.container(operation)?
                || self.stack_or_memo(operation)?
                || self.call(operation)?;
            if !known {
                return Err(refused(operation));
            }
        }
        Err(format!(
            "its pickle has more than {OPERATIONS} operations, which no weights need"
        ))
    }

    /// The protocol, and the frames of newer ones, which only help to read ahead.
    fn framing(&mut self, operation: u8) -> Result<bool, String> {
        match operation {
            0x80 => match self.take(1)?[0] {
                2..=5 => {}
                n => {
                    return Err(format!(
                        "its pickle is of protocol {n}; PyTorch's are of protocols 2 to 5"
                    ));
                }
            },
            0x95 => drop(self.take(8)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Numbers, texts and bytes.
    fn scalar(&mut self, operation: u8) -> Result<bool, String> {
        let value = match operation {
            b'N' => Value::None,
            0x88 | 0x89 => Value::Bool,
            b'K' => self.whole(1)?,
            b'M' => self.whole(2)?,
            b'J' => Value::Number(Some(i64::from(self.number(4)? as u32 as i32))),
            b'G' => {
                self.take(8)?;
                Value::Number(None)
            }
            0x8A => {
                let width = usize::from(self.take(1)?[0]);
                self.signed(width)?
            }
            0x8B => {
                let width = self.length(4)?;
                self.signed(width)?
            }
            b'X' => self.text(4)?,
            0x8C | b'U' => self.text(1)?,
            b'T' => self.text(4)?,
            0x8D => self.text(8)?,
            b'C' => self.blob(1)?,
            b'B' => self.blob(4)?,
            0x8E => self.blob(8)?,
            _ => return Ok(false),
        };
        self.stack.push(value);
        Ok(true)
    }

    /// Tuples, lists, dictionaries and sets.
    fn container(&mut self, operation: u8) -> Result<bool, String> {
        let value = match operation {
            b')' => self.heap.tuple(Vec::new()),
            b']' => self.heap.list(Vec::new()),
            b'}' => self.heap.dict(Vec::new()),
            0x8F => Value::Other("a set"),
            b't' => {
                let values = self.above_mark()?;
                self.heap.tuple(values)
            }
            0x85..=0x87 => {
                let values = self.pop_many(usize::from(operation - 0x84))?;
                self.heap.tuple(values)
            }
            b'l' => {
                let values = self.above_mark()?;
                self.heap.list(values)
            }
            0x91 => {
                self.above_mark()?;
                Value::Other("a set")
            }
            b'a' => {
                let value = self.pop()?;
                self.append(vec![value])?;
                return Ok(true);
            }
            b'e' => {
                let values = self.above_mark()?;
                self.append(values)?;
                return Ok(true);
            }
            // The items of a set, which are not needed.
            0x90 => {
                self.above_mark()?;
                return Ok(true);
            }
            b's' => {
                let pair = self.pop_many(2)?;
                self.set(pair)?;
                return Ok(true);
            }
            b'u' => {
                let pairs = self.above_mark()?;
                self.set(pairs)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.stack.push(value);
        Ok(true)
    }

    fn stack_or_memo(&mut self, operation: u8) -> Result<bool, String> {
        match operation {
            b'(' => self.stack.push(Value::Mark),
            b'0' => drop(self.pop()?),
            b'1' => drop(self.above_mark()?),
            b'2' => {
                let value = self.top()?.clone();
                self.stack.push(value);
            }
            b'q' => {
                let key = self.number(1)?;
                self.keep(key)?;
            }
            b'r' => {
                let key = self.number(4)?;
                self.keep(key)?;
            }
            0x94 => self.keep(self.memo.len() as u64)?,
            b'h' => {
                let key = self.number(1)?;
                self.recall(key)?;
            }
            b'j' => {
                let key = self.number(4)?;
                self.recall(key)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Globals, storages and calls.
    fn call(&mut self, operation: u8) -> Result<bool, String> {
        match operation {
            b'c' => {
                let (module, name) = (self.line()?, self.line()?);
                self.stack.push(globals::global(module, name)?);
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let (Value::Text(module), Value::Text(name)) = (module, name) else {
                    return Err("its pickle asks for a function whose name is not text".to_owned());
                };
                self.stack.push(globals::global(&module, &name)?);
            }
            b'Q' => {
                let value = self.pop()?;
                let storage = globals::storage(&value, &self.heap)?;
                self.stack.push(Value::Storage(Rc::new(storage)));
            }
            b'R' => {
                let (arguments, function) = (self.pop()?, self.pop()?);
                let value = globals::call(&function, &arguments, &mut self.heap)?;
                self.stack.push(value);
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
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self
            .bytes
            .split_at_checked(count)
            .ok_or("its pickle is cut short")?;
        self.bytes = rest;
        Ok(taken)
    }

    /// Reads a number without sign of at most eight bytes, the lowest first.
    fn number(&mut self, width: usize) -> Result<u64, String> {
        let bytes = self.take(width)?.iter().rev();
        Ok(bytes.fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn whole(&mut self, width: usize) -> Result<Value, String> {
        Ok(Value::Number(i64::try_from(self.number(width)?).ok()))
    }

    /// Reads a number with a sign, which is its highest bit.
    fn signed(&mut self, width: usize) -> Result<Value, String> {
        if width > 8 {
            self.take(width)?;
            return Ok(Value::Number(None));
        }
        let number = self.number(width)?;
        let unused = 64 - 8 * width as u32;
        let number = number.checked_shl(unused).unwrap_or(0) as i64;
        Ok(Value::Number(Some(number.checked_shr(unused).unwrap_or(0))))
    }

    fn length(&mut self, width: usize) -> Result<usize, String> {
        let length = usize::try_from(self.number(width)?);
        length.map_err(|_| "its pickle is cut short".to_owned())
    }

    fn text(&mut self, width: usize) -> Result<Value, String> {
        let length = self.length(width)?;
        let text = std::str::from_utf8(self.take(length)?);
        let text = text.map_err(|_| "its pickle has a text that is not UTF-8")?;
        Ok(Value::Text(text.into()))
    }

    fn blob(&mut self, width: usize) -> Result<Value, String> {
        let length = self.length(width)?;
        self.take(length)?;
        Ok(Value::Other("bytes"))
    }

    /// Reads a name up to the end of its line.
    fn line(&mut self) -> Result<&'a str, String> {
        let end = self.bytes.iter().take(200).position(|byte| *byte == b'\n');
        let line = self.take(end.ok_or("its pickle has a name without end")? + 1)?;
        std::str::from_utf8(&line[..line.len() - 1])
            .map_err(|_| "its pickle has a name that is not UTF-8".to_owned())
    }

    fn top(&self) -> Result<&Value, String> {
        let top = self.stack.last();
        top.ok_or_else(|| "its pickle takes more from its stack than is there".to_owned())
    }

    fn pop(&mut self) -> Result<Value, String> {
        self.top()?;
        Ok(self.stack.pop().expect("there is a top"))
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

    fn keep(&mut self, key: u64) -> Result<(), String> {
        let value = self.stack.last();
        let value = value.ok_or("its pickle remembers what is not there")?;
        self.memo.insert(key, value.clone());
        Ok(())
    }

    fn recall(&mut self, key: u64) -> Result<(), String> {
        let value = self.memo.get(&key).cloned();
        let value = value.ok_or("its pickle recalls what it has not remembered")?;
        self.stack.push(value);
        Ok(())
    }

    fn append(&mut self, values: Vec<Value>) -> Result<(), String> {
        let Some(Value::List(list)) = self.stack.last() else {
            return Err("its pickle appends something to what is not a list".to_owned());
        };
        self.heap.sequences[*list].extend(values);
        Ok(())
    }

    /// Adds pairs of keys and values to the dictionary below them on the stack.
    fn set(&mut self, pairs: Vec<Value>) -> Result<(), String> {
        let Some(Value::Dict(dict)) = self.stack.last() else {
            return Err("its pickle puts something into what is not a dictionary".to_owned());
        };
        let (pairs, over) = pairs.as_chunks::<2>();
        if !over.is_empty() {
            return Err("its pickle has a key without a value".to_owned());
        }
        let pairs = pairs.iter().cloned().map(|[key, value]| (key, value));
        self.heap.dicts[*dict].extend(pairs);
        Ok(())
    }
}

fn refused(operation: u8) -> String {
    let name = match operation {
        b'i' => "INST",
        b'o' => "OBJ",
        0x81 => "NEWOBJ",
        0x92 => "NEWOBJ_EX",
        0x82..=0x84 => "EXT",
        b'P' => "PERSID",
        _ => {
            return format!(
                "its pickle has the operation {operation:#04x}, which no weights need; it is refused"
            );
        }
    };
    format!("its pickle has the operation {name}, which no weights need; it is refused")
}
