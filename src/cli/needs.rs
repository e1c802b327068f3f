//! Options that have no effect without another one, or beside it: one table for all commands, from which the refusals
//! and their test come.

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::limit::require;

/// What an option needs to have an effect.
#[derive(Clone, Copy, Debug)]
enum Need {
    /// This option.
    With(&'static str),
    /// The absence of this option.
    Without(&'static str),
    /// Another value of this option than this one.
    Not(&'static str, &'static str),
    /// The same, or the second option.
    NotUnless(&'static str, &'static str, &'static str),
    /// This value of an option, among others.
    Value(&'static str, &'static str),
}
use Need::{Not, NotUnless, Value, With, Without};

/// A command, options with blanks between them, and what these need there. Beside them, clap's own `requires` holds. The
/// command without a name is the walkthrough.
const NEEDS: [(&str, &str, Need); 17] = [
    ("translate", "beam alpha penalty", Without("sample")),
    // Both draw the most probable token every time.
    ("translate", "top_k top_p seed", Not("temperature", "0")),
    ("translate", "temperature top_p seed", Not("top_k", "1")),
    ("translate", "alpha", Not("penalty", "none")),
    ("evaluate", "alpha", Not("penalty", "none")),
    // The only hypothesis is the best one, whatever its score.
    ("evaluate", "alpha", Not("beam", "1")),
    ("translate", "alpha", NotUnless("beam", "1", "json")),
    ("evaluate", "pairs hard", Without("src")),
    ("evaluate", "force", With("write")),
    ("show", "force", With("svg")),
    ("play", "force", With("html")),
    ("show", "theme ascii", With("svg")),
    ("play", "theme ascii still", Without("html")),
    ("", "theme ascii still", Without("plain")),
    ("train", "preset", Without("resume")),
    ("tools compare", "tokenize", Value("metrics", "bleu")),
    ("tools bpe apply", "seed", Not("dropout", "0")),
];

/// Refuses the options that have no effect in the command given by `matches`.
pub fn check(matches: &ArgMatches) -> anyhow::Result<()> {
    let (mut path, mut inner) = (Vec::new(), matches);
    while let Some((name, below)) = inner.subcommand() {
        path.push(name);
        inner = below;
    }
    for (command, options, need) in NEEDS {
        if path.join(" ") != command || need.is_met(inner) {
            continue;
        }
        let idle = options.split(' ').find(|option| is_given(inner, option));
        require(idle.is_none(), || {
            let idle = long(idle.unwrap_or_default());
            format!("{idle} has no effect {}; leave it out", need.reason())
        })?;
    }
    Ok(())
}

/// True if the option is on the command line; a value from the environment does not count.
fn is_given(matches: &ArgMatches, option: &str) -> bool {
    let source = matches.value_source(option);
    source == Some(ValueSource::CommandLine)
}

/// True if one of the option's values, given or not, is this one, as text or as a number.
fn has_value(matches: &ArgMatches, option: &str, value: &str) -> bool {
    let is = |given: &str| {
        let numbers = (given.parse::<f64>(), value.parse::<f64>());
        given == value || matches!(numbers, (Ok(a), Ok(b)) if a == b)
    };
    let mut all = matches.get_raw(option).into_iter().flatten();
    all.any(|given| given.to_str().is_some_and(is))
}

/// The option as it is typed.
fn long(id: &str) -> String {
    let name = match id {
        "metrics" => "metric".to_owned(),
        id => id.replace('_', "-"),
    };
    format!("--{name}")
}

impl Need {
    fn is_met(self, matches: &ArgMatches) -> bool {
        match self {
            With(option) => is_given(matches, option),
            Without(option) => !is_given(matches, option),
            Not(option, value) => !has_value(matches, option, value),
            NotUnless(option, value, other) => {
                is_given(matches, other) || !has_value(matches, option, value)
            }
            Value(option, value) => has_value(matches, option, value),
        }
    }

    /// Says when there is no effect.
    fn reason(self) -> String {
        match self {
            With(option) => format!("without {}", long(option)),
            Without(option) => format!("beside {}", long(option)),
            Not(option, value) => format!("with {} {value}", long(option)),
            NotUnless(option, value, other) => {
                format!("with {} {value} and without {}", long(option), long(other))
            }
            Value(option, value) => format!("without {} {value}", long(option)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_need_names_options_of_its_commands() {
        let program = crate::cli::command();
        for (path, options, need) in NEEDS {
            let others = match need {
                With(option) | Without(option) => vec![option],
                Not(option, _) | Value(option, _) => vec![option],
                NotUnless(option, _, other) => vec![option, other],
            };
            let below = |command: &clap::Command, name: &str| {
                command.find_subcommand(name).unwrap().clone()
            };
            let names = path.split_whitespace();
            let command = names.fold(program.clone(), |command, name| below(&command, name));
            for id in options.split(' ').chain(others) {
                let mut all = command.get_arguments();
                let arg = all.find(|arg| arg.get_id() == id).expect(id);
                assert_eq!(Some(long(id).trim_start_matches('-')), arg.get_long());
            }
        }
    }
}
