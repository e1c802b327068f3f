//! What the search looks through: the prose of every section and the mistakes that it names, without code, figures and
//! answers. The page's script (`book/theme/tutor.js`) does the searching, so mdBook's tree of stems is left out.

use serde_json::{Value, json};

use super::Pages;
use super::finish::{lesson_at, words};

/// Elements whose text is left out.
const LEFT_OUT: [&str; 6] = ["figure", "pre", "script", "form", "annotation", "nav"];

/// mdBook's script of the index, with the texts taken from the finished `pages`. `None` if it is not as expected.
pub fn index(script: &str, pages: &Pages) -> Option<String> {
    const OPENS: &str = "JSON.parse('";
    let from = script.find(OPENS)? + OPENS.len();
    let to = script.rfind("'))")?;
    let text = script[from..to].replace("\\'", "'").replace("\\\\", "\\");
    let mut all: Value = serde_json::from_str(&text).ok()?;
    let urls = all["doc_urls"].clone();
    let store = &mut all["index"]["documentStore"];
    store["docInfo"] = json!({});
    for (at, url) in urls.as_array()?.iter().enumerate() {
        let (file, anchor) = url.as_str()?.split_once('#')?;
        let page = pages.get(&format!("book/{file}"))?;
        let Some(section) = section(str::from_utf8(page).ok()?, anchor) else {
            continue;
        };
        let doc = &mut store["docs"][at.to_string()];
        doc["body"] = json!(prose(section));
        doc["breaks"] = json!(breaks(section, file));
    }
    for field in ["title", "body", "breadcrumbs"] {
        all["index"]["index"][field] = json!({ "root": { "docs": {}, "df": 0 } });
    }
    let text = all.to_string().replace('\\', "\\\\").replace('\'', "\\'");
    Some(format!("{}{text}{}", &script[..from], &script[to..]))
}

/// What follows the heading with this anchor, up to the next one.
fn section<'a>(page: &'a str, anchor: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!(" id=\"{anchor}\""))?;
    let (_, rest) = rest.split_once("</h")?;
    let ends = ["<h1 id=", "<h2 id=", "<h3 id=", "</main>"].map(|end| rest.find(end));
    let end = ends.into_iter().flatten().min()?;
    rest[..end].split_once('>').map(|(_, text)| text)
}

/// The words of a section.
fn prose(section: &str) -> String {
    let mut text = section.to_owned();
    for name in LEFT_OUT {
        let close = format!("</{name}>");
        while let Some(from) = text.find(&format!("<{name}")) {
            let to = text[from..].find(&close).map(|to| from + to + close.len());
            text.replace_range(from..to.unwrap_or(text.len()), " ");
        }
    }
    words(&text)
}

/// The names and titles of the mistakes that a section switches on.
fn breaks(section: &str, file: &str) -> String {
    let named = |name: &str| section.contains(&format!("#do:break={name}\""));
    let all = lesson_at(file)
        .map_or(&[][..], |lesson| lesson.mistakes)
        .iter();
    let words = all.filter(|mistake| named(mistake.name));
    let words = words.map(|it| format!("{} ({})", it.title, it.name.replace('-', " ")));
    words.collect::<Vec<_>>().join("; ")
}
