//! The tables of words in a Marian model's weights, which have a name for each use. A table of several uses may be saved
//! under any of its names: safetensors keeps one of them, PyTorch all.

use std::collections::BTreeMap;

use crate::data::weights::WeightsError;

/// The table of source, target and output, if they are one.
pub const SHARED: &str = "model.shared.weight";
/// The table of the source.
pub const ENCODER: &str = "model.encoder.embed_tokens.weight";
/// The table of the target.
pub const DECODER: &str = "model.decoder.embed_tokens.weight";
/// The map from hidden vectors to logits.
pub const OUTPUT: &str = "lm_head.weight";

/// All names of tables.
pub const NAMES: [&str; 4] = [SHARED, ENCODER, DECODER, OUTPUT];

/// Which tables are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ties {
    /// Source and target: `share_encoder_decoder_embeddings`.
    pub shared: bool,
    /// Target and output: `tie_word_embeddings`.
    pub tied: bool,
}

/// Puts every table under the name of its parameter: [`SHARED`] if all are one, else [`ENCODER`], [`DECODER`] and
/// [`OUTPUT`]. Returns an error if a table is missing, or if two that are one differ.
pub fn named<T: Clone + PartialEq>(
    tensors: &mut BTreeMap<String, T>,
    ties: Ties,
) -> Result<(), WeightsError> {
    if ties.shared && ties.tied {
        let table = same(tensors, &NAMES)?;
        let table = table.ok_or_else(|| missing(SHARED))?;
        tensors.insert(SHARED.to_owned(), table);
        return Ok(());
    }
    let shared = if ties.shared {
        tensors.remove(SHARED)
    } else {
        None
    };
    let source = tensors.get(ENCODER).cloned();
    let target = if ties.tied {
        same(tensors, &[DECODER, OUTPUT])?
    } else {
        tensors.get(DECODER).cloned()
    };
    let source_or_shared = source.clone().or_else(|| shared.clone());
    let target_or_shared = target.clone().or_else(|| shared.clone());
    let (source, target) = if ties.shared {
        (source_or_shared.or(target), target_or_shared.or(source))
    } else {
        (source_or_shared, target_or_shared)
    };
    let source = source.ok_or_else(|| missing(ENCODER))?;
    let target = target.ok_or_else(|| missing(DECODER))?;
    if ties.tied {
        tensors.insert(OUTPUT.to_owned(), target.clone());
    }
    tensors.insert(ENCODER.to_owned(), source);
    tensors.insert(DECODER.to_owned(), target);
    Ok(())
}

/// Removes the tensors of these names, which must be equal, and returns one.
fn same<T: PartialEq>(
    tensors: &mut BTreeMap<String, T>,
    names: &[&str],
) -> Result<Option<T>, WeightsError> {
    let mut kept: Option<(&str, T)> = None;
    for name in names {
        let Some(tensor) = tensors.remove(*name) else {
            continue;
        };
        match &kept {
            Some((first, other)) if *other != tensor => {
                return Err(WeightsError::Form(format!(
                    "the tensor {name} differs from {first}, and config.json says that they are one table"
                )));
            }
            Some(_) => {}
            None => kept = Some((name, tensor)),
        }
    }
    Ok(kept.map(|(_, tensor)| tensor))
}

fn missing(name: &str) -> WeightsError {
    WeightsError::Missing {
        name: name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and values after [`named`], in the order of the names.
    fn after(ties: [bool; 2], tensors: &[(&str, i32)]) -> Result<Vec<(String, i32)>, String> {
        let tensors = tensors.iter();
        let mut all: BTreeMap<String, i32> =
            tensors.map(|(name, x)| ((*name).to_owned(), *x)).collect();
        let [shared, tied] = ties;
        named(&mut all, Ties { shared, tied }).map_err(|e| e.to_string())?;
        Ok(all.into_iter().collect())
    }

    fn three(output: i32, target: i32, source: i32) -> Vec<(String, i32)> {
        let all = [(OUTPUT, output), (DECODER, target), (ENCODER, source)];
        all.map(|(name, x)| (name.to_owned(), x)).into()
    }

    #[test]
    fn one_table_is_found_under_any_of_its_names() {
        for name in NAMES {
            let table = after([true, true], &[(name, 7)]).unwrap();
            assert_eq!(table, [(SHARED.to_owned(), 7)]);
        }
        let error = after([true, true], &[(SHARED, 7), (OUTPUT, 8)]).unwrap_err();
        assert!(error.contains("lm_head.weight differs from model.shared.weight"));
        let error = after([true, true], &[]).unwrap_err();
        assert_eq!(error, "the tensor model.shared.weight is missing");
    }

    #[test]
    fn separate_tables_are_found_with_and_without_a_tied_output() {
        let all = [(ENCODER, 1), (DECODER, 2), (OUTPUT, 3)];
        assert_eq!(after([false, false], &all).unwrap(), three(3, 2, 1));
        for one in [&all[..2], &[(ENCODER, 1), (OUTPUT, 2)]] {
            assert_eq!(after([false, true], one).unwrap(), three(2, 2, 1));
        }
        let error = after([false, true], &all).unwrap_err();
        assert!(error.contains("lm_head.weight differs from model.decoder.embed_tokens.weight"));
        let error = after([false, true], &all[1..2]).unwrap_err();
        assert_eq!(
            error,
            "the tensor model.encoder.embed_tokens.weight is missing"
        );
    }

    #[test]
    fn a_shared_table_has_an_output_of_its_own_if_the_two_are_not_tied() {
        for name in [SHARED, ENCODER, DECODER] {
            let tables = after([true, false], &[(name, 1), (OUTPUT, 3)]);
            assert_eq!(tables.unwrap(), three(3, 1, 1), "{name}");
        }
    }
}
