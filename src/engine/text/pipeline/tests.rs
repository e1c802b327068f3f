use super::*;

fn lines(text: &[&str]) -> Vec<String> {
    text.iter().map(|&line| line.to_owned()).collect()
}

fn learning() -> Learning {
    Learning {
        prepare_source: Prepare::German,
        prepare_target: Prepare::English,
        lowercase: true,
        merges: 20,
        joint: true,
        min_count: 1,
        limit: None,
        pieces: 0,
    }
}

#[test]
fn text_goes_to_ids_and_back_and_the_pipeline_to_json_and_back() {
    let source = lines(&["Der Hund läuft.", "Der alte Hund schläft."]);
    let target = lines(&["The dog runs.", "The old dog sleeps."]);
    for joint in [true, false] {
        let pipeline = Pipeline::learn(
            &source,
            &target,
            &Learning {
                joint,
                ..learning()
            },
        );
        let back = Pipeline::from_json(&pipeline.to_json()).unwrap();
        for p in [&pipeline, &back] {
            let ids = p.target_ids("The old dog runs.");
            assert_eq!((ids[0], ids.last()), (1, Some(&2)));
            assert_eq!(p.target.joined(&ids), "the old dog runs .");
            assert_eq!(p.target.text(&ids), "the old dog runs.");
            assert_eq!(p.sentence("Hund").unknown().len(), 0);
        }
        assert_eq!(pipeline.source_ids("Der Hund"), back.source_ids("Der Hund"));
        assert_eq!(
            pipeline.source.vocabulary == pipeline.target.vocabulary,
            joint
        );
    }
}

#[test]
fn without_subwords_a_new_word_is_unknown() {
    let whole = Learning {
        merges: 0,
        joint: false,
        ..learning()
    };
    let pipeline = Pipeline::learn(&lines(&["der hund"]), &lines(&["the dog"]), &whole);
    assert_eq!(pipeline.sentence("Der Hund schläft").unknown(), ["schläft"]);
}

#[test]
fn a_damaged_file_is_refused() {
    assert!(Pipeline::from_json("{}").is_err());
}

#[test]
fn characters_that_have_no_piece_get_one_behind_the_others() {
    let words = ["Das", "kostet", "zwei", "Euro"].map(str::to_owned);
    let learning = Learning {
        pieces: 20,
        ..learning()
    };
    let old = Pipeline::learn(&words, &words, &learning);
    let new = old.with_characters(["Das kostet 2 €", "2 €", "3 £"], 2);
    let [before, after] = [&old, &new].map(|p| p.source.vocabulary.words().to_vec());
    assert_eq!(after[..before.len()], before);
    assert_eq!(after[before.len()..], ["2", "€"]);
    assert_eq!(new.sentence("2 €").unknown(), Vec::<String>::new());
    assert_eq!(new.sentence("3 £").unknown(), ["3", "£"]);
    assert_eq!(
        old.source_ids("Das kostet zwei Euro"),
        new.source_ids("Das kostet zwei Euro")
    );
    assert_eq!(
        Pipeline::from_json(&new.to_json())
            .unwrap()
            .target_ids("2 €"),
        new.target_ids("2 €")
    );
}

#[test]
fn marks_that_cling_to_words_are_set_apart_where_words_stand_between_blanks() {
    let lines = ["Der Hund schläft .".to_owned(), "Er , der z.B.".to_owned()];
    let learning = Learning {
        prepare_source: Prepare::Blanks,
        prepare_target: Prepare::Blanks,
        lowercase: false,
        merges: 0,
        joint: false,
        min_count: 1,
        limit: None,
        pieces: 0,
    };
    let pipeline = Pipeline::learn(&lines, &lines, &learning);
    let typed = |line| pipeline.source.spelled(line).text;
    assert_eq!(typed("Der Hund, der schläft."), "Der Hund , der schläft .");
    assert_eq!(typed("Der Igel schläft ."), "Der Igel schläft .");
    assert_eq!(typed("Igel."), "Igel .");
    assert_eq!(typed("z.B."), "z.B.", "a known word stays whole");
    assert_eq!(typed("Hund!"), "Hund!", "the mark is not known");
    assert_eq!(typed("..."), "...");
    assert_eq!(typed("schla\u{308}ft"), "schläft");
}
