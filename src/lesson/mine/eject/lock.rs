//! The lock file of the ejected crate. Its versions are those that this program was built with, so the crate compiles
//! from what cargo has downloaded already.

use std::collections::BTreeSet;

const OURS: &str = include_str!("../../../../Cargo.lock");

/// Entry of the crate, whose dependencies are those of its manifest.
const CRATE: &str = r#"[[package]]
name = "my-transformer"
version = "0.1.0"
dependencies = [
 "ndarray",
]"#;

/// Dependencies that only features need which the crate does without: each with the package that lists it.
const LEFT_OUT: [(&str, &str); 3] = [
    ("ndarray", " \"cblas-sys\","),
    ("ndarray", " \"libc\","),
    ("num-traits", " \"libm\","),
];

/// Contents of `Cargo.lock`: this project's, reduced to what the crate needs.
pub fn lock() -> Result<String, String> {
    let mut parts = OURS.trim_end().split("\n\n");
    let head = parts.next().unwrap_or_default();
    let ours: Vec<String> = parts.map(entry).collect();
    let mut kept = BTreeSet::from([CRATE.to_owned()]);
    let mut open = vec![CRATE.to_owned()];
    while let Some(entry) = open.pop() {
        for needed in dependencies(&entry) {
            let package = ours.iter().find(|ours| is_meant(needed, ours));
            let package = package.ok_or_else(|| format!("Cargo.lock has no {needed}"))?;
            if kept.insert(package.clone()) {
                open.push(package.clone());
            }
        }
    }
    let mut out = head.to_owned();
    for entry in &kept {
        let alone = |name: &str| {
            kept.iter()
                .filter(|entry| value(entry, "name") == name)
                .count()
                == 1
        };
        out += "\n\n";
        out += &short(entry, alone);
    }
    Ok(out + "\n")
}

/// An entry of this project's lock file, without what the crate leaves out.
fn entry(text: &str) -> String {
    let name = value(text, "name");
    let lines = text
        .lines()
        .filter(|line| !LEFT_OUT.contains(&(name, line)));
    let text = lines.collect::<Vec<_>>().join("\n");
    text.replace("\ndependencies = [\n]", "")
}

/// An entry whose dependencies have a version only where several entries have the name.
fn short(entry: &str, alone: impl Fn(&str) -> bool) -> String {
    let line = |line: &str| match line
        .strip_prefix(" \"")
        .and_then(|rest| rest.split_once(' '))
    {
        Some((name, _)) if alone(name) => format!(" \"{name}\","),
        _ => line.to_owned(),
    };
    entry.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Dependencies of an entry: names, some with a version behind them.
fn dependencies(entry: &str) -> impl Iterator<Item = &str> {
    let lines = entry.lines();
    lines.filter_map(|line| line.strip_prefix(" \"")?.strip_suffix("\","))
}

/// True if an entry is the one that a dependency names.
fn is_meant(dependency: &str, entry: &str) -> bool {
    let (name, version) = dependency.split_once(' ').unwrap_or((dependency, ""));
    value(entry, "name") == name && (version.is_empty() || value(entry, "version") == version)
}

/// Value of a key of an entry; empty if it has none.
fn value<'a>(entry: &'a str, key: &str) -> &'a str {
    let mut lines = entry.lines();
    let value = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
    value.map_or("", |value| value.trim_end_matches('"'))
}
