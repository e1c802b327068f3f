//! The charts of a session: each picture keeps the view that the learner gave it while the lesson is open.

use super::{Focus, Session};
use crate::lesson::chart::{Turn, View, places};
use crate::lesson::{Body, Series};

/// Whether a drawing has a chart that can be zoomed. Of work that goes on only whether it has begun is asked:
/// its drawings are not copied for that.
pub fn has_chart(body: &Body) -> bool {
    use crate::lesson::picture::Status;
    match body {
        Body::Curves { .. } => true,
        Body::Live(live) => live.work.status() != Status::Idle,
        _ => false,
    }
}

/// Calls `then` with the first chart of a drawing: its lines, and whether it is logarithmic by itself.
pub fn with_chart<T>(body: &Body, then: impl FnOnce(&[Series], bool) -> T) -> Option<T> {
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
    /// The view of the picture looked at.
    pub fn view(&self) -> View {
        let name = self.picture().map(|picture| picture.name);
        name.and_then(|name| self.charts.get(name))
            .copied()
            .unwrap_or_default()
    }

    /// Gives the picture looked at another view.
    pub fn set_view(&mut self, view: View) {
        if let Some(name) = self.picture().map(|picture| picture.name) {
            self.charts.insert(name, view);
        }
    }

    /// Turns the view of the chart in `body`, which the picture looked at shows now; `false` where it has none.
    pub fn turn_view_of(&mut self, body: &Body, turn: Turn) -> bool {
        let view = self.view();
        let turned = with_chart(body, |series, log| view.turned(turn, &places(series), log));
        turned.is_some_and(|view| {
            self.set_view(view);
            true
        })
    }

    /// As [`Session::turn_view_of`], of the picture itself.
    pub fn turn_view(&mut self, turn: Turn) -> bool {
        let run = self.run.clone();
        match self.focus {
            Focus::Picture(n) => self.turn_view_of(&run.pictures[n].body, turn),
            Focus::Step(_) => false,
        }
    }

    /// Looks at the chart of the picture looked at from here to there, in the units of its axis. `Err` says what the
    /// axis has.
    pub fn look_from_to(&mut self, from: f64, to: f64) -> Result<(), String> {
        let (first, last) = self.axis()?;
        let (from, to) = (from.max(first), to.min(last));
        if from >= to {
            return Err(format!(
                "between them lies nothing of the axis, which goes from {first} to {last}"
            ));
        }
        let mut view = self.view();
        view.window = Some((from, to - from));
        let inside = view.at.is_some_and(|at| (from..=to).contains(&at));
        // The reading line lies in the window; at its end where it lay outside.
        if !inside {
            view.at = (to < last).then_some(to);
        }
        view.reads = true;
        self.set_view(view);
        Ok(())
    }

    /// Puts the reading line of the chart looked at here, in the units of its axis. `Err` says why it cannot be.
    pub fn read_at(&mut self, x: f64) -> Result<(), String> {
        let (first, last) = self.axis()?;
        let mut view = self.view();
        view.at = (x < last).then_some(x.max(first));
        view.reads = true;
        self.set_view(view);
        Ok(())
    }

    /// Where the axis of the chart looked at begins and ends.
    fn axis(&self) -> Result<(f64, f64), String> {
        let body = self.picture().map(|picture| &picture.body);
        let places = body.and_then(|body| with_chart(body, |series, _| places(series)));
        let places = places.ok_or("look at a chart first; look lists the pictures")?;
        match places[..] {
            [first, .., last] => Ok((first, last)),
            [only] => Ok((only, only)),
            [] => Err("the chart has no points yet".to_owned()),
        }
    }
}
