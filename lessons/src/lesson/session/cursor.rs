//! What is being shown, and the cell under the cursor.

use super::{Focus, Session};
use crate::lesson::chart::ViewChange;
use crate::lesson::page::{Page, StageBlock};
use crate::lesson::picture::{CellName, Diagram, MapBox};
use crate::lesson::{Body, Lesson};
use crate::tensor::flat_index;

impl Session {
    /// Shows something else. On axes shared with what was shown before, the cursor keeps its position.
    pub fn set_focus(&mut self, focus: Focus) {
        self.remember();
        self.look_at(focus);
        self.view.touched = true;
    }

    /// Remembers the cursor's position on each named axis.
    pub(super) fn remember(&mut self) {
        for (axis, at) in self.axes().into_iter().zip(self.view.cursor.clone()) {
            if let Some(axis) = axis {
                self.view.axis_positions.insert(axis, at);
            }
        }
    }

    /// Names of the axes that the cursor moves along; `None` for an axis whose name is empty or not unique.
    fn axes(&self) -> Vec<Option<String>> {
        let names: Vec<&str> = match self.view.focus {
            Focus::Step(n) => self.shown.run.trace.steps()[n].axes.clone(),
            Focus::Picture(n) => match &self.shown.run.pictures[n].body {
                Body::Matrix { rows, columns, .. } => vec![&rows.0, &columns.0],
                _ => Vec::new(),
            },
        };
        let once = |name: &&str| names.iter().filter(|other| other == &name).count() == 1;
        let named = names
            .iter()
            .map(|name| (!name.is_empty() && once(name)).then(|| (*name).to_owned()));
        named.collect()
    }

    /// Shows something with the cursor at the remembered position on each axis, or else at the first cell.
    pub(super) fn look_at(&mut self, focus: Focus) {
        self.view.focus = focus;
        let shape = self.cursor_shape();
        self.view.cursor = vec![0; shape.len()];
        for (index, axis) in self.axes().into_iter().enumerate().take(shape.len()) {
            let at = axis.and_then(|axis| self.view.axis_positions.get(&axis).copied());
            self.view.cursor[index] = at.filter(|at| *at < shape[index]).unwrap_or(0);
        }
        // Start at the bottom, because a map is read upwards.
        if let Some(Body::Map(map)) = self.picture().map(|p| &p.body) {
            self.view.cursor[0] = map.rows.len().saturating_sub(1);
        }
        self.forget_why();
    }

    /// Shape of the area that the cursor moves in.
    pub fn cursor_shape(&self) -> Vec<usize> {
        use super::Body;
        match self.view.focus {
            Focus::Step(n) => self.shown.run.trace.steps()[n].value.shape().to_vec(),
            Focus::Picture(n) => match &self.shown.run.pictures[n].body {
                Body::Matrix { values, .. } => values.shape().to_vec(),
                Body::Map(map) => vec![map.rows.len(), 2],
                Body::Planes(planes) => {
                    let queries = planes.iter().map(|plane| plane.queries.len());
                    vec![planes.len(), queries.max().unwrap_or(1)]
                }
                Body::Diagrams(all) => {
                    let most = |of: fn(&Diagram) -> usize| all.iter().map(of).max().unwrap_or(1);
                    vec![all.len(), most(Diagram::longest), most(|d| d.columns.len())]
                }
                Body::Table { rows, .. } => vec![rows.len().max(1), 1],
                Body::Bars { bars, .. } => vec![bars.len().max(1), 1],
                _ => Vec::new(),
            },
        }
    }

    /// Moves `by` steps through the recorded run.
    pub fn advance(&mut self, by: isize) {
        let last = self.shown.run.trace.steps().len() as isize - 1;
        let now = match self.view.focus {
            Focus::Step(n) => n as isize,
            Focus::Picture(_) => -1,
        };
        self.set_focus(Focus::Step((now + by).clamp(0, last) as usize));
    }

    /// Moves to the next picture or, if `by` is negative, the previous one.
    pub fn turn_picture(&mut self, by: isize) {
        let count = self.shown.run.pictures.len() as isize;
        if count == 0 {
            return;
        }
        let next = match self.view.focus {
            Focus::Picture(n) => (n as isize + by).rem_euclid(count),
            Focus::Step(_) if by > 0 => 0,
            Focus::Step(_) => count - 1,
        };
        self.set_focus(Focus::Picture(next as usize));
    }

    /// Moves the cursor along an axis, counted from the last: 0 is the columns, 1 the rows, 2 and above the leading
    /// indices. While the origin of a cell is shown, moves through its terms instead.
    pub fn move_cursor(&mut self, axis_from_last: usize, by: isize) {
        if !self.provenance.path.is_empty() && axis_from_last < 2 {
            let last = self.terms().len().saturating_sub(1) as isize;
            self.provenance.term = (self.provenance.term as isize + by).clamp(0, last) as usize;
            return;
        }
        if axis_from_last == 0 && self.turn_view(ViewChange::Read(by)) {
            return;
        }
        let shape = self.cursor_shape();
        let Some(axis) = shape.len().checked_sub(axis_from_last + 1) else {
            return;
        };
        let last = shape[axis].saturating_sub(1) as isize;
        self.view.cursor[axis] = (self.view.cursor[axis] as isize + by).clamp(0, last) as usize;
        if axis_from_last >= 2 {
            self.provenance.path.clear();
        }
    }

    /// Selects term number `n`, from 0, of the cell whose origin is shown.
    pub fn choose_term(&mut self, n: usize) {
        self.provenance.term = n.min(self.terms().len().saturating_sub(1));
    }

    /// Moves the cursor over rows; if the origin of a cell is shown, leaves it first.
    pub fn move_rows(&mut self, by: isize) {
        self.forget_why();
        self.move_cursor(1, by);
    }

    /// Moves to the next matrix of a tensor of rank 3 or more, in the order of its leading indices.
    pub fn move_lead(&mut self, by: isize) {
        let shape = self.cursor_shape();
        let Some(leading) = shape.len().checked_sub(2).filter(|&n| n > 0) else {
            return;
        };
        let count: usize = shape[..leading].iter().product();
        let now = flat_index(&shape, &self.view.cursor[..leading]);
        let mut next = (now as isize + by).clamp(0, count as isize - 1) as usize;
        for axis in (0..leading).rev() {
            self.view.cursor[axis] = next % shape[axis];
            next /= shape[axis];
        }
        self.forget_why();
    }

    /// Puts the cursor on a cell. The error explains why there is none.
    pub fn put_cursor(&mut self, index: &[usize]) -> Result<(), String> {
        let shape = self.cursor_shape();
        if index.len() != shape.len() || index.iter().zip(&shape).any(|(i, n)| i >= n) {
            return Err(format!("there is no cell {index:?} in shape {shape:?}"));
        }
        self.view.cursor = index.to_vec();
        self.forget_why();
        Ok(())
    }

    /// The tensor or picture named `name`: its name in the run, its name on the screen (`matmul (2nd)`), or the last
    /// part of its name if that is unique.
    pub fn named(&self, name: &str) -> Option<Focus> {
        let picture = self.shown.run.pictures.iter().position(|p| p.name == name);
        let step = || self.step_named(name).map(Focus::Step);
        picture.map(Focus::Picture).or_else(step)
    }

    fn step_named(&self, name: &str) -> Option<usize> {
        let recorded = recorded(name);
        let by_ending = || {
            let ends = |whole: &str| {
                let rest = whole.strip_suffix(recorded.as_str());
                rest.is_some_and(|rest| rest.ends_with('.'))
            };
            let steps = self.shown.run.trace.steps().iter().enumerate();
            let mut hits = steps.filter(|(_, step)| ends(&step.name)).map(|(n, _)| n);
            hits.next().filter(|_| hits.next().is_none())
        };
        self.shown.run.trace.find(&recorded).or_else(by_ending)
    }

    /// Shows a cell of the tensor of that name or, if there is none, of the picture. The error explains why there is no
    /// such cell.
    pub fn show_cell(&mut self, name: &str, index: &[usize]) -> Result<(), String> {
        match self.step_named(name) {
            Some(step) => self.set_focus(Focus::Step(step)),
            None => self.show(name)?,
        }
        self.put_cursor(index)
    }

    /// Shows the tensor or picture named `name`. `Err` names the nearest.
    pub fn show(&mut self, name: &str) -> Result<(), String> {
        let Some(focus) = self.named(name) else {
            if let Some(pending) = &mut self.background.pending {
                // The run that is being computed may have it.
                pending.then = Some(StageBlock {
                    show: Some(name.to_owned()),
                    ..StageBlock::default()
                });
                return Ok(());
            }
            let steps = self.shown.run.trace.steps().iter().map(|s| s.name.as_str());
            let names: Vec<&str> = steps
                .chain(self.shown.run.pictures.iter().map(|p| p.name))
                .collect();
            return Err(format!(
                "this run has no tensor or picture '{name}'{}{}",
                similar(name, &names),
                shown_on(self.lesson, name)
            ));
        };
        self.set_focus(focus);
        Ok(())
    }

    /// The box under the cursor, if a map is shown.
    pub fn box_at_cursor(&self) -> Option<&MapBox> {
        let (Body::Map(map), &[row, column]) = (&self.picture()?.body, &self.view.cursor[..])
        else {
            return None;
        };
        map.rows.get(row)?.get(column)?.as_ref()
    }

    /// The cell that the node under the cursor stands for, if a diagram is shown.
    pub fn cell_at_node(&self) -> Option<&CellName> {
        let (Body::Diagrams(all), &[at, node, column]) =
            (&self.picture()?.body, &self.view.cursor[..])
        else {
            return None;
        };
        let nodes = &all.get(at)?.columns.get(column)?.nodes;
        nodes[node.min(nodes.len().checked_sub(1)?)].opens.as_ref()
    }
}

/// Recorded name of a tensor that the screen calls `name`: `matmul#2` for `matmul (2nd)`.
fn recorded(name: &str) -> String {
    let numbered = || {
        let (name, number) = name.strip_suffix(')')?.rsplit_once(" (")?;
        let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let number: usize = digits.parse().ok()?;
        Some(format!("{name}#{number}"))
    };
    numbered().unwrap_or_else(|| name.to_owned())
}

/// The names nearest to `name`, at most three; empty if none is similar.
fn similar(name: &str, names: &[&str]) -> String {
    // A longer text is no name, and comparing takes time proportional to the product of the lengths.
    if name.len() > 100 {
        return String::new();
    }
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let wanted = last(name);
    let most = 2.max(wanted.chars().count() / 2);
    let mut near: Vec<(usize, &str)> = names
        .iter()
        .map(|known| (strsim::levenshtein(&wanted, &last(known)), *known))
        .filter(|(far, _)| *far <= most)
        .collect();
    near.sort_unstable();
    near.dedup();
    match near.iter().map(|(_, name)| *name).collect::<Vec<_>>()[..] {
        [] => String::new(),
        [one] => format!("; did you mean '{one}'?"),
        [first, second] => format!("; did you mean '{first}' or '{second}'?"),
        [first, second, third, ..] => format!("; did you mean '{first}', '{second}' or '{third}'?"),
    }
}

/// The first page of `lesson` that shows `name`, in a sentence; empty if none does.
fn shown_on(lesson: &Lesson, name: &str) -> String {
    let pages = lesson.pages().unwrap_or_default();
    let shows = |page: &Page| {
        let stage = page.stage();
        stage.is_some_and(|block| block.show.as_deref() == Some(name))
    };
    match pages.iter().position(shows) {
        Some(at) => format!(". Page {} shows it: {}", at + 1, pages[at].title),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::{self, LESSONS, PLAYGROUND};
    use crate::lesson::session::Intent;

    #[test]
    fn every_named_tensor_of_every_lesson_is_looked_at_cell_by_cell() {
        for lesson in LESSONS.into_iter().chain([PLAYGROUND]) {
            let mut session = Session::new(lesson);
            let steps: Vec<(String, Vec<usize>)> = (session.trace().steps().iter())
                .map(|step| (step.name.clone(), step.value.shape().to_vec()))
                .collect();
            for (name, shape) in steps.iter().filter(|(_, shape)| !shape.contains(&0)) {
                let last: Vec<usize> = shape.iter().map(|n| n - 1).collect();
                let index: Vec<String> = last.iter().map(ToString::to_string).collect();
                let cell = format!("{name}[{}]", index.join(","));
                let looked = session.act(&Intent::Look(cell.clone()));
                assert_eq!(looked, Ok(()), "{} {cell}", lesson.name);
                assert_eq!(session.step().map(|step| &step.name), Some(name));
                assert_eq!(session.cursor(), last);
            }
        }
    }

    #[test]
    fn a_tensor_is_found_as_the_screen_names_it_and_by_the_end_of_its_name() {
        let session = Session::new(curriculum::find("model").unwrap());
        let find = |name: &str| match session.named(name) {
            Some(Focus::Step(n)) => session.trace().steps()[n].name.as_str(),
            _ => "",
        };
        assert_eq!(find("log_probs"), "generator.log_probs");
        assert_eq!(find("generator.log_probs"), "generator.log_probs");
        assert_eq!(find("query"), "", "many end so");
        assert_eq!(recorded("matmul (2nd)"), "matmul#2");
        assert_eq!(recorded("weights"), "weights");
    }
}
