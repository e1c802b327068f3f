//! The course in a page: the module does what the program does, and a reader can use it in a browser.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use transformer_tutor::book;
use transformer_tutor::curriculum::LESSONS;
use transformer_tutor::train::built_in::BuiltIn;
use tutor_web::Ask;

use super::chromium::{browser, driven, has_node};

/// Lessons with a page that trains or translates for long.
const LONG: [&str; 4] = ["copy-task", "training", "decoding", "looking-inside"];

/// Keys that turn the first pages, break what they show, turn a knob, ask a number where it came from, and follow it.
const KEYS: [&str; 14] = [
    "n",
    "Tab",
    "1",
    "1",
    "]",
    "Tab",
    "ArrowDown",
    "Enter",
    "Enter",
    "Escape",
    "Escape",
    "n",
    "n",
    "?",
];

const HARNESS: &str = r#"
const fs = require("fs");
const [module, weights, questions] = process.argv.slice(1);
const bytes = (place, length) => new Uint8Array(course.memory.buffer, place, length);
const page = {
  now: () => Date.now(),
  random: (place, length) => crypto.getRandomValues(bytes(place, length)),
  tell: (place, length) => console.error(Buffer.from(bytes(place, length)).toString()),
};
const { exports: course } = new WebAssembly.Instance(new WebAssembly.Module(require("zlib").gunzipSync(fs.readFileSync(module))), { page });
const put = (given) => { const place = course.room(given.length); bytes(place, given.length).set(given); return place; };
const model = fs.readFileSync(weights);
course.weights(put(model), model.length);
const ask = (question) => {
  const text = Buffer.from(JSON.stringify(question));
  const length = course.ask(put(text), text.length);
  return JSON.parse(Buffer.from(bytes(course.reply(), length)));
};
console.log(JSON.stringify(JSON.parse(fs.readFileSync(questions)).map((question) => {
  const { error } = ask(question);
  return error ?? ask("text").text;
})));
"#;

/// Numbers of a screen may differ in the digits that rounding decides, and nothing else may.
fn differ(own: &str, page: &str) -> Option<String> {
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| c.is_whitespace() || "│┌┐└┘─[]()".contains(c));
        let words = parts.filter(|word| !word.is_empty()).map(str::to_owned);
        words.collect()
    };
    let (own, page) = (words(own), words(page));
    if own.len() != page.len() {
        return Some(format!("{} words and {}", own.len(), page.len()));
    }
    let number = |word: &str| word.replace('−', "-").parse::<f64>().ok();
    own.iter().zip(&page).find_map(|(a, b)| {
        let near = match (number(a), number(b)) {
            (Some(x), Some(y)) => (x - y).abs() <= 2e-3 * x.abs().max(0.5),
            // A checksum differs with the last bit.
            _ => a == b || [a, b].into_iter().all(|word| is_checksum(word)),
        };
        (!near).then(|| format!("{a} and {b}"))
    })
}

fn is_checksum(word: &str) -> bool {
    word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[test]
fn the_module_shows_what_the_program_shows() {
    if !has_node() {
        return;
    }
    let mut questions = Vec::new();
    for lesson in LESSONS.iter().filter(|lesson| !LONG.contains(&lesson.name)) {
        questions.push(json!({ "begin": { "lesson": lesson.name, "page": 1, "size": [120, 40], "dark": false } }));
        let keys =
            KEYS.map(|key| json!({ "key": { "key": key, "shift": false, "control": false } }));
        questions.extend(keys);
    }
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::write(place("module"), tutor_page::MODULE).unwrap();
    fs::write(place("weights"), BuiltIn::Everyday.files().weights).unwrap();
    fs::write(place("questions"), serde_json::to_vec(&questions).unwrap()).unwrap();
    let node = Command::new("node")
        .args(["-e", HARNESS])
        .args(["module", "weights", "questions"].map(place))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut walkthrough = None;
    let own: Vec<String> = questions
        .iter()
        .map(|question| {
            let error = tutor_web::answer(&mut walkthrough, read(question)).error;
            let text = || tutor_web::answer(&mut walkthrough, Ask::Text).text;
            error.or_else(text).unwrap()
        })
        .collect();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let page: Vec<String> = serde_json::from_slice(&output.stdout).unwrap();
    assert!(own.len() == page.len() && own.len() >= 300);
    let mut wrong = Vec::new();
    for ((question, own), page) in questions.iter().zip(&own).zip(&page) {
        if let Some(difference) = differ(own, page) {
            wrong.push(format!("{question}: {difference}\n{own}\n{page}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn read(question: &Value) -> Ask {
    serde_json::from_value(question.clone()).unwrap()
}

/// Presses keys one after another, and reports what the screen says.
const DRIVE: &str = r#"<script>
const said = [];
// The browser's clock also runs ahead while a page waits for anything but messages.
const turn = () => new Promise((resume) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resume;
  port2.postMessage(0);
});
const settled = async () => { while (waiting.length) await turn(); };
const key = async (key) => {
  dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await settled();
};
const shown = (words) => screen.querySelector("svg").textContent.replace(/\s+/g, " ").includes(words);
(async () => {
  // The browser's clock waits for the page, not for workers.
  delete window.Worker;
  place = ["attention", 2];
  begin();
  await settled();
  said.push("title: " + document.title);
  said.push("page: " + shown("03 Scaled dot-product attention 2/"));
  await key("n");
  said.push("next: " + place);
  element("as-text").click();
  await settled();
  said.push("text: " + element("text").textContent.includes("Scaled dot-product attention"));
  document.querySelector('[data-key="N"]').click();
  await settled();
  said.push("back: " + place);
  element("theme").click();
  await settled();
  said.push("dark: " + document.body.classList.contains("dark"));
  said.push("kept: " + (localStorage.getItem("transformer-tutor.progress") ?? "").includes("attention"));
})().catch((error) => said.push("error: " + error)).finally(() => {
  document.body.append(Object.assign(document.createElement("pre"), { id: "driven", textContent: said.join("\n") }));
});
</script>"#;

#[test]
fn a_reader_can_take_the_course_in_a_browser() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in book::static_files() {
        let place = folder.path().join(name.trim_start_matches("src/"));
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, bytes).unwrap();
    }
    let said = driven(browser, &folder.path().join("course.html"), DRIVE);
    let said: Vec<&str> = said.lines().collect();
    let expected = [
        "title: Scaled dot-product attention",
        "page: true",
        "next: attention,3",
        "text: true",
        "back: attention,2",
        "dark: true",
        "kept: true",
    ];
    assert_eq!(said, expected);
}
