//! The text of the open page, in lines.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::app::{App, OpenLesson};
use crate::lesson::page::Block;
use crate::widgets::lines::{width, wrap};
use crate::widgets::prose;

impl App {
    /// Lines of the first `blocks` blocks of the open page, in `columns` columns.
    pub(super) fn page_lines(
        &self,
        open: &OpenLesson,
        blocks: usize,
        columns: u16,
    ) -> Vec<Line<'static>> {
        let mut shown = open.walk.blocks(&self.progress);
        shown.truncate(blocks);
        point_to_picture(self, &mut shown);
        let mut lines = whole_title(self, open, columns);
        lines.extend(prose::lines(&shown, columns, &self.prose()));
        lines
    }

    /// Scrolls the open page to the text that the answer to the question with this id has opened.
    pub(super) fn read_on_after(&mut self, question: &str) {
        let columns = self.text_columns() as u16;
        let Some(open) = &self.open_lesson else {
            return;
        };
        let before = open.walk.page().shown(|asked| asked.id != question);
        let above = self.page_lines(open, before, columns).len();
        if let Some(open) = &mut self.open_lesson {
            // A blank line separates the blocks.
            open.page.scroll = above + usize::from(before > 0);
        }
    }
}

/// Where the text hides the page's picture, says in place of the picture how to see it.
fn point_to_picture(app: &App, blocks: &mut Vec<Block>) {
    let picture = blocks
        .iter()
        .position(|block| matches!(block, Block::Stage(_)));
    let hidden = app.shows_one_pane() && app.unanswered().is_none();
    if let Some(place) = picture.filter(|_| hidden) {
        blocks.insert(place, Block::sentence("Press Tab to see the picture."));
    }
}

/// A line of which only the words have the style: an underline ends with them.
fn styled(words: String, style: Style) -> Line<'static> {
    Line::from(Span::styled(words, style))
}

/// Lines of the page's title, if it does not fit in the frame.
fn whole_title(app: &App, open: &OpenLesson, width: u16) -> Vec<Line<'static>> {
    let title = &open.walk.page().title;
    if fits_a_frame(title, usize::from(width)) {
        return Vec::new();
    }
    let lines = wrap(title, width.into()).into_iter();
    let lines = lines.map(|line| styled(line, app.display.theme.title));
    lines.chain([Line::default()]).collect()
}

/// True if a title fits in the frame of a pane with `inside` columns.
pub(super) fn fits_a_frame(title: &str, inside: usize) -> bool {
    width(title) + 2 <= inside
}
