//! Commands that show a figure's contents in the program.

use crate::lesson::session::Session;
use crate::widgets::svg::escape;

/// Command that reproduces the session's settings:
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

/// Option that sets a knob, quoted for the shell: ` --set 'text=Ich habe keine Zeit.'`.
pub fn setting(knob: &str, value: &str) -> String {
    let setting = format!("{knob}={value}");
    if setting.contains([' ', '\'', '"', ';', '?', '*', '(', '&']) {
        format!(" --set '{}'", setting.replace('\'', "'\\''"))
    } else {
        format!(" --set {setting}")
    }
}

/// HTML of a command, with no line break inside an option's name.
pub fn html(command: &str) -> String {
    let words = escape(command);
    let words = words.split(' ').map(|word| {
        if word.starts_with("--") {
            format!("<span class=\"tt-whole\">{word}</span>")
        } else {
            word.to_owned()
        }
    });
    format!("<code>{}</code>", words.collect::<Vec<_>>().join(" "))
}

/// Command that shows the session's current view.
pub fn tensor(session: &Session) -> String {
    let name = match (session.step(), session.picture()) {
        (Some(step), _) => step.name.as_str(),
        (None, Some(picture)) => picture.name,
        (None, None) => return show(session),
    };
    format!("{} --view {name}", show(session))
}

/// Command prefix to which the script appends a cell's name.
pub fn cell(session: &Session) -> String {
    format!("{} --cell", show(session))
}

/// Command that opens the lesson.
pub fn program(session: &Session) -> String {
    format!("transformer-tutor --lesson {}", session.lesson().name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_ends_within_the_name_of_an_option() {
        assert_eq!(
            html("show masks --set example=<one>"),
            "<code>show masks <span class=\"tt-whole\">--set</span> example=&lt;one&gt;</code>"
        );
    }
}
