use std::collections::HashMap;

use super::*;
use crate::testing::assert_starts_with;

/// Words of Sennrich et al. 2016, figure 1, with their counts.
fn paper() -> Vec<String> {
    let words = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)];
    words
        .map(|(word, count)| [word].repeat(count).join(" "))
        .into()
}

fn learn(lines: &[String], merges: usize) -> Bpe {
    Bpe::learn(lines.iter().map(String::as_str), merges, 2)
}

fn merges(text: &str) -> Bpe {
    let lines: Vec<_> = text.split(", ").collect();
    Bpe::parse(&format!("#version: 0.2\n{}\n", lines.join("\n"))).unwrap()
}

fn one_a_line(bpe: &Bpe) -> String {
    let merges = bpe.merges().iter().map(|(a, b)| format!("{a} {b}"));
    merges.collect::<Vec<_>>().join(", ")
}

/// The merges of subword-nmt's test data (its bpe.ref, MIT) that its test of blanks needs.
fn iron_cement() -> Bpe {
    merges("e n, o n, o n</w>, en t</w>, e m, i r, m ent</w>, em ent</w>")
}

#[test]
fn the_papers_example_learns_the_papers_merges() {
    // `es` and `st</w>` occur 9 times each: the later in the alphabet wins, as in subword-nmt.
    assert_eq!(
        one_a_line(&learn(&paper(), 6)),
        "s t</w>, e st</w>, l o, w est</w>, n e, ne west</w>"
    );
}

#[test]
fn without_ties_the_most_frequent_pair_comes_first() {
    let lines = ["ab ab ab ac".to_owned(), "ac cd cd cd cd".to_owned()];
    assert_eq!(one_a_line(&learn(&lines, 9)), "c d</w>, a b</w>, a c</w>");
}

#[test]
fn learning_stops_before_a_rare_pair() {
    let lines = ["abc abd".to_owned()];
    assert_eq!(one_a_line(&learn(&lines, 9)), "a b");
    let all = Bpe::learn(["abc abd"].into_iter(), 9, 1);
    assert_eq!(one_a_line(&all), "a b, ab d</w>, ab c</w>");
    assert!(learn(&[], 9).merges().is_empty());
}

#[test]
fn overlapping_pairs_merge_from_the_left() {
    let bpe = merges("x x");
    assert_eq!(bpe.segment_word("xxxxy"), ["xx", "xx", "y"]);
    assert_eq!(bpe.segment_word("xxxy"), ["xx", "x", "y"]);
    // The last x is `x</w>`, a different symbol.
    assert_eq!(bpe.segment_word("xxx"), ["xx", "x"]);
}

#[test]
fn the_incremental_learner_equals_a_naive_one() {
    let mut random = Random(1);
    for _ in 0..300 {
        let lines: Vec<String> = (0..6).map(|_| random.line("abcß")).collect();
        assert_eq!(
            learn(&lines, 40).merges(),
            naive_learn(&lines, 40),
            "{lines:?}"
        );
    }
}

#[test]
fn joining_undoes_applying() {
    let mut random = Random(2);
    let lines: Vec<String> = (0..50).map(|_| random.line("abcdeäé")).collect();
    for merges in [0, 5, 1000] {
        let bpe = learn(&lines, merges);
        for line in &lines {
            assert_eq!(join(&bpe.apply(line)), *line);
        }
    }
}

#[test]
fn merges_are_written_as_they_are_read() {
    let bpe = learn(&paper(), 3);
    let text = "#version: 0.2\ns t</w>\ne st</w>\nl o\n";
    assert_eq!(bpe.to_text(), text);
    assert_eq!(Bpe::parse(text).unwrap().merges(), bpe.merges());
    assert!(Bpe::parse("#version: 0.2\n").unwrap().merges().is_empty());
    for old in ["#version: 0.1\ns t\n", "s t\n"] {
        assert_eq!(Bpe::parse(old).unwrap().to_text(), "#version: 0.1\ns t\n");
    }
}

#[test]
fn an_error_names_the_line() {
    let error = |text| Bpe::parse(text).unwrap_err().to_string();
    assert_eq!(
        error("#version: 0.2\na b\na b c\n"),
        "merges: line 3 is \"a b c\" but must be two symbols with a blank between, such as \"e s</w>\""
    );
    assert!(error("#version: 0.2\na b\n\nc d\n").starts_with("merges: line 3 is \"\""));
    assert!(error("a b\na\n").starts_with("merges: line 2 is \"a\""));
    assert!(error("#version: 0.3\na b\n").contains("line 1 is \"#version: 0.3\" but must be"));
    assert!(error("").starts_with("merges: line 1 is \"\""));
}

#[test]
fn blanks_around_a_line_stay() {
    let bpe = iron_cement();
    assert_eq!(bpe.apply("  iron cement  \n"), "  ir@@ on c@@ ement  \n");
    assert_eq!(bpe.apply("iron   cement"), "ir@@ on c@@ ement");
    assert_eq!(bpe.apply("\n"), "\n");
    assert_eq!(bpe.apply("   "), "   ");
    assert_eq!(bpe.apply(""), "");
}

#[test]
fn a_no_break_space_is_a_character_of_a_word() {
    assert_eq!(
        iron_cement().apply("iron\u{a0}cement\n"),
        "ir@@ on@@ \u{a0}@@ c@@ ement\n"
    );
}

#[test]
fn steps_show_every_merge() {
    let bpe = merges("e r</w>, f a, s t, fa st");
    assert_eq!(bpe.characters("faster"), ["f", "a", "s", "t", "e", "r</w>"]);
    let steps = bpe.steps("faster");
    let shown: Vec<_> = steps
        .iter()
        .map(|(rank, symbols)| format!("{rank}: {}", symbols.join(" ")))
        .collect();
    assert_eq!(
        shown,
        [
            "0: f a s t er</w>",
            "1: fa s t er</w>",
            "2: fa st er</w>",
            "3: fast er</w>"
        ]
    );
    assert_eq!(bpe.segment_word("faster"), ["fast", "er"]);
    assert_eq!(bpe.apply("a faster"), "a fast@@ er");
}

#[test]
fn a_word_of_no_or_one_character_has_no_steps() {
    let bpe = learn(&paper(), 10);
    assert!(bpe.segment_word("").is_empty() && bpe.steps("").is_empty());
    assert_eq!(bpe.segment_word("ß"), ["ß"]);
    assert!(bpe.steps("ß").is_empty());
}

#[test]
fn a_merge_that_is_named_twice_keeps_its_first_rank() {
    assert_eq!(
        merges("b c</w>, a b, b c</w>").segment_word("abc"),
        ["a", "bc"]
    );
}

#[test]
fn a_cut_line_joins_too() {
    assert_eq!(join("a fast@@ er do@@"), "a faster do");
}

#[test]
fn segmenting_equals_applying_each_merge_to_the_whole_word_in_turn() {
    let mut random = Random(3);
    for _ in 0..300 {
        // Merges that were not learned, so that a later one may make an earlier one possible.
        let symbols = [
            "a", "b", "aa", "ab", "ba", "aab", "bb", "b</w>", "a</w>", "ab</w>", "bb</w>",
        ];
        let mut symbol = || symbols[random.below(symbols.len())];
        let all: Vec<String> = (0..12)
            .map(|_| format!("{} {}", symbol(), symbol()))
            .collect();
        let bpe = merges(&all.join(", "));
        let word = random.line("ab").replace(' ', "");
        let steps = bpe.steps(&word);
        assert_eq!(steps, naive_steps(&bpe, &word), "{word} {all:?}");
    }
}

/// Applies each merge in turn to all symbols, from left to right.
fn naive_steps(bpe: &Bpe, word: &str) -> Vec<(usize, Vec<String>)> {
    let mut symbols = bpe.characters(word);
    let mut steps = Vec::new();
    loop {
        let is = |pair: &[String], (a, b): &(String, String)| pair[0] == *a && pair[1] == *b;
        let fits = |merge| symbols.windows(2).any(|pair| is(pair, merge));
        let Some(rank) = bpe.merges().iter().position(fits) else {
            return steps;
        };
        let mut i = 0;
        while i + 1 < symbols.len() {
            if is(&symbols[i..i + 2], &bpe.merges()[rank]) {
                let second = symbols.remove(i + 1);
                symbols[i].push_str(&second);
            }
            i += 1;
        }
        steps.push((rank, symbols.clone()));
    }
}

#[test]
fn a_word_of_a_million_characters_is_segmented_at_once_and_too_long_to_learn_from() {
    let mut random = Random(4);
    let letters: String = (0..1_000_000)
        .map(|_| char::from(b'a' + random.below(26) as u8))
        .collect();
    for word in ["a".repeat(1_000_000), letters] {
        let bpe = learn(&[word[..LONGEST_WORD].to_owned()], 300);
        assert_eq!(bpe.segment_word(&word).concat(), word);
        let message = learnable([" kurz", &word].into_iter())
            .unwrap_err()
            .to_string();
        assert_starts_with(
            &message,
            "line 2 has a word of 1000000 characters; merges are learned from words of at most 100000",
        );
    }
    assert_eq!(
        learnable(["ß".repeat(LONGEST_WORD).as_str()].into_iter()),
        Ok(())
    );
}

#[test]
fn merges_of_parts_of_the_mark_end_too() {
    // These merges make `</w>` itself from symbols, and `></w>` from `>` and the mark.
    let strange = merges("</w >, > </w>, < /w>");
    for word in [">", "</w>", "a>", "</w"] {
        assert_eq!(join(&strange.apply(word)), word);
    }
}

/// Learns merges by counting every pair again before each one.
fn naive_learn(lines: &[String], merges: usize) -> Vec<(String, String)> {
    let mut words: Vec<Vec<String>> = Vec::new();
    for word in lines.iter().flat_map(|line| line.split(' ')) {
        let mut symbols: Vec<_> = word.chars().map(String::from).collect();
        symbols.last_mut().unwrap().push_str(END_OF_WORD);
        words.push(symbols);
    }
    let mut learned = Vec::new();
    while learned.len() < merges {
        let mut counts: HashMap<(String, String), usize> = HashMap::new();
        for pair in words.iter().flat_map(|word| word.windows(2)) {
            *counts
                .entry((pair[0].clone(), pair[1].clone()))
                .or_default() += 1;
        }
        let most = counts.into_iter().map(|(pair, count)| (count, pair)).max();
        let Some((2.., best)) = most else { break };
        for word in &mut words {
            let mut i = 0;
            while i + 1 < word.len() {
                if word[i] == best.0 && word[i + 1] == best.1 {
                    let second = word.remove(i + 1);
                    word[i].push_str(&second);
                }
                i += 1;
            }
        }
        learned.push(best);
    }
    learned
}

/// Knuth's linear congruential generator: enough for made-up words, the same on every computer.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn line(&mut self, letters: &str) -> String {
        let letters: Vec<char> = letters.chars().collect();
        let words = 1 + self.below(8);
        let mut word = || {
            let length = 1 + self.below(9);
            (0..length)
                .map(|_| letters[self.below(letters.len())])
                .collect::<String>()
        };
        (0..words).map(|_| word()).collect::<Vec<_>>().join(" ")
    }
}
