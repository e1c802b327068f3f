//! From Markdown events to blocks.

use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd,
};

use super::{
    Align, Block, CalloutKind, Claim, Code, Emphasis, Inline, Item, List, Page, PageError, Table,
    Text, claim, fence, plain_text,
};
use crate::lesson::source::{self, Files};
use crate::widgets::formula;

pub fn pages(path: &str, markdown: &str, files: &dyn Files) -> Result<Vec<Page>, PageError> {
    // Not `Options::all()`: it holds a flag that switches footnotes off.
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST;
    let hidden = claim::hide_bars(markdown);
    let events: Vec<_> = Parser::new_ext(&hidden, options)
        .into_offset_iter()
        .collect();
    let mut reader = Reader {
        path,
        markdown,
        folder: path.rsplit_once('/').map_or("", |(folder, _)| folder),
        files,
        newlines: markdown.match_indices('\n').map(|(at, _)| at).collect(),
        events: events.into_iter().peekable(),
        page: 0,
        last: 0..0,
    };
    reader.pages()
}

struct Reader<'a> {
    path: &'a str,
    markdown: &'a str,
    folder: &'a str,
    files: &'a dyn Files,
    newlines: Vec<usize>,
    events: Peekable<IntoIter<(Event<'a>, Range<usize>)>>,
    page: usize,
    /// Where the last event stands.
    last: Range<usize>,
}

type Read<T> = Result<T, PageError>;

/// What stands inside a paragraph: text, or a display formula that splits it.
enum Part {
    Text(Vec<Inline>),
    Math(String),
}

impl<'a> Reader<'a> {
    fn pages(&mut self) -> Read<Vec<Page>> {
        let mut pages: Vec<Page> = Vec::new();
        while let Some((event, range)) = self.events.peek().cloned() {
            match event {
                Event::Start(Tag::Heading {
                    level: level @ (HeadingLevel::H1 | HeadingLevel::H2),
                    ..
                }) => {
                    self.next();
                    if (level == HeadingLevel::H1) != pages.is_empty() {
                        let rule = "a lesson has one `# Title`, at its start; each further page starts with `## `";
                        return Err(self.error(range.start, rule));
                    }
                    self.page = pages.len();
                    let title = self.inlines()?;
                    self.close();
                    if title
                        .iter()
                        .any(|inline| matches!(inline, Inline::Claim(_)))
                    {
                        return Err(self.error(range.start, "a page's title can't hold a claim"));
                    }
                    pages.push(Page {
                        title: plain_text(&title).trim().to_string(),
                        blocks: Vec::new(),
                        line: self.line(range.start),
                    });
                }
                _ => {
                    let blocks = self.block()?;
                    let Some(page) = pages.last_mut() else {
                        if blocks.is_empty() {
                            continue;
                        }
                        return Err(self.error(range.start, "a lesson starts with `# Title`"));
                    };
                    let stages = page
                        .blocks
                        .iter()
                        .chain(&blocks)
                        .filter(|block| matches!(block, Block::Stage(_)));
                    if stages.count() > 1 {
                        return Err(self.error(
                            range.start,
                            "a page has one stage block; start another page with `## `",
                        ));
                    }
                    page.blocks.extend(blocks);
                }
            }
        }
        if pages.is_empty() {
            return Err(self.error(0, "a lesson starts with `# Title`"));
        }
        Ok(pages)
    }

    fn next(&mut self) -> Option<Event<'a>> {
        let (event, range) = self.events.next()?;
        self.last = range;
        Some(event)
    }

    /// Takes the end of the container that was just read.
    fn close(&mut self) {
        if let Some((Event::End(_), _)) = self.events.peek() {
            self.next();
        }
    }

    /// Blocks up to the end of their container, which is taken too.
    fn blocks(&mut self) -> Read<Vec<Block>> {
        let mut blocks = Vec::new();
        while let Some((event, _)) = self.events.peek() {
            if matches!(event, Event::End(_)) {
                self.next();
                break;
            }
            blocks.extend(self.block()?);
        }
        Ok(blocks)
    }

    /// One block, which may be none (a comment) or several (a paragraph that a formula splits).
    fn block(&mut self) -> Read<Vec<Block>> {
        let Some((event, range)) = self.events.peek().cloned() else {
            return Ok(Vec::new());
        };
        let one = |block| Ok(vec![block]);
        match event {
            Event::Start(Tag::Paragraph) => {
                self.next();
                let blocks = self.paragraph()?;
                self.close();
                Ok(blocks)
            }
            Event::Start(Tag::Heading { level, .. }) => {
                self.next();
                let text = self.inlines()?;
                self.close();
                one(Block::Heading {
                    level: level as u8,
                    text,
                })
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                self.next();
                one(self.code(&kind, range.start)?)
            }
            Event::Start(Tag::BlockQuote(kind)) => {
                self.next();
                let blocks = self.blocks()?;
                one(self.quote(kind, blocks, range.start)?)
            }
            Event::Start(Tag::List(start)) => {
                self.next();
                one(Block::List(self.list(start)?))
            }
            Event::Start(Tag::Table(align)) => {
                self.next();
                one(Block::Table(self.table(&align)?))
            }
            Event::Start(Tag::FootnoteDefinition(label)) => {
                self.next();
                one(Block::Footnote {
                    label: label.to_string(),
                    blocks: self.blocks()?,
                })
            }
            Event::Start(Tag::HtmlBlock) => {
                self.next();
                let mut html = String::new();
                while let Some(Event::Html(text)) = self.next() {
                    html.push_str(&text);
                }
                self.html_block(&html, range.start)?;
                Ok(Vec::new())
            }
            Event::Start(Tag::DefinitionList | Tag::DefinitionListDefinition) => {
                self.next();
                self.blocks()
            }
            Event::Start(Tag::DefinitionListTitle) => {
                self.next();
                let mut text = self.inlines()?;
                self.close();
                for inline in &mut text {
                    if let Inline::Text(text) = inline {
                        text.style.strong = true;
                    }
                }
                one(Block::Paragraph(text))
            }
            Event::Rule => {
                self.next();
                one(Block::Rule)
            }
            Event::Start(
                Tag::Emphasis
                | Tag::Strong
                | Tag::Strikethrough
                | Tag::Link { .. }
                | Tag::Image { .. },
            ) => self.paragraph(),
            Event::Start(tag) => Err(self.error(range.start, &format!("{tag:?} can't be drawn"))),
            // The text of a tight list item stands without a paragraph.
            _ => self.paragraph(),
        }
    }

    fn paragraph(&mut self) -> Read<Vec<Block>> {
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
            // Nothing was read: leave no event unread, or reading would never end.
            self.next();
        }
        Ok(blocks)
    }

    /// An image that is all of its paragraph.
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

    fn inlines(&mut self) -> Read<Vec<Inline>> {
        let mut all = Vec::new();
        for part in self.parts()? {
            match part {
                Part::Text(text) => all.extend(text),
                Part::Math(tex) => all.push(Inline::Math(tex)),
            }
        }
        Ok(all)
    }

    /// Inline events up to the end of their container, which is left.
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
        let Some((expr, settings)) =
            claim::parse_comment(html).map_err(|message| self.error(at, &message))?
        else {
            return Ok(None);
        };
        let Some(printed) = claim::printed(before) else {
            return Err(self.error(at, "a claim stands right behind a number, a shape or code"));
        };
        Ok(Some(Inline::Claim(Claim {
            page: self.page,
            line: self.line(at),
            printed,
            expr,
            settings,
        })))
    }

    fn html_block(&self, html: &str, at: usize) -> Read<()> {
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

    fn check_formula(&self, tex: &str, at: usize) -> Read<()> {
        formula::layout(tex)
            .map(drop)
            .map_err(|error| self.error(at, &error.message))
    }

    fn code(&mut self, kind: &CodeBlockKind<'_>, at: usize) -> Read<Block> {
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
        match lang.as_str() {
            "stage" => Ok(Block::Stage(
                fence::stage(&body, self.line(at)).map_err(wrong)?,
            )),
            "predict" => Ok(Block::Predict(
                fence::predict(&body, self.line(at)).map_err(wrong)?,
            )),
            _ => {
                let (text, source) = source::expand(self.files, self.folder, &body)
                    .map_err(|message| self.error(start, &message))?;
                Ok(Block::Code(Code { lang, text, source }))
            }
        }
    }

    fn quote(
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
                let found = CalloutKind::ALL.into_iter().find(|kind| kind.tag() == tag);
                found.ok_or_else(|| {
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

    fn list(&mut self, start: Option<u64>) -> Read<List> {
        let mut items = Vec::new();
        while let Some(Event::Start(Tag::Item)) = self.next() {
            let mut done = None;
            if let Some((Event::TaskListMarker(checked), _)) = self.events.peek() {
                done = Some(*checked);
                self.next();
            }
            items.push(Item {
                done,
                blocks: self.blocks()?,
            });
        }
        Ok(List { start, items })
    }

    fn table(&mut self, align: &[Alignment]) -> Read<Table> {
        let align = align.iter().map(|align| match align {
            Alignment::Right => Align::Right,
            Alignment::Center => Align::Center,
            Alignment::Left | Alignment::None => Align::Left,
        });
        let mut table = Table {
            align: align.collect(),
            header: Vec::new(),
            rows: Vec::new(),
        };
        loop {
            match self.next() {
                Some(Event::Start(Tag::TableHead)) => table.header = self.cells()?,
                Some(Event::Start(Tag::TableRow)) => table.rows.push(self.cells()?),
                _ => return Ok(table),
            }
        }
    }

    fn cells(&mut self) -> Read<Vec<Vec<Inline>>> {
        let mut cells = Vec::new();
        while let Some(Event::Start(Tag::TableCell)) = self.next() {
            cells.push(self.inlines()?);
            self.close();
        }
        Ok(cells)
    }

    fn line(&self, at: usize) -> usize {
        self.newlines.partition_point(|newline| *newline < at) + 1
    }

    fn error(&self, at: usize, message: &str) -> PageError {
        let before = &self.markdown[..at.min(self.markdown.len())];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        PageError {
            path: self.path.to_string(),
            line: self.line(at),
            column: before[start..].chars().count() + 1,
            message: message.to_string(),
            text: self.markdown[start..]
                .lines()
                .next()
                .unwrap_or("")
                .to_string(),
        }
    }
}

fn push_text(inlines: &mut Vec<Inline>, words: &str, style: Emphasis, line: usize) {
    match inlines.last_mut() {
        // A word and the space behind it may stand on different lines of the source; the word counts.
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

/// Takes `[!DIFFERS]` away from the start of a quotation.
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
