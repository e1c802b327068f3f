//! The report on a check: expected and actual shape, the first wrong cell and the likely mistake, then the compiler's
//! messages. The same card serves the screen and plain text.

use super::bench::Event;
use super::comparison::differences;
use super::compiler::Diagnostic;
use super::runner::{Phase, Report};
use super::verdict::Verdict;
use super::workbook::Workbook;
use super::{Exercise, Failure, Kind, WrongCell};
use crate::lesson::{Lesson, Tier};
use crate::typeset::sanitize::clean;

/// Message shown while cargo compiles.
const BUILDING: &str = "The first time cargo also compiles the libraries that a test needs, which can take some \
                        minutes. After that a check takes some seconds.";

/// Role of a line on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Passed.
    Good,
    /// Failed.
    Bad,
    /// The likely mistake, which should be read first.
    Note,
    /// A heading.
    Title,
    /// Running text.
    Text,
    /// Less important text.
    Dim,
    /// Code and columns, which keep their layout.
    Code,
}

/// Lines with their roles. No line contains a control character.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// What is being waited for, shown at the top; empty if nothing is.
    pub state: String,
    /// Lines from top to bottom.
    pub lines: Vec<(Role, String)>,
}

impl Card {
    /// Updates the card after an event. The lines of the last check stay until the next one has finished.
    pub fn tell(&mut self, lesson: &Lesson, exercise: &Exercise, event: &Event) {
        match event {
            Event::Phase(Phase::Building) => {
                self.state = format!("{} {BUILDING}", Phase::Building);
            }
            Event::Phase(phase) => self.state = phase.to_string(),
            Event::Checked(report) => *self = card(lesson, exercise, report),
        }
    }

    /// Appends the lines of `text` with this role.
    pub fn push(&mut self, role: Role, text: impl AsRef<str>) {
        let text = clean(text.as_ref());
        let lines = text.trim_end().lines().map(|line| (role, line.to_owned()));
        self.lines.extend(lines);
    }

    /// Appends a blank line, unless the card is empty or already ends with one.
    pub fn gap(&mut self) {
        if self.lines.last().is_some_and(|(_, line)| !line.is_empty()) {
            self.lines.push((Role::Text, String::new()));
        }
    }

    /// Appends less important text.
    pub fn dim(&mut self, text: impl AsRef<str>) {
        self.push(Role::Dim, text);
    }

    /// Appends running text.
    pub fn text(&mut self, text: impl AsRef<str>) {
        self.push(Role::Text, text);
    }

    /// Appends a heading.
    pub fn title(&mut self, text: impl AsRef<str>) {
        self.push(Role::Title, text);
    }

    /// Appends code, keeping its layout.
    pub fn code(&mut self, text: impl AsRef<str>) {
        self.push(Role::Code, text);
    }

    /// The card as text, with a newline after every line.
    pub fn plain(&self) -> String {
        self.lines
            .iter()
            .map(|(_, line)| format!("{}\n", line.trim_end()))
            .collect()
    }
}

/// The card of one check: the verdict, then what led to it. After passing, it shows why the function works, the
/// mistakes that the check would have caught, and the reference with what differs in the learner's code.
pub fn card(lesson: &Lesson, exercise: &Exercise, report: &Report) -> Card {
    let mut card = Card::default();
    let name = exercise.name;
    if report.is_unwritten() {
        card.push(Role::Note, format!("○ {name} is not written yet"));
        card.gap();
        unwritten(&mut card, exercise, report);
        return card;
    }
    verdict(&mut card, name, &report.verdict);
    match &report.verdict {
        Verdict::Compiler(errors) if errors.iter().any(|e| !e.is_own()) => {
            card.gap();
            card.code(exercise.signature());
        }
        Verdict::Passed => {
            if report.tier > Tier::Guided {
                card.text(format!(
                    "You wrote it at the tier {}: {}.",
                    report.tier,
                    report.tier.begins_with()
                ));
            }
            passed(&mut card, lesson, exercise);
            card.gap();
            solution(&mut card, exercise, &report.source);
        }
        Verdict::Failed(_) | Verdict::Stopped(_) if !report.warnings.is_empty() => {
            card.gap();
            card.title("Compiler warnings");
            // One line each, because they only help to find what the verdict reports.
            for warning in &report.warnings {
                let place = warning.place.as_deref().unwrap_or_default();
                card.code(format!("{place}  {}", warning.message));
            }
        }
        _ => {}
    }
    if !report.printed.is_empty() {
        card.gap();
        card.title("Your function printed");
        card.code(&report.printed);
    }
    card
}

/// Appends what the learner's file gives at this tier, and at the blank one the contract, which it lacks.
fn unwritten(card: &mut Card, exercise: &Exercise, report: &Report) {
    let state = match report.tier {
        _ if report.begun => format!(
            "There was no {}, so the starter was written.",
            Workbook::name(exercise)
        ),
        Tier::Blank => "Nothing is written in your file yet.".to_owned(),
        Tier::Guided | Tier::Open => "Your file is still the starter.".to_owned(),
    };
    let gives = match report.tier {
        Tier::Guided => "Its comment says what goes in, what comes out, and what you can use.",
        Tier::Open => {
            "Its comment says what goes in and what comes out; how to compute it is up to you."
        }
        Tier::Blank => "The check calls this function, which you write with all that it needs:",
    };
    card.text(format!("{state} {gives}"));
    if report.tier == Tier::Blank {
        card.gap();
        card.code(exercise.frame());
        card.gap();
        card.text(exercise.contract());
    }
}

/// Appends only the verdict.
pub fn verdict(card: &mut Card, name: &str, verdict: &Verdict) {
    match verdict {
        Verdict::Passed => card.push(Role::Good, format!("✓ {name} passes")),
        Verdict::Failed(failure) => {
            let what = match failure.calls {
                Some(_) => "calls the reference",
                None => "does something else",
            };
            card.push(Role::Bad, format!("✗ {name} {what}"));
            card.gap();
            self::failure(card, failure);
        }
        Verdict::Compiler(errors) => {
            let count = errors.len();
            let plural = if count == 1 { "error" } else { "errors" };
            card.push(
                Role::Bad,
                format!("✗ {name} does not compile: {count} {plural}"),
            );
            card.gap();
            diagnostics(card, errors);
        }
        Verdict::Stopped(sentence) => {
            card.push(Role::Note, format!("Not checked: {name}"));
            card.gap();
            card.text(sentence);
        }
    }
}

fn failure(card: &mut Card, failure: &Failure) {
    card.text(&failure.sentence);
    if let Some(at) = &failure.at {
        card.dim(format!("at {at}"));
    }
    if let (Some(expected), Some(got)) = (&failure.expected_shape, &failure.shape) {
        card.gap();
        shapes(card, expected, got);
    }
    if let Some(cell) = &failure.cell {
        card.gap();
        wrong_cell(card, cell);
    }
    if let Some(relation) = &failure.relation {
        card.gap();
        card.text(relation);
    }
    if !failure.finished.is_empty() {
        card.gap();
        card.push(
            Role::Good,
            format!("✓ right already: {}", failure.finished.join(", ")),
        );
    }
    if let Some(likely) = &failure.likely {
        card.gap();
        match &failure.also {
            None => card.push(Role::Note, format!("Likely: {likely}")),
            Some(also) => {
                card.push(Role::Note, "Likely, two mistakes at once:");
                card.push(Role::Note, format!("1. {likely}"));
                card.push(Role::Note, format!("2. {also}"));
            }
        }
    }
}

/// Appends the two shapes, aligned by axis, with a mark below each axis that differs.
fn shapes(card: &mut Card, expected: &[usize], got: &[usize]) {
    let axes = expected.len().max(got.len());
    let word =
        |shape: &[usize], axis: usize| shape.get(axis).map_or(String::new(), ToString::to_string);
    let mut rows = [
        "expected shape  ".to_owned(),
        "your shape      ".to_owned(),
        "                ".to_owned(),
    ];
    for axis in 0..axes {
        let (e, g) = (word(expected, axis), word(got, axis));
        let mark = if e == g { "" } else { "^" };
        let width = e.len().max(g.len()).max(1) + 2;
        for (row, word) in rows.iter_mut().zip([&e, &g, mark]) {
            row.push_str(&format!("{word:>width$}"));
        }
    }
    rows.iter().for_each(|row| card.code(row));
    let sentence = match (expected.len(), got.len()) {
        (e, g) if e != g => format!("{e} axes were expected, yours has {g}."),
        _ => {
            let mut sorted = [expected.to_vec(), got.to_vec()];
            sorted.iter_mut().for_each(|shape| shape.sort_unstable());
            if sorted[0] != sorted[1] {
                return;
            }
            "The sizes are the same in another order: two axes changed places.".to_owned()
        }
    };
    card.text(sentence);
}

fn wrong_cell(card: &mut Card, cell: &WrongCell) {
    let index: Vec<_> = cell.index.iter().map(ToString::to_string).collect();
    card.code(format!("first wrong cell  [{}]", index.join(", ")));
    let (e, g) = numbers(cell.expected, cell.got);
    let width = e.len().max(g.len());
    card.code(format!("expected          {e:>width$}"));
    card.code(format!("yours             {g:>width$}"));
}

/// Two numbers, as whole numbers if both are.
fn numbers(expected: f32, got: f32) -> (String, String) {
    let is_whole = |x: f32| x.fract() == 0.0 && x.abs() < 1e7;
    if is_whole(expected) && is_whole(got) {
        // Adding 0 turns −0 into 0.
        (
            format!("{:.0}", expected + 0.0),
            format!("{:.0}", got + 0.0),
        )
    } else {
        (number(expected), number(got))
    }
}

/// Formats enough digits to show the difference, but no more than f32 has.
fn number(x: f32) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if !size.is_finite() => x.to_string(),
        size if (1e-4..1e7).contains(&size) => format!("{x:.6}"),
        _ => format!("{x:e}"),
    }
}

fn diagnostics(card: &mut Card, all: &[Diagnostic]) {
    for (n, diagnostic) in all.iter().enumerate() {
        if n > 0 {
            card.gap();
        }
        card.code(&diagnostic.rendered);
        if let Some(likely) = diagnostic.likely().filter(|_| diagnostic.is_own()) {
            card.push(Role::Note, format!("Likely: {likely}"));
        }
        if diagnostic.error && !diagnostic.is_own() {
            card.push(
                Role::Note,
                "This line calls your function: it needs this name, and the parameters and the result that the exercise states.",
            );
        }
    }
}

fn passed(card: &mut Card, lesson: &Lesson, exercise: &Exercise) {
    card.gap();
    card.title("Why it works");
    card.text(exercise.why);
    card.gap();
    card.title("The check would have caught");
    if exercise.kind == Kind::Core {
        for mistake in lesson.mistakes.iter().filter(|m| !m.hint.is_empty()) {
            card.text(format!("- {}: {}", mistake.title, mistake.hint));
            if let Some(change) = exercise.change(mistake.name) {
                card.code(change.diff);
            }
        }
        return;
    }
    for change in exercise.changes.iter().filter(|c| c.says.is_none()) {
        let hint = lesson.hint(exercise, change.name).unwrap_or_default();
        card.text(format!("- {}: {hint}", change.name.replace('-', " ")));
        card.code(change.diff);
    }
}

/// Appends the reference, and how the learner's code differs from it.
pub fn solution(card: &mut Card, exercise: &Exercise, own: &str) {
    let code = match exercise.reference() {
        Ok((code, place)) => {
            let place = place.map_or(String::new(), |place| format!(", {place}"));
            card.title(format!("The reference{place}"));
            card.code(&code);
            code
        }
        Err(e) => return card.text(e),
    };
    if !own.is_empty() {
        card.gap();
        card.title(format!(
            "What differs in yours, {}",
            Workbook::name(exercise)
        ));
        for sentence in differences(&code, own) {
            card.text(sentence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untouched_starter_did_not_fail_it_is_not_written_yet() {
        let (lesson, exercise) = crate::curriculum::exercise("attention").expect("it is one");
        let mut report = Report {
            verdict: Verdict::Failed(Failure::new("not yet implemented")),
            warnings: Vec::new(),
            printed: String::new(),
            source: String::new(),
            begun: false,
            attempted: false,
            tier: Tier::Guided,
            seconds: 0.0,
        };
        let says = |report: &Report| card(lesson, exercise, report).plain();
        assert!(says(&report).starts_with("○ attention is not written yet"));
        let still = says(&report);
        for tier in Tier::ALL {
            (report.tier, report.begun) = (tier, true);
            let begun = says(&report);
            assert!(
                begun.contains("There was no exercises/attention.rs"),
                "{begun}"
            );
            assert!(begun != still && !begun.contains("still"), "{begun}");
        }
        report.attempted = true;
        assert!(says(&report).starts_with("✗ attention does something else"));
        report.attempted = false;
        report.verdict = Verdict::Stopped("there is no cargo".to_owned());
        assert!(says(&report).contains("there is no cargo"));
    }

    fn text(of: Failure) -> String {
        let mut card = Card::default();
        verdict(&mut card, "attention", &Verdict::Failed(Box::new(of)));
        card.plain()
    }

    #[test]
    fn shapes_stand_axis_under_axis() {
        let failure = Failure {
            sentence: "without a mask: the shape is wrong".into(),
            expected_shape: Some(vec![2, 3, 4, 16]),
            shape: Some(vec![2, 4, 3, 16]),
            ..Failure::default()
        };
        assert_eq!(
            text(failure),
            "✗ attention does something else\n\n\
             without a mask: the shape is wrong\n\n\
             expected shape    2  3  4  16\n\
             your shape        2  4  3  16\n\
             \x20                    ^  ^\n\
             The sizes are the same in another order: two axes changed places.\n"
        );
    }

    #[test]
    fn a_missing_axis_is_counted() {
        let failure = Failure {
            expected_shape: Some(vec![2, 1, 5]),
            shape: Some(vec![2, 5]),
            ..Failure::default()
        };
        assert!(text(failure).contains("3 axes were expected, yours has 2."));
    }

    #[test]
    fn a_function_that_calls_the_reference_does_nothing_else() {
        let failure = Failure {
            calls: Some("transformer_tutor::nn::attention::attention".to_owned()),
            ..*Failure::new("it is the reference")
        };
        assert!(text(failure).starts_with("✗ attention calls the reference\n"));
    }

    #[test]
    fn the_first_wrong_cell_and_the_likely_mistake_follow() {
        let failure = Failure {
            sentence: "the values differ".into(),
            cell: Some(WrongCell {
                index: vec![0, 1],
                expected: 0.25,
                got: f32::NAN,
            }),
            relation: Some("All your numbers are 0.".into()),
            likely: Some("A row is blocked whole.".into()),
            at: Some("exercises/attention.rs:3:1".into()),
            ..Failure::default()
        };
        let text = text(failure);
        let tail = "at exercises/attention.rs:3:1\n\n\
                    first wrong cell  [0, 1]\n\
                    expected          0.250000\n\
                    yours                  NaN\n\n\
                    All your numbers are 0.\n\n\
                    Likely: A row is blocked whole.\n";
        assert!(text.ends_with(tail), "{text}");
    }

    #[test]
    fn small_numbers_keep_their_digits() {
        assert_eq!(number(1.25e-9), "1.25e-9");
        assert_eq!(number(-0.5), "-0.500000");
        assert_eq!(number(-1e9), "-1e9");
    }

    #[test]
    fn whole_numbers_have_no_decimals_unless_one_of_the_two_has() {
        let pair = |e: &str, g: &str| (e.to_owned(), g.to_owned());
        assert_eq!(numbers(3.0, -4.0), pair("3", "-4"));
        assert_eq!(numbers(3.0, 2.5), pair("3.000000", "2.500000"));
        assert_eq!(numbers(-0.0, 1.0), pair("0", "1"));
    }

    #[test]
    fn a_passed_check_shows_the_lines_that_a_mistake_changes() {
        let (lesson, exercise) = crate::curriculum::exercise("attention").expect("it is one");
        let mut card = Card::default();
        passed(&mut card, lesson, exercise);
        let change = exercise.change("no-scale").expect("a known mistake");
        let mut lines = change.diff.lines();
        assert!(lines.all(|line| card.lines.contains(&(Role::Code, line.to_owned()))));
    }

    #[test]
    fn two_mistakes_are_both_named() {
        let failure = Failure {
            likely: Some("The root is missing.".into()),
            also: Some("The mask is inverted.".into()),
            ..*Failure::new("the values differ")
        };
        let tail =
            "Likely, two mistakes at once:\n1. The root is missing.\n2. The mask is inverted.\n";
        assert!(text(failure).ends_with(tail));
    }

    #[test]
    fn no_control_character_passes() {
        let mut card = Card::default();
        verdict(
            &mut card,
            "attention",
            &Verdict::Stopped("a\u{1b}[31mb\u{7}".into()),
        );
        assert!(card.plain().ends_with("ab\n"));
    }
}
