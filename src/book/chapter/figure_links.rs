//! Links from a text to the figures that it mentions.

use std::ops::Range;

use crate::book::figure::Drawn;

/// Beginning of the target of a link to a tensor or picture, before its name.
const TARGET: &str = "#look:";

/// Distance of a figure from a byte of the chapter, 0 within the figure.
fn distance(figure: &Drawn, at: usize) -> usize {
    if at < figure.place.start {
        figure.place.start - at
    } else {
        at.saturating_sub(figure.place.end)
    }
}

/// Points every link to a tensor or picture to the nearest figure that shows it. A link for which there is no figure
/// becomes its text.
pub(super) fn resolved(chapter: &str, figures: &[Drawn]) -> String {
    let mut out = String::with_capacity(chapter.len());
    let mut done = 0;
    for (at, _) in chapter.match_indices(TARGET) {
        let name = &chapter[at + TARGET.len()..];
        let name = &name[..name.find([')', '"']).unwrap_or(name.len())];
        let end = at + TARGET.len() + name.len();
        let shown = figures.iter().filter(|figure| figure.shows == name);
        if let Some(figure) = shown.min_by_key(|figure| distance(figure, at)) {
            out += &chapter[done..at];
            out += &format!("#{}", figure.id);
            done = end;
        } else if let Some(link) = Link::around(chapter, at..end) {
            out += &chapter[done..link.whole.start];
            out += &chapter[link.text];
            done = link.whole.end;
        }
    }
    out + &chapter[done..]
}

/// Places of a link and of its text.
struct Link {
    whole: Range<usize>,
    text: Range<usize>,
}

impl Link {
    /// The link whose target is at `target`: `[text](target)`, or `<a href="target">text</a>`.
    fn around(chapter: &str, target: Range<usize>) -> Option<Self> {
        const OPENING: &str = "<a href=\"";
        let (before, after) = (&chapter[..target.start], &chapter[target.end..]);
        if before.ends_with(OPENING) {
            let text = target.end + "\">".len();
            let end = text + chapter[text..].find("</a>")?;
            return Some(Self {
                whole: target.start - OPENING.len()..end + "</a>".len(),
                text: text..end,
            });
        }
        let end = before
            .strip_suffix("](")
            .filter(|_| after.starts_with(')'))?;
        let mut depth = 1;
        let opens = |c: char| {
            depth += match c {
                ']' => 1,
                '[' => -1,
                _ => 0,
            };
            depth == 0
        };
        let start = end.rfind(opens)?;
        Some(Self {
            whole: start..target.end + 1,
            text: start + 1..end.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::Settings;

    fn figure(shows: &str, id: &str, place: Range<usize>) -> Drawn {
        Drawn {
            shows: shows.to_owned(),
            id: id.to_owned(),
            settings: Settings::default(),
            drawing: String::new(),
            place,
        }
    }

    #[test]
    fn a_link_leads_to_the_nearest_figure_that_shows_what_it_names() {
        let text = "see [the leak](#look:leak) and <a href=\"#look:leak\">it</a>";
        let figures = [
            figure("leak", "far", 500..900),
            figure("weights", "other", 60..70),
            figure("leak", "near", 100..400),
        ];
        assert_eq!(
            resolved(text, &figures),
            "see [the leak](#near) and <a href=\"#near\">it</a>"
        );
    }

    #[test]
    fn a_link_without_a_figure_becomes_its_text() {
        let text =
            "see [row `[0, 4]`](#look:leak), <a href=\"#look:leak\">it</a> and [one](#exercise)";
        assert_eq!(
            resolved(text, &[]),
            "see row `[0, 4]`, it and [one](#exercise)"
        );
    }
}
