//! Drawings as plain data, which the terminal draws, plain mode describes, and the book prints.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

mod diagram;
mod live;
mod map;
mod plane;

pub use diagram::{Arrow, CellName, Column, Diagram, Node};
pub use live::{Live, Part, Status, Steer, Steered};
pub use map::{BoxState, Map, MapBox};
pub use plane::{Plane, Point};

use super::facts::Facts;
use crate::autograd::{Nature, Trace};
use crate::tensor::Tensor;
use crate::transformer::count::Part as Counted;
use crate::typeset::number::grouped;

/// A drawing of a run, beyond its tensors.
#[derive(Clone)]
pub struct Picture {
    /// Name in commands and stage blocks: `gram`.
    pub name: &'static str,
    /// Title on the screen.
    pub title: String,
    /// What it shows, in a sentence or two, with the numbers of this run.
    pub says: String,
    /// The data to draw.
    pub body: Body,
    /// The knob that affects it most.
    pub turned_by: Option<&'static str>,
}

impl Picture {
    /// A picture of `body`.
    pub fn new(
        name: &'static str,
        title: impl Into<String>,
        says: impl Into<String>,
        body: Body,
    ) -> Self {
        Self {
            name,
            title: title.into(),
            says: says.into(),
            body,
            turned_by: None,
        }
    }

    /// A picture of `body` whose title and sentence `lesson.toml` declares.
    pub fn drawn(name: &'static str, body: Body) -> Self {
        Self::new(name, "", "", body)
    }

    /// Sets the knob that affects it most, which becomes a slider in the book.
    pub fn turned_by(self, knob: &'static str) -> Self {
        let turned_by = Some(knob);
        Self { turned_by, ..self }
    }

    /// A picture of a table.
    pub fn table(
        name: &'static str,
        title: impl Into<String>,
        says: impl Into<String>,
        header: &[&str],
        rows: Vec<Vec<String>>,
    ) -> Self {
        Self::new(name, title, says, Body::table(header, rows))
    }

    /// A bar chart; lengths are in `unit`s.
    pub fn bars(
        name: &'static str,
        title: impl Into<String>,
        says: impl Into<String>,
        unit: &str,
        bars: Vec<Bar>,
    ) -> Self {
        Self::new(name, title, says, Body::bars(unit, bars))
    }

    /// A picture produced by a job; `about` says what `run` will do.
    pub fn job(
        name: &'static str,
        title: impl Into<String>,
        says: impl Into<String>,
        about: impl Into<String>,
        run: impl Fn(Report<'_>) -> Progress + Send + Sync + 'static,
    ) -> Self {
        let mut body = Body::job(run);
        if let Body::Job(job) = &mut body {
            job.about = about.into();
        }
        Self::new(name, title, says, body)
    }

    /// Marks the job as measuring this machine: its results are times or speeds.
    #[must_use]
    pub fn measuring(mut self) -> Self {
        if let Body::Job(job) = &mut self.body {
            job.measures = true;
        }
        self
    }

    /// Adds a quicker way to the final drawing, for readers who do not watch the job run.
    #[must_use]
    pub fn ending(mut self, last: impl Fn() -> Progress + Send + Sync + 'static) -> Self {
        if let Body::Job(job) = &mut self.body {
            job.last = Some(Arc::new(last));
        }
        self
    }

    /// Sets how long each drawing stays on the screen.
    #[must_use]
    pub fn paced(mut self, pace: Duration) -> Self {
        if let Body::Job(job) = &mut self.body {
            job.pace = pace;
        }
        self
    }

    /// A table, whose title `lesson.toml` declares, of the parameters of a model's `stack` (`encoder`), part by part with their equations, followed by the
    /// embedding `table` that leads to it (`src_embed`).
    pub fn counted(model: &Counted, stack: &str, table: &str) -> Self {
        let mut rows = Vec::new();
        let mut row = |part: &Counted, depth: usize| {
            let times = if part.times > 1 {
                format!(" × {}", part.times)
            } else {
                String::new()
            };
            rows.push(vec![
                format!("{}{}{times}", "  ".repeat(depth), part.name),
                part.equation.replace('*', "·"),
                grouped(part.count as u64),
            ]);
        };
        if let Some(stack) = model.find(&[stack]) {
            for layer in &stack.parts {
                layer.parts.iter().for_each(|part| row(part, 2));
                row(layer, 1);
            }
            row(stack, 0);
        }
        if let Some(table) = model.find(&[table]) {
            row(table, 0);
        }
        Self::table(
            "count",
            "",
            "Counted from the parameters that the model is built of; each equation gives the count beside it.",
            &["part", "equation", "parameters"],
            rows,
        )
    }
}

/// The kinds of drawing.
#[derive(Clone)]
pub enum Body {
    /// A heat map of a matrix.
    Matrix {
        /// `[rows, columns]`.
        values: Tensor,
        /// Determines the colour scale.
        nature: Nature,
        /// Name of the row axis, and one label per row (may be empty).
        rows: (String, Vec<String>),
        /// Name of the column axis, and one label per column (may be empty).
        columns: (String, Vec<String>),
        /// Meaning of each cell, row by row (`future`, `pad`, `both`), shown under the cursor; may be empty.
        notes: Vec<Vec<String>>,
        /// True if each row was written while the columns were read, which the book also draws as lines between the words.
        links_words: bool,
    },
    /// A bar chart.
    Bars {
        /// Unit of the lengths.
        unit: String,
        /// One bar per line.
        bars: Vec<Bar>,
        /// True if the scale is logarithmic, for numbers that differ by factors.
        log: bool,
    },
    /// A line chart.
    Curves {
        /// Name of the horizontal axis.
        x: String,
        /// Name of the vertical axis.
        y: String,
        /// True if the vertical axis is logarithmic.
        log: bool,
        /// True if each line has its own panel, one above another.
        apart: bool,
        /// The lines.
        series: Vec<Series>,
    },
    /// A table of text and numbers.
    Table {
        /// One title per column.
        header: Vec<String>,
        /// One list of cells per row.
        rows: Vec<Vec<String>>,
    },
    /// Boxes in two columns, each of which opens a tensor of the run.
    Map(Map),
    /// Labelled points, one plane per head; the cursor selects the head and the query.
    Planes(Vec<Plane>),
    /// Nodes and arrows, often one diagram per token; the cursor `[diagram, node, column]` selects a node.
    Diagrams(Vec<Diagram>),
    /// Work that takes longer than a key press, such as a race of two training runs: the learner starts it, and it
    /// sends drawings as it goes.
    Job(Job),
    /// Work that goes on while the learner reads, and that they can steer.
    Live(Live),
}

impl Body {
    /// A table under `header`.
    pub fn table(header: &[&str], rows: Vec<Vec<String>>) -> Self {
        let header = header.iter().map(ToString::to_string).collect();
        Self::Table { header, rows }
    }

    /// A heat map of `values [rows, columns]`; `rows` and `columns` are each an axis name with its labels, or none.
    pub fn matrix(
        values: Tensor,
        nature: Nature,
        rows: (&str, Vec<String>),
        columns: (&str, Vec<String>),
    ) -> Self {
        Self::Matrix {
            values,
            nature,
            rows: (rows.0.to_owned(), rows.1),
            columns: (columns.0.to_owned(), columns.1),
            notes: Vec::new(),
            links_words: false,
        }
    }

    /// The same heat map with a note per cell, shown when the cursor is on it.
    #[must_use]
    pub fn noted(mut self, of: Vec<Vec<String>>) -> Self {
        if let Self::Matrix { notes, .. } = &mut self {
            *notes = of;
        }
        self
    }

    /// The same heat map, whose rows were written while its columns were read: the book also draws lines between them.
    #[must_use]
    pub fn linking_words(mut self) -> Self {
        if let Self::Matrix { links_words, .. } = &mut self {
            *links_words = true;
        }
        self
    }

    /// A job whose sentence about what it will do `lesson.toml` declares.
    pub fn job(run: impl Fn(Report<'_>) -> Progress + Send + Sync + 'static) -> Self {
        Self::Job(Job {
            about: String::new(),
            run: Arc::new(run),
            pace: Duration::ZERO,
            measures: false,
            last: None,
        })
    }

    /// A bar chart.
    pub fn bars(unit: &str, bars: impl IntoIterator<Item = Bar>) -> Self {
        Self::Bars {
            unit: unit.to_owned(),
            bars: bars.into_iter().collect(),
            log: false,
        }
    }

    /// A line chart.
    pub fn curves(x: &str, y: &str, series: impl IntoIterator<Item = Series>) -> Self {
        Self::Curves {
            x: x.to_owned(),
            y: y.to_owned(),
            log: false,
            apart: false,
            series: series.into_iter().collect(),
        }
    }

    /// The same bars or curves on a logarithmic scale.
    #[must_use]
    pub fn by_logarithm(mut self) -> Self {
        if let Self::Bars { log, .. } | Self::Curves { log, .. } = &mut self {
            *log = true;
        }
        self
    }

    /// The same curves in separate panels.
    #[must_use]
    pub fn in_panels(mut self) -> Self {
        if let Self::Curves { apart, .. } = &mut self {
            *apart = true;
        }
        self
    }
}

/// One bar of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Name of the bar.
    pub label: String,
    /// Length of the bar.
    pub value: f64,
    /// The value in words, `0.1832`, with any remark.
    pub note: String,
}

impl Bar {
    /// A bar with its label and note.
    pub fn new(label: impl Into<String>, value: f64, note: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            value,
            note: note.into(),
        }
    }
}

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points, from left to right.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A line through `points`, from left to right.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self {
            name: name.into(),
            points: points.into_iter().collect(),
        }
    }
}

/// A drawing that takes time.
///
/// It reports better and better pictures as it runs, stops early if a report breaks, and returns the last picture.
#[derive(Clone)]
pub struct Job {
    /// What it will do, and roughly for how long: `trains four copies for 300 steps, a few seconds`.
    pub about: String,
    /// The work, run on the calling thread.
    pub run: Arc<Work>,
    /// How long the screen keeps each drawing before it takes the next, for work too quick to follow.
    pub pace: Duration,
    /// True if it draws times or speeds of the current machine, which differ between any two runs.
    pub measures: bool,
    /// A quicker way to the last drawing, which may reuse earlier results; `None` if there is none.
    pub last: Option<Arc<dyn Fn() -> Progress + Send + Sync>>,
}

impl Job {
    /// Runs it to the end and returns the last drawing.
    pub fn end(&self) -> Progress {
        match &self.last {
            Some(last) => last(),
            None => (self.run)(&mut |_| ControlFlow::Continue(())),
        }
    }
}

/// The function of a [`Job`], which passes its progress to the callback.
pub type Work = dyn Fn(Report<'_>) -> Progress + Send + Sync;

/// Callback that receives a [`Job`]'s progress and decides whether it goes on.
pub type Report<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// A [`Job`]'s progress.
#[derive(Clone)]
pub struct Progress {
    /// The drawing so far; never a [`Body::Job`].
    pub body: Body,
    /// What it shows, in a sentence.
    pub says: String,
    /// Share of the work done, 0 to 1.
    pub done: f32,
    /// A run that resulted from the job and is to be shown from now on; set only at the end, if at all.
    pub run: Option<Arc<Run>>,
    /// Progress within a heat map that is written row by row.
    pub written: Option<Written>,
}

/// Progress of a heat map that is written row by row. `body` holds all its rows, so that every drawing has the same
/// layout.
#[derive(Clone)]
pub struct Written {
    /// Number of rows written so far.
    pub rows: usize,
    /// Final message, for which room is reserved from the beginning.
    pub end: String,
}

/// The result of running a stage.
#[derive(Clone, Default)]
pub struct Run {
    /// The recorded operations, with words on the axes.
    pub trace: Trace,
    /// Pictures beyond the tensors themselves.
    pub pictures: Vec<Picture>,
    /// Numbers and words beyond the tensors, which claims and declared pictures name.
    pub facts: Facts,
    /// Largest influence of a blocked position on an output that must not see it: 0 means no leak. `None` if the
    /// concept does not apply to the lesson.
    pub leak: Option<f32>,
    /// A sentence about the run that its tensors don't show, such as what a broken model writes.
    pub note: Option<String>,
    /// The German sentence that the shipped translator, intact, translates in this run; `None` for any other run.
    pub sentence: Option<String>,
    /// What the shipped translator writes in this run, and what it writes intact.
    pub written: Option<[String; 2]>,
}

impl Run {
    /// Total number of cells in all its steps.
    pub fn cells(&self) -> usize {
        let steps = self.trace.steps().iter();
        steps.map(|step| step.value.len()).sum()
    }

    /// A run to which the concept of a leak does not apply.
    pub fn new(trace: Trace, pictures: Vec<Picture>) -> Self {
        Self {
            trace,
            pictures,
            ..Self::default()
        }
    }

    /// The same run with these facts.
    #[must_use]
    pub fn telling(self, facts: Facts) -> Self {
        Self { facts, ..self }
    }
}

impl Progress {
    /// A drawing after a share `done` of the work, 0 to 1.
    pub fn new(done: f32, says: impl Into<String>, body: Body) -> Self {
        Self {
            body,
            says: says.into(),
            done,
            run: None,
            written: None,
        }
    }

    /// Marks `rows` rows of its heat map as written, and reserves room for the message at the `end`.
    #[must_use]
    pub fn written(mut self, rows: usize, end: &str) -> Self {
        let end = end.to_owned();
        self.written = Some(Written { rows, end });
        self
    }
}
