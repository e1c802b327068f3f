//! Tests of the numbers in the lesson's text.

use super::*;

fn run(turned: &[(&str, &str)]) -> Run {
    UsesStage.run(&LESSON.settings(turned).unwrap()).unwrap()
}

#[test]
fn the_table_names_what_was_mapped() {
    let Body::Table { rows, .. } = uses(&run(&[]).trace) else {
        panic!("it is a table");
    };
    let cross: Vec<&str> = rows.iter().map(|row| &row[3][..]).collect();
    assert_eq!(cross, ["decoded", "memory", "memory", "10 × 11"]);
}
