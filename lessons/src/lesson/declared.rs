//! Pictures that a lesson declares in `lesson.toml`: their titles and sentences, and the tables, bars and curves whose
//! numbers have names.
//!
//! Texts contain expressions in the language of claims: `{rms_token:.2}`. After the colon comes how the number is
//! written: `.2` with two decimals, `.1%` as a percentage, `.1e` as a power of ten, `r` with two decimals
//! or, if it is very small or large, as a power of ten, `,` in groups of three digits,
//! `+2` with its sign, `f2` with a proper minus, `z3` without the zero
//! before the point, `s7` in at most seven columns, `×` as a shape, `bit` for how far something moved. A name
//! alone is a fact in words, a knob as it is set, or a number.

use std::collections::BTreeMap;

use serde::Deserialize;

/// One `[[picture]]` of a lesson. The stage draws it if none of `table`, `bars` and `curves` is given.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declared {
    /// Name in commands and stage blocks.
    pub name: String,
    pub(super) title: Option<Text>,
    pub(super) says: Option<Text>,
    /// What starting it will do, if it takes time.
    pub(super) about: Option<Text>,
    /// The knob that affects it most.
    pub(super) turned_by: Option<String>,
    /// Shows it only in runs in which this holds.
    #[serde(rename = "if")]
    pub(super) condition: Option<String>,
    /// Header of a table; a row has a cell for each.
    pub(super) table: Option<Vec<String>>,
    /// Unit of a bar chart; a row has a label, an expression and a note.
    pub(super) bars: Option<String>,
    /// Axes of a line chart; a row has a name and expressions of the x and the y.
    pub(super) curves: Option<[String; 2]>,
    #[serde(default)]
    pub(super) log: bool,
    #[serde(default)]
    pub(super) apart: bool,
    #[serde(default)]
    pub(super) rows: Vec<Row>,
}

/// A text, or several of which the first that applies is shown.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Text {
    One(String),
    Cases(Vec<Case>),
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    #[serde(rename = "if")]
    pub(super) condition: Option<String>,
    /// Knobs that must have these values, and mistakes (`break`) that must be on.
    #[serde(default)]
    pub(super) with: BTreeMap<String, String>,
    pub(super) text: String,
}

/// A row; with `each`, one for every entry of that list, in which every list of the same length gives one entry.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Row {
    Cells(Vec<String>),
    Each {
        each: Option<String>,
        #[serde(rename = "if")]
        condition: Option<String>,
        cells: Vec<String>,
    },
}
