//! Listings of the lessons and the glossary's terms.

use std::io::{self, Write};

use super::json;
use crate::curriculum::{self, LESSONS};
use crate::lesson::{Lesson, glossary};

/// Prints one term, or all.
pub(super) fn glossary_of(
    term: Option<&str>,
    as_json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let terms = match term {
        Some(word) => vec![glossary::find(word).map_err(anyhow::Error::msg)?],
        None => glossary::terms().iter().collect(),
    };
    if as_json {
        return json(out, &terms);
    }
    for term in terms {
        writeln!(
            out,
            "{}\n  {}",
            term.name,
            term.card().replace("\n\n", "\n  ")
        )?;
    }
    Ok(())
}

/// Prints the table of contents.
pub(super) fn contents(out: &mut dyn Write) -> io::Result<()> {
    let path = curriculum::core_path();
    writeln!(out, "The core path, in parts:")?;
    for part in &path.parts {
        let minutes: u32 = path.pages(part).iter().map(|step| step.minutes).sum();
        writeln!(out, "      {:<65} {minutes:>3} min", part.title)?;
        writeln!(out, "      {}", part.gains)?;
    }
    writeln!(out, "The lessons, in order:")?;
    for lesson in LESSONS {
        writeln!(
            out,
            "  {:02}  {:<20} {:<44} {:>3} min",
            lesson.number, lesson.name, lesson.title, lesson.minutes
        )?;
        writeln!(out, "      {}", lesson.gains)?;
    }
    Ok(())
}

/// A lesson's entry in the JSON listing.
pub(super) fn listing(lesson: &Lesson) -> serde_json::Value {
    let steps = curriculum::core_path().of_lesson(lesson);
    let core: u32 = steps.map(|step| step.minutes).sum();
    serde_json::json!({
        "number": lesson.number,
        "name": lesson.name,
        "title": lesson.title,
        "minutes": lesson.minutes,
        "core_minutes": Some(core).filter(|minutes| *minutes > 0),
        "needs": lesson.needs,
        "gains": lesson.gains,
        "exercise": lesson.exercise.as_ref().map(|exercise| exercise.name),
        "more_exercises": lesson.more.iter().map(|exercise| exercise.name).collect::<Vec<_>>(),
        "mistakes": lesson.mistakes.iter().map(|m| m.name).collect::<Vec<_>>(),
    })
}
