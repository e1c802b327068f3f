//! What each flaw costs: BLEU of the trained model over many sentences, intact and broken in every way.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::reading::translations;
use crate::decode::bleu::{BleuOptions, corpus_bleu, sentence_bleu};
use crate::lesson::memo::Memo;
use crate::lesson::picture::{Progress, Report};
use crate::lesson::{Bar, Body, Flaw, Picture};
use crate::text::phrasebook::{Part, pairs};

/// Number of sentences translated: held-out ones of the phrasebook, whose correct translations are known.
const SENTENCES: usize = 200;

/// What the trained model writes for the sentences, intact or with one flaw.
struct Score {
    bleu: f64,
    /// The sentence with the worst translation.
    worst: String,
    /// That translation.
    written: String,
}

crate::weigh!(Score: worst, written);

/// The intact model, then each flaw.
fn states() -> impl Iterator<Item = Option<Flaw>> {
    std::iter::once(None).chain(Flaw::TOUR.map(Some))
}

/// The score of one state, measured once.
fn score(flaw: Option<Flaw>) -> Arc<Score> {
    static MEMO: Memo<Score> = Memo::new("the trained model: what each flaw costs");
    MEMO.get(format!("{flaw:?}"), || measure(flaw))
}

fn measure(flaw: Option<Flaw>) -> Score {
    let pairs = pairs(Part::Tour, SENTENCES);
    let german: Vec<String> = pairs.iter().map(|pair| pair.german.join(" ")).collect();
    let english: Vec<String> = pairs.iter().map(|pair| pair.english.join(" ")).collect();
    let written = translations(&german, flaw);
    let hyps: Vec<&str> = written.iter().map(String::as_str).collect();
    let refs: Vec<&str> = english.iter().map(String::as_str).collect();
    let of_line =
        |line: usize| sentence_bleu(hyps[line], &[refs[line]], &BleuOptions::sentence()).score;
    let lines = 0..hyps.len();
    let worst = lines.min_by(|a, b| of_line(*a).total_cmp(&of_line(*b)));
    let worst = worst.expect("there are sentences");
    Score {
        bleu: corpus_bleu(&hyps, &[refs], &BleuOptions::default()).score,
        worst: german[worst].clone(),
        written: written[worst].clone(),
    }
}

/// BLEU of the model over the sentences, from 0 to 100.
pub fn bleu(flaw: Option<Flaw>) -> f64 {
    score(flaw).bleu
}

/// A bar for each state of the model, from the intact one on; `flaw` is the one that is switched on.
pub fn picture(flaw: Option<Flaw>) -> Picture {
    Picture::job(
        "damage",
        format!("Which break hurts most? BLEU over {SENTENCES} sentences"),
        "Each bar is the score of the translations that one model writes.",
        format!(
            "translates {SENTENCES} sentences with the intact model and with each broken one, some seconds"
        ),
        move |report| run(flaw, report),
    )
}

fn run(flaw: Option<Flaw>, report: Report<'_>) -> Progress {
    let mut scores = Vec::new();
    for state in states() {
        scores.push((state, score(state)));
        let now = drawn(flaw, &scores);
        if now.done >= 1.0 || report(now.clone()) == ControlFlow::Break(()) {
            return now;
        }
    }
    drawn(flaw, &scores)
}

/// The drawing of the scores measured so far.
fn drawn(flaw: Option<Flaw>, scores: &[(Option<Flaw>, Arc<Score>)]) -> Progress {
    let name = |state: Option<Flaw>| state.map_or("intact", Flaw::words);
    let bars = scores
        .iter()
        .map(|(state, score)| Bar::new(name(*state), score.bleu, format!("{:.1}", score.bleu)));
    let shown = scores.iter().find(|(state, _)| *state == flaw);
    let worst = shown.map_or(String::new(), |(state, score)| {
        let model = match state {
            None => "The intact model".to_owned(),
            Some(flaw) => format!("The model {}", flaw.words()),
        };
        let Score { worst, written, .. } = &**score;
        format!(" {model} does worst on “{worst}”. It writes “{written}”.")
    });
    let says = format!(
        "BLEU compares translations with correct ones: 100 means the same text, 0 that they have nothing in common.{worst}"
    );
    let done = scores.len() as f32 / states().count() as f32;
    Progress::new(done, says, Body::bars("BLEU", bars))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_contains;

    #[test]
    fn every_flaw_lowers_the_score_and_no_cross_attention_leaves_almost_nothing() {
        let intact = bleu(None);
        for flaw in Flaw::TOUR {
            assert!(bleu(Some(flaw)) < intact, "{flaw:?}");
        }
        assert!(bleu(Some(Flaw::NoCross)) < intact / 8.0);
        let end = run(Some(Flaw::NoCross), &mut |_| ControlFlow::Continue(()));
        let Body::Bars { bars, .. } = &end.body else {
            panic!("the picture is a bar chart")
        };
        assert_eq!(bars.len(), 1 + Flaw::TOUR.len());
        assert_contains(&end.says, "without cross-attention does worst on “");
    }
}
