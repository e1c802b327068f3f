//! Predictions and quiz questions as forms. The engine finds the right choice when the book is made. The page keeps
//! it, and the response to each choice, hidden and out of the search index until the reader has chosen.

use crate::lesson::own_words::LONGEST;
use crate::lesson::page::{self, Predict};
use crate::lesson::session::Session;
use crate::lesson::{FrontEnd, Lesson, OwnWords};
use crate::widgets::html::inline;
use crate::widgets::svg::escape;

/// Returns the question's form as one line of HTML.
pub fn form(session: &Session, question: &Predict) -> Result<String, String> {
    let lesson = session.lesson();
    let words = |text: &str| lesson.says(text, FrontEnd::Book);
    let name = format!("{}-{}", lesson.folder, question.id);
    let mut out = format!(
        "\n<form class=\"tt-ask\" id=\"ask-{name}\"><fieldset><legend>{}</legend>",
        inline::html(&words(&question.ask))?
    );
    let mut answers = String::new();
    for (index, option) in question.options.iter().enumerate() {
        let right = session.answers(question, option)?;
        let why = inline::typeset(&page::unmarked(&words(&option.why)));
        out += &format!(
            "<label><input type=\"radio\" name=\"{name}\" value=\"{index}\" data-right=\"{}\" data-why=\"{}\"> <span>{}</span></label>",
            u8::from(right),
            escape(&why),
            inline::html(&words(&option.text))?
        );
        let verdict = if right { "right" } else { "wrong" };
        answers += &format!(
            "<li data-text=\"{}\"></li>",
            escape(&format!("{verdict}: {why}"))
        );
    }
    out += &format!(
        "</fieldset><p class=\"tt-verdict\" role=\"status\"></p><details class=\"tt-answer\"><summary>Answer</summary><ol>{answers}</ol></details></form>\n\n"
    );
    Ok(out.replace("\n\n\n", "\n\n"))
}

/// Returns the form for an explanation in the reader's own words, with the rubric to tick, as one line of HTML. The page
/// keeps both.
pub fn own_words(lesson: &Lesson, open: &OwnWords) -> Result<String, String> {
    let points: Result<Vec<String>, String> = open
        .points
        .iter()
        .map(|point| {
            let text = inline::html(point)?;
            Ok(format!(
                "<label><input type=\"checkbox\"> <span>{text}</span></label>"
            ))
        })
        .collect();
    let name = lesson.folder;
    Ok(format!(
        "\n<form class=\"tt-ask tt-own\" id=\"own-{name}\"><label for=\"own-{name}-text\"><strong>In your own words.</strong> {}</label><textarea id=\"own-{name}-text\" rows=\"4\" maxlength=\"{LONGEST}\"></textarea><details><summary>Compare with three points</summary>{}</details></form>\n\n",
        inline::html(open.ask)?,
        points?.concat()
    ))
}
