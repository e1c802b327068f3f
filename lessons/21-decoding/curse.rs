//! The beam search curse on sentences longer than any in training: larger beams make shorter translations, not better
//! ones.

use transformer_tutor::decode::bleu::{BleuOptions, corpus_bleu};
use transformer_tutor::decode::options::Penalty;
use transformer_tutor::decode::tokenize::Tokenize;
use transformer_tutor::decode::{DecodeOptions, translate};
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::lesson::picture::{Progress, Report};
use transformer_tutor::lesson::{Body, Picture};
use transformer_tutor::text::phrasebook::{Part, pairs};
use transformer_tutor::train::built_in::BuiltIn;

/// Results of one beam size on the sentences.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub beam: usize,
    /// Number of tokens written divided by that of the references.
    pub ratio: f64,
    /// Mean log-probability of a translation.
    pub log_prob: f64,
    /// Proportion of translations that equal the reference.
    pub exact: f64,
    pub bleu: f64,
    /// Proportion cut off by the length limit.
    pub cut: f64,
}

/// Translates `sentences` sentences of the hard part.
pub fn measure(beam: usize, sentences: usize, penalty: Penalty) -> Measured {
    let t = BuiltIn::Phrasebook.translator();
    let pairs = pairs(Part::Hard, sentences);
    let src = pairs
        .iter()
        .map(|p| t.pipeline.source_ids(&p.german.join(" ")));
    let src: Vec<Vec<u32>> = src.collect();
    let options = DecodeOptions {
        beam,
        penalty,
        ..DecodeOptions::default()
    };
    let translations = translate(&t.model, &t.params, &src, &options);
    let best: Vec<_> = translations.iter().map(|beam| &beam[0]).collect();
    let hyps = best.iter().map(|h| t.pipeline.target.joined(&h.ids));
    let hyps: Vec<String> = hyps.collect();
    let refs: Vec<String> = pairs.iter().map(|p| p.english.join(" ")).collect();
    let n = sentences as f64;
    let share = |k: usize| k as f64 / n;
    let written: usize = best.iter().map(|h| h.ids.len()).sum();
    let wanted: usize = pairs.iter().map(|p| p.english.len()).sum();
    let borrowed: Vec<&str> = hyps.iter().map(String::as_str).collect();
    let references = vec![refs.iter().map(String::as_str).collect::<Vec<_>>()];
    let how = BleuOptions {
        tokenize: Tokenize::None,
        ..BleuOptions::default()
    };
    Measured {
        beam,
        ratio: written as f64 / wanted as f64,
        log_prob: best.iter().map(|h| h.log_prob).sum::<f64>() / n,
        exact: share(hyps.iter().zip(&refs).filter(|(a, b)| a == b).count()),
        bleu: corpus_bleu(&borrowed, &references, &how).score,
        cut: share(best.iter().filter(|h| !h.finished).count()),
    }
}

/// Beams 1, 4 and 20 without a penalty, on the text's sentences.
pub static SMALL: Lazy<[Measured; 3]> =
    Lazy::new(|| [1, 4, 20].map(|beam| measure(beam, SENTENCES, Penalty::None)));

/// Number of sentences in every measurement.
pub const SENTENCES: usize = 60;

fn table(rows: &[Measured]) -> Body {
    let header = ["beam", "length", "log P", "exact", "BLEU", "cut off"];
    let row = |m: &Measured| {
        vec![
            m.beam.to_string(),
            format!("{:.3}", m.ratio),
            format!("{:.2}", m.log_prob),
            format!("{:.1} %", 100.0 * m.exact),
            format!("{:.1}", m.bleu),
            format!("{:.1} %", 100.0 * m.cut),
        ]
    };
    Body::Table {
        header: header.map(String::from).to_vec(),
        rows: rows.iter().map(row).collect(),
    }
}

/// The measurement as a picture that the learner starts.
pub fn picture() -> Picture {
    let run = |report: Report<'_>| {
        const BEAMS: [usize; 6] = [1, 2, 4, 8, 12, 20];
        let mut rows = vec![];
        let progress = |rows: &[Measured]| {
            Progress::new(
                rows.len() as f32 / BEAMS.len() as f32,
                "No length penalty. From row to row the search finds more probable translations: log P is the mean log-probability. Compare the length, relative to the true translation. “Cut off” were those that reached the limit.",
                table(rows),
            )
        };
        for beam in BEAMS {
            rows.push(measure(beam, SENTENCES, Penalty::None));
            if report(progress(&rows)).is_break() {
                break;
            }
        }
        progress(&rows)
    };
    Picture::drawn("beams", Body::job(run))
}
