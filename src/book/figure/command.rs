//! The command that shows in the program what a figure shows.

use crate::lesson::session::Session;

/// `transformer-tutor show attention --set example=worked --break no-scale`.
fn show(session: &Session) -> String {
    let lesson = session.lesson();
    let mut command = format!("transformer-tutor show {}", lesson.name);
    for knob in lesson.knobs {
        let value = session.settings().text(knob.name);
        if value != knob.default {
            command += &setting(knob.name, value);
        }
    }
    for mistake in session.settings().mistakes() {
        command += &format!(" --break {mistake}");
    }
    command
}

/// ` --set 'text=Ich habe keine Zeit.'`, as a shell takes it.
pub fn setting(knob: &str, value: &str) -> String {
    let setting = format!("{knob}={value}");
    match setting.contains([' ', '\'', '"', ';', '?', '*', '(', '&']) {
        true => format!(" --set '{}'", setting.replace('\'', "'\\''")),
        false => format!(" --set {setting}"),
    }
}

/// The command that shows all that the session looks at.
pub fn tensor(session: &Session) -> String {
    let name = match (session.step(), session.picture()) {
        (Some(step), _) => step.name.as_str(),
        (None, Some(picture)) => picture.name,
        (None, None) => return show(session),
    };
    format!("{} --view {name}", show(session))
}

/// The command to which a cell's name is added.
pub fn cell(session: &Session) -> String {
    format!("{} --cell", show(session))
}

/// The command that opens the lesson.
pub fn program(session: &Session) -> String {
    format!("transformer-tutor --lesson {}", session.lesson().name)
}
