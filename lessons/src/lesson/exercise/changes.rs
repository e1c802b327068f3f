//! Mistakes as changes of the reference: the `mistakes.diff` of an exercise.
//!
//! A mistake begins with its name, `//# no-scale`. What the check tells a learner who makes it follows, unless
//! `lesson.toml` has the words: `//# by-d-k: You divide the scores by d_k. …`. Then come the lines that change: `-`
//! before a line that goes, `+` before one that comes, and a space before one that stays and tells where the next one
//! is. Each line that goes or stays is the next one of its wording. Indentation does not count.
//!
//! The build script compiles this file too, so it needs only the standard library.

/// A mistake as a change of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// Name by which a check attributes a failure to it, often that of a switch of the stage.
    pub name: &'a str,
    /// What the check says about it, if that is not in `lesson.toml`.
    pub says: Option<&'a str>,
    /// The changed lines.
    pub diff: &'a str,
    /// Number of the first of them in the file, from 1.
    pub line: usize,
}

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Stays,
    Goes,
    Comes,
}

/// A line of the reference, or one that comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    pub sign: Sign,
    /// Number of columns by which it is indented.
    pub indent: usize,
    /// The line without its indentation.
    pub text: &'a str,
    /// Number of the line of the change that mentions it, from 0.
    pub number: Option<usize>,
}

/// The changes in a `mistakes.diff`.
pub fn parse(text: &str) -> impl Iterator<Item = Change<'_>> {
    let mut line = 1;
    text.split("//# ").filter_map(move |section| {
        let first = line + 1;
        line += section.matches('\n').count();
        let (head, diff) = section.split_once('\n')?;
        let (name, says) = match head.split_once(": ") {
            Some((name, says)) => (name, Some(says)),
            None => (head, None),
        };
        Some(Change {
            name,
            says,
            diff,
            line: first,
        })
    })
}

/// The lines of `whole` with a change. The error is the number of a line of the change that does not fit, from 0, and
/// why not.
pub fn applied<'a>(whole: &'a str, diff: &'a str) -> Result<Vec<Line<'a>>, (usize, String)> {
    let line = |sign, text: &'a str, number| Line {
        sign,
        indent: text.len() - text.trim_start().len(),
        text: text.trim(),
        number,
    };
    let mut rest = whole.lines().map(|text| line(Sign::Stays, text, None));
    let mut lines: Vec<Line> = Vec::new();
    // Where the reference has the last line that was found, and how far left of that the change has it.
    let (mut column, mut shift) = (0, 0);
    for (number, text) in diff.lines().enumerate() {
        let change = match text.get(..1) {
            Some("-") => line(Sign::Goes, &text[1..], Some(number)),
            Some("+") => line(Sign::Comes, &text[1..], Some(number)),
            Some(" ") => line(Sign::Stays, &text[1..], Some(number)),
            Some(_) => {
                return Err((
                    number,
                    format!("`{text}` begins with none of -, + and space"),
                ));
            }
            None => continue,
        };
        if change.sign == Sign::Comes {
            let indent = (change.indent + column).saturating_sub(shift);
            lines.push(Line { indent, ..change });
            continue;
        }
        let skipped = rest.clone().take_while(|kept| kept.text != change.text);
        let skipped = skipped.count();
        lines.extend(rest.by_ref().take(skipped));
        let Some(found) = rest.next() else {
            return Err((number, missing(whole, change.text)));
        };
        (column, shift) = (found.indent, change.indent);
        lines.push(Line {
            indent: column,
            ..change
        });
    }
    lines.extend(rest);
    Ok(lines)
}

/// Says that a line is missing, and which one is the most like it.
fn missing(whole: &str, text: &str) -> String {
    let all = whole.lines().map(str::trim);
    let nearest = all.max_by_key(|line| {
        let same = |(a, b): &(char, char)| a == b;
        let begin = line.chars().zip(text.chars()).take_while(same);
        let end = line.chars().rev().zip(text.chars().rev());
        begin.count() + end.take_while(same).count()
    });
    match nearest {
        Some(line) if line == text => {
            format!("the reference has `{text}` only above the line before")
        }
        nearest => format!(
            "the reference has no line `{text}`; the nearest is `{}`",
            nearest.unwrap_or_default()
        ),
    }
}

/// The text of changed lines. `note` is appended to those that come.
pub fn code(lines: &[Line], note: impl Fn(usize) -> String) -> String {
    let kept = lines.iter().filter(|line| line.sign != Sign::Goes);
    let texts = kept.map(|line| {
        let note = match (line.sign, line.number) {
            (Sign::Comes, Some(number)) => note(number),
            _ => String::new(),
        };
        format!("{:indent$}{}{note}\n", "", line.text, indent = line.indent)
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(whole: &str, diff: &str) -> Result<String, (usize, String)> {
        applied(whole, diff).map(|lines| code(&lines, |_| String::new()))
    }

    #[test]
    fn changes_are_made_at_the_next_line_of_their_wording() {
        let whole = "a\nb\na\nc\n";
        assert_eq!(
            changed(whole, "  b\n- a\n+ d\n").as_deref(),
            Ok("a\nb\nd\nc\n")
        );
        let (line, why) = changed(whole, "- c\n- b\n").expect_err("b is above c");
        assert!(line == 1 && why.contains("only above"), "{why}");
        let (line, why) = changed(whole, "- bb\n").expect_err("there is none");
        assert!(
            line == 0 && why.ends_with("the nearest is `b`"),
            "{line}: {why}"
        );
        assert!(changed(whole, "b\n").is_err());
    }

    #[test]
    fn a_line_that_comes_is_indented_like_its_neighbour() {
        let whole = "fn f() {\n    if x {\n        y();\n    }\n}\n";
        let changed = changed(whole, "- y();\n+ if z {\n+     y();\n+ }\n");
        let expected =
            "fn f() {\n    if x {\n        if z {\n            y();\n        }\n    }\n}\n";
        assert_eq!(changed.as_deref(), Ok(expected));
    }

    #[test]
    fn a_head_has_a_name_and_maybe_words() {
        let text = "//# first\n- a\n+ b\n//# second: Why: because.\n- c\n";
        let all: Vec<_> = parse(text).collect();
        let first = Change {
            name: "first",
            says: None,
            diff: "- a\n+ b\n",
            line: 2,
        };
        let second = Change {
            name: "second",
            says: Some("Why: because."),
            diff: "- c\n",
            line: 5,
        };
        assert_eq!(all, [first, second]);
    }
}
