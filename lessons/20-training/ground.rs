//! Training data of the learner's own run: short sentences of the phrasebook, all of it, or their own text.

use transformer_tutor::data::corpus;
use transformer_tutor::lesson::short_run::ground::{
    Ground, HELD_OUT, Lines, PAIRS, Watched, lines, prepared, sentences, short,
};
use transformer_tutor::text::phrasebook::{self, Pair, Part};
use transformer_tutor::text::pipeline::Pipeline;
use transformer_tutor::train::config::TrainConfig;

use super::plan::{FEWEST, Plan, Text};

/// Number of different words per side above which the learner's own text is split into subwords, and number of merges
/// then.
const WORDS: usize = 8000;

/// Training data for `plan`: the short sentences if it is `small`, else the phrasebook as the command `train` takes it,
/// or the learner's own text. A continued run brings its own `pipeline`.
pub fn of(plan: &Plan, config: &TrainConfig, pipeline: Option<Pipeline>) -> Result<Ground, String> {
    if let Text::Own(..) = plan.text {
        return own(&plan.text, config, pipeline);
    }
    let (train, held_out) = if plan.small {
        (short(Part::Train, PAIRS), short(Part::Valid, HELD_OUT))
    } else {
        let [train, held_out] = [(Part::Train, config.pairs), (Part::Valid, HELD_OUT)]
            .map(|(part, n)| phrasebook::pairs(part, n));
        (train, held_out)
    };
    let watched = sentences().iter().map(Watched::from).collect();
    Ok(Ground {
        pairs: held_out.clone(),
        watched,
        ..prepared(&lines(&train), &lines(&held_out), pipeline, config)
    })
}

/// The learner's own text. Every 50th pair is held out, or more of a small text, so that there are three to translate.
fn own(text: &Text, config: &TrainConfig, pipeline: Option<Pipeline>) -> Result<Ground, String> {
    let all = text.lines()?;
    let whole = |(a, b): &(&String, &String)| !a.trim().is_empty() && !b.trim().is_empty();
    let pairs = all.0.iter().zip(&all.1).filter(whole);
    let all: Lines = pairs.map(|(a, b)| (a.clone(), b.clone())).unzip();
    let every = (all.0.len() / 3).clamp(FEWEST / 3, 50);
    let [train, mut held_out] = corpus::held_back(all, every);
    held_out.0.truncate(HELD_OUT);
    held_out.1.truncate(HELD_OUT);
    let different = |lines: &[String]| {
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        words.collect::<std::collections::HashSet<_>>().len()
    };
    let mut config = config.clone();
    if different(&train.0).max(different(&train.1)) > WORDS {
        config.merges = WORDS;
    }
    let ground = prepared(&train, &held_out, pipeline, &config);
    if ground.train.pairs.is_empty() || ground.held_out.pairs.is_empty() {
        return Err(format!(
            "no line of this text has at most {} tokens; put one sentence on a line",
            config.max_length
        ));
    }
    let Pipeline { source, target, .. } = &ground.pipeline;
    let with_tokens = held_out.0.iter().zip(&held_out.1).map(|(a, b)| Watched {
        lines: (source.words(a), target.words(b)),
        pair: Pair {
            german: source.tokens(a),
            english: target.tokens(b),
            alignment: Vec::new(),
        },
    });
    let mut watched: Vec<Watched> = with_tokens.collect();
    // Prefer sentences that fit on a screen, in the order of the text.
    watched.sort_by_key(|w| w.pair.german.len().max(w.pair.english.len()) > 12);
    watched.truncate(3);
    Ok(Ground { watched, ..ground })
}
