//! Matrices in a quarter of their space: whole numbers from −127 to 127, and one scale per row.
//!
//! The matrix `x` becomes `x`, in 8-bit numbers, and `x.scale`, one f32 per row; other tensors stay f32. The metadata
//! shows that a file has this format. Packing matrices that were rounded before gives the same bytes again.

use std::collections::{BTreeMap, HashMap};

use super::WeightsError;
use crate::data::safetensors::{Cells, NamedTensors, Shapes, assemble};
use crate::tensor::Tensor;

/// Metadata key of the number format, and its value for this one.
const NUMBERS: (&str, &str) = ("transformer-tutor.numbers", "rows of 8 bits");

/// Largest whole number.
const MOST: f32 = 127.0;

/// Suffix that turns the name of a matrix into that of its scales.
const SCALE: &str = ".scale";

/// Serialises a file in this format.
pub fn to_bytes(file: &NamedTensors) -> Vec<u8> {
    let mut all: BTreeMap<String, (Vec<usize>, Cells)> = BTreeMap::new();
    for (name, tensor) in &file.tensors {
        let shape = tensor.shape().to_vec();
        if shape.len() != 2 {
            all.insert(name.clone(), (shape, Cells::F32(tensor.data())));
            continue;
        }
        let rows = tensor.data().chunks(tensor.last());
        let scales: Vec<f32> = rows.clone().map(scale).collect();
        let whole = rows.zip(&scales).flat_map(|(row, scale)| {
            let whole = move |x: &f32| (x / scale).round() as i8;
            row.iter().map(whole)
        });
        let whole = whole.collect();
        let scaled = (vec![shape[0]], Cells::OwnedF32(scales));
        all.insert(format!("{name}{SCALE}"), scaled);
        all.insert(name.clone(), (shape, Cells::I8(whole)));
    }
    let mut metadata = file.metadata.clone();
    metadata.insert(NUMBERS.0.to_owned(), NUMBERS.1.to_owned());
    assemble(&metadata, all)
}

/// True if a file with this metadata has this format.
fn is_one(metadata: &HashMap<String, String>) -> bool {
    metadata.get(NUMBERS.0).map(String::as_str) == Some(NUMBERS.1)
}

/// Shapes of the tensors that [`restored`] makes from a file with the given shapes. Returns an error if a matrix lacks
/// its scales.
pub fn restored_shapes(
    metadata: &HashMap<String, String>,
    mut shapes: Shapes,
) -> Result<Shapes, WeightsError> {
    if !is_one(metadata) {
        return Ok(shapes);
    }
    let matrices = shapes.clone().into_iter();
    for (name, shape) in matrices.filter(|(_, shape)| shape.len() == 2) {
        let name = format!("{name}{SCALE}");
        let expected = vec![shape[0]];
        match shapes.remove(&name) {
            None => return Err(WeightsError::Missing { name }),
            Some(found) if found != expected => {
                return Err(WeightsError::Shape {
                    name,
                    found,
                    expected,
                });
            }
            Some(_) => {}
        }
    }
    Ok(shapes)
}

/// Value of one step of a row's whole numbers.
fn scale(row: &[f32]) -> f32 {
    let largest = row.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    if largest > 0.0 { largest / MOST } else { 1.0 }
}

/// Tensors of a file, with any 8-bit matrices converted back to f32.
pub fn restored(file: NamedTensors) -> Result<BTreeMap<String, Tensor>, WeightsError> {
    let NamedTensors {
        metadata,
        mut tensors,
    } = file;
    if !is_one(&metadata) {
        return Ok(tensors);
    }
    let shapes = tensors.iter();
    let shapes = shapes.map(|(name, tensor)| (name.clone(), tensor.shape().to_vec()));
    let shapes = restored_shapes(&metadata, shapes.collect())?;
    for (name, shape) in shapes.into_iter().filter(|(_, shape)| shape.len() == 2) {
        let scales = tensors.remove(&format!("{name}{SCALE}"));
        let scales = scales.expect("each matrix has its scales");
        let matrix = tensors.get_mut(&name).expect("its shape is listed");
        // In place: a second copy of every weight would take longer than reading the file.
        let rows = matrix.data_mut().chunks_mut(shape[1].max(1));
        for (row, scale) in rows.zip(scales.data()) {
            row.iter_mut().for_each(|x| *x *= scale);
        }
    }
    Ok(tensors)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::data::safetensors;
    use crate::tensor::random;
    use crate::testing::assert_contains;

    fn file() -> NamedTensors {
        let mut tensors: BTreeMap<String, Tensor> = BTreeMap::new();
        tensors.insert("w".into(), random::normal(&[5, 64], 0.3, 1, "w"));
        tensors.insert("zero".into(), Tensor::zeros(&[2, 3]));
        tensors.insert("bias".into(), random::normal(&[7], 1.0, 1, "bias"));
        NamedTensors {
            metadata: [("a".to_owned(), "b".to_owned())].into(),
            tensors,
        }
    }

    #[test]
    fn quantising_moves_matrix_cells_by_at_most_half_a_step_and_vectors_not_at_all() {
        let file = file();
        let bytes = to_bytes(&file);
        let parsed = safetensors::parse(Path::new("x"), &bytes).unwrap();
        assert_eq!(parsed.metadata["a"], "b");
        let back = restored(parsed).unwrap();
        assert_eq!(
            back.keys().collect::<Vec<_>>(),
            file.tensors.keys().collect::<Vec<_>>()
        );
        for (row, other) in file.tensors["w"]
            .data()
            .chunks(64)
            .zip(back["w"].data().chunks(64))
        {
            let half = scale(row) * 0.500_01;
            assert!(row.iter().zip(other).all(|(a, b)| (a - b).abs() <= half));
        }
        assert_eq!(back["bias"], file.tensors["bias"]);
        assert_eq!(back["zero"], file.tensors["zero"]);
        let again = NamedTensors {
            tensors: back,
            metadata: file.metadata,
        };
        assert_eq!(to_bytes(&again), bytes, "what was rounded once stays");
    }

    #[test]
    fn a_scale_that_is_missing_or_of_another_length_is_named() {
        let bytes = to_bytes(&file());
        let parse = || safetensors::parse(Path::new("x"), &bytes).unwrap();
        let mut file = parse();
        file.tensors.remove("w.scale");
        assert_eq!(
            restored(file).unwrap_err().to_string(),
            "the tensor w.scale is missing"
        );
        let mut file = parse();
        file.tensors.insert("w.scale".into(), Tensor::zeros(&[4]));
        assert_contains(
            &restored(file).unwrap_err(),
            "w.scale is [4] and must be [5]",
        );
    }
}
