//! The lessons in teaching order: the only list.

use crate::lesson::Lesson;

#[path = "04-attention/stage.rs"]
mod attention;

/// Every lesson, first to last.
pub static LESSONS: [&Lesson; 1] = [&attention::LESSON];
