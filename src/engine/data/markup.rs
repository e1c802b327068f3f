//! Recognises JSON and XML given in place of text with one sentence per line, and suggests commands that extract the
//! sentences.

use serde::de::IgnoredAny;
use serde_json::Value;

/// Number of lines examined to recognise JSON.
const LINES: usize = 50;

/// Bytes within which text that is not JSON is recognised.
const BEGINNING: usize = 1 << 16;

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

/// Explains why the lines of `file` are not text, in a sentence about "it" that suggests what to do.
pub fn no_text(file: &str, lines: &[String]) -> Option<String> {
    let first = lines.iter().find(|line| !line.trim().is_empty())?.trim();
    if first.starts_with(['{', '[']) {
        return json(file, lines);
    }
    let lower: String = first.chars().take(20).collect::<String>().to_lowercase();
    let is_xml = XML.iter().any(|tag| lower.starts_with(tag));
    is_xml.then(|| xml(file, lines))
}

/// Recognises JSON with one value per line, or one value in the whole file.
fn json(file: &str, lines: &[String]) -> Option<String> {
    let filled = || lines.iter().filter(|line| !line.trim().is_empty());
    let each = filled().take(LINES);
    let values: Result<Vec<Value>, _> = each.map(|line| serde_json::from_str(line)).collect();
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
    let is_wrong = |text: &str| serde_json::from_str::<IgnoredAny>(text).err();
    // Sentences may begin with a bracket; the beginning shows that they are not JSON, without a copy of all lines.
    if is_wrong(&beginning(lines)).is_some_and(|why| !why.is_eof())
        || is_wrong(&lines.join("\n")).is_some()
    {
        return None;
    }
    let first = lines.iter().map(String::as_str).collect::<Vec<_>>();
    Some(match first_element(&first) {
        Some(value) => jq(file, ".[]", &value),
        None => jq(file, "", &Value::Null),
    })
}

/// The lines within about the first [`BEGINNING`] bytes.
fn beginning(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
        if text.len() > BEGINNING {
            break;
        }
    }
    text
}

/// First element of a document that is a list, which may be long.
fn first_element(lines: &[&str]) -> Option<Value> {
    let text = lines.join("\n");
    let inside = text.trim_start().strip_prefix('[')?;
    let mut values = serde_json::Deserializer::from_str(inside).into_iter::<Value>();
    values.next()?.ok()
}

/// Sentence with the commands that write two of the texts in `value` to files; `path` leads to it.
fn jq(file: &str, path: &str, value: &Value) -> String {
    let mut paths = Vec::new();
    texts(path, value, &mut paths);
    let first =
        "it is JSON, not text with one sentence per line; write the sentences to two files first";
    match &paths[..] {
        [source, target, ..] => format!(
            "{first}, for example with jq -r '{source}' {file} > source.txt and jq -r '{target}' {file} > target.txt"
        ),
        _ => format!("{first}, for example with jq -r"),
    }
}

/// Collects jq paths to the texts in a value.
fn texts(path: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(path.to_owned()),
        Value::Object(all) => {
            for (key, value) in all {
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let plain =
                    key.chars().all(plain) && !key.starts_with(|c: char| c.is_ascii_digit());
                let step = match plain && !key.is_empty() {
                    true => format!(".{key}"),
                    false if path.is_empty() => format!(".[{}]", Value::from(key.as_str())),
                    false => format!("[{}]", Value::from(key.as_str())),
                };
                texts(&format!("{path}{step}"), value, found);
            }
        }
        Value::Array(all) => {
            let dot = if path.is_empty() { "." } else { "" };
            for (n, value) in all.iter().take(2).enumerate() {
                texts(&format!("{path}{dot}[{n}]"), value, found);
            }
        }
        _ => {}
    }
}

/// Sentence about XML; for a translation memory (TMX), with the command that writes one language to a file.
fn xml(file: &str, lines: &[String]) -> String {
    let start = || lines.iter().take(1000);
    if !start().any(|line| line.contains("<tmx")) {
        return "it is XML, not text with one sentence per line; write the sentences to two files first".to_owned();
    }
    let mut languages: Vec<&str> = Vec::new();
    for line in start() {
        for rest in line.split("xml:lang=\"").skip(1) {
            let language = rest.split('"').next().unwrap_or_default();
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
    }
    let command = |language: &str| {
        format!(
            "xmlstarlet sel -T -t -m '//tuv[@xml:lang=\"{language}\"]' -v 'normalize-space(seg)' -n {file}"
        )
    };
    let (source, target) = match &languages[..] {
        [source, target, ..] => (*source, *target),
        _ => ("de", "en"),
    };
    format!(
        "it is TMX, a translation memory in XML, not text with one sentence per line; write the sentences to two \
         files first, for example with {} > source.txt and {} > target.txt",
        command(source),
        command(target)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        no_text("FILE", &lines)
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
            let said = found(text).expect(text);
            let commands =
                format!("jq -r '{source}' FILE > source.txt and jq -r '{target}' FILE >");
            assert!(
                said.starts_with("it is JSON") && said.contains(&commands),
                "{said}"
            );
        }
    }

    #[test]
    fn a_translation_memory_is_named_with_its_languages() {
        let said = found(
            "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><body><tu><tuv xml:lang=\"de\"><seg>Ja.</seg></tuv>\
             <tuv xml:lang=\"en-GB\"><seg>Yes.</seg></tuv></tu></body></tmx>\n",
        )
        .expect("it is TMX");
        for says in [
            "it is TMX",
            "[@xml:lang=\"de\"]",
            "[@xml:lang=\"en-GB\"]",
            "> target.txt",
        ] {
            assert!(said.contains(says), "{said}");
        }
        let said = found("<srcset setid=\"news\">\n<doc>\n").expect("it is SGML");
        assert!(said.starts_with("it is XML"), "{said}");
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
