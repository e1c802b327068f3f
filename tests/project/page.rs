//! The course in a page is compiled from these sources.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

fn files(path: &Path, all: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("the folder can be read");
        entries.for_each(|entry| files(&entry.expect("its entries too").path(), all));
    } else {
        all.push(path.to_owned());
    }
}

#[test]
fn the_module_of_the_page_is_made_of_these_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = fs::read_to_string(root.join("build/web")).expect("the script is there");
    let (_, named) = script
        .split_once("\nfind ")
        .expect("the script lists sources");
    let (named, _) = named.split_once(" -type f").expect("only their files");
    let mut all = Vec::new();
    for path in named.split_whitespace() {
        files(&root.join(path), &mut all);
    }
    let mut all: Vec<&[u8]> = all
        .iter()
        .map(|path| path.as_os_str().as_encoded_bytes())
        .collect();
    all.sort_unstable();
    let mut hash = Sha256::new();
    for path in all {
        let path = std::str::from_utf8(path).expect("a plain name");
        hash.update(fs::read(path).expect("the file can be read"));
    }
    let hash: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        hash,
        tutor_page::SOURCES.trim(),
        "the sources have changed since the page was compiled: run build/web"
    );
}
