//! Exercises of a chapter, and the appendix with their solutions.

use std::fmt::Write as _;

use anyhow::anyhow;

use crate::book::formulas;
use crate::curriculum::LESSONS;
use crate::lesson::{Exercise, Kind, Lesson, Tier, source};

/// Markdown of an exercise: its task, the open starter, and the guidance and the hints, folded.
pub(super) fn task(lesson: &Lesson, exercise: &Exercise) -> String {
    let mut out = format!(
        "\n## {3}: `{0}` {{#{4}}}\n\n{1} (About {5} minutes.)\n\nBegin with `cargo run -- exercise start {0}` in the program's folder (with `--tier open` for a file without the guidance, `--tier blank` for an empty one), edit `exercises/{0}.rs`, and check it with `cargo test --test {0}` or, on every save, `cargo run -- exercise watch {0}`.\n\n```rust\n{2}\n```\n",
        exercise.name,
        guarded(&exercise.asks(Tier::Open)),
        exercise.starter_at(Tier::Open).trim_end(),
        title(exercise.kind),
        anchor(exercise),
        exercise.minutes(),
    );
    let _ = write!(
        out,
        "\n<details class=\"tt-hint\"><summary>Guidance</summary>\n\n{}\n\n</details>\n",
        guarded(&exercise.guidance())
    );
    for (number, hint) in exercise.hints.iter().enumerate() {
        let _ = write!(
            out,
            "\n<details class=\"tt-hint\"><summary>Hint {} of {}</summary>\n\n{}\n\n</details>\n",
            number + 1,
            exercise.hints.len(),
            guarded(hint)
        );
    }
    let _ = write!(
        out,
        "\nThe solution is in the [appendix](solutions.md#{}).\n",
        solution_anchor(lesson, exercise)
    );
    out
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::WarmUp => "Warm-up",
        Kind::Core => "Exercise",
        Kind::Challenge => "Challenge",
    }
}

/// Anchor of the exercise in its chapter.
fn anchor(exercise: &Exercise) -> String {
    match exercise.kind {
        Kind::Core => "exercise".to_owned(),
        Kind::WarmUp | Kind::Challenge => format!("exercise-{}", exercise.name),
    }
}

/// Anchor of the solution in the appendix.
fn solution_anchor(lesson: &Lesson, exercise: &Exercise) -> &'static str {
    match exercise.kind {
        Kind::Core => lesson.name,
        Kind::WarmUp | Kind::Challenge => exercise.name,
    }
}

/// Escapes every `<` outside backticks: the text mentions code, not always in backticks.
fn guarded(words: &str) -> String {
    let parts = words.split('`').enumerate();
    let safe = parts.map(|(at, part)| match at % 2 {
        0 => part.replace('<', "&lt;"),
        _ => part.to_owned(),
    });
    safe.collect::<Vec<_>>().join("`")
}

/// Appendix of solutions, one section per exercise, kept apart so that they aren't read by accident.
pub fn solutions() -> anyhow::Result<String> {
    let mut out = "# Solutions\n\nThe functions that the exercises ask for, as the program itself uses them. Try first: the hints are in each lesson.\n".to_owned();
    for (lesson, exercise) in LESSONS
        .iter()
        .flat_map(|l| l.exercises().map(move |e| (l, e)))
    {
        let folder = format!("lessons/{}", lesson.folder);
        let include = format!("{{{{#include ../../{}}}}}", exercise.solution);
        let (code, from) = source::expand(&source::Embedded, &folder, &include)
            .map_err(|e| anyhow!("the solution of {}: {e}", exercise.name))?;
        let from = from.map_or_else(String::new, |from| {
            format!("\n<p class=\"place\">{from}</p>\n")
        });
        let _ = write!(
            out,
            "\n## {} {{#{}}}\n\nFor [{}]({}.md#{}).\n\n```rust\n{}\n```\n{from}\n{}\n",
            exercise.name,
            solution_anchor(lesson, exercise),
            lesson.heading(),
            lesson.folder,
            anchor(exercise),
            code.trim_end(),
            guarded(exercise.why)
        );
    }
    formulas::as_mathml(&out).map_err(|e| anyhow!("the solutions: {e}"))
}
