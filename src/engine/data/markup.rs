//! Recognises JSON and XML that is given in place of sentences and that no reader takes apart, and suggests what to do.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::file;

/// Number of lines examined to recognise JSON.
const LINES: usize = 50;

/// Beginnings of XML and SGML files that contain sentences.
const XML: [&str; 7] = [
    "<?xml",
    "<!doctype",
    "<tmx",
    "<xliff",
    "<html",
    "<srcset",
    "<refset",
];

/// What to do instead, after the name of the form.
const FIRST: &str = "not text with one sentence per line; write the sentences to two files first";

/// Explains why the text of `file` is not sentences, in a sentence about "it" that suggests what to do.
pub fn no_text(file: &str, text: &str) -> Option<String> {
    let first = text.trim_start();
    if first.starts_with(['{', '[']) {
        return json(file, text);
    }
    // A declaration and a document type may come before the first element.
    let start: String = first.chars().take(500).collect::<String>().to_lowercase();
    if !XML.iter().any(|tag| start.starts_with(tag)) {
        return None;
    }
    Some(if start.contains("<tmx") {
        format!(
            "it is TMX, {FIRST}, for example with xmlstarlet sel -T -t -m //tu -v \
             'normalize-space(tuv[lang(\"de\")]/seg)' -n {file} > source.txt, and the same with \"en\" for target.txt"
        )
    } else {
        format!("it is XML, {FIRST}")
    })
}

/// Recognises JSON with one value per line, or one value in the whole file.
fn json(file: &str, text: &str) -> Option<String> {
    let filled = file::split(text).filter(|line| !line.trim().is_empty());
    let each = filled.take(LINES).map(serde_json::from_str);
    let values: Result<Vec<Value>, _> = each.collect();
    if let Ok(values) = values
        && values
            .iter()
            .all(|value| value.is_object() || value.is_array())
    {
        // A single line may be a whole document.
        let several = values.len() > 1 || values[0].is_object();
        let (path, value) = match (&values[0], several) {
            (Value::Array(all), false) => (".[]", all.first()?),
            (value, _) => ("", value),
        };
        return Some(jq(file, path, value));
    }
    // Sentences may begin with a bracket.
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    Some(match first_element(text) {
        Some(value) => jq(file, ".[]", &value),
        None => jq(file, "", &Value::Null),
    })
}

/// First element of a document that is a list, which may be long.
fn first_element(text: &str) -> Option<Value> {
    let inside = text.trim_start().strip_prefix('[')?;
    let mut values = serde_json::Deserializer::from_str(inside).into_iter::<Value>();
    values.next()?.ok()
}

/// Sentence with the commands that write two of the texts in `value` to files; `path` leads to it.
fn jq(file: &str, path: &str, value: &Value) -> String {
    let mut paths = Vec::new();
    texts(path, value, &mut paths);
    match &paths[..] {
        [source, target, ..] => format!(
            "it is JSON, {FIRST}, for example with jq -r '{source}' {file} > source.txt and jq -r '{target}' {file} > target.txt"
        ),
        _ => format!("it is JSON, {FIRST}, for example with jq -r"),
    }
}

/// Collects jq paths to the texts in a value.
fn texts(path: &str, value: &Value, collected: &mut Vec<String>) {
    match value {
        Value::String(_) => collected.push(path.to_owned()),
        Value::Object(all) => {
            for (key, value) in all {
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let plain =
                    key.chars().all(plain) && !key.starts_with(|c: char| c.is_ascii_digit());
                let step = if plain && !key.is_empty() {
                    format!(".{key}")
                } else if path.is_empty() {
                    format!(".[{}]", Value::from(key.as_str()))
                } else {
                    format!("[{}]", Value::from(key.as_str()))
                };
                texts(&format!("{path}{step}"), value, collected);
            }
        }
        Value::Array(all) => {
            let dot = if path.is_empty() { "." } else { "" };
            for (n, value) in all.iter().take(2).enumerate() {
                texts(&format!("{path}{dot}[{n}]"), value, collected);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_contains, assert_starts_with};

    fn found(text: &str) -> Option<String> {
        no_text("FILE", text)
    }

    #[test]
    fn json_is_named_with_the_commands_that_take_its_sentences_out() {
        for (text, source, target) in [
            (
                "{\"translation\": {\"de\": \"Ja.\", \"en\": \"Yes.\"}}\n{\"translation\": {}}\n",
                ".translation.de",
                ".translation.en",
            ),
            (
                "{\"id\": 1, \"src-text\": \"Ja.\", \"tgt\": \"Yes.\"}",
                ".[\"src-text\"]",
                ".tgt",
            ),
            (
                "[\"Ja.\", \"Yes.\"]\n[\"Nein.\", \"No.\"]\n",
                ".[0]",
                ".[1]",
            ),
            (
                "[\n  {\"de\": \"Ja.\",\n   \"en\": \"Yes.\"},\n  {\"de\": \"Nein.\", \"en\": \"No.\"}\n]\n",
                ".[].de",
                ".[].en",
            ),
        ] {
            let message = found(text).expect(text);
            let commands =
                format!("jq -r '{source}' FILE > source.txt and jq -r '{target}' FILE >");
            assert_starts_with(&message, "it is JSON");
            assert_contains(&message, &commands);
        }
    }

    #[test]
    fn xml_is_named() {
        for text in [
            "<srcset setid=\"news\">\n<doc>\n",
            "\n<?xml version=\"1.0\"?><xliff/>",
        ] {
            assert_starts_with(&found(text).expect("it is XML"), "it is XML");
        }
        for text in [
            "<tmx version=\"1.4\"><header/>",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\">",
        ] {
            let message = found(text).expect("it is TMX");
            assert_starts_with(&message, "it is TMX");
            assert_contains(&message, "-n FILE > source.txt");
        }
    }

    #[test]
    fn sentences_with_brackets_and_angles_are_text() {
        for text in [
            "",
            "\n\n",
            "[Applaus]\nDanke.\n",
            "{x} ist eine Menge.\n",
            "<3 du bist toll\n",
            "3 < 4\n",
        ] {
            assert_eq!(found(text), None, "{text:?}");
        }
    }
}
