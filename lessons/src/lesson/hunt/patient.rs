//! What is being examined: a model or a training run, either sound or with a fault.

use std::sync::Arc;

use super::fault::{Defect, Subject};
use super::finding::Finding;
use super::look::{Examine, Look};
use super::suspect::Suspect;
use super::training::Record;

/// A model or a training run.
pub enum Patient {
    /// A model, see [`Suspect`].
    Model(Box<Suspect>),
    /// A training run, see [`Record`].
    Training(Arc<Record>),
}

impl Patient {
    /// The model or run with this fault.
    pub fn with(defect: &Defect) -> Self {
        Self::of(defect.kind.fault().subject, Some(defect))
    }

    /// The sound model or run.
    pub fn sound(subject: Subject) -> Self {
        Self::of(subject, None)
    }

    fn of(subject: Subject, defect: Option<&Defect>) -> Self {
        match subject {
            Subject::Model => Self::Model(Box::new(Suspect::new(defect))),
            Subject::Training => Self::Training(Record::of(defect)),
        }
    }

    /// Finding of a look; empty if the look is not for this subject.
    pub fn look(&self, look: &Look) -> Finding {
        match (look.instrument.examine(), self) {
            (Examine::Model(finding), Self::Model(suspect)) => finding(suspect, &look.at),
            (Examine::Training(finding), Self::Training(run)) => finding(run),
            _ => Finding::new(String::new(), None),
        }
    }
}
