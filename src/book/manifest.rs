//! Record of the files that this program wrote into a book's folder, with a checksum of each, so that it replaces its
//! own pages but notices one that a reader has edited.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::tensor::random::fnv1a;

/// Path of the manifest in the book's folder.
pub const NAME: &str = ".transformer-tutor-book";

const FIRST_LINE: &str =
    "Files of this folder that transformer-tutor wrote, and replaces until somebody edits them:";

/// Checksums of the contents that each file may have.
#[derive(Clone, Default)]
pub struct Manifest(BTreeMap<String, BTreeSet<String>>);

impl Manifest {
    /// Reads the manifest of a folder; empty if there is none.
    pub fn read(folder: &Path) -> Self {
        let bytes = fs::read(folder.join(NAME)).unwrap_or_default();
        Self::parse(&bytes).unwrap_or_default()
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(bytes).ok()?.lines();
        if lines.next()? != FIRST_LINE {
            return None;
        }
        let mut manifest = Self::default();
        for (sum, name) in lines.filter_map(|line| line.split_once("  ")) {
            manifest.enter(name, sum.to_owned());
        }
        Some(manifest)
    }

    fn enter(&mut self, name: &str, sum: String) {
        self.0.entry(name.to_owned()).or_default().insert(sum);
    }

    /// True if `bytes` are what this program wrote into the file.
    pub fn knows(&self, name: &str, bytes: &[u8]) -> bool {
        match name {
            NAME => Self::parse(bytes).is_some(),
            _ => self
                .0
                .get(name)
                .is_some_and(|sums| sums.contains(&sum(bytes))),
        }
    }

    /// Adds these files: while they are written, each may hold the old bytes or the new ones.
    pub fn and(mut self, files: &BTreeMap<String, Vec<u8>>) -> Self {
        for (name, bytes) in files {
            self.enter(name, sum(bytes));
        }
        self
    }

    /// Replaces the checksums of these files with their final ones.
    pub fn settled(mut self, files: &BTreeMap<String, Vec<u8>>) -> Self {
        for name in files.keys() {
            self.0.remove(name);
        }
        self.and(files)
    }

    /// Text of the manifest file.
    pub fn text(&self) -> String {
        let lines = self
            .0
            .iter()
            .flat_map(|(name, sums)| sums.iter().map(move |sum| format!("{sum}  {name}\n")));
        format!("{FIRST_LINE}\n{}", lines.collect::<String>())
    }
}

fn sum(bytes: &[u8]) -> String {
    format!("{:016x}", fnv1a(bytes.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_knows_written_files_and_not_edited_ones() {
        let files = |text: &str| BTreeMap::from([("src/a.md".to_owned(), text.into())]);
        let written = Manifest::default().and(&files("old")).and(&files("new"));
        let parsed = Manifest::parse(written.text().as_bytes()).unwrap();
        assert!(parsed.knows("src/a.md", b"old") && parsed.knows("src/a.md", b"new"));
        assert!(!parsed.knows("src/a.md", b"edited") && !parsed.knows("src/b.md", b"new"));
        let settled = parsed.settled(&files("new"));
        assert!(settled.knows("src/a.md", b"new") && !settled.knows("src/a.md", b"old"));
        assert!(settled.knows(NAME, written.text().as_bytes()));
        assert!(!settled.knows(NAME, b"somebody's"));
    }
}
