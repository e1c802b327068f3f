//! The everyday translator through the commands: how it answers, and how a model like it is trained.

use std::fs;
use std::path::Path;

use serde_json::Value;

mod carried;

use crate::support::{argv, path, prints, refuses, says};

/// Sentences of the phrasebook in the format of manythings.org/anki.
fn pairs(folder: &Path) -> String {
    let corpus = path(folder, "corpus");
    prints(&argv(&format!(
        "tools corpus phrasebook --out {corpus} --pairs 400"
    )));
    let lines = |name: &str| fs::read_to_string(Path::new(&corpus).join(name)).unwrap();
    let (german, english) = (lines("source.de"), lines("target.en"));
    let line = |(german, english): (&str, &str)| {
        format!("{english}\t{german}\tnobody's\n").replace(" .", ".")
    };
    let file = path(folder, "deu.txt");
    let text: String = german.lines().zip(english.lines()).map(line).collect();
    fs::write(&file, text).unwrap();
    file
}

/// Entries in the format of the dictionary.
const DICTIONARY: &str =
    "Garten {m} [agr.] | Gärten {pl} | Der Garten ist alt. :: garden | gardens | The garden is old.
Hoppla! :: Oops!
Hund {m} :: dog
";

const TINY: [&str; 20] = [
    "--preset",
    "everyday",
    "--set",
    "d_model=32",
    "--set",
    "d_ff=32",
    "--set",
    "encoder_layers=2",
    "--set",
    "layers=1",
    "--set",
    "heads=2",
    "--set",
    "pieces=200",
    "--set",
    "batch_tokens=400",
    "--set",
    "warmup=4",
    "--set",
    "cooldown=0",
];

#[test]
fn a_translator_of_pieces_is_trained_stopped_packed_and_written_for_transformers() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    let file = pairs(folder.path());
    let words = at("words");
    fs::write(&words, DICTIONARY).unwrap();
    let (whole, parts) = (at("whole"), at("parts"));
    let train = |out: &str, more: &[&str]| {
        let text = ["--pairs", &file, "--dictionary", &words];
        prints(&[&["train", "--out", out], &text[..], &TINY, more].concat())
    };
    let printed = train(
        &whole,
        &argv("--steps 24 --set evaluate_every=8 --threads 2"),
    );
    assert!(printed.contains("0 empty and 0 too long"), "{printed}");
    assert!(
        printed.contains("the dictionary has 1 sentence, 0 phrases and 2 words"),
        "{printed}"
    );
    // The data varies from epoch to epoch, and yet a run that is resumed with a different number of threads ends
    // with the same weights.
    train(&parts, &["--steps", "13", "--set", "evaluate_every=8"]);
    let on = ["train", "--resume", "--out", &parts, "--steps", "24"];
    prints(&[&on[..], &["--threads", "1"]].concat());
    let weights = |run: &str| fs::read(Path::new(run).join("step-00000024/model.safetensors"));
    assert_eq!(weights(&parts).unwrap(), weights(&whole).unwrap());

    let (packed, exported, again) = (at("packed"), at("exported"), at("again"));
    let printed = prints(&["tools", "weights", "pack", &whole, "--out", &packed]);
    assert!(printed.contains("parameters in"), "{printed}");
    let size = |folder: &str| {
        let file = Path::new(folder).join("model.safetensors");
        fs::metadata(file).unwrap().len() as f64
    };
    assert!(size(&packed) < 0.5 * size(&format!("{whole}/best")));
    prints(&[
        "tools", "weights", "export", &packed, "--to", "marian", "--out", &exported,
    ]);
    prints(&[
        "tools", "weights", "export", &exported, "--to", "marian", "--out", &again,
    ]);
    for file in [
        "model.safetensors",
        "vocab.json",
        "source.spm",
        "config.json",
    ] {
        let read = |folder: &str| fs::read(Path::new(folder).join(file)).unwrap();
        assert_eq!(read(&exported), read(&again), "{file}");
    }
    let line = "Der alte Mann schläft im Garten.";
    let translated = |model: &str| prints(&["translate", "--model", model, "--json", line]);
    assert_eq!(translated(&packed), translated(&exported));

    refuses(
        &["tools", "weights", "pack", &exported, "--out", &at("no")],
        &["is a published model"],
    );
    refuses(
        &[
            "train",
            "--out",
            &at("no"),
            "--pairs",
            &file,
            "--set",
            "form=marian",
        ],
        &["form = marian and pieces need each other"],
    );
    fs::write(at("bad.txt"), "no tab here\n").unwrap();
    refuses(
        &[
            "train",
            "--out",
            &at("no"),
            "--preset",
            "everyday",
            "--pairs",
            &at("bad.txt"),
        ],
        &["bad.txt: line 1 has no column 2"],
    );
}

#[test]
fn a_trained_model_goes_on_with_other_text_and_learns_its_characters() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    let file = pairs(folder.path());
    let mut first = vec!["train", "--pairs", &file, "--set", "patterns=0"];
    first.extend(TINY);
    let (old, new) = (at("old"), at("new"));
    prints(&[&first[..], &["--out", &old, "--steps", "8"]].concat());
    let prices: String = (0..20)
        .map(|n| format!("It costs €{n}.\tDas kostet {n} €.\tnobody's\n"))
        .collect();
    fs::write(
        at("prices.txt"),
        fs::read_to_string(&file).unwrap() + &prices,
    )
    .unwrap();
    let second = |from: &str, out: &str, more: &[&str]| {
        let text = at("prices.txt");
        let words = ["train", "--from", from, "--pairs", &text, "--out", out];
        let all = [&words[..], &TINY, &["--set", "patterns=0"], more].concat();
        all.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |words: &[String]| prints(&words.iter().map(String::as_str).collect::<Vec<_>>());
    run(&second(&old, &new, &["--steps", "4"]));
    let unknown = |model: &str| {
        let printed = prints(&["translate", "--model", model, "--json", "Das kostet 1 €."]);
        serde_json::from_str::<Value>(&printed).unwrap()["unknown"].clone()
    };
    assert_eq!((unknown(&old), unknown(&new)), (2.into(), 0.into()));
    // Without updates, the weights are those of the model that the run began with.
    let unchanged = at("unchanged");
    run(&second(&old, &unchanged, &["--steps", "0"]));
    let line = "Der alte Mann schläft.";
    let printed = |model: &str| prints(&["translate", "--model", model, line]);
    assert_eq!(printed(&old), printed(&unchanged));
    let no = at("no");
    let refused = |words: &[String], says: &str| {
        refuses(
            &words.iter().map(String::as_str).collect::<Vec<_>>(),
            &[says],
        );
    };
    refused(
        &second("phrasebook", &no, &[]),
        "with these settings; give the preset",
    );
    refused(
        &second(&old, &no, &["--set", "d_ff=48"]),
        "[32, 32] in the model and [32, 48] with these settings",
    );
    assert!(!Path::new(&no).exists());
}

#[test]
fn people_are_answered_sentence_by_sentence_and_told_what_is_not_known() {
    let (out, err) = says(&[
        "translate",
        "Ich habe Hunger. Wo ist der Bahnhof?",
        "",
        "Guten Morgen!",
    ]);
    let lines: Vec<&str> = out.split('\n').collect();
    assert_eq!(lines.len(), 4, "{out}");
    assert!(
        lines[0].contains("hungry") && lines[0].contains("station"),
        "{out}"
    );
    assert_eq!(lines[1], "");
    assert!(lines[2].starts_with("Good morning"), "{out}");
    assert_eq!(err, "");
    let (_, err) = says(&["translate", "Das kostet 5 元."]);
    assert!(err.contains("does not know '元'"), "{err}");
    let reply = prints(&["translate", "--json", "Ich habe Hunger. Ich bin müde."]);
    let all: Vec<Value> = reply
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(all.len(), 2);
    assert_eq!(all[1]["source"], "Ich bin müde.");
    // Composed and decomposed umlauts are read alike, because keyboards differ in what they send.
    let german = "Schöne Grüße aus München!";
    let composed = prints(&["translate", german]);
    let apart: String = german.replace('ö', "o\u{308}").replace('ü', "u\u{308}");
    assert_eq!(prints(&["translate", &apart]), composed);
}

#[test]
fn references_may_be_many_and_the_source_as_people_type_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    fs::write(at("a.de"), "Ich bin müde.\nWo ist der Hund?\n").unwrap();
    let lists = r#"[["I'm tired.", "I am tired."], ["Where's the dog?", "Where is the dog?"]]"#;
    fs::write(at("lists.json"), lists).unwrap();
    let map = r#"{"Wo ist der Hund?": ["Where's the dog?", "Where is the dog?"], "Ich bin müde.": ["I am tired.", "I'm tired."]}"#;
    fs::write(at("map.json"), map).unwrap();
    fs::write(at("one.json"), r#"[["I'm tired."]]"#).unwrap();
    let measure = |refs: &str, more: &[&str]| {
        let (src, refs) = (at("a.de"), at(refs));
        let words = ["evaluate", "--src", &src, "--ref", &refs, "--json"];
        let printed = prints(&[&words, more].concat());
        serde_json::from_str::<Value>(&printed).unwrap()
    };
    let lists = measure("lists.json", &[]);
    assert_eq!(lists["bleu"], measure("map.json", &[])["bleu"]);
    assert!(lists["bleu"].as_f64().unwrap() > 99.9, "{lists}");
    assert!(
        lists["bleu_signature"]
            .as_str()
            .unwrap()
            .starts_with("nrefs:2|")
    );
    for how in ["lower", "no-mark", "no-umlauts", "capitals"] {
        let typed = measure("lists.json", &["--typed", how]);
        assert_eq!(typed["sentences"], 2, "{how}");
    }
    refuses(
        &["evaluate", "--src", &at("a.de"), "--ref", &at("one.json")],
        &["a.de has 2 lines", "references of 1"],
    );
}

#[test]
fn other_signs_for_the_same_text_change_no_translation() {
    let translated = |line: &str| prints(&["translate", line]);
    for (plain, others) in [
        (
            "Ich habe \"keine Zeit\" und \"kein Geld\" mehr.",
            [
                "Ich habe >>keine Zeit<< und >>kein Geld<< mehr.",
                "Ich habe „keine Zeit“ und »kein Geld« mehr.",
                "Ich habe <<keine Zeit>> und “kein Geld” mehr.",
            ],
        ),
        (
            "Das Wörterbuch gehört Toms Bruder.",
            [
                "Das Wörter\u{ad}buch gehört Toms Bruder.",
                "Das Wör\u{200b}ter\u{2060}buch\u{200e} gehört\u{a0}Toms Bruder.",
                "Das Wo\u{308}rterbuch gehört\u{feff} Toms Ｂruder.",
            ],
        ),
    ] {
        for other in others {
            assert_eq!(translated(other), translated(plain), "{other}");
        }
    }
    // The JSON output, from which learners read tokens, shows the text after the changes.
    let line = prints(&["translate", "--json", "Er sagte: »Komm!«"]);
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["source"], "Er sagte: »Komm!«");
    assert_eq!(line["read"], "Er sagte: \"Komm!\"");
    let unknown = prints(&["translate", "--json", "5 °C – 5 元"]);
    let unknown: Value = serde_json::from_str(&unknown).unwrap();
    assert_eq!(unknown["unknown"], 1, "as the text output counts");
}

#[test]
fn evaluate_reads_lines_as_translate_does_and_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    let measure = |src: &str, refs: &str| {
        fs::write(at("src"), src).unwrap();
        fs::write(at("ref"), refs).unwrap();
        let words = ["evaluate", "--src", &at("src"), "--ref", &at("ref")];
        let json = prints(&[&words[..], &["--json"]].concat());
        let json: Value = serde_json::from_str(&json).unwrap();
        (json, prints(&words))
    };
    // A line is scored one sentence at a time.
    let line = "Ich habe Hunger. Wo ist der Bahnhof?";
    let translation = prints(&["translate", line]);
    assert_eq!(measure(line, &translation).0["exact"], 1.0);
    // The source is normalised as for a translation.
    let nats = |line: &str| measure(line, "He said, \"Come!\"").0["nats"].clone();
    assert_eq!(nats("Er sagte: „Komm!“"), nats("Er sagte: \"Komm!\""));
    let long = "Tom ".repeat(300);
    let (json, text) = measure(&format!("Ja.\n{long}\nNein.\n"), "Yes.\nTom.\n\n");
    assert_eq!(json["left_out_of_perplexity"], 2);
    assert_eq!(json["cut"], 1);
    let says = "(2 of 3 pairs left out: 1 with an empty line, 1 with more than 163 tokens)";
    assert!(text.contains(says), "{text}");
    let (json, text) = measure(&long, "Tom.");
    assert!(json["perplexity"].is_null() && json["nats"].is_null());
    assert!(
        text.contains("perplexity of the references  none  (1 of 1"),
        "{text}"
    );
}

#[test]
fn score_refuses_a_source_that_is_too_long_as_it_does_a_target() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    fs::write(at("long"), "Tom ".repeat(300)).unwrap();
    fs::write(at("short"), "Tom.\n").unwrap();
    for (src, tgt) in [("long", "short"), ("short", "long")] {
        refuses(
            &["tools", "score", "--src", &at(src), "--tgt", &at(tgt)],
            &["long: line 1 has ", " tokens, more than the model's 163"],
        );
    }
}
