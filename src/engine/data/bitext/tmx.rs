//! TMX, the exchange format of translation memories: units with one variant per language.

use std::borrow::Cow;

use super::super::xml::{Event, Reader, XmlError};
use super::Units;

/// Inline elements whose content is markup of the original document, not text.
const CODES: [&str; 5] = ["bpt", "ept", "it", "ph", "ut"];

/// True if the first element of a document is that of TMX.
pub(super) fn is_tmx(text: &str) -> bool {
    let tag = |event| match event {
        Ok(Event::Start { name, .. }) => Some(Some(name)),
        Ok(_) => None,
        Err(_) => Some(None),
    };
    text.trim_start().starts_with('<') && Reader::new(text).find_map(tag) == Some(Some("tmx"))
}

/// Reads the units of a file.
pub(super) fn read(text: &str) -> Result<Units, XmlError> {
    let mut units = Units::default();
    let mut variant = Variant::default();
    for event in Reader::new(text) {
        match event? {
            Event::Start { name, attributes } => match name {
                "header" => units.source = attribute(&attributes, "srclang").map(str::to_owned),
                "tu" => units.all.push(Vec::new()),
                "tuv" => variant = Variant::of(units.index(language(&attributes))),
                "seg" => variant.segment = Some(String::new()),
                _ if CODES.contains(&name) => variant.codes += 1,
                _ => {}
            },
            Event::Text(text) => variant.add(&text),
            Event::End { name: "seg" } => {
                if let (Some(text), Some(unit)) = (variant.segment.take(), units.all.last_mut()) {
                    unit.push((variant.language, text));
                }
            }
            Event::End { name } if CODES.contains(&name) => {
                variant.codes = variant.codes.saturating_sub(1);
            }
            Event::End { .. } => {}
        }
    }
    Ok(units)
}

/// Language that the attributes of a variant name; empty if they name none.
fn language<'a>(attributes: &'a [(&str, Cow<str>)]) -> &'a str {
    // Before TMX 1.4 the attribute had no prefix.
    let mut names = ["xml:lang", "lang"].iter();
    let value = names.find_map(|name| attribute(attributes, name));
    value.unwrap_or_default()
}

fn attribute<'a>(attributes: &'a [(&str, Cow<str>)], name: &str) -> Option<&'a str> {
    let hit = attributes.iter().find(|attribute| attribute.0 == name);
    hit.map(|(_, value)| value.trim())
}

/// A variant of a unit while it is read.
#[derive(Default)]
struct Variant {
    language: usize,
    /// Text of its segment so far, if that is open.
    segment: Option<String>,
    /// Number of open elements whose content is markup.
    codes: usize,
}

impl Variant {
    fn of(language: usize) -> Self {
        Self {
            language,
            ..Self::default()
        }
    }

    fn add(&mut self, text: &str) {
        if let (Some(segment), 0) = (&mut self.segment, self.codes) {
            segment.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_codes_are_dropped_and_highlighted_text_is_kept() {
        let text = "<?xml version=\"1.0\"?><!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\"><header/><body>\
            <tu><note>a note</note><tuv xml:lang=\"de\"><seg>Der <bpt i=\"1\">&lt;b></bpt>gute<ept i=\"1\">&lt;/b>\
            </ept> <hi>Hund</hi>\n  bellt<ph>{1}<sub>x</sub></ph> &amp; l&#228;uft.</seg></tuv>\
            <tuv lang=\"EN-gb\"><prop>p</prop><seg><![CDATA[The dog]]> barks.</seg></tuv></tu></body></tmx>";
        assert!(is_tmx(text));
        let units = read(text).unwrap();
        assert_eq!(units.names, ["de", "EN-gb"]);
        assert_eq!(units.source, None);
        let unit = [
            (0, "Der gute Hund\n  bellt & läuft.".to_owned()),
            (1, "The dog barks.".to_owned()),
        ];
        assert_eq!(units.all, [unit]);
    }

    #[test]
    fn other_documents_are_no_tmx() {
        for text in ["", "<3 du", "<xliff><tmx/></xliff>", "Text <tmx>"] {
            assert!(!is_tmx(text), "{text}");
        }
    }

    #[test]
    fn a_file_that_is_cut_names_its_line() {
        let message = read("<tmx>\n<body><tu><tuv xml:lang=\"de\">\n<seg>Ja").unwrap_err();
        assert_eq!((message.line, &*message.what), (3, "ends before </seg>"));
    }
}
