//! The folder on which commands act: that of the learner, wherever the program was built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use transformer_tutor::curriculum;
use transformer_tutor::lesson::exercise::runner::{PACKAGE, as_built};

use super::{json, program, ran, solved};

/// A target folder for the workshop. In this program's own, cargo would take the two projects' packages for the same, and
/// would later look for sources in a workshop that is gone.
fn target() -> PathBuf {
    let exe = std::env::current_exe().expect("this program has a path");
    let target = exe.ancestors().nth(3).expect("TARGET/PROFILE/deps/NAME");
    target.join("workshop")
}

/// Runs `exercise ARGUMENTS` in a folder; returns the exit code and the output.
fn tutor_in(folder: &Path, state: &Path, arguments: &[&str]) -> (i32, String) {
    let mut program = program(state, &[&["exercise"], arguments].concat());
    program
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target());
    let (code, out, wrong) = ran(&mut program);
    (code, out + &wrong)
}

/// A folder with a manifest like this project's, which is a package to work in.
fn checkout(parent: &Path, name: &str) -> PathBuf {
    let root = parent.join(name);
    fs::create_dir_all(root.join("src")).expect("a folder");
    let manifest = "[package]\nname = \"transformer-tutor\"\n";
    fs::write(root.join("Cargo.toml"), manifest).expect("a manifest");
    root
}

#[test]
fn two_checkouts_with_one_program_do_not_touch_each_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // As the system names it to a program that is in it.
    let parent = folder.path().canonicalize().expect("it is there");
    let (one, other) = (checkout(&parent, "one"), checkout(&parent, "other"));
    let file = |root: &Path| root.join("exercises/softmax.rs");
    let names = |printed: &str, root: &Path| {
        let path = root.display().to_string();
        assert!(printed.contains(&path), "{path}: {printed}");
    };
    let (code, printed) = tutor_in(&one.join("src"), &parent, &["start", "softmax"]);
    assert_eq!(code, 0, "{printed}");
    names(&printed, &file(&one));
    assert!(!file(&other).exists());
    fs::write(file(&one), "// mine\n").expect("a file");
    assert_eq!(tutor_in(&other, &parent, &["start", "softmax"]).0, 0);
    let (code, printed) = tutor_in(&other, &parent, &["reset", "softmax"]);
    assert_eq!(code, 0, "{printed}");
    names(&printed, &file(&other));
    let kept = fs::read_to_string(file(&one)).expect("it is there");
    assert_eq!(kept, "// mine\n");
    let (_, printed) = tutor_in(&one, &parent, &["list"]);
    names(&printed, &one);
    let (_, printed) = tutor_in(&one, &parent, &["list", "--json"]);
    let list = json(&printed);
    assert_eq!(list[0]["folder"].as_str(), one.to_str());
}

#[test]
fn without_a_name_the_next_open_exercise_is_begun() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = checkout(folder.path(), "one");
    let (code, printed) = tutor_in(&root, folder.path(), &["start", "--tier", "blank"]);
    assert_eq!(code, 0, "{printed}");
    let (_, _, first) = curriculum::exercises().next().expect("there are some");
    let path = root.join(format!("exercises/{}.rs", first.name));
    let text = fs::read_to_string(path).expect("it was begun");
    assert!(text.contains(first.name), "{text}");
}

#[test]
#[ignore = "compiles the program in another folder: run by .ci/run"]
fn a_workshop_laid_out_in_an_empty_folder_checks_an_exercise() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let parent = folder.path().canonicalize().expect("it is there");
    let workshop = parent.join("place");
    let (code, printed) = tutor_in(&parent, &parent, &["workshop", "place"]);
    assert_eq!(code, 0, "{printed}");
    let (code, printed) = tutor_in(&workshop, &parent, &["start", "softmax"]);
    assert_eq!(code, 0, "{printed}");
    let file = workshop.join("exercises/softmax.rs");
    assert!(file.exists(), "{printed}");
    let (lesson, exercise) = curriculum::exercise("softmax").expect("it is one");
    fs::write(file, solved(lesson, exercise)).expect("a file");
    // First without the time limit of a check, which a busy machine could exceed.
    let exe = std::env::current_exe().expect("this program has a path");
    let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["test", "--offline", "--no-run", "--package", PACKAGE])
        .args(["--test", "softmax"])
        .args(as_built(&exe, &workshop))
        .current_dir(&workshop)
        .env("CARGO_TARGET_DIR", target())
        .status();
    assert!(built.expect("cargo starts").success());
    // From outside of any checkout, too, the one laid out last is meant.
    for folder in [&workshop, &parent] {
        let (code, printed) = tutor_in(folder, &parent, &["check", "softmax", "--json"]);
        let report = json(&printed);
        assert_eq!(report["passed"].as_bool(), Some(true), "{report}");
        assert_eq!(report["folder"].as_str(), workshop.to_str());
        assert_eq!(code, 0);
    }
}
