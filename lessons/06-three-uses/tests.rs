//! Tests of the numbers in the lesson's text.

use super::*;
use crate::lesson::Body;

fn run(turned: &[(&str, &str)]) -> Run {
    UsesStage.run(&LESSON.settings(turned).unwrap()).unwrap()
}

#[test]
fn six_layers_read_one_memory_with_keys_of_their_own() {
    let layers = layers(&run(&[("layers", "6")]).trace);
    assert_eq!(layers.len(), 6);
    assert!(layers.iter().all(|[_, memory, _]| *memory == layers[0][1]));
    for (n, [_, _, key]) in layers.iter().enumerate() {
        assert!(layers[..n].iter().all(|[_, _, other]| other != key));
    }
}

#[test]
fn the_queries_decide_the_rows() {
    let run = run(&[("target", "5"), ("source", "11")]);
    let shape = |name: &str| run.trace.tensor(name).unwrap().shape().to_vec();
    assert_eq!(shape("encoder.weights"), [30, 8, 11, 11]);
    assert_eq!(shape("decoder.weights"), [30, 8, 5, 5]);
    assert_eq!(shape("cross.weights"), [30, 8, 5, 11]);
    assert_eq!(shape("cross.attended"), [30, 5, 512]);
}

#[test]
fn the_table_names_what_was_mapped() {
    let Body::Table { rows, .. } = uses_picture(&run(&[]).trace).body else {
        panic!("it is a table");
    };
    let cross: Vec<&str> = rows.iter().map(|row| &row[3][..]).collect();
    assert_eq!(cross, ["decoded", "memory", "memory", "10 × 11"]);
}
