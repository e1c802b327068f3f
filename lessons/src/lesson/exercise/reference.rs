//! The reference of an exercise: its location in the source, and code that would give it away.

use super::changes::{self, Change, Sign};
use super::{Exercise, comparison};
use crate::lesson::source::{self, Embedded, SourceRef};

impl Exercise {
    /// Text and location of the reference. The error explains why it cannot be shown.
    pub fn reference(&self) -> Result<(String, Option<SourceRef>), String> {
        included(self.solution)
    }

    /// Number of lines of code in the reference, without blank lines and comments; `None` if it cannot be shown.
    pub fn lines(&self) -> Option<usize> {
        let (code, _) = self.reference().ok()?;
        Some(comparison::lines(&code))
    }

    /// The function's signature in the starter: name, parameters and result.
    pub fn signature(&self) -> &'static str {
        let name = format!("fn {}", self.name);
        let Some(at) = self.starter.find(&name) else {
            return "";
        };
        let from = self.starter[..at].rfind('\n').map_or(0, |end| end + 1);
        let rest = &self.starter[from..];
        rest.split(" {\n").next().unwrap_or(rest)
    }

    /// Its mistake `name` as a change of the reference, if it has one.
    pub fn change(&self, name: &str) -> Option<&'static Change<'static>> {
        self.changes.iter().find(|change| change.name == name)
    }

    /// `code`, which is at `place`, with the lines that the mistake `name` takes out and puts in: each line begins with
    /// a minus, a plus or a space. `None` if that is not code that the mistake changes.
    pub fn marked(&self, code: &str, place: &SourceRef, name: &str) -> Option<String> {
        let (_, own) = self.reference().ok()?;
        let change = self
            .change(name)
            .filter(|_| own.is_some_and(|own| own.overlaps(place)))?;
        let lines = changes::applied(code, change.diff).ok()?;
        let lines = lines.iter().map(|line| {
            let sign = match line.sign {
                Sign::Stays => ' ',
                Sign::Goes => '-',
                Sign::Comes => '+',
            };
            let line = format!("{sign}{:indent$}{}", "", line.text, indent = line.indent);
            line.trim_end().to_owned()
        });
        Some(lines.collect::<Vec<_>>().join("\n"))
    }

    /// True if code at `place` shows part of the reference, or of another version of it.
    pub fn is_given_away_at(&self, place: &SourceRef) -> bool {
        let forms = std::iter::once(self.solution).chain(self.forms.iter().copied());
        let mut places = forms.filter_map(|form| included(form).ok()?.1);
        places.any(|form| form.overlaps(place))
    }
}

fn included(target: &str) -> Result<(String, Option<SourceRef>), String> {
    source::expand(&Embedded, "", &format!("{{{{#include {target}}}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::exercises;

    #[test]
    fn every_reference_and_every_form_of_one_is_found() {
        for (_, lesson, exercise) in exercises() {
            let (code, place) = exercise.reference().expect(lesson);
            assert!(code.contains("fn "), "{lesson}: {code}");
            assert!(exercise.is_given_away_at(&place.expect("one include")));
            assert!(exercise.lines().is_some_and(|n| n > 0), "{lesson}");
            let signature = exercise.signature();
            assert!(signature.contains(exercise.name), "{lesson}: {signature}");
            assert!(
                signature.contains(") -> ") || signature.ends_with(')'),
                "{signature}"
            );
            for form in exercise.forms {
                let source = included(form);
                assert!(source.is_ok_and(|(_, place)| place.is_some()), "{form}");
            }
        }
    }

    #[test]
    fn code_beside_the_reference_gives_nothing_away() {
        let lesson = crate::curriculum::find("attention").expect("it is a lesson");
        let exercise = lesson.exercise().expect("it has one");
        let (_, place) = exercise.reference().expect("it is found");
        let mut beside = place.expect("one include");
        (beside.first_line, beside.last_line) = (1, beside.first_line - 1);
        assert!(!exercise.is_given_away_at(&beside));
    }
}
