//! The one table of commands and their keys. It feeds the screen's dispatch, footer, help and palette, and the keys
//! that stage blocks and `show --press` press.

use crate::lesson::knob::did_you_mean;
use crate::lesson::session::Session;

mod action;
mod groups;
mod table;

pub use action::{Action, Traits};
pub use groups::{FIRST_KEYS, Group};
pub use table::{COMMANDS, MOUSE, SUSPEND};

/// One command.
pub struct Command {
    /// The keys that trigger it, as the screen names them.
    pub keys: &'static [&'static str],
    /// Its name in the palette.
    pub name: &'static str,
    /// Description of what it does.
    pub about: &'static str,
    /// A short word for the footer; empty if it is not listed there. Where space is short, entries
    /// earlier in the table are kept.
    pub footer: &'static str,
    /// The keys as the footer and the help print them.
    pub shown: &'static str,
    /// The action that it performs.
    pub action: Action,
}

/// Every command: those of [`COMMANDS`], then [`MOUSE`] and [`SUSPEND`].
pub fn all() -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().chain([&MOUSE, &SUSPEND])
}

/// Action of a key.
pub fn of_key(key: &str) -> Option<Action> {
    all().find(|c| c.keys.contains(&key)).map(|c| c.action)
}

/// Presses keys on a stage, as `show --press` and a lesson's stage block do: names separated by
/// spaces (`space space right enter`). `Err` names the nearest key.
pub fn press(session: &mut Session, keys: &str) -> Result<(), String> {
    for key in keys.split_whitespace() {
        let action = of_key(key).ok_or_else(|| {
            let names = all().flat_map(|c| c.keys.iter().copied());
            format!(
                "there is no key '{key}'{}; keys are separated by spaces",
                did_you_mean(key, names)
            )
        })?;
        let intent = action.traits().intent;
        let intent = intent.ok_or_else(|| format!("the key '{key}' does nothing to a stage"))?;
        session.act(&intent)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_bound_twice_and_no_name_stands_twice() {
        let keys: Vec<&str> = all().flat_map(|c| c.keys.iter().copied()).collect();
        let names: Vec<&str> = all().map(|c| c.name).collect();
        for list in [keys, names] {
            for (i, word) in list.iter().enumerate() {
                assert!(!list[..i].contains(word), "{word} stands twice");
            }
        }
    }
}
