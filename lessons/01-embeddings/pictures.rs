//! The pictures of the lesson.

use transformer_tutor::autograd::Trace;
use transformer_tutor::clock::Instant;
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::lesson::picture::{Progress, Report};
use transformer_tutor::lesson::{Body, Facts, Picture};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::{Tensor, matmul};
use transformer_tutor::typeset::number::grouped;

/// The sizes of token and position vectors in a run, and the standard deviation of the `logits` that the unscaled table
/// computes from a hidden row of RMS 1. Measured on the recorded run, so that every knob and every mistake counts.
pub fn sizes(trace: &Trace, logits: f64) -> Facts {
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
    let token = grown * (squares / cells as f64).sqrt();
    let position = grown * tensor("pe").rms();
    Facts::default()
        .with("rms_token", token)
        .with("rms_position", position)
        .with("quieter", position / token)
        .with("louder", token / position)
        .with("logits", logits)
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
    let work = move |_: Report<'_>| {
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
        let says = format!(
            "Both produce {} numbers; the largest difference is {difference}.",
            grouped(rows.len() as u64)
        );
        let header = ["way", "milliseconds", "bytes going in"];
        Progress::new(1.0, says, Body::table(&header, rows_of_both))
    };
    Picture::drawn("one-hot", Body::job(work)).measuring()
}
