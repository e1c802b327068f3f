//! Blocks with a meaning beyond Markdown: fences, callouts and comments.

use pulldown_cmark::{BlockQuoteKind, CodeBlockKind, Event};

use super::super::{Block, CalloutKind, Code, Inline, claim, fence};
use super::{Read, Reader};
use crate::lesson::source;

impl Reader<'_> {
    pub(super) fn code(&mut self, kind: &CodeBlockKind<'_>, at: usize) -> Read<Block> {
        let mut body = String::new();
        let mut start = None;
        while let Some(Event::Text(text)) = self.next() {
            start = start.or(Some(self.last.start));
            body.push_str(&text);
        }
        let body = body.replace(claim::BAR, "|");
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.as_ref(),
            CodeBlockKind::Indented => "",
        };
        let lang = info.split([',', ' ', '{']).next().unwrap_or("").to_string();
        let start = start.unwrap_or(at);
        let wrong = |(message, span): fence::FenceError| {
            self.error(
                span.map_or(at, |span| start + span.start),
                &format!("{lang} block: {message}"),
            )
        };
        let block = match lang.as_str() {
            "stage" => Block::Stage(fence::stage(&body, self.line(at)).map_err(wrong)?),
            "predict" => Block::Predict(fence::predict(&body, self.line(at)).map_err(wrong)?),
            _ => {
                let (text, source) = source::expand(self.files, self.folder, &body)
                    .map_err(|message| self.error(start, &message))?;
                Block::Code(Code { lang, text, source })
            }
        };
        for (line, text) in claim::fenced_texts(&block) {
            super::inline(text, self.page, line)
                .map_err(|error| self.error(at, &format!("{}, in \"{text}\"", error.message)))?;
        }
        Ok(block)
    }

    pub(super) fn html_block(&self, html: &str, at: usize) -> Read<()> {
        let html = html.trim();
        if !html.starts_with("<!--") || !html.ends_with("-->") {
            return Err(self.error(at, "HTML is not drawn on a terminal; use Markdown"));
        }
        match claim::parse_comment(html) {
            Ok(None) => Ok(()),
            _ => Err(self.error(
                at,
                "a claim stands right behind a number, not on a line of its own",
            )),
        }
    }

    pub(super) fn quote(
        &self,
        kind: Option<BlockQuoteKind>,
        mut blocks: Vec<Block>,
        at: usize,
    ) -> Read<Block> {
        let kind = match kind {
            Some(BlockQuoteKind::Note) => CalloutKind::Note,
            Some(BlockQuoteKind::Tip) => CalloutKind::Tip,
            Some(BlockQuoteKind::Important) => CalloutKind::Important,
            Some(BlockQuoteKind::Warning) => CalloutKind::Warning,
            Some(BlockQuoteKind::Caution) => CalloutKind::Caution,
            None => {
                let Some(tag) = take_tag(&mut blocks) else {
                    return Ok(Block::Quote(blocks));
                };
                let hit = CalloutKind::ALL.into_iter().find(|kind| kind.tag() == tag);
                hit.ok_or_else(|| {
                    let known = CalloutKind::ALL.map(CalloutKind::tag).join(", ");
                    self.error(
                        at,
                        &format!("there is no callout [!{tag}]; there are {known}"),
                    )
                })?
            }
        };
        Ok(Block::Callout { kind, blocks })
    }
}

/// Removes the tag `[!DIFFERS]` from the start of a quotation.
fn take_tag(blocks: &mut Vec<Block>) -> Option<String> {
    let Some(Block::Paragraph(inlines)) = blocks.first_mut() else {
        return None;
    };
    let Some(Inline::Text(first)) = inlines.first_mut() else {
        return None;
    };
    let (tag, rest) = first.text.strip_prefix("[!")?.split_once(']')?;
    let tag = tag.to_string();
    first.text = rest.trim_start().to_string();
    if first.text.is_empty() {
        inlines.remove(0);
    }
    if inlines.is_empty() {
        blocks.remove(0);
    }
    Some(tag)
}
