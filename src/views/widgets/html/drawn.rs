//! Drawings that are the explanation: what is shown as a picture whose parts a reader moves, in place of the table, which
//! opens on demand.

use super::inline;
use crate::autograd::Step;
use crate::lesson::Body;
use crate::lesson::session::Session;
use crate::lesson::session::cell_name::cell_name;
use crate::tensor::Tensor;
use crate::widgets::scene::{Does, Frame, Scene, svg};

mod beads;
mod clocks;
mod heads;
mod ladder;
mod mask;
mod query;
mod ribbons;

/// Pixels of a column and of a row.
const CELL: [f64; 2] = [8.0, 16.0];

/// Maximum number of tokens of a drawing, so that they can be told apart.
const TOKENS: usize = 16;

/// A drawing with the question that it answers and how to read it.
struct Drawn {
    asks: String,
    scene: Scene,
    /// What it shows now.
    says: String,
    how: &'static str,
    /// A control of the page.
    control: &'static str,
}

impl Drawn {
    fn new(
        asks: impl Into<String>,
        scene: Scene,
        says: impl Into<String>,
        how: &'static str,
    ) -> Self {
        Self {
            asks: asks.into(),
            scene,
            says: says.into(),
            how,
            control: "",
        }
    }
}

/// Sets the cells `of` a row to what they are here plus what every column to the right and every row down adds.
fn set(of: String, cells: Vec<usize>, moves: [Vec<f32>; 3], within: [[f64; 2]; 2]) -> Does {
    let [here, across, down] = moves;
    Does::Set {
        of,
        cells,
        here,
        across,
        down,
        within,
    }
}

/// The drawing of what a session shows, if there is one.
pub fn html(session: &Session) -> Option<String> {
    let drawn = match session.picture() {
        Some(picture) => match &picture.body {
            Body::Diagrams(all) if picture.name == "ladder" => ladder::drawn(all, session.cursor()),
            Body::Curves { .. } if picture.name == "waves" => clocks::drawn(session),
            Body::Matrix {
                values,
                rows,
                columns,
                links_words: true,
                ..
            } => {
                let row = match session.cursor() {
                    [0, 0] => None,
                    cursor => cursor.first().copied(),
                };
                ribbons::drawn(values, (&rows.1, &columns.1), &[], row)
            }
            _ => None,
        },
        None if session.gradients_of().is_some() || session.shows_difference() => None,
        None => of_tensor(session),
    }?;
    let (asks, says) = (inline::typeset(&drawn.asks), inline::typeset(&drawn.says));
    let frame = Frame {
        class: "tt-scene",
        role: "group",
        about: &format!("{asks} {says}"),
        cell: CELL,
    };
    let [asks, says] = [asks, says].map(|text| crate::widgets::svg::escape(&text));
    Some(format!(
        "<div class=\"tt-drawing\"><p class=\"tt-asks\">{asks}</p><div class=\"tt-scroll\">{}</div>{}<p class=\"tt-now\" aria-live=\"polite\">{says}</p><p class=\"tt-how\">{}</p></div>",
        svg(&drawn.scene, &frame),
        drawn.control,
        drawn.how
    ))
}

fn of_tensor(session: &Session) -> Option<Drawn> {
    let (step, lesson) = (session.step()?, session.lesson().name);
    if lesson == "multi-head" && step.name == "query_heads" {
        return heads::drawn(session, step);
    }
    if lesson == "attention" && step.op() == "matmul_t" && step.name.ends_with(".scaled") {
        return query::drawn(session, step);
    }
    let of = Softmax::of(session)?;
    if lesson == "masks" && of.mask.is_some() {
        return mask::drawn(session, &of);
    }
    if lesson == "attention"
        && step.op() == "softmax"
        && (step.name == "dictionary" || step.name == "weights")
    {
        return beads::drawn(session, &of);
    }
    if !step.name.ends_with("weights") {
        return None;
    }
    let written = of.words(session, 0)?;
    let read = of.words(session, 1)?;
    let size = of.weights.value.shape();
    let [rows, columns] = [size[size.len() - 2], size[size.len() - 1]];
    let start = of.weights.value.offset(&[&of.lead[..], &[0, 0]].concat());
    let cells = of.weights.value.data()[start..start + rows * columns].to_vec();
    let row = session.cursor().get(of.lead.len()).copied();
    let weights = Tensor::new(&[rows, columns], cells);
    ribbons::drawn(&weights, (&written, &read), &of.lead, row)
}

/// A softmax of the run, at the leading indices under the cursor.
struct Softmax<'a> {
    weights: &'a Step,
    scores: &'a Step,
    /// What was added to the scores or filled into them, if anything.
    mask: Option<&'a Step>,
    lead: Vec<usize>,
}

impl<'a> Softmax<'a> {
    /// The softmax whose weights, or whose masked scores, are shown.
    fn of(session: &'a Session) -> Option<Self> {
        let steps = session.trace().steps();
        let shown = session.step()?;
        let weights = if shown.op() == "softmax" {
            shown
        } else {
            let at = steps.iter().position(|step| std::ptr::eq(step, shown))?;
            let mut after = steps.iter();
            after.find(|step| step.op() == "softmax" && step.inputs().contains(&at))?
        };
        let scores = &steps[*weights.inputs().first()?];
        let mask = match (scores.op(), scores.inputs()) {
            ("add" | "mask_fill", [_, mask]) => Some(&steps[*mask]),
            _ => None,
        };
        let shape = weights.value.shape();
        let leading = shape.len().checked_sub(2)?;
        let lead = session.cursor().get(..leading)?.to_vec();
        let small = shape[leading] <= TOKENS && shape[leading + 1] <= TOKENS;
        (small && shape[leading] > 0).then_some(Self {
            weights,
            scores,
            mask,
            lead,
        })
    }

    /// The tokens of an axis: 0 for those that read, 1 for those that are read.
    fn words(&self, session: &Session, axis: usize) -> Option<Vec<String>> {
        let at = self.lead.len() + axis;
        let (axis, count) = (self.weights.axes[at], self.weights.value.shape()[at]);
        let batch = self.lead.first().copied().unwrap_or(0);
        let trace = session.trace();
        let is_row = at == self.lead.len();
        let word = |n| {
            let word = if is_row {
                trace.row_word(axis, batch, n)
            } else {
                trace.word(axis, batch, n)
            };
            word.map(str::to_owned)
        };
        (0..count).map(word).collect()
    }

    /// A row of a step of the same shape.
    fn row(&self, step: &'a Step, row: usize) -> &'a [f32] {
        let from = step.value.offset(&[&self.lead[..], &[row, 0]].concat());
        &step.value.data()[from..from + step.value.last()]
    }

    /// Name of the cells of a row of a step, up to their last index: `scores[0,2,`.
    fn cells(&self, step: &Step, row: usize) -> String {
        let name = cell_name(&step.name, &[&self.lead[..], &[row]].concat());
        name.replace(']', ",")
    }
}

/// The same step of the run before the reader's changes.
fn before<'a>(session: &'a Session, step: &Step) -> Option<&'a Step> {
    let trace = &session.unedited().trace;
    let found = trace.find(&step.name)?;
    Some(&trace.steps()[found])
}

/// True if a score was blocked.
fn is_blocked(score: f32) -> bool {
    score < -1e3
}

/// A weight as in the tables: `.78`.
fn weight(x: f32) -> String {
    let text = format!("{x:.2}");
    text.strip_prefix('0').map_or(text.clone(), str::to_owned)
}
