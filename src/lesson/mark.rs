//! Marks: what a lesson's text lets its reader do, written as links with schemes of our own.
//!
//! `[Remove the scaling](break:no-scale)` reads well wherever Markdown is shown. Each front end adds how it is done there:
//! the screen a key, plain mode a command, the book the control of its figure. What only one of them can do stands in a
//! callout of its own, `> [!SCREEN]`.

use std::ops::Range;

use super::{Lesson, source};

/// What draws a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    Screen,
    Plain,
    Book,
}

impl FrontEnd {
    const ALL: [Self; 3] = [Self::Screen, Self::Plain, Self::Book];

    /// The first line of a callout that only this front end shows.
    fn tag(self) -> &'static str {
        match self {
            Self::Screen => "[!SCREEN]",
            Self::Plain => "[!PLAIN]",
            Self::Book => "[!BOOK]",
        }
    }
}

/// What a link lets the reader do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark<'a> {
    /// `break:no-scale`: switches a mistake on.
    Break(&'a str),
    /// `set:heads=4`: turns a knob.
    Set { knob: &'a str, value: &'a str },
    /// `look:leak`: shows a picture or tensor.
    Look(&'a str),
    /// `cell:weights[0,0,4,3]`: moves the cursor there.
    Cell(&'a str),
    /// `do:why`: a command of the walkthrough, see [`ACTIONS`].
    Do(&'a Action),
    /// `lesson:multi-head`: another lesson, by its name.
    Lesson(&'a str),
}

/// A command with a key of its own on the screen.
#[derive(Debug, PartialEq, Eq)]
pub struct Action {
    /// Its name in marks.
    pub name: &'static str,
    /// The key, or the keys, on the screen.
    pub key: &'static str,
    /// The command in plain mode.
    pub command: &'static str,
}

/// The commands that a text may ask for.
pub const ACTIONS: [Action; 26] = [
    action("why", "Enter", "why"),
    action("up", "Backspace", "up"),
    action("step", "Space", "step"),
    action("unstep", "B", "unstep"),
    action("pictures", "v", "look"),
    action("other", "`<` or `>`", "at"),
    action("backward", "b", "backward"),
    action("difference", "d", "difference"),
    action("edit", "e", "edit"),
    action("undo", "u", "undo"),
    action("redo", "U", "redo"),
    action("run", "r", "run"),
    action("train-back", "t", "train back"),
    action("train-fork", "f", "train fork"),
    action("zoom", "i", "zoom in"),
    action("log", "Y", "log"),
    action("next", "n", "next"),
    action("previous", "N", "previous"),
    action("predict", "p", "predict"),
    action("exercise", "x", "exercise"),
    action("hint", "H", "exercise hint"),
    action("mine", "X", "mine"),
    action("quiz", "z", "quiz"),
    action("play", "m", "play"),
    action("lessons", "q", "lessons"),
    action("help", "?", "h"),
];

const fn action(name: &'static str, key: &'static str, command: &'static str) -> Action {
    Action { name, key, command }
}

const SCHEMES: [&str; 6] = ["break", "set", "look", "cell", "do", "lesson"];

impl<'a> Mark<'a> {
    /// The mark that a link's target is; `None` for other links. `Err` says how it is written.
    pub fn parse(target: &'a str) -> Option<Result<Self, String>> {
        let (scheme, rest) = target.split_once(':')?;
        let mark = match scheme {
            "break" => Self::Break(rest),
            "look" => Self::Look(rest),
            "cell" => Self::Cell(rest),
            "lesson" => Self::Lesson(rest),
            "set" => {
                return Some(match rest.split_once('=') {
                    Some((knob, value)) => Ok(Self::Set { knob, value }),
                    None => Err(format!("{target}: write set:knob=value")),
                });
            }
            "do" => {
                let found = ACTIONS.iter().find(|action| action.name == rest);
                return Some(found.map(Self::Do).ok_or_else(|| {
                    let names = ACTIONS.map(|action| action.name);
                    format!(
                        "{target}: there is no command '{rest}'; there are {}",
                        names.join(", ")
                    )
                }));
            }
            _ => return None,
        };
        Some(Ok(mark))
    }

    /// Whether `lesson` has what the mark names, as far as that can be known without a run. `Err` says what is missing.
    pub fn resolve(&self, lesson: &Lesson) -> Result<(), String> {
        match self {
            Self::Break(name) => match number_of(lesson, name) {
                Some(_) => Ok(()),
                None => Err(format!("break:{name}: the lesson has no mistake '{name}'")),
            },
            Self::Set { knob, value } => lesson.settings(&[(knob, value)]).map(|_| ()),
            Self::Lesson(name) => match lesson_number(name) {
                Some(_) => Ok(()),
                None => Err(format!(
                    "lesson:{name}: there is no lesson '{name}'; write its folder without the number"
                )),
            },
            Self::Look(_) | Self::Cell(_) | Self::Do(_) => Ok(()),
        }
    }

    /// The link's text, with how this is done in a front end.
    fn written(&self, text: &str, lesson: &Lesson, front_end: FrontEnd) -> String {
        match self.way(lesson, front_end) {
            Way::Aside(how) => format!("{text} ({how})"),
            Way::After(what) => format!("{text} {what}"),
            Way::Nothing => text.to_owned(),
        }
    }

    fn way(&self, lesson: &Lesson, front_end: FrontEnd) -> Way {
        use FrontEnd::{Book, Plain, Screen};
        let how = match (self, front_end) {
            (Self::Lesson(name), _) => {
                return lesson_number(name)
                    .map_or(Way::Nothing, |number| Way::After(number.to_owned()));
            }
            (Self::Break(name), _) => {
                let number = number_of(lesson, name).unwrap_or_default();
                match front_end {
                    Screen => format!("press `{number}`"),
                    Plain => format!("`break {number}`"),
                    Book => format!("switch on {number}"),
                }
            }
            (Self::Set { knob, value }, Screen) => format!("type `:{knob}={value}`"),
            (Self::Set { knob, value }, Plain) => format!("`set {knob} {value}`"),
            (Self::Set { knob, value }, Book) => format!("set `{knob}` to `{value}`"),
            (Self::Look(name) | Self::Cell(name), Screen) => format!("type `:look {name}`"),
            (Self::Look(name) | Self::Cell(name), Plain) => format!("`look {name}`"),
            (Self::Look(name) | Self::Cell(name), Book) => format!("look at `{name}`"),
            (Self::Do(action), Screen) if action.key.starts_with('`') => {
                format!("press {}", action.key)
            }
            (Self::Do(action), Screen) => format!("press `{}`", action.key),
            (Self::Do(action), Plain) => format!("`{}`", action.command),
            (Self::Do(_), Book) => return Way::Nothing,
        };
        Way::Aside(how)
    }
}

/// What a front end adds to a mark's text.
enum Way {
    /// In brackets.
    Aside(String),
    After(String),
    Nothing,
}

/// The two digits of a lesson's number, which its folder begins with: `04-attention`.
fn lesson_number(name: &str) -> Option<&'static str> {
    source::LESSONS.dirs().find_map(|folder| {
        let (number, rest) = folder.path().to_str()?.split_once('-')?;
        (rest == name).then_some(number)
    })
}

/// The mistake's switch, from 1.
fn number_of(lesson: &Lesson, name: &str) -> Option<usize> {
    let place = lesson
        .mistakes
        .iter()
        .position(|mistake| mistake.name == name);
    place.map(|place| place + 1)
}

/// A link in Markdown: its text and target, and where all of it stands.
struct Link<'a> {
    text: &'a str,
    target: &'a str,
    place: Range<usize>,
}

/// The links of our schemes in a text, in code fences too: captions and questions are written there.
fn links(markdown: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    for (middle, _) in markdown.match_indices("](") {
        let target = &markdown[middle + 2..];
        let scheme = target.split_once(':').map_or("", |(scheme, _)| scheme);
        let (true, Some(length)) = (SCHEMES.contains(&scheme), target.find(')')) else {
            continue;
        };
        if let Some(start) = opening(&markdown[..middle]) {
            links.push(Link {
                text: &markdown[start + 1..middle],
                target: &target[..length],
                place: start..middle + 2 + length + 1,
            });
        }
    }
    links
}

/// The place of the bracket that the end of `text` would close.
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

/// Every mark of a text with its line, from 1. `Err` says how one is written.
pub fn marks(markdown: &str) -> impl Iterator<Item = (usize, Result<Mark<'_>, String>)> {
    links(markdown).into_iter().filter_map(|link| {
        let line = markdown[..link.place.start].matches('\n').count() + 1;
        Some((line, Mark::parse(link.target)?))
    })
}

/// The text as `front_end` says it: with what each mark takes there, and without callouts for other front ends. Lines
/// keep their numbers.
pub fn written(markdown: &str, lesson: &Lesson, front_end: FrontEnd) -> String {
    let markdown = &for_front_end(markdown, front_end);
    let links = links(markdown);
    let mut out = String::with_capacity(markdown.len());
    let mut done = 0;
    for link in links {
        out += &markdown[done..link.place.start];
        out += &match Mark::parse(link.target) {
            Some(Ok(mark)) => mark.written(link.text, lesson, front_end),
            _ => markdown[link.place.clone()].to_owned(),
        };
        done = link.place.end;
    }
    out + &markdown[done..]
}

/// The text without the callouts of other front ends, `> [!SCREEN]`, `> [!PLAIN]` and `> [!BOOK]`; those of this one
/// become paragraphs.
fn for_front_end(markdown: &str, front_end: FrontEnd) -> String {
    let mut out = String::with_capacity(markdown.len());
    // The front end of the callout that the line is in.
    let mut of: Option<FrontEnd> = None;
    for line in markdown.split_inclusive('\n') {
        let Some(quoted) = line.strip_prefix('>') else {
            of = None;
            out += line;
            continue;
        };
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let quoted = quoted.trim();
        let tag = FrontEnd::ALL.into_iter().find(|one| quoted == one.tag());
        match (tag, of) {
            (Some(_), _) => {
                of = tag;
                out += end;
            }
            (None, None) => out += line,
            (None, Some(of)) if of == front_end => {
                out += quoted;
                out += end;
            }
            (None, Some(_)) => out += end,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    fn attention(markdown: &str) -> [String; 3] {
        let lesson = curriculum::find("attention").unwrap();
        [FrontEnd::Screen, FrontEnd::Plain, FrontEnd::Book]
            .map(|front_end| written(markdown, lesson, front_end))
    }

    #[test]
    fn each_front_end_says_how_it_is_done_there() {
        for (markdown, screen, plain, book) in [
            (
                "[Leave the division out](break:no-scale).",
                "Leave the division out (press `1`).",
                "Leave the division out (`break 1`).",
                "Leave the division out (switch on 1).",
            ),
            (
                "Try [seven heads](set:heads=7).",
                "Try seven heads (type `:heads=7`).",
                "Try seven heads (`set heads 7`).",
                "Try seven heads (set `heads` to `7`).",
            ),
            (
                "[The picture](look:leak) shows it.",
                "The picture (type `:look leak`) shows it.",
                "The picture (`look leak`) shows it.",
                "The picture (look at `leak`) shows it.",
            ),
            (
                "[Ask the cell](do:why).",
                "Ask the cell (press `Enter`).",
                "Ask the cell (`why`).",
                "Ask the cell.",
            ),
            (
                "Heads ([lesson](lesson:multi-head)) [1](https://x.org)",
                "Heads (lesson 05) [1](https://x.org)",
                "Heads (lesson 05) [1](https://x.org)",
                "Heads (lesson 05) [1](https://x.org)",
            ),
        ] {
            assert_eq!(attention(markdown), [screen, plain, book]);
        }
    }

    #[test]
    fn a_callout_of_one_front_end_is_seen_there_only_and_lines_keep_their_numbers() {
        let markdown = "Look.\n\n> [!BOOK]\n> Use the slider.\n> It moves.\n\n> [!SCREEN]\n> Press `]`.\n\n> [!NOTE]\n> Both.\n";
        let [screen, plain, book] = attention(markdown);
        assert_eq!(
            screen,
            "Look.\n\n\n\n\n\n\nPress `]`.\n\n> [!NOTE]\n> Both.\n"
        );
        assert_eq!(plain, "Look.\n\n\n\n\n\n\n\n\n> [!NOTE]\n> Both.\n");
        assert_eq!(
            book,
            "Look.\n\n\nUse the slider.\nIt moves.\n\n\n\n\n> [!NOTE]\n> Both.\n"
        );
    }

    #[test]
    fn brackets_may_stand_in_the_text_of_a_mark() {
        let [screen, ..] = attention("see [row `[0, 4]`](cell:weights[0,0,4,3]) there");
        assert_eq!(
            screen,
            "see row `[0, 4]` (type `:look weights[0,0,4,3]`) there"
        );
    }

    #[test]
    fn a_mark_that_names_nothing_is_refused_with_its_line() {
        let lesson = curriculum::find("attention").unwrap();
        let markdown = "one\n[a](break:nothing) [b](set:heads=many)\n[c](do:dance) [d](lesson:05) [e](set:heads)";
        let wrong: Vec<(usize, String)> = marks(markdown)
            .filter_map(|(line, mark)| {
                Some((line, mark.and_then(|mark| mark.resolve(lesson)).err()?))
            })
            .collect();
        let lines: Vec<usize> = wrong.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 2, 3, 3, 3], "{wrong:?}");
        assert!(
            wrong[3].1.contains("there is no lesson '05'"),
            "{}",
            wrong[3].1
        );
    }
}
