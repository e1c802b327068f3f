//! The readers under test: examples of each, how they are read, and how the result is used.

use std::fs;
use std::path::Path;

use transformer_tutor::cli::parity;
use transformer_tutor::curriculum::LESSONS;
use transformer_tutor::data::bitext::Languages;
use transformer_tutor::data::corpus::{self, Corpus, Side};
use transformer_tutor::data::safetensors::Opened;
use transformer_tutor::data::{annotated, file, marian, pairs, state_dict};
use transformer_tutor::decode::{DecodeOptions, score, translate};
use transformer_tutor::expr::{self, Env, Select};
use transformer_tutor::lesson::page;
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::lesson::quiz;
use transformer_tutor::params::Params;
use transformer_tutor::text::bpe::{Bpe, join};
use transformer_tutor::text::marian as words;
use transformer_tutor::text::pipeline::{Learning, Pipeline, Prepare};
use transformer_tutor::text::sentencepiece::SentencePiece;
use transformer_tutor::train::checkpoint::{self, Translator};
use transformer_tutor::train::config::{PRESETS, TrainConfig};
use transformer_tutor::train::marian_folder;
use transformer_tutor::train::run_folder::RunFolder;
use transformer_tutor::train::run_folder::origin::Origin;
use transformer_tutor::train::trainer::Trainer;
use transformer_tutor::transformer::Transformer;
use transformer_tutor::typeset::formula;
use transformer_tutor::widgets::prose::{self, ProseStyle};

use super::Kind::{Archive, Bytes, Json, Protocol, Tensors, Text};
use super::samples::*;
use super::{Fixture, Reader};

/// Lists readers: name, cases in a short run, how an input is read and used, and its examples.
macro_rules! readers {
    ($($name:literal, $cases:literal, $read:expr => $($examples:expr),+;)*) => {
        vec![$(Reader {
            name: $name,
            cases: $cases,
            read: $read,
            examples: [$(Vec::from_iter($examples)),+].into_iter().flatten().collect(),
        }),*]
    };
}

/// Every reader, and the room that some of them need.
pub fn all() -> (Vec<Reader>, Fixture) {
    let run = run();
    let newest = checkpoint::list(run.path()).pop();
    let (_, newest) = newest.expect("a checkpoint was kept");
    let file = |name: &str| fs::read(newest.join(name)).unwrap();
    let fixture = Fixture {
        model: file("model.safetensors"),
        older_model: without_sums(&file("model.safetensors")),
        older: older(run.path()),
        tokenizer: String::from_utf8(file("tokenizer.json")).unwrap(),
        folder: run,
    };
    let presets = PRESETS.iter().map(|preset| preset.config.to_toml());
    // Lessons whose includes can be found from any path.
    let pages = LESSONS.iter().filter(|l| page::parse(PAGE, l.text).is_ok());
    let archives = [
        "parallel.pt",
        "checkpoint.pth",
        "parameters.bin",
        "protocol-5.pt",
    ]
    .map(saved);
    let readers = readers! {
        // A run's files and settings.
        "model", 800, model => given(file("model.safetensors"), Tensors);
        "packed model", 300, model => given(packed(&fixture), Tensors);
        "tokenizer", 500, tokenizer => given(file("tokenizer.json"), Json);
        "pieces", 300, pieces_read => given(pieces(), Json);
        "state", 100, |bytes, all| resumed("trainer.json", bytes, all) => given(file("trainer.json"), Json);
        "moments", 200, |bytes, all| resumed("trainer.safetensors", bytes, all) =>
            given(file("trainer.safetensors"), Tensors);
        "kept config", 150, |bytes, all| resumed("config.toml", bytes, all) => given(file("config.toml"), Text(TOML));
        "config", 3000, config => presets.flat_map(|preset| text(&preset, TOML));
        "text of a run", 300, origin => given(ORIGIN, Json);
        "log of a run", 60, log => text(LOG, WORDS);
        "weights from PyTorch", 300, imported => given(from_pytorch(), Tensors);
        // Sentences and subwords.
        "corpus", 100, corpus => text(SOURCE, WORDS), text(TARGET, WORDS);
        "bytes of a corpus", 1000, lines => [SOURCE.into(), utf_16(), packed_text(SOURCE)].into_iter().flat_map(|form| given(form, Bytes)),
            foreign(utf_32(), Bytes);
        "pairs", 2000, pairs => [PAIRS, TATOEBA, JSON_LINES].into_iter().flat_map(|form| text(form, PAIR)),
            given(ROWS, Json), given(packed_text(JSON_LINES), Bytes);
        "a side of pairs", 1000, lines_of_file => given(ROWS, Json), foreign(ARRAYS, Json);
        "merges", 3000, merges => text(MERGES, MERGE);
        // Published models.
        "parity", 300, parity_case => cases();
        "published config", 2000, published_config => given(of_set("set-1", "config.json"), Json);
        "published words", 200, |bytes, _| words::words(utf8(bytes)).map(drop) =>
            given(of_set("set-1", "vocab.json"), Json);
        "published weights", 100, |bytes, all| set_with("set-1", "model.safetensors", bytes, all) =>
            given(of_set("set-1", "model.safetensors"), Tensors);
        "published archive", 100, |bytes, all| set_with("archive", "pytorch_model.bin", bytes, all) =>
            given(of_set("archive", "pytorch_model.bin"), Archive);
        "SentencePiece", 100, sentencepiece => given(of_set("set-1", "source.spm"), Protocol);
        "BPE", 500, other_pieces => given(of_set("bpe", "source.spm"), Protocol);
        "shards", 200, |bytes, all| set_with("sharded", INDEX, bytes, all) => given(of_set("sharded", INDEX), Json);
        "a shard", 200, |bytes, all| set_with("sharded", SHARD, bytes, all) => given(of_set("sharded", SHARD), Archive);
        "added tokens", 300, |bytes, all| set_with("sharded", TOKENIZER, bytes, all) =>
            given(of_set("sharded", TOKENIZER), Json);
        "target words", 300, |bytes, all| set_with("separate", TARGET_WORDS, bytes, all) =>
            given(of_set("separate", TARGET_WORDS), Json);
        // State dicts.
        "state dicts", 800, state_dict_read => archives.into_iter().flat_map(|bytes| given(bytes, Archive));
        "state dicts of safetensors", 800, state_dict_read => given(saved("buffers.safetensors"), Tensors);
        // Lessons, and the learner's progress.
        "progress", 200, progress => text(PROGRESS, TOML);
        "quiz", 1000, quiz => LESSONS.iter().flat_map(|lesson| text(lesson.quiz, TOML));
        "lesson", 150, lesson => pages.flat_map(|lesson| text(lesson.text, MARKDOWN));
        "formula", 6000, formula => FORMULAS.into_iter().flat_map(|tex| text(tex, LATEX));
        "expression", 20_000, expression => EXPRESSIONS.into_iter().flat_map(|text_of| text(text_of, EXPRESSION));
    };
    (readers, fixture)
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

fn pieces_read(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let pipeline = Pipeline::from_json(utf8(bytes))?;
    for line in SOURCE.lines() {
        pipeline.source.text(&pipeline.source_ids(line));
        pipeline.target.text(&pipeline.target_ids(line));
    }
    Ok(())
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

/// Reads a published model in which one file has been replaced.
fn set_with(set: &str, name: &str, bytes: &[u8], fixture: &Fixture) -> Result<(), String> {
    let folder = fixture.folder.path().join(set);
    if !folder.exists() {
        fs::create_dir(&folder).unwrap();
        for entry in fs::read_dir(set_folder(set)).unwrap().flatten() {
            if set != "archive" || entry.file_name() != "model.safetensors" {
                fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
            }
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

fn other_pieces(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let pieces = SentencePiece::parse(bytes.to_vec())?;
    for line in SOURCE.lines().chain(["犬 \u{1F600} <0xE7>"]) {
        let encoded = pieces.encode(line);
        pieces.decode(encoded.iter().map(String::as_str));
    }
    Ok(())
}

fn sentencepiece(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let pieces = SentencePiece::parse(bytes.to_vec())?;
    let list = words::words(utf8(&of_set("set-1", "vocab.json")))?;
    words::belongs(&pieces, &list)?;
    pieces.encode("Der Hund schläft .");
    Ok(())
}

fn published_config(bytes: &[u8], _: &Fixture) -> Result<(), String> {
    let described = marian::read(utf8(bytes), None)?;
    // What was read can be built, at least as a layout, which takes no memory for the weights.
    described.config.fits(4, "holding its weights", 1 << 20)?;
    Transformer::new(&mut Params::layout(), &described.config);
    Ok(())
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
    for line in SOURCE.lines().chain(["hunder > </w> >>"]) {
        let cut = bpe.apply(line);
        assert_eq!(join(&cut), join(line), "what was cut is joined again");
    }
    Bpe::parse(&bpe.to_text())
        .map(drop)
        .map_err(|e| e.to_string())
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
