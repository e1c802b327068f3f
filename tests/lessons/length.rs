//! Limits on length: a lesson can be read in one sitting, and a page holds one idea.

use transformer_tutor::curriculum::{LESSONS, PLAYGROUND};
use transformer_tutor::lesson::page::{self, Page};
use transformer_tutor::lesson::{FrontEnd, for_front_end};

/// Maximum number of words in a lesson's main road, with captions and without code, tables and questions.
const ROAD: usize = 1400;

/// Maximum number of words on a page, with its caption.
const PAGE: usize = 260;

/// The number of words on a page: parts between spaces that contain a letter or a digit.
fn words(page: &Page) -> usize {
    let text = page.words();
    let word = |part: &&str| part.chars().any(char::is_alphanumeric);
    text.split_whitespace().filter(word).count()
}

#[test]
fn no_main_road_and_no_page_is_too_long() {
    let mut problems = Vec::new();
    for lesson in LESSONS.into_iter().chain([PLAYGROUND]) {
        // Count the screen's callouts, but not the keys that it adds to marks.
        let text = for_front_end(lesson.text, FrontEnd::Screen);
        let pages = page::parse(&format!("lessons/{}/lesson.md", lesson.folder), &text)
            .unwrap_or_else(|e| panic!("{e}"));
        for page in pages.iter().filter(|page| words(page) > PAGE) {
            let (name, title) = (lesson.name, &page.title);
            problems.push(format!("{name}, \"{title}\": {} words", words(page)));
        }
        let main = pages.iter().filter(|p| !p.is_optional());
        let road: usize = main.map(words).sum();
        if road > ROAD {
            problems.push(format!("{}: {road} words on the main road", lesson.name));
        }
    }
    super::none(problems);
}
