//! Options given before a command's name, which mean the same as after it.

use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command, Error};

/// Returns the arguments with every option before a command's name moved after it, at any depth: `--theme dark show
/// masks` becomes `show --theme dark masks`. An option that the command does not have is refused, because it would
/// change nothing. Arguments that `command` does not understand are left for its own parser to refuse.
pub fn moved_behind(command: &Command, arguments: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let mut all = arguments;
    let mut command = command;
    let mut from = 1;
    while let Some(name) = name_of_command(command, &all, from) {
        let word = all[name].to_string_lossy().into_owned();
        let Some(inner) = command.find_subcommand(&word) else {
            break;
        };
        let before = options(command, &all[from..name]);
        if let Some(option) = before.iter().find(|option| !has(inner, option)) {
            let sentence = format!(
                "--{} is not an option of '{word}'; leave it out\n",
                option.get_long().unwrap_or_default()
            );
            return Err(command.clone().error(ErrorKind::ArgumentConflict, sentence));
        }
        all[from..=name].rotate_right(1);
        command = inner;
        from += 1;
    }
    Ok(all)
}

/// Index of the next command's name, if nothing but options of `command` precedes it.
fn name_of_command(command: &Command, all: &[OsString], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(word) = all.get(at) {
        let word = word.to_str()?;
        if !word.starts_with('-') {
            return command.find_subcommand(word).map(|_| at);
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
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(option) = option(command, word) {
            found.push(option);
            let value_follows = option.get_action().takes_values();
            if value_follows && !word.to_string_lossy().contains('=') {
                words.next();
            }
        }
    }
    found
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
                let given = match option.get_action().takes_values() {
                    true => vec![
                        format!("--{}", option.get_long().unwrap()),
                        "show".to_owned(),
                    ],
                    false => vec![format!("--{}", option.get_long().unwrap())],
                };
                for inner in outer.get_subcommands() {
                    let name = vec![inner.get_name().to_owned()];
                    let rest = vec!["more".to_owned()];
                    let strings = |parts: &[&[String]]| -> Vec<OsString> {
                        parts.concat().iter().map(OsString::from).collect()
                    };
                    let moved = moved_behind(&program, strings(&[path, &given, &name, &rest]));
                    match moved {
                        Ok(moved) => {
                            assert!(has(inner, option), "{moved:?}");
                            assert_eq!(moved, strings(&[path, &name, &given, &rest]));
                        }
                        Err(error) => {
                            assert!(!has(inner, option), "{error}");
                            assert_eq!(error.exit_code(), 2);
                            let message = error.to_string();
                            assert!(
                                message.contains(&given[0]) && message.contains(&name[0]),
                                "{message}"
                            );
                        }
                    }
                    tried += 1;
                }
            }
        });
        assert!(tried > 100, "only {tried}");
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
        ] {
            assert_eq!(moved_behind(&program, words(all)).unwrap(), words(all));
        }
        let before = words(&["tutor", "--theme=dark", "--ascii", "show", "4"]);
        let behind = words(&["tutor", "show", "--theme=dark", "--ascii", "4"]);
        assert_eq!(moved_behind(&program, before).unwrap(), behind);
    }
}
