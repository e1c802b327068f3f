//! Tests of the numbers in the lesson's text.

use super::corpus::{Corpus, Flaw};
use super::*;
use crate::text::bpe::byte_pairs;

fn state(turned: &[(&str, &str)]) -> State {
    let settings = LESSON.settings(turned).unwrap();
    State::of(&settings.knobs(), &settings)
}

#[test]
fn the_drawn_text_learns_what_the_segmenter_learns() {
    for corpus in ["paper", "letters", "english", "german", "both"] {
        let real = state(&[("corpus", corpus), ("merges", "60")]);
        let words: Vec<(&str, usize)> = real.words.iter().map(|(w, n)| (w.as_str(), *n)).collect();
        let merges: Vec<_> = real.merges.iter().map(|m| m.pair.clone()).collect();
        assert_eq!(merges, byte_pairs(&words, 60), "{corpus}");
    }
}

#[test]
fn the_drawn_text_makes_the_mistakes_that_the_exercise_knows() {
    for switch in LESSON.mistakes {
        let drawn = state(&[("corpus", "paper"), ("merges", "9"), ("break", switch.name)]);
        let words: Vec<(&str, usize)> = drawn.words.iter().map(|(w, n)| (&w[..], *n)).collect();
        let merges: Vec<_> = drawn.merges.iter().map(|m| m.pair.clone()).collect();
        let learn = check::TASK.with(Some(switch.name));
        assert_eq!(merges, learn(&words, 9), "{}", switch.name);
    }
}

#[test]
fn the_pair_counts_of_the_run_are_those_of_the_text() {
    for merges in ["0", "4", "9"] {
        let state = state(&[("merges", merges)]);
        let (trace, symbols) = (record(&state), state.corpus.symbols());
        let pairs = trace.tensor("pairs").expect("there are neighbours");
        assert_eq!(
            pairs.sum() as usize,
            state.corpus.counts().values().sum::<usize>()
        );
        for ((first, second), count) in state.corpus.counts() {
            let at = |s: &String| symbols.iter().position(|known| known == s).unwrap();
            assert_eq!(pairs.at(&[at(&first), at(&second)]), count as f32);
        }
    }
}

#[test]
fn a_text_without_neighbours_has_no_pairs_and_still_runs() {
    let state = state(&[("merges", "20")]);
    assert_eq!((state.merges.len(), state.corpus.best()), (13, None));
    assert!(record(&state).tensor("pairs").is_none());
}

#[test]
fn a_new_word_is_cut_by_the_order_of_merges() {
    let new = state(&[("merges", "10")]);
    assert_eq!(new.pieces().join(" "), "lo@@ west ne@@ w@@ e@@ r");
    let sentence = "the teacher sees old trains";
    let longer = state(&[
        ("corpus", "english"),
        ("merges", "50"),
        ("sentence", sentence),
    ]);
    assert_eq!(bpe::join(&longer.pieces().join(" ")), sentence);
}

#[test]
fn three_equal_letters_merge_from_the_left() {
    let mut left = Corpus::new(&[("aaab", 1)], None);
    let mut right = Corpus::new(&[("aaab", 1)], Some(Flaw::FromRight));
    let pair = ("a".to_owned(), "a".to_owned());
    left.merge(&pair);
    right.merge(&pair);
    assert_eq!(left.words[0].0, ["aa", "a", "b</w>"]);
    assert_eq!(right.words[0].0, ["a", "aa", "b</w>"]);
}
