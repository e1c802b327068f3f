//! The figures that the marks of a callout or a paragraph ask for: another tensor, other settings, or the mistakes and
//! knobs that it marks where the page has no figure of its own.

use std::collections::BTreeMap;

use super::Writer;
use crate::book::knobs::Turned;
use crate::lesson::page::StageBlock;
use crate::lesson::{Lesson, Mark, Range, marks};

/// A tensor or a picture, and the place in it: `plane[4,0]`.
#[derive(Clone, PartialEq)]
pub(super) struct Look {
    pub(super) name: String,
    pub(super) at: Vec<usize>,
}

impl Look {
    /// Reads `weights[0,2]`; a name alone has no place. `None` where the brackets hold no numbers.
    fn read(target: &str) -> Option<Self> {
        let (name, at) = match target.split_once('[') {
            None => (target, Vec::new()),
            Some((name, places)) => {
                let places = places.strip_suffix(']')?.split(',');
                let at: Option<Vec<usize>> = places.map(|n| n.trim().parse().ok()).collect();
                (name, at?)
            }
        };
        let name = name.to_owned();
        (!name.is_empty()).then_some(Self { name, at })
    }
}

/// What a figure shows beside its block.
#[derive(Default)]
pub(super) struct Shown<'a> {
    /// The tensor or picture in place of the block's.
    pub(super) show: Option<&'a str>,
    pub(super) mistakes: &'a [usize],
    pub(super) knobs: &'a [Turned],
    /// Columns that the text marks.
    pub(super) columns: &'a [usize],
    /// Whether the text speaks of the cursor's cell.
    pub(super) points: bool,
    /// Whether the figure before shows the same, and only controls could be new.
    pub(super) repeats: bool,
}

/// What a text asks for at once; the next settings, or the next place to look at, begin another.
#[derive(Clone, Default)]
pub(super) struct Asked {
    pub(super) set: BTreeMap<String, String>,
    /// Numbers of mistakes, from 1.
    pub(super) mistakes: Vec<usize>,
    pub(super) turned: Vec<Turned>,
    pub(super) look: Option<Look>,
}

impl Asked {
    fn is_empty(&self) -> bool {
        self.set.is_empty()
            && self.mistakes.is_empty()
            && self.turned.is_empty()
            && self.look.is_none()
    }

    /// What a text asks for, one thing after the other.
    pub(super) fn of(text: &str, lesson: &Lesson) -> Vec<Self> {
        let mut all = Vec::new();
        let mut now = Self::default();
        // Settings in a row belong together.
        let mut setting = false;
        for (_, mark) in marks(text) {
            let sets = matches!(mark, Ok(Mark::Set { .. }));
            match mark {
                Ok(Mark::Set { knob, value }) => {
                    let another = !setting || now.set.contains_key(knob);
                    if another && !now.is_empty() {
                        all.push(now.clone());
                        now.mistakes.clear();
                        now.turned.clear();
                    }
                    now.set.insert(knob.to_owned(), value.to_owned());
                }
                Ok(Mark::Turn(name)) => now.turned.extend(lesson.knob(name).map(Turned::new)),
                Ok(Mark::Break(name) | Mark::Mend(name)) => {
                    now.mistakes.extend(lesson.switch_number(name));
                }
                Ok(Mark::Look(target) | Mark::Cell(target)) => {
                    let look = Look::read(target);
                    if now.look.is_some() && now.look != look {
                        all.push(now.clone());
                    }
                    now.look = look;
                }
                _ => continue,
            }
            setting = sets;
        }
        all.push(now);
        // Who marked a mistake before wants to see it at the next settings too.
        for at in 1..all.len() {
            if all[at].mistakes.is_empty() {
                all[at].mistakes = all[at - 1].mistakes.clone();
            }
        }
        for asked in &mut all {
            asked.mistakes.sort_unstable();
            asked.mistakes.dedup();
        }
        all
    }

    /// Whether the page's own figure answers it, with buttons and sliders.
    pub(super) fn is_for_page(&self, lesson: &Lesson, shown: Option<&str>) -> bool {
        let here = self
            .look
            .as_ref()
            .is_none_or(|look| Some(look.name.as_str()) == shown);
        here && match self.set.len() {
            0 => true,
            1 => self.mistakes.is_empty() && self.sliders(lesson).len() == 1,
            _ => false,
        }
    }

    /// Its settings as sliders, those that a reader does not type.
    pub(super) fn sliders(&self, lesson: &Lesson) -> Vec<Turned> {
        let slider = |(name, value): (&String, &String)| {
            let knob = lesson.knob(name).ok()?;
            let is_text = matches!(knob.range, Range::Text { .. });
            (!is_text).then(|| Turned::to(knob, value))
        };
        self.set.iter().filter_map(slider).collect()
    }
}

impl Writer {
    /// Draws what the lines send their reader to.
    pub(super) fn draw_asked(&mut self, text: &str, has_stage: bool) {
        let Some(block) = self.shown.clone() else {
            return;
        };
        let own = block.show.as_deref().filter(|_| has_stage);
        for asked in Asked::of(text, self.lesson()) {
            if asked.is_empty() || has_stage && asked.is_for_page(self.lesson(), own) {
                continue;
            }
            let mut at = block.clone();
            at.set.extend(asked.set.clone());
            let set = at.set != block.set;
            let look = asked.look.as_ref();
            let show = look.map(|look| look.name.clone()).or(block.show.clone());
            if let Some(look) = look.filter(|look| !look.at.is_empty()) {
                at.at.clone_from(&look.at);
                at.show.clone_from(&show);
            } else if look.is_some() && asked.set.contains_key("scene") {
                // The other scene may have nothing of what the block shows.
                at.at.clear();
                at.show.clone_from(&show);
            }
            let same = !set && at.at == block.at && show == block.show;
            let placed = look.is_some_and(|look| !look.at.is_empty());
            let shown = Shown {
                show: show.as_deref(),
                mistakes: &asked.mistakes,
                knobs: &asked.turned,
                columns: &[],
                points: placed || same && !block.at.is_empty(),
                repeats: same && (has_stage || look.is_none()),
            };
            // A run that refuses its settings, or has no such tensor, is a sentence of the text, not a figure.
            let _ = self.figure(&at, &shown);
        }
    }

    /// What a figure shows that stands below a callout: there no block has a caption for it.
    pub(super) fn caption(&self, block: &StageBlock, shown: &Shown<'_>) -> Option<String> {
        shown.show?;
        let before = self.shown.as_ref().map(|shown| &shown.set);
        let set = block
            .set
            .iter()
            .filter(|(knob, value)| before.and_then(|set| set.get(*knob)) != Some(*value));
        // A sentence of its own has a full stop of its own.
        let set: Vec<String> = set
            .map(|(knob, value)| {
                let word = value.parse::<f64>().is_ok() || value.chars().all(char::is_alphanumeric);
                match word {
                    true => format!("`{knob}` at {value}"),
                    false => format!("`{knob}` at “{value}”"),
                }
            })
            .collect();
        let mut said = match set.is_empty() {
            true => String::new(),
            false => {
                let set = set.join(" and ");
                let stop = if set.ends_with(".”") { "" } else { "." };
                format!("The run with {set}{stop} ")
            }
        };
        // They are true with a mistake switched on, too.
        said += match shown.mistakes.len() {
            0 => "",
            1 => "One mistake can be switched on.",
            _ => "Mistakes can be switched on, one at a time.",
        };
        // Where nothing is left to say, the text above it is the caption.
        Some(said.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    #[test]
    fn settings_hold_for_what_comes_after_them() {
        let lesson = curriculum::find("attention").unwrap();
        let said = |text: &str| -> Vec<String> {
            let word = |asked: &Asked| {
                let look = asked.look.as_ref().map_or("", |look| &look.name);
                format!("{:?} {:?} {look}", asked.set, asked.mistakes)
            };
            Asked::of(text, lesson).iter().map(word).collect()
        };
        assert_eq!(
            said("[a](set:d_k=3) [b](set:heads=4) [c](look:weights)"),
            [r#"{"d_k": "3", "heads": "4"} [] weights"#]
        );
        assert_eq!(
            said("[a](break:no-scale) [b](look:weights) [c](look:scores)"),
            ["{} [1] weights", "{} [1] scores"]
        );
        assert_eq!(
            said("[a](break:no-scale) [c](set:heads=4)"),
            ["{} [1] ", r#"{"heads": "4"} [1] "#]
        );
    }

    #[test]
    fn one_setting_is_a_slider_of_the_pages_figure() {
        let lesson = curriculum::find("attention").unwrap();
        let is_for_page =
            |text: &str| Asked::of(text, lesson)[0].is_for_page(lesson, Some("weights"));
        assert!(is_for_page("[a](set:heads=7)"));
        assert!(is_for_page("[a](break:no-scale) [b](turn:heads)"));
        assert!(is_for_page("[a](cell:weights[0,2])"));
        assert!(!is_for_page("[a](set:heads=4) [b](set:d_k=3)"));
        assert!(!is_for_page("[a](set:heads=4) [b](break:no-scale)"));
        assert!(!is_for_page("[a](look:scores)"));
    }

    #[test]
    fn a_place_is_read_with_its_tensor() {
        let look = Look::read("plane[4,0]").unwrap();
        assert_eq!((look.name.as_str(), look.at), ("plane", vec![4, 0]));
        assert!(Look::read("[3]").is_none() && Look::read("weights[0,:]").is_none());
    }
}
