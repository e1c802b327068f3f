//! The course in the book: its module and its weights, which every figure asks, the page of the whole course, the
//! playground, and a page on which a reader's own model translates.

use std::collections::BTreeMap;

use anyhow::anyhow;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::{Pages, STYLE, figure, formulas};
use crate::curriculum;
use crate::data::weights;
use crate::lesson::page::StageBlock;
use crate::lesson::session::Session;
use crate::lesson::{Lesson, SENTENCE};
use crate::train::built_in::BuiltIn;
use crate::train::checkpoint::Translator;
use crate::widgets::html::Offers;
use crate::widgets::html::live::Place;
use crate::widgets::html::script;
use crate::widgets::svg::escape;

const MODULE: &str = include_str!("../../book/theme/module.js");
const FIGURE: &str = include_str!("../../book/theme/figure.js");
const TUTOR: &str = include_str!("../../book/theme/tutor.js");
const MOTION: &str = include_str!("../../book/theme/motion.js");
const COURSE: [(&str, &str); 3] = [
    (
        "src/course.html",
        include_str!("../../book/theme/course.html"),
    ),
    (
        "src/course.css",
        include_str!("../../book/theme/course.css"),
    ),
    (
        "src/live/course.js",
        include_str!("../../book/theme/course.js"),
    ),
];
const CHAPTER: &str = include_str!("../../book/playground.md");

/// The scripts of every page, in the order in which they run: figures keep what they showed at first, before the last
/// one adds to it.
pub const SCRIPTS: [(&str, &str); 3] = [
    ("theme/module.js", MODULE),
    ("theme/figure.js", FIGURE),
    ("theme/tutor.js", TUTOR),
];

/// The module and what uses it, by their paths in the book's folder. mdBook copies them as they are, so that their names
/// stay known.
pub fn files() -> Pages {
    let scripts = [
        ("src/live/course-module.js", module()),
        (
            "src/live/everyday.js",
            model(BuiltIn::Everyday.files().weights, None),
        ),
        ("src/live/module.js", MODULE.to_owned()),
        ("src/live/motion.js", MOTION.to_owned()),
    ];
    let course = COURSE.map(|(name, text)| (name, text.to_owned()));
    let all = course.into_iter().chain(scripts);
    all.map(|(name, text)| (name.to_owned(), text.into_bytes()))
        .collect()
}

/// A script that defines the module. Scripts are plain ASCII, which browsers read in half the time.
fn module() -> String {
    format!(
        "globalThis.courseModule = \"{}\";\n",
        STANDARD.encode(tutor_page::MODULE)
    )
}

/// A script that defines the weights and, unless they are the everyday translator's, the tokenizer that belongs to them.
fn model(weights: &[u8], tokenizer: Option<&str>) -> String {
    let model = json!({ "weights": STANDARD.encode(weights), "tokenizer": tokenizer });
    format!("globalThis.courseModel = {};\n", script(&model))
}

/// The playground chapter.
pub fn chapter() -> anyhow::Result<String> {
    let mut text = CHAPTER.to_owned();
    for (at, (mark, place)) in places(SENTENCE).into_iter().enumerate() {
        let lesson = curriculum::find(&place.lesson).map_err(|e| anyhow!(e))?;
        let figure = figure::html(
            &mut Session::new(lesson),
            &place,
            "",
            &format!("playground-{}", at + 1),
        );
        text = text.replace(mark, &figure.map_err(|e| anyhow!(e))?);
    }
    formulas::as_mathml(&text).map_err(|e| anyhow!("book/playground.md: {e}"))
}

/// A figure of the tour's picture `show`, with a field for the sentence and all of the tour's mistakes.
pub fn of_the_tour(show: &str, sentence: &str) -> Place {
    let tour = curriculum::LESSONS[0];
    let mistakes = tour.mistakes.iter();
    let mistakes = mistakes.map(|mistake| mistake.name.to_owned()).collect();
    of_sentence(tour, show, sentence, &["sentence"], mistakes)
}

/// A figure of a lesson that translates `sentence`.
fn of_sentence(
    lesson: &Lesson,
    show: &str,
    sentence: &str,
    knobs: &[&str],
    mistakes: Vec<String>,
) -> Place {
    let knobs = knobs.iter().map(|name| ((*name).to_owned(), Vec::new()));
    Place {
        lesson: lesson.name.to_owned(),
        block: StageBlock {
            set: BTreeMap::from([("sentence".to_owned(), sentence.to_owned())]),
            show: Some(show.to_owned()),
            ..StageBlock::default()
        },
        knows_leaks: true,
        offers: Offers {
            mistakes,
            knobs: knobs.collect(),
        },
        columns: Vec::new(),
    }
}

/// The figures of the playground, by the marks that they replace: the translation, with the tour's mistakes, and the
/// attention behind it.
fn places(sentence: &str) -> [(&'static str, Place); 2] {
    [
        ("{{translation}}", of_the_tour("translation", sentence)),
        (
            "{{attention}}",
            of_sentence(
                curriculum::PLAYGROUND,
                "weights",
                sentence,
                &["sentence", "kind", "layer", "head", "off"],
                Vec::new(),
            ),
        ),
    ]
}

/// A page on which a model, described by `about`, translates: one file that loads nothing. Its weights are rounded to
/// 8 bits.
pub fn page(translator: &Translator, about: &str, sentence: Option<&str>) -> String {
    let tokenizer = translator.pipeline.to_json();
    let weights = weights::packed(&translator.model.config, &translator.params, &tokenizer);
    // The font of formulas is a file of the book.
    let style = STYLE.lines().filter(|line| !line.starts_with("@font-face"));
    let style = style.collect::<Vec<_>>().join("\n");
    let figures = places(sentence.unwrap_or(SENTENCE)).map(|(_, place)| {
        let id = format!("figure-{}", place.lesson);
        format!("{}\n", figure::empty(&place, &id))
    });
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Translate with {about}</title>\n\
         <style>\n{style}\n\
         body {{ margin: 0 auto; padding: 0 1em; max-width: 60em; font-family: system-ui, sans-serif; line-height: 1.5; \
         background: var(--tt-paper); color: var(--tt-ink); }}\n</style>\n</head>\n<body>\n<main>\n\
         <h1>Translate with {about}</h1>\n<noscript>This page translates while JavaScript is on.</noscript>\n{}</main>\n\
         <script>\n{}{}{MODULE}{FIGURE}{TUTOR}</script>\n</body>\n</html>\n",
        figures.concat(),
        module(),
        model(&weights, Some(&tokenizer)),
        about = escape(about),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_ones_own_model_is_one_file_that_loads_nothing() {
        let everyday = BuiltIn::Everyday.translator();
        let page = page(everyday, "a <model>", Some("</script>"));
        assert!(page.contains("<h1>Translate with a &lt;model&gt;</h1>"));
        assert!(page.contains("\"sentence\":\"\\u003c/script>\""));
        for loads in ["src=", "href=", "url(", "@import"] {
            assert!(
                !page.split("<script>").next().unwrap().contains(loads),
                "{loads}"
            );
        }
        assert_eq!(page.matches("<script>").count(), 1);
    }
}
