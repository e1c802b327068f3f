use super::*;

fn pair(german: &str, english: &str) -> Pair {
    (german.to_owned(), english.to_owned())
}

/// Entries written for this test, in the dictionary's format.
const LINES: &str = "# Version :: 1
Dachs {m} (Brauwesen) :: mash cooler
Dachs {m} [zool.] | Dachse {pl} | Der Dachs schläft. :: badger; brock [archaic] | badgers | The badger is asleep.
gähnen {vi} | laut gähnen | jdn. angähnen {vt} | gähnend | gegähnt :: to yawn {yawned; yawned} | to yawn loudly | to yawn at sb. | yawning | yawned
Hoppla!; Ups! {interj} :: Whoopsie!; Oops!
Sakrament! :: Gosh [slang]; Darn! [slang]
Wer rastet, der rostet. [Sprw.] :: Use it or lose it. [prov.]
Ministerium {n} /Min./ [adm.]; Amt {n} (Behörde; Stelle) :: ministry; department
und/oder :: and/or
zwei | Teile :: one
";

fn read_lines(corpus: &[Pair]) -> Dictionary {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words");
    std::fs::write(&path, LINES).unwrap();
    read(&path, corpus).unwrap()
}

fn corpus() -> Vec<Pair> {
    let line = |n: usize| {
        pair(
            &format!("Der Dachs {n} und das Ministerium gähnen laut."),
            "The badger and the ministry want to yawn loudly.",
        )
    };
    let oops = pair("Hoppla, ups.", "Oops.");
    let rest = pair("Wer rastet, der rastet; der rostet.", "Use it or lose it.");
    let mut all: Vec<Pair> = (0..9).map(line).collect();
    all.extend(std::iter::repeat_n(oops, 3));
    all.extend(std::iter::repeat_n(rest, 3));
    all.push(pair("Dachse haben gegähnt.", "Badgers yawned."));
    all
}

#[test]
fn sentences_phrases_and_words_are_told_apart() {
    let dictionary = read_lines(&corpus());
    assert_eq!(
        dictionary.sentences,
        [
            pair("Der Dachs schläft.", "The badger is asleep."),
            pair("Hoppla!", "Oops!"),
            pair("Ups!", "Oops!"),
            pair("Wer rastet, der rostet.", "Use it or lose it."),
        ]
    );
    assert_eq!(dictionary.sayings, dictionary.sentences[1..]);
    assert_eq!(dictionary.phrases, [pair("laut gähnen", "to yawn loudly")]);
    let word = |german: &str, class| {
        let entry = dictionary.words.iter().find(|word| word.german == german);
        let entry = entry.unwrap_or_else(|| panic!("{german} is missing: {:?}", dictionary.words));
        assert_eq!(entry.class, class, "{german}");
        entry.english.clone()
    };
    assert_eq!(word("Dachs", Class::Masculine), "badger");
    assert_eq!(word("Dachse", Class::Plural), "badgers");
    assert_eq!(word("gähnen", Class::Intransitive), "to yawn");
    assert_eq!(word("gegähnt", Class::Other), "yawned");
    assert_eq!(word("Ministerium", Class::Neuter), "ministry");
    for german in ["gähnend", "und/oder", "zwei"] {
        assert!(
            dictionary.words.iter().all(|word| word.german != german),
            "{german}"
        );
    }
}

#[test]
fn held_out_pairs_are_removed_in_either_language() {
    let mut dictionary = read_lines(&corpus());
    dictionary.without(&[
        pair("hoppla", "Whoops!"),
        pair("Er gähnt.", "to YAWN, loudly"),
    ]);
    assert_eq!(dictionary.sayings[0], pair("Ups!", "Oops!"));
    assert!(dictionary.sentences.iter().all(|pair| pair.0 != "Hoppla!"));
    assert!(dictionary.phrases.is_empty());
}

#[test]
fn a_file_of_another_form_is_refused_with_the_form_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words");
    std::fs::write(&path, "dog\tHund\ncat\tKatze\n").unwrap();
    let message = read(&path, &[]).unwrap_err().to_string();
    assert!(message.contains("German :: English"), "{message}");
}

#[test]
fn remarks_are_kept_apart_from_the_text() {
    let parts = parts("Fest {n}; Feier {f} (mit Gästen; groß) [soc.] | zum Fest /z. F./");
    assert_eq!(parts.len(), 2);
    let texts: Vec<&str> = parts.iter().flatten().map(|one| &*one.text).collect();
    assert_eq!(texts, ["Fest", "Feier", "zum Fest"]);
    assert_eq!(parts[0][1].fields, ["soc"]);
    assert_eq!(parts[0][0].tags, ["n"]);
    let usable = |text: &str| super::parts(text)[0][0].is_usable();
    assert!(usable("jemand, den man kennt"));
    for text in [
        "mit etw. spielen",
        "to tell sb. off",
        "ein ... sein",
        "an/auf dem Tisch",
        "(nur",
        "",
    ] {
        assert!(!usable(text), "{text}");
    }
}
