//! The course in a page. A worker of the page asks in JSON (see [`Ask`]) and gets a [`Reply`], which holds the screen as a
//! picture. The page gives what the machine gives elsewhere: the time, random numbers, and a place for the progress.

#![allow(unsafe_code)] // memory that the page writes to and reads from

mod page;
mod walkthrough;

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use tutor_views::lesson::session::Intent;
use tutor_views::widgets::html::live::{Figure, Place, Shown};
pub use walkthrough::Walkthrough;

/// What the page asks. Columns and rows count from 0.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// To begin, or to begin again, perhaps in a lesson or on one of its pages, counted from 1.
    Begin {
        lesson: Option<String>,
        page: Option<usize>,
        size: (u16, u16),
        dark: bool,
        /// The progress that was kept.
        progress: Option<String>,
    },
    /// A key, as browsers name it (`KeyboardEvent.key`): `a`, `A`, `Enter`, `ArrowLeft`.
    Key {
        key: String,
        shift: bool,
        control: bool,
    },
    Paste(String),
    Click(u16, u16),
    Wheel {
        lines: isize,
        column: u16,
        row: u16,
    },
    Resize(u16, u16),
    /// The page's own clock, while something moves.
    Tick,
    /// The screen as text.
    Text,
    /// A figure of the book after what its reader has asked for since the page was opened.
    Figure {
        id: String,
        place: Box<Place>,
        acts: Vec<Intent>,
        /// True while something in it is moved.
        #[serde(default)]
        moves: bool,
    },
}

/// What the page gets.
#[derive(Default, Serialize)]
pub struct Reply {
    /// The screen as an SVG document, if it may have changed.
    pub svg: Option<String>,
    /// The screen as text, if that was asked for.
    pub text: Option<String>,
    /// What the page shows, in words, for its title.
    pub title: String,
    /// The open lesson and its page, from 1, for the address.
    pub place: Option<(&'static str, usize)>,
    /// Milliseconds until the next tick, if something moves.
    pub tick: Option<u64>,
    /// Text for the clipboard.
    pub copy: Option<String>,
    /// The progress to keep.
    pub progress: Option<String>,
    /// What the figure shows.
    pub figure: Option<Shown>,
    /// Why the question could not be answered.
    pub error: Option<String>,
    /// What stopped the course, which then has to begin again.
    pub panic: Option<String>,
}

impl Reply {
    /// The answer to what could not be answered.
    fn refused(error: String) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
    }
}

/// Number of figures that are kept as their readers left them. Others begin again when they are asked.
const FIGURES: usize = 3;

thread_local! {
    static OPEN: RefCell<Vec<(String, Figure)>> = const { RefCell::new(Vec::new()) };
    static WALKTHROUGH: RefCell<Option<Walkthrough>> = const { RefCell::new(None) };
    static REPLY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Memory for a question of `length` bytes, which [`ask`] takes back.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Takes the weights of the everyday translator, in memory from [`room`], which they keep.
///
/// # Safety
///
/// `place` and `length` are from one call of [`room`], and the page no longer uses that memory.
#[unsafe(no_mangle)]
unsafe extern "C" fn weights(place: *const u8, length: usize) {
    // SAFETY: by the contract of this function.
    let weights = unsafe { std::slice::from_raw_parts(place, length) };
    #[cfg(target_family = "wasm")]
    let _ = tutor_models::WEIGHTS.set(weights);
    #[cfg(not(target_family = "wasm"))]
    let _ = weights;
}

/// Takes the tokenizer that belongs to the weights, if they are not the everyday translator's.
///
/// # Safety
///
/// `place` and `length` are from one call of [`room`], and the page no longer uses that memory.
#[unsafe(no_mangle)]
unsafe extern "C" fn tokenizer(place: *const u8, length: usize) {
    // SAFETY: by the contract of this function.
    let text = unsafe { std::slice::from_raw_parts(place, length) };
    #[cfg(target_family = "wasm")]
    let _ = str::from_utf8(text).map(|text| tutor_models::TOKENIZER.set(text));
    #[cfg(not(target_family = "wasm"))]
    let _ = text;
}

/// Answers the question in memory from [`room`]. Returns the length of the answer, which is at [`reply`].
///
/// # Safety
///
/// `question` and `length` are from one call of [`room`], and the page no longer uses that memory.
#[unsafe(no_mangle)]
unsafe extern "C" fn ask(question: *mut u8, length: usize) -> usize {
    // SAFETY: by the contract of this function.
    let question = unsafe { Vec::from_raw_parts(question, length, length) };
    let reply = match serde_json::from_slice(&question) {
        Ok(ask) => WALKTHROUGH.with_borrow_mut(|now| answer(now, ask)),
        Err(e) => Reply::refused(format!("The question could not be read: {e}")),
    };
    keep(&reply)
}

/// Where the last answer is.
#[unsafe(no_mangle)]
extern "C" fn reply() -> *const u8 {
    REPLY.with_borrow(|reply| reply.as_ptr())
}

/// Keeps an answer for the page, and returns its length.
fn keep(reply: &Reply) -> usize {
    let bytes = serde_json::to_vec(reply).expect("plain data");
    REPLY.with_borrow_mut(|kept| {
        *kept = bytes;
        kept.len()
    })
}

/// Answers a question, beginning anew for [`Ask::Begin`].
pub fn answer(now: &mut Option<Walkthrough>, ask: Ask) -> Reply {
    if let Ask::Begin {
        lesson,
        page,
        size,
        dark,
        progress,
    } = ask
    {
        page::catch_panics();
        let progress = progress.as_deref().unwrap_or_default();
        return match Walkthrough::begin(lesson.as_deref(), page, size, dark, progress) {
            Ok(begun) => now.insert(begun).settle(),
            Err(error) => Reply::refused(error),
        };
    }
    if let Ask::Figure {
        id,
        place,
        acts,
        moves,
    } = ask
    {
        page::catch_panics();
        return match figure(id, &place, &acts, moves) {
            Ok(shown) => Reply {
                figure: Some(shown),
                ..Reply::default()
            },
            Err(error) => Reply::refused(error),
        };
    }
    match now {
        Some(walkthrough) => walkthrough.answer(ask),
        None => Reply::refused("The course has not begun.".to_owned()),
    }
}

/// What a figure shows after `acts`. The figures asked last are kept.
fn figure(id: String, place: &Place, acts: &[Intent], moves: bool) -> Result<Shown, String> {
    let known = OPEN.with_borrow_mut(|open| {
        let at = open.iter().position(|(name, _)| *name == id)?;
        Some(open.remove(at).1)
    });
    let mut figure = match known {
        Some(figure) => figure,
        None => Figure::open(place)?,
    };
    figure.follow(acts)?;
    let shown = figure.shown(moves);
    OPEN.with_borrow_mut(|open| {
        open.push((id, figure));
        if open.len() > FIGURES {
            open.remove(0);
        }
    });
    Ok(shown)
}
