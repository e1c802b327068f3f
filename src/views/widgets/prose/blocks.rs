//! Layout of blocks as lines.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::writer::Writer;
use super::{Highlighting, fold, table};
use crate::lesson::page::{self, Block, CalloutKind, Code, Item, List};
use crate::typeset::formula;
use crate::widgets::code;
use crate::widgets::lines::width as columns;
use crate::widgets::wrap::{TextRun, cut, wrap};

/// Blanks before each line of code.
pub(super) const CODE_INDENT: &str = "  ";
/// Blanks for a tab in code.
pub(super) const TAB: &str = "    ";

impl Writer<'_> {
    /// Lays out blocks with an empty line between them.
    pub fn blocks(&self, blocks: &[Block], width: usize) -> Vec<Line<'static>> {
        let mut out: Vec<Line<'static>> = Vec::new();
        for block in blocks {
            let lines = self.block(block, width);
            if !out.is_empty() && !lines.is_empty() {
                out.push(Line::default());
            }
            out.extend(lines);
        }
        out
    }

    fn block(&self, block: &Block, width: usize) -> Vec<Line<'static>> {
        let style = self.style;
        match block {
            Block::Heading { text, .. } => self.text(text, style.heading, width),
            Block::Paragraph(text) => self.text(text, style.text, width),
            Block::Code(code) => self.code(code, width),
            Block::Math(tex) => self.math(tex, width),
            Block::Table(table) => table::lines(self, table, width),
            Block::List(list) => self.list(list, width),
            Block::Callout { kind, blocks } => self.callout(*kind, blocks, width),
            Block::Quote(blocks) => {
                let mark = if self.speech { "> " } else { "│ " };
                prefixed(
                    &Span::styled(mark, style.rule),
                    self.blocks(blocks, width.saturating_sub(2)),
                )
            }
            Block::Rule => {
                let mark = if self.speech { "-" } else { "─" };
                vec![Line::styled(mark.repeat(width), style.rule)]
            }
            Block::Figure { alt, .. } => {
                self.words(&format!("[Figure: {alt}]"), style.caption, width)
            }
            Block::Footnote { label, blocks } => {
                let mark = format!("[{label}] ");
                let inner = self.blocks(blocks, width.saturating_sub(columns(&mark)));
                hanging(Span::styled(mark, style.caption), inner)
            }
            Block::Stage(stage) => match &stage.caption {
                Some(caption) => {
                    let text = page::parse_inline(caption).unwrap_or_default();
                    self.text(&text, style.caption, width)
                }
                None => Vec::new(),
            },
            Block::Predict(_) => Vec::new(),
        }
    }

    fn words(&self, text: &str, style: Style, width: usize) -> Vec<Line<'static>> {
        wrap(&[TextRun::new(self.style.words(text), style)], width)
    }

    fn code(&self, code: &Code, width: usize) -> Vec<Line<'static>> {
        let mut out = Vec::new();
        if let Some(source) = &code.source {
            let place = source.to_string();
            let place = if self.speech {
                place.replace('–', "-")
            } else {
                cut(&place, width)
            };
            out.push(Span::styled(place, self.style.caption).into());
        }
        let ready = match self.style.highlighting {
            Highlighting::Now => Some(code::highlight(&code.text, &code.lang)),
            Highlighting::WhenReady => code::try_highlight(&code.text, &code.lang),
            Highlighting::Never => None,
        };
        let pieces = ready.unwrap_or_else(|| code::plain(&code.text).into());
        let indent = Span::raw(CODE_INDENT);
        for line in pieces.iter() {
            let spans = line.iter().map(|(role, text)| {
                let text = self.style.words(&text.replace('\t', TAB));
                Span::styled(text, self.style.syntax.of(*role))
            });
            let spans: Vec<_> = std::iter::once(indent.clone()).chain(spans).collect();
            if self.speech {
                out.push(Line::from(spans));
            } else {
                out.extend(fold::fold(spans, width));
            }
        }
        out
    }

    fn math(&self, tex: &str, width: usize) -> Vec<Line<'static>> {
        let style = self.style.math;
        let spoken = self.speech || self.style.ascii;
        if !spoken && let Ok(Some(parts)) = formula::layout_within(tex, width) {
            return centred(&parts, width, style);
        }
        let line = if spoken {
            formula::spoken(tex).map(|spoken| self.style.circled(&spoken))
        } else {
            formula::inline(tex)
        };
        let run = TextRun::kept(line.unwrap_or_else(|_| tex.to_string()), style);
        prefixed(&Span::raw("  "), wrap(&[run], width.saturating_sub(2)))
    }

    fn callout(&self, kind: CalloutKind, blocks: &[Block], width: usize) -> Vec<Line<'static>> {
        let style = self.style.callout.of(kind);
        let inner = self.blocks(blocks, width.saturating_sub(2));
        if self.speech {
            let mut out = vec![Line::raw(format!("{}:", kind.word()))];
            out.extend(prefixed(&Span::raw("  "), inner));
            return out;
        }
        let title = Line::from(Span::styled(kind.word(), style.patch(self.style.strong)));
        prefixed(
            &Span::styled("▌ ", style),
            std::iter::once(title).chain(inner).collect(),
        )
    }

    fn list(&self, list: &List, width: usize) -> Vec<Line<'static>> {
        let last = list
            .start
            .map_or(0, |start| start + list.items.len() as u64 - 1);
        let digits = last.to_string().len();
        // Items of one paragraph, with at most a list below it, need no empty line between them.
        let close = list.items.iter().all(|item| {
            matches!(
                item.blocks.as_slice(),
                [] | [Block::Paragraph(_)] | [Block::Paragraph(_), Block::List(_)]
            )
        });
        let mut out = Vec::new();
        for (at, item) in list.items.iter().enumerate() {
            if at > 0 && !close {
                out.push(Line::default());
            }
            let bullet = match (list.start, item.done) {
                (Some(start), _) => format!("{:>digits$}. ", start + at as u64),
                (None, Some(true)) => "[x] ".to_string(),
                (None, Some(false)) => "[ ] ".to_string(),
                (None, None) if self.speech => "- ".to_string(),
                (None, None) => "• ".to_string(),
            };
            let inner = self.item(item, close, width.saturating_sub(columns(&bullet)));
            out.extend(hanging(Span::styled(bullet, self.style.bullet), inner));
        }
        out
    }

    fn item(&self, item: &Item, close: bool, width: usize) -> Vec<Line<'static>> {
        if close {
            return item
                .blocks
                .iter()
                .flat_map(|block| self.block(block, width))
                .collect();
        }
        self.blocks(&item.blocks, width)
    }
}

/// Centres the parts of a formula as one block, so that their lines begin in the same column.
fn centred(parts: &[formula::Box2d], width: usize, style: Style) -> Vec<Line<'static>> {
    let widest = parts.iter().map(|part| part.width).max().unwrap_or(0);
    let indent = Span::raw(" ".repeat((width - widest) / 2));
    let mut out = Vec::new();
    for part in parts {
        // Tall parts need an empty line between them.
        if !out.is_empty() && parts.iter().any(|part| part.rows.len() > 1) {
            out.push(Line::default());
        }
        out.extend(
            part.rows
                .iter()
                .map(|row| Line::from(vec![indent.clone(), Span::styled(row.clone(), style)])),
        );
    }
    out
}

/// Puts the mark before every line.
fn prefixed(mark: &Span<'static>, lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
    let put = |mut line: Line<'static>| {
        line.spans.insert(0, mark.clone());
        line
    };
    lines.into_iter().map(put).collect()
}

/// Puts the mark before the first line, and indents the others by its width.
fn hanging(mark: Span<'static>, mut lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
    if lines.is_empty() {
        lines.push(Line::default());
    }
    let indent = Span::raw(" ".repeat(columns(&mark.content)));
    for (at, line) in lines.iter_mut().enumerate() {
        line.spans.insert(
            0,
            if at == 0 {
                mark.clone()
            } else {
                indent.clone()
            },
        );
    }
    lines
}
