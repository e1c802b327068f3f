//! Sentence pairs of a file with both languages, and a way to hold some back without leaks.

use std::collections::{HashMap, HashSet};
use std::path::Path;

pub use super::bitext::Pair;
use super::bitext::{self, Bitext, Languages};
use super::corpus::{CorpusError, Read};
use super::stored::Stored;
use crate::tensor::random::fnv1a;
use crate::text::tokenize::{Form, normalize};

/// Reads a file that holds both languages: JSON, or tab-separated columns. Text is normalised to NFC, every run of
/// whitespace becomes one blank, and duplicate pairs and those with an empty side are dropped.
pub fn read(path: &Path, languages: &Languages) -> Result<Read<Vec<Pair>>, CorpusError> {
    let stored = Stored::read(path)?;
    let bitext = match Bitext::recognised(&stored, languages)? {
        Some(bitext) => bitext,
        None => {
            stored.refuse_markup()?;
            Bitext::tab_separated(&stored, languages)?
        }
    };
    let mut seen = HashSet::new();
    let mut pairs = Vec::new();
    for (source, target) in bitext.pairs {
        let pair = (tidy(&source), tidy(&target));
        if !pair.0.is_empty() && !pair.1.is_empty() && seen.insert(pair.clone()) {
            pairs.push(pair);
        }
    }
    if pairs.is_empty() {
        return Err(CorpusError::Empty {
            path: path.into(),
            why: String::new(),
        });
    }
    let mut remarks = vec![bitext.remark];
    for (side, text) in [
        (
            "source",
            pairs.iter().map(|pair| pair.0.as_str()).collect::<Vec<_>>(),
        ),
        ("target", pairs.iter().map(|pair| pair.1.as_str()).collect()),
    ] {
        if bitext::only_numbers(text.into_iter()).is_some() {
            remarks.push(format!(
                "warning: the {side} of {} is only numbers; choose other columns if these are not its sentences",
                path.display()
            ));
        }
    }
    Ok(Read {
        text: pairs,
        remarks,
        holds_both: true,
    })
}

fn tidy(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    normalize(&words.join(" "), Form::Nfc)
}

/// The letters and digits of a text in lower case, by which sentences are compared.
pub fn bare(text: &str) -> String {
    let letters: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.to_lowercase()
}

/// Splits the pairs into training data and held-back pairs, about `most` but no more than a tenth. Sentences that share
/// a translation, compared without case and punctuation, stay together: no held-back sentence, in either language,
/// occurs in the training data. A hash of the sentences decides, so the order of the file does not matter.
pub fn held_back(pairs: Vec<Pair>, most: usize) -> [Vec<Pair>; 2] {
    let most = most.min(pairs.len() / 10);
    let mut groups = Groups::default();
    let members: Vec<[usize; 2]> = pairs
        .iter()
        .map(|(source, target)| {
            let both = [("s", source), ("t", target)]
                .map(|(side, text)| groups.member(format!("{side} {}", bare(text))));
            groups.join(both[0], both[1]);
            both
        })
        .collect();
    let mut sizes: HashMap<usize, usize> = HashMap::new();
    let mut names: HashMap<usize, u64> = HashMap::new();
    let of: Vec<usize> = members.iter().map(|both| groups.root(both[0])).collect();
    for (group, (source, target)) in of.iter().zip(&pairs) {
        *sizes.entry(*group).or_default() += 1;
        let hash = fnv1a(source.bytes().chain([0]).chain(target.bytes()));
        let name = names.entry(*group).or_insert(u64::MAX);
        *name = hash.min(*name);
    }
    let mut order: Vec<(u64, usize)> = names
        .into_iter()
        .map(|(group, name)| (name, group))
        .collect();
    order.sort_unstable();
    let (mut held, mut count) = (HashSet::new(), 0);
    for (_, group) in order {
        // A group too large for the room that is left stays in the training data.
        if count + sizes[&group] <= most {
            count += sizes[&group];
            held.insert(group);
        }
        if count == most {
            break;
        }
    }
    let mut parts = [Vec::new(), Vec::new()];
    for (pair, group) in pairs.into_iter().zip(of) {
        parts[usize::from(held.contains(&group))].push(pair);
    }
    parts
}

/// Groups of things that belong together, directly or through others (union–find).
#[derive(Default)]
struct Groups {
    ids: HashMap<String, usize>,
    above: Vec<usize>,
}

impl Groups {
    fn member(&mut self, name: String) -> usize {
        let new = self.above.len();
        let id = *self.ids.entry(name).or_insert(new);
        if id == new {
            self.above.push(new);
        }
        id
    }

    fn root(&mut self, mut member: usize) -> usize {
        while self.above[member] != member {
            self.above[member] = self.above[self.above[member]];
            member = self.above[member];
        }
        member
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.above[one] = other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(source: &str, target: &str) -> Pair {
        (source.to_owned(), target.to_owned())
    }

    fn found(text: &str) -> Result<Read<Vec<Pair>>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs");
        std::fs::write(&path, text).unwrap();
        read(&path, &Languages::default()).map_err(|e| e.to_string())
    }

    #[test]
    fn the_second_column_is_the_source_and_what_is_there_twice_comes_once() {
        let text = "Hi.\tHallo!\tCC-BY 2.0\nHi.\tHallo!\tanother\n\nGo  on.\tGeh weiter.\n";
        assert_eq!(
            found(text).unwrap().text,
            [pair("Hallo!", "Hi."), pair("Geh weiter.", "Go on.")]
        );
        let message = found("Hi.\tHallo!\nno tab\n").unwrap_err();
        assert!(message.contains("line 2 has no column 2"), "{message}");
    }

    #[test]
    fn the_sentences_of_tatoebas_export_are_beside_its_numbers() {
        let line = |n| format!("{n}\tIch sehe {n} Hunde.\t{}\tI see {n} dogs.\n", 5000 + n);
        let parsed = found(&(1..20).map(line).collect::<String>()).unwrap();
        assert_eq!(parsed.text.len(), 19);
        assert_eq!(parsed.text[6], pair("Ich sehe 7 Hunde.", "I see 7 dogs."));
        assert!(parsed.remarks[0].ends_with("column 2 is the source and column 4 the target"));
    }

    /// Files that `datasets` and others wrote, by tests/fixtures/corpora/make.py.
    #[test]
    fn files_of_other_tools_have_the_pairs_that_they_were_made_of() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/corpora");
        let text = std::fs::read_to_string(root.join("expected.json")).unwrap();
        let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
        let pairs: Vec<Pair> = serde_json::from_value(expected["pairs"].clone()).unwrap();
        let files = expected["files"].as_array().unwrap();
        assert_eq!(files.len(), 10);
        for file in files {
            let text = |name: &str| file[name].as_str().unwrap();
            let path = root.join(text("name"));
            let read_back = read(&path, &Languages::default()).unwrap();
            assert_eq!(read_back.text, pairs, "{file}");
            let remark = format!(
                "read {} as {}: {} is the source and {} the target",
                path.display(),
                text("form"),
                text("source"),
                text("target")
            );
            assert_eq!(read_back.remarks, [remark]);
        }
    }

    #[test]
    fn a_side_of_numbers_is_doubted() {
        let parsed = found("12\tzwölf\n13\tdreizehn\n").unwrap();
        assert_eq!(parsed.text[0], pair("zwölf", "12"));
        assert!(
            parsed.remarks[1].starts_with("warning: the target of"),
            "{:?}",
            parsed.remarks
        );
        assert_eq!(found("12\tzwölf\nHi.\tHallo!\n").unwrap().remarks.len(), 1);
    }

    #[test]
    fn sentences_that_share_a_translation_stay_on_one_side() {
        let mut pairs: Vec<Pair> = (0..400)
            .map(|n| pair(&format!("Satz {n}"), &format!("Sentence {}.", n / 3)))
            .collect();
        // A pair that differs only in case and punctuation joins two groups.
        pairs.push(pair("satz 0!", "Sentence 99."));
        let [kept, held] = held_back(pairs.clone(), 40);
        assert!((35..=40).contains(&held.len()), "{}", held.len());
        assert_eq!(kept.len() + held.len(), pairs.len());
        let plain = |text: &str| -> String {
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            letters.collect::<String>().to_lowercase()
        };
        for (source, target) in &held {
            let leaks = |(a, b): &&Pair| plain(a) == plain(source) || plain(b) == plain(target);
            assert_eq!(kept.iter().find(leaks), None);
        }
        pairs.reverse();
        let [_, mut again] = held_back(pairs, 40);
        again.reverse();
        assert_eq!(again, held);
    }
}
