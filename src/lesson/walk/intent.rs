//! What a learner asks of a stage, in whatever way: a key, a word, an option of the command line.

use crate::lesson::chart::Turn;
use crate::lesson::session::Session;

/// What is asked of a stage.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Move the cursor: columns to the right, rows down.
    Move(isize, isize),
    /// Move a leading index of the tensor.
    Lead(isize),
    /// Step through the recorded run.
    Step(isize),
    /// Look at the tensor or picture with this name, or at a cell: `weights[0,2,4,7]`.
    Look(String),
    /// Put the cursor on this cell of what is looked at.
    At(Vec<usize>),
    /// Look at this cell: `weights[0,2,4,7]`.
    Cell(String),
    /// Ask the cell under the cursor where it came from; asked again, go on to the chosen term.
    Why,
    /// Go on to term `n` (from 1) of the cell asked about: to its first factor, or to its partner.
    Term(usize, bool),
    /// Go on to the other factor of the chosen product.
    Partner,
    /// Go back up to the cell asked about before.
    Up,
    /// Turn the chosen knob by so many stops.
    Turn(isize),
    /// Choose another knob.
    Knob(isize),
    /// Set a knob to a value.
    Set(String, String),
    /// Switch mistake number `n` (from 1) on or off.
    Break(usize),
    /// Switch the mistake with this name on or off.
    BreakNamed(String),
    /// Draw the difference to the sound run, or no longer.
    Difference,
    /// Show the slices of a tensor (its heads) side by side, or one at a time again.
    Multiples,
    /// Give the cell under the cursor another value.
    Edit(String),
    /// Take the last edit back.
    Undo,
    /// Make it again.
    Redo,
    /// Show the gradients of the loss, or (`true`) of the cell under the cursor; or the values again.
    Lens(bool),
    /// Look at another picture.
    Picture(isize),
    /// Turn the view of the chart looked at.
    Chart(Turn),
    /// Look at a chart from here to there, in the units of its axis.
    Window(f64, f64),
    /// Put a chart's reading line here.
    Read(f64),
}

impl Session {
    /// Does what is asked. `Err` says why it cannot be; then nothing has changed but what the sentence names.
    pub fn act(&mut self, intent: &Intent) -> Result<(), String> {
        match intent {
            Intent::Move(columns, 0) => self.move_cursor(0, *columns),
            Intent::Move(_, rows) => self.move_cursor(1, *rows),
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
            Intent::Term(n, partner) => return self.follow(*n, *partner),
            Intent::Partner => self.ask_partner(),
            Intent::Up => drop(self.back()),
            Intent::Turn(by) => return self.turn(*by),
            Intent::Knob(by) => self.choose_knob(*by),
            Intent::Set(knob, value) => {
                let set = self.set(knob, value);
                // What was set is what is turned on from there.
                self.choose(knob);
                return set;
            }
            Intent::Break(n) => return self.toggle(*n),
            Intent::BreakNamed(name) => return self.switch(name, !self.asked().broken(name)),
            Intent::Difference => return self.toggle_difference(),
            Intent::Multiples => return self.toggle_multiples(),
            Intent::Edit(value) => return self.edit_text(value),
            Intent::Undo if self.undo() => {}
            Intent::Redo if self.redo() => {}
            Intent::Undo | Intent::Redo => return Err("There is no such change.".to_owned()),
            Intent::Lens(own) => return self.toggle_lens(*own),
            Intent::Picture(by) => self.turn_picture(*by),
            Intent::Chart(turn) if self.turn_view(*turn) => {}
            Intent::Chart(_) => return Err("This turns a chart; look at one first.".to_owned()),
            Intent::Window(from, to) => return self.look_from_to(*from, *to),
            Intent::Read(x) => return self.read_at(*x),
        }
        Ok(())
    }

    /// As [`Session::act`]; what stands against it becomes the refusal that is shown.
    pub fn act_or_refuse(&mut self, intent: &Intent) {
        let done = self.act(intent);
        let clears = matches!(
            intent,
            Intent::Difference
                | Intent::Multiples
                | Intent::Lens(_)
                | Intent::Undo
                | Intent::Redo
                | Intent::Edit(_)
        );
        if done.is_err() || clears {
            self.refuse(done.err());
        }
    }
}

/// `weights[0,2,4,7]`: a name and an index. `Err` says how a cell is written.
pub fn parse_cell(text: &str) -> Result<(&str, Vec<usize>), String> {
    let wrong =
        || format!("a cell is written NAME[I,J,…], for example weights[0,2,4,7], not '{text}'");
    let (name, rest) = text.trim().split_once('[').ok_or_else(wrong)?;
    let inner = rest.strip_suffix(']').ok_or_else(wrong)?;
    let index = parse_index(inner).map_err(|_| wrong())?;
    Ok((name.trim(), index))
}

/// `0,2,4,7`, or nothing for a tensor of one number. `Err` says how an index is written.
pub fn parse_index(text: &str) -> Result<Vec<usize>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let parts: Result<Vec<usize>, _> = text.split(',').map(|i| i.trim().parse()).collect();
    parts.map_err(|_| format!("'{text}' is no index; write numbers with commas: 0,2,4,7"))
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
        session.act(&Intent::Move(4, 0)).unwrap();
        session.act(&Intent::Move(0, 3)).unwrap();
        assert_eq!(
            (
                session.step().unwrap().name.clone(),
                session.cursor().to_vec()
            ),
            (step, cursor)
        );
    }

    #[test]
    fn what_cannot_be_is_said() {
        let mut session = Session::new(curriculum::find("attention").unwrap());
        for (intent, says) in [
            (Intent::Look("scoers".to_owned()), "did you mean 'scores'"),
            (Intent::At(vec![9]), "no cell"),
            (Intent::Undo, "no such change"),
            (Intent::Difference, "No mistake is on"),
            (Intent::Chart(Turn::Log), "chart"),
            (Intent::Window(1.0, 2.0), "chart"),
            (Intent::Break(10), "switches"),
            (
                Intent::BreakNamed("no-scael".to_owned()),
                "did you mean 'no-scale'",
            ),
        ] {
            let said = session.act(&intent).expect_err("it cannot be");
            assert!(said.contains(says), "{intent:?}: {said}");
        }
    }
}
