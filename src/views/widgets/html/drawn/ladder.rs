//! The residual stream of one row as a ladder: after every part, the tokens that it would write.

use super::Drawn;
use crate::lesson::picture::{Diagram, Node};
use crate::lesson::session::Intent;
use crate::widgets::diagram::Chosen;
use crate::widgets::scene::{Does, Handle, Ink, Scene, Shape, text_at};

/// Rows of a rung, the column of the first token, and the columns of each.
const RUNG: f64 = 2.6;
const FIRST: f64 = 22.0;
const TOKEN: f64 = 12.0;
const BAR: f64 = 9.0;

pub fn drawn(diagrams: &[Diagram], cursor: &[usize]) -> Option<Drawn> {
    let chosen = Chosen::of(diagrams, cursor)?;
    let (diagram, here) = (chosen.diagram, chosen.column);
    let (rungs, fits) = (diagram.columns.len(), |node: &Node| {
        node.note.replace('−', "-").parse::<f64>().unwrap_or(0.0)
    });
    let nodes = diagram.columns.iter().flat_map(|column| &column.nodes);
    let most = nodes.map(fits).fold(1e-9, f64::max);
    let x = |n: usize| FIRST + n as f64 * TOKEN;
    let y = |rung: usize| 0.5 + rung as f64 * RUNG;
    let mut scene = Scene {
        columns: x(diagram.longest()),
        rows: y(rungs),
        ..Scene::default()
    };
    // The token that the row should write.
    let writes = diagram.name.rsplit(" → ").next().unwrap_or_default();
    let shapes = &mut scene.shapes;
    shapes.push(Shape::Line {
        from: [0.5, y(0)],
        to: [0.5, y(rungs - 1)],
        ink: Ink::Dim,
    });
    for (rung, column) in diagram.columns.iter().enumerate() {
        let top = y(rung);
        shapes.extend(sign(&column.title, [0.5, top]));
        let ink = if rung == here { Ink::Title } else { Ink::Text };
        shapes.push(text_at([3.0, top], &column.title, ink));
        let mut tokens = Vec::new();
        for (n, node) in column.nodes.iter().enumerate() {
            let ink = if node.label == writes {
                Ink::Attend
            } else {
                Ink::Text
            };
            tokens.push(text_at([x(n), top], &node.label, ink));
            if !node.note.is_empty() {
                let long = BAR * (fits(node) / most).clamp(0.0, 1.0);
                let bar = |columns: f64, ink| Shape::Area {
                    at: [x(n), top + 1.0],
                    size: [columns, 0.22],
                    ink,
                    share: 1.0,
                };
                tokens.extend([bar(BAR, Ink::Faint), bar(long, ink)]);
            }
        }
        for arrow in diagram.arrows_from(rung).filter(|_| rung < here) {
            let (from, to) = (
                [x(arrow.from) + 2.0, top + 0.9],
                [x(arrow.to) + 2.0, y(rung + 1) - 0.7],
            );
            tokens.push(Shape::Line {
                from,
                to,
                ink: Ink::Dim,
            });
        }
        // What comes further down is covered, because a reader should guess.
        let class = if rung > here { "covered" } else { "" };
        shapes.push(Shape::Group {
            class,
            shapes: tokens,
        });
    }
    let at = |rung: usize| ([0.5, y(rung)], Intent::At(vec![chosen.number, 0, rung]));
    let best = diagram.columns[here]
        .nodes
        .first()
        .map_or("", |node| node.label.as_str());
    let title = &diagram.columns[here].title;
    let handle = Handle {
        name: "Go down the ladder".to_owned(),
        says: format!("after {title}: {best}"),
        at: [0.5, y(here)],
        does: Does::Stop((0..rungs).map(at).collect()),
    };
    let knob = Shape::Disc {
        at: [0.5, y(here)],
        radius: 0.75,
        ink: Ink::Here,
        is_filled: false,
    };
    shapes.push(Shape::Moved {
        handle,
        shapes: vec![knob],
    });
    let next = diagram.columns.get(here + 1);
    let next = next.map_or(String::new(), |next| {
        format!(
            " The next part is {}. What will the row say then?",
            next.title
        )
    });
    Some(Drawn {
        asks: format!(
            "What would the row {} say if it stopped here?",
            diagram.name
        ),
        scene,
        says: format!("After {title} it would say “{best}”.{next}"),
        how: "Best token on the left; the bar shows how well it fits the row, and a line joins a token to itself. Move the ring on the left down, part by part. Ring: self-attention. Disc: cross-attention. Square: feed-forward.",
        control: "",
    })
}

/// The sign of a part.
fn sign(title: &str, at: [f64; 2]) -> Vec<Shape> {
    let disc = |is_filled, ink| {
        vec![Shape::Disc {
            at,
            radius: 0.4,
            ink,
            is_filled,
        }]
    };
    let square = |share| {
        vec![Shape::Area {
            at: [at[0] - 0.1, at[1] + 0.15],
            size: [1.2, 0.7],
            ink: Ink::Text,
            share,
        }]
    };
    match title {
        _ if title.starts_with("self") => disc(false, Ink::Text),
        _ if title.starts_with("cross") => disc(true, Ink::Attend),
        _ if title.starts_with("feed") => square(1.0),
        _ => square(0.2),
    }
}
