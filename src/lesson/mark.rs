//! Marks: links with our own schemes by which a lesson's text tells its reader what to do.
//!
//! `[Remove the scaling](break:no-scale)` reads well wherever Markdown is shown. Each front end adds how to do it
//! there: the screen a key, plain mode a command, the book a control of its figure. Advice that applies to only some
//! front ends goes into a callout, `> [!SCREEN]`.

use std::ops;

use super::knob::{Knob, Range};
use super::{Lesson, page, source};

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

/// A command that has a key on the screen.
#[derive(Debug, PartialEq, Eq)]
pub struct Action {
    /// Name in marks.
    pub name: &'static str,
    /// Key or keys on the screen.
    pub key: &'static str,
    /// Command in plain mode.
    pub command: &'static str,
    /// Equivalent in the book.
    book: InBook,
}

/// What a chapter of the book offers instead of a command.
#[derive(Debug, PartialEq, Eq)]
enum InBook {
    Nothing,
    /// The button with this label.
    Button(&'static str),
    /// The section of the same chapter with this id.
    Section(&'static str),
}

/// Commands that a text may refer to.
pub const ACTIONS: [Action; 28] = [
    action("why", "Enter", "why"),
    action("up", "Backspace", "up"),
    action("step", "Space", "step"),
    action("unstep", "B", "unstep"),
    action("pictures", "v", "look"),
    action("other", "`<` or `>`", "at"),
    action("backward", "b", "backward"),
    action("differences", "g", "g"),
    Action {
        book: InBook::Button("Difference"),
        ..action("difference", "d", "difference")
    },
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
    Action {
        book: InBook::Section("exercise"),
        ..action("exercise", "x", "exercise")
    },
    action("hint", "H", "exercise hint"),
    action("mine", "X", "mine"),
    Action {
        book: InBook::Section("questions"),
        ..action("quiz", "z", "quiz")
    },
    action("play", "m", "play"),
    action("playground", "P", "play"),
    action("lessons", "q", "lessons"),
    action("help", "?", "h"),
];

const fn action(name: &'static str, key: &'static str, command: &'static str) -> Action {
    Action {
        name,
        key,
        command,
        book: InBook::Nothing,
    }
}

const SCHEMES: [&str; 9] = [
    "break", "mend", "set", "turn", "look", "cell", "do", "page", "lesson",
];

impl<'a> Mark<'a> {
    /// Parses a link's target; `None` if it is not a mark. `Err` shows the correct syntax.
    pub fn parse(target: &'a str) -> Option<Result<Self, String>> {
        let (scheme, rest) = target.split_once(':')?;
        let mark = match scheme {
            "break" => Self::Break(rest),
            "mend" => Self::Mend(rest),
            "turn" => Self::Turn(rest),
            "look" => Self::Look(rest),
            "cell" => Self::Cell(rest),
            "page" => Self::Page(rest),
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

    /// Checks that `lesson` has what the mark names, as far as that is known without a run. `Err` says what is missing.
    pub fn resolve(&self, lesson: &Lesson) -> Result<(), String> {
        match self {
            Self::Break(name) | Self::Mend(name) => match number_of(lesson, name) {
                Some(_) => Ok(()),
                None => Err(format!("{name}: the lesson has no mistake '{name}'")),
            },
            Self::Set { knob, value } => lesson.settings(&[(knob, value)]).map(|_| ()),
            Self::Turn(name) => match knob(lesson, name) {
                Some(_) => Ok(()),
                None => Err(format!("turn:{name}: the lesson has no knob '{name}'")),
            },
            Self::Page(id) => match page_number(lesson, id) {
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

    /// The link's text, followed by the lesson's number if it leads to a lesson.
    fn text(&self, text: &str) -> String {
        match self {
            Self::Lesson(name) => match folder_of(name) {
                Some((_, number)) => format!("{text} {number}"),
                None => text.to_owned(),
            },
            _ => text.to_owned(),
        }
    }

    /// The link's text, with instructions for the front end.
    fn written(&self, text: &str, lesson: &Lesson, front_end: FrontEnd) -> String {
        if let (Self::Set { knob, value }, FrontEnd::Book) = (self, front_end)
            && text.contains(knob)
            && text.contains(value)
        {
            // The text itself already says it: "Set `heads` to 7".
            return text.to_owned();
        }
        match self.way(lesson, front_end) {
            Way::Aside(how) => format!("{text} ({how})"),
            Way::Link(to) => format!("[{text}]({to})"),
            Way::Nothing => text.to_owned(),
        }
    }

    fn way(&self, lesson: &Lesson, front_end: FrontEnd) -> Way {
        match front_end {
            FrontEnd::Screen => self.on_screen(lesson),
            FrontEnd::Plain => self.in_plain_mode(lesson),
            FrontEnd::Book => self.in_book(lesson),
        }
    }

    fn on_screen(&self, lesson: &Lesson) -> Way {
        Way::Aside(match self {
            Self::Break(name) | Self::Mend(name) => {
                format!("press `{}`", number_of(lesson, name).unwrap_or(0))
            }
            Self::Set { knob, value } => format!("type `:{knob}={value}`"),
            Self::Turn(name) if takes_text(lesson, name) => format!("type `:{name}=…`"),
            Self::Turn(_) => return Way::Nothing,
            Self::Look(name) | Self::Cell(name) => format!("type `:look {name}`"),
            Self::Do(action) if action.key.starts_with('`') => format!("press {}", action.key),
            Self::Do(action) => format!("press `{}`", action.key),
            Self::Page(id) => format!("page {}", page_number(lesson, id).unwrap_or(0)),
            Self::Lesson(_) => return Way::Nothing,
        })
    }

    fn in_plain_mode(&self, lesson: &Lesson) -> Way {
        Way::Aside(match self {
            Self::Break(name) | Self::Mend(name) => {
                format!("`break {}`", number_of(lesson, name).unwrap_or(0))
            }
            Self::Set { knob, value } => format!("`set {knob} {value}`"),
            Self::Turn(name) => format!("`set {name}`"),
            Self::Look(name) | Self::Cell(name) => format!("`look {name}`"),
            Self::Do(action) => format!("`{}`", action.command),
            Self::Page(_) | Self::Lesson(_) => return self.on_screen(lesson),
        })
    }

    fn in_book(&self, lesson: &Lesson) -> Way {
        let how = match self {
            Self::Break(name) => format!("switch on {}", number_of(lesson, name).unwrap_or(0)),
            Self::Mend(name) => format!("switch {} off", number_of(lesson, name).unwrap_or(0)),
            Self::Set { knob, value } => format!("set `{knob}` to `{value}`"),
            Self::Look(name) | Self::Cell(name) => format!("look at `{}`", without_place(name)),
            Self::Do(action) => match action.book {
                InBook::Nothing => return Way::Nothing,
                InBook::Button(name) => format!("choose *{name}*"),
                InBook::Section(id) => return Way::Link(format!("#{id}")),
            },
            Self::Turn(_) => return Way::Nothing,
            Self::Page(page::START) => return Way::Link(format!("{}.html", lesson.folder)),
            Self::Page(id) => return Way::Link(format!("#{id}")),
            Self::Lesson(name) => {
                return folder_of(name).map_or(Way::Nothing, |(folder, _)| {
                    Way::Link(format!("{folder}.html"))
                });
            }
        };
        Way::Aside(how)
    }
}

/// What a front end adds to the text of a mark.
enum Way {
    /// Instructions in parentheses.
    Aside(String),
    /// A link with this target.
    Link(String),
    Nothing,
}

/// The tensor name in `weights[0,2]`.
fn without_place(name: &str) -> &str {
    name.split_once('[').map_or(name, |(tensor, _)| tensor)
}

/// A lesson's folder, `04-attention`, and the two digits of its number.
fn folder_of(name: &str) -> Option<(&'static str, &'static str)> {
    source::LESSONS.dirs().find_map(|folder| {
        let folder = folder.path().to_str()?;
        let (number, rest) = folder.split_once('-')?;
        (rest == name).then_some((folder, number))
    })
}

fn knob(lesson: &Lesson, name: &str) -> Option<&'static Knob> {
    lesson.knobs.iter().find(|knob| knob.name == name)
}

/// Whether the knob's value is free text.
fn takes_text(lesson: &Lesson, name: &str) -> bool {
    knob(lesson, name).is_some_and(|knob| matches!(knob.range, Range::Text { .. }))
}

/// A page's number, from 1.
fn page_number(lesson: &Lesson, id: &str) -> Option<usize> {
    page::ids(lesson.text)
        .iter()
        .position(|page| page == id)
        .map(|place| place + 1)
}

/// Number of the mistake's switch, from 1.
fn number_of(lesson: &Lesson, name: &str) -> Option<usize> {
    let place = lesson
        .mistakes
        .iter()
        .position(|mistake| mistake.name == name);
    place.map(|place| place + 1)
}

/// A Markdown link: its text, its target, and the byte range of the whole link.
struct Link<'a> {
    text: &'a str,
    target: &'a str,
    place: ops::Range<usize>,
}

/// Links with our schemes, including those in code fences, where captions and questions are written.
fn links(markdown: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    for (middle, _) in markdown.match_indices("](") {
        let rest = &markdown[middle + 2..];
        // A target with spaces is written between `<` and `>`.
        let (opened, closed) = if rest.starts_with('<') {
            ("<", ">)")
        } else {
            ("", ")")
        };
        let rest = &rest[opened.len()..];
        let scheme = rest.split_once(':').map_or("", |(scheme, _)| scheme);
        let (true, Some(length)) = (SCHEMES.contains(&scheme), rest.find(closed)) else {
            continue;
        };
        if let Some(start) = opening(&markdown[..middle]) {
            let end = middle + 2 + opened.len() + length + closed.len();
            links.push(Link {
                text: &markdown[start + 1..middle],
                target: &rest[..length],
                place: start..end,
            });
        }
    }
    links
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
    links(markdown).into_iter().filter_map(|link| {
        let line = markdown[..link.place.start].matches('\n').count() + 1;
        Some((line, Mark::parse(link.target)?))
    })
}

/// The text, with every mark replaced by what `front_end` shows for it.
pub fn written(markdown: &str, lesson: &Lesson, front_end: FrontEnd) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut done = 0;
    for link in links(markdown) {
        out += &markdown[done..link.place.start];
        out += &match Mark::parse(link.target) {
            Some(Ok(mark)) => mark.written(&mark.text(link.text), lesson, front_end),
            _ => markdown[link.place.clone()].to_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    fn attention(markdown: &str) -> [String; 3] {
        let lesson = curriculum::find("attention").unwrap();
        [FrontEnd::Screen, FrontEnd::Plain, FrontEnd::Book]
            .map(|front_end| lesson.says(&for_front_end(markdown, front_end), front_end))
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
                "Heads ([lesson 05](05-multi-head.html)) [1](https://x.org)",
            ),
            (
                "[Turn up the spread](turn:query_std), or [type](turn:text).",
                "Turn up the spread, or type (type `:text=…`).",
                "Turn up the spread (`set query_std`), or type (`set text`).",
                "Turn up the spread, or type.",
            ),
            (
                "[Write it](do:exercise), see [the shapes](page:every-query-meets-every-key) and [what changed](do:difference).",
                "Write it (press `x`), see the shapes (page 3) and what changed (press `d`).",
                "Write it (`exercise`), see the shapes (page 3) and what changed (`difference`).",
                "[Write it](#exercise), see [the shapes](#every-query-meets-every-key) and what changed (choose *Difference*).",
            ),
            (
                "[Mr. Dog](<set:text=Der Hund (alt) schläft.>)!",
                "Mr. Dog (type `:text=Der Hund (alt) schläft.`)!",
                "Mr. Dog (`set text Der Hund (alt) schläft.`)!",
                "Mr. Dog (set `text` to `Der Hund (alt) schläft.`)!",
            ),
            (
                "[Set `heads` to 7](set:heads=7)",
                "Set `heads` to 7 (type `:heads=7`)",
                "Set `heads` to 7 (`set heads 7`)",
                "Set `heads` to 7",
            ),
            (
                "[Put it back](mend:no-scale)",
                "Put it back (press `1`)",
                "Put it back (`break 1`)",
                "Put it back (switch 1 off)",
            ),
            (
                "[One weight](cell:weights[0,0,4,3])",
                "One weight (type `:look weights[0,0,4,3]`)",
                "One weight (`look weights[0,0,4,3]`)",
                "One weight (look at `weights`)",
            ),
        ] {
            assert_eq!(attention(markdown), [screen, plain, book]);
        }
    }

    #[test]
    fn a_callout_of_some_front_ends_is_seen_there_only_and_lines_keep_their_numbers() {
        let markdown = "Look.\n\n> [!BOOK]\n> Use the slider.\n> It moves.\n\n> [!SCREEN]\n> Press `]`.\n\n> [!NOTE]\n> Both.\n\n> [!PROGRAM]\n> Train it.\n";
        let [screen, plain, book] = attention(markdown);
        assert_eq!(
            screen,
            "Look.\n\n\n\n\n\n\nPress `]`.\n\n> [!NOTE]\n> Both.\n\n\nTrain it.\n"
        );
        assert_eq!(
            plain,
            "Look.\n\n\n\n\n\n\n\n\n> [!NOTE]\n> Both.\n\n\nTrain it.\n"
        );
        assert_eq!(
            book,
            "Look.\n\n\nUse the slider.\nIt moves.\n\n\n\n\n> [!NOTE]\n> Both.\n\n\n\n"
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
        let markdown = "one\n[a](break:nothing) [b](set:heads=many)\n[c](do:dance) [d](lesson:05) [e](set:heads) [f](turn:tail) [g](page:9)";
        let wrong: Vec<(usize, String)> = marks(markdown)
            .filter_map(|(line, mark)| {
                Some((line, mark.and_then(|mark| mark.resolve(lesson)).err()?))
            })
            .collect();
        let lines: Vec<usize> = wrong.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 2, 3, 3, 3, 3, 3], "{wrong:?}");
        assert!(
            wrong[3].1.contains("there is no lesson '05'"),
            "{}",
            wrong[3].1
        );
    }
}
