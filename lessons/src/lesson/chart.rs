//! What a learner sees of a chart: a window of its horizontal axis, a reading line, and the scale.
//!
//! Everything is in the axis's own units, so a view outlives the drawing it was made on, whether the run grows or a
//! knob changes.

use crate::lesson::Series;

/// Fraction of the window by which one press moves the reading line, rounded up to the next point.
const STRIDE: f64 = 1.0 / 40.0;

/// Part of a chart that is shown. The default is the whole chart, with neither reading line nor window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// True if the learner has asked for a reading.
    pub reads: bool,
    /// Position of the reading line; `None` keeps it at the newest point as the run grows.
    pub at: Option<f64>,
    /// Start and width of the window; `None` for the whole axis.
    pub window: Option<(f64, f64)>,
    /// Whether the vertical axis is logarithmic; `None` for the chart's own choice.
    pub log: Option<bool>,
}

/// A change that a learner makes to a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ViewChange {
    /// Zooms in around the reading line; negative zooms out.
    Zoom(isize),
    /// Moves the reading line that many strides to the right.
    Read(isize),
    /// Shows the whole axis.
    Whole,
    /// Moves the reading line to the newest point and keeps it there.
    Newest,
    /// Toggles between a linear and a logarithmic scale.
    Log,
}

impl View {
    /// Visible part of the axis, given its full extent.
    pub fn range(&self, (first, last): (f64, f64)) -> (f64, f64) {
        let Some((from, width)) = self.window else {
            return (first, last);
        };
        let width = width.min(last - first);
        let from = if self.at.is_none() { last } else { from };
        let from = from.clamp(first, last - width);
        (from, from + width)
    }

    /// Position of the reading line, snapped to one of the points `xs`.
    pub fn reading(&self, xs: &[f64]) -> Option<f64> {
        let last = *xs.last()?;
        let Some(at) = self.at else { return Some(last) };
        nearest(xs, at)
    }

    /// True if the window moves along as the chart grows.
    pub fn follows(&self) -> bool {
        self.window.is_some() && self.at.is_none()
    }

    /// The view after a change, over points at `xs`; unchanged where it can go no further.
    #[must_use]
    pub fn turned(mut self, change: ViewChange, xs: &[f64], log: bool) -> Self {
        let (Some(&first), Some(&last)) = (xs.first(), xs.last()) else {
            return self;
        };
        let ends = (first, last);
        let at = self.reading(xs).unwrap_or(last);
        let (low, high) = self.range(ends);
        match change {
            ViewChange::Zoom(by) => {
                let width = (high - low) * 0.5_f64.powi(by as i32);
                if width >= last - first {
                    self.window = None;
                } else if by < 0 || holds(xs, at, width) {
                    let share = if high > low {
                        (at - low) / (high - low)
                    } else {
                        0.5
                    };
                    self.window = Some((at - share * width, width));
                }
            }
            ViewChange::Read(by) => {
                let next = stride(xs, at, by, high - low);
                self.at = (next < last).then_some(next);
                if let Some((_, width)) = self.window {
                    // Drag the window along if the line would leave it.
                    let from = low.min(next).max(next - width);
                    self.window = Some((from, width));
                }
            }
            ViewChange::Whole => self.window = None,
            ViewChange::Newest => self.at = None,
            ViewChange::Log => self.log = Some(!self.log.unwrap_or(log)),
        }
        self.reads |= change != ViewChange::Log;
        self
    }
}

/// True if a window around `at` would still hold three points; fewer make no curve.
fn holds(xs: &[f64], at: f64, width: f64) -> bool {
    let near = |x: &&f64| (**x - at).abs() <= width;
    xs.iter().filter(near).count() >= 3
}

fn nearest(xs: &[f64], at: f64) -> Option<f64> {
    let far = |x: &f64| (x - at).abs();
    let near = xs.iter().copied();
    near.min_by(|a, b| far(a).total_cmp(&far(b)))
}

/// The point `by` strides from `at`, or the last one in that direction.
fn stride(xs: &[f64], at: f64, by: isize, width: f64) -> f64 {
    let mut at = at;
    for _ in 0..by.unsigned_abs() {
        let step = width * STRIDE;
        // Allow a hair less, so that a point exactly one stride away counts.
        let far = |x: &f64| (x - at).abs() >= step * 0.999;
        let next = if by > 0 {
            let beyond = |x: &&f64| **x > at;
            let mut right = xs.iter().filter(beyond);
            right.clone().find(|x| far(x)).or(right.next_back())
        } else {
            let beyond = |x: &&f64| **x < at;
            let mut left = xs.iter().filter(beyond);
            left.clone().rfind(|x| far(x)).or(left.next())
        };
        at = next.copied().unwrap_or(at);
    }
    at
}

/// True if a line is a vertical marker (two points with the same x), which is drawn over the full height.
pub fn is_mark(series: &Series) -> bool {
    matches!(series.points[..], [(a, _), (b, _)] if a == b)
}

/// Sorted, distinct x values at which the lines have points.
pub fn sorted_xs(series: &[Series]) -> Vec<f64> {
    let lines = series.iter().filter(|series| !is_mark(series));
    let points = lines.flat_map(|series| &series.points);
    let mut xs: Vec<f64> = points.map(|p| p.0).filter(|x| x.is_finite()).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    xs
}

/// The point of a line nearest to `x`; `None` if `x` is outside the line.
///
/// One more interval after the last point counts as inside, because a quantity that is measured only now and then has
/// not ended there.
pub fn value_at(series: &Series, x: f64) -> Option<(f64, f64)> {
    let points = &series.points;
    let (first, last) = (points.first()?, points.last()?);
    let apart = points
        .len()
        .checked_sub(2)
        .map_or(0.0, |i| last.0 - points[i].0);
    if x < first.0 || x > last.0 + apart {
        return None;
    }
    let far = |p: &(f64, f64)| (p.0 - x).abs();
    let points = points.iter().copied();
    points.min_by(|a, b| far(a).total_cmp(&far(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xs(last: i32) -> Vec<f64> {
        (0..=last).map(f64::from).collect()
    }

    fn turned(view: View, turns: &[ViewChange], last: i32) -> View {
        let xs = xs(last);
        turns
            .iter()
            .fold(view, |view, &turn| view.turned(turn, &xs, false))
    }

    #[test]
    fn a_new_view_shows_everything_and_reads_nothing() {
        let view = View::default();
        assert_eq!(view.range((0.0, 100.0)), (0.0, 100.0));
        assert!(!view.reads && !view.follows());
    }

    #[test]
    fn closer_halves_the_window_around_the_reading_line() {
        let view = View {
            at: Some(40.0),
            ..View::default()
        };
        let closer = turned(view, &[ViewChange::Zoom(1)], 100);
        assert_eq!(closer.range((0.0, 100.0)), (20.0, 70.0));
        assert_eq!(turned(closer, &[ViewChange::Zoom(-1)], 100).window, None);
    }

    #[test]
    fn at_the_newest_end_the_window_follows_as_the_run_grows() {
        let view = turned(View::default(), &[ViewChange::Zoom(2)], 100);
        assert!(view.follows());
        assert_eq!(view.range((0.0, 100.0)), (75.0, 100.0));
        assert_eq!(view.range((0.0, 140.0)), (115.0, 140.0), "it moved along");
        assert_eq!(view.reading(&xs(140)), Some(140.0));
    }

    #[test]
    fn a_reading_line_that_was_moved_holds_the_window_until_it_is_sent_back() {
        let view = turned(
            View::default(),
            &[ViewChange::Zoom(2), ViewChange::Read(-1)],
            100,
        );
        assert!(!view.follows());
        assert_eq!(view.reading(&xs(100)), Some(99.0));
        assert_eq!(view.range((0.0, 140.0)), (75.0, 100.0), "it stays");
        let newest = turned(view, &[ViewChange::Newest], 140);
        assert_eq!(newest.range((0.0, 140.0)), (115.0, 140.0));
        let right = turned(view, &[ViewChange::Read(2)], 100);
        assert!(right.follows(), "at the last point it follows again");
    }

    #[test]
    fn the_window_goes_along_with_the_reading_line() {
        let view = turned(
            View::default(),
            &[ViewChange::Zoom(2), ViewChange::Read(-40)],
            100,
        );
        let (low, _) = view.range((0.0, 100.0));
        let at = view.reading(&xs(100)).unwrap();
        assert_eq!(low, at);
        assert!(at < 75.0);
    }

    #[test]
    fn the_reading_line_moves_by_a_fortieth_but_at_least_to_the_next_point() {
        let view = turned(View::default(), &[ViewChange::Read(-1)], 400);
        assert_eq!(view.at, Some(390.0));
        let view = turned(View::default(), &[ViewChange::Read(-1)], 10);
        assert_eq!(view.at, Some(9.0));
        let view = turned(view, &[ViewChange::Read(-99)], 10);
        assert_eq!(view.at, Some(0.0));
    }

    #[test]
    fn the_window_never_holds_less_than_three_points() {
        let view = turned(View::default(), &[ViewChange::Zoom(1); 20], 100);
        let (low, high) = view.range((0.0, 100.0));
        assert!(high - low >= 1.0, "{low} to {high}");
    }

    #[test]
    fn a_line_is_read_at_its_own_nearest_point_and_not_far_beyond_its_ends() {
        let series = Series {
            name: "held out".to_owned(),
            points: vec![(20.0, 3.0), (40.0, 2.0)],
        };
        assert_eq!(value_at(&series, 28.0), Some((20.0, 3.0)));
        assert_eq!(value_at(&series, 40.0), Some((40.0, 2.0)));
        assert_eq!(value_at(&series, 19.0), None);
        assert_eq!(
            value_at(&series, 55.0),
            Some((40.0, 2.0)),
            "measured again at 60"
        );
        assert_eq!(value_at(&series, 61.0), None);
    }
}
