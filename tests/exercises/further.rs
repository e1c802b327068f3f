//! Warm-ups and challenges are offered wherever exercises are.

use std::io::Write;
use std::process::Stdio;

use transformer_tutor::tui::app::Overlay;

use super::*;

#[test]
fn the_screen_and_plain_mode_offer_every_exercise_of_a_lesson_with_kind_and_minutes() {
    let lesson = curriculum::find("gradients").expect("it is a lesson");
    let offered = |exercise: &Exercise| {
        let minutes = format!("{} min", exercise.minutes());
        [exercise.name.to_owned(), exercise.kind.to_string(), minutes]
    };
    let mut app = App::new(Some(lesson), Theme::mono(), Progress::default(), None);
    app.display.size = (120, 40);
    app.overlay = Some(Overlay::Exercises(0));
    let area = Rect::new(0, 0, 120, 40);
    let mut buf = Buffer::empty(area);
    view::draw(&app, area, &mut buf);
    let cells = buf.content().chunks(120);
    let lines: Vec<String> = cells
        .map(|row| row.iter().map(|cell| cell.symbol()).collect())
        .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut plain = program(folder.path(), &["--plain", "--lesson", lesson.name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = plain.stdin.take().expect("it is piped");
    input.write_all(b"exercise\nquit\n").expect("it listens");
    drop(input);
    let printed = plain.wait_with_output().expect("it ends").stdout;
    let printed = String::from_utf8_lossy(&printed).into_owned();
    for exercise in lesson.exercises() {
        let all = offered(exercise);
        let has = |line: &&String| all.iter().all(|word| line.contains(word));
        assert!(lines.iter().any(|line| has(&line)), "{all:?}: {lines:#?}");
        let entry = format!("exercise {} ({})", exercise.name, exercise.effort());
        assert!(printed.contains(&entry), "{entry}: {printed}");
    }
}

#[test]
fn a_further_exercise_is_found_by_its_name_and_its_hints_are_its_own() {
    let (lesson, exercise) = curriculum::exercise("softmax").expect("it is one");
    assert_eq!((lesson.name, exercise.kind), ("attention", Kind::WarmUp));
    let (_, core) = curriculum::exercise("3").expect("a lesson stands for its core exercise");
    assert_eq!(core.name, "attention");
    let wrong = curriculum::exercise("softmaks").map(|(_, e)| e.name);
    let wrong = wrong.expect_err("there is no such exercise");
    assert!(wrong.contains("did you mean 'softmax'"), "{wrong}");

    let folder = tempfile::tempdir().expect("a temporary folder");
    let state = folder.path();
    let (code, printed) = tutor(state, &["hint", "softmax"]);
    assert!(
        code == 0 && printed.contains(exercise.hints[0]),
        "{printed}"
    );
    let (_, printed) = tutor(state, &["list", "--json"]);
    let list: Value = serde_json::from_str(&printed).expect("a list");
    let hints = |name: &str| {
        let all = list.as_array().expect("a list");
        let described = all.iter().find(|entry| entry["exercise"] == name);
        described.expect(name)["hints"].clone()
    };
    assert_eq!((hints("softmax"), hints("attention")), (1.into(), 0.into()));
    let (code, printed) = tutor(state, &["list"]);
    assert_eq!(code, 0, "{printed}");
    for (lesson, exercise) in exercises() {
        let minutes = format!("{} min", exercise.minutes());
        let row = |line: &&str| {
            line.starts_with(&format!("{:02} {} ", lesson.number, exercise.name))
                && line.contains(&exercise.kind.to_string())
                && line.contains(&minutes)
        };
        assert!(printed.lines().any(|line| row(&line)), "{printed}");
    }
}

#[test]
fn the_reference_has_a_row_for_every_further_exercise() {
    let commands = include_str!("../../book/reference/commands.md");
    let rows = exercises().filter(|(_, exercise)| exercise.kind != Kind::Core);
    let rows: Vec<String> = rows
        .map(|(lesson, e)| {
            let (number, minutes) = (lesson.number, e.minutes());
            format!("| {number:02} | `{}` | {} | {minutes} |", e.name, e.kind)
        })
        .collect();
    assert!(commands.contains(&rows.join("\n")), "{}", rows.join("\n"));
    let lessons = LESSONS.iter().filter(|lesson| !lesson.more.is_empty());
    assert_eq!(
        lessons.count(),
        10,
        "commands.md says how many lessons have more"
    );
    assert!(commands.contains("Ten lessons have more"));
}
