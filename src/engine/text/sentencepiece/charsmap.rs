//! The normalisation compiled into a model: strings and their replacements, as a double array (Aoe 1989) in the layout
//! of darts-clone.

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

/// Where the children of a node begin.
fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & 1 << 9) >> 6)) as usize
}
