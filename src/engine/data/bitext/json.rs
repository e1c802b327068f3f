//! JSON with one object per sentence pair, as Hugging Face's `datasets` writes it.

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::super::file;
use super::Units;

/// A field's value, as far as it can hold sentences.
#[derive(Deserialize)]
#[serde(untagged)]
enum Field {
    Text(String),
    Null(()),
    Object(Fields),
    List(Vec<Field>),
    /// A number or a truth value.
    Other(IgnoredAny),
}

/// Fields of an object in the file's order, which decides which language is the source.
type Fields = IndexMap<String, Field>;

/// Texts of one object by the names of their fields, in its order; a text that is null is empty.
type Record = Vec<(String, String)>;

/// What is wrong in a file, and where.
#[derive(Debug)]
pub(super) struct JsonError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong, to follow "line 5".
    pub what: String,
}

impl JsonError {
    fn damaged(line: usize, why: &serde_json::Error) -> Self {
        let what = format!("is damaged JSON: {why}");
        Self { line, what }
    }
}

/// True if a file is JSON with one object per line, or one list of objects. Damage is no reason to take it for text.
pub(super) fn is_json(text: &str) -> bool {
    let first = file::split(text).find(|line| !line.trim().is_empty());
    let is_valid = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    is_list(text)
        || first.is_some_and(|line| {
            // A single object may be spread over the lines of the whole file.
            is_object(line) && (is_valid(line) || !is_valid(text))
        })
}

fn is_object(text: &str) -> bool {
    let inside = text.trim_start().strip_prefix('{');
    inside.is_some_and(|inside| inside.trim_start().starts_with('"'))
}

fn is_list(text: &str) -> bool {
    text.trim_start().strip_prefix('[').is_some_and(is_object)
}

/// Reads the objects of a file.
pub(super) fn read(text: &str) -> Result<Units, JsonError> {
    let mut units = Units::default();
    if is_list(text) {
        let fields: Vec<Field> =
            serde_json::from_str(text).map_err(|e| JsonError::damaged(e.line(), &e))?;
        fields.into_iter().for_each(|field| units.add(field));
        return Ok(units);
    }
    for (n, line) in file::split(text).enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let field: Field = serde_json::from_str(line).map_err(|e| JsonError::damaged(n + 1, &e))?;
        if !matches!(field, Field::Object(_)) {
            return Err(JsonError {
                line: n + 1,
                what: "is not a JSON object, as the lines before it are".to_owned(),
            });
        }
        units.add(field);
    }
    Ok(units)
}

impl Units {
    /// Adds the texts of an object.
    fn add(&mut self, field: Field) {
        let texts = texts(field).into_iter();
        let unit = texts
            .map(|(name, text)| (self.index(&name), text))
            .collect();
        self.all.push(unit);
    }
}

/// Names of fields that hold the source, and of those that hold the target.
const ROLES: [[&str; 4]; 2] = [
    ["source", "src", "source_text", "src_text"],
    ["target", "tgt", "target_text", "tgt_text"],
];

/// Indices of the fields that are taken unless the user names others: source and target by their names, or else the
/// first two that are named like languages, or else the only two.
pub(super) fn languages(names: &[String]) -> Option<(usize, usize)> {
    let role = |all: &[&str]| names.iter().position(|name| all.contains(&name.as_str()));
    if let (Some(source), Some(target)) = (role(&ROLES[0]), role(&ROLES[1])) {
        return Some((source, target));
    }
    let all = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let matches = names.iter().enumerate().filter(|(_, name)| is(name));
        matches.map(|(n, _)| n).collect()
    };
    let candidates = [
        // `id` is Indonesian, too, but more often the number of a pair.
        all(&|name| is_language(name) && name != "id"),
        all(&is_language),
        all(&|_| true),
    ];
    match candidates.iter().find(|matches| matches.len() >= 2)?[..] {
        [source, target] => Some((source, target)),
        [source, target, ..] if is_language(&names[source]) => Some((source, target)),
        _ => None,
    }
}

/// True for a code such as `de`, `deu`, `de_DE`, `zh-Hans` or `deu_Latn`.
fn is_language(name: &str) -> bool {
    let mut parts = name.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    let is_code = |part: &str, most| {
        (2..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    is_code(language, 3)
        && language.bytes().all(|b| b.is_ascii_lowercase())
        && parts.all(|part| is_code(part, 4))
        // Fields of other contents with names as short.
        && !["url", "doc", "key", "idx", "tag"].contains(&name)
}

/// Texts of an object: those of its field `translation`, if that is an object, or its own.
fn texts(field: Field) -> Record {
    let Field::Object(mut fields) = field else {
        return Record::new();
    };
    if let Some(Field::Object(inner)) = fields.get_mut("translation") {
        fields = std::mem::take(inner);
    }
    if let Some(record) = in_lists(&mut fields) {
        return record;
    }
    let text = |(name, field)| match field {
        Field::Text(text) => Some((name, text)),
        Field::Null(()) => Some((name, String::new())),
        _ => None,
    };
    fields.into_iter().filter_map(text).collect()
}

/// Texts of `{"language": ["de", "en"], "translation": ["Ja.", "Yes."]}`, the form for a varying number of languages.
fn in_lists(fields: &mut Fields) -> Option<Record> {
    let mut list = |wanted: &str| {
        let Field::List(all) = fields.get_mut(wanted)? else {
            return None;
        };
        let text = |field: Field| match field {
            Field::Text(text) => text,
            _ => String::new(),
        };
        Some(std::mem::take(all).into_iter().map(text))
    };
    Some(list("language")?.zip(list("translation")?).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        assert!(is_json(text));
        let units = read(text).unwrap();
        let texts = |unit: &Vec<(usize, String)>| {
            let texts = unit
                .iter()
                .map(|(n, text)| format!("{}={text}", units.names[*n]));
            texts.collect::<Vec<_>>().join(" ")
        };
        units.all.iter().map(texts).collect()
    }

    #[test]
    fn a_line_is_a_unit_whose_texts_keep_their_order() {
        let text = "{\"id\": 1, \"translation\": {\"en\": \"Yes \\u00e9\", \"de\": \"Ja.\"}}\n\n\
            {\"de\": \"Nein.\", \"score\": 0.5, \"en\": null}\r\n\
            {\"translation\": {\"language\": [\"de\", \"en\"], \"translation\": [\"A\", \"B\"]}}";
        assert_eq!(
            found(text),
            ["en=Yes é de=Ja.", "de=Nein. en=", "de=A en=B"]
        );
    }

    #[test]
    fn a_list_of_objects_is_read_too() {
        let text = "[\n  {\"de\": \"Ja.\",\n   \"en\": \"Yes.\"}\n]\n";
        assert_eq!(found(text), ["de=Ja. en=Yes."]);
        assert_eq!(read("[{\"de\": 1},\n{]").unwrap_err().line, 2);
    }

    #[test]
    fn a_damaged_line_is_named() {
        let error = read("{\"a\": \"b\"}\n\n{\"a\": \"b\n").unwrap_err();
        assert_eq!(error.line, 3);
        assert!(error.what.starts_with("is damaged JSON"), "{}", error.what);
        assert_eq!(read("{\"a\": \"b\"}\n[1]\n").unwrap_err().line, 2);
    }

    #[test]
    fn fields_are_chosen_by_their_names() {
        for (names, chosen) in [
            (&["id", "de", "en"][..], Some((1, 2))),
            (&["id", "en"], Some((0, 1))),
            (&["deu_Latn", "url", "zho_Hans"], Some((0, 2))),
            (&["target", "source"], Some((1, 0))),
            (&["question", "answer"], Some((0, 1))),
            (&["question", "answer", "note"], None),
            (&["text"], None),
            (&[], None),
        ] {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            assert_eq!(languages(&names), chosen, "{names:?}");
        }
    }

    #[test]
    fn sentences_with_brackets_are_no_json() {
        for text in [
            "",
            "[Applaus]\nDanke.\n",
            "{x} ist eine Menge.\n",
            "{}\n",
            "[1]\n",
        ] {
            assert!(!is_json(text), "{text:?}");
        }
    }
}
