//! Arguments in the order that clap expects: options behind the name of their command.

use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command, Error};

/// Returns the arguments with every option before a command's name moved after it, at any depth: `--theme dark show
/// masks` becomes `show --theme dark masks`. An option that the command does not have is refused, because it would
/// change nothing. Arguments that `program` does not understand are left for its own parser to refuse.
pub fn in_order(program: &Command, arguments: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let mut all = arguments;
    let mut command = program;
    let mut from = 1;
    let mut moved: Vec<OsString> = Vec::new();
    let mut early: Vec<&Arg> = Vec::new();
    while let Some(name) = first_word(command, &all, from) {
        let Some(inner) = command.find_subcommand(&all[name]) else {
            if from == 1 && is_tool(program, &all[name]) {
                let name = all[name].to_string_lossy();
                let sentence = format!("'{name}' is one of the tools; write 'tools {name}'\n");
                return Err(program
                    .clone()
                    .error(ErrorKind::InvalidSubcommand, sentence));
            }
            break;
        };
        early.extend(options(command, &all[from..name]));
        moved.extend(all.drain(from..name));
        command = inner;
        from += 1;
    }
    if let Some(option) = early.into_iter().find(|option| !has(command, option)) {
        let sentence = format!(
            "--{} is not an option of '{}'; leave it out\n",
            option.get_long().unwrap_or_default(),
            command.get_name()
        );
        return Err(program.clone().error(ErrorKind::ArgumentConflict, sentence));
    }
    all.splice(from..from, moved);
    Ok(all)
}

/// True if `tools` has a command of this name.
fn is_tool(program: &Command, name: &OsStr) -> bool {
    let tools = program.find_subcommand("tools");
    tools.is_some_and(|tools| tools.find_subcommand(name).is_some())
}

/// Index of the first word that is no option of `command` and no value of one, or `None`.
fn first_word(command: &Command, all: &[OsString], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(word) = all.get(at) {
        let word = word.to_str()?;
        if !word.starts_with('-') {
            return Some(at);
        }
        let option = option(command, OsStr::new(word))?;
        // Help and version end parsing as soon as they are read.
        if matches!(
            option.get_action(),
            ArgAction::Help | ArgAction::HelpLong | ArgAction::HelpShort | ArgAction::Version
        ) {
            return None;
        }
        let value_follows = option.get_action().takes_values() && !word.contains('=');
        at += 1 + usize::from(value_follows);
    }
    None
}

/// Options among `words`.
fn options<'a>(command: &'a Command, words: &[OsString]) -> Vec<&'a Arg> {
    let mut named = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(option) = option(command, word) {
            named.push(option);
            let value_follows = option.get_action().takes_values();
            if value_follows && !word.to_string_lossy().contains('=') {
                words.next();
            }
        }
    }
    named
}

/// The option that `word` names: `--theme` or `--theme=dark`.
fn option<'a>(command: &'a Command, word: &OsStr) -> Option<&'a Arg> {
    let word = word.to_str()?.strip_prefix("--")?;
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let mut all = command.get_arguments();
    all.find(|arg| arg.get_long() == Some(name))
}

/// True if `command` has the same option.
fn has(command: &Command, option: &Arg) -> bool {
    let mut all = command.get_arguments();
    all.any(|arg| arg.get_long() == option.get_long())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;
    use crate::testing::assert_contains;

    fn words(all: &[&str]) -> Vec<OsString> {
        all.iter().map(OsString::from).collect()
    }

    /// Calls `look` with every command and the names that lead to it.
    fn walk(command: &Command, path: &[String], look: &mut dyn FnMut(&Command, &[String])) {
        look(command, path);
        for inner in command.get_subcommands() {
            walk(
                inner,
                &[path, &[inner.get_name().to_owned()]].concat(),
                look,
            );
        }
    }

    #[test]
    fn every_option_before_a_command_means_what_it_means_behind_it_or_is_refused() {
        let program = command();
        let mut tried = 0;
        walk(&program, &["tutor".to_owned()], &mut |outer, path| {
            for option in outer.get_arguments().filter(|arg| arg.get_long().is_some()) {
                let given = if option.get_action().takes_values() {
                    vec![
                        format!("--{}", option.get_long().unwrap()),
                        "show".to_owned(),
                    ]
                } else {
                    vec![format!("--{}", option.get_long().unwrap())]
                };
                for inner in outer.get_subcommands() {
                    let name = vec![inner.get_name().to_owned()];
                    let rest = vec!["more".to_owned()];
                    let strings = |parts: &[&[String]]| -> Vec<OsString> {
                        parts.concat().iter().map(OsString::from).collect()
                    };
                    let moved = in_order(&program, strings(&[path, &given, &name, &rest]));
                    match moved {
                        Ok(moved) => {
                            assert!(has(inner, option), "{moved:?}");
                            assert_eq!(moved, strings(&[path, &name, &given, &rest]));
                        }
                        Err(error) => {
                            assert!(!has(inner, option), "{error}");
                            assert_eq!(error.exit_code(), 2);
                            let message = error.to_string();
                            assert_contains(&message, &given[0]);
                            assert_contains(&message, &name[0]);
                        }
                    }
                    tried += 1;
                }
            }
        });
        assert!(tried > 60, "only {tried}");
    }

    #[test]
    fn values_of_options_are_no_commands_and_what_is_not_understood_stays() {
        let program = command();
        for all in [
            &["tutor", "--lesson", "show"][..],
            &["tutor", "--lesson=show", "--plain"],
            &["tutor", "--help", "show"],
            &["tutor", "--no-such", "show"],
            &["tutor", "--", "--theme", "show"],
            &["tutor", "show", "4", "--theme", "dark"],
            &["tutor", "glossary", "bleu"],
            &["tutor", "tools", "bleu"],
            &["tutor", "tools", "tools"],
        ] {
            assert_eq!(in_order(&program, words(all)).unwrap(), words(all));
        }
        let before = words(&["tutor", "--theme=dark", "--ascii", "show", "4"]);
        let behind = words(&["tutor", "show", "--theme=dark", "--ascii", "4"]);
        assert_eq!(in_order(&program, before).unwrap(), behind);
        let before = words(&["tutor", "--ascii", "tools", "pages", "4"]);
        let behind = words(&["tutor", "tools", "pages", "--ascii", "4"]);
        assert_eq!(in_order(&program, before).unwrap(), behind);
    }
}
