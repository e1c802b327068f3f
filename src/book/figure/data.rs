//! What a figure ships to its script, as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::paragraph;
use super::view::View;

/// What the script of a figure reads: the cells of the run shown, and the runs behind its controls.
#[derive(Serialize)]
pub struct FigureData<'a> {
    /// Operands of the run shown, or the figure that has them.
    pub data: Option<Value>,
    pub runs: &'a [BrokenRun],
    pub knobs: &'a [SliderRuns],
    pub both: &'a [PairRun],
    /// True if the run is one of the trained translator's.
    pub trained: bool,
}

/// What a figure shows of a run.
#[derive(Clone, Serialize)]
pub struct Shown {
    /// Title, as HTML.
    pub head: String,
    /// Drawing, as HTML.
    pub body: String,
    /// Description, as HTML.
    pub says: String,
    /// Operands.
    pub data: Option<Value>,
}

impl From<View> for Shown {
    fn from(view: View) -> Self {
        Self {
            says: paragraph(&view.says),
            head: view.title,
            body: view.body,
            data: view.data,
        }
    }
}

/// A run with one more mistake, or one fewer, which a button shows.
#[derive(Serialize)]
pub struct BrokenRun {
    /// Number of the mistake, counted from 1.
    pub number: usize,
    /// Text of the button.
    pub title: String,
    /// What to look for.
    pub watch: String,
    #[serde(flatten)]
    pub shown: Shown,
}

/// The runs at the values of a knob, or at the places of a [`Choice`](super::Choice), which a slider shows.
#[derive(Serialize)]
pub struct SliderRuns {
    pub name: &'static str,
    /// Label, as plain text.
    pub about: String,
    /// True if the values are numbers in order.
    pub numeric: bool,
    /// True if the slider chooses a place in one run, so that there is no difference to show.
    pub same: bool,
    pub runs: Vec<ValueRun>,
}

/// A value of a slider.
#[derive(Serialize)]
pub struct ValueRun {
    pub value: String,
    /// `None` for the value that the figure itself shows.
    #[serde(flatten)]
    pub run: Option<OtherRun>,
}

/// The run at another value than the figure's own.
#[derive(Serialize)]
pub struct OtherRun {
    /// What to look for; empty if nothing is different but the numbers.
    pub watch: String,
    #[serde(flatten)]
    pub shown: Shown,
}

/// The run with two controls changed.
#[derive(Serialize)]
pub struct PairRun {
    /// The two values, by the name of their control; a mistake's is `mistake`.
    pub with: BTreeMap<String, String>,
    #[serde(flatten)]
    pub shown: Shown,
}
