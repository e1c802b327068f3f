//! Diagrams as inline SVG.

use crate::lesson::picture::Diagram;
use crate::widgets::diagram::{Chosen, describe};
use crate::widgets::scene::{Frame, svg};
use crate::widgets::theme::Theme;

/// Pixels of a column and of a row.
const CELL: [f64; 2] = [7.0, 13.0];

/// Width up to which a drawing is scaled down to the width of a phone, rather than scrolled: its text stays legible.
const SCALED: f64 = 420.0;

/// Draws the diagram at the cursor `[diagram, node, column]`.
pub fn html(diagrams: &[Diagram], cursor: &[usize]) -> String {
    let Some(chosen) = Chosen::of(diagrams, cursor) else {
        return String::new();
    };
    let scene = chosen.spread(&Theme::true_dark());
    let said = describe(std::slice::from_ref(chosen.diagram), &[]);
    let is_narrow = scene.columns * CELL[0] <= SCALED;
    let frame = Frame {
        class: if is_narrow {
            "tt-drawn scaled"
        } else {
            "tt-drawn"
        },
        role: "group",
        about: &said.replace('\n', " "),
        cell: CELL,
    };
    format!("<div class=\"tt-scroll\">{}</div>", svg(&scene, &frame))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::picture::{Column, Node};

    #[test]
    fn an_arrow_is_as_wide_as_its_weight_and_one_of_zero_is_not_drawn() {
        let words =
            |all: &[&str]| -> Vec<Node> { all.iter().map(|word| Node::new(*word, "")).collect() };
        let columns = vec![
            Column::new("query", words(&["is"])),
            Column::new("keys", words(&["Hund", "<b>", "im"])),
        ];
        let arrows = [([0, 0], 0.8), ([0, 1], 0.05), ([0, 2], 0.0)];
        let drawn = html(&[Diagram::new("", columns).with_arrows(0, arrows)], &[]);
        assert_eq!(drawn.matches("class=\"tip\"").count(), 2);
        assert!(
            drawn.contains("stroke-width=\"5.6\"") && drawn.contains("stroke-width=\"0.8\""),
            "{drawn}"
        );
        assert!(
            drawn.contains("is -&gt; Hund 0.80, is -&gt; &lt;b&gt; 0.05."),
            "{drawn}"
        );
        assert!(!drawn.contains("<b>"));
    }
}
