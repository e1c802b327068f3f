//! From text files to a translator with the commands: train, kill, resume, translate, measure.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{argv, path, prints as works, program, refuses};

mod folders;
#[cfg(unix)]
mod kills;
mod tiny;
#[cfg(unix)]
mod writers;

/// Settings for a run of a second or two.
const SMALL: [&str; 14] = [
    "--set",
    "layers=1",
    "--set",
    "d_model=32",
    "--set",
    "d_ff=48",
    "--set",
    "batch_tokens=400",
    "--set",
    "evaluate_every=10",
    "--set",
    "dropout=0.1",
    "--set",
    "warmup=10",
];

fn train(out: &str, more: &[&str]) -> Vec<String> {
    let mut arguments = [&["train", "--out", out], &SMALL[..], more].concat();
    if !more.iter().any(|word| ["--src", "--pairs"].contains(word)) {
        arguments.extend(["--set", "pairs=600"]);
    }
    arguments.into_iter().map(str::to_owned).collect()
}

fn trained(out: &str, more: &[&str]) -> String {
    let arguments = train(out, more);
    works(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_trained_model_translates_scores_and_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let (run, mean) = (path(folder.path(), "run"), path(folder.path(), "mean"));
    let printed = trained(&run, &["--steps", "120", "--json"]);
    let losses: Vec<f64> = printed
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).unwrap()["nats"].as_f64())
        .collect();
    assert_eq!(losses.len(), 120);
    assert!(
        losses[119] < losses[0] - 1.0,
        "{} {}",
        losses[0],
        losses[119]
    );

    let text = "Der Hund schläft .";
    let reply = works(&["translate", "--model", &run, "--json", "--nbest", "3", text]);
    let reply: Value = serde_json::from_str(&reply).unwrap();
    let all = reply["translations"].as_array().unwrap();
    assert_eq!(all.len(), 3);
    assert!(all[0]["score"].as_f64() >= all[1]["score"].as_f64());
    // The search reports the same log-probability as `score`.
    let (src, tgt) = (path(folder.path(), "src"), path(folder.path(), "tgt"));
    fs::write(&src, format!("{text}\n")).unwrap();
    let best = all.iter().find(|h| h["finished"] == true).unwrap();
    let words: Vec<&str> = best["tokens"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t.as_str().unwrap())
        .collect();
    fs::write(&tgt, format!("{}\n", words.join(" "))).unwrap();
    let scored: Value = serde_json::from_str(&works(&[
        "tools", "score", "--model", &run, "--src", &src, "--tgt", &tgt, "--json",
    ]))
    .unwrap();
    let (a, b) = (
        scored["log_prob"].as_f64().unwrap(),
        best["log_prob"].as_f64().unwrap(),
    );
    assert!((a - b).abs() < 1e-3, "{a} {b}");
    assert_eq!(
        scored["log_probs"].as_array().unwrap().len(),
        words.len() + 1
    );
    let cached = works(&["translate", "--model", &run, "--beam", "3", text]);
    assert_eq!(
        cached,
        works(&[
            "translate",
            "--model",
            &run,
            "--beam",
            "3",
            "--no-cache",
            text
        ])
    );
    assert!(works(&["translate", "--model", &run, "--prefix", "The", text]).starts_with("The"));

    works(&[
        "tools", "average", "--model", &run, "--last", "3", "--out", &mean,
    ]);
    let measured = works(&argv(&format!(
        "evaluate --model {mean} --pairs 40 --json --tokenize none"
    )));
    let measured: Value = serde_json::from_str(&measured).unwrap();
    let error = measured["alignment_error"].as_f64().unwrap();
    assert!(
        (0.0..=1.0).contains(&error) && measured["perplexity"].as_f64().unwrap() > 1.0,
        "{measured}"
    );
    refuses(
        &["train", "--out", &run],
        &["holds a run already", "--resume"],
    );
}

#[test]
fn text_that_cannot_be_learned_from_is_refused_by_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = path(folder.path(), name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let (one, two) = (file("one", b"a b\n"), file("two", b"a b\nc\n"));
    let (latin, empty) = (file("latin", b"gut\nsch\xF6n\n"), file("empty", b""));
    let out = path(folder.path(), "out");
    let with = |src: &str, tgt: &str, more: &[&str], words: &[&str]| {
        refuses(
            &[&["train", "--out", &out, "--src", src, "--tgt", tgt], more].concat(),
            words,
        );
    };
    with(&one, &two, &[], &["one has 1 lines", "two has 2"]);
    with(&latin, &two, &[], &["latin: line 2 is not UTF-8"]);
    with(&empty, &empty, &[], &["no pair of lines to learn from"]);
    with(
        &one,
        &one,
        &["--set", "max_length=1"],
        &["one has no pair of lines", "1 are longer than max_length"],
    );
    with(
        &two,
        &two,
        &[],
        &["two has 2 pairs of lines, too few to hold any out"],
    );
    // If every held-out pair is too long, the error names the file that they came from.
    let mut long = "a b\n".repeat(49);
    long += "a b c d e f\n";
    let long = file("long", long.as_bytes());
    with(
        &long,
        &long,
        &["--set", "max_length=3"],
        &["long has no pair of lines", "1 are longer than max_length"],
    );
    with(
        &two,
        &two,
        &["--set", "layer=3"],
        &["no setting 'layer'", "did you mean 'layers'"],
    );
    with(&two, &two, &["--set", "tied=true"], &["tied needs joint"]);
    with(
        &two,
        &two,
        &["--set", "heads=3"],
        &["cannot be split among 3 heads"],
    );
    with(
        &two,
        &two,
        &["--preset", "multi30"],
        &["did you mean 'multi30k'"],
    );
    with("nowhere", &two, &[], &["nowhere cannot be read"]);
    assert!(!Path::new(&out).exists(), "nothing was written");
    refuses(
        &["train", "--out", &out, "--resume"],
        &["no checkpoint to go on from"],
    );
    refuses(
        &["translate", "--model", &out, "x"],
        &["there is no file or folder"],
    );
}

#[test]
fn pairs_are_read_in_the_forms_in_which_people_have_them_and_it_is_said_which() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let file = path(folder.path(), name);
        fs::write(&file, bytes).unwrap();
        file
    };
    let many = |line: &dyn Fn(usize) -> String| (0..60).map(line).collect::<String>();
    let tatoeba = many(&|n| format!("{n}\tIch sehe {n} Hunde.\t{}\tI see {n} dogs.\n", 5000 + n));
    let json = many(&|n| {
        format!("{{\"translation\": {{\"de\": \"Satz {n}.\", \"en\": \"Sentence {n}.\"}}}}\n")
    });
    let utf_16: Vec<u8> = [
        "\u{feff}",
        &many(&|n| format!("Sentence {n}.\tSatz {n}.\r\n")),
    ]
    .concat()
    .encode_utf16()
    .flat_map(u16::to_le_bytes)
    .collect();
    // No name tells what a file is.
    for (n, (bytes, more, says)) in [
        (tatoeba.as_bytes(), &[][..], "tab-separated pairs: column 2 is the source and column 4 the target"),
        (json.as_bytes(), &[], "JSON: de is the source and en the target"),
        (json.as_bytes(), &["--source", "en"], "JSON: en is the source and de the target"),
        (&utf_16, &[], "tab-separated pairs in UTF-16 (little-endian): column 2 is the source and column 1 the target"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = file("pairs", bytes);
        let run = path(folder.path(), &format!("run{n}"));
        let printed = trained(&run, &[&["--pairs", &file, "--steps", "1"][..], more].concat());
        assert!(printed.contains(&format!("read {file} as {says}")), "{printed}");
        // What was chosen is chosen again.
        works(&["train", "--out", &run, "--resume", "--steps", "2"]);
    }
    let both = file("both", json.as_bytes());
    let run = path(folder.path(), "sides");
    let printed = trained(&run, &["--src", &both, "--tgt", &both, "--steps", "1"]);
    assert!(
        printed.contains("59 pairs (0 empty") && !printed.contains("warning"),
        "{printed}"
    );
}

#[test]
fn a_corpus_that_cannot_be_read_is_named_with_its_line_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "out");
    for (bytes, words) in [
        (
            &b"[\"Ja.\", \"Yes.\"]\n[\"Nein.\", \"No.\"]\n"[..],
            ["cannot be used: it is JSON", "jq -r '.[0]'"],
        ),
        (
            b"{\"de\": \"Ja.\", \"en\": \"Yes.\"}\n{\"de\": \"Ne\n",
            ["line 2", "is damaged JSON"],
        ),
        (
            b"<tmx><body>\n<tu><tuv xml:lang=\"de\"><seg>Ja.</seg>",
            ["cannot be used: it is TMX", "xmlstarlet sel"],
        ),
        (
            b"<?xml version=\"1.0\"?>\n<xliff/>\n",
            ["cannot be used: it is XML", "two files"],
        ),
        (
            b"\x1f\x8b\x08\0\0\0\0\0\0\x03",
            ["cannot be read", "ends too early"],
        ),
        (
            b"\xff\xfe\0\0J\0\0\0",
            ["cannot be read: it is UTF-32", "iconv -f UTF-32"],
        ),
    ] {
        let file = path(folder.path(), "file");
        fs::write(&file, bytes).unwrap();
        let words = [&[&file[..]][..], &words].concat();
        refuses(&["train", "--out", &out, "--pairs", &file], &words);
        let both = ["train", "--out", &out, "--src", &file, "--tgt", &file];
        refuses(&both, &words);
    }
    assert!(!Path::new(&out).exists(), "nothing was written");
}

#[test]
fn a_corpus_that_is_mostly_not_translated_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    // Lines may end with a carriage return only.
    let line = |n| format!("Satz Nummer {n}.\r");
    let file = path(folder.path(), "one.de");
    fs::write(&file, (0..60).map(line).collect::<String>()).unwrap();
    let with = |tgt: &str, out: &str| {
        let out = path(folder.path(), out);
        trained(&out, &["--src", &file, "--tgt", tgt, "--steps", "1"])
    };
    let printed = with(&file, "copying");
    assert!(
        printed.contains("warning: in 59 of 59 pairs source and target are the same"),
        "{printed}"
    );
    let translated = path(folder.path(), "one.en");
    let line = |n| format!("Sentence number {n}.\n");
    fs::write(&translated, (0..60).map(line).collect::<String>()).unwrap();
    assert!(!with(&translated, "translating").contains("warning"));
}

#[test]
fn a_damaged_corpus_json_is_named_and_the_run_goes_on_once_its_text_is_named_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = path(folder.path(), "run");
    trained(&run, &["--steps", "10"]);
    let place = Path::new(&run).join("corpus.json");
    let sound = fs::read_to_string(&place).unwrap();
    let fingerprint = sound.find("\"fingerprint\": ").unwrap() + 16;
    let mut other = sound.clone().into_bytes();
    other[fingerprint] = if other[fingerprint] == b'1' {
        b'2'
    } else {
        b'1'
    };
    for (bytes, says) in [
        (Some(&sound.as_bytes()[..sound.len() / 2]), "is damaged"),
        (Some(&other), "is damaged: it has changed"),
        (None, "is missing"),
    ] {
        match bytes {
            Some(bytes) => fs::write(&place, bytes).unwrap(),
            None => fs::remove_file(&place).unwrap(),
        }
        refuses(
            &["train", "--out", &run, "--resume", "--steps", "12"],
            &["corpus.json", says, "--corpus phrasebook"],
        );
    }
    works(&argv(&format!(
        "train --out {run} --resume --steps 12 --corpus phrasebook"
    )));
    assert_eq!(fs::read_to_string(&place).unwrap(), sound);
}

#[test]
fn subwords_are_learned_applied_and_joined_and_a_phrasebook_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "book");
    works(&argv(&format!(
        "tools corpus phrasebook --pairs 50 --out {out}"
    )));
    let lines = |name: &str| {
        fs::read_to_string(Path::new(&out).join(name))
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (source, target, links) = (
        lines("source.de"),
        lines("target.en"),
        lines("alignment.txt"),
    );
    assert_eq!((source.len(), target.len(), links.len()), (50, 50, 50));
    for ((src, tgt), links) in source.iter().zip(&target).zip(&links) {
        for link in links.split(' ') {
            let (s, t) = link.split_once('-').unwrap();
            assert!(
                s.parse::<usize>().unwrap() < src.split(' ').count(),
                "{src}"
            );
            assert!(
                t.parse::<usize>().unwrap() < tgt.split(' ').count(),
                "{tgt}"
            );
        }
    }
    let merges = path(folder.path(), "merges");
    let text = format!("{out}/source.de");
    works(&[
        "tools", "bpe", "learn", &text, "--merges", "30", "--out", &merges,
    ]);
    let piped = |arguments: &[&str], input: fs::File| {
        let output = program(arguments).stdin(input).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let cut = piped(
        &["tools", "bpe", "apply", "--merges", &merges],
        fs::File::open(&text).unwrap(),
    );
    assert!(cut.contains("@@ "));
    let pieces = path(folder.path(), "pieces");
    fs::write(&pieces, &cut).unwrap();
    assert_eq!(
        piped(&["tools", "bpe", "join"], fs::File::open(&pieces).unwrap()),
        fs::read_to_string(&text).unwrap()
    );
}

#[test]
fn bleu_and_chrf_are_printed_with_their_signatures() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = path(folder.path(), name);
        fs::write(&path, text).unwrap();
        path
    };
    // sacreBLEU, test/test_bleu.py.
    let hyp = file(
        "hyp",
        "The dog bit the man.\nIt wasn't surprising.\nThe man had just bitten him.\n",
    );
    let one = file(
        "one",
        "The dog bit the man.\nIt was not unexpected.\nThe man bit him first.\n",
    );
    let other = file(
        "other",
        "The dog had bit the man.\nNo one was surprised.\nThe man had bitten the dog.\n",
    );
    let bleu: Value = serde_json::from_str(&works(&[
        "tools", "bleu", "--hyp", &hyp, "--ref", &one, "--ref", &other, "--json",
    ]))
    .unwrap();
    assert!(
        (bleu["score"].as_f64().unwrap() - 48.530_827).abs() < 1e-5,
        "{bleu}"
    );
    assert!(
        bleu["signature"]
            .as_str()
            .unwrap()
            .starts_with("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|")
    );
    let raw = works(&argv(&format!(
        "tools bleu --hyp {hyp} --ref {one} --ref {other} --tokenize none"
    )));
    assert!(raw.contains("BLEU = 49.19"), "{raw}");
    let plus = works(&argv(&format!(
        "tools chrf --hyp {hyp} --ref {one} --word-order 2"
    )));
    assert!(plus.starts_with("chrF2++ = "), "{plus}");
    let short = file("short", "The dog bit the man.\n");
    refuses(
        &["tools", "bleu", "--hyp", &hyp, "--ref", &short],
        &["hyp has 3 lines", "short has 1"],
    );
    refuses(
        &argv(&format!(
            "tools bleu --hyp {hyp} --ref {one} --tokenize 13b"
        )),
        &["13a"],
    );
}
