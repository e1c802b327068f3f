//! The learner's own model end to end: from an empty folder, through the real commands, to a translation and a training
//! run that use only the learner's functions.

use serde_json::Value;

use super::*;
use transformer_tutor::testing::assert_contains;

/// Runs the program without the usual time limit.
fn run(state: &Path, arguments: &[&str]) -> (i32, String, String) {
    ran(program(state, arguments).env_remove("TRANSFORMER_TUTOR_SECONDS"))
}

fn translated(state: &Path, more: &[&str]) -> (i32, Value) {
    let sentence = "Der Hund schläft im Garten.";
    let arguments = [&["mine", "translate", sentence, "--json"], more].concat();
    let (code, printed, wrong) = run(state, &arguments);
    let json = serde_json::from_str(&printed).unwrap_or_else(|e| panic!("{e}: {printed}{wrong}"));
    (code, json)
}

#[test]
#[ignore = "compiles each file: run by .ci/run"]
fn from_an_empty_folder_to_a_translation_by_functions_of_ones_own() {
    let _turn = TURN.lock();
    let core = || exercises().filter(|(_, exercise)| exercise.kind == Kind::Core);
    let borrowed: Vec<_> = core().map(|(_, e)| Borrowed::new(e)).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let state = folder.path();

    let (code, printed, _) = run(state, &["mine"]);
    assert!(
        code == 0 && printed.starts_with("Your model: 0 of 25 core functions are yours"),
        "{printed}"
    );
    let (code, json) = translated(state, &[]);
    assert_eq!((code, json["own"].as_array().map(Vec::len)), (0, Some(0)));

    let mut reached = String::new();
    for ((lesson, exercise), borrowed) in core().zip(&borrowed) {
        let (code, printed, _) = run(state, &["exercise", "start", exercise.name]);
        assert_eq!(code, 0, "{printed}");
        let text = solved(lesson, exercise);
        fs::write(&borrowed.path, &text).expect("the exercise's file");
        let (code, printed, wrong) = run(state, &["exercise", "check", exercise.name]);
        assert_eq!(code, 0, "{}: {printed}{wrong}", exercise.name);
        reached += &printed;
        if lesson.number == 13 {
            let (code, printed, wrong) = run(state, &["mine", "translate"]);
            assert_eq!(code, 0, "{printed}{wrong}");
            reached += &printed;
        }
        if lesson.number == 18 {
            let (code, printed, wrong) = run(state, &["mine", "train"]);
            assert_eq!(code, 0, "{printed}{wrong}");
            assert_contains(&printed, "All 240 losses are equal to the last bit.");
            reached += &printed;
        }
        assert_eq!(
            fs::read_to_string(&borrowed.path).expect("it is there"),
            text
        );
    }

    let (code, json) = translated(state, &[]);
    let line = &json["answer"]["translated"]["lines"][0];
    assert_eq!((code, json["own"].as_array().map(Vec::len)), (0, Some(19)));
    assert_eq!(line["own"]["text"], line["reference"]["text"]);
    assert_eq!(line["difference"].as_f64(), Some(0.0), "{line}");
    let calls = json["answer"]["translated"]["calls"]
        .as_object()
        .expect("calls");
    for name in ["attention", "residual", "pass", "beam_step"] {
        assert!(calls[name].as_u64() > Some(0), "{name}: {calls:?}");
    }
    let printed = run(state, &["mine"]).1;
    assert_contains(
        &printed,
        "25 of 25 core functions are yours, 25 of them pass",
    );
    for title in [
        "Your attention attends",
        "Your encoder encodes",
        "Your model equals the reference on the shipped weights",
        "Your gradients flow",
        "Your training learns to copy",
    ] {
        assert_contains(&reached, &format!("★ {title}"));
        assert_contains(&printed, &format!("★ {title}: "));
    }
    assert_contains(&printed, "★ Your translator translates: ");
}

#[test]
#[ignore = "compiles: run by .ci/run"]
fn a_wrong_function_is_named_and_what_does_not_compile_or_end_is_said() {
    let _turn = TURN.lock();
    let borrowed: Vec<_> = exercises().map(|(_, e)| Borrowed::new(e)).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let state = folder.path();
    let written = |name: &str, text: &str| {
        let mut all = exercises().zip(&borrowed);
        let entry = all.find(|((_, exercise), _)| exercise.name == name);
        fs::write(&entry.expect(name).1.path, text).expect("the exercise's file");
    };
    let exercise = |name: &str| curriculum::exercise(name).expect(name).1;

    let (lesson, attention) = curriculum::exercise("attention").expect("it is one");
    written("attention", &broken(lesson, attention, "no-scale"));
    let norm = exercise("layer_norm");
    written("layer_norm", &borrow_function(&reference(norm), norm));
    let (code, json) = translated(state, &[]);
    let by_part = &json["answer"]["translated"]["lines"][0]["by_part"];
    assert_eq!(
        (code, by_part[0][0].as_str()),
        (1, Some("attention")),
        "{json}"
    );
    assert_eq!(by_part[1][1].as_f64(), Some(0.0), "{json}");
    let (code, json) = translated(state, &["--without", "attention"]);
    assert_eq!((code, &json["own"][0]), (0, &Value::from("layer_norm")));

    written("attention", "pub fn attention(\n");
    let (code, printed, _) = run(state, &["mine", "translate"]);
    assert!(
        code == 1 && printed.contains("does not compile"),
        "{printed}"
    );
    assert!(printed.contains("exercises/attention.rs:"), "{printed}");

    let starter = attention.starter;
    written(
        "attention",
        &starter.replacen("todo!(", "loop {}\n    todo!(", 1),
    );
    let mut limited = program(state, &["mine", "translate"]);
    let (_, printed, _) = ran(limited.env("TRANSFORMER_TUTOR_SECONDS", "2"));
    assert_contains(&printed, "did not end within 2 seconds");

    written("attention", &starter.replacen("todo!(", "panic!(", 1));
    let (code, printed, _) = run(state, &["mine", "train", "--steps", "1"]);
    assert!(
        code == 1 && printed.contains("your function stopped with"),
        "{printed}"
    );
    assert!(printed.contains("at exercises/attention.rs:"), "{printed}");
}
