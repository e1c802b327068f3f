//! Limits on length: a part of the core path can be read in one sitting, and a page holds one idea.

use transformer_tutor::curriculum::{self, LESSONS, PLAYGROUND};
use transformer_tutor::lesson::core_path::Part;
use transformer_tutor::lesson::page::{self, Page};
use transformer_tutor::lesson::{FrontEnd, for_front_end};

/// Maximum number of words in a part of the core path, with captions and without code, tables and questions: at 230
/// words a minute, nine minutes of reading in about twenty.
const PART: usize = 2100;

/// Maximum number of words on a page, with its caption.
const PAGE: usize = 260;

/// The number of words on a page: parts between spaces that contain a letter or a digit.
fn words(page: &Page) -> usize {
    let text = page.words();
    let word = |part: &&str| part.chars().any(char::is_alphanumeric);
    text.split_whitespace().filter(word).count()
}

#[test]
fn no_part_of_the_core_path_and_no_page_is_too_long() {
    let mut problems = Vec::new();
    let path = curriculum::core_path();
    let mut parts = vec![0; path.parts.len()];
    for lesson in LESSONS.into_iter().chain([PLAYGROUND]) {
        // Count the screen's callouts, but not the keys that it adds to marks.
        let text = for_front_end(lesson.text, FrontEnd::Screen);
        let pages = page::parse(&format!("lessons/{}/lesson.md", lesson.folder), &text)
            .unwrap_or_else(|e| panic!("{e}"));
        for page in &pages {
            let count = words(page);
            if count > PAGE {
                let (name, title) = (lesson.name, &page.title);
                problems.push(format!("{name}, \"{title}\": {count} words"));
            }
            let has_page = |part: &Part| {
                let mut steps = path.pages(part).iter();
                steps.any(|step| step.lesson.name == lesson.name && step.page == page.id)
            };
            if let Some(part) = path.parts.iter().position(has_page) {
                parts[part] += count;
            }
        }
    }
    for (part, count) in path.parts.iter().zip(parts) {
        if count > PART {
            problems.push(format!("{}: {count} words", part.title));
        }
    }
    super::none(problems);
}
