//! The width that code and tables need.

use super::blocks::{CODE_INDENT, TAB};
use super::table;
use super::writer::Writer;
use crate::lesson::page::{Block, Inline};
use crate::widgets::lines::width as columns;

/// Width from which a table wraps its cells rather than claim more room.
const WIDE: usize = 56;

impl Writer<'_> {
    /// Smallest number of columns in which no line of code, command or table of the blocks is broken.
    pub fn needed(&self, blocks: &[Block]) -> usize {
        let all = blocks.iter().map(|block| self.needed_by(block));
        all.max().unwrap_or(0)
    }

    fn needed_by(&self, block: &Block) -> usize {
        match block {
            Block::Code(code) => {
                let lines = code.text.lines();
                let lines = lines.map(|line| columns(&line.replace('\t', TAB)));
                CODE_INDENT.len() + lines.max().unwrap_or(0)
            }
            Block::Table(table) => table::natural_width(self, table).min(WIDE),
            Block::Paragraph(text) => longest_code(text),
            Block::Quote(blocks) | Block::Callout { blocks, .. } => self.needed(blocks) + 2,
            Block::List(list) => {
                let items = list.items.iter().map(|item| self.needed(&item.blocks));
                items.max().unwrap_or(0) + 2
            }
            Block::Footnote { blocks, .. } => self.needed(blocks) + 4,
            _ => 0,
        }
    }
}

/// Width of the longest command in a paragraph: code of several words.
fn longest_code(text: &[Inline]) -> usize {
    let widths = text.iter().map(|inline| match inline {
        Inline::Code(code) if code.text.contains(' ') => columns(&code.text),
        Inline::Link { text, .. } => longest_code(text),
        _ => 0,
    });
    widths.max().unwrap_or(0)
}
