//! The readers under test: example files of each, how they are read, and how the result is used.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use transformer_tutor::cli::parity;
use transformer_tutor::curriculum::LESSONS;
use transformer_tutor::data::bitext::Languages;
use transformer_tutor::data::corpus::{self, Corpus, Side};
use transformer_tutor::data::safetensors::{self, NamedTensors, Opened};
use transformer_tutor::data::{annotated, file, marian, pairs, pytorch, state_dict, weights};
use transformer_tutor::decode::{DecodeOptions, score, translate};
use transformer_tutor::expr::{self, Env, Select};
use transformer_tutor::lesson::page;
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::lesson::quiz;
use transformer_tutor::params::Params;
use transformer_tutor::text::bpe::{Bpe, Glossaries, Segmenter, join, read_vocabulary};
use transformer_tutor::text::marian as words;
use transformer_tutor::text::pipeline::{Learning, Pipeline, Prepare};
use transformer_tutor::text::sentencepiece::SentencePiece;
use transformer_tutor::train::checkpoint::{self, Translator};
use transformer_tutor::train::config::{PRESETS, TrainConfig};
use transformer_tutor::train::marian_folder;
use transformer_tutor::train::run_folder::RunFolder;
use transformer_tutor::train::run_folder::origin::Origin;
use transformer_tutor::train::trainer::Trainer;
use transformer_tutor::transformer::{Config, Transformer};
use transformer_tutor::typeset::formula;
use transformer_tutor::widgets::prose::{self, ProseStyle};

use super::{Example, Fixture, Kind, Read, Reader};

const SOURCE: &str = "Der Hund schläft .\nDie Katze, die läuft, ist 3 Jahre alt.\n\nEr „ruft“ z.B. l'été 1.000,5 Mal!\n";
const TARGET: &str =
    "The dog sleeps .\nThe cat that runs is 3 years old.\n\nHe \"calls\" don't 1,000.5 times!\n";

/// Every reader, and the room that some of them need.
pub fn all() -> (Vec<Reader>, Fixture) {
    let run = run();
    let checkpoint = checkpoint::list(run.path())
        .pop()
        .expect("a checkpoint was kept")
        .1;
    let file = |name: &str| fs::read(checkpoint.join(name)).unwrap();
    let fixture = Fixture {
        model: file("model.safetensors"),
        older_model: without_sums(&file("model.safetensors")),
        older: older(run.path()),
        tokenizer: String::from_utf8(file("tokenizer.json")).unwrap(),
        folder: run,
    };
    let mut readers = of_run(&checkpoint, &fixture);
    readers.extend(of_text());
    readers.extend(of_published_models());
    readers.extend(of_state_dicts());
    readers.extend(of_lessons());
    (readers, fixture)
}

fn reader(name: &'static str, examples: Vec<Example>, read: Read, cases: u64) -> Reader {
    Reader {
        name,
        examples,
        read,
        cases,
    }
}

/// An example that its reader accepts.
fn given(bytes: Vec<u8>, kind: Kind) -> Example {
    Example {
        bytes,
        kind,
        read: true,
    }
}

/// An example that its reader refuses.
fn foreign(bytes: Vec<u8>, kind: Kind) -> Example {
    Example {
        read: false,
        ..given(bytes, kind)
    }
}

/// An example of text, and the words to damage it with.
fn text(text: &str, dictionary: &'static [&'static str]) -> Example {
    given(text.as_bytes().to_vec(), Kind::Text(dictionary))
}

/// Readers of a run's files and settings.
fn of_run(checkpoint: &Path, fixture: &Fixture) -> Vec<Reader> {
    let as_is = |name: &str, kind| given(fs::read(checkpoint.join(name)).unwrap(), kind);
    let presets = PRESETS
        .iter()
        .map(|preset| text(&(preset.config)().to_toml(), TOML));
    vec![
        reader(
            "model",
            vec![as_is("model.safetensors", Kind::Tensors)],
            model,
            800,
        ),
        reader(
            "tokenizer",
            vec![as_is("tokenizer.json", Kind::Json)],
            tokenizer,
            500,
        ),
        reader("state", vec![as_is("trainer.json", Kind::Json)], state, 100),
        reader(
            "moments",
            vec![as_is("trainer.safetensors", Kind::Tensors)],
            moments,
            200,
        ),
        reader(
            "kept config",
            vec![as_is("config.toml", Kind::Text(TOML))],
            kept_config,
            150,
        ),
        reader(
            "packed model",
            vec![given(packed(fixture), Kind::Tensors)],
            model,
            300,
        ),
        reader(
            "weights from PyTorch",
            vec![given(from_pytorch(), Kind::Tensors)],
            imported,
            300,
        ),
        reader(
            "text of a run",
            vec![given(ORIGIN.into(), Kind::Json)],
            origin,
            300,
        ),
        reader("log of a run", vec![text(LOG, WORDS)], log, 60),
        reader("config", presets.collect(), config, 3000),
    ]
}

/// Readers of sentences, dictionaries and subwords.
fn of_text() -> Vec<Reader> {
    vec![
        reader(
            "corpus",
            vec![text(SOURCE, WORDS), text(TARGET, WORDS)],
            corpus,
            100,
        ),
        reader(
            "bytes of a corpus",
            vec![
                given(SOURCE.into(), Kind::Bytes),
                given(utf_16(), Kind::Bytes),
                given(packed_text(SOURCE), Kind::Bytes),
                foreign(utf_32(), Kind::Bytes),
            ],
            lines,
            1000,
        ),
        reader(
            "pairs",
            vec![
                text(PAIRS, PAIR),
                text(TATOEBA, PAIR),
                text(TMX, MARKUP),
                text(JSON_LINES, PAIR),
                given(ROWS.into(), Kind::Json),
                given(packed_text(TMX), Kind::Bytes),
            ],
            pairs,
            2000,
        ),
        reader(
            "a side of pairs",
            vec![
                given(ROWS.into(), Kind::Json),
                text(TMX, MARKUP),
                foreign(ARRAYS.into(), Kind::Json),
            ],
            lines_of_file,
            1000,
        ),
        reader(
            "glossaries",
            vec![text("usa\n\\d+\n(hund|katze)\n<a>\\w*</a>\n", GLOSSARY)],
            glossaries,
            1000,
        ),
        reader(
            "pieces",
            vec![given(pieces(), Kind::Json)],
            pieces_read,
            300,
        ),
        reader("merges", vec![text(MERGES, MERGE)], merges, 3000),
        reader(
            "vocabulary",
            vec![text("der 9\nhu@@ 4\nnd 3\n</w> 7\n", MERGE)],
            vocabulary,
            3000,
        ),
    ]
}

/// Readers of published models.
fn of_published_models() -> Vec<Reader> {
    vec![
        reader("parity", cases(), parity_case, 300),
        reader(
            "published config",
            vec![published("config.json")],
            published_config,
            2000,
        ),
        reader(
            "published words",
            vec![published("vocab.json")],
            published_words,
            200,
        ),
        reader(
            "published weights",
            vec![Example {
                kind: Kind::Tensors,
                ..published("model.safetensors")
            }],
            published_weights,
            100,
        ),
        reader(
            "published archive",
            vec![Example {
                kind: Kind::Archive,
                ..published("pytorch_model.bin")
            }],
            published_archive,
            100,
        ),
        reader(
            "pickles",
            vec![given(pickles(), Kind::Bytes)],
            pickled,
            2000,
        ),
        reader(
            "SentencePiece",
            vec![Example {
                kind: Kind::Protocol,
                ..published("source.spm")
            }],
            sentencepiece,
            100,
        ),
    ]
}

/// Readers of state dicts, their shards and their tokenizers.
fn of_state_dicts() -> Vec<Reader> {
    vec![
        reader(
            "state dicts",
            [
                "parallel.pt",
                "checkpoint.pth",
                "parameters.bin",
                "protocol-5.pt",
            ]
            .map(|name| given(saved(name), Kind::Archive))
            .into(),
            state_dict_read,
            800,
        ),
        reader(
            "state dicts of safetensors",
            vec![given(saved("buffers.safetensors"), Kind::Tensors)],
            state_dict_read,
            800,
        ),
        reader(
            "older state dict",
            vec![given(saved("older.pt"), Kind::Bytes)],
            state_dict_read,
            800,
        ),
        reader(
            "shards",
            vec![given(of_set("sharded", INDEX), Kind::Json)],
            shards,
            200,
        ),
        reader(
            "a shard",
            vec![given(of_set("sharded", SHARD), Kind::Archive)],
            shard,
            200,
        ),
        reader(
            "added tokens",
            vec![given(of_set("sharded", TOKENIZER), Kind::Json)],
            added_tokens,
            300,
        ),
        reader(
            "target words",
            vec![given(of_set("separate", TARGET_WORDS), Kind::Json)],
            target_words,
            300,
        ),
        reader(
            "BPE and characters",
            vec![
                given(of_set("bpe", "source.spm"), Kind::Protocol),
                given(of_set("separate", "target.spm"), Kind::Protocol),
            ],
            other_pieces,
            500,
        ),
    ]
}

/// Readers of lessons and of the learner's progress.
fn of_lessons() -> Vec<Reader> {
    // Lessons whose includes can be found from any path.
    let pages = LESSONS.iter().filter(|l| page::parse(PAGE, l.text).is_ok());
    vec![
        reader("progress", vec![text(PROGRESS, TOML)], progress, 200),
        reader(
            "quiz",
            LESSONS.iter().map(|l| text(l.quiz, TOML)).collect(),
            quiz,
            1000,
        ),
        reader(
            "lesson",
            pages.map(|l| text(l.text, MARKDOWN)).collect(),
            lesson,
            150,
        ),
        reader(
            "formula",
            FORMULAS.iter().map(|f| text(f, LATEX)).collect(),
            formula,
            6000,
        ),
        reader(
            "expression",
            EXPRESSIONS.iter().map(|e| text(e, EXPRESSION)).collect(),
            expression,
            20_000,
        ),
    ]
}

const TOML: &[&str] = &[
    "[",
    "]",
    "=",
    "[[",
    "\"",
    "'''",
    "nan",
    "-inf",
    "steps = 3\n",
    "heads = 0\n",
    "[[[[",
    "{a=",
    "true",
];
const WORDS: &[&str] = &[
    "wort", "\u{a0}", "''", "...", "-", "&amp;", "ǅ", "1.", "„", "\u{2028}", "@-@", "z.B.",
];
const MERGES: &str = "#version: 0.2\ne r</w>\nd er</w>\nh u\nhu n\nn d</w>\n< /w>\n> </w>\n</w >\n";
const MERGE: &[&str] = &[
    "</w>",
    "e ",
    " r",
    "\n",
    "@@",
    "hu ",
    "> </w>\n",
    "</w >\n",
    "#version: 0.2\n",
];
const PAGE: &str = "lessons/04-masks/lesson.md";
const MARKDOWN: &[&str] = &[
    "# ",
    "## ",
    "\n\n",
    "```stage\n",
    "```predict\n",
    "```\n",
    "$",
    "$$",
    "<!-- = ",
    " | ",
    "-->",
    "> [!NOTE]\n",
    "- ",
    "| a | b |\n|--|--|\n",
    "[^1]",
    "[^1]: ",
    "{{#include ",
    "}}",
    "*",
    "`",
    "<b>",
    ": ",
    "![a](b)",
    "1. ",
    "\\",
];
const FORMULAS: [&str; 6] = [
    r"\mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V",
    r"\sum_{i=1}^{n} x_i^2 + \hat{y}\cdot\mathbb{E}[z]",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
    r"x' = \text{if } a \le b \quad \lim_{n\to\infty} \overline{ab}",
    r"\begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}",
    r"\frac{\partial L}{\partial W} = \prod_k \sqrt[3]{x_{k,j}}",
];
const LATEX: &[&str] = &[
    "{",
    "}",
    "^",
    "_",
    "\\frac",
    "\\sqrt",
    "\\left(",
    "\\right)",
    "&",
    "\\\\",
    "\\begin{pmatrix}",
    "\\end{pmatrix}",
    "\\text{",
    "\\hat",
    "\\not",
    "\\limits",
    "'",
    "$",
    "%",
    "#1",
    "\\def\\a{\\a}",
    "\\sum_",
    "\\mathbb",
    "\\color{red}",
];
const EXPRESSIONS: [&str; 5] = [
    "exp(x - max(row)) / sum(exp(row - max(row)))",
    "select(row > 1, row[2], -1) ^ 2 + √(mean(row * row))",
    "shape(scores) == (30, 8, 10, 11)",
    "scores[0, :, 1, 2] · 3 − 1e-5",
    "std(row, 1, 2) <= rms(row) / count(row)",
];
const EXPRESSION: &[&str] = &[
    "(", ")", "[", "]", ",", ":", "^", "-", "−", "√", "·", "e", "1e", ".", "row", "row[", "shape(",
    "select(", "==", "!", "max(", "1e400", "²",
];
const PROGRESS: &str = "version = 1\nlast = \"masks\"\n\n[lessons.masks]\npages = [0, 1, 2]\nstopped_at = 2\nattempts = 3\nhints = 1\nsolved = true\n\n[lessons.masks.answers]\n\"Which?\" = true\n";

fn own(lines: &str) -> Vec<String> {
    lines.lines().map(str::to_owned).collect()
}

/// A run on disk after one update, with subwords.
fn run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (config, pipeline, corpus) = ground();
    let mut trainer = Trainer::new(config, sizes(&pipeline), corpus, 1);
    trainer.update().unwrap();
    let run = RunFolder::begin(folder.path()).unwrap();
    run.save(&trainer, &pipeline).unwrap();
    folder
}

fn ground() -> (TrainConfig, Pipeline, Corpus) {
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

fn sizes(pipeline: &Pipeline) -> (usize, usize) {
    let words = |side: &transformer_tutor::text::pipeline::Side| side.vocabulary.len();
    (words(&pipeline.source), words(&pipeline.target))
}

/// The case files of single operations and layers; whole models take too long.
fn cases() -> Vec<Example> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parity/set-1");
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    all.retain(|path| path.metadata().unwrap().len() < 60_000);
    all.sort();
    let example = |path: &std::path::PathBuf| Example {
        bytes: fs::read(path).unwrap(),
        kind: Kind::Tensors,
        read: true,
    };
    all.iter().map(example).collect()
}

/// The same file as older versions of the program wrote it, without checksums.
fn without_sums(bytes: &[u8]) -> Vec<u8> {
    let mut file = safetensors::parse(Path::new("run"), bytes).unwrap();
    file.metadata.retain(|key, _| !key.ends_with("sha256"));
    safetensors::to_bytes(&file)
}

/// A copy of a run as older versions of the program wrote it, without checksums.
fn older(run: &Path) -> tempfile::TempDir {
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
fn packed(fixture: &Fixture) -> Vec<u8> {
    let (model, params) = parsed(&fixture.model).expect("it is sound");
    weights::packed(&model.config, &params, &fixture.tokenizer)
}

fn parsed(bytes: &[u8]) -> Result<(Transformer, Params), String> {
    let stored = weights::parse(Path::new("model"), bytes).map_err(|e| e.to_string())?;
    Ok((stored.model, stored.params))
}

/// Weights with the names of the Annotated Transformer.
fn from_pytorch() -> Vec<u8> {
    let config = Config::annotated(7, 9).sized(1, 8, 12, 2);
    let mut params = Params::new(5);
    Transformer::new(&mut params, &config);
    let tensors = annotated::export(&config, &params).unwrap();
    let metadata = Default::default();
    safetensors::to_bytes(&NamedTensors { metadata, tensors })
}

fn imported(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let file = Opened::new(Path::new("file"), bytes, Some(bytes.len() as u64));
    let file = file.map_err(|e| e.to_string())?;
    annotated::described(&file.shapes(), 2).map_err(|e| e.to_string())?;
    let tensors = file.read().map_err(|e| e.to_string())?.tensors;
    annotated::import(&tensors, 2)
        .map(drop)
        .map_err(|e| e.to_string())
}

fn origin(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let origin = Origin::read(&fixture.written("corpus.json", bytes))?;
    let json = origin.to_json().expect("paths from JSON are Unicode");
    let again = Origin::read(&fixture.written("again.json", json.as_bytes()));
    assert_eq!(again, Ok(origin));
    Ok(())
}

/// Resumes a run whose log is damaged, which repairs it.
fn log(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let path = fixture.written("log.jsonl", bytes);
    let folder = RunFolder::open(fixture.folder.path()).map_err(|e| e.to_string())?;
    let point = checkpoint::resume(fixture.folder.path()).map_err(|e| e.to_string())?;
    let (config, pipeline, corpus) = ground();
    let mut trainer = Trainer::new(config, sizes(&pipeline), corpus, 1);
    folder
        .go_on(point, &mut trainer)
        .map_err(|e| e.to_string())?;
    let mended = fs::read(path).unwrap_or_default();
    assert!(
        mended.is_empty() || mended.ends_with(b"\n"),
        "no line is torn"
    );
    Ok(())
}

fn lines(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let from_stream: Result<Vec<String>, _> = file::lines(bytes).collect();
    let path = fixture.written("text", bytes);
    let from_file = corpus::sentences(&path, Side::Both, &Languages::default());
    from_stream.map_err(|e| e.to_string())?;
    from_file.map(drop).map_err(|e| e.to_string())
}

fn pairs(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let pairs = pairs::read(&fixture.written("pairs", bytes), &Languages::default());
    let text = pairs.map_err(|e| e.to_string())?.text;
    let count = text.len();
    let parts = pairs::held_back(text, 1000);
    assert_eq!(parts[0].len() + parts[1].len(), count, "no pair is lost");
    Ok(())
}

/// Reads a file whose mutations stay text, so that its other side is read, too.
fn lines_of_file(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let path = fixture.written("text", bytes);
    let read = |side| corpus::sentences(&path, side, &Languages::default());
    let [source, target] = [Side::Source, Side::Target].map(read);
    let (source, target) = (
        source.map_err(|e| e.to_string())?,
        target.map_err(|e| e.to_string())?,
    );
    assert_eq!(
        source.text.len(),
        target.text.len(),
        "both sides have all lines"
    );
    Ok(())
}

/// Segments lines with an expression from each line.
fn glossaries(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let patterns: Vec<String> = utf8(bytes).lines().map(str::to_owned).collect();
    let mut segmenter = Segmenter::new(Bpe::parse(MERGES).expect("it is sound"), 1);
    segmenter.glossaries = Glossaries::new(&patterns).map_err(|e| e.to_string())?;
    segmenter.dropout = 0.5;
    for line in SOURCE.lines() {
        segmenter.line(line);
    }
    Ok(())
}

/// A text compressed with gzip.
fn packed_text(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed
        .write_all(text.as_bytes())
        .expect("memory can be written");
    packed.finish().expect("memory can be written")
}

fn utf_32() -> Vec<u8> {
    let units = SOURCE.chars().flat_map(|c| u32::from(c).to_le_bytes());
    [0xff, 0xfe, 0, 0].into_iter().chain(units).collect()
}

fn utf_16() -> Vec<u8> {
    let units = SOURCE.encode_utf16();
    [0xff, 0xfe]
        .into_iter()
        .chain(units.flat_map(u16::to_le_bytes))
        .collect()
}

/// A SentencePiece tokenizer, as JSON.
fn pieces() -> Vec<u8> {
    let learning = Learning {
        pieces: 60,
        merges: 0,
        joint: true,
        ..ground().0.learning()
    };
    let pipeline = Pipeline::learn(&own(SOURCE), &own(TARGET), &learning);
    pipeline.to_json().into_bytes()
}

fn pieces_read(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let pipeline = Pipeline::from_json(utf8(bytes))?;
    for line in SOURCE.lines() {
        pipeline.source.text(&pipeline.source_ids(line));
        pipeline.target.text(&pipeline.target_ids(line));
    }
    Ok(())
}

/// Reads a published model in which one file has been replaced.
fn published_with(name: &str, bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let folder = fixture.folder.path().join("published");
    if !folder.exists() {
        fs::create_dir(&folder).unwrap();
        for name in ["config.json", "vocab.json", "source.spm", "target.spm"] {
            fs::write(folder.join(name), published(name).bytes).unwrap();
        }
    }
    fs::write(folder.join(name), bytes).unwrap();
    let folder_read = marian_folder::read(&folder).map_err(|e| e.to_string());
    fs::remove_file(folder.join(name)).unwrap();
    let t = folder_read?;
    let ids = t.pipeline.source_ids("Der Hund schläft .");
    t.pipeline.target.text(&ids);
    Ok(())
}

const INDEX: &str = "pytorch_model.bin.index.json";
const SHARD: &str = "pytorch_model-00001-of-00002.bin";
const TOKENIZER: &str = "tokenizer_config.json";
const TARGET_WORDS: &str = "target_vocab.json";

fn saved(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read(root.join("tests/fixtures/state-dicts").join(name)).unwrap()
}

fn state_dict_read(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let path = fixture.written("state_dict", bytes);
    let file = state_dict::open(&path, file::WEIGHTS).map_err(|e| e.to_string())?;
    annotated::described(&file.shapes(), 2).map_err(|e| e.to_string())?;
    let tensors = file.read().map_err(|e| e.to_string())?;
    annotated::import(&tensors, 2)
        .map(drop)
        .map_err(|e| e.to_string())
}

/// A file of one of the models of other forms.
fn of_set(set: &str, name: &str) -> Vec<u8> {
    fs::read(set_folder(set).join(name)).unwrap()
}

fn set_folder(set: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("tests/fixtures/parity-marian")
        .join(set)
        .join("model")
}

/// Reads a model of another form in which one file has been replaced.
fn set_with(set: &str, name: &str, bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let folder = fixture.folder.path().join(set);
    if !folder.exists() {
        fs::create_dir(&folder).unwrap();
        for entry in fs::read_dir(set_folder(set)).unwrap().flatten() {
            fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
        }
    }
    fs::write(folder.join(name), bytes).unwrap();
    let folder_read = marian_folder::read(&folder).map_err(|e| e.to_string());
    fs::write(folder.join(name), of_set(set, name)).unwrap();
    let t = folder_read?;
    let ids = t.pipeline.source_ids("Der Hund <new> schläft 犬.");
    t.pipeline.source.text(&ids);
    t.pipeline
        .target
        .text(&t.pipeline.target_ids("The dog <new> 犬."));
    Ok(())
}

fn shards(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    set_with("sharded", INDEX, bytes, fixture)
}

fn shard(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    set_with("sharded", SHARD, bytes, fixture)
}

fn added_tokens(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    set_with("sharded", TOKENIZER, bytes, fixture)
}

fn target_words(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    set_with("separate", TARGET_WORDS, bytes, fixture)
}

fn other_pieces(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let pieces = SentencePiece::parse(bytes.to_vec())?;
    for line in SOURCE.lines().chain(["犬 \u{1F600} <0xE7>"]) {
        let encoded = pieces.encode(line);
        pieces.decode(encoded.iter().map(String::as_str));
    }
    Ok(())
}

fn published_weights(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    published_with("model.safetensors", bytes, fixture)
}

fn published_archive(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    published_with("pytorch_model.bin", bytes, fixture)
}

fn sentencepiece(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let pieces = SentencePiece::parse(bytes.to_vec())?;
    let list = words::words(utf8(&published("vocab.json").bytes))?;
    words::belongs(&pieces, &list)?;
    pieces.encode("Der Hund schläft .");
    Ok(())
}

/// A `torch.save` file in the format before archives: one tensor of six numbers.
fn pickles() -> Vec<u8> {
    let text = |text: &str| {
        [
            &b"X"[..],
            &(text.len() as u32).to_le_bytes(),
            text.as_bytes(),
        ]
        .concat()
    };
    let machine = [
        &b"\x80\x02}("[..],
        &text("protocol_version"),
        b"M\xe9\x03",
        &text("little_endian"),
        b"\x88u.",
    ];
    let tensors = [
        &b"\x80\x02}("[..],
        &text("w"),
        b"ctorch._utils\n_rebuild_tensor_v2\n((",
        &text("storage"),
        b"ctorch\nFloatStorage\n",
        &text("0"),
        &text("cpu"),
        b"K\x06NtQK\0K\x02K\x03\x86K\x03K\x01\x86\x89ccollections\nOrderedDict\n)RtRu.",
    ];
    let keys = [&b"\x80\x02]"[..], &text("0"), b"a."];
    let numbers = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes);
    [
        &b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."[..],
        &machine.concat(),
        &tensors.concat(),
        &keys.concat(),
        &6_u64.to_le_bytes(),
        &numbers.concat(),
    ]
    .concat()
}

fn pickled(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    pytorch::parse(Path::new("file"), bytes)
        .map(drop)
        .map_err(|e| e.to_string())
}

const ORIGIN: &str =
    r#"{"train": null, "pairs": "/tmp/pairs", "valid": ["/tmp/a", "/tmp/b"], "fingerprint": 77}"#;
const LOG: &str = "{\"step\":1,\"held_out\":2.5}\n{\"step\":1}\n{\"step\":2,\"held_out\":2.25}\n";
const PAIRS: &str = "Go.\tGeh.\tCC-BY 2.0\nHi.\tHallo!\nHi.\tHallo!\nWho?\tWer?\n";
const TATOEBA: &str = "1\tGo.\t5\tGeh.\n2\tHi.\t6\tHallo!\n";
const PAIR: &[&str] = &[
    "\t",
    "\n",
    "\r",
    "1",
    "\t1\t",
    "{",
    "[",
    "<tmx",
    "xml:lang=\"",
    "\"",
    "\u{a0}",
];
const ROWS: &str = r#"[{"translation": {"de": "Ja.", "en": "Yes."}}, {"translation": {"de": "Nein.", "en": "No."}}]"#;
/// Pairs, one object on each line.
const JSON_LINES: &str =
    "{\"id\": \"1\", \"de\": \"Ja.\", \"en\": \"Yes.\"}\n{\"de\": \"Nein.\", \"en\": null}\n";
/// JSON that holds no pairs by name.
const ARRAYS: &str = r#"["Ja.", "Yes."]"#;
const TMX: &str = "<?xml version=\"1.0\"?>\n<!DOCTYPE tmx [ <!ENTITY x \"y\"> ]>\n<tmx version=\"1.4\"><body><tu>\
    <tuv xml:lang=\"de\"><seg>Ja <bpt i='1'>&lt;b></bpt><hi>&amp;</hi> &#246;.</seg></tuv>\
    <tuv lang=\"en\"><seg><![CDATA[Yes & no]]><ph/>.</seg></tuv></tu></body></tmx>\n";
const MARKUP: &[&str] = &[
    "<",
    ">",
    "</",
    "/>",
    "&",
    ";",
    "&#x",
    "&lt;",
    "\"",
    "'",
    "=",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE",
    "[",
    "]",
    "<?",
    "?>",
    "<tu>",
    "<tuv xml:lang=\"fr\">",
    "</seg>",
    "<ph>",
    "\n",
];
const GLOSSARY: &[&str] = &[
    "(", ")", "[", "]", "{9999}", "*", "+", "?", "|", "\\", "^", "$", ".", "(?=", "\\1", "(a*)*",
    "\n",
];

/// A JSON file of a published model.
fn published(name: &str) -> Example {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root
        .join("tests/fixtures/parity-marian/set-1/model")
        .join(name);
    Example {
        bytes: fs::read(path).unwrap(),
        kind: Kind::Json,
        read: true,
    }
}

fn published_config(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let described = marian::read(utf8(bytes), None)?;
    // What was read can be built, at least as a layout, which takes no memory for the weights.
    described.config.fits(4, "holding its weights", 1 << 20)?;
    Transformer::new(&mut Params::layout(), &described.config);
    Ok(())
}

fn published_words(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    words::words(utf8(bytes)).map(drop)
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("damaged text is text")
}

/// Translates a sentence with and without the cache, and scores one.
fn used(t: &Translator) {
    let ids = t.pipeline.source_ids("Der Hund schläft .");
    for options in [
        DecodeOptions::default(),
        DecodeOptions {
            cache: false,
            ..DecodeOptions::greedy()
        },
    ] {
        let options = DecodeOptions {
            max_len: Some(6),
            ..options
        };
        let translations = translate(&t.model, &t.params, std::slice::from_ref(&ids), &options);
        t.pipeline.target.text(&translations[0][0].ids);
    }
    let target = t.pipeline.target.ids("The dog sleeps .");
    if target.len() < t.model.config.max_len && ids.len() <= t.model.config.max_len {
        score(&t.model, &t.params, &ids, &target);
    }
}

fn translator(model: &[u8], tokenizer: &str) -> Result<(), String> {
    let t = checkpoint::parse(Path::new("run"), model, tokenizer).map_err(|e| e.to_string())?;
    let ids = t.pipeline.source_ids("Der Hund schläft .");
    // The commands cut sentences that are longer than the model can read.
    if ids.len() <= t.model.config.max_len {
        used(&t);
    }
    Ok(())
}

fn model(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    translator(bytes, &fixture.tokenizer)
}

/// Half of the cases have weights without a tokenizer's checksum, so that the tokenizer itself gets read.
fn tokenizer(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let model = if is_older(bytes) {
        &fixture.older_model
    } else {
        &fixture.model
    };
    translator(model, utf8(bytes))
}

/// True for the half of the cases that use files without checksums.
fn is_older(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .fold(0, |sum: u8, byte| sum.wrapping_add(*byte))
        & 1
        == 1
}

/// Resumes a run in which the file `name` has been replaced.
fn resumed(name: &str, bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let newest = |run: &Path| checkpoint::list(run).pop().expect("a checkpoint").1;
    // The undamaged file belongs to the run that wrote it.
    let is_whole = fs::read(newest(fixture.folder.path()).join(name)).unwrap() == bytes;
    let run = if !is_whole && is_older(bytes) {
        fixture.older.path()
    } else {
        fixture.folder.path()
    };
    let newest = newest(run);
    let sound = fs::read(newest.join(name)).unwrap();
    fs::write(newest.join(name), bytes).unwrap();
    let run_state = checkpoint::resume(run).map_err(|e| e.to_string());
    fs::write(newest.join(name), sound).unwrap();
    let run_state = run_state?;
    run_state.config.check()?;
    let (_, pipeline, corpus) = ground();
    run_state
        .config
        .affordable(sizes(&pipeline), 100, 64 << 20)?;
    let mut trainer = Trainer::new(run_state.config.clone(), sizes(&pipeline), corpus, 1);
    run_state.restore(&mut trainer).map_err(|e| e.to_string())?;
    // With many batches per update, a long run is what the configuration asks for.
    if trainer.config.accumulate < 10 {
        trainer.update().map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn state(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    resumed("trainer.json", bytes, fixture)
}

fn moments(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    resumed("trainer.safetensors", bytes, fixture)
}

fn kept_config(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    resumed("config.toml", bytes, fixture)
}

fn config(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let config = TrainConfig::read(utf8(bytes))?;
    config.check()?;
    config.affordable((1000, 1000), 1_000_000, 8 << 30)?;
    assert!(config.schedule().rate(7).is_finite());
    assert_eq!(TrainConfig::read(&config.to_toml()), Ok(config));
    Ok(())
}

/// Learns tokenizers from damaged lines, which serve as both languages, and maps them to ids and back.
fn corpus(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let path = fixture.written("lines", bytes);
    let read = corpus::parallel(&path, &path, &Languages::default());
    let (one, other) = read.map_err(|e| e.to_string())?.text;
    let learning = Learning {
        prepare_source: Prepare::German,
        prepare_target: Prepare::English,
        lowercase: true,
        merges: 20,
        joint: false,
        min_count: 1,
        pieces: 0,
        limit: None,
    };
    let pipeline = Pipeline::learn(&one, &other, &learning);
    let corpus = Corpus::new(&one, &other, &pipeline, 50);
    for (src, tgt) in &corpus.pairs {
        pipeline.source.text(src);
        pipeline.target.text(tgt);
    }
    Pipeline::from_json(&pipeline.to_json()).map(drop)
}

fn merges(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let bpe = Bpe::parse(utf8(bytes)).map_err(|e| e.to_string())?;
    let known = ["er", "hu@@"].map(str::to_owned).into();
    for line in SOURCE.lines().chain(["hunder > </w> >>"]) {
        for cut in [bpe.apply(line), bpe.apply_within(line, &known)] {
            assert_eq!(join(&cut), join(line), "what was cut is joined again");
        }
    }
    Bpe::parse(&bpe.to_text())
        .map(drop)
        .map_err(|e| e.to_string())
}

fn vocabulary(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let bpe = Bpe::parse(MERGES).expect("they are sound");
    let known = read_vocabulary(utf8(bytes), 2).map_err(|e| e.to_string())?;
    bpe.apply_within("der hund > hunder", &known);
    Ok(())
}

fn parity_case(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    fixture.written("case.safetensors", bytes);
    let report = parity::run(fixture.folder.path()).map_err(|e| format!("{e:#}"))?;
    report.table();
    match report.damaged.first() {
        Some(sentence) => Err(sentence.clone()),
        None => Ok(()),
    }
}

fn progress(bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let path = fixture.written("progress.toml", bytes);
    let (mut progress, remark) = Progress::load_from(&path);
    for lesson in LESSONS {
        progress.lesson_mut(lesson.name).attempts +=
            u32::from(progress.lesson(lesson.name).attempts < u32::MAX);
    }
    progress.save()?;
    // Remove the files that were set aside, so that the next case starts clean.
    for entry in fs::read_dir(fixture.folder.path()).unwrap().flatten() {
        if entry
            .file_name()
            .to_string_lossy()
            .starts_with("progress.toml.")
        {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    remark.map_or(Ok(()), Err)
}

fn quiz(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    for question in quiz::parse(utf8(bytes))? {
        page::unmarked(&question.ask);
    }
    Ok(())
}

fn lesson(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let pages = page::parse(PAGE, utf8(bytes)).map_err(|e| e.to_string())?;
    for page in &pages {
        for width in [1, 20, 80] {
            prose::lines(&page.blocks, width, &ProseStyle::default());
        }
        prose::plain(&page.blocks, 60, []);
    }
    Ok(())
}

fn formula(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let tex = utf8(bytes);
    formula::layout(tex).map_err(|e| e.to_string())?;
    formula::layout_within(tex, 20).map_err(|e| e.to_string())?;
    formula::inline(tex).map_err(|e| e.to_string())?;
    formula::spoken(tex).map_err(|e| e.to_string())?;
    formula::mathml(tex, true)
        .map(drop)
        .map_err(|e| e.to_string())
}

struct Names;

impl Env for Names {
    fn get(&self, name: &str, select: Option<&[Select]>) -> Result<Vec<f64>, String> {
        match (name, select) {
            ("row", None) => Ok(vec![1.0, 2.0, 3.0]),
            ("row", Some([Select::One(i)])) => [1.0, 2.0, 3.0]
                .get(*i)
                .map(|x| vec![*x])
                .ok_or("row ends".to_owned()),
            ("scores", Some([..])) => Ok(vec![0.5; 8]),
            ("x", None) => Ok(vec![2.0]),
            _ => Err(format!("no {name}")),
        }
    }

    fn shape(&self, _: &str) -> Result<Vec<usize>, String> {
        Ok(vec![30, 8, 10, 11])
    }
}

fn expression(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    expr::evaluate(utf8(bytes), &Names)
        .map(drop)
        .map_err(|e| e.to_string())
}
