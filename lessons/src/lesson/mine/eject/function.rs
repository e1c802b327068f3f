//! The file of one function in the ejected crate.

use crate::lesson::exercise::Exercise;
use crate::lesson::exercise::starter::without_teaching;
use crate::lesson::mine::status::Status;
use crate::lesson::source::{Embedded, Files};

/// Folder of the solutions of exercises whose reference has another signature.
const WRITTEN: &str = "lessons/src/lesson/mine/ejected/functions";

/// The crate's module of all functions.
pub fn module(names: &[&str]) -> String {
    let head = "//! The functions of a Transformer, its training and its search, in the order of the lessons.\n";
    let line = |name: &&str| format!("\nmod {name};\npub use {name}::{name};\n");
    head.to_owned() + &names.iter().map(line).collect::<String>()
}

/// The learner's file. The types that it imports from the tutor are the crate's own there.
pub fn own(exercise: &Exercise, text: &str) -> String {
    let text = text.replace("transformer_tutor::", "crate::");
    let text = without_teaching(&text);
    format!("// Yours, from exercises/{}.rs.\n\n{text}", exercise.name)
}

/// The reference, with the imports that it needs. `names` are all functions of the crate.
pub fn borrowed(status: &Status, names: &[&str]) -> Result<String, String> {
    let exercise = status.exercise;
    let code = code(exercise)?;
    let calls: String = code.lines().filter(|line| !is_comment(line)).collect();
    let mut uses = imports(exercise.starter, &code);
    for name in names.iter().filter(|name| **name != exercise.name) {
        let imported = uses.iter().any(|line| has_word(line, name));
        if !imported && has_word(&calls, &format!("{name}(")) {
            uses.push(format!("use crate::functions::{name};"));
        }
    }
    uses.sort();
    let head = format!("// The reference of lesson {:02}.", status.lesson);
    let parts = [head, uses.join("\n"), code];
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Ok(parts.join("\n\n") + "\n")
}

/// The functions of an exercise's reference, the first of them under the exercise's name.
fn code(exercise: &Exercise) -> Result<String, String> {
    if let Some(text) = Embedded.read(&format!("{WRITTEN}/{}.rs", exercise.name)) {
        let (_, code) = text
            .split_once("\n\n")
            .ok_or("imports, an empty line, the function")?;
        return Ok(code.to_owned());
    }
    let (code, _) = exercise.reference()?;
    let functions: Vec<String> = items(&code)
        .into_iter()
        .filter(|item| is_function(item))
        .collect();
    let code = functions.join("\n\n");
    let wrong = || format!("the reference of {} is not a function", exercise.name);
    let (before, rest) = code.split_once("pub fn ").ok_or_else(wrong)?;
    let end = rest.find(['(', '<']).ok_or_else(wrong)?;
    Ok(format!("{before}pub fn {}{}", exercise.name, &rest[end..]))
}

/// The items of a text, which begin without indentation behind an empty line. Attributes about panics are left out.
fn items(code: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut after_blank = true;
    for line in code.lines().filter(|line| *line != "#[track_caller]") {
        let begins = after_blank && !line.is_empty() && !line.starts_with(' ');
        match items.last_mut() {
            Some(item) if !begins => {
                item.push('\n');
                item.push_str(line);
            }
            _ => items.push(line.to_owned()),
        }
        after_blank = line.is_empty();
    }
    items
        .iter()
        .map(|item| item.trim_end().to_owned())
        .collect()
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

/// True if an item is a function. The crate has the types already.
fn is_function(item: &str) -> bool {
    let mut lines = item.lines().filter(|line| !is_comment(line));
    let first = lines.next().unwrap_or_default();
    first.trim_start_matches("pub ").starts_with("fn ")
}

/// The starter's imports from the tutor that `code` uses, as imports from the crate.
fn imports(starter: &str, code: &str) -> Vec<String> {
    let lines = starter.lines().filter_map(|line| {
        let path = line
            .strip_prefix("use transformer_tutor::")?
            .strip_suffix(';')?;
        let (module, names) = path.rsplit_once("::")?;
        let names = names
            .trim_start_matches('{')
            .trim_end_matches('}')
            .split(", ");
        let used: Vec<&str> = names.filter(|name| has_word(code, name)).collect();
        match used[..] {
            [] => None,
            [name] => Some(format!("use crate::{module}::{name};")),
            _ => Some(format!("use crate::{module}::{{{}}};", used.join(", "))),
        }
    });
    lines.collect()
}

/// True if `text` has `word` where no longer name begins or ends.
fn has_word(text: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let ends = word.ends_with('(') || !after.is_some_and(is_name);
        ends && !before.is_some_and(|c| is_name(c) || c == '.')
    })
}
