//! Search for typed text in commands, the open lesson, the glossary and the pages of all lessons.

use std::sync::LazyLock;

use super::entries::{Entry, entries};
use crate::command::{self, Action, Command};
use crate::curriculum::LESSONS;
use crate::lesson::glossary::{self, Term};
use crate::lesson::session::Session;
use crate::lesson::{FrontEnd, Lesson};
use crate::widgets::stage::readable;

/// Match found by the palette.
#[derive(Clone, Copy)]
pub enum Hit {
    /// A command.
    Command(&'static Command),
    /// A step, picture, knob or mistake of the open lesson.
    Entry(Entry),
    /// A term of the glossary.
    Term(&'static Term),
    /// A lesson, by its index in [`LESSONS`].
    Lesson(usize),
    /// A page of the open lesson, by its index.
    Page(usize),
    /// A knob and its value: `heads=4`, as the line's name has it.
    Setting,
}

/// Line of the palette: name, key and description.
pub struct Line {
    /// The match.
    pub hit: Hit,
    /// Name of the match.
    pub name: String,
    /// The key that does the same; empty if there is none.
    pub key: String,
    /// Description of the match.
    pub about: String,
}

/// Rank of a name as a match for the lower-case `typed`, 0 being the best; `None` if it does not match.
fn rank(name: &str, about: &str, typed: &str) -> Option<u8> {
    let (name, about) = (name.to_lowercase(), about.to_lowercase());
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    // Letters may be left out, but not the first of a word: `mhead` finds `multi_head`.
    let in_order = |text: &str| {
        let mut wanted = typed.chars();
        let first = wanted.next();
        let starts = text.char_indices().filter(|&(at, c)| {
            let before = text[..at].chars().next_back();
            Some(c) == first && before.is_none_or(|c| !c.is_alphanumeric())
        });
        let rest: Vec<char> = wanted.collect();
        rest.len() > 1
            && starts.into_iter().any(|(at, c)| {
                let mut letters = text[at + c.len_utf8()..].chars();
                rest.iter().all(|c| letters.any(|l| l == *c))
            })
    };
    let last = name.rsplit('.').next().unwrap_or(&name);
    Some(if name == typed || last == typed {
        0
    } else if name.starts_with(typed) || last.starts_with(typed) {
        1
    } else if words.any(|word| word.starts_with(typed)) {
        2
    } else if name.contains(typed) {
        3
    } else if about.contains(typed) {
        4
    } else if in_order(&name) {
        5
    } else {
        return None;
    })
}

fn line(session: &Session, entry: Entry) -> Line {
    let lesson = session.lesson();
    let (name, key, about) = match entry {
        Entry::Step(n) => {
            let name = readable(&session.trace().steps()[n].name).into_owned();
            (name, String::new(), format!("tensor of step {}", n + 1))
        }
        Entry::Picture(n) => {
            let picture = &session.run().pictures[n];
            (
                picture.name.to_owned(),
                "v".to_owned(),
                format!("picture: {}", picture.title),
            )
        }
        Entry::Knob(n) => {
            let knob = &lesson.knobs[n];
            (
                knob.name.to_owned(),
                "[ ]".to_owned(),
                format!("knob: {}", knob.about),
            )
        }
        Entry::Mistake(n) => {
            let mistake = &lesson.mistakes[n];
            (
                mistake.name.to_owned(),
                (n + 1).to_string(),
                format!("break it: {}", mistake.title),
            )
        }
    };
    Line {
        hit: Hit::Entry(entry),
        name,
        key,
        about,
    }
}

/// Line of a lesson and its rank, found by number, title or name.
fn of_lesson(place: usize, typed: &str) -> Option<(u8, Line)> {
    let lesson = LESSONS[place];
    let number = typed.strip_prefix("lesson").unwrap_or(typed).trim();
    let fits = match number.parse::<usize>() {
        Ok(number) => (number == lesson.number).then_some(0),
        Err(_) => [lesson.title, lesson.name]
            .into_iter()
            .filter_map(|name| rank(name, "", typed).filter(|rank| *rank < 4))
            .min(),
    };
    let line = Line {
        hit: Hit::Lesson(place),
        name: format!("lesson {:02}", lesson.number),
        key: String::new(),
        about: lesson.title.to_owned(),
    };
    Some((fits?, line))
}

/// Settings of a knob: what is typed first, then the values that the knob turns through and that contain it.
fn settings(session: &Session, knob: &str, value: &str) -> Vec<Line> {
    let known = session.lesson().knob(knob).ok();
    let own = known.and_then(|knob| session.own_text(knob));
    let stops = known.map_or_else(Vec::new, |knob| session.stops(knob));
    let lower = value.to_lowercase();
    let typed = (!value.is_empty() && !stops.iter().any(|stop| stop == value)).then_some(value);
    let fits = |stop: &&str| stop.to_lowercase().contains(&lower);
    let stops = stops.iter().map(String::as_str).filter(fits);
    let line = |value: &str| Line {
        hit: Hit::Setting,
        name: format!("{knob}={value}"),
        key: String::new(),
        about: if own == Some(value) { "yours" } else { "" }.to_owned(),
    };
    typed.into_iter().chain(stops).map(line).collect()
}

/// Pages of a lesson with this number, or with the typed text in their titles.
fn pages(lesson: &Lesson, typed: &str) -> Vec<Line> {
    let pages = lesson.pages_for(FrontEnd::Screen).unwrap_or_default();
    let number = typed.parse::<usize>();
    let fits = |at: usize, title: &str| match number {
        Ok(number) => at + 1 == number,
        Err(_) => title.to_lowercase().contains(typed),
    };
    let pages = pages.into_iter().enumerate();
    let pages = pages.filter(|(at, page)| fits(*at, &page.title));
    pages
        .map(|(at, page)| Line {
            hit: Hit::Page(at),
            name: format!("page {}", at + 1),
            key: String::new(),
            about: page.title,
        })
        .collect()
}

/// Commands, tensors, pictures, knobs, mistakes, lessons and terms that match the typed text, the best first.
///
/// Of equally good matches, entries of the open lesson come before commands. The list of lessons has no `session`;
/// only commands that do something there are found.
pub fn fitting(typed: &str, session: Option<&Session>) -> Vec<Line> {
    if let Some((knob, value)) = typed.split_once('=')
        && let Some(session) = session
    {
        return settings(session, knob.trim(), value.trim());
    }
    let typed = typed.trim().to_lowercase();
    if let Some(rest) = typed.strip_prefix("page")
        && let Some(lesson) = session.map(Session::lesson)
        && (rest.is_empty() || rest.starts_with(' '))
    {
        return pages(lesson, rest.trim());
    }
    let typed = typed.strip_prefix("look ").unwrap_or(&typed);
    let here = |c: &&Command| session.is_some() || c.action.traits().in_lesson_list;
    let commands = command::all().filter(here).map(|c| Line {
        hit: Hit::Command(c),
        name: c.name.to_owned(),
        key: match c.action {
            // The footer shows one entry for all switches.
            Action::Break(n) => n.to_string(),
            _ => c.shown.to_owned(),
        },
        about: c.about.to_owned(),
    });
    let listed = session.into_iter().flat_map(|session| {
        let all = entries(session).into_iter();
        all.map(|entry| line(session, entry)).collect::<Vec<_>>()
    });
    let terms = glossary::terms().iter().map(|term| Line {
        hit: Hit::Term(term),
        name: term.name.clone(),
        key: String::new(),
        about: if term.also.is_empty() {
            "what this term means".to_owned()
        } else {
            format!("what this term means; also {}", term.also.join(", "))
        },
    });
    let ranked = commands.chain(listed).chain(terms).filter_map(|line| {
        let rank = rank(&line.name, &line.about, typed)?;
        // A tensor's description is only its place in the run, so a match in it (rank 4) does not count.
        let step = matches!(line.hit, Hit::Entry(Entry::Step(_)));
        // There are too many terms to list them without any text, or for scattered letters (rank 5).
        let term = matches!(line.hit, Hit::Term(_)) && (typed.is_empty() || rank > 4);
        (!term && (!step || rank != 4)).then_some((rank, line))
    });
    let lessons = (0..LESSONS.len()).filter_map(|place| of_lesson(place, typed));
    let mut ranked: Vec<(u8, Line)> = ranked.chain(lessons).collect();
    if !typed.is_empty() {
        ranked.sort_by_key(|(rank, line)| {
            let kind = match line.hit {
                Hit::Entry(_) | Hit::Page(_) | Hit::Setting => 0,
                Hit::Lesson(_) => 1,
                Hit::Command(_) => 2,
                Hit::Term(_) => 3,
            };
            (*rank, kind)
        });
    }
    ranked.into_iter().map(|(_, line)| line).collect()
}

/// Glossary terms that match the typed text, first by name, then by meaning; all in alphabetical order if it is empty.
pub fn terms_with(typed: &str) -> Vec<&'static Term> {
    let typed = typed.trim().to_lowercase();
    let rank = |term: &Term| {
        // Of equally good matches, a term's own name comes before the others.
        let names = term.names().enumerate();
        let names = names.filter_map(|(n, name)| Some((rank(name, "", &typed)?, n.min(1))));
        let names = names.filter(|(rank, _)| *rank < 4);
        let means = term.means.to_lowercase().contains(&typed);
        names.min().or(means.then_some((4, 1)))
    };
    let mut hits: Vec<((u8, usize), &Term)> = (glossary::terms().iter())
        .filter_map(|term| Some((rank(term)?, term)))
        .collect();
    if !typed.is_empty() {
        hits.sort_by_key(|(rank, _)| *rank);
    }
    hits.into_iter().map(|(_, term)| term).collect()
}

/// Text of one page in lower case, for the search.
struct Words {
    lesson: usize,
    page: usize,
    title: String,
    all: String,
}

/// Text of every page, made once: every key searches it, and reading all lessons takes a third of a second.
static PAGES: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (lesson, of) in LESSONS.iter().enumerate() {
        for (page, p) in of.pages().unwrap_or_default().into_iter().enumerate() {
            let words = crate::widgets::prose::plain(&p.blocks, 200, []);
            all.push(Words {
                lesson,
                page,
                all: format!("{}\n{words}", p.title).to_lowercase(),
                title: p.title,
            });
        }
    }
    all
});

/// The term that the typed text names, and the pages that contain the text: (lesson, page, title).
pub fn searched(typed: &str) -> (Option<&'static Term>, Vec<(usize, usize, String)>) {
    let typed = typed.trim().to_lowercase();
    if typed.is_empty() {
        return (None, Vec::new());
    }
    let hits = PAGES.iter().filter(|page| page.all.contains(&typed));
    let pages = hits.map(|page| (page.lesson, page.page, page.title.clone()));
    (glossary::find(&typed).ok(), pages.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    fn first(typed: &str) -> Line {
        let session = Session::new(curriculum::find("attention").unwrap());
        fitting(typed, Some(&session)).into_iter().next().unwrap()
    }

    #[test]
    fn tensors_pictures_knobs_and_mistakes_are_found_by_name() {
        for (typed, is) in [
            ("weights", "weights"),
            ("scor", "scores"),
            ("look scores", "scores"),
            ("saturation", "saturation"),
            ("d_k", "d_k"),
            ("no-scale", "no-scale"),
        ] {
            let line = first(typed);
            assert_eq!(line.name, is, "{typed}");
            assert!(matches!(line.hit, Hit::Entry(_)), "{typed}");
        }
        assert_eq!(first("no-scale").key, "1");
    }

    #[test]
    fn commands_are_found_by_name_and_by_what_they_do() {
        for typed in ["quiz", "asks the lesson's quiz"] {
            let line = first(typed);
            assert_eq!((&line.name[..], &line.key[..]), ("quiz", "z"), "{typed}");
        }
        let softmax = fitting("perplexity", None);
        assert!(matches!(softmax[0].hit, Hit::Term(term) if term.lesson == 16));
        let session = Session::new(curriculum::find("attention").unwrap());
        let all = fitting("", Some(&session));
        assert!(all.len() > 60 && !all.iter().any(|line| matches!(line.hit, Hit::Term(_))));
        assert!(fitting("xyzzyqqq", None).is_empty());
    }

    #[test]
    fn lessons_are_found_by_number_and_title_without_stage_commands() {
        for (typed, number) in [
            ("4", 4),
            ("lesson 12", 12),
            ("multi-head", 5),
            ("decoding", 21),
        ] {
            let hits = fitting(typed, None);
            let lesson = match hits.first().map(|line| line.hit) {
                Some(Hit::Lesson(place)) => LESSONS[place].number,
                _ => panic!("{typed} finds no lesson first"),
            };
            assert_eq!(lesson, number, "{typed}");
        }
        let names: Vec<String> = fitting("", None)
            .into_iter()
            .map(|line| line.name)
            .collect();
        assert!(names.contains(&"glossary".to_owned()) && !names.contains(&"gradients".to_owned()));
        assert!(
            fitting(
                "gradients",
                Some(&Session::new(curriculum::find("attention").unwrap()))
            )
            .iter()
            .any(|line| line.name == "gradients")
        );
    }

    #[test]
    fn letters_may_be_left_out_of_a_name_but_not_its_first() {
        assert_eq!(rank("saturation", "", "strn"), Some(5));
        assert_eq!(rank("no-scale", "", "scl"), Some(5));
        assert_eq!(rank("saturation", "", "trn"), None);
        assert_eq!(
            rank("saturation", "", "sn"),
            None,
            "two letters fit too much"
        );
    }

    #[test]
    fn both_searches_find_terms_under_the_names_by_which_people_ask() {
        for word in [
            "inference",
            "padding mask",
            "post-LN",
            "shifted right",
            "weight sharing",
            "nhead",
            "GPT",
            "unk",
            "attention sink",
            "fine-tuning",
        ] {
            let (term, _) = searched(word);
            let term = term.unwrap_or_else(|| panic!("{word}"));
            assert_eq!(terms_with(word)[0].name, term.name, "{word}");
            let in_palette = |line: Line| matches!(line.hit, Hit::Term(t) if t == term);
            assert!(fitting(word, None).into_iter().any(in_palette), "{word}");
        }
        assert!(searched("").1.is_empty() && searched("softmax").1.len() > 9);
    }

    #[test]
    fn every_term_is_listed_by_the_alphabet_and_found_by_its_names_and_its_meaning() {
        let all = terms_with("");
        assert_eq!(all.len(), glossary::terms().len());
        assert!(all.is_sorted_by_key(|term| term.name.to_lowercase()));
        for (typed, name) in [
            ("soft", "softmax"),
            ("skip conn", "residual connection"),
            ("ffn", "feed-forward layer"),
        ] {
            assert_eq!(terms_with(typed)[0].name, name, "{typed}");
        }
        let by_meaning = terms_with("probabilit");
        assert!(by_meaning.iter().any(|term| term.name == "logit"));
        assert!(terms_with("xyzzyqqq").is_empty());
    }
}
