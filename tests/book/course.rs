//! The course in a page: the module does what the program does, and a reader can use it in a browser.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use transformer_tutor::book;
use transformer_tutor::curriculum::LESSONS;
use transformer_tutor::train::built_in::BuiltIn;
use transformer_tutor::widgets::html::live::Place;
use tutor_web::Ask;

use super::chromium::{browser, driven, has_node};
use super::html::text_of;

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

/// Sentences as people type them.
const SENTENCES: [&str; 40] = [
    "Der kleine Hund schläft im Garten.",
    "Ich habe keine Zeit.",
    "Weil es regnet, bleiben wir zu Hause.",
    "Das Buch, das du mir gegeben hast, ist sehr interessant.",
    "Wo ist der nächste Bahnhof?",
    "wo ist der naechste bahnhof",
    "WO IST MEIN SCHLÜSSEL?",
    "Kannst du mir bitte helfen?",
    "Meine Schwester wohnt seit drei Jahren in Hamburg.",
    "Er fragte mich, ob ich mit ihm ins Kino gehen wolle.",
    "Gestern habe ich meine Brille im Zug vergessen.",
    "Die Kinder spielen auf der Straße Fußball.",
    "Wenn ich mehr Geld hätte, würde ich ein Haus kaufen.",
    "Das kostet zwölf Euro fünfzig.",
    "Um 7.30 Uhr fährt der Bus ab.",
    "„Komm her!“, rief sie.",
    "Sie hat gesagt: »Ich komme morgen.«",
    "Am 3. Mai kommt Dr. Weiß mit dem Zug.",
    "Ich bin müde. Gute Nacht!",
    "Wie geht’s dir?",
    "Schönes Wetter heute – oder?",
    "Ich trinke lieber Tee als Kaffee.",
    "Niemand weiß, was morgen passiert.",
    "Mach bitte das Fenster zu.",
    "Der Zug nach Berlin hat zehn Minuten Verspätung.",
    "Sein Vater ist Arzt und seine Mutter ist Lehrerin.",
    "Das ist nicht so einfach, wie du denkst.",
    "Ich kann dich nicht hören.",
    "Hast du schon gegessen?",
    "Es gibt hier keine guten Restaurants.",
    "Xylkrabz wohnt in Quedlinburg.",
    "Tom hat Maria ein Geschenk gekauft, aber sie mochte es nicht.",
    "Nach dem Essen gingen wir am Fluss spazieren.",
    "ich moechte bitte ein glas wasser",
    "Die Katze sitzt unter dem Tisch und wartet auf ihr Futter.",
    "Warum hast du mich nicht angerufen?",
    "Er hat lange geschlafen, denn er war krank.",
    "Der Koffer vom 3.4.2025 wiegt 23,5 kg.",
    "Ich glaube 日本 nicht.",
    "Danke!",
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
  const { error, figure } = ask(question);
  return error ?? (figure ? Object.values(figure).join("\n") : ask("text").text);
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
    let number = |word: &str| {
        let word = word.trim_end_matches([',', '.', ';']);
        word.replace('−', "-").parse::<f64>().ok()
    };
    own.iter().zip(&page).find_map(|(a, b)| {
        let near = match (number(a), number(b)) {
            (Some(x), Some(y)) => a == b || (x - y).abs() <= 2e-3 * x.abs().max(0.5),
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
    questions.extend(of_figures());
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
            let reply = tutor_web::answer(&mut walkthrough, read(question));
            let text = || tutor_web::answer(&mut walkthrough, Ask::Text).text;
            let figure = reply.figure.map(|shown| {
                let parts = [shown.head, shown.controls, shown.writes, shown.watch];
                let more = [shown.changes, shown.body, shown.says, shown.why];
                [parts, more].concat().join("\n")
            });
            reply.error.or(figure).or_else(text).unwrap()
        })
        .collect();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let page: Vec<String> = serde_json::from_slice(&output.stdout).unwrap();
    assert!(own.len() == page.len() && own.len() >= 300);
    let mut wrong = Vec::new();
    for ((question, own), page) in questions.iter().zip(&own).zip(&page) {
        let [own, page] = [own, page].map(|shown| match question["figure"] {
            Value::Null => shown.clone(),
            _ => text_of(shown),
        });
        if let Some(difference) = differ(&own, &page) {
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

/// Questions about figures: as their pages show them, with a number asked, and with each mistake that their pages name;
/// and the tour's translation of many sentences.
fn of_figures() -> Vec<Value> {
    let mut questions = Vec::new();
    let mut ask = |id: &str, place: &Place, acts: Value| {
        questions.push(json!({ "figure": { "id": id, "place": place, "acts": acts } }));
    };
    for (name, chapter) in super::CHAPTERS.iter() {
        for (at, (place, _)) in super::places(chapter).into_iter().enumerate() {
            let id = format!("{name}-{at}");
            ask(&id, &place, json!([]));
            ask(
                &id,
                &place,
                json!(["Why", { "Term": { "number": 1, "partner": false } }]),
            );
            for mistake in &place.offers.mistakes {
                ask(&id, &place, json!([{ "BreakNamed": mistake }]));
            }
            let translates = *name == "tour" && place.block.show.as_deref() == Some("translation");
            for sentence in SENTENCES.iter().filter(|_| translates) {
                ask(&id, &place, json!([{ "Set": ["sentence", sentence] }]));
            }
        }
    }
    questions
}

fn read(question: &Value) -> Ask {
    serde_json::from_value(question.clone()).unwrap()
}

/// Presses keys one after another, and reports what the screen says.
const DRIVE: &str = r#"<script>
const said = [];
const settled = async () => { while (!running || waiting.length) await turn(); };
const key = async (key) => {
  dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await settled();
};
const shown = (words) => screen.querySelector("svg").textContent.replace(/\s+/g, " ").includes(words);
(async () => {
  place = ["attention", 14];
  begin();
  await settled();
  said.push("title: " + document.title);
  said.push("page: " + shown("03 Scaled dot-product attention 14/"));
  // A long text is read on before its page is turned.
  for (let presses = 0; presses < 9 && place[1] === 14; presses += 1) await key("n");
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
        "next: attention,15",
        "text: true",
        "back: attention,14",
        "dark: true",
        "kept: true",
    ];
    assert_eq!(said, expected);
}
