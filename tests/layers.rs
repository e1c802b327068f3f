//! Who may import whom: lower layers know nothing of higher ones (ARCHITECTURE.md has the picture).

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of each layer, bottom to top. A module may import its own layer and those below.
const LAYERS: [&[&str]; 9] = [
    &["tensor", "expr"],
    &["params", "autograd"],
    &["ops"],
    &["nn"],
    &["transformer"],
    &["text", "data", "train", "decode"],
    &["widgets", "lesson"],
    &["curriculum"],
    &["tui", "plain", "book", "cli"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is part of the project") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without its tests, which may look around.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the file can be read");
    let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    text[..end]
        .lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The modules of this crate that a file names: `crate::x`, `transformer_tutor::x`, also in groups.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for start in ["crate::", "transformer_tutor::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
                continue;
            }
            let rest = &code[at + start.len()..];
            let names: Vec<&str> = match rest.strip_prefix('{') {
                Some(group) => group[..group.find('}').unwrap_or(0)].split(',').collect(),
                None => vec![rest],
            };
            found.extend(names.into_iter().map(|name| {
                let name = name.trim();
                let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                name[..end.unwrap_or(name.len())].to_owned()
            }));
        }
    }
    found
}

#[test]
fn no_module_imports_a_higher_layer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut problems = Vec::new();
    let mut seen = 0;
    let mut all = Vec::new();
    files(&root.join("src"), &mut all);
    for path in all {
        let relative = path
            .strip_prefix(root.join("src"))
            .expect("it was found there");
        let first = relative.components().next().expect("a file has a name");
        let first = first.as_os_str().to_string_lossy();
        let module = first.trim_end_matches(".rs");
        if matches!(module, "lib" | "main") {
            continue;
        }
        let Some(own) = layer(module) else {
            problems.push(format!("src/{module} stands in no layer"));
            continue;
        };
        for import in imports(&code(&path)) {
            if let Some(other) = layer(&import) {
                seen += 1;
                if other > own {
                    problems.push(format!("{} imports {import}", relative.display()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(
        seen > 50,
        "only {seen} imports were found: the test is blind"
    );
}

#[test]
fn no_lesson_imports_another_and_nothing_else_names_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut problems = Vec::new();
    let mut folders = Vec::new();
    for entry in fs::read_dir(root.join("lessons")).expect("there are lessons") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    // The playground is made of the stages of two lessons.
    for folder in folders.iter().filter(|f| !f.ends_with("playground")) {
        let mut all = Vec::new();
        files(folder, &mut all);
        // A learner's target is a crate of its own, which must name its lesson.
        for path in all.iter().filter(|p| !p.ends_with("learner.rs")) {
            let code = code(path);
            for import in imports(&code) {
                if layer(&import).is_some_and(|l| l >= 7) {
                    problems.push(format!("{} imports {import}", path.display()));
                }
            }
        }
    }
    let mut all = Vec::new();
    files(&root.join("src"), &mut all);
    for path in all {
        let code = code(&path);
        for line in code.lines().filter(|l| l.contains("curriculum::")) {
            let rest = line.split("curriculum::").nth(1).unwrap_or("");
            if !["LESSONS", "PLAYGROUND", "find", "{", "self"]
                .iter()
                .any(|known| rest.starts_with(known))
            {
                problems.push(format!(
                    "{} names a lesson: {}",
                    path.display(),
                    line.trim()
                ));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_engine_never_prints_and_never_reads_the_clock() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut problems = Vec::new();
    let mut all = Vec::new();
    for module in LAYERS[..6].iter().copied().flatten() {
        let folder = root.join(module);
        if folder.is_dir() {
            files(&folder, &mut all);
        }
        let file = root.join(format!("{module}.rs"));
        if file.is_file() {
            all.push(file);
        }
    }
    for path in all {
        // The BLAS is told its kernels through the environment, at its first call; see the file.
        let blas = path.ends_with("tensor/blas.rs");
        let code = code(&path);
        for word in [
            "println!",
            "print!(",
            "eprintln!",
            "dbg!",
            "Instant::now",
            "SystemTime",
        ] {
            if code.contains(word) {
                problems.push(format!("{} has {word}", path.display()));
            }
        }
        if !blas && (code.contains("env::var") || code.contains("env::set_var")) {
            problems.push(format!("{} reads the environment", path.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
