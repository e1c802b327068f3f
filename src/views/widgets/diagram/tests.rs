use super::*;
use crate::lesson::picture::Column;
use crate::widgets::lines;

/// One query, three keys, and the mixture of their values.
fn attention() -> Diagram {
    let keys = ["Der", "Hund", "schläft"].map(|word| Node::new(word, ""));
    let weights = [0.04, 0.2, 0.76];
    let values = [".04", ".20", ".76"].map(|weight| Node::new("value", weight));
    let columns = vec![
        Column::new("query", [Node::new("is", "")]),
        Column::new("keys", keys),
        Column::new("weights", values),
        Column::new("mixture", [Node::new("sum", "")]),
    ];
    let each = |from: usize| {
        weights
            .into_iter()
            .enumerate()
            .map(move |(i, w)| ([from.min(i), i], w))
    };
    Diagram::new("query “is”", columns)
        .with_arrows(0, each(0))
        .with_arrows(1, each(2))
        .with_arrows(2, weights.into_iter().enumerate().map(|(i, w)| ([i, 0], w)))
}

fn drawn(
    diagram: &Diagram,
    (wide, high): (u16, u16),
    cursor: &[usize],
    theme: &Theme,
) -> Vec<String> {
    let area = Rect::new(0, 0, wide, high);
    let mut buf = Buffer::empty(area);
    draw(std::slice::from_ref(diagram), cursor, area, &mut buf, theme);
    lines::text(&buf).lines().map(str::to_owned).collect()
}

#[test]
fn a_query_fans_out_to_its_keys_and_their_values_meet_in_the_sum() {
    let diagram = attention();
    let text = drawn(&diagram, (51, 6), &[], &Theme::mono());
    let expected = [
        "query     keys           weights          mixture",
        "     ┌──▶ Der ─────────▶ value .04 ──┐",
        "     │                               │",
        "is ━━╅──▶ Hund ────────▶ value .20 ──╆━━▶ sum",
        "     ┃                               ┃",
        "     ┗━━▶ schläft ━━━━━▶ value .76 ━━┛",
    ];
    assert_eq!(text, expected);
}

#[test]
fn a_small_drawing_tightens_and_then_keeps_the_columns_around_the_cursor() {
    let diagram = attention();
    let tight = drawn(&diagram, (38, 4), &[], &Theme::mono());
    let expected = [
        "query keys       weights      mixture",
        "   ┌▶ Der ─────▶ value .04 ┐",
        "is ╅▶ Hund ────▶ value .20 ╆▶ sum",
        "   ┗▶ schläft ━▶ value .76 ┛",
    ];
    assert_eq!(tight, expected);
    let last = drawn(&diagram, (22, 4), &[0, 0, 3], &Theme::mono());
    let expected = [
        "weights        mixture",
        "value .04 ─┐",
        "value .20 ─╆━▶ sum",
        "value .76 ━┛",
    ];
    assert_eq!(last, expected);
    assert!(caption(&[attention()], &[0, 0, 3], 22).ends_with("columns 3 to 4 of 4"));
}

#[test]
fn a_diagram_is_said_column_by_column_with_its_arrows() {
    let said = describe(&[attention()], &[]);
    let expected = [
        "query: is.",
        "  is -> Der 0.04, is -> Hund 0.20, is -> schläft 0.76.",
        "keys: Der, Hund, schläft.",
    ];
    assert_eq!(said.lines().take(3).collect::<Vec<_>>(), expected);
}

#[test]
fn little_room_and_no_node_draw_nothing() {
    for size in [(7, 9), (40, 1), (1, 1)] {
        assert!(
            drawn(&attention(), size, &[], &Theme::mono()).is_empty(),
            "{size:?}"
        );
    }
    let empty = Diagram::new("", vec![Column::new("nothing", [])]);
    assert!(drawn(&empty, (40, 9), &[], &Theme::mono()).is_empty());
}

#[test]
fn no_arrow_seems_to_continue_that_of_another_node() {
    let words =
        |all: &[&str]| -> Vec<Node> { all.iter().map(|word| Node::new(*word, "")).collect() };
    let columns = vec![
        Column::new("parents", words(&["a", "b", "c"])),
        Column::new("children", words(&["d", "e", "f"])),
    ];
    // b is on the row of e, which continues a.
    let arrows = [([0, 0], 0.2), ([0, 1], 0.2), ([1, 2], 0.2)];
    let diagram = Diagram::new("", columns).with_arrows(0, arrows);
    let text = drawn(&diagram, (16, 4), &[], &Theme::mono());
    let expected = ["parents children", "a ───┬▶ d", "b ──┐└▶ e", "c   └─▶ f"];
    assert_eq!(text, expected);
}
