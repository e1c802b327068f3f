//! Where the panes of the open lesson are.

use ratatui::layout::Rect;

use super::super::layout::{
    PaneLayout, RunPane, ScreenSize, Split, drawn_size, inside, pane_layout, text_columns,
};
use super::{App, Pane};
use crate::lesson::Body;
use crate::widgets::{prose, stage};

impl App {
    /// Class of the screen, which decides its layout.
    pub fn screen_size(&self) -> ScreenSize {
        ScreenSize::of(self.display.size)
    }

    /// Division of the screen between the open page's text and its picture.
    pub fn split(&self) -> Split {
        let size = drawn_size(self.display.size);
        let Some(open) = &self.open_lesson else {
            return Split::usual(size.0);
        };
        // A training that is steered takes the room it needs, even on a page made for a smaller picture.
        let picture = open.walk.session.picture();
        let steered = picture.is_some_and(|picture| matches!(picture.body, Body::Live(_)));
        if let Some((of, was_steered, split)) = open.page.split.get()
            && (of, was_steered) == (size, steered)
        {
            return split;
        }
        // The lines ask which pane is visible: until the division is known, both are.
        let usual = Split::usual(size.0);
        open.page.split.set(Some((size, steered, usual)));
        let session = &open.walk.session;
        let all = open.walk.page().blocks.len();
        let needs = prose::needed_width(&open.walk.blocks(&self.progress), &self.prose());
        let split = Split::of(
            size,
            &|width| self.page_lines(open, all, width).len(),
            needs as u16,
            &stage::room(session, &self.display.theme),
        );
        // The picture that the page asks for may have another size than the one before it.
        let lasts = !session.awaits_page_view();
        open.page.split.set(lasts.then_some((size, steered, split)));
        split
    }

    /// Division of the screen as it is now: what covers the text needs a column of its own.
    pub fn split_now(&self) -> Split {
        let (split, class) = (self.split(), self.screen_size());
        let Some(open) = self
            .open_lesson
            .as_ref()
            .filter(|_| class > ScreenSize::One)
        else {
            return split;
        };
        let asks = open.walk.session.asks_why() || open.pane == Pane::Why;
        let covered = self.overlay.is_some() || (asks && class == ScreenSize::Two);
        match split {
            Split::Beside(text) if covered && !(40..84).contains(&text) => {
                Split::usual(self.display.size.0)
            }
            Split::Beside(_) => split,
            _ if covered => Split::usual(self.display.size.0),
            Split::Tabs if asks || open.page.explores => Split::usual(self.display.size.0),
            split => split,
        }
    }

    /// Positions of the open lesson's panes.
    pub fn pane_layout(&self) -> PaneLayout {
        let (width, height) = drawn_size(self.display.size);
        let run = self.open_lesson.as_ref().map_or(RunPane::Hidden, |open| {
            if open.walk.session.asks_why() || open.pane == Pane::Why {
                RunPane::Open
            } else if open.page.explores && !open.walk.is_tour() {
                RunPane::Strip
            } else {
                RunPane::Hidden
            }
        });
        pane_layout(Rect::new(0, 0, width, height), self.split_now(), run)
    }

    /// Width of a line of the text, or of what takes its place, in columns.
    pub fn text_columns(&self) -> usize {
        if self.open_lesson.is_none() {
            return usize::from(self.display.size.0).saturating_sub(4);
        }
        usize::from(match self.split_now() {
            Split::Tabs => inside(self.pane_layout().read).width,
            _ if self.overlay.is_some() => inside(self.pane_layout().read).width,
            _ => text_columns(inside(self.pane_layout().read).width).1,
        })
    }

    /// True if only one pane is visible: on a small screen, or where text and picture have no room beside each other.
    pub fn shows_one_pane(&self) -> bool {
        self.split_now() == Split::Tabs
    }

    /// True if the page is read on the whole screen and its picture is looked at instead of the text.
    pub fn turns_to_picture(&self) -> bool {
        let open = self
            .open_lesson
            .as_ref()
            .filter(|_| self.split() == Split::Tabs);
        open.is_some_and(|open| !open.page.explores && open.pane != Pane::Why)
    }
}
