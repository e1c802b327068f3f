//! The trained translator on sentences that begin at later positions.

use transformer_tutor::decode::{DecodeOptions, score, translate};
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::{Body, Picture};
use transformer_tutor::params::Params;
use transformer_tutor::train::built_in::BuiltIn;
use transformer_tutor::transformer::{Config, Transformer};

/// Sentences for the translator; the picture shows what becomes of the first.
const SENTENCES: [&str; 5] = [
    "Der kleine Hund schläft im Garten.",
    "Ich habe keine Zeit.",
    "Wo ist der Bahnhof?",
    "Das Buch, das du mir gegeben hast, ist sehr interessant.",
    "Gestern bin ich ins schöne Museum gefahren, um zu arbeiten.",
];

/// Numbers of positions by which both sides are moved.
const MOVES: [usize; 7] = [0, 10, 20, 30, 50, 80, 100];

/// Result of moving all sentences, source and target, by the same number of positions.
pub struct Moved {
    pub by: usize,
    /// Mean −log p of the tokens of the translations that the model writes without a move, in nats.
    pub loss: f64,
    /// The translation of the first sentence.
    pub translation: String,
}

/// Results of all [`MOVES`].
pub static MOVED: Lazy<Vec<Moved>> = Lazy::new(|| {
    let sources = SENTENCES.map(|line| {
        let pipeline = &BuiltIn::Everyday.translator().pipeline;
        pipeline.sentence(line).ids
    });
    let targets = sources.each_ref().map(|source| greedy(source, 0));
    let moved = |by| {
        let pairs = sources.iter().zip(&targets);
        let losses = pairs.flat_map(|(source, target)| losses(source, target, by));
        let losses: Vec<f64> = losses.collect();
        let target = &BuiltIn::Everyday.translator().pipeline.target;
        Moved {
            by,
            loss: losses.iter().sum::<f64>() / losses.len() as f64,
            translation: target.text(&greedy(&sources[0], by)),
        }
    };
    MOVES.map(moved).into()
});

/// The translator, with every position moved.
fn model(by: usize) -> Transformer {
    let config = &BuiltIn::Everyday.translator().model.config;
    let config = Config {
        first_position: config.first_position + by,
        max_len: config.max_len + by,
        ..config.clone()
    };
    Transformer::new(&mut Params::layout(), &config)
}

/// Greedy translation.
fn greedy(source: &[u32], by: usize) -> Vec<u32> {
    let params = &BuiltIn::Everyday.translator().params;
    let options = DecodeOptions::greedy();
    let mut translations = translate(&model(by), params, &[source.to_vec()], &options);
    translations.remove(0).remove(0).ids
}

/// −log p of each token of `target` and of its end.
fn losses(source: &[u32], target: &[u32], by: usize) -> Vec<f64> {
    let params = &BuiltIn::Everyday.translator().params;
    let log_probs = score(&model(by), params, source, target);
    log_probs.into_iter().map(|log_prob| -log_prob).collect()
}

pub fn picture() -> Picture {
    let drawn = || {
        let row = |moved: &Moved| {
            vec![
                moved.by.to_string(),
                format!("{:.2}", moved.loss),
                moved.translation.clone(),
            ]
        };
        let header = ["moved by", "loss", SENTENCES[0]];
        let body = Body::table(&header, MOVED.iter().map(row).collect());
        let says = "The loss is a mean over the tokens of five sentences; the last column is the translation of one.";
        Progress::new(1.0, says, body)
    };
    Picture::job(
        "moved",
        "The same sentences at later positions",
        "Source and target both start later, so all distances stay the same.",
        "Runs the trained translator on five sentences that begin at seven positions; about a second.",
        move |_| drawn(),
    )
    .ending(drawn)
}
