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
    /// Begin; the lane in front pauses or goes on.
    Toggle,
    /// Every lane pauses.
    Pause,
    /// So many steps of the lane in front, then it pauses.
    Step(usize),
    /// All lanes go on side by side, until told otherwise (if all do already, they pause), or each for so many steps.
    Race(Option<usize>),
    /// Another lane in front.
    Lane(isize),
    /// A higher (1) or lower (−1) learning rate of the lane in front.
    Rate(isize),
    /// Write a checkpoint of the lane in front.
    Save,
    /// Write a checkpoint of every lane.
    SaveAll,
    /// Go on from the last checkpoints.
    Resume,
    /// Look at an earlier or later snapshot of the lane in front.
    Rewind(isize),
    /// Go on from the snapshot looked at as another lane, side by side with the one it leaves.
    Fork,
    /// Look at another head.
    Head,
    /// Another part in front, where there is room for one alone.
    Front,
    /// Give the lane in front up; the last one is the run.
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

    /// Pauses it, saves all of it, and waits until that is done; returns the last word on it.
    fn put_away(&self) -> String {
        self.steer(Steer::Pause);
        self.steer(Steer::SaveAll);
        self.settle()
    }
}
