//! The exported book: its figures agree with the engine, and its pages load nothing from outside and can be read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;
use transformer_tutor::autograd::recompute;
use transformer_tutor::{book, curriculum};

mod browser;
mod chromium;
mod contrast;
mod course;
mod drawings;
mod html;
mod links;
mod live;
mod rectangles;
mod whole;

use html::{figures, scripts, text_of};

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

/// The values of a figure's run: for each tensor, a map from flat index to value.
fn values(data: &Value) -> Vec<BTreeMap<u64, f32>> {
    let tensors = data["tensors"].as_array().unwrap();
    let runs = |tensor: &Value| {
        let mut values = BTreeMap::new();
        for run in tensor["values"].as_array().unwrap() {
            let (first, run) = run.as_array().unwrap().split_first().unwrap();
            let places = first.as_u64().unwrap()..;
            values.extend(places.zip(run.iter().map(number)));
        }
        values
    };
    tensors.iter().map(runs).collect()
}

fn number(value: &Value) -> f32 {
    match value.as_str() {
        Some(word) => word.replace("Infinity", "inf").parse().unwrap(),
        None => value.as_f64().unwrap() as f32,
    }
}

/// The terms of an explanation, as the page's script reads them.
fn terms<'a>(data: &'a Value, values: &[BTreeMap<u64, f32>], why: &Value) -> Vec<(&'a str, f32)> {
    let mut terms = Vec::new();
    for run in why["t"].as_array().unwrap() {
        let role = data["roles"][run[0].as_u64().unwrap() as usize]
            .as_str()
            .unwrap();
        let Some(tensor) = run[1].as_u64() else {
            terms.extend(run[2].as_array().unwrap().iter().map(|x| (role, number(x))));
            continue;
        };
        let places: Vec<u64> = match run[2].as_array() {
            Some(places) => places.iter().map(|index| index.as_u64().unwrap()).collect(),
            None => {
                let (first, stride) = (run[2].as_i64().unwrap(), run[3].as_i64().unwrap());
                let count = run[4].as_i64().unwrap();
                (0..count).map(|i| (first + i * stride) as u64).collect()
            }
        };
        terms.extend(
            places
                .iter()
                .map(|index| (role, values[tensor as usize][index])),
        );
    }
    terms
}

#[test]
fn the_shipped_formula_of_a_cell_gives_its_value() {
    let (mut checked, mut deep) = (0, 0);
    for (name, chapter) in CHAPTERS.iter() {
        for data in scripts(chapter) {
            let runs = data["runs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|run| &run["data"]);
            for data in runs
                .chain([&data["data"]])
                .filter(|data| data["tensors"].is_array())
            {
                let values = values(data);
                for (tensor, described) in data["tensors"].as_array().unwrap().iter().enumerate() {
                    let Some(all) = described["why"].as_object() else {
                        continue;
                    };
                    deep += usize::from(tensor > 0);
                    for (index, why) in all {
                        let formula = data["formulas"][why["f"].as_u64().unwrap() as usize]
                            .as_str()
                            .unwrap();
                        let terms = terms(data, &values, why);
                        let rest = why.get("rest").map_or(0.0, |rest| f64::from(number(rest)));
                        let again = recompute(formula, &terms).unwrap() + rest;
                        let value = f64::from(values[tensor][&index.parse().unwrap()]);
                        let size: f64 = terms
                            .iter()
                            .map(|t| f64::from(t.1.abs()))
                            .filter(|s| *s < 1e8)
                            .sum();
                        let near =
                            (again - value).abs() <= 1e-3 * value.abs() + 2e-5 * (1.0 + size);
                        assert!(
                            near || again.is_nan() && value.is_nan(),
                            "{name}: {}[{index}] is {value}, by {formula} {again}",
                            described["name"]
                        );
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(
        checked > 1000 && deep > 10,
        "{checked} cells, {deep} tensors further down"
    );
}

#[test]
fn a_cell_of_the_weights_can_be_followed_down_to_an_input() {
    let chapter = &CHAPTERS["attention"];
    let all = scripts(chapter);
    let data = all
        .iter()
        .map(|data| &data["data"])
        .find(|data| data["tensors"][0]["name"] == "weights");
    let data = data.expect("the lesson shows the weights");
    let shown = data["tensors"][0]["why"].as_object().unwrap();
    let deepest = shown
        .keys()
        .map(|place| depth(data, 0, place.parse().unwrap(), 0));
    assert!(
        deepest.max() >= Some(4),
        "weights, masked, scaled, scores, and a query"
    );
}

/// How many levels a cell can be followed along the first term of each tensor that its explanation names, at most 12.
fn depth(data: &Value, tensor: u64, index: u64, level: usize) -> usize {
    let why = &data["tensors"][tensor as usize]["why"][index.to_string()];
    let runs = why["t"].as_array().filter(|_| level < 12);
    let next = runs
        .into_iter()
        .flatten()
        .filter(|run| run[1].is_u64())
        .flat_map(|run| {
            let tensor = run[1].as_u64().unwrap();
            let (stride, count) = (run[3].as_i64().unwrap_or(1), run[4].as_i64().unwrap_or(1));
            let first = run[2].as_i64().or(run[2][0].as_i64()).unwrap();
            let places = (0..count.min(12)).map(move |i| (first + i * stride) as u64);
            places.map(move |index| (tensor, index))
        });
    next.map(|(tensor, index)| 1 + depth(data, tensor, index, level + 1))
        .max()
        .unwrap_or(0)
}

/// A Node script that recomputes cells from the data of figures as the page's script does. It reads lines of JSON, and
/// prints the cells whose recomputed value differs and the number of cells computed.
const AGAIN: &str = r#"
process.argv.slice(1).forEach(require);
const { Recorded } = globalThis.tutor;
let cells = 0;
require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean).forEach((line) => {
  const recorded = new Recorded(JSON.parse(line));
  recorded.data.tensors.forEach((tensor, number) => Object.entries(tensor.why || {}).forEach(([place, why]) => {
    const [value, again] = [recorded.value(number, Number(place)), recorded.computed(why)];
    const size = recorded.explanation(why).terms.map((t) => Math.abs(t.value)).filter((x) => x < 1e8).reduce((a, b) => a + b, 1);
    const near = Math.abs(again - value) <= 1e-3 * Math.abs(value) + 2e-5 * size;
    if (!near && !(Number.isNaN(again) && Number.isNaN(value))) console.log(recorded.name(number, place), value, again);
    cells += 1;
  }));
});
console.log(cells);
"#;

#[test]
fn the_pages_script_computes_what_the_engine_computed() {
    if !chromium::has_node() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let scripts_of_figures = ["provenance.js", "tutor.js"].map(|name| {
        let path = folder.path().join(name);
        std::fs::write(&path, &book::static_files()[&format!("theme/{name}")]).unwrap();
        path
    });
    let all = CHAPTERS.values().flat_map(|chapter| scripts(chapter));
    let data = all
        .map(|figure| figure["data"].clone())
        .filter(|data| data["tensors"].is_array());
    let lines: String = data.map(|data| format!("{data}\n")).collect();
    let mut node = Command::new("node")
        .args(["-e", AGAIN])
        .args(&scripts_of_figures)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let report = String::from_utf8(node.wait_with_output().unwrap().stdout).unwrap();
    let cells = report.trim().parse::<usize>();
    assert!(cells.is_ok_and(|cells| cells > 1000), "{report}");
}

#[test]
fn mistakes_that_a_page_names_come_with_its_figures() {
    let all = scripts(&CHAPTERS["attention"]);
    let titles: BTreeSet<String> = all
        .iter()
        .flat_map(|data| data["runs"].as_array().unwrap())
        .map(|run| run["title"].as_str().unwrap().to_owned())
        .collect();
    for title in [
        "forget to divide by √d_k",
        "mask after the softmax",
        "softmax over the queries instead of the keys",
    ] {
        assert!(titles.contains(title), "{title}: {titles:?}");
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
        "theme/provenance.js",
        "theme/tutor.js",
        "src/live/text.js",
        "src/live/live.js",
        "src/live/playground.js",
        "src/live/motion.js",
        "src/live/map.js",
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
    let why = "The dot product adds up the 64 numbers";
    assert!(chapter.contains(why), "the page has the answer");
    assert!(!text_of(chapter).contains(why), "and does not show it");
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
