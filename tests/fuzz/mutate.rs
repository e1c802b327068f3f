//! Damage that keeps a file's form: numbers change, parts are duplicated, swapped or removed, lengths and types are
//! wrong. All of it is determined by a seed.

use serde_json::{Map, Value};
use transformer_tutor::data::seal;

/// Knuth's linear congruential generator, which gives the same cases on every machine.
pub struct Random(u64);

impl Random {
    /// The generator for case number `case` of a reader.
    pub fn of(reader: &str, case: u64) -> Self {
        let seed = reader
            .bytes()
            .fold(case, |n, b| n.wrapping_mul(31).wrapping_add(u64::from(b)));
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66D);
        random.below(2);
        random
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }

    /// A random element of `all`.
    pub fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Numbers that code often mishandles, as text.
const NUMBERS: [&str; 18] = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "255",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "1e308",
    "-1e308",
    "1e-320",
    "0.5",
];

/// Strings that code often mishandles.
const WORDS: [&str; 14] = [
    "",
    " ",
    "\u{feff}",
    "\0",
    "\r",
    "ß𝄞",
    "\u{301}",
    "</w>",
    "@@",
    "NaN",
    "inf",
    "\u{1b}[31m",
    "é",
    "\u{200b}",
];

/// A text with one to three kinds of damage; `dictionary` holds the keywords and symbols of its language.
pub fn text(text: &str, dictionary: &[&str], random: &mut Random) -> String {
    let mut all: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(all.len() + 1);
        let end = (at + random.below(12)).min(all.len());
        match random.below(9) {
            0 => drop(all.drain(at..end)),
            1 => all.truncate(at),
            2 => drop(all.splice(at..at, random.one(&WORDS).chars())),
            3 | 4 if !dictionary.is_empty() => {
                let word: Vec<char> = random.one(dictionary).chars().collect();
                let times = *random.one(&[1, 1, 1, 1, 2, 5, 300, 4000]);
                drop(all.splice(at..at, word.repeat(times)));
            }
            5 => {
                // Repeat a part elsewhere.
                let length = random.below(60);
                let part = all[at..(at + length).min(all.len())].to_vec();
                let to = random.below(all.len() + 1);
                drop(all.splice(to..to, part));
            }
            6 => number(&mut all, random),
            7 => lines(&mut all, random),
            _ => {
                if let Some(c) = all.get_mut(at) {
                    *c = *random.one(&[
                        '0', '-', '"', '{', '[', '\n', '\t', '#', '=', '(', '𝄞', '\\',
                    ]);
                }
            }
        }
    }
    all.into_iter().collect()
}

/// Replaces one number in the text.
fn number(all: &mut Vec<char>, random: &mut Random) {
    let digit = |i: usize| all[i].is_ascii_digit();
    let starts: Vec<usize> = (0..all.len())
        .filter(|&i| digit(i) && (i == 0 || !digit(i - 1)))
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = *random.one(&starts);
    let end = (start..all.len()).find(|&i| !digit(i)).unwrap_or(all.len());
    drop(all.splice(start..end, random.one(&NUMBERS).chars()));
}

/// Moves, repeats or removes one line.
fn lines(all: &mut Vec<char>, random: &mut Random) {
    let text: String = all.iter().collect();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() {
        return;
    }
    let line = lines.remove(random.below(lines.len()));
    for _ in 0..random.below(3) {
        lines.insert(random.below(lines.len() + 1), line);
    }
    *all = lines.concat().chars().collect();
}

/// A JSON text with one or two damaged values; one in eight is damaged as text.
pub fn json(example: &str, random: &mut Random) -> String {
    let mut value: Value = serde_json::from_str(example).expect("the example is JSON");
    if random.below(8) == 0 {
        return text(example, &["{", "[", "null", "\""], random);
    }
    for _ in 0..=random.below(2) {
        let count = nodes(&value);
        let mut index = random.below(count);
        change(&mut value, &mut index, random);
    }
    value.to_string()
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(all) => all.iter().map(nodes).sum(),
        Value::Object(all) => all.values().map(nodes).sum(),
        _ => 0,
    }
}

/// Damages the node number `index`, counted depth first from the root; returns whether it was found.
fn change(value: &mut Value, index: &mut usize, random: &mut Random) -> bool {
    if *index == 0 {
        damage(value, random);
        return true;
    }
    *index -= 1;
    match value {
        Value::Array(all) => all.iter_mut().any(|below| change(below, index, random)),
        Value::Object(all) => all.values_mut().any(|below| change(below, index, random)),
        _ => false,
    }
}

fn damage(value: &mut Value, random: &mut Random) {
    match value {
        Value::Array(all) if !all.is_empty() && random.below(4) > 0 => {
            let at = random.below(all.len());
            let one = all.remove(at);
            for _ in 0..*random.one(&[0, 2, 300]) {
                all.insert(random.below(all.len() + 1), one.clone());
            }
        }
        Value::Object(all) if !all.is_empty() && random.below(4) > 0 => {
            let keys: Vec<String> = all.keys().cloned().collect();
            let (from, to) = (random.one(&keys), random.one(&keys));
            if let Some(moved) = all.remove(from) {
                match random.below(3) {
                    0 => drop(all.insert(to.clone(), moved)),
                    1 => drop(all.insert((*random.one(&WORDS)).to_owned(), moved)),
                    _ => {}
                }
            }
        }
        _ => {
            *value = match random.below(6) {
                0 => Value::Null,
                1 => Value::from((*random.one(&WORDS)).repeat(*random.one(&[1, 1, 1000]))),
                2 => Value::Array(vec![]),
                3 => Value::Object(Map::new()),
                _ => {
                    let number: &str = random.one::<&str>(&NUMBERS);
                    serde_json::from_str(number).expect("they are JSON")
                }
            }
        }
    }
}

/// A safetensors file that is damaged in its header (shapes, offsets, dtypes, metadata), in the length of the header,
/// in its numbers, or anywhere.
pub fn tensors(example: &[u8], random: &mut Random) -> Vec<u8> {
    let mut file = tensors_unsealed(example, random);
    if random.below(2) == 0 {
        seal_again(&mut file);
    }
    file
}

/// Updates a file's checksum to match its bytes, if it has a place for one.
fn seal_again(file: &mut [u8]) {
    let length = file.first_chunk().map(|length| u64::from_le_bytes(*length));
    let end = length.and_then(|length| usize::try_from(length.checked_add(8)?).ok());
    if let Some(end) = end.filter(|end| *end <= file.len()) {
        seal::close(file, end);
    }
}

fn tensors_unsealed(example: &[u8], random: &mut Random) -> Vec<u8> {
    let length = u64::from_le_bytes(example[..8].try_into().expect("eight bytes")) as usize;
    let (header, data) = example[8..].split_at(length);
    let header = std::str::from_utf8(header).expect("the description is text");
    let whole = |header: &str, data: &[u8]| {
        let mut header = header.as_bytes().to_vec();
        header.resize(header.len().next_multiple_of(8), b' ');
        [&(header.len() as u64).to_le_bytes()[..], &header, data].concat()
    };
    let mut file = example.to_vec();
    match random.below(10) {
        0..=2 => return whole(&json(header, random), data),
        3 => return whole(&metadata(header, random), data),
        4..=6 => {
            // NaN, infinity, and numbers too large to compute with.
            let mut data = data.to_vec();
            let kind = random.below(4);
            for _ in 0..=random.below(20) {
                let at = random.below(data.len() / 4) * 4;
                let number = match kind {
                    0 => *random.one(&[f32::NAN, f32::INFINITY]),
                    _ => *random.one(&[-1.0, 3e38, -3e38, 1e-45, 1e30]),
                };
                if let Some(cell) = data.get_mut(at..at + 4) {
                    cell.copy_from_slice(&number.to_le_bytes());
                }
            }
            return whole(header, &data);
        }
        7 => {
            let length = *random.one(&[0, 1, 7, 1 << 20, 1 << 40, u64::MAX, length as u64 - 1]);
            file[..8].copy_from_slice(&length.to_le_bytes());
        }
        8 => file.truncate(random.below(file.len())),
        _ => {
            for _ in 0..=random.below(30) {
                let at = random.below(file.len());
                file[at] = random.below(256) as u8;
            }
        }
    }
    file
}

/// The header with one metadata value damaged, as JSON if it is JSON. Without metadata, the header is damaged as JSON.
fn metadata(header: &str, random: &mut Random) -> String {
    let mut value: Value = serde_json::from_str(header).expect("the description is JSON");
    let Some(all) = value["__metadata__"].as_object_mut() else {
        return json(header, random);
    };
    let keys: Vec<String> = all.keys().cloned().collect();
    let key = random.one(&keys);
    let words = all[key].as_str().unwrap_or_default().to_owned();
    let damaged = match serde_json::from_str::<Value>(&words) {
        Ok(_) => json(&words, random),
        Err(_) => text(&words, &[], random),
    };
    all.insert(key.clone(), Value::from(damaged));
    value.to_string()
}

/// Numbers that code often mishandles, in binary form.
const STORED: [u64; 10] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    1 << 40,
    u64::MAX,
];

/// Flips one bit, or overwrites up to eight bytes with one of [`STORED`].
pub fn in_place(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    let width = (*random.one(&[1, 1, 2, 4, 8])).min(bytes.len() - at);
    match random.below(3) {
        0 => bytes[at] ^= 1 << random.below(8),
        _ => {
            let number = random.one(&STORED).to_le_bytes();
            bytes[at..at + width].copy_from_slice(&number[..width]);
        }
    }
}

/// Bytes with one to three damaged places.
pub fn bytes(example: &[u8], random: &mut Random) -> Vec<u8> {
    let mut all = example.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(all.len() + 1);
        let end = (at + random.below(200)).min(all.len());
        match random.below(6) {
            0 => drop(all.drain(at..end)),
            1 => all.truncate(at),
            2 => {
                let part = all[at..end].to_vec();
                let to = random.below(all.len() + 1);
                drop(all.splice(to..to, part));
            }
            _ if all.is_empty() => {}
            _ => in_place(&mut all, random),
        }
    }
    all
}

/// A protocol buffer whose fields are duplicated, reordered, removed, or given other lengths, types and contents.
pub fn protocol(example: &[u8], random: &mut Random) -> Vec<u8> {
    let mut fields: Vec<Vec<u8>> = fields(example).into_iter().map(<[u8]>::to_vec).collect();
    for _ in 0..=random.below(3) {
        if fields.is_empty() {
            break;
        }
        // The last fields are the settings, the others mostly words.
        let at = match random.below(2) {
            0 => random.below(fields.len()),
            _ => fields.len() - 1 - random.below(fields.len().min(4)),
        };
        match random.below(6) {
            0 => drop(fields.remove(at)),
            1 => fields.insert(random.below(fields.len() + 1), fields[at].clone()),
            2 => {
                let other = random.below(fields.len());
                fields.swap(at, other);
            }
            3 => {
                let field = &mut fields[at];
                field.truncate(random.below(field.len()) + 1);
            }
            // Mostly near the front, where the types, lengths and nested fields are.
            4 => {
                let near = fields[at].len().min(12);
                in_place(&mut fields[at][..near], random);
            }
            _ => in_place(&mut fields[at], random),
        }
    }
    fields.concat()
}

/// Outer fields of a protocol buffer, each with its key and length.
fn fields(mut bytes: &[u8]) -> Vec<&[u8]> {
    let varint = |bytes: &[u8]| {
        let length = bytes.iter().position(|byte| byte & 0x80 == 0);
        let length = length.expect("the example is sound") + 1;
        let parts = bytes[..length].iter().rev();
        let value = parts.fold(0, |value, byte| value << 7 | usize::from(byte & 0x7f));
        (value, length)
    };
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let (key, behind) = varint(bytes);
        let size = behind
            + match key & 7 {
                0 => varint(&bytes[behind..]).1,
                1 => 8,
                2 => {
                    let (length, width) = varint(&bytes[behind..]);
                    length + width
                }
                5 => 4,
                kind => panic!("the example has a field of kind {kind}"),
            };
        let (field, rest) = bytes.split_at(size);
        all.push(field);
        bytes = rest;
    }
    all
}
