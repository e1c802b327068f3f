use super::*;
use crate::widgets::lines::text;

/// A chart of lines over steps in so many columns and rows, with what `change` sets.
fn chart(
    series: &[Series],
    (width, height): (u16, u16),
    theme: &Theme,
    change: impl FnOnce(&mut Chart<'_>),
) -> String {
    let mut chart = Chart {
        x: "step",
        y: "nats",
        log: false,
        apart: false,
        series,
        view: View::default(),
    };
    change(&mut chart);
    let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
    chart.draw(buf.area, &mut buf, theme);
    text(&buf)
}

fn drawn(log: bool, points: &[(f64, f64)], theme: &Theme) -> String {
    let loss = Series::new("loss", points.iter().copied());
    chart(&[loss], (22, 8), theme, |chart| chart.log = log)
}

#[test]
fn a_falling_line_falls_over_round_marks_and_has_its_name_at_its_end() {
    let points = [(0.0, 4.0), (13.0, 0.0), (20.0, 0.0)];
    let expected = "\
nats over step
4│**
 │  **
2│    **
 │      **
0│        ******* loss
 └┴──────┴──────┴
  0     10     20";
    assert_eq!(drawn(false, &points, &Theme::mono()), expected);
}

#[test]
fn a_logarithmic_axis_leaves_out_what_it_cannot_show() {
    let points = [(0.0, 100.0), (1.0, 1.0), (2.0, 0.0), (3.0, f64::NAN)];
    let chart = drawn(true, &points, &Theme::mono());
    assert!(chart.starts_with("nats over step, log"), "{chart}");
    assert!(chart.contains("100│*") && chart.contains("  1│"), "{chart}");
}

#[test]
fn coloured_lines_are_braille() {
    let chart = drawn(false, &[(0.0, 4.0), (20.0, 0.0)], &Theme::true_dark());
    let dots = chart
        .chars()
        .filter(|c| ('\u{2801}'..='\u{28ff}').contains(c));
    assert!(dots.count() >= 12, "{chart}");
}

#[test]
fn names_stand_beside_the_ends_of_their_lines_and_apart_from_each_other() {
    let line = |name: &str, end: f64| Series::new(name, [(0.0, 1.0), (9.0, end)]);
    let series = [line("low", 0.0), line("high", 1.0), line("higher", 0.99)];
    let chart = chart(&series, (60, 12), &Theme::true_dark(), |_| {});
    let row = |name: &str| {
        chart
            .lines()
            .position(|row| row.ends_with(&format!(" {name}")))
    };
    assert_eq!(
        (row("high"), row("higher"), row("low")),
        (Some(1), Some(2), Some(9)),
        "{chart}"
    );
    assert!(!chart.contains("━"), "{chart}");
}

#[test]
fn lines_that_cross_too_often_have_a_panel_each() {
    let wave = |name: &str, pace: f64| {
        Series::new(
            name,
            (0..60).map(|x| (f64::from(x), (f64::from(x) * pace).sin())),
        )
    };
    let series = [wave("fast", 1.0), wave("slow", 0.2)];
    let drawn = |apart, high| {
        chart(&series, (60, high), &Theme::true_dark(), |chart| {
            chart.apart = apart;
        })
    };
    assert_eq!(
        drawn(true, 20).matches('└').count(),
        2,
        "{}",
        drawn(true, 20)
    );
    assert_eq!(drawn(false, 20).matches('└').count(), 1);
    assert_eq!(drawn(true, 8).matches('└').count(), 2);
    assert_eq!(drawn(true, 6).matches('└').count(), 1, "too low for two");
}

fn viewed(view: View, points: &[(f64, f64)]) -> String {
    let loss = Series::new("loss", points.iter().copied());
    chart(&[loss], (44, 9), &Theme::mono(), |chart| chart.view = view)
}

#[test]
fn a_window_fits_the_vertical_axis_to_what_it_shows_and_reads_a_point() {
    let points: Vec<(f64, f64)> = (0..=8)
        .map(|x| (f64::from(x), 80.0 - f64::from(x * x)))
        .collect();
    let view = View {
        reads: true,
        at: Some(6.0),
        window: Some((4.0, 4.0)),
        log: None,
    };
    let chart = viewed(view, &points);
    let expected = "\
nats over step at step 6:  ** loss 44
1/2 of the axis
60│*******             │
  │       ************ │
40│                   *********
  │                    │       ********
20│                    │               *****
  └┴─────────┴─────────│─────────┴─────────┴
   4         5         6         7         8";
    assert_eq!(chart, expected);
}

#[test]
fn a_line_that_passes_the_window_is_cut_at_its_ends() {
    let view = View {
        reads: true,
        at: None,
        window: Some((0.0, 5.0)),
        log: None,
    };
    let chart = viewed(view, &[(0.0, 10.0), (10.0, 0.0)]);
    assert!(chart.contains("follows"), "{chart}");
    assert!(chart.contains("\n │*") && chart.contains("0│"), "{chart}");
    assert!(
        chart.lines().last().unwrap().trim().starts_with('5'),
        "{chart}"
    );
}

#[test]
fn the_learner_turns_the_axis_logarithmic_and_is_told_what_is_left_out() {
    let view = View {
        log: Some(true),
        ..View::default()
    };
    let chart = viewed(view, &[(0.0, 100.0), (1.0, 1.0), (2.0, 0.0), (3.0, -1.0)]);
    assert!(chart.starts_with("nats over step, log scale"), "{chart}");
    assert!(chart.contains("2 points at or below 0 left out"), "{chart}");
    let none = viewed(view, &[(0.0, 0.0), (1.0, -1.0)]);
    assert_eq!(
        none,
        "nothing above 0 here: a log scale cannot show it"[..44].trim_end()
    );
}

#[test]
fn a_mark_stands_over_the_whole_height_and_takes_no_part_in_the_range() {
    let series = [
        Series::new("loss", [(0.0, 3.0), (4.0, 2.0)]),
        Series::new("here", [(2.0, 0.0), (2.0, 3.0)]),
    ];
    let chart = chart(&series, (30, 8), &Theme::mono(), |_| {});
    assert!(chart.contains("2.0│") && !chart.contains("0.5│"), "{chart}");
    // In every row, twice in the legend, and in the words "over" and "loss".
    assert_eq!(chart.matches('o').count(), 4 + 2 + 2, "{chart}");
}

#[test]
fn without_a_point_it_says_so() {
    assert_eq!(drawn(false, &[], &Theme::ansi()), "no points yet");
}

#[test]
fn lines_whose_names_do_not_fit_have_numbers_where_they_are_apart() {
    let line = |name: &str, start: f64| Series::new(name, [(0.0, start), (9.0, 1.0)]);
    let series = [
        line("the lower of the two", 0.0),
        line("the higher of the two", 2.0),
    ];
    let chart = chart(&series, (37, 14), &Theme::true_dark(), |_| {});
    assert!(chart.contains("1 ━━ the lower of the two"), "{chart}");
    // They meet at the right, so their numbers are at the left.
    let column = |number: char| {
        let plots = chart.lines().filter_map(|line| line.split_once('│'));
        let mut columns = plots.filter_map(|(_, plot)| plot.chars().position(|c| c == number));
        columns
            .next()
            .unwrap_or_else(|| panic!("{number}: {chart}"))
    };
    assert!(column('1') < 10 && column('2') < 10, "{chart}");
}
