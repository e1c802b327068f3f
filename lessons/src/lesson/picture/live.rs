//! Work that goes on while the learner reads, even beyond its lesson, such as a training run controlled by keys.

use std::sync::Arc;

use super::Body;

/// A picture of work in progress. Every front end draws its parts, passes on key presses, and asks before it ends the
/// program.
#[derive(Clone)]
pub struct Live {
    /// What it will do, and roughly for how long; shown until it begins.
    pub about: String,
    /// The work.
    pub work: Arc<dyn Steered>,
}

/// One drawing of a [`Live`].
#[derive(Clone)]
pub struct Part {
    /// Title of the drawing.
    pub title: String,
    /// The data to draw; never a [`Body::Job`] or a [`Body::Live`].
    pub body: Body,
}

/// State of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Not begun.
    Idle,
    /// Running.
    Working,
    /// Waiting.
    Paused,
}

/// A learner's command to work in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steer {
    /// Begins; if begun, pauses or resumes the lane in front.
    Toggle,
    /// Pauses every lane.
    Pause,
    /// Runs this many steps of the lane in front, then pauses it.
    Step(usize),
    /// Runs all lanes side by side, until told otherwise or for this many steps each. If all are running already,
    /// pauses them.
    Race(Option<usize>),
    /// Brings a different lane to the front.
    Lane(isize),
    /// Raises (1) or lowers (−1) the learning rate of the lane in front.
    Rate(isize),
    /// Writes a checkpoint of the lane in front.
    Save,
    /// Writes a checkpoint of every lane.
    SaveAll,
    /// Resumes from the last checkpoints.
    Resume,
    /// Shows an earlier or later snapshot of the lane in front.
    Rewind(isize),
    /// Continues from the snapshot shown in a new lane, beside the one it came from.
    Fork,
    /// Shows a different attention head.
    Head,
    /// Brings a different part to the front, if there is room for only one.
    Front,
    /// Discards the lane in front; the last one is the run itself.
    Cancel,
}

/// Work in progress on its own threads. Only [`Steered::settle`] waits for it.
pub trait Steered: Send + Sync {
    /// Its state.
    fn status(&self) -> Status;

    /// A number that changes whenever there is something new to draw.
    fn version(&self) -> u64;

    /// What to show: a sentence with current numbers, the share done, and the drawings, most informative first.
    fn shown(&self) -> (String, f32, Vec<Part>);

    /// Carries out a command soon; returns a message if there is one.
    fn steer(&self, what: Steer) -> Option<String>;

    /// Waits until every command is done and nothing runs any more; returns the final message.
    fn settle(&self) -> String;

    /// Pauses it, saves everything, and waits until that is done; returns the final message.
    fn put_away(&self) -> String {
        self.steer(Steer::Pause);
        self.steer(Steer::SaveAll);
        self.settle()
    }
}
