//! The capstone: its task is written, and the ejected reference passes its tests behind the interface that they call.

use transformer_tutor::lesson::mine::{Crate, State, Status};

use super::*;
use transformer_tutor::testing::assert_contains;

/// The interface of the capstone on top of the ejected crate.
const ADAPTER: &str = include_str!("adapter.rs");

#[test]
#[ignore = "compiles a crate: run by .ci/run"]
fn the_ejected_reference_passes_the_capstone_and_an_empty_file_does_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [state, own, ejected] = ["state", "own", "ejected"].map(|name| folder.path().join(name));
    let capstone = || {
        let mut program = program(&state, &["mine", "capstone"]);
        let (code, out, wrong) = ran(program.arg(&own).env_remove("CARGO_TARGET_DIR"));
        (code, out + &wrong)
    };
    let (code, printed) = capstone();
    assert!(code == 0 && printed.contains("has the task"), "{printed}");
    let (code, printed) = capstone();
    assert!(
        code == 1 && printed.contains("→ read is next: 10 minutes"),
        "{printed}"
    );

    let borrowed = curriculum::exercises().map(|(lesson, _, exercise)| Status {
        lesson,
        exercise,
        state: State::Reference,
    });
    let borrowed: Vec<Status> = borrowed.collect();
    let made = Crate::new(&borrowed, None).expect("it can be made");
    made.write(&ejected).expect("the folder is new");
    let lib = fs::read_to_string(ejected.join("src/lib.rs")).expect("it is there");
    let lib = lib + "\nmod adapter;\npub use adapter::{Copying, Translator};\n";
    fs::remove_dir_all(own.join("src")).expect("it is there");
    fs::rename(ejected.join("src"), own.join("src")).expect("both are folders");
    fs::write(own.join("src/lib.rs"), lib).expect("a file");
    fs::write(own.join("src/adapter.rs"), ADAPTER).expect("a file");
    fs::write(own.join("tests/capstone.rs"), "").expect("tests made too easy");
    let (code, printed) = capstone();
    assert_eq!(code, 0, "{printed}");
    assert_eq!(printed.matches("✓").count(), 23, "{printed}");
    assert_contains(&printed, "★ Your Transformer begins with an empty file");
}
