//! The residual stream of one row as a ladder: after every part, the tokens that it would write.

use super::Drawn;
use crate::lesson::picture::{Diagram, Node};
use crate::lesson::session::Intent;
use crate::widgets::diagram::Chosen;
use crate::widgets::scene::{Does, Handle, Ink, Scene, Shape};

/// Rows of a rung, the column of the first token, the columns of each, and those of its bar.
const RUNG: f64 = 2.6;
const FIRST: f64 = 22.0;
const TOKEN: f64 = 12.0;
const BAR: f64 = 9.0;

pub fn drawn(diagrams: &[Diagram], cursor: &[usize]) -> Option<Drawn> {
    let chosen = Chosen::of(diagrams, cursor)?;
    let (diagram, here) = (chosen.diagram, chosen.column);
    let rungs = diagram.columns.len();
    let fits = |node: &Node| {
        let fits = node.note.replace('−', "-").parse::<f64>();
        fits.unwrap_or(0.0).max(0.0)
    };
    let nodes = diagram.columns.iter().flat_map(|column| &column.nodes);
    let most = nodes.map(fits).fold(1e-9, f64::max);
    let x = |n: usize| FIRST + n as f64 * TOKEN;
    let y = |rung: usize| 0.5 + rung as f64 * RUNG;
    let mut scene = Scene::sized(x(diagram.longest()), y(rungs));
    // The token that the row should write.
    let writes = diagram.name.rsplit(" → ").next().unwrap_or_default();
    scene.line([0.5, y(0)], [0.5, y(rungs - 1)], Ink::Dim);
    for (rung, column) in diagram.columns.iter().enumerate() {
        let top = y(rung);
        let square = |share| Shape::Area {
            at: [0.4, top + 0.15],
            size: [1.2, 0.7],
            ink: Ink::Text,
            share,
        };
        match column.title.split('-').next() {
            Some("self") => scene.disc([0.5, top], 0.4, Ink::Text, false),
            Some("cross") => scene.disc([0.5, top], 0.4, Ink::Attend, true),
            Some("feed") => scene.shapes.push(square(1.0)),
            _ => scene.shapes.push(square(0.2)),
        }
        let ink = if rung == here { Ink::Title } else { Ink::Text };
        scene.text([3.0, top], &column.title, ink);
        let shapes = Scene::parts(|scene| {
            for (n, node) in column.nodes.iter().enumerate() {
                let ink = if node.label == writes {
                    Ink::Attend
                } else {
                    Ink::Text
                };
                scene.text([x(n), top], &node.label, ink);
                if !node.note.is_empty() {
                    let long = BAR * fits(node) / most;
                    scene.area([x(n), top + 1.0], [BAR, 0.22], Ink::Faint, 1.0);
                    scene.area([x(n), top + 1.0], [long, 0.22], ink, 1.0);
                }
            }
            for arrow in diagram.arrows_from(rung).filter(|_| rung < here) {
                let from = [x(arrow.from) + 2.0, top + 0.9];
                let to = [x(arrow.to) + 2.0, y(rung + 1) - 0.7];
                scene.line(from, to, Ink::Dim);
            }
        });
        // What comes further down is covered, because a reader should guess.
        let class = if rung > here { "covered" } else { "" };
        scene.shapes.push(Shape::Group { class, shapes });
    }
    let stop = |rung: usize| {
        let at = Intent::At(vec![chosen.number, 0, rung]);
        ([0.5, y(rung)], at)
    };
    let best = diagram.columns[here].nodes.first();
    let best = best.map_or("", |node| node.label.as_str());
    let title = &diagram.columns[here].title;
    let handle = Handle {
        name: "Go down the ladder".to_owned(),
        says: format!("after {title}: {best}"),
        at: [0.5, y(here)],
        does: Does::Stop((0..rungs).map(stop).collect()),
    };
    scene.moved(handle, |scene| {
        scene.disc([0.5, y(here)], 0.75, Ink::Here, false)
    });
    let mut says = format!("After {title} it would say “{best}”.");
    if let Some(next) = diagram.columns.get(here + 1) {
        says += &format!(
            " The next part is {}. What will the row say then?",
            next.title
        );
    }
    Some(Drawn::new(
        format!(
            "What would the row {} say if it stopped here?",
            diagram.name
        ),
        scene,
        says,
        "Best token on the left; the bar shows how well it fits the row, and a line joins a token to itself. Move the ring on the left, part by part. Ring: self-attention. Disc: cross-attention. Square: feed-forward.",
    ))
}
