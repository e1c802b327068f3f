//! The charts of a session: each picture keeps the view that the learner gave it while the lesson is open.

use super::{Focus, Session};
use crate::lesson::{Body, Series};
use crate::widgets::curves::view::{Turn, View, places};

/// Whether a drawing has a chart that can be zoomed. Of work that goes on only whether it has begun is asked:
/// its drawings are not copied for that.
pub fn has_chart(body: &Body) -> bool {
    use crate::lesson::live::Status;
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
}
