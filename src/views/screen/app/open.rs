//! An open lesson, and the visit to its page.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use ratatui::text::Line;

use super::super::layout::Split;
use super::super::pointer::Pane;
use crate::lesson::Exercise;
use crate::lesson::picture::Progress as JobProgress;
use crate::lesson::session::Focus;
use crate::lesson::walk::{Questions, Walk};

/// An open lesson.
pub struct OpenLesson {
    /// Stage and pages of the lesson.
    pub walk: Walk,
    /// Pane that has the focus.
    pub pane: Pane,
    /// True if the stage fills the screen.
    pub full: bool,
    /// Entry selected in the run's list.
    pub entry: usize,
    /// This visit to the open page.
    pub page: PageVisit,
    /// Page and settings for which an automatic animation was last started.
    pub begun: Option<(usize, String)>,
    /// The quiz, if it was left before its end.
    pub quiz: Option<Questions>,
    /// Exercise opened last; initially the core one, if the lesson has one.
    pub exercise: Option<&'static Exercise>,
    /// Lesson from which the playground was opened, as it was left.
    pub covered_lesson: Option<Box<OpenLesson>>,
    /// Cache of the page's wrapped lines.
    pub wrapped: RefCell<Option<WrappedPage>>,
}

impl OpenLesson {
    /// True if the header has a map of the model that shows what the page is about.
    pub fn has_map(&self) -> bool {
        let lesson = self.walk.lesson();
        !lesson.lights.is_empty() || !lesson.reveals.is_empty()
    }
}

/// State that begins anew with every page.
#[derive(Default)]
pub struct PageVisit {
    /// First line of text shown.
    pub scroll: usize,
    /// True once the learner has asked for the run: its steps, pictures, knobs and mistakes are listed.
    pub explores: bool,
    /// True once a knob has been turned: all knobs are shown.
    pub turned: bool,
    /// Division of the screen between the page's text and its picture, at the size for which it was chosen, and whether for a
    /// steered training. It stays until the page is left, so that no key moves the picture.
    pub split: Cell<Option<((u16, u16), bool, Split)>>,
    /// Whether the page's question has been opened; going on then leaves it for later.
    pub met: bool,
    /// Index of the symbol to point at next.
    pub symbol: usize,
    /// Index of the page's term whose card opens next.
    pub term: usize,
    /// Term of the last symbol pointed at, until a key asks for a term.
    pub pointed: Option<usize>,
    /// What the learner saw when asking where a cell came from, or what a box of a map holds: Esc leads back there.
    pub return_to: Option<ViewState>,
    /// Cell of the stage that was clicked last; a second click asks where it came from.
    pub clicked: Option<(Focus, Vec<usize>)>,
    /// Keys that the page presses once the current run is computed.
    pub keys: String,
    /// The running experiment, or its result.
    pub job: Option<(usize, JobProgress)>,
}

/// Panes and stage of an open lesson at one moment.
pub struct ViewState {
    /// Pane that had the focus.
    pub pane: Pane,
    /// What the stage showed.
    pub focus: Focus,
    /// The cursor on the stage.
    pub cursor: Vec<usize>,
}

/// A page's lines, each with its formulas' symbols: their columns, and their index in
/// [`of_page`](crate::lesson::symbols::of_page).
pub type Lines = Vec<(Line<'static>, Vec<(Range<u16>, usize)>)>;

/// A page's lines, with what they depend on.
pub struct WrappedPage {
    /// What the lines depend on.
    pub key: WrapKey,
    /// The lines.
    pub lines: Lines,
}

/// Everything on which the lines of a page depend.
#[derive(PartialEq)]
pub struct WrapKey {
    /// Number of the page.
    pub page: usize,
    /// Number of blocks shown.
    pub blocks: usize,
    /// Number of exercises whose code is folded.
    pub folded: usize,
    /// Lines of the code that a mistake changes.
    pub changed: Option<&'static str>,
    /// Width in columns.
    pub width: u16,
    /// Number of sources with highlighted code.
    pub highlighted: usize,
    /// Switches that are on.
    pub on: Vec<&'static str>,
}
