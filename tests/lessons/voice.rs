//! What people read is written in the field's words: those on the left of the project's list of private words must not
//! come back.

use transformer_tutor::curriculum::{LESSONS, PLAYGROUND};
use transformer_tutor::lesson::{Lesson, Settings, glossary, quiz};
use transformer_tutor::widgets::prose;

/// Words of this project's own, and the field's for them.
const PRIVATE: [(&str, &str); 22] = [
    ("bend", "activation function"),
    ("bends", "activation functions"),
    ("bent", "after the activation function"),
    ("loud", "large"),
    ("louder", "larger"),
    ("loudness", "norm or RMS"),
    ("quiet", "small"),
    ("quieter", "smaller"),
    ("stretches over", "is broadcast over"),
    ("stretched over", "broadcast over"),
    ("deal out", "split"),
    ("dealt out", "split"),
    ("the way back", "the backward pass"),
    ("walk back", "the backward pass"),
    ("walks back", "goes backward"),
    ("no number any more", "NaN or infinite"),
    ("the lamp", "the leak indicator"),
    ("the leak meter", "the leak indicator"),
    ("the bets", "the predicted probabilities"),
    ("a table of words", "an embedding matrix"),
    ("word table", "embedding matrix"),
    ("give up a search", "cancel"),
];

/// The private words in `text`, as whole words.
fn private(text: &str) -> Vec<String> {
    let letter = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let text = text.to_lowercase();
    let holds = |word: &str| {
        text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            !before.is_some_and(letter) && !after.is_some_and(letter)
        })
    };
    let found = PRIVATE.iter().filter(|(word, _)| holds(word));
    found
        .map(|(word, field)| format!("'{word}': write {field}"))
        .collect()
}

/// Everything of a lesson that is read, each with its place.
fn read(lesson: &'static Lesson) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |place: String, text: &str| all.push((place, text.to_owned()));
    for page in lesson.pages().unwrap_or_else(|e| panic!("{e}")) {
        let place = format!("the page {}", page.id);
        add(place.clone(), &page.title);
        add(place.clone(), &prose::plain(&page.blocks, 200));
        if let Some(caption) = page.stage().and_then(|block| block.caption.as_ref()) {
            add(format!("the caption of {place}"), caption);
        }
    }
    let pages = lesson.pages().unwrap_or_default();
    let quiz = quiz::parse(lesson.quiz).unwrap_or_else(|e| panic!("{e}"));
    for question in pages
        .iter()
        .flat_map(|page| page.predictions())
        .chain(&quiz)
    {
        let place = format!("the question {}", question.id);
        add(place.clone(), &question.ask);
        for option in &question.options {
            add(place.clone(), &format!("{} {}", option.text, option.why));
        }
    }
    for mistake in lesson.mistakes {
        let words = format!("{}. {} {}", mistake.title, mistake.watch, mistake.hint);
        add(format!("the mistake {}", mistake.name), &words);
    }
    for knob in lesson.knobs {
        add(format!("the knob {}", knob.name), knob.about);
    }
    for exercise in lesson.exercises() {
        let words = format!(
            "{} {} {} {}",
            exercise.task,
            exercise.why,
            exercise.hints.join(" "),
            exercise
                .diagnoses
                .iter()
                .map(|(_, says)| *says)
                .collect::<Vec<_>>()
                .join(" ")
        );
        add(format!("the exercise {}", exercise.name), &words);
        add(
            format!("the starter of {}", exercise.name),
            exercise.starter,
        );
    }
    add(
        "its title".to_owned(),
        &format!("{} {}", lesson.title, lesson.gains),
    );
    let settings = Settings::defaults(lesson.knobs);
    let run = lesson
        .stage()
        .run(&settings)
        .unwrap_or_else(|e| panic!("{e}"));
    for picture in &run.pictures {
        let words = format!("{} {}", picture.title, picture.says);
        add(format!("the picture {}", picture.name), &words);
    }
    all
}

#[test]
fn nothing_that_is_read_has_a_private_word() {
    let mut problems = Vec::new();
    for lesson in LESSONS.into_iter().chain([PLAYGROUND]) {
        for (place, text) in read(lesson) {
            for word in private(&text) {
                problems.push(format!("{}, {place}: {word}", lesson.name));
            }
        }
    }
    for term in glossary::terms() {
        for word in private(&term.card()) {
            problems.push(format!("glossary, {}: {word}", term.name));
        }
    }
    for (name, text) in [
        ("README.md", include_str!("../../README.md")),
        ("CONTRIBUTING.md", include_str!("../../CONTRIBUTING.md")),
        (
            "book/introduction.md",
            include_str!("../../book/introduction.md"),
        ),
    ] {
        for word in private(text) {
            problems.push(format!("{name}: {word}"));
        }
    }
    super::none(problems);
}

#[test]
fn a_private_word_is_found_as_a_whole_word_alone() {
    assert_eq!(private("It sounds Louder.").len(), 1);
    assert!(private("A cloud of points; id position-louder; the bending.").is_empty());
    assert_eq!(private("It is the way back, dealt out.").len(), 2);
}
