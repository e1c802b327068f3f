//! The one table of commands: it feeds dispatch, footer, help and palette.

use crate::lesson::chart::Turn;
use crate::lesson::knob::did_you_mean;
use crate::lesson::picture::Steer;
use crate::lesson::session::Session;
use crate::lesson::walk::Intent;

pub mod groups;
mod table;

pub use table::{COMMANDS, MOUSE, SUSPEND};

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves the cursor, the text or a list: columns to the right, rows down.
    Move(isize, isize),
    /// Moves a leading index of the tensor.
    Lead(isize),
    /// Steps through the recorded run.
    Step(isize),
    /// Asks the cell, or goes on to the chosen term.
    Why,
    /// Goes on to the other factor of the chosen product.
    Partner,
    /// Goes back up.
    Up,
    /// Turns the chosen knob.
    Turn(isize),
    /// Chooses another knob.
    Knob(isize),
    /// Switches mistake number n on or off.
    Break(usize),
    /// Draws the difference to the sound run.
    Difference,
    /// Shows the slices of a tensor side by side.
    Multiples,
    /// Gives the cell under the cursor another value.
    Edit,
    /// Takes the last change of a cell back.
    Undo,
    /// Redoes the last change taken back.
    Redo,
    /// Flips every tensor to its gradient; `true`: of the cell under the cursor.
    Lens(bool),
    /// Checks the slope by the cell under the cursor by finite differences.
    Differences,
    /// Looks at another picture.
    Picture(isize),
    /// Turns the view of the chart looked at.
    Chart(Turn),
    /// Starts the experiment of the picture; begins, pauses and goes on with work that is steered.
    Run,
    /// Steers the work of the picture.
    Steer(Steer),
    /// Another page of the lesson.
    Page(isize),
    /// The next pane.
    Pane,
    /// Answers the page's question.
    Predict,
    /// The questions at the end.
    Quiz,
    /// The exercise.
    Exercise,
    /// The map of the learner's own model.
    Mine,
    /// A hint for the exercise.
    Hint,
    /// Points at the next symbol of the page's formulas.
    Symbol,
    /// Opens the card of the next term of the page.
    Term,
    /// The list of all terms.
    Terms,
    /// The real source of the operation.
    Source,
    /// A sentence of the learner's own.
    Sentence,
    /// The playground.
    Play,
    /// The hunt for a hidden fault.
    Hunt,
    /// The list of lessons.
    Map,
    /// Copies the command that shows this screen.
    Copy,
    /// Searches the lessons.
    Search,
    /// The mouse for the program or for the terminal.
    Mouse,
    /// What is possible here.
    Help,
    /// All commands by name.
    Palette,
    /// Stops the program, for the shell.
    Suspend,
    /// Shows once more how the result looked at comes about.
    Movement,
    /// The whole screen for the stage, or no longer.
    Full,
    /// The exercise's file in the learner's editor.
    Editor,
    /// Closes what is open.
    Close,
    /// Closes what is open, or leaves the lesson.
    Back,
    /// Ends the program.
    Quit,
}

/// One command.
pub struct Command {
    /// The keys that call it, as [`key_name`] spells them.
    pub keys: &'static [&'static str],
    /// Its name in the palette.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// A short word for the footer; empty where it has no place there. The table's order is the
    /// order in which entries are kept.
    pub footer: &'static str,
    /// The keys as the footer and the help print them.
    pub shown: &'static str,
    /// What it does.
    pub action: Action,
}

const fn command(
    keys: &'static [&'static str],
    shown: &'static str,
    footer: &'static str,
    name: &'static str,
    about: &'static str,
    action: Action,
) -> Command {
    Command {
        keys,
        name,
        about,
        footer,
        shown,
        action,
    }
}

/// Every command, those without a place in the footer too.
pub fn all() -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().chain([&MOUSE, &SUSPEND])
}

/// The action of a key.
pub fn of_key(key: &str) -> Option<Action> {
    all().find(|c| c.keys.contains(&key)).map(|c| c.action)
}

/// True if an action does something in the list of lessons.
pub fn is_of_the_list(action: Action) -> bool {
    matches!(
        action,
        Action::Help
            | Action::Palette
            | Action::Search
            | Action::Terms
            | Action::Why
            | Action::Move(..)
            | Action::Quit
            | Action::Mouse
            | Action::Suspend
            | Action::Play
            | Action::Hunt
            | Action::Mine
            | Action::Sentence
            | Action::Break(_)
    )
}

/// Intent of an action for the stage; `None` if it is not for the stage.
pub fn intent(action: Action) -> Option<Intent> {
    Some(match action {
        Action::Move(columns, rows) => Intent::Move(columns, rows),
        Action::Lead(by) => Intent::Lead(by),
        Action::Step(by) => Intent::Step(by),
        Action::Why => Intent::Why,
        Action::Partner => Intent::Partner,
        Action::Up => Intent::Up,
        Action::Turn(by) => Intent::Turn(by),
        Action::Knob(by) => Intent::Knob(by),
        Action::Break(n) => Intent::Break(n),
        Action::Difference => Intent::Difference,
        Action::Multiples => Intent::Multiples,
        Action::Lens(own) => Intent::Lens(own),
        Action::Undo => Intent::Undo,
        Action::Redo => Intent::Redo,
        Action::Picture(by) => Intent::Picture(by),
        Action::Chart(turn) => Intent::Chart(turn),
        _ => return None,
    })
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
        let intent =
            intent(action).ok_or_else(|| format!("the key '{key}' does nothing to a stage"))?;
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
