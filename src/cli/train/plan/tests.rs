//! No setting and no option is accepted and ignored: with another value the plan of every kind of run is another one, or
//! the run is refused by the setting's name.

use std::fs;
use std::path::Path;

use clap::Parser;

use super::*;
use crate::data::batches;
use crate::tensor::random::fnv1a;
use crate::train::trainer::measure;

#[derive(Parser)]
struct Train {
    #[command(flatten)]
    options: Options,
}

/// Two values of every setting.
fn values(key: &str) -> [&'static str; 2] {
    match key {
        "form" => ["annotated", "marian"],
        "activation" => ["relu", "silu"],
        "norm" => ["pre", "post"],
        "tied" | "lowercase" | "joint" => ["false", "true"],
        "source" | "target" => ["german", "english"],
        "schedule" => ["constant", "cosine"],
        "spread" => ["all", "others"],
        "layers" | "heads" => ["1", "2"],
        "encoder_layers" => ["2", "3"],
        "d_model" | "d_ff" => ["16", "32"],
        "pairs" => ["300", "310"],
        "merges" => ["0", "20"],
        "pieces" => ["60", "70"],
        "min_count" => ["1", "2"],
        "max_length" => ["100", "4"],
        "batch_tokens" => ["60", "200"],
        "steps" | "warmup" => ["20", "30"],
        "epsilon" => ["1e-9", "1e-8"],
        "accumulate" | "keep" | "patience" | "shards" | "seed" | "evaluate_every" => ["1", "2"],
        "cooldown" => ["0", "5"],
        "sampling" => ["0", "0.05"],
        "rate" | "clip" => ["0.001", "0.5"],
        // Shares.
        _ => ["0", "0.6"],
    }
}

/// Options beside the settings: without them, and with them.
const OPTIONS: [(&str, &[&str]); 8] = [
    ("--source", &["--source", "en"]),
    ("--target", &["--target", "de"]),
    ("--dictionary", &["--dictionary", "other"]),
    (
        "--valid-src",
        &["--valid-src", "held.de", "--valid-tgt", "held.en"],
    ),
    ("--steps", &["--steps", "7"]),
    ("--seed", &["--seed", "7"]),
    ("--preset", &["--preset", "copy"]),
    ("--config", &["--config", "config.toml"]),
];

/// Sizes that make a plan in milliseconds.
const SMALL: [&str; 7] = [
    "d_model=16",
    "d_ff=16",
    "heads=2",
    "layers=1",
    "steps=20",
    "batch_tokens=200",
    "warmup=5",
];

/// Settings of Marian's form.
const MARIAN: [&str; 2] = ["form=marian", "pieces=60"];

/// Sentences with names, capitals and rare words.
fn sentences(n: usize) -> (String, String) {
    let (german, english) = [
        ("Hund", "dog"),
        ("Garten", "garden"),
        ("Mann", "man"),
        ("Ball", "ball"),
    ][n % 4];
    (
        format!("Tom und {n} Leute sehen einen {german}, der größer ist."),
        format!("Tom and {n} people see a {english} that is larger."),
    )
}

/// Writes the files that the kinds of runs learn from.
fn write_files(folder: &Path) {
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    let all: Vec<(String, String)> = (0..120).map(sentences).collect();
    let lines = |of: &dyn Fn(&(String, String)) -> String| -> String {
        all.iter().map(|pair| of(pair) + "\n").collect()
    };
    write("a.de", lines(&|pair| pair.0.clone()));
    write("a.en", lines(&|pair| pair.1.clone()));
    write(
        "both",
        lines(&|pair| {
            serde_json::json!({ "de": pair.0, "en": pair.1, "nl": pair.1.to_uppercase() })
                .to_string()
        }),
    );
    write("held.de", "Der Hund läuft.\n".repeat(4));
    write("held.en", "The dog runs.\n".repeat(4));
    write(
        "words",
        "Garten {m} | Der Garten ist alt. :: garden | The garden is old.\nHund {m} :: dog\n\
         sehen einen Garten :: see a garden\n"
            .to_owned(),
    );
    write("other", "Ball {m} :: ball\nHoppla! :: Oops!\n".to_owned());
    write("config.toml", "rate = 0.3\n".to_owned());
}

/// The arguments of a run in `folder`; a name of a file becomes its path.
fn arguments(folder: &Path, words: &[&str]) -> Vec<String> {
    let path = |word: &&str| match folder.join(word) {
        path if path.exists() && !word.is_empty() => path.to_str().unwrap().to_owned(),
        _ => (*word).to_owned(),
    };
    ["train"].iter().chain(words).map(path).collect()
}

/// Fingerprint of a plan, or why the run is refused.
type Facts = Result<u64, String>;

/// Settings that the loop, the step and the optimizer take as they are.
const TAKEN: [&str; 11] = [
    "steps",
    "clip",
    "evaluate_every",
    "keep",
    "patience",
    "shards",
    "accumulate",
    "beta1",
    "beta2",
    "epsilon",
    "decay",
];

/// All that a plan decides about a run.
fn facts(arguments: &[String]) -> Facts {
    let parsed = Train::try_parse_from(arguments).map_err(|e| e.to_string())?;
    let plan = Plan::new(&parsed.options, &mut Vec::new());
    let mut plan = plan.map_err(|e| format!("{e:#}"))?;
    let trainer = &mut plan.trainer;
    let updates = trainer.updates_per_epoch();
    let config = &trainer.config;
    let table: toml::Table = config.to_toml().parse().unwrap();
    let taken = TAKEN.map(|key| &table[key]);
    let rates: Vec<f64> = (0..=config.steps)
        .map(|step| config.schedule().rate(step))
        .collect();
    let last = (config.steps / updates) as u64;
    let epochs = [0, 1, last].map(|number| trainer.sentences(number));
    let order = batches::epoch(&epochs[0], config.batch_tokens, config.seed, 0);
    let weights: Vec<_> = trainer
        .params
        .iter()
        .map(|(_, name, x)| (name, x.data()))
        .collect();
    let measured = measure(&trainer.model, &trainer.params, &plan.held_out, config);
    let decided = format!(
        "{:?}",
        (
            (taken, rates, epochs, order, updates, measured.loss),
            (
                &trainer.model.config,
                weights,
                plan.pipeline.to_json(),
                &plan.held_out
            ),
        )
    );
    Ok(fnv1a(decided.bytes()))
}

/// The kinds of runs, by name, with their arguments.
fn kinds() -> Vec<(&'static str, Vec<&'static str>)> {
    let set = |all: &[&'static str]| {
        all.iter()
            .flat_map(|set| ["--set", *set])
            .collect::<Vec<_>>()
    };
    let (small, marian) = (set(&SMALL), set(&MARIAN));
    let files = vec!["--src", "a.de", "--tgt", "a.en"];
    let pairs = vec!["--pairs", "both"];
    let words = vec!["--dictionary", "words"];
    let copy = vec!["--preset", "copy", "--src", "a.de", "--tgt", "a.de"];
    let new = vec!["--out", "new"];
    let kind = |name, parts: &[&Vec<&'static str>]| {
        let parts = parts.iter().flat_map(|part| part.iter().copied());
        (name, parts.collect())
    };
    vec![
        kind("phrasebook", &[&new, &small, &set(&["pairs=300"])]),
        kind("files", &[&new, &small, &files]),
        kind("files with a dictionary", &[&new, &small, &files, &words]),
        kind("pairs", &[&new, &small, &pairs]),
        kind(
            "pairs with a dictionary",
            &[&new, &small, &pairs, &words, &set(&["words=0.5"])],
        ),
        kind("copy", &[&new, &copy, &small]),
        kind(
            "marian",
            &[&new, &small, &marian, &pairs, &words, &set(&["words=0.5"])],
        ),
        kind(
            "marian, as typed",
            &[&new, &small, &marian, &files, &set(&["typing=0.5"])],
        ),
        kind(
            "from a model",
            &[&new, &small, &files, &vec!["--from", "run"]],
        ),
        kind(
            "from a marian model",
            &[
                &new,
                &small,
                &set(&["form=marian"]),
                &pairs,
                &vec!["--from", "pieces"],
            ],
        ),
        kind("resumed", &[&vec!["--resume", "--out", "run"]]),
        kind(
            "resumed with pieces",
            &[&vec!["--resume", "--out", "pieces"]],
        ),
    ]
}

#[test]
fn every_setting_and_option_changes_the_plan_of_every_kind_of_run_or_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_files(folder);
    let kinds = kinds();
    for (name, kind) in [("run", "files"), ("pieces", "marian")] {
        let (_, words) = kinds.iter().find(|(name, _)| *name == kind).unwrap();
        let mut begun = arguments(folder, words);
        let out = begun.iter().position(|word| word == "new").unwrap();
        begun[out] = folder.join(name).to_str().unwrap().to_owned();
        let begun = Train::try_parse_from(begun).unwrap();
        super::super::run(&begun.options, &mut Vec::new()).unwrap();
    }
    let mut ignored = Vec::new();
    for (kind, words) in &kinds {
        let with = |more: &[&str]| facts(&arguments(folder, &[words, more].concat()));
        let usual = with(&[]);
        assert!(usual.is_ok(), "{kind}: {usual:?}");
        let mut check = |name: &str, one: &Facts, other: &Facts| {
            let names_it = |why: &String| why.contains(name) || why.starts_with("--from");
            let is_sound = match (one, other) {
                (Err(one), Err(other)) => names_it(one) && names_it(other),
                _ => one != other,
            };
            if !is_sound {
                ignored.push(format!("{kind}: {name}: {one:?}, {other:?}"));
            }
        };
        for key in TrainConfig::keys() {
            let [one, other] =
                values(&key).map(|value| with(&["--set", &format!("{key}={value}")]));
            check(&key, &one, &other);
        }
        for (name, given) in OPTIONS {
            // Clap refuses an option that is given twice, and the table of needs a preset of a resumed run.
            let may = match name {
                "--preset" => !words.contains(&"--preset") && !words.contains(&"--resume"),
                name => !words.contains(&name),
            };
            if may {
                check(name, &usual, &with(given));
            }
        }
    }
    assert!(ignored.is_empty(), "{}", ignored.join("\n"));
}
