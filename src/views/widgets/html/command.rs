//! Commands that show a figure's contents in the program.

use crate::lesson::session::Session;

/// Command that shows the session's current view.
pub fn tensor(session: &Session) -> String {
    let name = match (session.step(), session.picture()) {
        (Some(step), _) => step.name.as_str(),
        (None, Some(picture)) => picture.name,
        (None, None) => return session.command(),
    };
    format!("{} --view {name}", session.command())
}

/// Command that opens the lesson.
pub fn program(session: &Session) -> String {
    format!("transformer-tutor --lesson {}", session.lesson().name)
}
