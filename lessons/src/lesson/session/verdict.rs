//! The conclusion from a gradient check: which step size is best, and what is wrong with the others.

use super::gradient_check::{Chosen, GradientCheck, Row, spacing};
use crate::typeset::number::short;

/// Relative difference below which two slopes count as equal.
pub const EQUAL: f64 = 1e-3;

/// Largest distance between the two ends, in units of the last digit, that may be due to rounding alone.
const ROUNDING: f64 = 8.0;

impl GradientCheck {
    /// Index of the step whose slope is closest to the tape's; the largest step among equals.
    pub fn best(&self) -> Option<usize> {
        let near = |row: &Row| {
            if row.relative.is_nan() {
                f64::INFINITY
            } else {
                row.relative
            }
        };
        let rows = self.rows.iter().enumerate();
        rows.min_by(|a, b| near(a.1).total_cmp(&near(b.1)))
            .map(|(index, _)| index)
    }

    /// True if moving the cell never changes the number and the tape reports a zero gradient.
    pub fn is_still(&self) -> bool {
        self.tape == 0.0 && self.rows.iter().all(|row| row.down == row.up)
    }

    /// True if only the last digits move, so that both slopes are indistinguishable from 0.
    fn is_rounding(&self) -> bool {
        let Some(largest) = self.rows.first() else {
            return false;
        };
        let tape = 2.0 * largest.step * self.tape.abs() / spacing(self.of_value);
        tape <= ROUNDING && self.rows.iter().all(|row| row.digits() <= ROUNDING)
    }

    /// True if the cell might matter more to a number of the learner's choice.
    pub fn suggests_a_choice(&self) -> bool {
        match self.chosen {
            Chosen::Loss => !self.depends,
            Chosen::Moved => self.of != self.cell && (self.rows.is_empty() || !self.is_still()),
            Chosen::Learner => false,
        }
    }

    /// A sentence about how the number was chosen.
    pub fn chosen_words(&self) -> String {
        match self.chosen {
            Chosen::Loss => format!("{} is the last single number of the run.", self.of),
            Chosen::Learner => format!("{} is the cell that you flipped the gradients to.", self.of),
            Chosen::Moved if !self.rows.is_empty() && self.is_still() => format!(
                "This run has no loss, and no cell of its last tensor depends on this cell. {} is shown as an example.",
                self.of
            ),
            Chosen::Moved if self.of == self.cell => {
                "Nothing is computed from this cell: the run ends here, and by itself it has the slope 1."
                    .to_owned()
            }
            Chosen::Moved => format!(
                "This run has no loss, so the effect is measured on {}, the cell of its tensor that this one changes most.",
                self.of
            ),
        }
    }

    /// Which step size is best and why the others fail; `None` until all have been tried.
    pub fn verdict(&self) -> Option<String> {
        let (of, number) = (&self.of, |x: f64| short(x as f32, 9));
        if let Some(trouble) = &self.trouble {
            return Some(format!("A nudge stopped the run: {trouble}"));
        }
        if !self.depends {
            return Some(format!(
                "Both slopes are exactly 0: {of} was computed without this cell."
            ));
        }
        if !self.done {
            return None;
        }
        if self.is_still() {
            return Some(format!(
                "Both slopes are exactly 0: however far the cell moves, {of} stays {}, to the last digit.",
                number(f64::from(self.of_value))
            ));
        }
        if self.is_rounding() {
            let largest = self.rows.first()?;
            return Some(format!(
                "The slope is 0, as far as 32 bits can tell: a nudge by {} moves {of} by {} of the last digit it can have. What stands in the list is rounding, also where it looks large: the last digit, divided by a small step.",
                plain(largest.step),
                steps(largest.digits())
            ));
        }
        let best = self.best()?;
        let row = &self.rows[best];
        let mut sentences = vec![if self.tape == 0.0 && row.slope == 0.0 {
            format!(
                "Near this cell {of} is flat: between the ends of h = {} it does not move at all, and the tape says 0 too.",
                plain(row.step)
            )
        } else if row.relative < 0.01 {
            format!(
                "Best is h = {}: {} by the difference, {} by the tape, {}.",
                plain(row.step),
                number(row.slope),
                number(self.tape),
                apart(row.relative)
            )
        } else if self.rows.last().is_some_and(|row| row.bends > 0) {
            "No step is short enough: the cell stands on the kink of a ReLU itself. The tape takes the slope of one side, a difference the middle of both.".to_owned()
        } else {
            format!(
                "No step comes near the tape's {}: the nearest, h = {}, is {}.",
                number(self.tape),
                plain(row.step),
                apart(row.relative)
            )
        }];
        sentences.extend(self.too_long(best));
        sentences.extend(self.too_short(best));
        if self.held {
            sentences.push("Between the two lies a cell that you set by hand. The differences leave it as you set it; the tape does not know of it.".to_owned());
        }
        Some(sentences.join(" "))
    }

    /// What is wrong with step sizes larger than the best.
    fn too_long(&self, best: usize) -> Option<String> {
        let good = self.rows[best].relative < 0.01;
        let Some(row) = self.rows[..best].iter().rfind(|row| row.relative > EQUAL) else {
            let longest = self.rows.first().map_or(0.0, |row| row.step);
            let straight = good && self.tape != 0.0;
            return straight.then(|| format!(
                "Long steps do no harm here: up to h = {} the number runs straight or as a parabola, and on those a difference of both sides is exact.",
                plain(longest)
            ));
        };
        let h = plain(row.step);
        Some(match row.bends {
            0 => format!(
                "Longer steps fail because the curve is not straight: at h = {h} the slope between the two ends is already {}.",
                apart(row.relative)
            ),
            1 => format!(
                "Longer steps fail at a kink: with h = {h} a unit of a ReLU opens or shuts between the two ends, and the difference mixes the slopes of both sides."
            ),
            n => format!(
                "Longer steps fail at kinks: with h = {h} some units of ReLUs ({n}) open or shut between the two ends, and the difference mixes the slopes of both sides."
            ),
        })
    }

    /// What is wrong with step sizes smaller than the best.
    fn too_short(&self, best: usize) -> Option<String> {
        let row = self.rows[best + 1..].last()?;
        if row.relative <= EQUAL {
            return (self.tape != 0.0).then(|| "Shorter steps do no harm here: the number moves by many of its last digits even so.".to_owned(),
            );
        }
        let (h, of) = (plain(row.step), &self.of);
        Some(if row.down == row.up {
            format!(
                "Shorter steps fail by rounding: between the ends of h = {h} {of} does not move even by the last digit that 32 bits have."
            )
        } else {
            format!(
                "Shorter steps fail by rounding: between the ends of h = {h} {of} moves by {} of its last digit in 32 bits, so of the slope {} left.",
                steps(row.digits()),
                match -row.relative.log10() {
                    digits if digits >= 1.5 => format!("only {digits:.0} digits are"),
                    digits if digits >= 0.5 => "only one digit is".to_owned(),
                    _ => "not one digit is".to_owned(),
                }
            )
        })
    }
}

/// A step size as text: `0.0001`, or `1e9` if it is large.
pub fn plain(step: f64) -> String {
    if step >= 1e5 {
        format!("{step:e}")
    } else {
        let text = format!("{step:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// A relative difference in words: `2e−6 apart`, `48 % apart`.
fn apart(relative: f64) -> String {
    if relative == 0.0 {
        "the same number".to_owned()
    } else if relative >= 0.01 {
        format!("{:.0} % apart", relative * 100.0)
    } else {
        format!("{} apart", error(relative))
    }
}

/// A relative difference in compact form: `2e−6`, `0.48`.
pub fn error(relative: f64) -> String {
    if relative == 0.0 {
        "0".to_owned()
    } else if relative >= 0.01 {
        format!("{relative:.2}")
    } else {
        format!("{relative:.0e}").replace('-', "−")
    }
}

fn steps(digits: f64) -> String {
    match digits.round() {
        n if n <= 1.0 => "1 step".to_owned(),
        n => format!("{n} steps"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::lesson::session::{Focus, GradientOf, Session};

    fn session(lesson: &str, knobs: &[(&str, &str)]) -> Session {
        let mut session = Session::new(curriculum::find(lesson).unwrap());
        for (knob, value) in knobs {
            session.set(knob, value).unwrap();
        }
        session
    }

    fn checked_at(session: &mut Session, tensor: &str, index: &[usize]) -> GradientCheck {
        session.show(tensor).unwrap();
        session.put_cursor(index).unwrap();
        session.gradient_check().unwrap()
    }

    #[track_caller]
    fn says(check: &GradientCheck, words: &[&str]) {
        let verdict = check.verdict().expect("all steps are there");
        for word in words {
            assert!(verdict.contains(word), "{word}: {verdict}");
        }
    }

    #[test]
    fn near_a_bend_long_steps_fail_at_the_kink_and_short_ones_by_rounding() {
        let check = checked_at(&mut session("gradients", &[]), "bias", &[2]);
        assert_eq!(check.of, "loss");
        assert!((check.tape + 5.64).abs() < 1e-3);
        assert_eq!(check.rows[check.best().unwrap()].step, 0.01);
        assert_eq!(
            check.rows[1].bends, 1,
            "a step of 0.1 reaches over the kink"
        );
        assert_eq!(check.rows[2].bends, 0);
        says(
            &check,
            &[
                "Best is h = 0.01",
                "at a kink",
                "h = 0.1",
                "by rounding",
                "0.000001",
            ],
        );
    }

    #[test]
    fn on_the_bend_itself_no_step_is_short_enough() {
        let mut session = session("gradients", &[("room", "0")]);
        says(
            &checked_at(&mut session, "bias", &[2]),
            &["stands on the kink"],
        );
    }

    #[test]
    fn a_smooth_cell_of_attention_has_a_valley() {
        let mut session = session("gradients", &[("network", "attention")]);
        let check = checked_at(&mut session, "query.weight", &[1, 1]);
        says(
            &check,
            &["Best is h = 0.", "the curve is not straight", "by rounding"],
        );
    }

    #[test]
    fn a_cell_without_effect_has_two_zero_slopes_and_a_reason() {
        let mut tiny = session("gradients", &[]);
        says(
            &checked_at(&mut tiny, "bias", &[1]),
            &["is flat", "h = 1", "kink"],
        );
        let after = checked_at(&mut tiny, "d_pre", &[0, 0]);
        assert!(!after.depends && after.rows.is_empty());
        says(&after, &["computed without this cell"]);
        let mut head = session("gradients", &[("network", "attention")]);
        let bias = checked_at(&mut head, "key.bias", &[0]);
        assert!(bias.is_rounding());
        says(&bias, &["as far as 32 bits can tell"]);
    }

    #[test]
    fn ids_and_masks_are_refused_in_words() {
        let mut session = session("model", &[]);
        for (tensor, word) in [("src", "ids"), ("src_mask", "mask")] {
            session.show(tensor).unwrap();
            let sentence = session.gradient_check_request().err().unwrap();
            assert!(sentence.contains(word), "{sentence}");
        }
    }

    #[test]
    fn the_slope_follows_the_gradients_shown_now_or_last() {
        let mut session = session("gradients", &[]);
        session.show("pre").unwrap();
        session.put_cursor(&[0, 0]).unwrap();
        session.toggle_gradients(GradientOf::Cell).unwrap();
        assert_eq!(checked_at(&mut session, "bias", &[0]).of, "pre[0,0]");
        session.toggle_gradients(GradientOf::Cell).unwrap();
        let by_pre = checked_at(&mut session, "bias", &[0]);
        assert_eq!((by_pre.of.as_str(), by_pre.tape), ("pre[0,0]", 1.0));
        assert_eq!(by_pre.chosen, Chosen::Learner);
        session.set("room", "0.5").unwrap();
        assert_eq!(
            checked_at(&mut session, "bias", &[0]).of,
            "loss",
            "another run"
        );

        let mut attention = self::session("attention", &[]);
        let moved = checked_at(&mut attention, "query", &[0, 0, 0, 0]);
        assert_eq!(moved.chosen, Chosen::Moved);
        assert!(moved.tape != 0.0);
        says(&moved, &["Best is h = "]);
    }

    #[test]
    fn a_cell_set_by_hand_on_the_way_stays_as_it_was_set() {
        let mut session = session("gradients", &[]);
        session.show("pre").unwrap();
        session.put_cursor(&[0, 0]).unwrap();
        session.edit(0.7).unwrap();
        let check = checked_at(&mut session, "bias", &[0]);
        assert!(check.held);
        assert!(check.rows.iter().all(|row| row.down == row.up));
    }

    #[test]
    fn in_early_lessons_differences_and_tape_agree_wherever_one_looks() {
        let mut checked = 0;
        for lesson in curriculum::LESSONS.iter().take(12) {
            let mut session = Session::new(lesson);
            // A nudge at full size takes a while, so take a few steps of each lesson.
            let count = session.trace().steps().len();
            for step in (0..count).step_by(count.div_ceil(5)) {
                session.set_focus(Focus::Step(step));
                let Ok(check) = session.gradient_check() else {
                    continue;
                };
                if !check.depends || check.is_still() || check.is_rounding() {
                    continue;
                }
                let best = &check.rows[check.best().unwrap()];
                let words = format!("{} {}: {check:?}", lesson.name, check.cell);
                let kinks = check.rows.iter().all(|row| row.bends > 0);
                assert!(best.relative < 0.02 || kinks, "{words}");
                assert!(check.verdict().is_some(), "{words}");
                checked += 1;
            }
        }
        assert!(checked > 15, "{checked}");
    }
}
