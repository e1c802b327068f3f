//! The pictures: merges, the sentence, sizes, limits, one vocabulary for two languages, a unigram model.

use std::collections::BTreeSet;

use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::text::bpe::Bpe;
use transformer_tutor::text::sentencepiece::{self, SentencePiece};
use transformer_tutor::text::vocabulary::UNK;
use transformer_tutor::train::built_in::BuiltIn;

use super::corpus;
use super::knobs::Source;
use super::state::{State, learned};

/// Every picture.
pub fn all(state: &State) -> Vec<Picture> {
    vec![
        merges(state),
        sentence(state),
        sizes(state),
        limits(state),
        joint_picture(),
        unigram_picture(),
    ]
}

fn merges(state: &State) -> Picture {
    let mut rows = vec![vec![
        String::new(),
        "letters".to_owned(),
        String::new(),
        state.start.symbols().len().to_string(),
        state.start.tokens().to_string(),
    ]];
    for (rank, merge) in state.merges.iter().enumerate() {
        let (first, second) = &merge.pair;
        rows.push(vec![
            (rank + 1).to_string(),
            format!("{first} + {second}"),
            merge.count.to_string(),
            (state.start.symbols().len() + rank + 1).to_string(),
            merge.tokens.to_string(),
        ]);
    }
    // Show the newest first, because a long list would hide it.
    rows.reverse();
    let next = match state.corpus.best() {
        Some(((a, b), n)) => format!("The next merge would be {a} + {b}, which occurs {n} times."),
        None => "No pair occurs twice any more, so learning ends.".to_owned(),
    };
    Picture::table(
        "merges",
        "The merges so far, the newest first",
        format!(
            "{} merges. {next} \"vocabulary\" counts the different symbols, \"text\" the symbols of the whole text.",
            state.merges.len()
        ),
        &["", "merged", "times", "vocabulary", "text"],
        rows,
    )
}

fn sentence(state: &State) -> Picture {
    let row = |(word, pieces): &(String, Vec<String>)| {
        let whole = match state.word_id(word) {
            UNK => "<unk>".to_owned(),
            id => format!("{word} ({id})"),
        };
        let count = pieces.len().to_string();
        vec![word.clone(), whole, pieces.join("·"), count]
    };
    let rows: Vec<Vec<String>> = state.sentence.iter().map(row).collect();
    Picture::table(
        "sentence",
        "The sentence as words and as tokens",
        format!(
            "In brackets: the id of the word. What a model of subwords reads: {}",
            state.pieces().join(" ")
        ),
        &["word", "as a word", "as tokens", "n"],
        rows,
    )
}

/// Numbers of merges at the points of the curves.
const STOPS: [usize; 12] = [0, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400];

fn sizes(state: &State) -> Picture {
    let words = &state.words;
    let all = learned(words, STOPS[STOPS.len() - 1]);
    let characters: BTreeSet<String> = words.iter().flat_map(|(w, _)| all.characters(w)).collect();
    let total: usize = words.iter().map(|(_, n)| n).sum();
    let (mut vocabulary, mut length) = (vec![], vec![]);
    for merges in STOPS.into_iter().filter(|m| *m <= all.merges().len()) {
        // A word's pieces after `merges` merges are those before its first merge of a later rank.
        let pieces = |word: &str| {
            let steps = all.steps(word);
            let upto = steps.iter().take_while(|(rank, _)| *rank < merges).last();
            upto.map_or(word.chars().count(), |(_, symbols)| symbols.len())
        };
        let tokens: usize = words.iter().map(|(w, n)| pieces(w) * n).sum();
        let symbols = (characters.len() + merges) as f64;
        vocabulary.push((merges as f64, symbols / words.len() as f64));
        length.push((merges as f64, tokens as f64 / total as f64));
    }
    Picture::new(
        "sizes",
        "What merges cost and what they save",
        format!(
            "{} different words, {total} in all. With every merge the vocabulary grows by one and the text gets shorter, by a lot at first and by little later.",
            words.len()
        ),
        Body::curves(
            "merges",
            "",
            [
                Series::new("tokens per word", length),
                Series::new("vocabulary / different words", vocabulary),
            ],
        ),
    )
}

/// Number of tokens in the text whose words are not in the word vocabulary.
pub fn lost_tokens(state: &State) -> usize {
    let lost = state.words.iter().filter(|(w, _)| state.word_id(w) == UNK);
    lost.map(|(_, n)| n).sum()
}

fn limits(state: &State) -> Picture {
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
    let total: usize = state.words.iter().map(|(_, n)| n).sum();
    Picture::table(
        "limit",
        "Which words stay in the vocabulary",
        format!(
            "{} of {} different words stay. {} of the text's {total} words become <unk>.",
            state.kept.len(),
            state.words.len(),
            lost_tokens(state)
        ),
        &["rank", "word", "times", "becomes"],
        rows,
    )
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

fn joint_picture() -> Picture {
    let joint = joint();
    // The pieces spell the word; a column for it would leave them too little room.
    let rows = joint.cut.iter().map(|(_, cut)| cut.to_vec());
    Picture::table(
        "joint",
        "Words split by three lists of merges",
        format!(
            "Each row is one word. German: {} merges, {} symbols. English: {} merges, {} symbols. Learned from both: {} merges, {} symbols, and one embedding matrix instead of two.",
            joint.merges[0],
            joint.german.len(),
            joint.merges[1],
            joint.english.len(),
            joint.merges[2],
            joint.joint.len()
        ),
        &["German", "English", "joint"],
        rows.collect(),
    )
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

fn unigram_picture() -> Picture {
    let unigram = unigram();
    Picture::table(
        "unigram",
        "Words split by merges and by probabilities",
        format!(
            "The merges and the unigram model have {} tokens each, learned from the English text. It has {} tokens by the merges and {} by the unigram model.",
            unigram.size, unigram.merged, unigram.likeliest
        ),
        &["BPE", "unigram", "trained translator"],
        unigram.cut.iter().map(|row| row.to_vec()).collect(),
    )
}
