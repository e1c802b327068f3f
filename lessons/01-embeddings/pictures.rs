//! The pictures of the lesson.

use std::ops::ControlFlow;
use std::sync::Arc;

use transformer_tutor::autograd::Trace;
use transformer_tutor::clock::Instant;
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Bar, Body, Picture};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::{Tensor, matmul};
use transformer_tutor::typeset::number::grouped;

/// The sizes of token and position vectors in a run.
pub struct Sizes {
    /// Root mean square of the cells of this batch's real tokens, as they enter the sum.
    pub token: f64,
    /// Root mean square of the cells of the positions.
    pub position: f64,
    /// Standard deviation of the logits that the unscaled table computes from a hidden row of RMS 1.
    pub logits: f64,
}

impl Sizes {
    /// Measures the recorded run, so that every knob and every mistake counts.
    pub fn of(trace: &Trace, logits: f64) -> Self {
        let tensor = |name: &str| trace.tensor(name).expect("every run records it");
        let entering = trace
            .tensor("without_padding")
            .unwrap_or_else(|| tensor("embedded"));
        // If the sum was scaled, both of its parts were scaled with it.
        let grown = trace
            .tensor("sum")
            .map_or(1.0, |sum| tensor("with_position").rms() / sum.rms());
        let rows = entering.data().chunks(entering.last());
        let (mut squares, mut cells) = (0.0, 0);
        for (row, id) in rows.zip(tensor("ids").data()) {
            if *id != PAD {
                squares += row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
                cells += row.len();
            }
        }
        Self {
            token: grown * (squares / cells as f64).sqrt(),
            position: grown * tensor("pe").rms(),
            logits,
        }
    }
}

/// The sizes as a bar chart.
pub fn sizes(of: &Sizes) -> Picture {
    let ratio = of.position / of.token;
    let verdict = if ratio > 1.0 {
        format!("the position vector is {ratio:.1} times as large as the token vector")
    } else {
        format!(
            "the token vector is {:.1} times as large as its position",
            1.0 / ratio
        )
    };
    let bar = |label: &str, value: f64| Bar::new(label, value, format!("{value:.4}"));
    let bars = vec![
        bar("token", of.token),
        bar("position", of.position),
        bar("logit", of.logits),
    ];
    let says = format!(
        "With these settings {verdict}. The same matrix, unscaled, makes logits with a standard deviation of {:.3}.",
        of.logits
    );
    let title = "Size of a token vector and of its position vector";
    Picture::bars("sizes", title, says, "RMS", bars).by_logarithm()
}

/// Size of `cells` numbers in bytes.
pub fn bytes(cells: usize) -> usize {
    cells * 4
}

/// Largest difference between looking rows up and multiplying one-hot rows by the table.
pub fn one_hot_difference(table: &Tensor, ids: &Tensor) -> f64 {
    let product = matmul::matmul(&one_hot(ids, table.shape()[0]), table);
    largest_difference(&product, &look_up(table, ids))
}

/// Row of each id: `[ids, d_model]`.
fn look_up(table: &Tensor, ids: &Tensor) -> Tensor {
    let width = table.last();
    let row = |&id: &f32| &table.data()[id as usize * width..][..width];
    let rows = ids.data().iter().flat_map(row).copied().collect();
    Tensor::new(&[ids.len(), width], rows)
}

fn one_hot(ids: &Tensor, vocabulary: usize) -> Tensor {
    let mut rows = Tensor::zeros(&[ids.len(), vocabulary]);
    let cells = rows.data_mut();
    for (row, &id) in ids.data().iter().enumerate() {
        cells[row * vocabulary + id as usize] = 1.0;
    }
    rows
}

/// A job that does both and times them.
pub fn one_hot_picture(table: Tensor, ids: Tensor) -> Picture {
    let work = move |_: &mut dyn FnMut(Progress) -> ControlFlow<()>| {
        let start = Instant::now();
        let difference = one_hot_difference(&table, &ids);
        let product = start.elapsed().as_secs_f64() * 1e3;
        let start = Instant::now();
        let rows = look_up(&table, &ids);
        let lookup = start.elapsed().as_secs_f64() * 1e3;
        let row = |name: &str, ms: f64, cells: usize| {
            let bytes = grouped(bytes(cells) as u64);
            vec![name.to_owned(), format!("{ms:.3}"), bytes]
        };
        let cells = ids.len() * table.shape()[0];
        let rows_of_both = vec![
            row("one-hot rows times the embedding matrix", product, cells),
            row("look the rows up", lookup, ids.len()),
        ];
        Progress {
            body: Body::table(&["way", "milliseconds", "bytes going in"], rows_of_both),
            says: format!(
                "Both produce {} numbers; the largest difference is {difference}.",
                grouped(rows.len() as u64)
            ),
            done: 1.0,
            run: None,
            written: None,
        }
    };
    let job = Job {
        pace: std::time::Duration::ZERO,
        measures: true,
        last: None,
        about: "Multiplies one-hot rows with the whole embedding matrix, and looks the same rows up: well under a second.".to_owned(),
        run: Arc::new(work),
    };
    let says = "A one-hot row times the embedding matrix is one row of the matrix.";
    Picture::new("one-hot", "Multiply, or look up?", says, Body::Job(job))
}
