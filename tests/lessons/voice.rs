//! Texts for learners use the field's words: the private words that they once used must not come back.

use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use transformer_tutor::curriculum::{self, LESSONS, PLAYGROUND};
use transformer_tutor::lesson::core_path::Part;
use transformer_tutor::lesson::{Lesson, Settings, glossary, quiz};
use transformer_tutor::widgets::prose;

/// Private words, each with the field's word for it.
const PRIVATE: [(&str, &str); 29] = [
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
    ("start symbol", "start token"),
    ("end symbol", "end token"),
    ("start word", "start token"),
    ("end word", "end token"),
    // The order of lessons may change, and a page of the book is read long after its run.
    ("the last lesson", "[lesson](lesson:name)"),
    ("measured now", "measured"),
    ("the running model", "the model"),
];

/// Private words that occur in `text` as whole words.
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
    let hits = PRIVATE.iter().filter(|(word, _)| holds(word));
    hits.map(|(word, field)| format!("'{word}': write {field}"))
        .collect()
}

/// All texts of a lesson that a learner reads, each with its place.
fn read(lesson: &'static Lesson) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |location: String, text: &str| all.push((location, text.to_owned()));
    for page in lesson.pages().unwrap_or_else(|e| panic!("{e}")) {
        let place = format!("the page {}", page.id);
        add(place.clone(), &page.title);
        add(place.clone(), &prose::plain(&page.blocks, 200, []));
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
    let path = curriculum::core_path();
    let begins = |part: &&Part| path.steps[part.steps.start].lesson.name == lesson.name;
    let parts = path.parts.iter().filter(begins);
    add(
        "its title".to_owned(),
        &[lesson.title, lesson.gains]
            .into_iter()
            .chain(parts.flat_map(|part| [&*part.title, &*part.gains]))
            .collect::<Vec<_>>()
            .join(" "),
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
fn no_text_uses_a_private_word() {
    let mut problems = Vec::new();
    for lesson in LESSONS.into_iter().chain([PLAYGROUND]) {
        for (location, text) in read(lesson) {
            for word in private(&text) {
                problems.push(format!("{}, {location}: {word}", lesson.name));
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
        (
            "book/reference/commands.md",
            include_str!("../../book/reference/commands.md"),
        ),
        (
            "book/reference/formats.md",
            include_str!("../../book/reference/formats.md"),
        ),
        (
            "book/reference/speed.md",
            include_str!("../../book/reference/speed.md"),
        ),
        (
            "book/reference/translator.md",
            include_str!("../../book/reference/translator.md"),
        ),
    ] {
        for word in private(text) {
            problems.push(format!("{name}: {word}"));
        }
    }
    super::none(problems);
}

/// String literals of `stream` that are more than a name, with their lines. Comments and attributes do not count.
fn sentences(stream: TokenStream, texts: &mut Vec<(usize, String)>) {
    let mut attribute = false;
    for tree in stream {
        match tree {
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                attribute = true;
                continue;
            }
            TokenTree::Punct(sign) if attribute && sign.as_char() == '!' => continue,
            TokenTree::Group(group) if !attribute => sentences(group.stream(), texts),
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<syn::LitStr>(&literal.to_string());
                let line = literal.span().start().line;
                let text = text.map(|text| text.value()).ok();
                texts.extend(text.filter(|t| t.contains(' ')).map(|text| (line, text)));
            }
            _ => {}
        }
        attribute = false;
    }
}

/// Every source file below `folder`, without tests.
fn sources(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the source is there") {
        let path = entry.expect("it can be listed").path();
        let tests = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !tests {
            sources(&path, paths);
        } else if path.extension().is_some_and(|is| is == "rs") && !tests {
            paths.push(path);
        }
    }
}

#[test]
fn no_sentence_in_the_source_has_a_private_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "lessons"] {
        sources(&root.join(folder), &mut files);
    }
    let (mut problems, mut seen) = (Vec::new(), 0);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("it was listed");
        let mut texts = Vec::new();
        sentences(text.parse().expect("it compiles"), &mut texts);
        seen += texts.len();
        for (line, text) in texts {
            for word in private(&text) {
                let location = file.strip_prefix(root).unwrap_or(&file).display();
                problems.push(format!("{location}:{line}: {word}"));
            }
        }
    }
    assert!(seen > 2000, "{seen} sentences");
    super::none(problems);
}

#[test]
fn a_private_word_is_found_as_a_whole_word_alone() {
    assert_eq!(private("It sounds Louder.").len(), 1);
    assert!(private("A cloud of points; id position-louder; the bending.").is_empty());
    assert_eq!(private("It is the way back, dealt out.").len(), 2);
}
