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
    /// Asks where the cell comes from, or follows the chosen term.
    Why,
    /// Follows the other factor of the chosen product.
    Partner,
    /// Goes back to the cell asked about before.
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
    /// Gives the cell under the cursor a new value.
    Edit,
    /// Undoes the last change of a cell.
    Undo,
    /// Redoes the last change that was undone.
    Redo,
    /// Flips every tensor to its gradient; `true`: of the cell under the cursor.
    Lens(bool),
    /// Checks the gradient with respect to the cell under the cursor by finite differences.
    Differences,
    /// Shows another picture.
    Picture(isize),
    /// Changes the view of the chart.
    Chart(Turn),
    /// Starts the picture's experiment; starts, pauses and resumes steered work.
    Run,
    /// Steers the picture's work.
    Steer(Steer),
    /// Turns to another page of the lesson.
    Page(isize),
    /// Opens the first page of the lesson.
    FirstPage,
    /// Opens the last page of the lesson.
    LastPage,
    /// Focuses the next pane.
    Pane,
    /// Answers the page's question.
    Predict,
    /// Asks the lesson's quiz.
    Quiz,
    /// Walks the core path only, or all pages again.
    Core,
    /// Asks for an explanation in the learner's own words.
    OwnWords,
    /// Shows the exercise.
    Exercise,
    /// Shows the map of the learner's own model.
    Mine,
    /// Gives a hint for the exercise.
    Hint,
    /// Begins the exercise at its next tier.
    Tier,
    /// Points at the next symbol of the page's formulas.
    Symbol,
    /// Opens the card of the next term of the page.
    Term,
    /// Lists all terms.
    Terms,
    /// Shows the source code of the operation.
    Source,
    /// Asks for a sentence to translate.
    Sentence,
    /// Opens the playground.
    Play,
    /// Explains the hunt for a hidden fault.
    Hunt,
    /// Shows the list of lessons.
    Map,
    /// Copies the command that shows this screen.
    Copy,
    /// Searches the lessons.
    Search,
    /// Gives the mouse to the program or to the terminal.
    Mouse,
    /// Lists what is possible here.
    Help,
    /// Finds commands and more by name.
    Palette,
    /// Suspends the program and returns to the shell.
    Suspend,
    /// Animates how the result on the stage comes about.
    Movement,
    /// Gives the whole screen to the stage, or takes it back.
    Full,
    /// Opens the exercise's file in the learner's editor.
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
    /// The keys that trigger it, as [`key_name`](super::update::key_name) spells them.
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

/// Every command: those of [`COMMANDS`], then [`MOUSE`] and [`SUSPEND`].
pub fn all() -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().chain([&MOUSE, &SUSPEND])
}

/// Action of a key.
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
