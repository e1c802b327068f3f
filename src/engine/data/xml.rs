//! A reader of XML: elements, attributes and text, without namespaces, schemas and entities of the document's own.

use std::borrow::Cow;

/// What an XML document consists of, in its order. An element without content has a start and an end.
#[derive(Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Start of an element, with its attributes.
    Start {
        /// Name of the element, with its prefix.
        name: &'a str,
        /// Names and values of its attributes.
        attributes: Vec<(&'a str, Cow<'a, str>)>,
    },
    /// End of the element that was opened last and is not closed yet.
    End {
        /// Name of the element, with its prefix.
        name: &'a str,
    },
    /// Text between tags, with its entities replaced. CDATA begins a text of its own.
    Text(Cow<'a, str>),
}

/// What is wrong in a document, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong, to follow "line 5".
    pub what: String,
}

/// Iterator over the events of a document, which ends after an error.
pub struct Reader<'a> {
    text: &'a str,
    /// Byte of `text` at which the next event begins.
    at: usize,
    /// Elements that are open, the innermost last.
    open: Vec<&'a str>,
    /// Name of an element that was written without content, whose end comes next.
    empty: Option<&'a str>,
}

type Result<T> = std::result::Result<T, XmlError>;

impl<'a> Reader<'a> {
    /// Starts at the beginning of a document.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            open: Vec::new(),
            empty: None,
        }
    }

    fn event(&mut self) -> Result<Option<Event<'a>>> {
        if let Some(name) = self.empty.take() {
            return Ok(Some(Event::End { name }));
        }
        loop {
            let rest = &self.text[self.at..];
            if rest.is_empty() {
                return match self.open.last() {
                    Some(name) => Err(self.error(format!("ends before </{name}>"))),
                    None => Ok(None),
                };
            }
            if !rest.starts_with('<') {
                let end = rest.find('<').unwrap_or(rest.len());
                let text = self.unescaped(&rest[..end])?;
                self.at += end;
                return Ok(Some(Event::Text(text)));
            }
            if let Some(inside) = rest.strip_prefix("<![CDATA[") {
                let end = self.end_of(inside, "]]>")?;
                self.at += "<![CDATA[".len() + end + "]]>".len();
                return Ok(Some(Event::Text(inside[..end].into())));
            }
            if let Some(name) = rest.strip_prefix("</") {
                return self.closed(name).map(Some);
            }
            if rest.starts_with("<!--") {
                self.at += self.end_of(rest, "-->")? + "-->".len();
            } else if rest.starts_with("<?") {
                self.at += self.end_of(rest, "?>")? + "?>".len();
            } else if rest.starts_with("<!") {
                self.at += self.end_of_declaration(rest)?;
            } else {
                return self.opened(&rest[1..]).map(Some);
            }
        }
    }

    /// Reads the end of an element, from its name.
    fn closed(&mut self, rest: &'a str) -> Result<Event<'a>> {
        let end = self.end_of(rest, ">")?;
        let name = rest[..end].trim_end();
        match self.open.last() {
            Some(open) if *open == name => {}
            Some(open) => return Err(self.error(format!("has </{name}> where <{open}> is open"))),
            None => return Err(self.error(format!("has </{name}> where no element is open"))),
        }
        self.open.pop();
        self.at += "</".len() + end + ">".len();
        Ok(Event::End { name })
    }

    /// Reads the start of an element, from its name.
    fn opened(&mut self, rest: &'a str) -> Result<Event<'a>> {
        let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=' | '<' | '"' | '\'');
        let (name, mut rest) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(self.error("has a < that begins no tag; in text, write &lt;".to_owned()));
        }
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix("/>") {
                self.empty = Some(name);
                self.at = self.text.len() - after.len();
                break;
            }
            if let Some(after) = rest.strip_prefix('>') {
                self.open.push(name);
                self.at = self.text.len() - after.len();
                break;
            }
            self.at = self.text.len() - rest.len();
            let (attribute, value, after) =
                attribute(rest).ok_or_else(|| self.error(format!("has a damaged tag <{name}")))?;
            attributes.push((attribute, self.unescaped(value)?));
            rest = after;
        }
        Ok(Event::Start { name, attributes })
    }

    fn end_of(&self, rest: &str, mark: &str) -> Result<usize> {
        rest.find(mark)
            .ok_or_else(|| self.error(format!("begins something that never ends with {mark}")))
    }

    /// Length of a declaration such as `<!DOCTYPE tmx SYSTEM "tmx14.dtd" [ … ]>`.
    fn end_of_declaration(&self, rest: &str) -> Result<usize> {
        let (mut quote, mut brackets, mut from) = (None, 0_usize, 0);
        for (at, c) in rest.char_indices() {
            if at < from {
                continue;
            }
            match (quote, c) {
                (None, '<') if rest[at..].starts_with("<!--") => {
                    from = at + self.end_of(&rest[at..], "-->")?;
                }
                (Some(open), _) if open == c => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(c),
                (None, '[') => brackets += 1,
                (None, ']') => brackets = brackets.saturating_sub(1),
                (None, '>') if brackets == 0 => return Ok(at + 1),
                _ => {}
            }
        }
        Err(self.error("begins a declaration that never ends".to_owned()))
    }

    /// Replaces entities by their characters.
    fn unescaped(&self, text: &'a str) -> Result<Cow<'a, str>> {
        if !text.contains('&') {
            return Ok(text.into());
        }
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('&') {
            plain.push_str(&rest[..at]);
            let (c, after) = entity(&rest[at + 1..]).ok_or_else(|| {
                let shown: String = rest[at..].chars().take(10).collect();
                let line = self.line_of(text.len() - rest.len() + at);
                XmlError {
                    line,
                    what: format!(
                        "has {shown:?}, which is not an entity of XML; write &amp; for &"
                    ),
                }
            })?;
            plain.push(c);
            rest = after;
        }
        plain.push_str(rest);
        Ok(plain.into())
    }

    /// Number of the line so many bytes after the current event's beginning.
    fn line_of(&self, further: usize) -> usize {
        let at = (self.at + further).min(self.text.len());
        let before = &self.text.as_bytes()[..at];
        1 + before.iter().filter(|&&b| b == b'\n').count()
    }

    fn error(&self, what: String) -> XmlError {
        XmlError {
            line: self.line_of(0),
            what,
        }
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Result<Event<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let event = self.event();
        if event.is_err() {
            (self.at, self.empty) = (self.text.len(), None);
            self.open.clear();
        }
        event.transpose()
    }
}

/// Name and value of an attribute, and the text after it.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.split_once('=')?;
    let name = name.trim_end();
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, rest) = rest[1..].split_once(quote)?;
    let odd = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '/' | '"' | '\'');
    (!name.is_empty() && !name.contains(odd)).then_some((name, value, rest))
}

/// Character of an entity, given without its `&`, and the text after it.
fn entity(text: &str) -> Option<(char, &str)> {
    let (name, rest) = text.split_once(';')?;
    let c = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    Some((c, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let event = |event| match event {
            Ok(Event::Start { name, attributes }) => {
                let all = attributes.iter();
                let all: String = all
                    .map(|(name, value)| format!(" {name}={value}"))
                    .collect();
                format!("<{name}{all}>")
            }
            Ok(Event::End { name }) => format!("</{name}>"),
            Ok(Event::Text(text)) => format!("[{text}]"),
            Err(XmlError { line, what }) => format!("line {line} {what}"),
        };
        Reader::new(text).map(event).collect()
    }

    #[test]
    fn elements_attributes_and_text_come_in_their_order() {
        assert_eq!(
            shown("<?xml version='1.0'?><!-- <a> --><a b = \"1\" c='&lt;\"'>x<d/>y</a >"),
            "<a b=1 c=<\">[x]<d></d>[y]</a>"
        );
    }

    #[test]
    fn entities_and_cdata_are_text() {
        assert_eq!(
            shown("<a>&lt;b&gt; &amp;amp; &#233;&#xE9; &quot;&apos;<![CDATA[<&amp;>]]></a>"),
            "<a>[<b> &amp; éé \"'][<&amp;>]</a>"
        );
    }

    #[test]
    fn a_document_type_is_skipped() {
        let text = "<!DOCTYPE tmx SYSTEM \"a>b\" [ <!-- don't > --> <!ENTITY x \"]>\"> ]>\n<tmx/>";
        assert_eq!(shown(text), "[\n]<tmx></tmx>");
    }

    #[test]
    fn an_error_names_its_line() {
        for (text, says) in [
            ("<a>\n<b></a>", "line 2 has </a> where <b> is open"),
            ("<a>\n\n", "line 3 ends before </a>"),
            ("</a>", "line 1 has </a> where no element is open"),
            ("<a>\n3 < 4</a>", "line 2 has a < that begins no tag"),
            ("<a>x\nA&B</a>", "line 2 has \"&B\", which is not an entity"),
            (
                "<a>\n&nbsp;</a>",
                "line 2 has \"&nbsp;\", which is not an entity",
            ),
            ("<a\nb></a>", "line 2 has a damaged tag <a"),
            (
                "<a>\n<!-- ",
                "line 2 begins something that never ends with -->",
            ),
        ] {
            let message = shown(text);
            assert!(message.contains(says), "{message}");
        }
    }
}
