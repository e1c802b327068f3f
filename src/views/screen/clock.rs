//! Clock of animations: it ticks only while one is playing, and any key stops it.

use std::time::Duration;

use crate::clock::Instant;
use crate::lesson::session::Session;
use crate::widgets::stage::Moving;

/// Duration of an animation frame.
pub const FRAME: Duration = Duration::from_millis(60);

/// An animation on the screen and its progress.
pub struct Playing {
    /// The animation.
    pub moving: Moving,
    frame: usize,
}

impl Playing {
    /// Animation of the session's current view, at its first frame; `None` if it has none.
    pub fn of(session: &Session) -> Option<Self> {
        let moving = Moving::of(session)?;
        Some(Self { moving, frame: 0 })
    }

    /// Progress, from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.frame as f32 / self.moving.frames() as f32
    }

    /// Advances by a number of frames; `None` at the end.
    #[must_use]
    pub fn ticked(mut self, frames: usize) -> Option<Self> {
        self.frame += frames;
        (self.frame < self.moving.frames()).then_some(self)
    }
}

/// Time since something was last counted.
pub struct Lap(Instant);

impl Lap {
    /// Begins to count.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the start or the last call.
    pub fn passed(&mut self) -> Duration {
        let now = Instant::now();
        now.saturating_duration_since(std::mem::replace(&mut self.0, now))
    }
}

/// Counter of frames by elapsed time, so that a slow terminal shows fewer frames, not a slower animation.
pub struct Clock(Instant);

impl Clock {
    /// Starts a clock.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time until the next frame.
    pub fn left(&self) -> Duration {
        FRAME.saturating_sub(self.0.elapsed())
    }

    /// Number of frames since the last call that returned any.
    pub fn frames(&mut self) -> usize {
        let frames = (self.0.elapsed().as_millis() / FRAME.as_millis()) as u32;
        self.0 += FRAME * frames;
        frames as usize
    }
}

#[cfg(test)]
mod tests;
