//! A lesson's Markdown as plain data, the same for the terminal, plain mode, the book and the tests.
//!
//! `# Title` starts the first page and names the lesson; every `## ` starts another page. A number may be followed by a
//! comment, `22.627<!-- = sqrt(d_model) | init=xavier -->`: a claim, invisible to the reader, that tests evaluate on
//! the live stage.

use std::collections::BTreeMap;
use std::fmt;

use super::source::{Embedded, Files};

mod claim;
mod claims;
mod fence;
mod lint;
mod number;
mod read;

pub use super::source::SourceRef;
pub use claim::without_claims;
pub use claims::claims;
pub use lint::unclaimed_numbers;
pub use number::is_number;

/// Number of pages in a lesson's Markdown.
pub fn count(text: &str) -> usize {
    split(text).len()
}

/// The Markdown of each page, beginning with its title: headings of levels 1 and 2 outside code blocks start pages.
pub fn split(text: &str) -> Vec<&str> {
    let mut fenced = false;
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        fenced ^= line.starts_with("```");
        if !fenced && (line.starts_with("# ") || line.starts_with("## ")) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&from, to)| &text[from..to])
        .collect()
}

/// Id of a lesson's first page.
pub const START: &str = "start";

/// Ids of the pages of a lesson's Markdown, in order.
pub fn ids(text: &str) -> Vec<String> {
    let id = |(nth, page)| match nth {
        0 => START.to_owned(),
        _ => read::id(heading(page)),
    };
    split(text).into_iter().enumerate().map(id).collect()
}

/// Titles of the pages of a lesson's Markdown, in order, without their ids.
pub fn titles(text: &str) -> Vec<&str> {
    let without_id = |page| {
        let heading = heading(page);
        heading.split_once("{#").map_or(heading, |(title, _)| title)
    };
    let pages = split(text).into_iter();
    pages.map(|page| without_id(page).trim()).collect()
}

/// Heading of a page's Markdown, with its id.
fn heading(page: &str) -> &str {
    let line = page.lines().next().unwrap_or_default();
    line.trim_start_matches('#').trim()
}

/// Beginning of the titles of optional pages.
const OPTIONAL: &str = "Optional: ";

/// True if the Markdown of a page, as [`split`] returns it, is that of optional reading.
pub fn is_optional(page: &str) -> bool {
    page.strip_prefix("## ")
        .is_some_and(|title| title.starts_with(OPTIONAL))
}

/// What the title of an optional page says after "Optional: ", with a capital; `None` for a page that is not optional.
pub fn optional_title(title: &str) -> Option<String> {
    let mut rest = title.strip_prefix(OPTIONAL)?.chars();
    let first = rest.next()?;
    Some(first.to_uppercase().chain(rest).collect())
}

/// One screenful or more of a lesson, up to the next `## `.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Id of the page in the progress file: `{#id}` after its title, or else derived from the title; `start` for the
    /// first page.
    pub id: String,
    pub title: String,
    /// Everything after the title.
    pub blocks: Vec<Block>,
    /// Line of the title, from 1.
    pub line: usize,
}

impl Page {
    /// True if the page is optional reading.
    pub fn is_optional(&self) -> bool {
        self.title.starts_with(OPTIONAL)
    }

    /// The first stage block on this page.
    pub fn stage(&self) -> Option<&StageBlock> {
        self.blocks.iter().find_map(|block| match block {
            Block::Stage(stage) => Some(stage),
            _ => None,
        })
    }

    /// Number of blocks that a reader sees who has answered some of the questions: everything before the first
    /// unanswered one, because what follows a question often gives its answer away.
    pub fn shown(&self, answered: impl Fn(&Predict) -> bool) -> usize {
        let open = |block: &Block| matches!(block, Block::Predict(p) if !answered(p));
        self.blocks
            .iter()
            .position(open)
            .unwrap_or(self.blocks.len())
    }

    /// Running text of the page as plain text, including lists, callouts and captions but not code or tables.
    pub fn words(&self) -> String {
        fn collect(blocks: &[Block], out: &mut String) {
            for block in blocks {
                match block {
                    Block::Paragraph(text) => {
                        out.push_str(&plain_text(text));
                        out.push('\n');
                    }
                    Block::List(list) => list.items.iter().for_each(|i| collect(&i.blocks, out)),
                    Block::Callout { blocks, .. } | Block::Quote(blocks) => collect(blocks, out),
                    Block::Stage(stage) => {
                        let caption = stage.caption.as_deref().unwrap_or_default();
                        out.push_str(&unmarked(caption));
                        out.push('\n');
                    }
                    _ => {}
                }
            }
        }
        let mut out = String::new();
        collect(&self.blocks, &mut out);
        out
    }

    /// The questions asked on this page, in order.
    pub fn predictions(&self) -> impl Iterator<Item = &Predict> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Predict(predict) => Some(predict),
            _ => None,
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading within a page, of level 3 to 6.
    Heading {
        level: u8,
        text: Vec<Inline>,
    },
    Paragraph(Vec<Inline>),
    Code(Code),
    /// A display formula in TeX; [`parse`] has checked that it is valid.
    Math(String),
    Table(Table),
    List(List),
    Callout {
        kind: CalloutKind,
        blocks: Vec<Block>,
    },
    Quote(Vec<Block>),
    Rule,
    Figure {
        alt: String,
        path: String,
    },
    Footnote {
        label: String,
        blocks: Vec<Block>,
    },
    Stage(StageBlock),
    Predict(Predict),
}

impl Block {
    /// A paragraph that no line of a source holds.
    pub fn sentence(text: impl Into<String>) -> Self {
        let text = Text {
            text: text.into(),
            style: Emphasis::default(),
            line: 0,
        };
        Self::Paragraph(vec![Inline::Text(text)])
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Inline {
    Text(Text),
    Code(Text),
    /// An inline formula in valid TeX.
    Math(String),
    Link {
        text: Vec<Inline>,
        url: String,
    },
    FootnoteRef(String),
    /// A hard line break.
    Break,
    /// Not rendered.
    Claim(Claim),
}

/// A piece of text from one line of the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    pub text: String,
    pub style: Emphasis,
    pub line: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Emphasis {
    pub strong: bool,
    pub emph: bool,
    pub strike: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    /// Language: the fence's info string up to the first comma, space or `{`; may be empty.
    pub lang: String,
    /// With includes resolved and without the final newline.
    pub text: String,
    /// Set if the block consists of a single include.
    pub source: Option<SourceRef>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub align: Vec<Align>,
    pub header: Vec<Vec<Inline>>,
    pub rows: Vec<Vec<Vec<Inline>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Center,
    Right,
}

#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// First number of an ordered list; `None` for a bullet list.
    pub start: Option<u64>,
    pub items: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Set for task items, `- [ ]` and `- [x]`.
    pub done: Option<bool>,
    pub blocks: Vec<Block>,
}

/// GFM's five callouts and three of our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalloutKind {
    Note,
    Tip,
    Important,
    Warning,
    Caution,
    /// Where our code differs from the paper or from a source.
    Differs,
    /// What to switch off or get wrong, and what happens then.
    Break,
    /// Something to change or do.
    Try,
}

impl CalloutKind {
    pub const ALL: [Self; 8] = [
        Self::Note,
        Self::Tip,
        Self::Important,
        Self::Warning,
        Self::Caution,
        Self::Differs,
        Self::Break,
        Self::Try,
    ];

    /// Tag between `[!` and `]`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Note => "NOTE",
            Self::Tip => "TIP",
            Self::Important => "IMPORTANT",
            Self::Warning => "WARNING",
            Self::Caution => "CAUTION",
            Self::Differs => "DIFFERS",
            Self::Break => "BREAK",
            Self::Try => "TRY",
        }
    }

    /// Title shown to the learner.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "Note",
            Self::Tip => "Tip",
            Self::Important => "Important",
            Self::Warning => "Warning",
            Self::Caution => "Caution",
            Self::Differs => "Differs",
            Self::Break => "Break it",
            Self::Try => "Try it",
        }
    }
}

/// Settings that a page wants for its lesson's stage: a fenced block named `stage`, in TOML.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StageBlock {
    /// Knobs and their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
    /// Mistakes to switch on (the key `break`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mistakes: Vec<String>,
    /// Tensor or picture to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<String>,
    /// Leading indices of the shown tensor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<usize>,
    /// The cell whose gradients are shown instead of values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gradient: Option<CellOf>,
    /// Keys to press once the stage is arranged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub press: Option<String>,
    /// Caption below the picture: one paragraph of Markdown, see [`parse_inline`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// Line of the fence.
    #[serde(skip)]
    pub line: usize,
}

/// A cell of a run, by tensor name and index.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellOf {
    /// Name of the tensor.
    pub of: String,
    /// Full index.
    pub at: Vec<usize>,
}

/// A question to answer before the result is shown: a fenced block named `predict`, in TOML.
#[derive(Debug, Clone, PartialEq)]
pub struct Predict {
    /// Id of the question in the progress file: unique within the lesson, and fixed for ever, however the question is
    /// reworded.
    pub id: String,
    /// One paragraph of Markdown, like the texts of the options.
    pub ask: String,
    /// Expression that the stage evaluates.
    pub answer: String,
    /// Knobs and their values for the run that gives the answer.
    pub set: BTreeMap<String, String>,
    /// Tensor or picture of the page's run that the stage shows while the question is open.
    pub given: Option<String>,
    /// Mistake that the right answer switches on, so that the stage shows what was predicted.
    pub breaks: Option<String>,
    pub options: Vec<PredictOption>,
    /// Line of the fence.
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PredictOption {
    pub text: String,
    /// Expression or literal to compare with the answer.
    pub value: String,
    /// Why this particular choice is wrong, or right.
    pub why: String,
}

/// A number in the text, and the expression that must yield it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Index of the page.
    pub page: usize,
    pub line: usize,
    /// The number or shape as printed: `22.627`, `1,050,624`, `−.416147`, `87×`, `(30, 8, 10, 11)`.
    pub printed: String,
    pub expr: String,
    /// Knobs for the run that the claim is about, written after `|`.
    pub settings: Vec<(String, String)>,
    /// True if the text gives the number with a margin ("about 72 %"), as for the result of long training, which
    /// changes with the rounding of matrix products on different chips.
    pub about: bool,
}

/// An error in a lesson's text, displayed as `path:line:column: message` with the line and a caret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageError {
    pub path: String,
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    pub message: String,
    /// Text of the line.
    pub text: String,
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use unicode_width::UnicodeWidthStr;
        let before: String = self.text.chars().take(self.column - 1).collect();
        let number = self.line.to_string();
        writeln!(
            f,
            "{}:{}:{}: {}",
            self.path, self.line, self.column, self.message
        )?;
        writeln!(f, "{number} | {}", self.text)?;
        write!(f, "{:1$} | {2:3$}^", "", number.len(), "", before.width())
    }
}

impl std::error::Error for PageError {}

/// Parses a lesson. Include paths are relative to the lesson's folder, and files come from the embedded source.
///
/// `path` is the lesson's path from the project's root, `lessons/03-attention/lesson.md`.
pub fn parse(path: &str, markdown: &str) -> Result<Vec<Page>, PageError> {
    parse_with(path, markdown, &Embedded)
}

/// [`parse`] with `files` for the includes.
pub fn parse_with(path: &str, markdown: &str, files: &dyn Files) -> Result<Vec<Page>, PageError> {
    read::pages(path, markdown, files)
}

/// Parses a caption, a question or an option: one paragraph of Markdown, with formulas, code and claims.
pub fn parse_inline(markdown: &str) -> Result<Vec<Inline>, PageError> {
    read::inline(markdown, 0, 1)
}

/// Plain text without styles and claims. Formulas are set on one line.
pub fn plain_text(inlines: &[Inline]) -> String {
    let mut out = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(&text.text),
            Inline::Math(tex) => {
                out.push_str(&crate::typeset::formula::inline(tex).unwrap_or_else(|_| tex.clone()))
            }
            Inline::Link { text, .. } => out.push_str(&plain_text(text)),
            Inline::FootnoteRef(label) => out.push_str(&format!("[{label}]")),
            Inline::Break => out.push('\n'),
            Inline::Claim(_) => {}
        }
    }
    out
}

/// A caption, a question or an option as [`plain_text`]; unchanged if it is not valid Markdown.
pub fn unmarked(markdown: &str) -> String {
    parse_inline(markdown).map_or_else(|_| markdown.to_owned(), |inlines| plain_text(&inlines))
}

#[cfg(test)]
mod tests;

/// Parses one question, written as the body of a `predict` block.
pub fn predict(body: &str) -> Result<Predict, String> {
    fence::predict(body, 0).map_err(|(message, _)| message)
}
