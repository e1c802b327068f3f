//! A query among the keys of its head: turn it, and the weights follow.

use super::{Drawn, before, set, weight};
use crate::autograd::Step;
use crate::lesson::largest;
use crate::lesson::picture::Plane;
use crate::lesson::session::Session;
use crate::lesson::session::cell_name::cell_name;
use crate::widgets::plane::Board;
use crate::widgets::scene::{Handle, Ink, Sign};

/// Columns and rows of the drawing.
const SIZE: (usize, usize) = (70, 24);

pub fn drawn(session: &Session, scaled: &Step) -> Option<Drawn> {
    let trace = session.trace();
    let (&[queries, keys], &[batch, head, row, _]) = (scaled.inputs(), session.cursor()) else {
        return None;
    };
    let (queries, keys) = (&trace.steps()[queries], &trace.steps()[keys]);
    let weights = trace.tensor(&scaled.name.replace(".scaled", ".weights"))?;
    let read = (0..weights.last()).map(|n| Some(trace.word(scaled.axes[3], batch, n)?.to_owned()));
    let read: Vec<String> = read.collect::<Option<_>>()?;
    let reads = trace.row_word(scaled.axes[2], batch, row)?;
    let first = before(session, queries)?;
    let plane = Plane::of("", head, (&first.value, &keys.value, weights), (&[], &read));
    let place = [batch, head, row];
    let cells = |step: &Step| {
        let from = step.value.offset(&[&place[..], &[0]].concat());
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
    let from = weights.offset(&[&place[..], &[0]].concat());
    let shares = &weights.data()[from..from + read.len()];
    for (key, share) in plane.keys.iter().zip(shares) {
        let radius = 0.25 + 1.3 * f64::from(*share).sqrt();
        let at = board.place(key.at);
        board.scene.disc(at, radius, Ink::Attend, true);
    }
    board.mark([0.0, 0.0], Sign::Origin, Ink::Dim);
    for key in &plane.keys {
        board.mark(key.at, Sign::Cross, Ink::Series(0));
    }
    board.label(at, reads, Ink::Title);
    for (key, share) in plane.keys.iter().zip(shares) {
        let text = format!("{} {}", key.label, weight(*share));
        board.label(key.at, &text, Ink::Text);
    }
    let [origin, was, tip] = [[0.0, 0.0], was, at].map(|at| board.place(at));
    board.scene.line(origin, was, Ink::Faint);
    board.scene.line(origin, tip, Ink::Text);
    // A column is one unit of the drawing, and a row is two.
    let along = |axis: usize, by: f64| -> Vec<f32> {
        let axis = plane.axes[axis].iter();
        axis.map(|x| (x * by) as f32).collect()
    };
    let moves = [along(0, board.unit), along(1, -2.0 * board.unit)];
    let [across, down] = moves;
    let best = largest(shares);
    let says = format!(
        "reads {} most, with a weight of {}",
        read[best],
        weight(shares[best])
    );
    let corner = [SIZE.0 as f64 - 1.0, SIZE.1 as f64 - 1.0];
    board.scene.knob(Handle {
        name: format!("Query of {reads}"),
        says: says.clone(),
        at: tip,
        does: set(
            cell_name(&queries.name, &place).replace(']', ","),
            (0..here.len()).collect(),
            [here, across, down],
            [[0.0, 0.0], corner],
        ),
    });
    Some(Drawn::new(
        format!("Turn the query of “{reads}”: which key does it find?"),
        board.scene,
        format!("It now {says}."),
        "Crosses are the keys of the German tokens, and blue discs their weights. The line is the query: move its end with the mouse, a finger or the arrow keys. It moves in the two directions in which the keys differ most; its other channels stay, so the drawing can’t show every score exactly.",
    ))
}
