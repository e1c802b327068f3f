//! Limits of option values: parsers that state them in the help and in errors, and the error that ends the program as
//! clap's own errors do.

use std::ffi::OsStr;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use crate::typeset::number::grouped;

/// Invalid option value. The program ends with exit code 2, as when clap refuses an argument.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(String);

/// Creates a [`Usage`] error with this message.
pub fn usage(sentence: impl Into<String>) -> anyhow::Error {
    Usage(sentence.into()).into()
}

/// Returns a [`Usage`] error unless the value is `sound`.
pub fn require(sound: bool, sentence: impl FnOnce() -> String) -> anyhow::Result<()> {
    if sound {
        Ok(())
    } else {
        Err(usage(sentence()))
    }
}

/// Parser of a number from `least` to `most`, so neither NaN nor infinite, made by [`count!`] or [`real!`].
#[derive(Clone, Copy)]
pub struct Limits<T> {
    pub least: T,
    pub most: T,
    /// What it must be: `a whole number`.
    pub kind: &'static str,
    /// The limits as text: `1 to 1000`.
    pub range: &'static str,
}

/// Makes a parser of a whole number within limits: `value_parser = count!(1, 1000)`.
macro_rules! count {
    ($least:literal, $most:literal) => {
        $crate::cli::limit::Limits {
            least: $least as usize,
            most: $most as usize,
            kind: "a whole number",
            range: concat!($least, " to ", $most),
        }
    };
}

/// Makes a parser of a number within limits: `value_parser = real!(-10, 10)`.
macro_rules! real {
    ($least:literal, $most:literal) => {
        $crate::cli::limit::Limits {
            least: $least as f64,
            most: $most as f64,
            kind: "a number",
            range: concat!($least, " to ", $most),
        }
    };
}

pub(super) use {count, real};

impl<T> TypedValueParser for Limits<T>
where
    T: FromStr + PartialOrd + Copy + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let limits = *self;
        let parse = move |text: &str| {
            let within = text.parse().ok();
            let within = within.filter(|n| (limits.least..=limits.most).contains(n));
            within.ok_or_else(|| format!("it must be {} from {}", limits.kind, limits.range))
        };
        parse.parse_ref(command, option, value)
    }

    /// Returns the limits for [`with_ranges`].
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(hidden(self.range))
    }
}

/// A range as the only value of an option, hidden so that neither clap's help nor its errors offer it as something to
/// type.
fn hidden(range: &'static str) -> Box<dyn Iterator<Item = PossibleValue>> {
    Box::new(std::iter::once(PossibleValue::new(range).hide(true)))
}

/// Returns the command with each number's range at the end of its help, instead of clap's list of values, and without
/// the environment variables that are empty, which clap would take for values.
pub fn with_ranges(command: Command) -> Command {
    let command = command.mut_args(with_range);
    command.mut_subcommands(with_ranges)
}

fn with_range(arg: Arg) -> Arg {
    let variable = arg.get_env().and_then(std::env::var_os);
    let is_empty = variable.is_some_and(|value| value.is_empty());
    let arg = if is_empty { arg.env(None) } else { arg };
    let values = arg.get_value_parser().possible_values();
    let range = values.and_then(|mut values| values.next());
    let Some((least, most)) = range
        .as_ref()
        .and_then(|range| range.get_name().split_once(" to "))
    else {
        return arg;
    };
    let most = most.parse().map_or_else(|_| most.to_owned(), grouped);
    let help = arg.get_help().map_or(String::new(), ToString::to_string);
    let help = format!("{help} ({least} to {most})");
    arg.help(help.trim_start().to_owned())
        .hide_possible_values(true)
}

/// Memory that a model and its training may use, in bytes.
pub fn memory() -> u64 {
    super::memory::limit().bytes
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    #[derive(Parser)]
    struct Two {
        #[arg(long, value_parser = count!(1, 1000))]
        beam: usize,
        #[arg(long, value_parser = real!(-10, 10))]
        alpha: Option<f64>,
    }

    #[test]
    fn a_value_outside_its_limits_is_refused_with_them() {
        for (beam, alpha, says) in [
            ("0", "1", "a whole number from 1 to 1000"),
            ("18446744073709551616", "1", "a whole number from 1 to 1000"),
            ("-1", "1", "a whole number from 1 to 1000"),
            ("1", "nan", "a number from -10 to 10"),
            ("1", "inf", "a number from -10 to 10"),
            ("1", "1e308", "a number from -10 to 10"),
            ("1", "", "a number from -10 to 10"),
        ] {
            let words = [
                "two",
                &format!("--beam={beam}"),
                &format!("--alpha={alpha}"),
            ];
            let error = Two::try_parse_from(words).err().expect("it is refused");
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(says), "{error}");
        }
        let two = Two::try_parse_from(["two", "--beam=1000", "--alpha=-10"])
            .ok()
            .unwrap();
        assert_eq!((two.beam, two.alpha), (1000, Some(-10.0)));
    }

    #[test]
    fn the_help_says_the_limits() {
        let mut help = super::with_ranges(<Two as clap::CommandFactory>::command());
        let help = help.render_help().to_string();
        for says in ["(1 to 1,000)", "(-10 to 10)"] {
            assert!(help.contains(says), "{help}");
        }
        assert!(!help.contains("possible values"), "{help}");
    }

    #[test]
    fn no_help_and_no_error_lists_a_range_as_a_value_to_type() {
        let is_range = |line: &str| {
            let (_, values) = line.split_once("possible values: ").unwrap_or_default();
            values.contains('"')
        };
        let check = |text: String| {
            let line = text.lines().find(|line| is_range(line));
            assert_eq!(line, None);
        };
        each(&mut crate::cli::command(), &mut |command| {
            check(command.render_help().to_string());
            check(command.render_long_help().to_string());
        });
        for range in [["--beam"], ["--alpha"]] {
            let words = [&["two"][..], &range].concat();
            check(Two::try_parse_from(words).err().unwrap().to_string());
        }
    }

    /// Calls `look` with the command and every command below it.
    fn each(command: &mut clap::Command, look: &mut dyn FnMut(&mut clap::Command)) {
        look(command);
        for below in command.get_subcommands_mut() {
            each(below, look);
        }
    }
}
