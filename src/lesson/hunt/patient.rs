//! What is examined: a model or a training run, sound or with a fault.

use super::fault::{Defect, Subject};
use super::instruments;
use super::look::{Finding, Look};
use super::suspect::Suspect;

/// A model or a training run.
pub enum Patient {
    /// See [`Suspect`].
    Model(Box<Suspect>),
}

impl Patient {
    /// The one with this fault.
    pub fn with(defect: &Defect) -> Self {
        Self::Model(Box::new(Suspect::new(Some(defect))))
    }

    /// A sound one.
    pub fn sound(_subject: Subject) -> Self {
        Self::Model(Box::new(Suspect::new(None)))
    }

    /// What a look shows.
    pub fn look(&self, look: &Look) -> Finding {
        match self {
            Self::Model(suspect) => instruments::shown(suspect, look),
        }
    }
}
