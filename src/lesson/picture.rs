//! Drawings as plain data: one description that the terminal draws, plain mode says, and the book
//! prints.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

mod live;
mod map;
mod plane;

pub use live::{Live, Part, Status, Steer, Steered};
pub use map::{Map, Place, Reached};
pub use plane::{Plane, Point};

use crate::autograd::Nature;
use crate::autograd::Trace;
use crate::tensor::Tensor;
use crate::transformer::count::Part as Counted;
use crate::typeset::number::grouped;

/// One drawing of a run, beyond its tensors.
#[derive(Clone)]
pub struct Picture {
    /// Its name in commands and stage blocks: `gram`.
    pub name: &'static str,
    /// Its title on the screen.
    pub title: String,
    /// What to see in it, in a sentence or two, with the numbers of this run.
    pub says: String,
    /// The data.
    pub body: Body,
    /// The knob that changes it most.
    pub turned_by: Option<&'static str>,
}

impl Picture {
    /// A drawing by its data.
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

    /// With the knob that changes it most, which the book makes a slider of.
    pub fn turned_by(self, knob: &'static str) -> Self {
        let turned_by = Some(knob);
        Self { turned_by, ..self }
    }

    /// A table.
    pub fn table(
        name: &'static str,
        title: impl Into<String>,
        says: impl Into<String>,
        header: &[&str],
        rows: Vec<Vec<String>>,
    ) -> Self {
        Self::new(name, title, says, Body::table(header, rows))
    }

    /// Lengths side by side, each so many `unit`s.
    pub fn bars(
        name: &'static str,
        title: impl Into<String>,
        says: impl Into<String>,
        unit: &str,
        bars: Vec<Bar>,
    ) -> Self {
        Self::new(name, title, says, Body::bars(unit, bars))
    }

    /// Lines over `x`, each as high as `y`.
    pub fn curves(
        name: &'static str,
        title: impl Into<String>,
        says: impl Into<String>,
        axes: (&str, &str),
        series: Vec<Series>,
    ) -> Self {
        Self::new(name, title, says, Body::curves(axes.0, axes.1, series))
    }

    /// A heat map of `values [rows, columns]`; `rows` and `columns` say what they are, with a word for each or none.
    pub fn matrix(
        name: &'static str,
        title: impl Into<String>,
        says: impl Into<String>,
        (values, nature): (Tensor, Nature),
        rows: (&str, Vec<String>),
        columns: (&str, Vec<String>),
    ) -> Self {
        let body = Body::Matrix {
            values,
            nature,
            rows: (rows.0.to_owned(), rows.1),
            columns: (columns.0.to_owned(), columns.1),
            notes: Vec::new(),
        };
        Self::new(name, title, says, body)
    }

    /// The same bars or curves by the logarithm: for numbers that differ by factors.
    #[must_use]
    pub fn by_logarithm(mut self) -> Self {
        self.body = self.body.by_logarithm();
        self
    }

    /// The same curves, each in a panel of its own: for lines that would cross too often.
    #[must_use]
    pub fn in_panels(mut self) -> Self {
        if let Body::Curves { apart, .. } = &mut self.body {
            *apart = true;
        }
        self
    }

    /// The same heat map with a note for each cell under the cursor.
    #[must_use]
    pub fn noted(mut self, of: Vec<Vec<String>>) -> Self {
        if let Body::Matrix { notes, .. } = &mut self.body {
            *notes = of;
        }
        self
    }

    /// A drawing that takes time: `about` says what `run` will do.
    pub fn job(
        name: &'static str,
        title: impl Into<String>,
        says: impl Into<String>,
        about: impl Into<String>,
        run: impl Fn(Report<'_>) -> Progress + Send + Sync + 'static,
    ) -> Self {
        let job = Job {
            about: about.into(),
            run: Arc::new(run),
            pace: Duration::ZERO,
            measures: false,
            last: None,
        };
        Self::new(name, title, says, Body::Job(job))
    }

    /// The same, where what it draws are times or speeds of this machine.
    #[must_use]
    pub fn measuring(mut self) -> Self {
        if let Body::Job(job) = &mut self.body {
            job.measures = true;
        }
        self
    }

    /// The same with a quicker way to its last drawing, for those who do not watch.
    #[must_use]
    pub fn ending(mut self, last: impl Fn() -> Progress + Send + Sync + 'static) -> Self {
        if let Body::Job(job) = &mut self.body {
            job.last = Some(Arc::new(last));
        }
        self
    }

    /// The same with each of its drawings kept on the screen for so long.
    #[must_use]
    pub fn paced(mut self, pace: Duration) -> Self {
        if let Body::Job(job) = &mut self.body {
            job.pace = pace;
        }
        self
    }

    /// The parameters of a model's `stack` (`encoder`), part by part with their equations, and of the
    /// `table` that leads to it (`src_embed`).
    pub fn counted(title: &str, model: &Counted, stack: &str, table: &str) -> Self {
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
            title,
            "Counted from the parameters that the model is built of; each equation gives the count beside it.",
            &["part", "equation", "parameters"],
            rows,
        )
    }
}

/// The kinds of drawings.
#[derive(Clone)]
pub enum Body {
    /// A heat map of a matrix.
    Matrix {
        /// `[rows, columns]`.
        values: Tensor,
        /// Decides ramp and colours.
        nature: Nature,
        /// What the rows are, and a word for each (may be empty).
        rows: (String, Vec<String>),
        /// What the columns are, and a word for each (may be empty).
        columns: (String, Vec<String>),
        /// What the cell under the cursor means, row by row (`future`, `pad`, `both`); may be empty.
        notes: Vec<Vec<String>>,
    },
    /// Lengths side by side.
    Bars {
        /// What the lengths are.
        unit: String,
        /// One a line.
        bars: Vec<Bar>,
        /// Lengths by the logarithm: for numbers that differ by factors.
        log: bool,
    },
    /// Lines over a common axis.
    Curves {
        /// What goes to the right.
        x: String,
        /// What goes up.
        y: String,
        /// The vertical axis by the logarithm.
        log: bool,
        /// Each line in a panel of its own, one above another.
        apart: bool,
        /// The lines.
        series: Vec<Series>,
    },
    /// Rows of words and numbers.
    Table {
        /// A word for each column.
        header: Vec<String>,
        /// One list a row.
        rows: Vec<Vec<String>>,
    },
    /// Boxes in two columns, each of which opens a tensor of the run.
    Map(Map),
    /// Labelled points, a plane for each head; the cursor chooses the head and the query.
    Planes(Vec<Plane>),
    /// Something that takes longer than a key press (a race of two trainings): it is started by the
    /// learner, and sends drawings as it goes.
    Job(Job),
    /// Work that goes on while the learner reads, and is steered.
    Live(Live),
}

impl Body {
    /// Rows of words and numbers under a header.
    pub fn table(header: &[&str], rows: Vec<Vec<String>>) -> Self {
        let header = header.iter().map(ToString::to_string).collect();
        Self::Table { header, rows }
    }

    /// Lengths side by side.
    pub fn bars(unit: &str, bars: impl IntoIterator<Item = Bar>) -> Self {
        Self::Bars {
            unit: unit.to_owned(),
            bars: bars.into_iter().collect(),
            log: false,
        }
    }

    /// Lines over a common axis.
    pub fn curves(x: &str, y: &str, series: impl IntoIterator<Item = Series>) -> Self {
        Self::Curves {
            x: x.to_owned(),
            y: y.to_owned(),
            log: false,
            apart: false,
            series: series.into_iter().collect(),
        }
    }

    /// The same bars or curves by the logarithm.
    #[must_use]
    pub fn by_logarithm(mut self) -> Self {
        if let Self::Bars { log, .. } | Self::Curves { log, .. } = &mut self {
            *log = true;
        }
        self
    }
}

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What it is.
    pub label: String,
    /// How long.
    pub value: f64,
    /// The value in words, `0.1832`, with what else is to be said.
    pub note: String,
}

impl Bar {
    /// A bar with its words.
    pub fn new(label: impl Into<String>, value: f64, note: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            value,
            note: note.into(),
        }
    }

    /// How far something moved, where not moving at all is what tells.
    pub fn moved(label: impl Into<String>, value: f64) -> Self {
        match value {
            0.0 => Self::new(label, value, "0 to the last bit"),
            _ => Self::new(label, value, format!("{value:.3}")),
        }
    }
}

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points, from left to right.
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

/// A drawing that takes time. Running it calls back with better and better pictures, and stops early
/// when it is told to break; it returns the last one.
#[derive(Clone)]
pub struct Job {
    /// What it will do, and for about how long: `trains four copies for 300 steps, a few seconds`.
    pub about: String,
    /// The work, on whatever thread it is called from.
    pub run: Arc<Work>,
    /// How long the screen keeps each of its drawings before it takes the next: for what is too quick to be followed.
    pub pace: Duration,
    /// Whether what it draws are times or speeds of the machine that it runs on, so that no two runs give the same.
    pub measures: bool,
    /// Its last drawing without those before it, where that is quicker: what was computed before is not computed again.
    pub last: Option<Arc<dyn Fn() -> Progress + Send + Sync>>,
}

impl Job {
    /// Runs it to its end.
    pub fn end(&self) -> Progress {
        match &self.last {
            Some(last) => last(),
            None => (self.run)(&mut |_| ControlFlow::Continue(())),
        }
    }
}

/// The body of a [`Job`]. The callback gets a drawing, a sentence, and the share done (0 to 1).
pub type Work = dyn Fn(Report<'_>) -> Progress + Send + Sync;

/// Is told how far a [`Job`] is, and answers whether it goes on.
pub type Report<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// How far a [`Job`] is.
#[derive(Clone)]
pub struct Progress {
    /// What it looks like so far; never a [`Body::Job`].
    pub body: Body,
    /// What to see.
    pub says: String,
    /// The share done, 0 to 1.
    pub done: f32,
    /// A run that came of it, to be looked at from now on; at the end, if at all.
    pub run: Option<Arc<Run>>,
    /// Of a heat map that is written row by row: how far it is.
    pub written: Option<Written>,
}

/// How far a heat map is that is written row by row. `body` holds it whole, so that every drawing has the same layout.
#[derive(Clone)]
pub struct Written {
    /// The rows that are there.
    pub rows: usize,
    /// What is said at the end: its room is kept from the beginning.
    pub end: String,
}

/// What a stage shows.
#[derive(Clone, Default)]
pub struct Run {
    /// The recorded operations, with words on the axes.
    pub trace: Trace,
    /// Drawings beyond the tensors themselves.
    pub pictures: Vec<Picture>,
    /// The largest influence of a blocked position on an output that must not see it; `None` where
    /// the lesson has no such notion. 0 is tight; anything else is a leak.
    pub leak: Option<f32>,
    /// What the run is where its tensors do not say it, in a sentence: what a broken model writes.
    pub note: Option<String>,
}

impl Run {
    /// The cells of all its steps.
    pub fn cells(&self) -> usize {
        let steps = self.trace.steps().iter();
        steps.map(|step| step.value.len()).sum()
    }

    /// A run without a notion of leaking.
    pub fn new(trace: Trace, pictures: Vec<Picture>) -> Self {
        Self {
            trace,
            pictures,
            leak: None,
            note: None,
        }
    }
}

impl Progress {
    /// A drawing at a share of the work, 0 to 1.
    pub fn new(done: f32, says: impl Into<String>, body: Body) -> Self {
        Self {
            body,
            says: says.into(),
            done,
            run: None,
            written: None,
        }
    }

    /// The same with `rows` rows of its heat map there, and the room for what is said at the `end`.
    #[must_use]
    pub fn written(mut self, rows: usize, end: &str) -> Self {
        let end = end.to_owned();
        self.written = Some(Written { rows, end });
        self
    }
}
