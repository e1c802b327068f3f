//! The pictures: merges, the sentence, sizes, limits, one vocabulary for two languages, a unigram model.

use std::collections::BTreeSet;

use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::lesson::{Body, Fact, Facts};
use transformer_tutor::text::bpe::Bpe;
use transformer_tutor::text::sentencepiece::{self, SentencePiece};
use transformer_tutor::text::vocabulary::UNK;
use transformer_tutor::train::built_in::BuiltIn;

use super::corpus;
use super::knobs::Source;
use super::state::{Merge, State, learned};

/// What the pictures show of a state.
pub fn facts(state: &State) -> Facts {
    // The newest first, because a long list would hide it.
    let merges = || state.merges.iter().rev();
    let next = state.corpus.best().map(|((a, b), _)| format!("{a} + {b}"));
    let whole = |word: &String| match state.word_id(word) {
        UNK => "<unk>".to_owned(),
        id => format!("{word} ({id})"),
    };
    let spoken = || state.sentence.iter();
    let (joint, unigram) = (joint(), unigram());
    let of_joint = |n: usize| Fact::words(joint.cut.iter().map(|(_, cut)| cut[n].clone()));
    let of_unigram = |n: usize| Fact::words(unigram.cut.iter().map(|cut| cut[n].clone()));
    let pair = |merge: &Merge| format!("{} + {}", merge.pair.0, merge.pair.1);
    sizes(state)
        .with("merged", Fact::words(merges().map(pair)))
        .with("merge_counts", Fact::numbers(merges().map(|m| m.count)))
        .with("merge_tokens", Fact::numbers(merges().map(|m| m.tokens)))
        .with("next", next.unwrap_or_default())
        .with("all_pieces", state.pieces().join(" "))
        .with("spoken", Fact::words(spoken().map(|(word, _)| word)))
        .with(
            "spoken_ids",
            Fact::words(spoken().map(|(word, _)| whole(word))),
        )
        .with(
            "spoken_pieces",
            Fact::words(spoken().map(|(_, pieces)| pieces.join("·"))),
        )
        .with(
            "spoken_counts",
            Fact::numbers(spoken().map(|(_, pieces)| pieces.len())),
        )
        .with("joint_merges", Fact::numbers(joint.merges))
        .with("cut_german", of_joint(0))
        .with("cut_english", of_joint(1))
        .with("cut_joint", of_joint(2))
        .with("cut_merged", of_unigram(0))
        .with("cut_unigram", of_unigram(1))
        .with("cut_trained", of_unigram(2))
}

/// Numbers of merges at the points of the curves.
const STOPS: [usize; 12] = [0, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400];

/// The vocabulary and the length of the text after more and more merges.
fn sizes(state: &State) -> Facts {
    let words = &state.words;
    let all = learned(words, STOPS[STOPS.len() - 1]);
    let characters: BTreeSet<String> = words.iter().flat_map(|(w, _)| all.characters(w)).collect();
    let total: usize = words.iter().map(|(_, n)| n).sum();
    let (mut stops, mut vocabulary, mut length) = (vec![], vec![], vec![]);
    for merges in STOPS.into_iter().filter(|m| *m <= all.merges().len()) {
        // A word's pieces after `merges` merges are those before its first merge of a later rank.
        let pieces = |word: &str| {
            let steps = all.steps(word);
            let upto = steps.iter().take_while(|(rank, _)| *rank < merges).last();
            upto.map_or(word.chars().count(), |(_, symbols)| symbols.len())
        };
        let tokens: usize = words.iter().map(|(w, n)| pieces(w) * n).sum();
        let symbols = (characters.len() + merges) as f64;
        stops.push(merges as f64);
        vocabulary.push(symbols / words.len() as f64);
        length.push(tokens as f64 / total as f64);
    }
    Facts::default()
        .with("stops", stops)
        .with("vocabulary_share", vocabulary)
        .with("tokens_a_word", length)
}
/// Number of tokens in the text whose words are not in the word vocabulary.
pub fn lost_tokens(state: &State) -> usize {
    let lost = state.words.iter().filter(|(w, _)| state.word_id(w) == UNK);
    lost.map(|(_, n)| n).sum()
}

/// Which words stay in the vocabulary.
pub fn limits(state: &State) -> Body {
    let mut sorted = state.words.clone();
    sorted.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    // Show the most frequent words, those around the limit, and the last, so that the limit is visible.
    let (kept, last) = (state.kept.len(), sorted.len() - 1);
    let shown = |rank: usize| rank < 3 || rank.abs_diff(kept) <= 4 || rank == last;
    let row = |(rank, (word, n)): (usize, &(String, usize))| {
        if !shown(rank) {
            return vec!["…".to_owned(), String::new(), String::new(), String::new()];
        }
        let fate = match state.word_id(word) {
            UNK => "<unk>".to_owned(),
            id => format!("id {id}"),
        };
        vec![(rank + 1).to_string(), word.clone(), n.to_string(), fate]
    };
    let mut rows: Vec<Vec<String>> = sorted.iter().enumerate().map(row).collect();
    rows.dedup_by(|a, b| a[0] == "…" && b[0] == "…");
    Body::table(&["rank", "word", "times", "becomes"], rows)
}

/// German and English with separate merges, and with one list for both.
pub struct Joint {
    /// Symbols used by German alone, English alone, and the joint list.
    pub german: BTreeSet<String>,
    pub english: BTreeSet<String>,
    pub joint: BTreeSet<String>,
    /// Number of merges in each of the three lists: fewer than requested if no more pairs occur twice.
    pub merges: [usize; 3],
    /// Words with their pieces under German's merges, English's, and the joint ones.
    pub cut: Vec<(String, [String; 3])>,
}

impl Joint {
    /// Total rows of two separate tables.
    pub fn apart(&self) -> usize {
        self.german.len() + self.english.len()
    }
}

/// Maximum number of merges for each language; the joint list has twice as many.
const MERGES: usize = 100;

/// Learns the three lists, once.
pub fn joint() -> &'static Joint {
    static JOINT: Lazy<Joint> = Lazy::new(|| {
        let (german, english) = (
            corpus::words(Source::German),
            corpus::words(Source::English),
        );
        let both = corpus::words(Source::Both);
        let lists = [
            learned(&german, MERGES),
            learned(&english, MERGES),
            learned(&both, 2 * MERGES),
        ];
        let used = |bpe: &Bpe, words: &[(String, usize)]| -> BTreeSet<String> {
            let cut = words.iter().map(|(word, _)| bpe.apply(word));
            let cut: Vec<String> = cut.collect();
            cut.iter()
                .flat_map(|cut| cut.split(' '))
                .map(str::to_owned)
                .collect()
        };
        let chosen = [
            "Hund", "Garten", "Sommer", "Brücke", "schläft", "garden", "summer", "bridge", "sleeps",
        ];
        let cut = |word: &str| {
            let by = |list: &Bpe| list.apply(word).replace("@@ ", "·");
            (word.to_owned(), lists.each_ref().map(by))
        };
        Joint {
            german: used(&lists[0], &german),
            english: used(&lists[1], &english),
            joint: used(&lists[2], &both),
            merges: lists.each_ref().map(|list| list.merges().len()),
            cut: chosen.map(cut).into(),
        }
    });
    &JOINT
}

/// The English text split by merges and by a unigram model whose vocabulary has the same size.
pub struct Unigram {
    /// Number of tokens in either vocabulary.
    pub size: usize,
    /// Number of tokens of the whole text by the merges.
    pub merged: usize,
    /// Number of tokens of the whole text by the unigram model.
    pub likeliest: usize,
    /// Words as the merges, the unigram model and the trained translator split them.
    pub cut: Vec<[String; 3]>,
}

/// Number of merges that the unigram model is compared with.
const COMPARED: usize = 50;

/// Learns both from the same words, once.
pub fn unigram() -> &'static Unigram {
    static UNIGRAM: Lazy<Unigram> = Lazy::new(|| {
        let words = corpus::words(Source::English);
        let bpe = learned(&words, COMPARED);
        let characters: BTreeSet<String> =
            words.iter().flat_map(|(w, _)| bpe.characters(w)).collect();
        let size = characters.len() + bpe.merges().len();
        let lines: Vec<String> = words
            .iter()
            .map(|(word, n)| [word.as_str()].repeat(*n).join(" "))
            .collect();
        let pieces = sentencepiece::learn(lines.iter().map(String::as_str), size);
        let model = SentencePiece::of(&pieces).expect("pieces that were learned are a model");
        let tokens = |split: &dyn Fn(&str) -> Vec<String>| -> usize {
            words.iter().map(|(word, n)| split(word).len() * n).sum()
        };
        let trained = &BuiltIn::Everyday.translator().pipeline.target;
        let chosen = [
            "the", "summer", "sleeps", "teacher", "trains", "reading", "bridges", "sees",
        ];
        let cut = chosen.map(|word| {
            [
                bpe.segment_word(word),
                model.encode(word),
                trained.tokens(word),
            ]
            .map(|tokens| tokens.join("·"))
        });
        Unigram {
            size: pieces.len(),
            merged: tokens(&|word| bpe.segment_word(word)),
            likeliest: tokens(&|word| model.encode(word)),
            cut: cut.into(),
        }
    });
    &UNIGRAM
}
