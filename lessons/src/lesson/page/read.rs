//! Conversion of Markdown events to blocks.

use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag};

use super::{Align, Block, Inline, Item, List, Page, PageError, Table, claim, fence, plain_text};
use crate::lesson::source::{Embedded, Files};

mod inline;
mod special;

/// Not `Options::all()`, which includes a flag that turns footnotes off.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
}

pub fn pages(path: &str, markdown: &str, files: &dyn Files) -> Result<Vec<Page>, PageError> {
    let hidden = claim::hide_bars(markdown);
    Reader::new(path, markdown, &hidden, files).pages()
}

/// Parses one paragraph, which is at `line` of the lesson, on page number `page`.
pub fn inline(markdown: &str, page: usize, line: usize) -> Result<Vec<Inline>, PageError> {
    let hidden = claim::hide_bars(markdown);
    let mut reader = Reader::new("", markdown, &hidden, &Embedded);
    reader.page = page;
    reader.first_line = line;
    if let Some((Event::Start(Tag::Paragraph), _)) = reader.events.peek() {
        reader.next();
    }
    let text = reader.inlines()?;
    reader.close();
    match reader.events.next() {
        None => Ok(text),
        Some((_, range)) => Err(reader.error(range.start, "this text is one paragraph")),
    }
}

/// Id of the page with this title: `{#id}` at its end, or else derived from the title.
pub(super) fn id(title: &str) -> String {
    let explicit = title
        .split_once("{#")
        .and_then(|(_, id)| id.split_once('}'));
    explicit.map_or_else(|| slug(title), |(id, _)| id.to_owned())
}

/// Title turned into an id: lowercase words joined by hyphens.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}
/// Nesting depth of lists and quotes beyond which a lesson is refused, so that it cannot overflow the stack.
const DEPTH: usize = 32;

struct Reader<'a> {
    path: &'a str,
    markdown: &'a str,
    folder: &'a str,
    files: &'a dyn Files,
    newlines: Vec<usize>,
    first_line: usize,
    events: Peekable<IntoIter<(Event<'a>, Range<usize>)>>,
    page: usize,
    /// Number of lists, quotes and notes around the current block.
    depth: usize,
    /// Byte range of the last event.
    last: Range<usize>,
}

type Read<T> = Result<T, PageError>;

impl<'a> Reader<'a> {
    /// `hidden` is the Markdown with the bars of its claims hidden; byte positions are the same in both.
    fn new(path: &'a str, markdown: &'a str, hidden: &'a str, files: &'a dyn Files) -> Self {
        let events: Vec<_> = Parser::new_ext(hidden, options())
            .into_offset_iter()
            .collect();
        Self {
            path,
            markdown,
            folder: path.rsplit_once('/').map_or("", |(folder, _)| folder),
            files,
            newlines: markdown.match_indices('\n').map(|(at, _)| at).collect(),
            first_line: 1,
            events: events.into_iter().peekable(),
            page: 0,
            depth: 0,
            last: 0..0,
        }
    }

    fn pages(&mut self) -> Read<Vec<Page>> {
        let mut pages: Vec<Page> = Vec::new();
        while let Some((event, range)) = self.events.peek().cloned() {
            match event {
                Event::Start(Tag::Heading {
                    level: level @ (HeadingLevel::H1 | HeadingLevel::H2),
                    id,
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
                    let title = plain_text(&title).trim().to_string();
                    let id = match (pages.is_empty(), id) {
                        (true, _) => super::START.to_owned(),
                        (false, None) => slug(&title),
                        (false, Some(id)) if fence::is_id(&id) => id.to_string(),
                        _ => {
                            let rule =
                                "an id is words of small letters with hyphens between: {#the-id}";
                            return Err(self.error(range.start, rule));
                        }
                    };
                    pages.push(Page {
                        id,
                        title,
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

    /// Consumes the end event of the container just read.
    fn close(&mut self) {
        if let Some((Event::End(_), _)) = self.events.peek() {
            self.next();
        }
    }

    /// Reads blocks up to and including the end of their container.
    fn blocks(&mut self) -> Read<Vec<Block>> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error(self.last.start, "this stands too deep in lists and quotes"));
        }
        let mut blocks = Vec::new();
        while let Some((event, _)) = self.events.peek() {
            if matches!(event, Event::End(_)) {
                self.next();
                break;
            }
            blocks.extend(self.block()?);
        }
        self.depth -= 1;
        Ok(blocks)
    }

    /// Reads one element, which may yield no blocks (a comment) or several (a paragraph split by a formula).
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
            // The text of a tight list item has no paragraph around it.
            _ => self.paragraph(),
        }
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
        self.newlines.partition_point(|newline| *newline < at) + self.first_line
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
