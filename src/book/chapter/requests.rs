//! Figures that the marks of a callout or paragraph ask for: another tensor, other settings, or, where the page has no
//! figure of its own, the mistakes and knobs that it marks.

use std::collections::BTreeMap;

use super::Writer;
use crate::book::figure::FigureOverrides;
use crate::book::knobs::Slider;
use crate::lesson::page::StageBlock;
use crate::lesson::session::parse_cell;
use crate::lesson::{Lesson, Mark, Range, marks};

/// A tensor or picture, with an optional position in it: `plane[4,0]`.
#[derive(Clone, PartialEq)]
pub(super) struct Target {
    pub(super) name: String,
    pub(super) at: Vec<usize>,
}

impl Target {
    /// Parses `weights[0,2]`; a bare name has no position. `None` if the name is empty or the brackets don't hold
    /// numbers.
    fn read(target: &str) -> Option<Self> {
        let (name, at) = if target.contains('[') {
            parse_cell(target).ok()?
        } else {
            (target, Vec::new())
        };
        let name = name.to_owned();
        (!name.is_empty()).then_some(Self { name, at })
    }
}

/// One request of a text; the next group of settings, or the next place to look at, starts another.
#[derive(Clone, Default)]
pub(super) struct Request {
    pub(super) set: BTreeMap<String, String>,
    /// Numbers of mistakes, counted from 1.
    pub(super) mistakes: Vec<usize>,
    pub(super) sliders: Vec<Slider>,
    pub(super) target: Option<Target>,
}

impl Request {
    fn is_empty(&self) -> bool {
        self.set.is_empty()
            && self.mistakes.is_empty()
            && self.sliders.is_empty()
            && self.target.is_none()
    }

    /// Groups the marks of a text into requests, in order.
    pub(super) fn of(text: &str, lesson: &Lesson) -> Vec<Self> {
        let mut all = Vec::new();
        let mut now = Self::default();
        // Consecutive settings belong together.
        let mut setting = false;
        for (_, mark) in marks(text) {
            let sets = matches!(mark, Ok(Mark::Set { .. }));
            match mark {
                Ok(Mark::Set { knob, value }) => {
                    let another = !setting || now.set.contains_key(knob);
                    if another && !now.is_empty() {
                        all.push(now.clone());
                        now.mistakes.clear();
                        now.sliders.clear();
                    }
                    now.set.insert(knob.to_owned(), value.to_owned());
                }
                Ok(Mark::Turn(name)) => now.sliders.extend(lesson.knob(name).map(Slider::new)),
                Ok(Mark::Break(name) | Mark::Mend(name)) => {
                    now.mistakes.extend(lesson.switch_number(name));
                }
                Ok(Mark::Look(target) | Mark::Cell(target)) => {
                    let target = Target::read(target);
                    if now.target.is_some() && now.target != target {
                        all.push(now.clone());
                    }
                    now.target = target;
                }
                _ => continue,
            }
            setting = sets;
        }
        all.push(now);
        // A mistake marked earlier is also offered with the settings that follow.
        for at in 1..all.len() {
            if all[at].mistakes.is_empty() {
                all[at].mistakes = all[at - 1].mistakes.clone();
            }
        }
        for request in &mut all {
            request.mistakes.sort_unstable();
            request.mistakes.dedup();
        }
        all
    }

    /// True if the page's own figure answers the request, with its buttons and sliders.
    pub(super) fn is_for_page(&self, lesson: &Lesson, shown: Option<&str>) -> bool {
        let here = self
            .target
            .as_ref()
            .is_none_or(|target| Some(target.name.as_str()) == shown);
        here && match self.set.len() {
            0 => true,
            1 => self.mistakes.is_empty() && self.settings_as_sliders(lesson).len() == 1,
            _ => false,
        }
    }

    /// The settings as sliders, except those of free-text knobs.
    pub(super) fn settings_as_sliders(&self, lesson: &Lesson) -> Vec<Slider> {
        let slider = |(name, value): (&String, &String)| {
            let knob = lesson.knob(name).ok()?;
            let is_text = matches!(knob.range, Range::Text { .. });
            (!is_text).then(|| Slider::to(knob, value))
        };
        self.set.iter().filter_map(slider).collect()
    }
}

impl Writer {
    /// Draws the figures that a text's marks ask for.
    pub(super) fn draw_requested(&mut self, text: &str, has_stage: bool) {
        let Some(block) = self.shown.clone() else {
            return;
        };
        let own = block.show.as_deref().filter(|_| has_stage);
        for request in Request::of(text, self.lesson()) {
            if request.is_empty() || has_stage && request.is_for_page(self.lesson(), own) {
                continue;
            }
            let mut at = block.clone();
            at.set.extend(request.set.clone());
            let set = at.set != block.set;
            let target = request.target.as_ref();
            let show = target
                .map(|target| target.name.clone())
                .or(block.show.clone());
            if let Some(target) = target.filter(|target| !target.at.is_empty()) {
                at.at.clone_from(&target.at);
                at.show.clone_from(&show);
            } else if target.is_some() && request.set.contains_key("scene") {
                // The other scene may have none of the block's tensors.
                at.at.clear();
                at.show.clone_from(&show);
            }
            let same = !set && at.at == block.at && show == block.show;
            let placed = target.is_some_and(|target| !target.at.is_empty());
            let shown = FigureOverrides {
                show: show.as_deref(),
                mistakes: &request.mistakes,
                knobs: &request.sliders,
                columns: &[],
                points: placed || same && !block.at.is_empty(),
                repeats: same && (has_stage || target.is_none()),
            };
            // If the run refuses the settings or has no such tensor, the sentence goes without a figure.
            let _ = self.figure(&at, &shown);
        }
    }

    /// Caption of a figure below a callout, where no block supplies one; `None` to use the block's.
    pub(super) fn caption(
        &self,
        block: &StageBlock,
        shown: &FigureOverrides<'_>,
    ) -> Option<String> {
        shown.show?;
        let before = self.shown.as_ref().map(|shown| &shown.set);
        let set = block
            .set
            .iter()
            .filter(|(knob, value)| before.and_then(|set| set.get(*knob)) != Some(*value));
        // A value that is a sentence brings its own full stop.
        let set: Vec<String> = set
            .map(|(knob, value)| {
                let word = value.parse::<f64>().is_ok() || value.chars().all(char::is_alphanumeric);
                if word {
                    format!("`{knob}` at {value}")
                } else {
                    format!("`{knob}` at “{value}”")
                }
            })
            .collect();
        let mut caption = if set.is_empty() {
            String::new()
        } else {
            let set = set.join(" and ");
            let stop = if set.ends_with(".”") { "" } else { "." };
            format!("The run with {set}{stop} ")
        };
        // The caption must stay true when a mistake is switched on.
        caption += match shown.mistakes.len() {
            0 => "",
            1 => "One mistake can be switched on.",
            _ => "Mistakes can be switched on, one at a time.",
        };
        // If nothing is left to say, the text above serves as the caption.
        Some(caption.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    #[test]
    fn settings_hold_for_what_comes_after_them() {
        let lesson = curriculum::find("attention").unwrap();
        let captions = |text: &str| -> Vec<String> {
            let word = |request: &Request| {
                let target = request.target.as_ref().map_or("", |target| &target.name);
                format!("{:?} {:?} {target}", request.set, request.mistakes)
            };
            Request::of(text, lesson).iter().map(word).collect()
        };
        assert_eq!(
            captions("[a](set:d_k=3) [b](set:heads=4) [c](look:weights)"),
            [r#"{"d_k": "3", "heads": "4"} [] weights"#]
        );
        assert_eq!(
            captions("[a](break:no-scale) [b](look:weights) [c](look:scores)"),
            ["{} [1] weights", "{} [1] scores"]
        );
        assert_eq!(
            captions("[a](break:no-scale) [c](set:heads=4)"),
            ["{} [1] ", r#"{"heads": "4"} [1] "#]
        );
    }

    #[test]
    fn one_setting_is_a_slider_of_the_pages_figure() {
        let lesson = curriculum::find("attention").unwrap();
        let is_for_page =
            |text: &str| Request::of(text, lesson)[0].is_for_page(lesson, Some("weights"));
        assert!(is_for_page("[a](set:heads=7)"));
        assert!(is_for_page("[a](break:no-scale) [b](turn:heads)"));
        assert!(is_for_page("[a](cell:weights[0,2])"));
        assert!(!is_for_page("[a](set:heads=4) [b](set:d_k=3)"));
        assert!(!is_for_page("[a](set:heads=4) [b](break:no-scale)"));
        assert!(!is_for_page("[a](look:scores)"));
    }

    #[test]
    fn a_place_is_read_with_its_tensor() {
        let target = Target::read("plane[4,0]").unwrap();
        assert_eq!((target.name.as_str(), target.at), ("plane", vec![4, 0]));
        assert!(Target::read("[3]").is_none() && Target::read("weights[0,:]").is_none());
    }
}
