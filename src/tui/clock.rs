//! The clock of movements: it ticks only while something moves, and any key stops it.

use std::time::{Duration, Instant};

use crate::lesson::session::Session;
use crate::widgets::stage::Moving;

/// How long a frame of a movement stays.
pub const FRAME: Duration = Duration::from_millis(60);

/// A movement on the screen, and how far it is.
pub struct Playing {
    /// What moves.
    pub moving: Moving,
    frame: usize,
}

impl Playing {
    /// The movement of what the session looks at, at its first frame; `None` where nothing moves.
    pub fn of(session: &Session) -> Option<Self> {
        let moving = Moving::of(session)?;
        Some(Self { moving, frame: 0 })
    }

    /// How far it is, from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.frame as f32 / self.moving.frames() as f32
    }

    /// So many frames later; `None` at its end.
    #[must_use]
    pub fn ticked(mut self, frames: usize) -> Option<Self> {
        self.frame += frames;
        (self.frame < self.moving.frames()).then_some(self)
    }
}

/// Counts frames by the time that has passed, so that a slow terminal sees fewer of them, not a slower movement.
pub struct Clock(Instant);

impl Clock {
    /// A clock that begins now.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// How long until the next frame.
    pub fn left(&self) -> Duration {
        FRAME.saturating_sub(self.0.elapsed())
    }

    /// The frames that have passed since the last time that there were some.
    pub fn frames(&mut self) -> usize {
        let frames = (self.0.elapsed().as_millis() / FRAME.as_millis()) as u32;
        self.0 += FRAME * frames;
        frames as usize
    }
}

#[cfg(test)]
mod tests;
