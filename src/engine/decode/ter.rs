//! Translation edit rate (Snover et al. 2006), with the same digits as sacreBLEU 2, which follows Tercom.

mod edits;

use std::fmt;

use super::bleu::{VERSION, check_lengths};
use super::tokenize::{is_space, surround, western_marks, western_symbols};
use edits::edits;

/// Options of TER. The defaults are sacreBLEU's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerOptions {
    /// True to split off punctuation and to undo entities, as BLEU's 13a does.
    pub normalized: bool,
    /// True to remove punctuation.
    pub no_punct: bool,
    /// True to also split Chinese and Japanese characters (with `normalized`) and remove their punctuation (with
    /// `no_punct`).
    pub asian_support: bool,
    /// True to tell upper from lower case.
    pub case_sensitive: bool,
}

impl TerOptions {
    /// Returns sacreBLEU's signature, to print beside the score: `nrefs:1|case:lc|tok:tercom|norm:no|…`.
    pub fn signature(&self, references: impl fmt::Display) -> String {
        let yes = |yes| if yes { "yes" } else { "no" };
        let case = if self.case_sensitive { "mixed" } else { "lc" };
        format!(
            "nrefs:{references}|case:{case}|tok:tercom|norm:{}|punct:{}|asian:{}|version:{VERSION}",
            yes(self.normalized),
            yes(!self.no_punct),
            yes(self.asian_support)
        )
    }

    /// Splits a line into words.
    fn words(&self, line: &str) -> Vec<String> {
        let mut line = if self.case_sensitive {
            line.to_owned()
        } else {
            line.to_lowercase()
        };
        if self.normalized {
            line = normalized(&line);
            if self.asian_support {
                line = surround(&line, |c| is_asian(c) || is_asian_mark(c));
            }
        }
        if self.no_punct {
            let asian = self.asian_support;
            let mark = |c: char| ".,?:;!\"()".contains(c) || asian && is_asian_mark(c);
            line.retain(|c| !mark(c));
        }
        let words = line.split(is_space).filter(|word| !word.is_empty());
        words.map(String::from).collect()
    }
}

/// Splits punctuation and possessive endings off words, after undoing entities.
fn normalized(line: &str) -> String {
    let line = line.replace("&quot;", "\"").replace("&amp;", "&");
    let line = line.replace("&lt;", "<").replace("&gt;", ">");
    // The spaces give a mark at either end of the line a neighbour that is not a digit.
    let line = western_symbols(&format!(" {} ", line.trim_end_matches(is_space)));
    western_marks(&line.replace("'s ", " 's "))
}

/// True for characters that Tercom's normaliser makes words of their own: ideographs, their radicals, strokes and
/// compatibility forms. (Its rules for kana only match lines without spaces, which it never sees.)
fn is_asian(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3200}'..='\u{4dbf}' | '\u{31c0}'..='\u{31ef}' | '\u{2e80}'..='\u{2eff}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}')
}

/// True for punctuation of Chinese and Japanese, and full-width forms of Western punctuation.
fn is_asian_mark(c: char) -> bool {
    matches!(c,
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{ff61}'..='\u{ff65}'
        | '\u{30fb}' | '\u{ff0e}' | '\u{ff0c}' | '\u{ff1f}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff01}' | '\u{ff02}'
        | '\u{ff08}' | '\u{ff09}')
}

/// A TER score and the figures it came from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ter {
    /// Edits per word of the references, in percent; lower is better, and more than 100 is possible.
    pub score: f64,
    /// Number of edits: insertions, deletions, substitutions, and shifts of several words.
    pub edits: usize,
    /// Number of words in the references: for each line, the mean over its references.
    pub ref_len: f64,
}

/// Formats the score as sacreBLEU does, `TER = 42.86`. `{ter:.4}` shows four decimals, like its `--width 4`.
impl fmt::Display for Ter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "TER = {:.*}", f.precision().unwrap_or(2), self.score)
    }
}

/// TER of a whole corpus: edits and lengths are summed over lines before the division.
///
/// `refs` are reference sets: line i of each translates the same sentence as line i of `hyps`. Panics if there is no set,
/// or if the length of one differs.
#[track_caller]
pub fn corpus_ter(hyps: &[&str], refs: &[Vec<&str>], options: &TerOptions) -> Ter {
    let (mut all, mut ref_len) = (0, 0.0);
    for line in line_ters(hyps, refs, options) {
        all += line.edits;
        ref_len += line.ref_len;
    }
    Ter::new(all, ref_len)
}

/// TER of every line.
#[track_caller]
pub(super) fn line_ters(hyps: &[&str], refs: &[Vec<&str>], options: &TerOptions) -> Vec<Ter> {
    check_lengths("corpus_ter", hyps, refs);
    let line = |(line, hyp): (usize, &&str)| {
        let refs: Vec<&str> = refs.iter().map(|set| set[line]).collect();
        sentence_ter(hyp, &refs, options)
    };
    hyps.iter().enumerate().map(line).collect()
}

/// TER of one sentence against the reference that needs the fewest edits. Panics if there is none.
#[track_caller]
pub fn sentence_ter(hyp: &str, refs: &[&str], options: &TerOptions) -> Ter {
    let hyp = options.words(hyp);
    let refs: Vec<Vec<String>> = refs.iter().map(|line| options.words(line)).collect();
    let fewest = refs.iter().map(|reference| edits(&hyp, reference)).min();
    let words: usize = refs.iter().map(Vec::len).sum();
    Ter::new(
        fewest.expect("TER: a sentence needs a reference"),
        words as f64 / refs.len() as f64,
    )
}

impl Ter {
    fn new(edits: usize, ref_len: f64) -> Self {
        let score = match (edits, ref_len > 0.0) {
            (_, true) => edits as f64 / ref_len,
            (0, false) => 0.0,
            (_, false) => 1.0,
        };
        Self {
            score: 100.0 * score,
            edits,
            ref_len,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str, options: TerOptions) -> String {
        options.words(line).join(" ")
    }

    #[test]
    fn words_are_those_of_tercom() {
        let plain = TerOptions::default();
        assert_eq!(words("  Das ist, so.  ", plain), "das ist, so.");
        let normalized = TerOptions {
            normalized: true,
            ..plain
        };
        assert_eq!(
            words(
                "The dog's tail &amp; 1,000.5 (3-D) &quot;x&quot;.",
                normalized
            ),
            "the dog 's tail & 1,000.5 ( 3 - d ) \" x \" ."
        );
        let asian = TerOptions {
            asian_support: true,
            ..normalized
        };
        assert_eq!(words("我很好。カナx", asian), "我 很 好 。 カナx");
        let bare = TerOptions {
            no_punct: true,
            case_sensitive: true,
            ..plain
        };
        assert_eq!(words("Yes, (I do).。", bare), "Yes I do。");
        let both = TerOptions {
            asian_support: true,
            ..bare
        };
        assert_eq!(words("我很好。", both), "我很好");
    }

    #[test]
    fn edits_are_counted_against_the_mean_length_of_the_references() {
        let options = TerOptions::default();
        // One shift of two words.
        let ter = sentence_ter("c d a b", &["a b c d"], &options);
        assert_eq!((ter.edits, ter.ref_len, ter.score), (1, 4.0, 25.0));
        let ter = sentence_ter("a b", &["a x", "a b c d"], &options);
        assert_eq!((ter.edits, ter.ref_len), (1, 3.0));
        let ter = corpus_ter(&["a b", "c"], &[vec!["a b", "c d"]], &options);
        assert_eq!((ter.edits, ter.to_string()), (1, "TER = 25.00".to_owned()));
    }

    #[test]
    fn empty_lines_count_too() {
        let options = TerOptions::default();
        for (hyp, reference, score) in [("", "", 0.0), ("a", "", 100.0), ("", "a b", 100.0)] {
            assert_eq!(sentence_ter(hyp, &[reference], &options).score, score);
        }
    }

    #[test]
    fn signatures_read_as_sacrebleus() {
        let all = TerOptions {
            normalized: true,
            no_punct: true,
            asian_support: true,
            case_sensitive: true,
        };
        assert_eq!(
            all.signature("var"),
            format!(
                "nrefs:var|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|version:{VERSION}"
            )
        );
        assert_eq!(
            TerOptions::default().signature(1),
            format!("nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{VERSION}")
        );
    }
}
