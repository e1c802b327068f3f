//! A learner's request to a stage, whether it comes from a key, a word or a command-line option.

use serde::{Deserialize, Serialize};

use super::Session;
use crate::lesson::chart::ViewChange;

/// The direction of a movement over cells, a text or a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// Over columns: positive is to the right.
    Horizontal,
    /// Over rows: positive is down.
    Vertical,
}

/// The number whose gradients are to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GradientOf {
    /// The loss, the last single number of the run; without one, the cell under the cursor.
    Loss,
    /// The cell under the cursor.
    Cell,
}

/// A request to a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Intent {
    /// Moves the cursor by this many cells.
    Move(Direction, isize),
    /// Moves through the tensor's leading indices.
    Lead(isize),
    /// Steps through the recorded run.
    Step(isize),
    /// Shows the tensor or picture with this name, or a cell: `weights[0,2,4,7]`.
    Look(String),
    /// Moves the cursor to this cell of the current tensor or picture.
    At(Vec<usize>),
    /// Shows this cell: `weights[0,2,4,7]`.
    Cell(String),
    /// Explains the cell under the cursor; asked again, follows the selected term.
    Why,
    /// Follows a term of the cell being explained.
    Term {
        /// Number of the term, from 1.
        number: usize,
        /// True for its second factor, if it is a product.
        partner: bool,
    },
    /// Follows the other factor of the selected product.
    Partner,
    /// Goes back up to the cell explained before.
    Up,
    /// Ends the explanation and shows the cell that was asked about first.
    Close,
    /// Turns the selected knob by this many stops.
    Turn(isize),
    /// Selects the knob this many places on.
    Knob(isize),
    /// Sets a knob to a value.
    Set(String, String),
    /// Toggles mistake number `n`, from 1.
    Break(usize),
    /// Toggles the mistake with this name.
    BreakNamed(String),
    /// Toggles drawing the difference from the sound run.
    Difference,
    /// Toggles between a tensor's slices (its heads) side by side and one at a time.
    Multiples,
    /// Sets the value of the cell under the cursor.
    Edit(String),
    /// Sets named cells, `scores[0,2]`, in place of what was set in them before.
    Put(Vec<(String, f32)>),
    /// Undoes the last edit.
    Undo,
    /// Redoes the edit undone last.
    Redo,
    /// Toggles between the values and the gradients of this number.
    ShowGradients(GradientOf),
    /// Shows the picture this many places on.
    Picture(isize),
    /// Changes the view of the current chart.
    Chart(ViewChange),
    /// Zooms a chart to a range, in the units of its axis.
    Window(f64, f64),
    /// Moves a chart's reading line to a position.
    Read(f64),
}

impl Session {
    /// Carries out a request. The error explains why that is impossible; then nothing has changed beyond what the
    /// sentence states.
    pub fn act(&mut self, intent: &Intent) -> Result<(), String> {
        match intent {
            Intent::Move(Direction::Horizontal, by) => self.move_cursor(0, *by),
            Intent::Move(Direction::Vertical, by) => self.move_cursor(1, *by),
            Intent::Lead(by) => self.move_lead(*by),
            Intent::Step(by) => self.advance(*by),
            Intent::Look(name) if name.ends_with(']') => {
                return self.act(&Intent::Cell(name.to_owned()));
            }
            Intent::Look(name) => return self.show(name),
            Intent::At(index) => return self.put_cursor(index),
            Intent::Cell(cell) => {
                let (name, index) = parse_cell(cell)?;
                return self.show_cell(name, &index);
            }
            Intent::Why => self.ask(),
            Intent::Term { number, partner } => return self.follow(*number, *partner),
            Intent::Partner => self.ask_partner(),
            Intent::Up => {
                self.back();
            }
            Intent::Close => {
                self.stop_asking();
            }
            Intent::Turn(by) => return self.turn(*by),
            Intent::Knob(by) => self.choose_knob(*by),
            Intent::Set(knob, value) => {
                let set = self.set(knob, value);
                // Select the knob that was set, so that turning continues from there.
                self.choose(knob);
                return set;
            }
            Intent::Break(n) => return self.toggle(*n),
            Intent::BreakNamed(name) => return self.switch(name, !self.requested().broken(name)),
            Intent::Difference => return self.compare(),
            Intent::Multiples => return self.toggle_multiples(),
            Intent::Edit(value) => return self.edit_text(value),
            Intent::Put(cells) => return self.put(cells),
            Intent::Undo if self.undo() => {}
            Intent::Redo if self.redo() => {}
            Intent::Undo | Intent::Redo => return Err("There is no such change.".to_owned()),
            Intent::ShowGradients(of) => return self.toggle_gradients(*of),
            Intent::Picture(by) => self.turn_picture(*by),
            Intent::Chart(turn) if self.turn_view(*turn) => {}
            Intent::Chart(_) => return Err("This turns a chart; look at one first.".to_owned()),
            Intent::Window(from, to) => return self.look_from_to(*from, *to),
            Intent::Read(x) => return self.read_at(*x),
        }
        Ok(())
    }

    /// As [`Session::act`], but an error becomes the refusal that is shown.
    pub fn act_or_refuse(&mut self, intent: &Intent) {
        let done = self.act(intent);
        let clears = matches!(
            intent,
            Intent::Difference | Intent::Multiples | Intent::Undo | Intent::Redo | Intent::Edit(_)
        );
        if done.is_err() || clears {
            self.refuse(done.err());
        }
    }
}

/// Parses a name and an index: `weights[0,2,4,7]`. `Err` shows the correct syntax.
pub fn parse_cell(text: &str) -> Result<(&str, Vec<usize>), String> {
    let wrong =
        || format!("a cell is written NAME[I,J,…], for example weights[0,2,4,7], not '{text}'");
    let (name, rest) = text.trim().split_once('[').ok_or_else(wrong)?;
    let inner = rest.strip_suffix(']').ok_or_else(wrong)?;
    let index = parse_index(inner).map_err(|_| wrong())?;
    Ok((name.trim(), index))
}

/// Parses an index: `0,2,4,7`, or nothing for a single number. `Err` shows the correct syntax.
pub fn parse_index(text: &str) -> Result<Vec<usize>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let parts: Result<Vec<usize>, _> = text.split(',').map(|i| i.trim().parse()).collect();
    parts.map_err(|_| format!("'{text}' is not an index; write numbers with commas: 0,2,4,7"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    #[test]
    fn cells_are_written_as_in_code() {
        assert_eq!(parse_cell(" weights[0, 2] "), Ok(("weights", vec![0, 2])));
        assert_eq!(parse_cell("loss[]"), Ok(("loss", vec![])));
        for wrong in [
            "weights",
            "weights[1",
            "weights[a]",
            "weights[-1]",
            "weights[1,,2]",
        ] {
            assert!(parse_cell(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_way_to_ask_ends_at_the_same_cell() {
        let mut session = Session::new(curriculum::find("attention").unwrap());
        session
            .act(&Intent::Cell("weights[1,2,3,4]".to_owned()))
            .unwrap();
        let (step, cursor) = (
            session.step().unwrap().name.clone(),
            session.cursor().to_vec(),
        );
        session.act(&Intent::Look("scores".to_owned())).unwrap();
        session.act(&Intent::Look("weights".to_owned())).unwrap();
        session.act(&Intent::At(vec![1, 2, 0, 0])).unwrap();
        session
            .act(&Intent::Move(Direction::Horizontal, 4))
            .unwrap();
        session.act(&Intent::Move(Direction::Vertical, 3)).unwrap();
        assert_eq!(
            (
                session.step().unwrap().name.clone(),
                session.cursor().to_vec()
            ),
            (step, cursor)
        );
    }

    #[test]
    fn impossible_intents_return_a_reason() {
        let mut session = Session::new(curriculum::find("attention").unwrap());
        for (intent, says) in [
            (Intent::Look("scoers".to_owned()), "did you mean 'scores'"),
            (Intent::At(vec![9]), "no cell"),
            (Intent::Undo, "no such change"),
            (Intent::Difference, "No mistake is on"),
            (Intent::Chart(ViewChange::Log), "chart"),
            (Intent::Window(1.0, 2.0), "chart"),
            (Intent::Break(99), "switches"),
            (
                Intent::BreakNamed("no-scael".to_owned()),
                "did you mean 'no-scale'",
            ),
        ] {
            let message = session.act(&intent).expect_err("it cannot be");
            assert!(message.contains(says), "{intent:?}: {message}");
        }
    }
}
