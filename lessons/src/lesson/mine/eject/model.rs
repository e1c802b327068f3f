//! The trained translator in forms that the ejected crate reads in a few lines: lists as text, and the cells of all
//! tensors in a row.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;
use tutor_models::everyday;

/// The files of the translator, with their paths in the crate.
pub fn files() -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let weights = Weights::new(everyday().weights).ok_or("the translator's weights are damaged")?;
    let pieces = pieces(everyday().tokenizer).ok_or("the translator's tokenizer is damaged")?;
    Ok(vec![
        ("model/NOTICE".into(), tutor_models::NOTICE.into()),
        ("model/tensors.txt".into(), weights.list.into()),
        ("model/tensors.bin".into(), weights.cells.into()),
        ("model/pieces.txt".into(), pieces.into()),
    ])
}

/// The tensors of a model.
struct Weights {
    /// One line per tensor: name, type, and the size of each axis.
    list: String,
    /// The cells of the tensors, in the order of the list.
    cells: &'static [u8],
}

/// What the header of a safetensors file says of a tensor.
#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

impl Weights {
    /// The tensors of a safetensors file; `None` if it is damaged.
    fn new(file: &'static [u8]) -> Option<Self> {
        let (mut header, cells) = parts(file)?;
        header.remove("__metadata__");
        let entry = |(name, value)| Some((name, Entry::deserialize(value).ok()?));
        let all: Option<Vec<(String, Entry)>> = header.into_iter().map(entry).collect();
        let mut all = all?;
        // Cells follow each other without gaps, so the order of the list says where they are.
        all.sort_by_key(|(_, entry)| entry.data_offsets);
        let line = |(name, entry): (String, Entry)| {
            let sizes: Vec<String> = entry.shape.iter().map(usize::to_string).collect();
            format!("{name} {} {}\n", entry.dtype, sizes.join(" "))
        };
        let list = all.into_iter().map(line).collect();
        Some(Self { list, cells })
    }
}

/// Header and cells of a safetensors file.
fn parts(file: &'static [u8]) -> Option<(HashMap<String, Value>, &'static [u8])> {
    let (length, rest) = file.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (header, cells) = rest.split_at_checked(length)?;
    Some((serde_json::from_slice(header).ok()?, cells))
}

/// One line per piece of a `tokenizer.json`: its text and its log-probability. `None` if the file is damaged.
fn pieces(tokenizer: &str) -> Option<String> {
    let json: Value = serde_json::from_str(tokenizer).ok()?;
    let line = |entry: &Value| {
        let (piece, score) = (entry[0].as_str()?, entry[1].as_f64()? as f32);
        Some(format!("{piece} {score}\n"))
    };
    json["pieces"].as_array()?.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_starts_with;

    #[test]
    fn the_list_has_every_tensor_and_the_cells_are_as_many_as_it_says() {
        let weights = Weights::new(everyday().weights).expect("the file is sound");
        let mut bytes = 0;
        for line in weights.list.lines() {
            let mut words = line.split(' ').skip(1);
            let width = if words.next() == Some("I8") { 1 } else { 4 };
            let sizes = words.map(|size| size.parse::<usize>().expect("a size"));
            bytes += width * sizes.product::<usize>();
        }
        assert_eq!(bytes, weights.cells.len());
        assert_starts_with(
            &weights.list,
            "decoder.layers.0.feed_forward.w_1.bias F32 512\n",
        );
    }

    #[test]
    fn a_piece_has_one_blank_before_its_log_probability() {
        let lines = pieces(everyday().tokenizer).expect("the file is sound");
        assert!(lines.starts_with(". -2.4783635\n▁Tom -3.745065\n"));
        assert!(lines.lines().all(|line| line.matches(' ').count() == 1));
    }

    #[test]
    fn the_crates_code_states_the_sizes_of_the_translator() {
        let (header, _) = parts(everyday().weights).expect("the file is sound");
        let config = header["__metadata__"]["transformer-tutor.config"].as_str();
        let config: Value = serde_json::from_str(config.unwrap_or_default()).expect("it is JSON");
        let size = |key: &str| config[key].as_u64().expect("a size");
        let model = include_str!("../ejected/src/transformer.rs");
        let stated = format!(
            "vocabulary,\n            layers: [{}, {}],\n            d_model: {},\n            d_ff: {},\n            heads: {},\n",
            size("encoder_layers"),
            size("layers"),
            size("d_model"),
            size("d_ff"),
            size("heads")
        );
        assert!(model.contains(&stated), "{stated}");
        let longest = format!("const LONGEST: usize = {};", size("max_len"));
        assert!(include_str!("../ejected/src/decode.rs").contains(&longest));
    }
}
