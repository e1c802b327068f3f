//! A query among the keys of its head: turn it, and the weights follow.

use super::{Drawn, before, weight};
use crate::autograd::Step;
use crate::lesson::largest;
use crate::lesson::picture::Plane;
use crate::lesson::session::Session;
use crate::lesson::session::cell_name::cell_name;
use crate::tensor::Tensor;
use crate::widgets::plane::Board;
use crate::widgets::scene::{Does, Handle, Ink, Shape, Sign};

/// Columns and rows of the drawing.
const SIZE: (usize, usize) = (70, 24);

pub fn drawn(session: &Session, scaled: &Step) -> Option<Drawn> {
    let trace = session.trace();
    let steps = trace.steps();
    let &[queries, keys] = scaled.inputs() else {
        return None;
    };
    let (queries, keys) = (&steps[queries], &steps[keys]);
    let weights = trace.tensor(&scaled.name.replace(".scaled", ".weights"))?;
    let &[batch, head, row, _] = session.cursor() else {
        return None;
    };
    let count = scaled.value.last();
    let read: Option<Vec<String>> = (0..count)
        .map(|n| trace.word(scaled.axes[3], batch, n).map(str::to_owned))
        .collect();
    let (read, reads) = (read?, trace.row_word(scaled.axes[2], batch, row)?);
    let first = before(session, queries)?;
    let plane = Plane::of("", head, (&first.value, &keys.value, weights), (&[], &read));
    let cells = |step: &Step| -> Vec<f32> {
        let from = step.value.offset(&[batch, head, row, 0]);
        step.value.data()[from..from + step.value.last()].to_vec()
    };
    let (here, was) = (cells(queries), plane.project(&cells(first)));
    let at = plane.project(&here);
    // Room for the query in every direction, the same while it turns.
    let far = was[0].hypot(was[1]).max(1e-6);
    let [left, right, bottom, top] = plane.bounds();
    let bounds = [
        left.min(-far),
        right.max(far),
        bottom.min(-far),
        top.max(far),
    ];
    let mut board = Board::new(bounds, SIZE);
    let origin = board.place([0.0, 0.0]);
    let shares = row_of(weights, [batch, head, row]);
    for (key, share) in plane.keys.iter().zip(shares) {
        let at = board.place(key.at);
        let radius = 0.25 + 1.3 * f64::from(*share).sqrt();
        board.scene.shapes.push(Shape::Disc {
            at,
            radius,
            ink: Ink::Attend,
            is_filled: true,
        });
    }
    board.mark([0.0, 0.0], Sign::Origin, Ink::Dim);
    for key in &plane.keys {
        board.mark(key.at, Sign::Cross, Ink::Series(0));
    }
    board.label(at, reads, Ink::Title);
    for (key, share) in plane.keys.iter().zip(shares) {
        board.label(
            key.at,
            &format!("{} {}", key.label, weight(*share)),
            Ink::Text,
        );
    }
    let tip = board.place(at);
    let first_tip = board.place(was);
    let [columns, rows] = [SIZE.0 as f64 - 1.0, SIZE.1 as f64 - 1.0];
    // A column is one unit of the drawing, and a row is two.
    let along = |axis: usize, by: f64| -> Vec<f32> {
        plane.axes[axis].iter().map(|x| (x * by) as f32).collect()
    };
    let handle = Handle {
        name: format!("Query of {reads}"),
        says: format!(
            "most weight on {}, {}",
            read[largest(shares)],
            weight(shares[largest(shares)])
        ),
        at: tip,
        does: Does::Set {
            of: cell_name(&queries.name, &[batch, head, row]).replace(']', ","),
            cells: (0..here.len()).collect(),
            here,
            across: along(0, board.unit),
            down: along(1, -2.0 * board.unit),
            within: [[0.0, 0.0], [columns, rows]],
        },
    };
    let knob = Shape::Disc {
        at: tip,
        radius: 0.6,
        ink: Ink::Text,
        is_filled: true,
    };
    board.scene.shapes.extend([
        Shape::Line {
            from: origin,
            to: first_tip,
            ink: Ink::Faint,
        },
        Shape::Line {
            from: origin,
            to: tip,
            ink: Ink::Text,
        },
        Shape::Moved {
            handle,
            shapes: vec![knob],
        },
    ]);
    let best = largest(shares);
    Some(Drawn {
        asks: format!("Turn the query of “{reads}”: which key does it find?"),
        scene: board.scene,
        says: format!(
            "It now reads {} most, with a weight of {}.",
            read[best],
            weight(shares[best])
        ),
        how: "Crosses are the keys of the German tokens, and blue discs their weights. The line is the query: move its end with the mouse, a finger or the arrow keys. It moves in the two directions in which the keys differ most; its other channels stay, so the drawing can't show every score exactly.",
        control: "",
    })
}

fn row_of(tensor: &Tensor, [batch, head, row]: [usize; 3]) -> &[f32] {
    let from = tensor.offset(&[batch, head, row, 0]);
    &tensor.data()[from..from + tensor.last()]
}
