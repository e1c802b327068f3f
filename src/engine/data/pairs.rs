//! Sentence pairs in the format of manythings.org/anki, and a way to hold some back without leaks.

use std::collections::HashMap;
use std::path::Path;

use super::corpus::{CorpusError, sentences};
use crate::tensor::random::fnv1a;
use crate::text::tokenize::{Form, normalize};

/// Source and target sentence.
pub type Pair = (String, String);

/// Reads a file whose lines are English, a tab, German, and any further columns; German is the source. Text is
/// normalised to NFC, every run of whitespace becomes one blank, and duplicate pairs are dropped.
pub fn tab_separated(path: &Path) -> Result<Vec<Pair>, CorpusError> {
    let mut seen = std::collections::HashSet::new();
    let mut pairs = Vec::new();
    let lines = sentences(path)?;
    for (n, line) in lines.iter().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let mut columns = line.split('\t').map(tidy);
        let (Some(target), Some(source)) = (columns.next(), columns.next()) else {
            return Err(CorpusError::Columns {
                path: path.into(),
                line: n + 1,
            });
        };
        let pair = (source, target);
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
    match column_of_numbers(&pairs) {
        Some(column) => Err(CorpusError::Numbers {
            path: path.into(),
            column,
            advice: number_advice(path, &lines),
        }),
        None => Ok(pairs),
    }
}

/// First column, counted from 1, in which at least nine entries in ten contain only digits.
fn column_of_numbers(pairs: &[Pair]) -> Option<usize> {
    let numbers = |column: fn(&Pair) -> &String| {
        let all = pairs.iter().map(column);
        all.filter(|text| is_number(text)).count()
    };
    let columns = [numbers(|pair| &pair.1), numbers(|pair| &pair.0)];
    let column = columns.iter().position(|n| n * 10 >= pairs.len() * 9)?;
    Some(column + 1)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Advice on a file that has a column of numbers.
fn number_advice(path: &Path, lines: &[String]) -> String {
    let first = lines.iter().find(|line| !line.trim().is_empty());
    let columns: Vec<&str> = first.map_or(Vec::new(), |line| line.split('\t').collect());
    match &columns[..] {
        [one, _, three, _, ..] if is_number(one.trim()) && is_number(three.trim()) => format!(
            "it looks like sentence pairs of tatoeba.org (number, sentence, number, translation), so keep the two \
             sentences, English first, for example with awk -F '\\t' -v OFS='\\t' '{{print $4, $2}}' {} > pairs.txt",
            path.display()
        ),
        _ => {
            "each line must be English, a tab, German, so remove that column, for example with cut"
                .to_owned()
        }
    }
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
    let (mut held, mut count) = (std::collections::HashSet::new(), 0);
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

    #[test]
    fn the_second_column_is_the_source_and_what_is_there_twice_comes_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deu.txt");
        let text = "Hi.\tHallo!\tCC-BY 2.0\nHi.\tHallo!\tanother\n\nGo  on.\tGeh weiter.\n";
        std::fs::write(&path, text).unwrap();
        assert_eq!(
            tab_separated(&path).unwrap(),
            [pair("Hallo!", "Hi."), pair("Geh weiter.", "Go on.")]
        );
        std::fs::write(&path, "Hi.\tHallo!\nno tab\n").unwrap();
        let said = tab_separated(&path).unwrap_err().to_string();
        assert!(said.contains("line 2") && said.contains("tab"), "{said}");
    }

    #[test]
    fn a_column_of_numbers_is_refused_with_what_it_looks_like() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.tsv");
        let line = |n| format!("{n}\tIch sehe {n} Hunde.\t{}\tI see {n} dogs.\n", 5000 + n);
        std::fs::write(&path, (1..20).map(line).collect::<String>()).unwrap();
        let said = tab_separated(&path).unwrap_err().to_string();
        assert!(
            said.contains("column 1 is numbers")
                && said.contains("tatoeba.org")
                && said.contains("'{print $4, $2}'"),
            "{said}"
        );
        // Some sentences are numbers.
        std::fs::write(&path, "12\tzwölf\nHi.\tHallo!\n").unwrap();
        assert_eq!(tab_separated(&path).unwrap().len(), 2);
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
