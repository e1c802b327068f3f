//! How a learner's solution differs from the reference: the functions that only one of the two calls.

use std::collections::BTreeSet;

/// Words that can stand before a parenthesis and call nothing.
const KEYWORDS: [&str; 8] = ["if", "while", "match", "for", "return", "in", "let", "fn"];

/// Calls that say nothing about the method, only how Rust's values are handed over.
const PLUMBING: [&str; 8] = [
    "clone",
    "iter",
    "into_iter",
    "collect",
    "to_vec",
    "as_ref",
    "copied",
    "named",
];

/// Sentences that name the functions that only the reference calls, and those that only the learner's file calls.
pub(super) fn differences(reference: &str, own: &str) -> Vec<String> {
    let (reference, own) = (calls(reference), calls(&without_imports(own)));
    let only = |whose: &str, a: &BTreeSet<String>, b: &BTreeSet<String>| {
        let names: Vec<String> = a.difference(b).map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| format!("Only {whose} calls {}.", names.join(", ")))
    };
    let both = [
        only("the reference", &reference, &own),
        only("yours", &own, &reference),
    ];
    let sentences: Vec<String> = both.into_iter().flatten().collect();
    if sentences.is_empty() {
        return vec!["Both call the same functions.".to_owned()];
    }
    sentences
}

/// Number of lines of code, without blank lines and comments.
pub(super) fn lines(code: &str) -> usize {
    let lines = code.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

/// The text without its imports, which only tell where names come from.
fn without_imports(code: &str) -> String {
    let mut inside = false;
    let kept = code.lines().filter(|line| {
        let begins = line.starts_with("use ");
        let import = inside || begins;
        inside = import && !line.trim_end().ends_with(';');
        !import
    });
    kept.map(|line| format!("{line}\n")).collect()
}

/// Names of the functions and methods that are called in `code`. Functions that it defines itself are left out, and so
/// are variants and structs, whose names begin with a capital.
fn calls(code: &str) -> BTreeSet<String> {
    let code: String = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line))
        .flat_map(|line| [line, "\n"])
        .collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut called, mut defined) = (BTreeSet::new(), BTreeSet::new());
    let mut before = "";
    let mut rest = code.as_str();
    while let Some(start) = rest.find(is_word) {
        let word = &rest[start..];
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        let (name, after) = word.split_at(end);
        // `sum::<f32>()` is a call, too.
        let is_call = after.starts_with('(') || after.starts_with("::<");
        if before == "fn" {
            defined.insert(name);
        } else if is_call && name.starts_with(|c: char| c.is_lowercase()) {
            called.insert(name);
        }
        (before, rest) = (name, after);
    }
    let ignored = |name: &&&str| {
        defined.contains(**name) || KEYWORDS.contains(*name) || PLUMBING.contains(*name)
    };
    let names = called.iter().filter(|name| !ignored(name));
    names.map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFERENCE: &str = "pub fn softmax(row: &[f32]) -> Vec<f32> {\n    let largest = largest(row);\n    \
                             divide(row.iter().map(|x| (x - largest).exp()).collect())\n}\n";

    #[test]
    fn calls_are_names_before_a_parenthesis_without_definitions_comments_and_variants() {
        let code = "fn own(x: f32) -> f32 {\n    // skip(this)\n    if (x > 0.0) { Some(own(x.exp())) }\n    \
                    row.sum::<f32>()\n}\n";
        let names: Vec<String> = calls(code).into_iter().collect();
        assert_eq!(names, ["exp", "sum"]);
    }

    #[test]
    fn the_difference_is_told_as_calls() {
        let own = "use transformer_tutor::{\n    tensor::Tensor,\n};\n\n/// My softmax.\npub fn softmax(row: &[f32]) \
                   -> Vec<f32> {\n    divide(row.iter().map(|x| x.exp()).collect())\n}\n";
        let sentences = differences(REFERENCE, own);
        assert_eq!(sentences, ["Only the reference calls `largest`."]);
    }

    #[test]
    fn the_same_calls_are_said_to_be_the_same() {
        let sentences = differences(REFERENCE, REFERENCE);
        assert_eq!(sentences, ["Both call the same functions."]);
    }
}
