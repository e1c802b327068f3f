//! Checks of the whole built book: its size, the scripts it runs, what it loads, and what it keeps folded.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use transformer_tutor::curriculum::LESSONS;

use super::chromium::axe_finds_nothing;
use super::html::{attribute, tags, without_folds};

/// Size limits in bytes, compressed as servers do: for one chapter, and for all files together, with the translator and
/// the course.
const CHAPTER: usize = 155_000;
const WHOLE: u64 = 17_500_000;

#[test]
fn the_built_book_passes_every_check_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    // mdBook clears the folder that it builds into, and must not clear a user's files.
    let somebodys = folder.path().join("book/mine.txt");
    std::fs::create_dir(folder.path().join("book")).unwrap();
    std::fs::write(&somebodys, "mine").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(["book", "--html", "--out"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(std::fs::read_to_string(somebodys).unwrap(), "mine");
    // If stderr is no terminal, it gets one line per chapter.
    let stderr = String::from_utf8_lossy(&output.stderr);
    let lessons = LESSONS.len();
    assert_eq!(stderr.matches(" chapters: ").count(), lessons, "{stderr}");
    let summary = std::fs::read_to_string(folder.path().join("src/SUMMARY.md")).unwrap();
    let (lessons, _) = summary.split_once("\n# Reference\n").unwrap();
    let numbered = LESSONS.len() - 1;
    assert_eq!(lessons.matches("- [").count(), numbered);
    let built = folder.path().join("book");
    let pages = pages(&built);
    assert!(pages.len() > LESSONS.len());
    check_csp(&pages);
    check_figures(&pages);
    check_folded_solutions(&pages);
    check_accessibility(&pages);
    check_ids(&pages);
    check_no_keys(&pages);
    check_sizes(&built, &pages);
    axe_finds_nothing(&built);
    let chapter = std::fs::read_to_string(folder.path().join("src/03-attention.md")).unwrap();
    assert!(
        chapter.contains("<math")
            && chapter.contains("<figure class=\"tt")
            && !chapter.contains("<!-- =")
    );
}

/// The HTML pages of a built book, by name.
fn pages(folder: &Path) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "html") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            pages.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
    pages
}

/// Size in bytes after gzip.
fn compressed(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap().len()
}

fn all_bytes(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let size = |entry: std::fs::DirEntry| {
        if entry.file_type().unwrap().is_dir() {
            all_bytes(&entry.path())
        } else {
            compressed(&std::fs::read(entry.path()).unwrap()) as u64
        }
    };
    entries.map(size).sum()
}

/// Checks that every chapter and the whole book stay below their size limits.
fn check_sizes(folder: &Path, pages: &BTreeMap<String, String>) {
    for lesson in LESSONS {
        let name = format!("{}.html", lesson.folder);
        let size = compressed(pages[&name].as_bytes());
        assert!(size <= CHAPTER, "{name} has {size} bytes");
    }
    let size = all_bytes(folder);
    assert!(size <= WHOLE, "the book has {size} bytes");
}

/// Scripts and links find what they look for by its id, so no page may have one twice.
fn check_ids(pages: &BTreeMap<String, String>) {
    for (name, page) in pages {
        let mut ids = BTreeSet::new();
        for id in tags(page).iter().filter_map(|tag| attribute(tag, "id")) {
            assert!(ids.insert(id), "{name}: {id} stands twice");
        }
    }
}

/// The inline scripts of a page, except for data.
fn inline_scripts(page: &str) -> BTreeSet<&str> {
    let parts = page.split("<script").skip(1);
    let script = |part: &'_ str| -> Option<(usize, usize)> {
        let open = part.find('>')?;
        let attributes = &part[..open];
        let runs = !attributes.contains(" src=") && !attributes.contains("application/json");
        runs.then_some((open + 1, part.find("</script>")?))
    };
    parts
        .filter_map(|part| script(part).map(|(from, to)| &part[from..to]))
        .collect()
}

/// Checks that a content security policy could allow all that pages run, style and load by naming the hashes of
/// mdBook's own few scripts: no page has inline scripts or styles that the bibliography, which is plain text, lacks.
fn check_csp(pages: &BTreeMap<String, String>) {
    let plain = inline_scripts(&pages["bibliography.html"]);
    let styles = |page: &str| -> BTreeSet<String> {
        let all = tags(page)
            .into_iter()
            .filter_map(|tag| attribute(tag, "style"));
        all.map(ToOwned::to_owned).collect()
    };
    let plain_styles = styles(&pages["bibliography.html"]);
    for (name, page) in pages {
        // mdBook puts other scripts of its own into the table of contents and the page for printing.
        if ["toc.html", "print.html"].contains(&name.as_str()) {
            continue;
        }
        let more: Vec<_> = inline_scripts(page).difference(&plain).copied().collect();
        assert!(more.is_empty(), "{name}: {more:?}");
        let more: Vec<_> = styles(page).difference(&plain_styles).cloned().collect();
        assert!(more.is_empty(), "{name}: {more:?}");
        for tag in tags(page) {
            let handler = tag.split_whitespace().find(|part| {
                part.starts_with("on")
                    && part.contains('=')
                    && part[2..].starts_with(char::is_alphabetic)
            });
            assert_eq!(handler, None, "{name}: {tag}");
            if tag.starts_with("<img") {
                let sized = attribute(tag, "width").is_some() && attribute(tag, "height").is_some();
                assert!(sized, "{name}: {tag}");
            }
            let loads =
                ["src", "href", "poster", "action", "data"].map(|part| attribute(tag, part));
            let outside = loads
                .into_iter()
                .flatten()
                .any(|to| to.contains("//") && !to.starts_with("data:"));
            assert!(tag.starts_with("<a ") || !outside, "{name}: {tag}");
        }
    }
}

/// Checks that no chapter shows the code that its exercise asks for outside a fold.
fn check_folded_solutions(pages: &BTreeMap<String, String>) {
    let all = LESSONS.iter();
    for (lesson, exercise) in all.flat_map(|l| l.exercises().map(move |e| (l, e))) {
        let page = &pages[&format!("{}.html", lesson.folder)];
        let open = without_folds(page);
        let (code, _) = exercise.reference().unwrap();
        let (_, body) = code.split_once(") -> ").unwrap();
        let says = |line: &&str| line.len() > 24 && line.contains('(') && !line.starts_with("//");
        for line in body.lines().skip(1).map(str::trim).filter(says) {
            let line = line
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            assert!(!open.contains(&line), "{} shows: {line}", lesson.name);
        }
        assert!(page.contains("class=\"tt-folded\""), "{}", lesson.name);
    }
}

/// Checks that every figure draws something and describes it in words.
fn check_figures(pages: &BTreeMap<String, String>) {
    for lesson in LESSONS {
        let name = format!("{}.html", lesson.folder);
        for figure in super::html::figures(&pages[&name]) {
            let drawn = ["<td", "<svg", "<code>"]
                .iter()
                .any(|part| figure.contains(part));
            let text = super::html::text_of(figure);
            assert!(
                drawn && text.split_whitespace().count() > 5,
                "{name}: {text}"
            );
            // The text may say NaN, but no coordinate may be NaN.
            let placed = ["path", "polyline", "line", "rect", "circle"];
            let mut tags = figure
                .split('<')
                .filter_map(|piece| piece.split('>').next());
            let lost = tags.find(|tag| {
                let drawn = tag.split_whitespace().next();
                drawn.is_some_and(|name| placed.contains(&name))
                    && (tag.contains("NaN") || tag.contains("=\"inf"))
            });
            assert_eq!(lost, None, "{name}: a place in a drawing is not a number");
        }
    }
}

/// Checks what a screen reader needs: drawings with a description, cells with headings, controls with names, and unique
/// anchors.
fn check_accessibility(pages: &BTreeMap<String, String>) {
    for lesson in LESSONS {
        let name = format!("{}.html", lesson.folder);
        let page = &pages[&name];
        let (mut ids, mut level) = (BTreeSet::new(), 1);
        let main = page
            .split("<main ")
            .nth(1)
            .unwrap()
            .split("</main>")
            .next()
            .unwrap();
        for tag in tags(main) {
            if let Some(id) = attribute(tag, "id") {
                assert!(ids.insert(id), "{name}: {id} stands twice");
            }
            if tag.starts_with("<svg class=\"tt-chart") {
                let heard = attribute(tag, "aria-label").unwrap_or("");
                assert!(
                    tag.contains("role=\"img\"") && heard.len() > 20,
                    "{name}: {tag}"
                );
            }
            if let Some(next) = tag
                .strip_prefix("<h")
                .and_then(|rest| rest[..1].parse::<u32>().ok())
            {
                assert!(
                    next <= level + 1,
                    "{name}: a heading of level {next} follows one of level {level}"
                );
                level = next;
            }
        }
        for figure in super::html::figures(main) {
            let all = tags(figure).into_iter();
            let unnamed = all.filter(|tag| tag.starts_with("<th ") && !tag.contains(" scope="));
            assert_eq!(
                unnamed.count(),
                0,
                "{name}: a heading of a figure does not say of what"
            );
        }
        for label in main.split("<label>").skip(1) {
            let label = label.split("</label>").next().unwrap();
            assert!(
                !super::html::text_of(label).trim().is_empty(),
                "{name}: {label}"
            );
        }
    }
}

/// Checks that no page of the course tells its reader to use a key or a part of the program's screen, which the book
/// does not have. The reference describes the program, so it may name both.
fn check_no_keys(pages: &BTreeMap<String, String>) {
    // "Press" is also the name of an author, which is removed below.
    const WORDS: [&str; 14] = [
        "press",
        "Press",
        "presses",
        "Enter",
        "Space",
        "Backspace",
        "Esc",
        "Tab",
        "cursor",
        "palette",
        "workbench",
        "keystroke",
        "footer",
        "stage",
    ];
    const PHRASES: [&str; 6] = [
        "this screen",
        "plain mode",
        " the key `",
        " keys <",
        "Type :",
        "type :",
    ];
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/reference");
    for (name, page) in pages {
        let source = name.replace(".html", ".md");
        let is_reference = reference.join(source).exists();
        // The page for printing repeats the same chapters.
        if name == "print.html" || is_reference {
            continue;
        }
        let Some(main) = page.split("<main ").nth(1) else {
            continue;
        };
        let main = main.split("</main>").next().unwrap();
        let text = super::html::text_of(&super::html::without_code(main));
        let text = text.replace("Press and Wolf", "").replace("Ofir Press", "");
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            assert!(!WORDS.contains(&word), "{name}: {}", around(&text, word));
        }
        for phrase in PHRASES {
            assert!(!text.contains(phrase), "{name}: {}", around(&text, phrase));
        }
    }
}

/// The text around the first occurrence of a whole word.
fn around(text: &str, word: &str) -> String {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let whole = |at: &usize| {
        !letter(text[..*at].chars().next_back()) && !letter(text[at + word.len()..].chars().next())
    };
    let mut hits = text.match_indices(word).map(|(at, _)| at);
    let at = hits.find(whole).unwrap_or(0);
    let before: String = text[..at].chars().rev().take(120).collect();
    let after: String = text[at..].chars().take(120).collect();
    before.chars().rev().chain(after.chars()).collect()
}
