//! The program's list of commands in its help, in groups with headings.

use std::fmt::Write;

use clap::Command;

/// Headings, each with its commands.
const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Learn",
        &["lessons", "show", "play", "hunt", "glossary", "book"],
    ),
    ("Exercise", &["exercise", "mine"]),
    ("Train and translate", &["train", "translate", "evaluate"]),
    ("Tools", &["tools", "doctor"]),
];

/// The command with a help that lists its subcommands in [`GROUPS`]; clap has one heading for all of them. Panics if a
/// group names a command that does not exist.
pub fn with_groups(command: Command) -> Command {
    let mut help = "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let all = || GROUPS.iter().flat_map(|(_, names)| *names);
    let width = all().map(|name| name.len()).max().unwrap_or(0);
    for (heading, names) in GROUPS {
        let _ = writeln!(help, "{header}{heading}:{header:#}");
        for name in names {
            let listed = command
                .find_subcommand(name)
                .expect("a group names commands");
            let about = listed.get_about().map(ToString::to_string);
            let about = about.unwrap_or_default();
            let _ = writeln!(help, "  {literal}{name:width$}{literal:#}  {about}");
        }
        help.push('\n');
    }
    let _ = write!(
        help,
        "{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    command.help_template(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let program = crate::cli::command();
        let mut all: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn every_command_of_a_list_has_one_line_of_80_columns() {
        let program = crate::cli::command();
        let tools = program.find_subcommand("tools").unwrap();
        for listing in [&program, tools] {
            let names = listing.get_subcommands().map(Command::get_name);
            let width = names.map(str::len).max().unwrap();
            for listed in listing.get_subcommands() {
                let about = listed.get_about().unwrap().to_string();
                assert!(
                    !about.contains('\n') && 4 + width + about.len() <= 80,
                    "{about}"
                );
            }
        }
    }
}
