//! The exported book: its figures agree with the engine, and its pages load nothing from outside and can be read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use transformer_tutor::lesson::page::Page;
use transformer_tutor::lesson::session::Intent;
use transformer_tutor::widgets::html::live::{Figure, Place};
use transformer_tutor::{book, curriculum};

mod browser;
mod chromium;
mod contrast;
mod course;
mod html;
mod links;
mod rectangles;
mod whole;

use html::{figures, scripts, text_of};
use transformer_tutor::testing::assert_contains;

/// Chapters that are quick to build and contain every kind of figure.
const LESSONS: [&str; 4] = ["tour", "positional-encoding", "attention", "generator"];

static CHAPTERS: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
    let chapter = |name| {
        let lesson = curriculum::find(name).unwrap();
        let pages = book::chapters(&[lesson]).unwrap();
        let bytes = pages[&format!("src/{}.md", lesson.folder)].clone();
        (name, String::from_utf8(bytes).unwrap())
    };
    LESSONS.map(chapter).into()
});

#[test]
fn every_stage_block_is_a_figure_and_none_of_them_names_a_key() {
    for (name, chapter) in CHAPTERS.iter() {
        let lesson = curriculum::find(name).unwrap();
        let blocks = lesson.text.matches("\n```stage").count();
        let figures = figures(chapter);
        assert!(
            figures.len() >= blocks,
            "{name}: {} of {blocks}",
            figures.len()
        );
        assert!(
            !chapter.contains("```stage")
                && !chapter.contains("```predict")
                && !chapter.contains("<!-- =")
        );
        for figure in figures {
            let text = text_of(figure);
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            let key = words.find(|word| ["press", "Press", "Enter", "Backspace"].contains(word));
            assert_eq!(key, None, "{name}: {text}");
            let drawn = ["<table", "<svg", "<a ", "<code>"]
                .iter()
                .any(|part| figure.contains(part));
            assert!(drawn, "{name}: {figure}");
        }
    }
}

/// The places at which the figures of a chapter begin, each with its figure.
fn places(chapter: &str) -> Vec<(Place, &str)> {
    let place = |figure| {
        let all = scripts(figure, "tt-place").into_iter().next();
        all.map(|json| (serde_json::from_value(json).unwrap(), figure))
    };
    figures(chapter).into_iter().filter_map(place).collect()
}

#[test]
fn a_figure_opens_with_the_drawing_of_its_page() {
    let mut opened = 0;
    for (name, chapter) in CHAPTERS.iter() {
        for (place, figure) in places(chapter) {
            let shown = Figure::open(&place).unwrap().shown(false);
            assert!(figure.contains(&shown.body), "{name}: {}", shown.body);
            assert!(figure.contains(&shown.head), "{name}: {}", shown.head);
            opened += 1;
        }
    }
    assert!(opened > 40, "{opened}");
}

/// Follows the first term of a cell, then of that one, and so on, to where the trail ends. Returns how far that was.
fn depth(place: &Place, index: &[usize]) -> usize {
    let mut acts = vec![Intent::At(index.to_vec()), Intent::Why];
    let mut figure = Figure::open(place).unwrap();
    for depth in 1..200 {
        figure.follow(&acts).unwrap();
        let why = figure.shown(false).why;
        // The last term that came from somewhere, so that a softmax does not lead to its own row for ever. A leaf has
        // none, and neither has what was made of constants.
        let Some((_, last)) = why.rsplit_once("&quot;Term&quot;:") else {
            return depth;
        };
        let number = last.split("&quot;number&quot;:").nth(1).unwrap();
        let number: String = number.chars().take_while(char::is_ascii_digit).collect();
        acts.push(Intent::Term {
            number: number.parse().unwrap(),
            partner: false,
        });
    }
    panic!("{place:?}{index:?} has no end")
}

#[test]
fn a_cell_of_the_weights_can_be_followed_down_to_an_input() {
    let all = places(&CHAPTERS["attention"]);
    // The sheet's weights have no batch and no heads.
    let is_sheet = |place: &Place| place.block.set.get("scene").is_some_and(|s| s == "by-hand");
    let weights =
        |place: &Place| place.block.show.as_deref() == Some("weights") && !is_sheet(place);
    let shown = all.iter().filter(|(place, _)| weights(place));
    let deepest = shown.map(|(place, _)| depth(place, &[0, 0, 0, 0])).max();
    // Weights, scaled scores, scores, and a query are the least.
    assert!(deepest >= Some(4), "{deepest:?}");
}

/// What the first handle of a drawing does.
fn handle(body: &str) -> Option<serde_json::Value> {
    let (_, rest) = body.split_once("data-move=\"")?;
    let json = rest.split('"').next()?.replace("&quot;", "\"");
    serde_json::from_str(&json).ok()
}

#[test]
fn a_bead_that_is_pulled_takes_its_weight_along_and_leaves_one_change() {
    let all = places(&CHAPTERS["attention"]);
    let (place, figure) = all
        .iter()
        .find(|(place, _)| place.block.show.as_deref() == Some("dictionary"))
        .unwrap();
    let bead = handle(figure).unwrap();
    let cell = format!("{}{}]", bead["of"].as_str().unwrap(), bead["cells"][0]);
    let moved = |score| [Intent::Put(vec![(cell.clone(), score)])];
    let mut figure = Figure::open(place).unwrap();
    let first = figure.shown(true).body;
    // Each place of a movement takes the place of the one before.
    for score in [9.0, 12.0, 40.0] {
        figure.follow(&moved(score)).unwrap();
    }
    let far = figure.shown(true);
    assert!(far.body.contains("“little → dog”: Der takes 1.00") && far.head.is_empty());
    assert!(figure.shown(false).watch.contains("One cell was changed"));
    figure.follow(&[]).unwrap();
    assert_eq!(figure.shown(true).body, first);
}

#[test]
fn a_figure_follows_what_its_reader_asks_for_and_begins_again_without_it() {
    let all = places(&CHAPTERS["attention"]);
    let (place, figure_at_first) = &all[0];
    let mut figure = Figure::open(place).unwrap();
    let broken = [Intent::BreakNamed("no-scale".to_owned())];
    figure.follow(&broken).unwrap();
    let once = figure.shown(false);
    assert_contains(&once.writes, "one key takes nearly everything");
    assert!(!figure_at_first.contains(&once.body));
    let difference = [broken[0].clone(), Intent::Difference];
    figure.follow(&difference).unwrap();
    assert!(figure.shown(false).says.contains("The difference"));
    // A figure that was forgotten comes back to the same.
    let mut again = Figure::open(place).unwrap();
    again.follow(&difference).unwrap();
    assert_eq!(again.shown(false).body, figure.shown(false).body);
    figure.follow(&[]).unwrap();
    assert!(figure_at_first.contains(&figure.shown(false).body));
    figure
        .follow(&[Intent::Look("nothing".to_owned())])
        .unwrap();
    assert!(figure.shown(false).writes.contains("no tensor or picture"));
}

#[test]
fn a_number_that_a_reader_sets_changes_the_translation() {
    let all = places(&CHAPTERS["tour"]);
    let shows = |place: &Place| place.block.show.as_deref() == Some("translation");
    let (place, _) = all.iter().find(|(place, _)| shows(place)).unwrap();
    let mut figure = Figure::open(place).unwrap();
    let cell = "decoder.layers.1.src_attn.weights[0,0,2,5]".to_owned();
    let acts = [Intent::Cell(cell), Intent::Edit("5".to_owned())];
    figure.follow(&acts).unwrap();
    let writes = figure.shown(false).writes;
    let before = "“The little dog is sleeping in the garden.”";
    let (now, was) = writes.split_once("instead of ").unwrap();
    assert!(
        now.contains("<strong>“The little ") && !now.contains(before),
        "{writes}"
    );
    assert!(was.starts_with(before), "{writes}");
}

#[test]
fn mistakes_that_a_page_names_come_with_its_figures() {
    let all = places(&CHAPTERS["attention"]);
    let offered: BTreeSet<String> = (all.into_iter())
        .flat_map(|(place, _)| place.offers.mistakes)
        .collect();
    for name in ["not-transposed", "mask-after", "wrong-axis"] {
        assert!(offered.contains(name), "{name}: {offered:?}");
    }
}

#[test]
fn chapters_satisfy_a_strict_content_security_policy() {
    for (name, chapter) in CHAPTERS.iter() {
        for tag in html::tags(chapter) {
            for attribute in [
                " style=",
                " onclick=",
                " onload=",
                " oninput=",
                " onchange=",
                "javascript:",
            ] {
                assert!(!tag.contains(attribute), "{name}: {tag}");
            }
            for asking in ["src=\"http", "href=\"http", "url(", "@import"] {
                let link = tag.starts_with("<a ");
                assert!(link || !tag.contains(asking), "{name}: {tag}");
            }
        }
    }
    let frame = book::static_files();
    for name in [
        "theme/tutor.css",
        "theme/module.js",
        "theme/figure.js",
        "theme/tutor.js",
        "src/live/course.js",
        "src/live/motion.js",
    ] {
        let text = String::from_utf8(frame[name].clone()).unwrap();
        for asking in [
            "http:",
            "https:",
            "@import",
            "url(http",
            "url(\"http",
            "url(//",
            "eval(",
            "new Function",
            "fetch(",
            "XMLHttpRequest",
        ] {
            let namespace = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!namespace.contains(asking), "{name}: {asking}");
        }
    }
}

#[test]
fn answers_are_out_of_sight() {
    let chapter = &CHAPTERS["attention"];
    assert!(chapter.contains("<form class=\"tt-ask\"") && chapter.contains("type=\"radio\""));
    let lesson = curriculum::find("attention").unwrap();
    let pages = lesson.pages().unwrap();
    let mut options = pages
        .iter()
        .flat_map(Page::predictions)
        .flat_map(|question| &question.options);
    // Its words need no escapes and no typographic signs.
    let plain = |why: &str| {
        why.chars()
            .all(|c| c.is_alphanumeric() || " ,.".contains(c))
    };
    let why = &options.find(|option| plain(&option.why)).unwrap().why;
    assert!(chapter.contains(why.as_str()), "the page has the answer");
    assert!(
        !text_of(chapter).contains(why.as_str()),
        "and does not show it"
    );
}

#[test]
fn a_chapter_made_again_has_the_same_bytes() {
    let lesson = curriculum::find("attention").unwrap();
    let again = book::chapters(&[lesson]).unwrap();
    assert_eq!(
        again["src/03-attention.md"],
        CHAPTERS["attention"].as_bytes()
    );
}
