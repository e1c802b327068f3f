//! Tests that the playground shows what its two lessons show, for any model.

use super::*;
use crate::data::weights;
use crate::lesson::Body;
use crate::lesson::session::Session;
use crate::train::built_in::BuiltIn;
use crate::train::config::TrainConfig;

fn with(turned: &[(&str, &str)]) -> Settings {
    LESSON.settings(turned).unwrap()
}

fn cells(run: &Run, name: &str) -> Vec<Vec<String>> {
    let picture = run.pictures.iter().find(|p| p.name == name).unwrap();
    match &picture.body {
        Body::Table { rows, .. } => rows.clone(),
        _ => panic!("{name} is a table"),
    }
}

fn named(rows: &[Vec<String>], what: &str) -> String {
    let row = rows.iter().find(|row| row[0] == what);
    row.unwrap_or_else(|| panic!("no row {what} in {rows:?}"))[1].clone()
}

#[test]
fn it_has_every_knob_of_both_lessons() {
    let (search, inside) = (decoding::LESSON.knobs, looking_inside::LESSON.knobs);
    for knob in search.iter().chain(inside) {
        let ours = LESSON.knob(knob.name).unwrap();
        assert_eq!(ours.about.is_empty(), knob.about.is_empty());
        assert_eq!(ours.accept(ours.default), Ok(ours.default.to_owned()));
    }
}

#[test]
fn a_sentence_is_translated_and_words_that_are_unknown_are_named() {
    let phrasebook = |sentence| with(&[("model", "phrasebook"), ("sentence", sentence)]);
    let run = LESSON.stage().run(&phrasebook("Der Quark schläft ."));
    let run = run.unwrap();
    let rows = cells(&run, "translation");
    assert_eq!(named(&rows, "it reads"), "Der <unk> schläft . </s>");
    assert!(run.pictures[0].says.contains("does not know 'Quark'"));
    let run = LESSON.stage().run(&phrasebook("Der alte Mann schläft."));
    let rows = cells(&run.unwrap(), "translation");
    assert_eq!(named(&rows, "beam of 4"), "The old man sleeps .");
    let run = LESSON
        .stage()
        .run(&with(&[("sentence", "Das kostet 5 元.")]));
    assert!(run.unwrap().pictures[0].says.contains("does not know '元'"));
}

#[test]
fn a_head_that_is_off_is_off_in_the_search_too() {
    let off = with(&[("off", "cross")]);
    let rows = cells(&LESSON.stage().run(&off).unwrap(), "translation");
    let sound = cells(&LESSON.stage().run(&with(&[])).unwrap(), "translation");
    assert_ne!(named(&rows, "greedy"), named(&sound, "greedy"));
    assert_eq!(named(&rows, "greedy, all heads"), named(&sound, "greedy"));
    let tree = |settings| cells(&LESSON.stage().run(settings).unwrap(), "paths");
    assert_ne!(tree(&off), tree(&with(&[])));
}

#[test]
fn a_folder_is_read_as_a_model_and_a_missing_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    let refused = |changes: &[(&str, &str)]| match LESSON.stage().run(&with(changes)) {
        Ok(_) => panic!("{changes:?} ran"),
        Err(sentence) => sentence,
    };
    assert!(refused(&[("model", place)]).contains("holds no model"));
    // Two checkpoints of a run: the later one has a different first table.
    let t = models::built_in(BuiltIn::Phrasebook);
    for (step, scale) in [(1, 0.0), (2, 1.0)] {
        let checkpoint = folder.path().join(format!("step-{step:08}"));
        std::fs::create_dir(&checkpoint).unwrap();
        let mut params = t.params.clone();
        let table = params.get_mut(t.model.src_embed.table);
        table.data_mut().iter_mut().for_each(|x| *x *= scale);
        let path = checkpoint.join("model.safetensors");
        weights::save(&path, &t.model.config, &params).unwrap();
        std::fs::write(checkpoint.join("tokenizer.json"), t.pipeline.to_json()).unwrap();
        let config = TrainConfig::default().to_toml();
        std::fs::write(checkpoint.join("config.toml"), config).unwrap();
    }
    let written = |back| {
        let run = LESSON
            .stage()
            .run(&with(&[("model", place), ("back", back)]));
        let run = run.unwrap();
        let says = run.pictures[0].says.clone();
        (named(&cells(&run, "translation"), "greedy"), says)
    };
    let phrasebook = LESSON.stage().run(&with(&[("model", "phrasebook")]));
    let ours = cells(&phrasebook.unwrap(), "translation");
    assert_eq!(written("0").0, named(&ours, "greedy"));
    assert!(written("0").1.starts_with("Update 2 of"));
    assert_ne!(written("1").0, written("0").0);
    assert!(refused(&[("model", place), ("back", "2")]).contains("holds 2 checkpoints"));
    assert!(refused(&[("layer", "2")]).contains("layer goes from 0 to 1"));
}

#[test]
fn the_lessons_switches_break_it_too() {
    let mut session = Session::new(&LESSON);
    session.switch("first-row", true).unwrap();
    let text = format!("{:?}", cells(session.run(), "translation"));
    let sound = format!("{:?}", cells(session.sound(), "translation"));
    assert_ne!(text, sound);
}

#[test]
fn the_tree_leads_to_the_translation_and_to_nothing_that_ranks_below_ten() {
    let settings = with(&[("sentence", "Der alte Mann schläft.")]);
    let run = LESSON.stage().run(&settings).unwrap();
    let rows = cells(&run, "paths");
    let ranks: Vec<&str> = rows.iter().map(|row| row[2].as_str()).collect();
    let ends = ranks.iter().filter(|rank| !rank.is_empty()).count();
    assert_eq!(ends, cells(&run, "ranking").len(), "{rows:?}");
    let first = rows.iter().find(|row| row[2] == "1").unwrap();
    assert!(first[0].ends_with("</s>"), "{first:?}");
}

#[test]
fn a_model_of_one_layer_is_looked_into_without_turning_a_knob() {
    let t = models::built_in(BuiltIn::Phrasebook);
    let config = crate::transformer::Config {
        layers: 1,
        ..t.model.config.clone()
    };
    let mut params = crate::params::Params::new(7);
    let translator = crate::train::checkpoint::Translator {
        model: crate::transformer::Transformer::new(&mut params, &config),
        params,
        pipeline: t.pipeline.clone(),
    };
    let model = models::Model::new("a small one".to_owned(), "one layer".to_owned(), translator);
    let knobs = with(&[]).knobs();
    let (seen, _) = looking_inside::looked(std::sync::Arc::new(model), &knobs).unwrap();
    assert_eq!(seen.layer(&knobs), 0);
}
