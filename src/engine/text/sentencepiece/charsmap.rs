//! The normalisation compiled into a model: strings and their replacements, as a double array (Aoe 1989) in the layout
//! of darts-clone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Number of units that differ only in their label.
const BLOCK: usize = 256;

/// Map from strings to their replacements.
#[derive(Debug)]
pub struct CharsMap {
    units: Vec<u32>,
    /// Replacements, each terminated by a 0.
    strings: String,
}

impl CharsMap {
    /// Reads the length of the array, the array and the strings.
    pub fn parse(blob: &[u8]) -> Result<Self, String> {
        let damaged = || "its normalisation (precompiled_charsmap) is damaged".to_owned();
        let (size, rest) = blob.split_first_chunk::<4>().ok_or_else(damaged)?;
        let size = u32::from_le_bytes(*size) as usize;
        let (array, strings) = rest.split_at_checked(size).ok_or_else(damaged)?;
        let (units, over) = array.as_chunks::<4>();
        if units.is_empty() || !over.is_empty() {
            return Err(damaged());
        }
        let strings = std::str::from_utf8(strings).map_err(|_| damaged())?;
        Ok(Self {
            units: units.iter().map(|unit| u32::from_le_bytes(*unit)).collect(),
            strings: strings.to_owned(),
        })
    }

    /// Replacement for the longest known prefix of `text`, and the length of that prefix in bytes.
    pub fn prefix(&self, text: &str) -> Option<(&str, usize)> {
        let mut longest = None;
        let mut node = 0;
        let mut unit = *self.units.first()?;
        node ^= offset(unit);
        for (n, byte) in text.bytes().enumerate() {
            node ^= usize::from(byte);
            // A damaged array may point outside itself.
            let Some(&next) = self.units.get(node) else {
                break;
            };
            unit = next;
            if unit & (1 << 31 | 0xFF) != u32::from(byte) {
                break;
            }
            node ^= offset(unit);
            let leaf = unit >> 8 & 1 == 1;
            if let Some(value) = self.units.get(node).filter(|_| leaf) {
                longest = Some(((value & !(1 << 31)) as usize, n + 1));
            }
        }
        let (start, length) = longest.filter(|(_, length)| text.is_char_boundary(*length))?;
        let string = self.strings.get(start..)?;
        Some((string.split('\0').next()?, length))
    }
}

/// Compiles a map from strings to their replacements, which [`CharsMap::parse`] reads.
pub fn compile(map: &BTreeMap<String, String>) -> Vec<u8> {
    let (mut strings, mut starts) = (Vec::new(), HashMap::new());
    let keys = map.iter().map(|(key, replacement)| {
        let start = *starts.entry(replacement).or_insert_with(|| {
            let start = strings.len();
            strings.extend(replacement.bytes().chain([0]));
            start as u32
        });
        (key.as_bytes(), start)
    });
    let keys: Vec<(&[u8], u32)> = keys.collect();
    let mut array = DoubleArray::default();
    array.claim(0, 0);
    array.place(&keys, 0, 0);
    let units = array.units.iter().flat_map(|unit| unit.to_le_bytes());
    let size = (4 * array.units.len() as u32).to_le_bytes();
    size.into_iter().chain(units).chain(strings).collect()
}

/// A double array in the making.
#[derive(Default)]
struct DoubleArray {
    units: Vec<u32>,
    used: Vec<bool>,
    /// Where children of nodes begin. No two nodes share one, because a unit knows its label and not its parent.
    bases: BTreeSet<usize>,
}

impl DoubleArray {
    /// Fills a free unit, with all units of its block.
    fn claim(&mut self, at: usize, unit: u32) {
        if at >= self.units.len() {
            let blocks = (at / BLOCK + 1) * BLOCK;
            self.units.resize(blocks, 0);
            self.used.resize(blocks, false);
        }
        (self.units[at], self.used[at]) = (unit, true);
    }

    /// Places the children of `node`, given the sorted keys below it, which have `depth` bytes in common.
    fn place(&mut self, keys: &[(&[u8], u32)], depth: usize, node: usize) {
        let label = |key: &(&[u8], u32)| key.0.get(depth).copied().unwrap_or(0);
        let children: Vec<_> = keys.chunk_by(|a, b| label(a) == label(b)).collect();
        let is_free = |at: usize| self.used.get(at).is_none_or(|used| !used);
        let fits = |base: &usize| {
            let mut places = children
                .iter()
                .map(|keys| base ^ usize::from(label(&keys[0])));
            !self.bases.contains(base) && places.all(is_free)
        };
        let full = self.used.iter().take_while(|used| **used).count();
        let first = (full / BLOCK * BLOCK).max(1);
        let base = (first..).find(fits).expect("the array can grow");
        self.bases.insert(base);
        let leaf = u32::from(label(&keys[0]) == 0);
        self.units[node] |= ((node ^ base) as u32) << 10 | leaf << 8;
        for keys in &children {
            let label = label(&keys[0]);
            let value = if label == 0 {
                1 << 31 | keys[0].1
            } else {
                label.into()
            };
            self.claim(base ^ usize::from(label), value);
        }
        for keys in &children {
            let label = label(&keys[0]);
            if label > 0 {
                self.place(keys, depth + 1, base ^ usize::from(label));
            }
        }
    }
}

/// Where the children of a node begin.
fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & 1 << 9) >> 6)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiled_map_replaces_the_longest_prefix() {
        let pairs = [
            ("a", "1"),
            ("ab", "2"),
            ("ä", ""),
            ("a\u{308}", "ä"),
            ("“", "\""),
            ("”", "\""),
        ];
        let map = pairs
            .map(|(from, to)| (from.to_owned(), to.to_owned()))
            .into();
        let compiled = CharsMap::parse(&compile(&map)).unwrap();
        for (text, replaced) in [
            ("a", Some(("1", 1))),
            ("abc", Some(("2", 2))),
            ("ac", Some(("1", 1))),
            ("a\u{308}b", Some(("ä", 3))),
            ("äb", Some(("", 2))),
            ("”", Some(("\"", 3))),
            ("b", None),
            ("„", None),
            ("", None),
        ] {
            assert_eq!(compiled.prefix(text), replaced, "{text}");
        }
    }
}
