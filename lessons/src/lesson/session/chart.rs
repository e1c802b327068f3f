//! The charts of a session. Each picture keeps the learner's view of it while the lesson is open.

use super::{Focus, Session};
use crate::lesson::chart::{View, ViewChange, sorted_xs};
use crate::lesson::{Body, Series};

/// True if a drawing has a chart that can be zoomed. Live work is only asked whether it has begun, which avoids copying
/// its drawings.
pub fn has_chart(body: &Body) -> bool {
    use crate::lesson::picture::Status;
    match body {
        Body::Curves { .. } => true,
        Body::Live(live) => live.work.status() != Status::Idle,
        _ => false,
    }
}

/// Calls `then` with the lines of a drawing's first chart, and whether it is logarithmic by default.
fn with_chart<T>(body: &Body, then: impl FnOnce(&[Series], bool) -> T) -> Option<T> {
    match body {
        Body::Curves { series, log, .. } => Some(then(series, *log)),
        Body::Live(live) => {
            let (_, _, parts) = live.work.shown();
            let chart = parts
                .iter()
                .find(|part| matches!(part.body, Body::Curves { .. }))?;
            with_chart(&chart.body, then)
        }
        _ => None,
    }
}

impl Session {
    /// View of the current picture.
    pub fn view(&self) -> View {
        let name = self.picture().map(|picture| picture.name);
        name.and_then(|name| self.view.charts.get(name))
            .copied()
            .unwrap_or_default()
    }

    /// Replaces the view of the current picture.
    fn set_view(&mut self, view: View) {
        if let Some(name) = self.picture().map(|picture| picture.name) {
            self.view.charts.insert(name, view);
        }
    }

    /// Applies `change` to the view of the chart in `body`, which the current picture shows; false if there is none.
    pub fn turn_view_of(&mut self, body: &Body, change: ViewChange) -> bool {
        let view = self.view();
        let turned = with_chart(body, |series, log| {
            view.turned(change, &sorted_xs(series), log)
        });
        turned.is_some_and(|view| {
            self.set_view(view);
            true
        })
    }

    /// [`Session::turn_view_of`] for the current picture itself.
    pub fn turn_view(&mut self, change: ViewChange) -> bool {
        let run = self.shown.run.clone();
        match self.view.focus {
            Focus::Picture(n) => self.turn_view_of(&run.pictures[n].body, change),
            Focus::Step(_) => false,
        }
    }

    /// Zooms the current picture's chart to a range, in the units of its axis. The error explains what the axis covers.
    pub fn look_from_to(&mut self, from: f64, to: f64) -> Result<(), String> {
        let (first, last) = self.axis()?;
        let (from, to) = (from.max(first), to.min(last));
        if from >= to {
            return Err(format!(
                "that range is outside the axis, which goes from {first} to {last}"
            ));
        }
        let mut view = self.view();
        view.window = Some((from, to - from));
        let inside = view.at.is_some_and(|at| (from..=to).contains(&at));
        // Keep the reading line inside the window, moving it to the right end if necessary.
        if !inside {
            view.at = (to < last).then_some(to);
        }
        view.reads = true;
        self.set_view(view);
        Ok(())
    }

    /// Moves the reading line of the current chart to `x`, in the units of its axis. The error explains why it cannot.
    pub fn read_at(&mut self, x: f64) -> Result<(), String> {
        let (first, last) = self.axis()?;
        let mut view = self.view();
        view.at = (x < last).then_some(x.max(first));
        view.reads = true;
        self.set_view(view);
        Ok(())
    }

    /// Start and end of the current chart's axis.
    fn axis(&self) -> Result<(f64, f64), String> {
        let body = self.picture().map(|picture| &picture.body);
        let places = body.and_then(|body| with_chart(body, |series, _| sorted_xs(series)));
        let places = places.ok_or("look at a chart first; look lists the pictures")?;
        match places[..] {
            [first, .., last] => Ok((first, last)),
            [only] => Ok((only, only)),
            [] => Err("the chart has no points yet".to_owned()),
        }
    }
}
