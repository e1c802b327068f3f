//! Work that goes on while the learner reads, and beyond its lesson: a training run that is steered by keys.

use std::sync::Arc;

use super::Body;

/// A picture of work that goes on. Every front end draws its parts, passes on what is pressed, and asks before it
/// ends the program.
#[derive(Clone)]
pub struct Live {
    /// What it will do, and for about how long, until it is begun.
    pub about: String,
    /// The work.
    pub work: Arc<dyn Steered>,
}

/// One drawing of a [`Live`].
#[derive(Clone)]
pub struct Part {
    /// Its title.
    pub title: String,
    /// The data; never a [`Body::Job`] or a [`Body::Live`].
    pub body: Body,
}

/// How work stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Not begun.
    Idle,
    /// It goes on by itself.
    Working,
    /// It waits.
    Paused,
}

/// What a learner asks of work that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steer {
    /// Begin, pause, go on.
    Toggle,
    /// So many steps, then pause.
    Step(usize),
    /// A higher (1) or lower (−1) learning rate.
    Rate(isize),
    /// Write a checkpoint.
    Save,
    /// Go on from the last checkpoint.
    Resume,
    /// Look at an earlier or later snapshot.
    Rewind(isize),
    /// Go on from the snapshot looked at, as another lane.
    Fork,
    /// Look at another head.
    Head,
    /// Another part in front, where there is room for one alone.
    Front,
    /// Give the run up.
    Cancel,
}

/// Work that goes on, on threads of its own. No method waits for it but [`Steered::settle`].
pub trait Steered: Send + Sync {
    /// How it stands.
    fn status(&self) -> Status;

    /// Another number whenever there is something new to draw.
    fn version(&self) -> u64;

    /// What to see: a sentence with the numbers of now, the share done, and the drawings, the most telling first.
    fn shown(&self) -> (String, f32, Vec<Part>);

    /// Does what is asked, soon; a sentence where there is something to be said.
    fn steer(&self, what: Steer) -> Option<String>;

    /// Waits until everything asked for is done and it no longer works by itself; returns the last word on it.
    fn settle(&self) -> String;
}
