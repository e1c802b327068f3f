//! `evaluate`: measures the quality of a model's translations.

mod perplexity;
mod scores;
mod test_set;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::ensure;

use self::scores::Scores;
use self::test_set::{TestSet, Typed};
use super::{Search, load, sources, translations};
use crate::cli::bitext::PairLanguages;
use crate::cli::limit::count;
use crate::cli::product::{Force, Product};
use crate::decode::DecodeOptions;
use crate::decode::tokenize::Tokenize;
use crate::decode::translate::PackedModel;
use crate::train::built_in::BuiltIn;
use crate::train::checkpoint::{self, Translator};
use crate::train::marian_folder;

#[derive(clap::Args)]
pub struct Evaluate {
    #[command(flatten)]
    pub search: Search,
    /// Source lines; without them, held-out pairs of the phrasebook and its model
    #[arg(long, value_name = "FILE", requires = "refs")]
    src: Option<PathBuf>,
    /// References, line by line; or a .json with all references of each line: [["one", "another"], …]
    /// or {"source": ["one", "another"], …}
    #[arg(long = "ref", value_name = "FILE", requires = "src")]
    refs: Option<PathBuf>,
    #[command(flatten)]
    both: PairLanguages,
    /// Changes the German source to what people type: small letters, no closing mark, or ae, oe, ue, ss
    #[arg(long, value_name = "HOW", requires = "src")]
    typed: Option<Typed>,
    /// The number of pairs of the phrasebook
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = count!(1, 5000))]
    pairs: usize,
    /// Uses the phrasebook's longer sentences and rarer combinations
    #[arg(long)]
    hard: bool,
    /// How BLEU splits text into words; none for text that is already tokenised, char for Chinese and others
    /// without spaces
    #[arg(long, default_value = "13a", value_name = "NAME")]
    tokenize: Tokenize,
    /// Writes the translations, one on each line; - is stdout
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Files that an evaluation reads.
fn inputs(command: &Evaluate) -> Vec<PathBuf> {
    let model = command.search.model.iter().flat_map(|model| {
        let checkpoints = checkpoint::list(model)
            .into_iter()
            .map(|(_, folder)| folder);
        let folders = checkpoints.chain([model.clone(), model.join("best")]);
        folders.flat_map(|folder| {
            let own = ["model.safetensors", "tokenizer.json"].into_iter();
            own.chain(marian_folder::FILES)
                .map(move |file| folder.join(file))
        })
    });
    let text = command.src.iter().chain(&command.refs).cloned();
    text.chain(model).collect()
}

pub fn evaluate(command: &Evaluate, out: &mut dyn Write) -> anyhow::Result<()> {
    let inputs = inputs(command);
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    // Translating takes minutes, so check first that the result can be written.
    let product = command
        .write
        .as_ref()
        .map(|path| Product::forced(path, &inputs, &command.force))
        .transpose()?;
    // The phrasebook has its own vocabulary, so its pairs need its model.
    let usual = match command.src {
        Some(_) => BuiltIn::Everyday,
        None => BuiltIn::Phrasebook,
    };
    let t = load(command.search.model.as_deref(), usual)?;
    let options = command.search.options();
    let set = TestSet::read(command)?;
    ensure!(!set.src.is_empty(), "there is no line to translate");
    let translation = Translation::of(&t, &set.src, &options);
    if let Some(product) = &product {
        let lines = translation.lines.iter();
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        product.write(&text, out)?;
    }
    let scores = Scores::of(command, &t, &set, &translation);
    let report = if command.json {
        scores.json()
    } else {
        scores.text(&t)?
    };
    match product {
        Some(product) => product.report(&report, out),
        None => Ok(write!(out, "{report}")?),
    }
}

/// Translations of the lines of a test set.
struct Translation {
    /// One line for each source line.
    lines: Vec<String>,
    /// Number of sentences whose ends were cut off.
    cut: usize,
    /// Time that the translation took.
    time: Duration,
}

impl Translation {
    fn of(t: &Translator, src: &[String], options: &DecodeOptions) -> Self {
        let source_lines = sources(t, src);
        let start = Instant::now();
        let packed_model = PackedModel::new(&t.model, &t.params);
        let all = translations(&packed_model, &t.pipeline.target, &source_lines, options);
        let time = start.elapsed();
        let mut sentences: Vec<Vec<String>> = vec![Vec::new(); src.len()];
        for (source, hypotheses) in source_lines.iter().zip(&all) {
            let text = t.pipeline.target.joined(&hypotheses[0].ids);
            sentences[source.line].push(t.pipeline.finished(&source.sentence, text));
        }
        Self {
            lines: sentences.iter().map(|all| all.join(" ")).collect(),
            cut: source_lines.iter().filter(|source| source.cut).count(),
            time,
        }
    }
}
