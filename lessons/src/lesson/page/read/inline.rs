//! Inline text of paragraphs, headings and table cells.

use pulldown_cmark::{Event, Tag, TagEnd};

use super::super::{Block, Claim, Emphasis, Inline, Text, claim, number, plain_text};
use super::{Read, Reader};
use crate::typeset::formula;

/// A part of a paragraph: text, or a display formula that splits it.
enum Part {
    Text(Vec<Inline>),
    Math(String),
}

impl Reader<'_> {
    pub(super) fn paragraph(&mut self) -> Read<Vec<Block>> {
        if let Some(figure) = self.figure()? {
            return Ok(vec![figure]);
        }
        let before = self.last.clone();
        let blocks = self.parts()?.into_iter().map(|part| match part {
            Part::Text(text) => Block::Paragraph(text),
            Part::Math(tex) => Block::Math(tex),
        });
        let blocks: Vec<Block> = blocks.collect();
        if blocks.is_empty()
            && self.last == before
            && !matches!(self.events.peek(), Some((Event::End(_), _)) | None)
        {
            // Nothing was read: consume one event, or reading would never end.
            self.next();
        }
        Ok(blocks)
    }

    /// Reads an image that fills its paragraph.
    fn figure(&mut self) -> Read<Option<Block>> {
        let Some((Event::Start(Tag::Image { dest_url, .. }), _)) = self.events.peek().cloned()
        else {
            return Ok(None);
        };
        self.next();
        let alt = plain_text(&self.inlines()?);
        self.close();
        if !matches!(self.events.peek(), Some((Event::End(_), _)) | None) {
            return Err(self.error(
                self.last.start,
                "a picture stands in a paragraph of its own",
            ));
        }
        Ok(Some(Block::Figure {
            alt,
            path: dest_url.to_string(),
        }))
    }

    pub(super) fn inlines(&mut self) -> Read<Vec<Inline>> {
        let mut all = Vec::new();
        for part in self.parts()? {
            match part {
                Part::Text(text) => all.extend(text),
                Part::Math(tex) => all.push(Inline::Math(tex)),
            }
        }
        Ok(all)
    }

    /// Reads inline events up to the end of their container, which is not consumed.
    fn parts(&mut self) -> Read<Vec<Part>> {
        let mut parts = Vec::new();
        let mut text = Vec::new();
        let mut style = Emphasis::default();
        while let Some((event, range)) = self.events.peek().cloned() {
            let line = self.line(range.start);
            match event {
                Event::Start(Tag::Strong) => style.strong = true,
                Event::End(TagEnd::Strong) => style.strong = false,
                Event::Start(Tag::Emphasis) => style.emph = true,
                Event::End(TagEnd::Emphasis) => style.emph = false,
                Event::Start(Tag::Strikethrough) => style.strike = true,
                Event::End(TagEnd::Strikethrough) => style.strike = false,
                Event::Text(words) => push_text(&mut text, &words, style, line),
                Event::SoftBreak => push_text(&mut text, " ", style, line),
                Event::HardBreak => text.push(Inline::Break),
                Event::Code(code) => {
                    let code = code.replace(claim::BAR, "|");
                    text.push(Inline::Code(Text {
                        text: code,
                        style,
                        line,
                    }));
                }
                Event::InlineMath(tex) => {
                    self.check_formula(&tex, range.start)?;
                    text.push(Inline::Math(tex.to_string()));
                }
                Event::DisplayMath(tex) => {
                    self.check_formula(&tex, range.start)?;
                    push_part(&mut parts, std::mem::take(&mut text));
                    parts.push(Part::Math(tex.trim().to_string()));
                }
                Event::FootnoteReference(label) => {
                    text.push(Inline::FootnoteRef(label.to_string()))
                }
                Event::InlineHtml(html) => {
                    if let Some(inline) = self.inline_html(&html, &text, range.start)? {
                        text.push(inline);
                    }
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    self.next();
                    let words = self.inlines()?;
                    text.push(Inline::Link {
                        text: words,
                        url: dest_url.to_string(),
                    });
                }
                Event::Start(Tag::Image { .. }) => {
                    return Err(
                        self.error(range.start, "a picture stands in a paragraph of its own")
                    );
                }
                _ => break,
            }
            self.next();
        }
        push_part(&mut parts, text);
        Ok(parts)
    }

    fn inline_html(&self, html: &str, before: &[Inline], at: usize) -> Read<Option<Inline>> {
        if matches!(html.trim(), "<br>" | "<br/>" | "<br />") {
            return Ok(Some(Inline::Break));
        }
        if !html.starts_with("<!--") {
            return Err(self.error(at, "HTML is not drawn on a terminal; use Markdown"));
        }
        let Some(claim::Comment {
            expr,
            settings,
            about,
        }) = claim::parse_comment(html).map_err(|message| self.error(at, &message))?
        else {
            return Ok(None);
        };
        let Some(printed) = number::printed(before) else {
            return Err(self.error(at, "a claim stands right behind a number, a shape or code"));
        };
        Ok(Some(Inline::Claim(Claim {
            page: self.page,
            line: self.line(at),
            printed,
            expr,
            settings,
            about,
        })))
    }

    fn check_formula(&self, tex: &str, at: usize) -> Read<()> {
        formula::layout(tex)
            .map(drop)
            .map_err(|error| self.error(at, &error.message))
    }
}

fn push_text(inlines: &mut Vec<Inline>, words: &str, style: Emphasis, line: usize) {
    match inlines.last_mut() {
        // A word and the space after it may be on different lines of the source; the word's line counts.
        Some(Inline::Text(last)) if last.style == style && (last.line == line || words == " ") => {
            last.text.push_str(words);
        }
        _ => inlines.push(Inline::Text(Text {
            text: words.to_string(),
            style,
            line,
        })),
    }
}

fn push_part(parts: &mut Vec<Part>, mut text: Vec<Inline>) {
    let blank = |inline: &Inline| match inline {
        Inline::Text(text) => text.text.trim().is_empty(),
        Inline::Break => true,
        _ => false,
    };
    while text.last().is_some_and(blank) {
        text.pop();
    }
    while text.first().is_some_and(blank) {
        text.remove(0);
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
}
