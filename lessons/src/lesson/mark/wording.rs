//! How each front end words a mark: the screen names a key, plain mode a command, the book a control of its figure.

use std::ops::Range;

use super::{Mark, folder_of, links};
use crate::lesson::knob;
use crate::lesson::{Lesson, page};

/// A program or format that shows lessons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    Screen,
    Plain,
    Book,
}

/// First lines of the callouts that only some front ends show.
const CALLOUTS: [(&str, &[FrontEnd]); 4] = [
    ("[!SCREEN]", &[FrontEnd::Screen]),
    ("[!PLAIN]", &[FrontEnd::Plain]),
    ("[!PROGRAM]", &[FrontEnd::Screen, FrontEnd::Plain]),
    ("[!BOOK]", &[FrontEnd::Book]),
];

/// A command that has a key on the screen.
#[derive(Debug, PartialEq, Eq)]
pub struct Action {
    /// Name in marks.
    pub name: &'static str,
    /// Key or keys on the screen.
    pub key: &'static str,
    /// Instruction on the screen, if it takes more than pressing the key.
    steps: Option<&'static str>,
    /// Command in plain mode.
    pub command: &'static str,
    /// Equivalent in the book.
    book: InBook,
}

/// What a chapter of the book offers instead of a command.
#[derive(Debug, PartialEq, Eq)]
enum InBook {
    Nothing,
    /// The slider of the figure.
    Slider,
    /// A link that asks the figure for it.
    Request,
    /// A link to this place.
    Place(&'static str),
}

/// Commands that a text may refer to.
pub const ACTIONS: [Action; 32] = [
    Action {
        book: InBook::Request,
        ..action("why", "Enter", "why")
    },
    Action {
        steps: Some("press `Tab`, the arrows, then `Enter`"),
        ..action("ask", "Enter", "why")
    },
    Action {
        book: InBook::Request,
        ..action("up", "Backspace", "up")
    },
    action("step", "Space", "step"),
    action("unstep", "B", "unstep"),
    action("pictures", "v", "look"),
    Action {
        book: InBook::Slider,
        ..action("other", "`<` or `>`", "at")
    },
    Action {
        book: InBook::Request,
        ..action("backward", "b", "backward")
    },
    action("differences", "g", "g"),
    Action {
        book: InBook::Request,
        ..action("difference", "d", "difference")
    },
    action("edit", "e", "edit"),
    Action {
        book: InBook::Request,
        ..action("undo", "u", "undo")
    },
    action("redo", "U", "redo"),
    action("run", "r", "run"),
    action("train-back", "t", "train back"),
    action("train-fork", "f", "train fork"),
    action("zoom", "i", "zoom in"),
    action("log", "Y", "log"),
    action("next", "n", "next"),
    action("previous", "N", "previous"),
    action("predict", "p", "predict"),
    Action {
        book: InBook::Place("#exercise"),
        ..action("exercise", "x", "exercise")
    },
    action("hint", "H", "exercise hint"),
    action("mine", "X", "mine"),
    Action {
        book: InBook::Place("#questions"),
        ..action("quiz", "z", "quiz")
    },
    Action {
        book: InBook::Place("playground.html"),
        ..action("play", "m", "play SENTENCE")
    },
    Action {
        book: InBook::Place("playground.html"),
        ..action("playground", "P", "play")
    },
    action("lessons", "q", "lessons"),
    action("hunt", "C", "hunt"),
    action("core", "J", "core"),
    action("help", "?", "h"),
    action("define", "D", "term"),
];

const fn action(name: &'static str, key: &'static str, command: &'static str) -> Action {
    Action {
        name,
        key,
        steps: None,
        command,
        book: InBook::Nothing,
    }
}

impl Mark<'_> {
    /// The link's text. A lesson's number follows its name.
    fn label(&self, text: &str) -> String {
        match self {
            Self::Lesson(name) => match folder_of(name) {
                Some((_, number)) => format!("{text} {number}"),
                None => text.to_owned(),
            },
            _ => text.to_owned(),
        }
    }

    /// What `front_end` adds to the link's text.
    fn rendering(&self, lesson: &Lesson, front_end: FrontEnd) -> Rendering {
        match front_end {
            FrontEnd::Screen => self.on_screen(lesson),
            FrontEnd::Plain => self.in_plain_mode(lesson),
            FrontEnd::Book => self.in_book(lesson),
        }
    }

    /// The key on the screen that does what the mark says, if it says to do something.
    pub fn key(&self, lesson: &Lesson) -> Option<String> {
        match self {
            Self::Break(name) | Self::Mend(name) => Some(match switch(lesson, name) {
                key @ ..=9 => key.to_string(),
                _ => ":".to_owned(),
            }),
            Self::Turn(name) if !takes_text(lesson, name) => Some("]".to_owned()),
            Self::Set { .. } | Self::Turn(_) | Self::Look(_) | Self::Cell(_) => {
                Some(":".to_owned())
            }
            Self::Do(action) => Some(action.key.trim_matches('`').to_owned()),
            Self::Page(_) | Self::Lesson(_) => None,
        }
    }

    fn on_screen(&self, lesson: &Lesson) -> Rendering {
        Rendering::Aside(match self {
            Self::Break(name) | Self::Mend(name) => match switch(lesson, name) {
                key @ ..=9 => format!("press [`{key}`]({SWITCH}{name})"),
                _ => format!("type [`:{name}`]({SWITCH}{name})"),
            },
            Self::Set { knob, value } => format!("type `:{knob}={value}`"),
            Self::Turn(name) if takes_text(lesson, name) => format!("type `:{name}=…`"),
            Self::Turn(_) => return Rendering::Nothing,
            Self::Look(name) | Self::Cell(name) => format!("type `:look {name}`"),
            Self::Do(action) => match action.steps {
                Some(steps) => steps.to_owned(),
                None if action.key.starts_with('`') => format!("press {}", action.key),
                None => format!("press `{}`", action.key),
            },
            // A page's number depends on whether the reader follows the core path.
            Self::Page(page::START) => "first page of the lesson".to_owned(),
            Self::Page(id) => {
                let Some(title) = lesson.page_title(id) else {
                    return Rendering::Nothing;
                };
                match page::optional_title(title) {
                    Some(title) => format!("optional page “{title}”"),
                    None => format!("page “{title}”"),
                }
            }
            Self::Lesson(_) => return Rendering::Nothing,
        })
    }

    fn in_plain_mode(&self, lesson: &Lesson) -> Rendering {
        Rendering::Aside(match self {
            Self::Break(name) | Self::Mend(name) => {
                format!("[`break {}`]({SWITCH}{name})", switch(lesson, name))
            }
            Self::Set { knob, value } => format!("`set {knob} {value}`"),
            Self::Turn(name) => format!("`set {name}`"),
            Self::Look(name) | Self::Cell(name) => format!("`look {name}`"),
            Self::Do(action) => format!("`{}`", action.command),
            Self::Page(_) | Self::Lesson(_) => return self.on_screen(lesson),
        })
    }

    fn in_book(&self, lesson: &Lesson) -> Rendering {
        match self {
            Self::Break(name) | Self::Mend(name) => request("break", name),
            Self::Set { knob, value } => request("set", &format!("{knob}={value}")),
            Self::Look(name) | Self::Cell(name) => request("look", name),
            Self::Do(action) => match action.book {
                InBook::Nothing => Rendering::Nothing,
                InBook::Slider => Rendering::Aside("move the slider".to_owned()),
                InBook::Request => request("do", action.name),
                InBook::Place(place) => Rendering::Link(place.to_owned()),
            },
            Self::Turn(_) => Rendering::Nothing,
            Self::Page(page::START) => Rendering::Link(format!("{}.html", lesson.folder)),
            Self::Page(id) => Rendering::Link(format!("#{id}")),
            Self::Lesson(name) => folder_of(name).map_or(Rendering::Nothing, |(folder, _)| {
                Rendering::Link(format!("{folder}.html"))
            }),
        }
    }
}

/// Beginning of the target of a link that asks something of the nearest figure: `#do:set=heads=7`.
pub const REQUEST: &str = "#do:";

/// A link that asks something of the nearest figure.
fn request(kind: &str, of: &str) -> Rendering {
    let mut to = format!("{REQUEST}{kind}=");
    for byte in of.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b',' | b'=' => {
                to.push(byte.into());
            }
            _ => to += &format!("%{byte:02X}"),
        }
    }
    Rendering::Link(to)
}

/// What a front end adds to the label of a mark.
enum Rendering {
    /// Instructions, in parentheses or after a colon.
    Aside(String),
    /// A link with this target.
    Link(String),
    Nothing,
}

/// Beginning of the target of a link around a switch's key. Where the text is drawn, it tells whether the switch is on.
pub const SWITCH: &str = "break:";

/// Number of a mistake's switch; 0 if there is no such mistake, which [`Mark::resolve`] reports.
fn switch(lesson: &Lesson, name: &str) -> usize {
    lesson.switch_number(name).unwrap_or(0)
}

/// True if the knob's value is free text.
fn takes_text(lesson: &Lesson, name: &str) -> bool {
    let knob = lesson.knob(name);
    knob.is_ok_and(|knob| matches!(knob.range, knob::Range::Text { .. }))
}

/// True if `place` is all that a pair of parentheses contains.
fn fills_parentheses(markdown: &str, place: &Range<usize>) -> bool {
    markdown[..place.start].ends_with('(') && markdown[place.end..].starts_with(')')
}

/// The text, with every mark replaced by what `front_end` shows for it.
pub fn written(markdown: &str, lesson: &Lesson, front_end: FrontEnd) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut done = 0;
    for link in links(markdown) {
        // A mark that is wrong stays as it is.
        let Ok(mark) = link.mark else { continue };
        out += &markdown[done..link.place.start];
        let label = mark.label(link.text);
        out += &match mark.rendering(lesson, front_end) {
            // A link that fills parentheses gets no second pair.
            Rendering::Aside(how) if fills_parentheses(markdown, &link.place) => {
                format!("{label}: {how}")
            }
            Rendering::Aside(how) => format!("{label} ({how})"),
            Rendering::Link(to) => format!("[{label}]({to})"),
            Rendering::Nothing => label,
        };
        done = link.place.end;
    }
    out + &markdown[done..]
}

/// The text without the callouts of other front ends; those of `front_end`, such as `> [!SCREEN]`, become paragraphs.
/// Line numbers don't change.
pub fn for_front_end(markdown: &str, front_end: FrontEnd) -> String {
    let mut out = String::new();
    // Front ends of the callout that contains the line.
    let mut of: Option<&[FrontEnd]> = None;
    for line in markdown.split_inclusive('\n') {
        let Some(quoted) = line.strip_prefix('>') else {
            of = None;
            out += line;
            continue;
        };
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let quoted = quoted.trim();
        let tag = CALLOUTS.iter().find(|(tag, _)| quoted == *tag);
        match (tag, of) {
            (Some((_, front_ends)), _) => {
                of = Some(front_ends);
                out += end;
            }
            (None, None) => out += line,
            (None, Some(of)) if of.contains(&front_end) => {
                out += quoted;
                out += end;
            }
            (None, Some(_)) => out += end,
        }
    }
    out
}
