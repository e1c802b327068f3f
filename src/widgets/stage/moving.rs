//! How the result that is looked at comes about: the movement of its operation over the numbers of the run, and its
//! drawing in the stage's place.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{title, with_heat};
use crate::autograd::Step;
use crate::lesson::session::{Focus, Session};
use crate::tensor::Tensor;
use crate::widgets::lines::{Line, put_line, wrap};
use crate::widgets::motion::{self, Motion};
use crate::widgets::theme::Theme;

mod read;

use read::Read;

/// The rows that the result keeps, at least: with less there is no movement.
const LEAST: u16 = 5;
/// The columns that a band needs.
const NARROW: u16 = 30;

/// A movement of one step, at one cell.
pub struct Moving {
    step: usize,
    index: Vec<usize>,
    /// The result, by which it is known whether the run is still the same.
    result: Tensor,
    motion: Motion,
}

impl Moving {
    /// The movement of what the session looks at, where its operation has one. A difference to another run, a gradient
    /// or several slices at once have none.
    pub fn of(session: &Session) -> Option<Self> {
        let Focus::Step(step) = session.focus() else {
            return None;
        };
        if session.shows_difference() || session.shows_multiples() || session.lens().is_some() {
            return None;
        }
        let result = session.trace().steps()[step].value.clone();
        if result.is_empty() {
            return None;
        }
        let read = Read {
            trace: session.trace(),
            number: step,
            step: &session.trace().steps()[step],
            index: session.cursor(),
        };
        Some(Self {
            step,
            index: session.cursor().to_vec(),
            result,
            motion: read.motion()?,
        })
    }

    /// How many frames it has.
    pub fn frames(&self) -> usize {
        self.motion.frames()
    }

    /// What moves, in words.
    pub fn caption(&self) -> String {
        self.motion.caption()
    }

    /// Whether this is a movement of what the session looks at now.
    fn is_of(&self, session: &Session) -> bool {
        let same = |step: &Step| {
            let (now, then) = (&step.value, &self.result);
            now.shape() == then.shape() && now.data().as_ptr() == then.data().as_ptr()
        };
        session.focus() == Focus::Step(self.step)
            && session.cursor() == self.index
            && session.step().is_some_and(same)
    }

    /// Draws it in the stage's place, at `progress` from 0 to 1. `false` where it is of something else or has no room:
    /// then the stage stands there as always.
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
        // The title, the result, an empty line and the band, an empty line and the caption.
        let band = match self.motion.lines() {
            0 => 0,
            lines => lines + 1,
        };
        let below = band + 1 + words.len() as u16;
        if area.width < NARROW || area.height < 1 + LEAST + below || !self.is_of(session) {
            return false;
        }
        put_line(buf, area, 0, &title(session, area.width.into(), theme));
        let room = Rect {
            y: area.y + 1,
            height: area.height - 1 - below,
            ..area
        };
        with_heat(session, |heat| {
            // As high as it is drawn: the band stands right below.
            let high = (heat.height(room, theme) as u16).clamp(LEAST, room.height);
            let place = match self.motion {
                Motion::Heads(_) => room,
                _ => Rect {
                    height: high,
                    ..room
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
            let stage = motion::Stage {
                board: &board,
                band,
                theme,
            };
            self.motion.draw(progress, &stage, buf);
            let from = usize::from(band.bottom() + 1 - area.y);
            for (i, line) in words.iter().enumerate() {
                let line: Line = vec![(line.clone(), theme.note)];
                put_line(buf, area, from + i, &line);
            }
        });
        true
    }
}

/// Whether what the session looks at has a movement, as far as its operation says: some sizes still have none.
pub fn has_movement(session: &Session) -> bool {
    match session.step().map(Step::op) {
        Some("reshape" | "permute") => Moving::of(session).is_some(),
        Some(op) => MOVING.contains(&op),
        None => false,
    }
}

/// The operations that have one.
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
