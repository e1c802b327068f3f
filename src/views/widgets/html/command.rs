//! Commands that show a figure's contents in the program.

use crate::lesson::session::Session;
use crate::widgets::svg::escape;

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
        (None, None) => return session.command(),
    };
    format!("{} --view {name}", session.command())
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
