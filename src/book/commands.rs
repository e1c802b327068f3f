//! Rewriting of commands in a text for the page: `:steps=200` is a setting, `:look weights` a tensor to look at.

/// A command within backticks.
enum Command<'a> {
    Set(&'a str, &'a str),
    Look(&'a str),
}

/// Parses the text between two backticks. `None` if it is not a command, or one that only the program can carry out.
fn read(code: &str) -> Option<Command<'_>> {
    let command = code.strip_prefix(':')?;
    if let Some(name) = command.strip_prefix("look ") {
        return Some(Command::Look(name.trim()));
    }
    let (name, value) = command.split_once('=')?;
    (!value.is_empty()).then_some(Command::Set(name, value))
}

/// Rewrites a text's commands for the page. A command without a "type" before it in its sentence stays.
pub fn said(text: &str) -> String {
    let mut out = String::new();
    // Whether the sentence has told its reader to type, and what the last command was.
    let (mut told, mut set) = (false, false);
    for (at, part) in text.split('`').enumerate() {
        let before = at.checked_sub(1).is_some();
        if at % 2 == 0 {
            if before {
                out.push('`');
            }
            if part.contains(['.', '?', '!']) {
                (told, set) = (false, false);
            }
            out += part;
            continue;
        }
        let verb = ["Type ", "type "]
            .into_iter()
            .find(|verb| out.ends_with(verb));
        told |= verb.is_some();
        let Some(command) =
            read(part).filter(|command| told || matches!(command, Command::Look(_)))
        else {
            out.push('`');
            out += part;
            continue;
        };
        if let Some(verb) = verb {
            out.truncate(out.len() - verb.len());
        }
        let upper = verb == Some("Type ");
        match command {
            Command::Set(name, value) => {
                let word = match (set, upper) {
                    (true, _) => "",
                    (false, true) => "Set ",
                    (false, false) => "set ",
                };
                out += &format!("{word}`{name}` to `{value}");
                set = true;
            }
            Command::Look(name) => {
                let word = match (verb.is_some() || set, upper) {
                    (false, _) => "",
                    (true, true) => "Look at ",
                    (true, false) => "look at ",
                };
                // The figure outlines the cell.
                let name = name.split_once('[').map_or(name, |(name, _)| name);
                out += &format!("{word}`{name}");
                set = false;
            }
        }
    }
    out
}

/// Settings that a text tells its reader to type, in order.
pub fn settings(text: &str) -> Vec<(&str, &str)> {
    let all = text.split('`').skip(1).step_by(2);
    let set = |code| match read(code)? {
        Command::Set(name, value) => Some((name, value)),
        Command::Look(_) => None,
    };
    all.filter_map(set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_a_setting_or_something_to_look_at() {
        for (text, page) in [
            (
                "Type `:steps=200` for more.",
                "Set `steps` to `200` for more.",
            ),
            (
                "Type `:corpus=english` and `:merges=50`, then look.",
                "Set `corpus` to `english` and `merges` to `50`, then look.",
            ),
            (
                "Type `:sure=15`, then `:look logits`: high.",
                "Set `sure` to `15`, then look at `logits`: high.",
            ),
            ("Now type `:look weights`.", "Now look at `weights`."),
            ("Type `:look plane[4,0]`: lines.", "Look at `plane`: lines."),
            ("It falls (`:look d_bias`).", "It falls (`d_bias`)."),
            (
                "Type `:text=` and a sentence.",
                "Type `:text=` and a sentence.",
            ),
            ("`:preset=small` trains `x`.", "`:preset=small` trains `x`."),
        ] {
            assert_eq!(said(text), page);
        }
        assert_eq!(
            settings("Type `:text=Der Hund.` and `:top_k=3`, `:look x`."),
            [("text", "Der Hund."), ("top_k", "3")]
        );
    }
}
