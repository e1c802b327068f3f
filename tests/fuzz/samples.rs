//! Undamaged files and texts, and the words to damage a text with.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use transformer_tutor::data::corpus::Corpus;
use transformer_tutor::data::safetensors::{self, NamedTensors};
use transformer_tutor::data::{annotated, weights};
use transformer_tutor::params::Params;
use transformer_tutor::text::pipeline::{Learning, Pipeline, Side};
use transformer_tutor::train::checkpoint;
use transformer_tutor::train::config::TrainConfig;
use transformer_tutor::train::run_folder::RunFolder;
use transformer_tutor::train::trainer::Trainer;
use transformer_tutor::transformer::{Config, Transformer};

use super::Kind::{Tensors, Text};
use super::{Example, Fixture, Kind};

pub const SOURCE: &str = "Der Hund schläft .\nDie Katze, die läuft, ist 3 Jahre alt.\n\nEr „ruft“ z.B. l'été 1.000,5 Mal!\n";
pub const TARGET: &str =
    "The dog sleeps .\nThe cat that runs is 3 years old.\n\nHe \"calls\" don't 1,000.5 times!\n";

/// An example that its reader accepts.
pub fn given(bytes: impl Into<Vec<u8>>, kind: Kind) -> [Example; 1] {
    let bytes = bytes.into();
    [Example {
        bytes,
        kind,
        read: true,
    }]
}

/// An example that its reader refuses.
pub fn foreign(bytes: impl Into<Vec<u8>>, kind: Kind) -> [Example; 1] {
    given(bytes, kind).map(|example| Example {
        read: false,
        ..example
    })
}

/// An example of text, and the words to damage it with.
pub fn text(text: &str, dictionary: &'static [&'static str]) -> [Example; 1] {
    given(text, Text(dictionary))
}

pub const TOML: &[&str] = &[
    "[", "]", "=", "[[", "\"", "'''", "nan", "-inf", "steps = ", "heads = ", "0\n", "[[[[", "{a=",
    "true",
];
pub const WORDS: &[&str] = &[
    "wort", "\u{a0}", "''", "...", "-", "&amp;", "ǅ", "1.", "„", "\u{2028}", "@-@", "z.B.",
];
pub const MERGES: &str =
    "#version: 0.2\ne r</w>\nd er</w>\nh u\nhu n\nn d</w>\n< /w>\n> </w>\n</w >\n";
pub const MERGE: &[&str] = &[
    "</w>", "e ", " r", "\n", "@@", "hu ", "> </w>\n", "</w >\n", "#version",
];
pub const PAGE: &str = "lessons/04-masks/lesson.md";
pub const MARKDOWN: &[&str] = &[
    "# ", "## ", "\n\n", "```", "stage\n", "predict", "\n", "$", "$$", "<!-- = ", " | ", "-->",
    "> ", "[!NOTE]", "- ", "| a |", "|--|\n", "[^1]", "[^1]: ", "{{#", "include ", "}}", "*", "`",
    "<b>", ": ", "![a](b)", "1. ", "\\",
];
pub const FORMULAS: [&str; 6] = [
    r"\mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V",
    r"\sum_{i=1}^{n} x_i^2 + \hat{y}\cdot\mathbb{E}[z]",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
    r"x' = \text{if } a \le b \quad \lim_{n\to\infty} \overline{ab}",
    r"\begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}",
    r"\frac{\partial L}{\partial W} = \prod_k \sqrt[3]{x_{k,j}}",
];
pub const LATEX: &[&str] = &[
    "{", "}", "^", "_", "\\frac", "\\sqrt", "\\left(", "\\right)", "&", "\\\\", "\\begin{",
    "\\end{", "pmatrix", "\\text{", "\\hat", "\\not", "\\limits", "'", "$", "%", "#1", "\\def",
    "\\a", "\\sum_", "\\mathbb", "\\color{",
];
pub const EXPRESSIONS: [&str; 5] = [
    "exp(x - max(row)) / sum(exp(row - max(row)))",
    "select(row > 1, row[2], -1) ^ 2 + √(mean(row * row))",
    "shape(scores) == (30, 8, 10, 11)",
    "scores[0, :, 1, 2] · 3 − 1e-5",
    "std(row, 1, 2) <= rms(row) / count(row)",
];
pub const EXPRESSION: &[&str] = &[
    "(", ")", "[", "]", ",", ":", "^", "-", "−", "√", "·", "e", "1e", ".", "row", "row[", "shape(",
    "select(", "==", "!", "max(", "1e400", "²",
];
pub const PROGRESS: &str = "version = 1\nlast = \"masks\"\n\n[lessons.masks]\npages = [0, 1, 2]\nstopped_at = 2\nattempts = 3\nhints = 1\nsolved = true\n\n[lessons.masks.answers]\n\"Which?\" = true\n";

pub fn own(lines: &str) -> Vec<String> {
    lines.lines().map(str::to_owned).collect()
}

/// A run on disk after one update, with subwords.
pub fn run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (config, pipeline, corpus) = ground();
    let mut trainer = Trainer::new(config, sizes(&pipeline), corpus, 1);
    trainer.update().unwrap();
    let run = RunFolder::begin(folder.path()).unwrap();
    run.save(&trainer, &pipeline).unwrap();
    folder
}

pub fn ground() -> (TrainConfig, Pipeline, Corpus) {
    let config = TrainConfig {
        layers: 1,
        d_model: 8,
        d_ff: 12,
        heads: 2,
        merges: 10,
        max_length: 30,
        ..TrainConfig::default()
    };
    let pipeline = Pipeline::learn(&own(SOURCE), &own(TARGET), &config.learning());
    let corpus = Corpus::new(&own(SOURCE), &own(TARGET), &pipeline, config.max_length);
    (config, pipeline, corpus)
}

pub fn sizes(pipeline: &Pipeline) -> (usize, usize) {
    let words = |side: &Side| side.vocabulary.len();
    (words(&pipeline.source), words(&pipeline.target))
}

/// The case files of single operations and layers; whole models take too long.
pub fn cases() -> Vec<Example> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parity/set-1");
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    all.retain(|path| path.metadata().unwrap().len() < 60_000);
    all.sort();
    all.iter()
        .flat_map(|path| given(fs::read(path).unwrap(), Tensors))
        .collect()
}

/// The same file as older versions of the program wrote it, without checksums.
pub fn without_sums(bytes: &[u8]) -> Vec<u8> {
    let mut file = safetensors::parse(Path::new("run"), bytes).unwrap();
    file.metadata.retain(|key, _| !key.ends_with("sha256"));
    safetensors::to_bytes(&file)
}

/// A copy of a run as older versions of the program wrote it, without checksums.
pub fn older(run: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (_, newest) = checkpoint::list(run).pop().expect("a checkpoint was kept");
    let path = folder.path().join(newest.file_name().unwrap());
    fs::create_dir(&path).unwrap();
    for entry in fs::read_dir(newest).unwrap().flatten() {
        let mut bytes = fs::read(entry.path()).unwrap();
        if entry
            .path()
            .extension()
            .is_some_and(|kind| kind == "safetensors")
        {
            bytes = without_sums(&bytes);
        }
        fs::write(path.join(entry.file_name()), bytes).unwrap();
    }
    folder
}

/// The room's model, packed into 8 bits per weight.
pub fn packed(fixture: &Fixture) -> Vec<u8> {
    let (model, params) = parsed(&fixture.model).expect("it is sound");
    weights::packed(&model.config, &params, &fixture.tokenizer)
}

pub fn parsed(bytes: &[u8]) -> Result<(Transformer, Params), String> {
    let stored = weights::parse(Path::new("model"), bytes).map_err(|e| e.to_string())?;
    Ok((stored.model, stored.params))
}

/// Weights with the names of the Annotated Transformer.
pub fn from_pytorch() -> Vec<u8> {
    let config = Config::annotated(7, 9).sized(1, 8, 12, 2);
    let mut params = Params::new(5);
    Transformer::new(&mut params, &config);
    let tensors = annotated::export(&config, &params).unwrap();
    let metadata = Default::default();
    safetensors::to_bytes(&NamedTensors { metadata, tensors })
}

/// A text compressed with gzip.
pub fn packed_text(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed
        .write_all(text.as_bytes())
        .expect("memory can be written");
    packed.finish().expect("memory can be written")
}

pub fn utf_32() -> Vec<u8> {
    let units = SOURCE.chars().flat_map(|c| u32::from(c).to_le_bytes());
    [0xff, 0xfe, 0, 0].into_iter().chain(units).collect()
}

pub fn utf_16() -> Vec<u8> {
    let units = SOURCE.encode_utf16();
    [0xff, 0xfe]
        .into_iter()
        .chain(units.flat_map(u16::to_le_bytes))
        .collect()
}

/// A SentencePiece tokenizer, as JSON.
pub fn pieces() -> Vec<u8> {
    let learning = Learning {
        pieces: 60,
        merges: 0,
        joint: true,
        ..ground().0.learning()
    };
    let pipeline = Pipeline::learn(&own(SOURCE), &own(TARGET), &learning);
    pipeline.to_json().into_bytes()
}

pub const INDEX: &str = "pytorch_model.bin.index.json";
pub const SHARD: &str = "pytorch_model-00001-of-00002.bin";
pub const TOKENIZER: &str = "tokenizer_config.json";
pub const TARGET_WORDS: &str = "target_vocab.json";

pub fn saved(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read(root.join("tests/fixtures/state-dicts").join(name)).unwrap()
}

/// A file of a published model; `archive` is `set-1` with its weights as an archive only.
pub fn of_set(set: &str, name: &str) -> Vec<u8> {
    fs::read(set_folder(set).join(name)).unwrap()
}

pub fn set_folder(set: &str) -> PathBuf {
    let set = if set == "archive" { "set-1" } else { set };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("tests/fixtures/parity-marian")
        .join(set)
        .join("model")
}

pub const ORIGIN: &str =
    r#"{"train": null, "pairs": "/tmp/pairs", "valid": ["/tmp/a", "/tmp/b"], "fingerprint": 77}"#;
pub const LOG: &str =
    "{\"step\":1,\"held_out\":2.5}\n{\"step\":1}\n{\"step\":2,\"held_out\":2.25}\n";
pub const PAIRS: &str = "Go.\tGeh.\tCC-BY 2.0\nHi.\tHallo!\nHi.\tHallo!\nWho?\tWer?\n";
pub const TATOEBA: &str = "1\tGo.\t5\tGeh.\n2\tHi.\t6\tHallo!\n";
pub const PAIR: &[&str] = &[
    "\t", "\n", "\r", "1", "\t1\t", "{", "[", "\"de\": ", "\"", "\u{a0}",
];
pub const ROWS: &str = r#"[{"translation": {"de": "Ja.", "en": "Yes."}}, {"translation": {"de": "Nein.", "en": "No."}}]"#;
/// Pairs, one object on each line.
pub const JSON_LINES: &str =
    "{\"id\": \"1\", \"de\": \"Ja.\", \"en\": \"Yes.\"}\n{\"de\": \"Nein.\", \"en\": null}\n";
/// JSON that holds no pairs by name.
pub const ARRAYS: &str = r#"["Ja.", "Yes."]"#;
