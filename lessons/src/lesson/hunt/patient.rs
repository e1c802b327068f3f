//! What is being examined: a model or a training run, either sound or with a fault.

use std::sync::Arc;

use super::fault::{Defect, Subject};
use super::look::{Finding, Look};
use super::suspect::Suspect;
use super::training::Record;
use super::{instruments, training_instruments};

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

    /// Finding of a look.
    pub fn look(&self, look: &Look) -> Finding {
        match self {
            Self::Model(suspect) => instruments::finding(suspect, look),
            Self::Training(run) => training_instruments::finding(run, look),
        }
    }
}
