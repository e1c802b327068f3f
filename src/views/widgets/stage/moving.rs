//! Animation of the step in focus: how its operation computes the result from the numbers of the run, drawn in place of
//! the stage.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Detail, title, with_heat};
use crate::autograd::Step;
use crate::lesson::session::{Focus, Session};
use crate::tensor::Tensor;
use crate::widgets::lines::{Line, put_line, wrap};
use crate::widgets::motion::{self, Motion};
use crate::widgets::theme::Theme;

mod read;

use read::Source;

/// Minimum number of rows for the result: with less room there is no animation.
const LEAST: u16 = 5;
/// Minimum width of a band, in columns.
const NARROW: u16 = 30;

/// The animation of one step, for one cell.
pub struct Moving {
    step: usize,
    index: Vec<usize>,
    /// The result, which identifies the run.
    result: Tensor,
    motion: Motion,
}

impl Moving {
    /// Animation of the session's current step, if its operation has one. Differences from another run, gradients, and
    /// several slices at once are not animated.
    pub fn of(session: &Session) -> Option<Self> {
        let Focus::Step(step) = session.focus() else {
            return None;
        };
        if session.shows_difference()
            || session.shows_both()
            || session.shows_multiples()
            || session.gradients_of().is_some()
        {
            return None;
        }
        let result = session.trace().steps()[step].value.clone();
        if result.is_empty() {
            return None;
        }
        let source = Source {
            trace: session.trace(),
            number: step,
            step: &session.trace().steps()[step],
            index: session.cursor(),
        };
        Some(Self {
            step,
            index: session.cursor().to_vec(),
            result,
            motion: source.motion()?,
        })
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.motion.frames()
    }

    /// A sentence that explains the animation.
    pub fn caption(&self) -> String {
        self.motion.caption()
    }

    /// True if this animation is of the session's current step, cell and run.
    fn is_of(&self, session: &Session) -> bool {
        let same = |step: &Step| {
            let (now, then) = (&step.value, &self.result);
            now.shape() == then.shape() && now.data().as_ptr() == then.data().as_ptr()
        };
        session.focus() == Focus::Step(self.step)
            && session.cursor() == self.index
            && session.step().is_some_and(same)
    }

    /// Draws the animation in place of the stage, at `progress` from 0 to 1. Returns `false` if the session has moved
    /// on or the animation does not fit; then the caller draws the stage as usual.
    pub fn draw(
        &self,
        session: &Session,
        progress: f32,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) -> bool {
        let area = area.intersection(buf.area);
        let words = wrap(&theme.words(&self.motion.caption()), area.width.into());
        // Room for the title, the result, an empty line and the band, an empty line and the caption.
        let band = match self.motion.lines() {
            0 => 0,
            lines => lines + 1,
        };
        let below = band + 1 + words.len() as u16;
        if area.width < NARROW || area.height < 1 + LEAST + below || !self.is_of(session) {
            return false;
        }
        put_line(
            buf,
            area,
            0,
            &title(session, area.width.into(), theme, &Detail::All),
        );
        let available = Rect {
            y: area.y + 1,
            height: area.height - 1 - below,
            ..area
        };
        with_heat(session, |heat| {
            // Use the height of the drawing, so that the band is right below it.
            let high = (heat.height(available, theme) as u16).clamp(LEAST, available.height);
            let place = match self.motion {
                Motion::Heads(_) => available,
                _ => Rect {
                    height: high,
                    ..available
                },
            };
            heat.draw(place, buf, theme);
            let Some(board) = heat.board(place, theme) else {
                return;
            };
            let band = Rect {
                y: place.bottom() + u16::from(band > 0),
                height: band.saturating_sub(1),
                ..area
            };
            let canvas = motion::Canvas {
                board: &board,
                band,
                theme,
            };
            self.motion.draw(progress, &canvas, buf);
            let from = usize::from(band.bottom() + 1 - area.y);
            for (i, line) in words.iter().enumerate() {
                let line: Line = vec![(line.clone(), theme.note)];
                put_line(buf, area, from + i, &line);
            }
        });
        true
    }
}

/// True if the operation of the current step has an animation, though perhaps not for this shape.
pub fn has_movement(session: &Session) -> bool {
    match session.step().map(Step::op) {
        Some("reshape" | "permute") => Moving::of(session).is_some(),
        Some(op) => MOVING.contains(&op),
        None => false,
    }
}

/// Operations that have an animation.
const MOVING: [&str; 12] = [
    "embedding",
    "matmul",
    "matmul_t",
    "softmax",
    "mask_fill",
    "add",
    "sub",
    "mul",
    "div",
    "expand",
    "normalize",
    "shift_right",
];
