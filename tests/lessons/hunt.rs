//! The hunt: every fault has an effect, the sound model and the sound run show no symptoms, and the instruments are
//! enough to find the answer.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use transformer_tutor::lesson::hunt::{
    Answer, Case, Fault, Hunt, Look, ORDINARY, Patient, Subject, Table, all, defects, named,
};
use transformer_tutor::testing::assert_contains;

const SUBJECTS: [Subject; 2] = [Subject::Model, Subject::Training];

/// The text that a look at a patient shows.
fn text(patient: &Patient, look: &str) -> String {
    let looks = SUBJECTS
        .into_iter()
        .flat_map(|subject| Look::every(subject, 1));
    let hit = looks.into_iter().find(|one| one.to_string() == look);
    patient.look(&hit.expect("there is such a look")).text
}

#[test]
fn every_fault_changes_what_the_model_predicts_or_how_the_run_learns() {
    for subject in SUBJECTS {
        let output: &[&str] = match subject {
            Subject::Model => &["loss", "padding"],
            Subject::Training => &["curve"],
        };
        let sound = Patient::sound(subject);
        let sound: Vec<String> = output.iter().map(|look| text(&sound, look)).collect();
        for fault in all().iter().filter(|fault| fault.subject == subject) {
            // One place per fault is enough: another test below tries every place. Where a head already gives all its
            // weight to one token, for example, the division by √d_k changes nothing.
            let mut places = defects(subject, fault.level);
            places.retain(|defect| defect.kind == fault.name);
            let shows = places.iter().any(|defect| {
                let patient = Patient::with(defect);
                let broken: Vec<String> = output.iter().map(|look| text(&patient, look)).collect();
                broken != sound
            });
            assert!(shows, "{}", fault.name);
        }
    }
}

#[test]
fn the_sound_model_and_the_sound_run_show_nothing_unusual() {
    for subject in SUBJECTS {
        let sound = Patient::sound(subject);
        for look in Look::every(subject, 1) {
            assert_eq!(sound.look(&look).reading, ORDINARY, "{subject:?}: {look}");
        }
    }
}

#[test]
fn every_fault_of_a_level_can_be_told_from_all_others_within_the_budget() {
    for subject in SUBJECTS {
        for level in 1..=3 {
            let table = Table::of(subject, level);
            for defect in &table.defects {
                let path = table.shortest(defect);
                let path = path.unwrap_or_else(|| panic!("{defect} looks like another fault"));
                let unusual = |look: &Look| table.reading(defect, look) != Some(ORDINARY);
                assert!(path.iter().any(unusual), "{defect}: {path:?}");
                assert!(path.len() <= 4, "{defect}: {path:?}");
            }
        }
    }
}

/// Ten cases: their number, the hidden fault, and the fewest looks that distinguish it from every other fault of its
/// level.
const CASES: [(u64, &str, &[&str]); 10] = [
    (1, "shifted-twice batch", &["batch"]),
    (2, "dropout-on model", &["twice"]),
    (3, "no-bias-correction adam", &["moments"]),
    (
        4,
        "transposed-output encoder.1.self_attn",
        &["weights encoder.1"],
    ),
    (7, "no-source-mask src_mask", &["padding"]),
    (9, "gradients-kept gradients", &["slopes"]),
    (12, "positions-off-by-one src_embed", &["positions"]),
    (17, "restarted-positions tgt_embed", &["positions"]),
    (22, "no-positions embeddings", &["order"]),
    (27, "heads-order encoder.2.self_attn", &["heads encoder"]),
];

#[test]
fn ten_cases_are_solved_by_instruments_alone() {
    for (number, hidden, path) in CASES {
        let mut hunt = Hunt::new(Case::new(number, None));
        let table = Table::of(hunt.case.subject(), hunt.case.level);
        let looks = table
            .shortest(&hunt.case.defect)
            .expect("it can be told from the others");
        let names: Vec<String> = looks.iter().map(ToString::to_string).collect();
        assert_eq!(names, path, "case {number}");
        let mut seen = Vec::new();
        for look in looks {
            let finding = hunt.look(&look).expect("the budget is large enough");
            seen.push((look, finding.reading));
        }
        // The readings are enough to determine the answer.
        let fitting = table.fitting(&seen);
        assert_eq!(fitting.len(), 1, "case {number}: {fitting:?}");
        assert_eq!(fitting[0].to_string(), hidden, "case {number}");
        assert_eq!(hunt.name(fitting[0]), Answer::Right);
        assert_eq!(hunt.used(), path.len());
    }
}

#[test]
fn a_wrong_answer_costs_a_look_and_the_own_evidence_speaks_against_it() {
    let mut hunt = Hunt::new(Case::new(CASES[0].0, None));
    let budget = hunt.left();
    let look = Look::every(hunt.case.subject(), hunt.case.level)
        .into_iter()
        .find(|look| look.to_string() == CASES[0].2[0])
        .expect("the path is made of looks");
    let seen = hunt.look(&look).expect("there is a budget").reading;
    let other = defects(hunt.case.subject(), hunt.case.level)
        .into_iter()
        .find(|one| one.kind != hunt.case.defect.kind)
        .expect("a level has several faults");
    match hunt.name(&other) {
        Answer::Wrong(against) => {
            assert_eq!(against[0].look, look);
            assert_eq!(against[0].seen, seen);
            assert_ne!(against[0].would, seen);
        }
        answer => panic!("{answer:?}"),
    }
    assert_eq!(hunt.left(), budget - 2);
    // Repeating a look costs nothing.
    assert_eq!(hunt.look(&look).expect("it was made").reading, seen);
    assert_eq!(hunt.left(), budget - 2);
}

#[test]
fn an_answer_is_judged_only_after_a_look_that_shows_something() {
    let (number, hidden, path) = CASES[0];
    let mut hunt = Hunt::new(Case::new(number, None));
    let defect = hunt.case.defect.clone();
    assert_eq!(defect.to_string(), hidden);
    assert_eq!(hunt.name(&defect), Answer::Unproven);
    assert_eq!(hunt.used(), 0);
    let looks = Look::every(hunt.case.subject(), hunt.case.level);
    let telling = looks.iter().find(|look| look.to_string() == path[0]);
    hunt.look(telling.expect("the path is made of looks"));
    assert_eq!(hunt.name(&defect), Answer::Right);
}

#[test]
fn a_report_fits_several_faults_and_belongs_to_one_level() {
    for fault in all() {
        let alike = all().iter().filter(|other| other.symptom == fault.symptom);
        let alike: Vec<_> = alike.collect();
        assert!(alike.len() > 1, "{}: {}", fault.name, fault.symptom);
        for other in alike {
            let of = |fault: &Fault| (fault.subject, fault.level);
            assert_eq!(of(other), of(fault), "{} and {}", other.name, fault.name);
        }
    }
}

#[test]
fn only_the_first_level_interprets_what_a_look_shows() {
    for (number, reads) in [(1, true), (2, false), (3, false)] {
        let mut hunt = Hunt::new(Case::new(number, None));
        let looks = Look::every(hunt.case.subject(), hunt.case.level);
        let finding = hunt.look(&looks[0]).expect("the budget is not spent");
        assert_eq!(
            hunt.shown(&finding).contains("Reading: "),
            reads,
            "{number}"
        );
    }
}

#[test]
fn a_case_is_the_same_on_each_run_and_its_level_is_one_to_three() {
    for number in 1..200 {
        let case = Case::new(number, None);
        assert_eq!(case, Case::new(number, None));
        assert_eq!(u64::from(case.level), (number - 1) % 3 + 1);
        assert_eq!(case.defect.kind.fault().level, case.level);
        assert_eq!(
            named(&case, &case.defect.to_string()),
            Ok(case.defect.clone())
        );
    }
    let drawn: std::collections::BTreeSet<_> = (1..200)
        .map(|number| Case::new(number, None).defect.kind)
        .collect();
    assert_eq!(drawn.len(), all().len(), "every fault is drawn");
}

#[test]
fn every_fault_sends_its_reader_to_a_lesson() {
    for fault in all() {
        let lesson = transformer_tutor::curriculum::find(&fault.lesson);
        assert!(lesson.is_ok(), "{}: {}", fault.name, fault.lesson);
    }
}

fn hunt(state: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .arg("hunt")
        .args(arguments)
        .env("TRANSFORMER_TUTOR_STATE", state)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn looks_survive_leaving_a_case_and_a_case_whose_solution_is_known_sets_no_record() {
    let state = tempfile::tempdir().expect("a folder");
    let (number, hidden, path) = CASES[0];
    let number = number.to_string();
    let case = ["--case", &number];
    let solve = format!("{}\nname {hidden}\n", path[0]);
    hunt(state.path(), &case, "curve\n");
    let out = hunt(state.path(), &case, &format!("notes\n{solve}"));
    assert_contains(&out, "5 looks left");
    assert_contains(&out, "curve:");
    assert!(out.contains("You used 2 of"), "{out}");
    assert_contains(&hunt(state.path(), &case, &solve), "You used 1 of");
    let record = || {
        let kept = std::fs::read_to_string(state.path().join("progress.toml"));
        let kept: toml::Table = kept.expect("it is kept").parse().expect("it is TOML");
        kept["records"]["hunt-level-1"].as_float()
    };
    assert_eq!(record(), Some(2.0));
    // Giving up closes a case, too, and the next one follows.
    let mut seen = BTreeSet::from([format!("Case {number}, level 1: 6 looks.")]);
    for _ in 0..2 {
        let out = hunt(state.path(), &["--level", "1"], "give up\n");
        assert!(out.contains("The fault:"), "{out}");
        let first = out.lines().next().unwrap_or_default();
        assert!(seen.insert(first.to_owned()), "{out}");
    }
    assert_eq!(record(), Some(2.0));
}

#[test]
fn the_command_takes_looks_and_an_answer_and_keeps_what_was_solved() {
    let state = tempfile::tempdir().expect("a folder");
    let (number, hidden, path) = CASES[0];
    let number = number.to_string();
    let case = ["--case", &number];
    let input = format!(
        "lok\nfaults\n{}\nnotes\nname nothing\nname {hidden}\n",
        path.join("\n")
    );
    let out = hunt(state.path(), &case, &input);
    for words in [
        "'lok' is not a look",
        "Reading:",
        "is not a fault of this level",
        "Right:",
        "The fewest looks",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert_contains(&out, &format!("You used {} of", path.len()));
    let again = hunt(state.path(), &case, "give up\n");
    assert!(again.contains("nothing is recorded"), "{again}");
    assert!(again.contains("The fault:"), "{again}");
    // Without a number, the first open case is taken up.
    assert_contains(&hunt(state.path(), &["--level", "1"], "quit\n"), "level 1");
}
