//! Commands that would do something now; the footer, the help and the palette list only these.

use super::app::{App, Pane};
use crate::command::Action;
use crate::lesson::Body;
use crate::lesson::chart::ViewChange;
use crate::lesson::session::chart::has_chart;
use crate::widgets::stage;

/// True if a command would do something now.
pub fn is_possible(app: &App, action: Action) -> bool {
    let Some(open) = &app.open_lesson else {
        return action.traits().in_lesson_list;
    };
    let session = &open.walk.session;
    match action {
        Action::Close => {
            app.overlay.is_some() || session.asks_why() || open.full || app.is_computing()
        }
        Action::Difference => {
            !session.edits().is_empty() || session.settings().mistakes().next().is_some()
        }
        Action::Edit => {
            session.step().is_some()
                && session.gradients_of().is_none()
                && app.unanswered().is_none()
        }
        Action::Undo => !session.edits().is_empty(),
        Action::Multiples => {
            session.shows_multiples() || session.step().is_some_and(|step| step.value.rank() > 2)
        }
        Action::Up | Action::Partner => session.asks_why(),
        Action::Run => matches!(
            session.picture().map(|p| &p.body),
            Some(Body::Job(_) | Body::Live(_))
        ),
        Action::Steer(_) => matches!(session.picture().map(|p| &p.body), Some(Body::Live(_))),
        Action::CheckGradient => session.gradient_check_request().is_ok(),
        Action::Chart(turn) => {
            let body = match &open.page.job {
                Some((_, progress)) => Some(&progress.body),
                None => session.picture().map(|p| &p.body),
            };
            body.is_some_and(has_chart)
                && match turn {
                    ViewChange::Whole => session.view().window.is_some(),
                    ViewChange::Newest => session.view().at.is_some(),
                    _ => true,
                }
        }
        Action::Picture(_) => !session.run().pictures.is_empty(),
        Action::Predict => app.unanswered().is_some(),
        Action::Exercise | Action::Editor | Action::Hint | Action::Tier => {
            session.lesson().exercise.is_some()
        }
        Action::Quiz => !session.lesson().quiz.is_empty(),
        Action::OwnWords => session.lesson().own_words.is_some(),
        Action::Play => !app.plays(),
        Action::Break(n) => n <= session.lesson().mistakes.len(),
        Action::Why => {
            let listed = open.pane == Pane::Why && !session.asks_why();
            let opens = session.box_at_cursor().is_some() || session.cell_at_node().is_some();
            let asks = session.step().is_some() || opens;
            listed || asks && app.unanswered().is_none()
        }
        // The stage stays hidden until it has been predicted.
        Action::Movement => app.unanswered().is_none() && stage::has_movement(session),
        Action::Step(_) | Action::Full | Action::ShowGradients(_) => app.unanswered().is_none(),
        Action::Lead(_) => session.cursor_shape().len() > 2,
        _ => true,
    }
}
