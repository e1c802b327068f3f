use super::*;
use crate::widgets::lines::text;

fn bars(values: &[(&str, f64)]) -> Vec<Bar> {
    let bar = |&(label, value): &(&str, f64)| Bar::new(label, value, value.to_string());
    values.iter().map(bar).collect()
}

fn drawn(unit: &str, bars: &[Bar], log: bool, size: (u16, u16), theme: &Theme) -> String {
    let mut buf = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    let chart = Chart { unit, bars, log };
    chart.draw(0, buf.area, &mut buf, theme);
    text(&buf)
}

#[test]
fn lengths_are_in_proportion() {
    let bars = bars(&[("token", 0.0081), ("position", 0.7065)]);
    assert_eq!(
        drawn("rms", &bars, false, (30, 3), &Theme::mono()),
        "rms, from 0 to 0.7065\ntoken    ▏ 0.0081\nposition ██████████████ 0.7065"
    );
}

#[test]
fn numbers_that_differ_by_factors_are_points_on_an_axis_and_never_lengths() {
    let bars = bars(&[("token", 0.0081), ("position", 0.7065)]);
    for (theme, point) in [(Theme::mono(), '●'), (Theme::mono().in_ascii(), 'o')] {
        let chart = drawn("rms", &bars, true, (40, 6), &theme);
        let rows: Vec<&str> = chart.lines().collect();
        assert_eq!(rows[0], "rms, log scale");
        assert!(!chart.contains('█') && !chart.contains('#'), "{chart}");
        let at = |row: usize| {
            rows[row]
                .chars()
                .collect::<Vec<_>>()
                .iter()
                .rposition(|c| *c == point)
        };
        let (token, position) = (
            rows.iter()
                .position(|row| row.starts_with("token"))
                .unwrap(),
            rows.iter()
                .position(|row| row.starts_with("position"))
                .unwrap(),
        );
        assert!(
            at(token).unwrap() > 9 && at(position) > at(token),
            "{chart}"
        );
        let axis = rows.last().unwrap();
        assert!(axis.contains("0.001") && axis.contains("0.1"), "{chart}");
    }
}

#[test]
fn shares_are_drawn_of_the_whole() {
    let bars = bars(&[("the", 0.25), ("a", 0.05)]);
    let chart = drawn("probability", &bars, false, (50, 3), &Theme::mono());
    assert!(chart.starts_with("probability, from 0 to 1"), "{chart}");
    let long = chart.lines().nth(1).unwrap().matches('█').count();
    assert!((9..=11).contains(&long), "a quarter of 41: {long}\n{chart}");
}

#[test]
fn numbers_below_0_go_the_other_way() {
    let bars = bars(&[("up", 3.0), ("down", -1.0)]);
    let chart = drawn("change", &bars, false, (34, 3), &Theme::mono());
    let rows: Vec<&str> = chart.lines().collect();
    assert_eq!(rows[0], "change, from −1 to 3");
    let first = |row: &str| row.chars().position(|c| c == '█').unwrap();
    let last = |row: &str| row.chars().count() - row.chars().rev().position(|c| c == '█').unwrap();
    assert_eq!(last(rows[2]), first(rows[1]), "{chart}");
}

#[test]
fn few_bars_are_thick_where_there_is_room() {
    let bars = bars(&[("a", 1.0), ("b", 0.5)]);
    let thick = drawn("rms", &bars, false, (30, 9), &Theme::mono());
    assert_eq!(
        thick.lines().filter(|row| row.contains('█')).count(),
        6,
        "{thick}"
    );
    let thin = drawn("rms", &bars, false, (30, 3), &Theme::mono());
    assert_eq!(
        thin.lines().filter(|row| row.contains('█')).count(),
        2,
        "{thin}"
    );
}

#[test]
fn a_note_without_room_beside_its_bar_stands_below_or_is_cut_at_its_comma() {
    let bar = |label: &str, value| Bar::new(label, value, "96.3 %, in 45 steps");
    let bars = [bar("products", 1.0), bar("sums", 0.5)];
    assert_eq!(
        drawn("", &bars, false, (26, 4), &Theme::mono()),
        "products █████████████████\n  96.3 %, in 45 steps\nsums     ████████▌\n  96.3 %, in 45 steps"
    );
    assert_eq!(
        drawn("", &bars, false, (26, 2), &Theme::mono()),
        "products ██████████ 96.3 %\nsums     █████ 96.3 %"
    );
}

#[test]
fn long_labels_stand_above_their_bars() {
    let bars = [Bar::new("batch norm: it comes alone", 1.0, "0.33")];
    assert_eq!(
        drawn("", &bars, false, (28, 3), &Theme::mono()),
        "batch norm: it comes alone\n██████████████████████ 0.33"
    );
}

#[test]
fn a_number_is_never_cut_at_its_own_comma() {
    let of = |label: &str, value: f64, note: &str| Bar::new(label, value, note.to_owned());
    let bars = [
        of("src_embed", 15_360_000.0, "15,360,000, a third of all"),
        of("encoder", 12_598_272.0, "12,598,272, four layers"),
    ];
    for columns in 20..60 {
        let chart = drawn("", &bars, false, (columns, 4), &Theme::mono());
        for whole in ["15,360,000", "12,598,272"] {
            let begins = &whole[..2];
            assert!(
                chart.contains(whole) || !chart.contains(begins),
                "{columns}\n{chart}"
            );
        }
    }
}
