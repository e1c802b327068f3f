//! The hunt: an unfamiliar Transformer with one real fault, instruments to find it with, and a budget of looks.
//!
//! A case is a number, which determines a level and, through it, a [`Defect`]. The defect is applied to the real model
//! or the real training run, and every instrument's output comes from running that.

mod altered;
mod board;
mod case;
mod evidence;
mod fault;
mod files;
mod finding;
mod formulas;
mod instruments;
mod look;
mod patient;
mod ranges;
mod replaced;
mod suspect;
mod training;
mod training_instruments;

pub use board::{Board, Entry, Outcome};
pub use case::{Answer, Case, Contradiction, Hunt, UNPROVEN, against, named, opening, solution};
pub use evidence::Table;
pub use fault::{Defect, Fault, Kind, Subject, all, defects};
pub use finding::{Finding, ORDINARY};
pub use look::{Instrument, Look, Takes};
pub use patient::Patient;
pub use suspect::Suspect;
