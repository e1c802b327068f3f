//! Marks: links with our own schemes by which a lesson's text tells its reader what to do.
//!
//! `[Remove the scaling](break:no-scale)` reads well wherever Markdown is shown. Each front end adds how to do it
//! there: the screen a key, plain mode a command, the book a control of its figure. Advice that applies to only some
//! front ends goes into a callout, `> [!SCREEN]`.

use std::ops;

use super::{Lesson, source};

#[cfg(test)]
mod tests;
mod wording;

pub use wording::{ACTIONS, Action, FrontEnd, SWITCH, for_front_end, written};

/// Something that a link lets the reader do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark<'a> {
    /// `break:no-scale`: switches a mistake on.
    Break(&'a str),
    /// `mend:no-scale`: switches a mistake off again.
    Mend(&'a str),
    /// `set:heads=4`: sets a knob.
    Set { knob: &'a str, value: &'a str },
    /// `turn:heads`: changes a knob, or enters a text.
    Turn(&'a str),
    /// `look:leak`: shows a picture or tensor.
    Look(&'a str),
    /// `cell:weights[0,0,4,3]`: moves the cursor to a cell.
    Cell(&'a str),
    /// `do:why`: a command of the walkthrough, see [`ACTIONS`].
    Do(&'a Action),
    /// `page:ask-why`: goes to a page of this lesson, by id.
    Page(&'a str),
    /// `lesson:multi-head`: goes to a lesson, by name.
    Lesson(&'a str),
}

impl<'a> Mark<'a> {
    /// Parses a link's target; `None` if it is not a mark. `Err` shows the correct syntax.
    pub fn parse(target: &'a str) -> Option<Result<Self, String>> {
        let (scheme, rest) = target.split_once(':')?;
        Some(Ok(match scheme {
            "break" => Self::Break(rest),
            "mend" => Self::Mend(rest),
            "turn" => Self::Turn(rest),
            "look" => Self::Look(rest),
            "cell" => Self::Cell(rest),
            "page" => Self::Page(rest),
            "lesson" => Self::Lesson(rest),
            "set" => match rest.split_once('=') {
                Some((knob, value)) => Self::Set { knob, value },
                None => return Some(Err(format!("{target}: write set:knob=value"))),
            },
            "do" => match ACTIONS.iter().find(|action| action.name == rest) {
                Some(action) => Self::Do(action),
                None => {
                    let names = ACTIONS.map(|action| action.name).join(", ");
                    return Some(Err(format!(
                        "{target}: there is no command '{rest}'; there are {names}"
                    )));
                }
            },
            _ => return None,
        }))
    }

    /// Checks that `lesson` has what the mark names, as far as that is known without a run. The error explains what is
    /// missing.
    pub fn resolve(&self, lesson: &Lesson) -> Result<(), String> {
        match self {
            Self::Break(name) | Self::Mend(name) => match lesson.switch_number(name) {
                Some(_) => Ok(()),
                None => Err(format!("{name}: the lesson has no mistake '{name}'")),
            },
            Self::Set { knob, value } => lesson.settings(&[(knob, value)]).map(drop),
            Self::Turn(name) => lesson.knob(name).map(drop),
            Self::Page(id) => match lesson.page_number(id) {
                Some(_) => Ok(()),
                None => Err(format!("page:{id}: the lesson has no page '{id}'")),
            },
            Self::Lesson(name) => match folder_of(name) {
                Some(_) => Ok(()),
                None => Err(format!(
                    "lesson:{name}: there is no lesson '{name}'; write its folder without the number"
                )),
            },
            Self::Look(_) | Self::Cell(_) | Self::Do(_) => Ok(()),
        }
    }

    /// Name of the knob that the mark sets or turns.
    pub fn knob(&self) -> Option<&'a str> {
        match self {
            Self::Set { knob, .. } | Self::Turn(knob) => Some(knob),
            _ => None,
        }
    }
}

/// A lesson's folder, `03-attention`, and the two digits of its number.
fn folder_of(name: &str) -> Option<(&'static str, &'static str)> {
    source::lesson_folders().find_map(|folder| {
        let (number, rest) = folder.split_once('-')?;
        (rest == name).then_some((folder, number))
    })
}

/// A lesson's number, by its name.
pub(super) fn number_of(lesson: &str) -> Option<usize> {
    folder_of(lesson)?.1.parse().ok()
}

/// A Markdown link that is a mark: its text, what it lets the reader do, and the byte range of the whole link.
struct Link<'a> {
    text: &'a str,
    mark: Result<Mark<'a>, String>,
    place: ops::Range<usize>,
}

/// The marks of a text, including those in code fences, where captions and questions are written.
fn links(markdown: &str) -> impl Iterator<Item = Link<'_>> {
    markdown.match_indices("](").filter_map(move |(middle, _)| {
        let rest = &markdown[middle + 2..];
        // A target with spaces is written between `<` and `>`.
        let (opened, closed) = if rest.starts_with('<') {
            ("<", ">)")
        } else {
            ("", ")")
        };
        let (target, _) = rest[opened.len()..].split_once(closed)?;
        let mark = Mark::parse(target)?;
        let start = opening(&markdown[..middle])?;
        let end = middle + 2 + opened.len() + target.len() + closed.len();
        Some(Link {
            text: &markdown[start + 1..middle],
            mark,
            place: start..end,
        })
    })
}

/// Byte offset of the bracket that a `]` after `text` would close.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' if depth == 0 => return Some(at),
            '[' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Every mark of a text with its line, from 1. `Err` shows the correct syntax.
pub fn marks(markdown: &str) -> impl Iterator<Item = (usize, Result<Mark<'_>, String>)> {
    links(markdown).map(|link| {
        let line = markdown[..link.place.start].matches('\n').count() + 1;
        (line, link.mark)
    })
}
