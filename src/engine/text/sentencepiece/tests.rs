use unicode_normalization::UnicodeNormalization as _;

use super::*;

/// An encoded field of bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut length = bytes.len();
    let mut out = vec![number << 3 | 2];
    while length > 127 {
        out.push(length as u8 & 127 | 128);
        length >>= 7;
    }
    out.push(length as u8);
    [&out[..], bytes].concat()
}

fn piece(text: &str, score: f32, kind: u8) -> Vec<u8> {
    let score = [&[2 << 3 | 5][..], &score.to_le_bytes()].concat();
    field(
        1,
        &[field(1, text.as_bytes()), score, vec![3 << 3, kind]].concat(),
    )
}

/// A model file without normalisation, with these settings of trainer and normaliser.
fn file(pieces: &[(&str, f32, u8)], trainer: &[u8], normalizer: &[u8]) -> Vec<u8> {
    let all = pieces
        .iter()
        .map(|(text, score, kind)| piece(text, *score, *kind));
    let mut out = all.collect::<Vec<_>>().concat();
    out.extend(field(2, trainer));
    out.extend(field(3, normalizer));
    out
}

const PIECES: [(&str, f32, u8); 8] = [
    ("</s>", 0.0, 3),
    ("<unk>", 0.0, 2),
    ("▁", -3.0, 1),
    ("a", -2.0, 1),
    ("b", -2.5, 1),
    ("ab", -3.0, 1),
    ("▁ab", -4.0, 1),
    ("ä", -2.0, 1),
];

fn small() -> SentencePiece {
    SentencePiece::parse(file(&PIECES, &[3 << 3, 1], &[])).unwrap()
}

fn read(name: &str) -> SentencePiece {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root
        .join("../../tests/fixtures/parity-marian/set-1/model")
        .join(name);
    SentencePiece::parse(std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn the_way_with_the_largest_sum_is_taken() {
    let model = small();
    // ▁ab −4 beats ▁ ab −6 and ▁ a b −7.5.
    assert_eq!(model.encode("ab"), ["▁ab"]);
    assert_eq!(model.encode("aab"), ["▁", "a", "ab"]);
    assert_eq!(model.encode("b"), ["▁", "b"]);
    assert_eq!(model.encode("äa"), ["▁", "ä", "a"]);
}

#[test]
fn unknown_characters_that_stand_together_are_one_piece() {
    let model = small();
    assert_eq!(model.encode("xyäzb"), ["▁", "xy", "ä", "z", "b"]);
    assert_eq!(model.encode("😀今"), ["▁", "😀今"]);
}

#[test]
fn blanks_are_run_together_and_one_stands_in_front() {
    let model = small();
    assert_eq!(model.encode("  a   b "), ["▁", "a", "▁", "b"]);
    for nothing in ["", " ", "   "] {
        assert_eq!(model.encode(nothing), [""; 0], "{nothing:?}");
    }
    // add_dummy_prefix and remove_extra_whitespaces off.
    let kept = file(&PIECES, &[], &[3 << 3, 0, 4 << 3, 0]);
    let kept = SentencePiece::parse(kept).unwrap();
    assert_eq!(kept.encode(" a  b "), ["▁", "a", "▁", "▁", "b", "▁"]);
    // treat_whitespace_as_suffix: field 24.
    let behind = SentencePiece::parse(file(&PIECES, &[0xC0, 1, 1], &[])).unwrap();
    assert_eq!(behind.encode("a b"), ["a", "▁", "b", "▁"]);
}

#[test]
fn user_defined_pieces_are_preferred_and_unused_ones_never_taken() {
    let pieces = [&PIECES[..], &[("aba", -50.0, 4), ("aa", -0.1, 5)]].concat();
    let model = SentencePiece::parse(file(&pieces, &[], &[])).unwrap();
    // It costs 0.1, whatever its length.
    assert_eq!(model.encode("ababa"), ["▁ab", "aba"]);
    assert_eq!(model.encode("aba"), ["▁", "aba"]);
    assert_eq!(model.encode("aa"), ["▁", "a", "a"]);
}

#[test]
fn pieces_become_text_again() {
    let model = read("target.spm");
    assert_eq!(model.decode(["▁Hal", "lo", ",", "▁Welt"]), "Hallo, Welt");
    assert_eq!(model.decode([]), "");
    for line in ["I don't live in Boston anymore.", "Tom has no children."] {
        let pieces = model.encode(line);
        assert_eq!(model.decode(pieces.iter().map(String::as_str)), line);
    }
}

#[test]
fn the_compiled_normalisation_is_nfkc_with_blanks() {
    let model = read("source.spm");
    // Letters, ligatures, full-width and half-width forms, circled numbers, Hangul and kana: composed and decomposed.
    let ranges = [
        0xA1..=0x17F,
        0x370..=0x3FF,
        0x1E00..=0x1EFF,
        0x2460..=0x24FF,
        0x3041..=0x3096,
        0xAC00..=0xAD00,
        0xFB00..=0xFB06,
        0xFF01..=0xFF5D,
        0xFF66..=0xFF9D,
    ];
    let mut tried = 0;
    for c in ranges.into_iter().flatten().filter_map(char::from_u32) {
        for text in [c.to_string(), c.nfd().collect(), format!("x{c}y")] {
            let expected: String = text.nfkc().collect();
            let expected = expected.split_whitespace().collect::<Vec<_>>().join(BLANK);
            if c == '\u{AD}' || expected.is_empty() {
                continue;
            }
            let got = model.normalize(&text);
            let expected = format!("{BLANK}{expected}");
            assert_eq!(got, expected, "{text:?} {:x}", c as u32);
            tried += 1;
        }
    }
    assert!(tried > 3000, "{tried}");
    // Blanks of every kind; control characters are removed.
    assert_eq!(
        model.normalize("a\tb\u{A0}c\u{3000}d\u{200B}e\u{FEFF}f\u{2028}g"),
        "▁a▁b▁c▁d▁e▁f▁g"
    );
    assert_eq!(model.normalize("a\u{1}b\u{7F}c"), "▁abc");
    assert_eq!(model.normalize("\u{1}"), "");
    assert_eq!(model.normalize("\u{3000}\t"), "");
}

#[track_caller]
fn refused(bytes: Vec<u8>, says: &str) {
    let message = SentencePiece::parse(bytes).expect_err("it is refused");
    assert!(message.contains(says), "{message}");
}

#[test]
fn bytes_spell_what_no_piece_has_and_become_text_again() {
    // byte_fallback: field 35.
    let model = SentencePiece::parse(file(&PIECES, &[0x98, 2, 1], &[])).unwrap();
    let pieces = ["▁", "a", "<0xE7>", "<0x8A>", "<0xAC>", "b"];
    assert_eq!(model.encode("a犬b"), pieces);
    assert_eq!(model.decode(pieces), "a犬b");
    // Bytes that are no UTF-8 become one U+FFFD each.
    assert_eq!(model.decode(["<0xE7>", "<0x8A>", "b"]), "\u{FFFD}\u{FFFD}b");
    assert_eq!(model.decode(["<0x41>", "<0xFF>", "<0x42>"]), "A\u{FFFD}B");
    // Without byte fallback, such a piece is text.
    assert_eq!(small().decode(["<0x41>"]), "<0x41>");
}

#[test]
fn a_file_for_others_normalises_and_is_read_back_without() {
    let model = SentencePiece::of(&[("▁".to_owned(), -1.0), ("a".to_owned(), -2.0)]).unwrap();
    let map = BTreeMap::from([("\u{a0}".to_owned(), " ".to_owned())]);
    let bytes = model.for_others(|| map);
    let charsmap = Model::parse(&bytes).unwrap().charsmap;
    let charsmap = CharsMap::parse(&charsmap).unwrap();
    assert_eq!(charsmap.prefix("\u{a0}a"), Some((" ", 2)));
    let back = SentencePiece::parse(bytes).unwrap();
    assert!(!back.changes());
    assert_eq!(back.bytes(), model.bytes());
    let theirs = small();
    assert_eq!(theirs.for_others(BTreeMap::new), theirs.bytes());
}

#[test]
fn invalid_models_are_refused_with_the_reason() {
    refused(
        file(&PIECES, &[3 << 3, 9], &[]),
        "it is of a kind that SentencePiece does not have",
    );
    refused(
        file(&PIECES, &[3 << 3, 3], &[]),
        "only unigram and BPE models are read",
    );
    refused(b"PK\x03\x04 and so on".to_vec(), "no protocol buffer");
    refused(vec![], "it has no pieces");
    refused(
        file(&PIECES[..2], &[], &[]),
        "none of its pieces stands for text",
    );
    refused(
        file(&[("a", 0.0, 1), ("a", -1.0, 1)], &[], &[]),
        "it has the piece 'a' twice",
    );
    refused(file(&[("a", f32::NAN, 1)], &[], &[]), "its score is NaN");
    refused(
        file(&PIECES, &[], &field(2, &[9, 0, 0, 0, 1])),
        "precompiled_charsmap) is damaged",
    );
}

#[test]
fn models_of_both_kinds_cut_and_join_as_sentencepiece_does() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("../../tests/fixtures/published/pieces");
    let models = std::fs::read_to_string(folder.join("pieces.json")).unwrap();
    type Line = (String, Vec<String>, String);
    let models: std::collections::BTreeMap<String, Vec<Line>> =
        serde_json::from_str(&models).unwrap();
    assert_eq!(models.len(), 4);
    for (name, lines) in models {
        let bytes = std::fs::read(folder.join(format!("{name}.spm"))).unwrap();
        let model = SentencePiece::parse(bytes).unwrap();
        for (line, pieces, text) in lines {
            assert_eq!(model.encode(&line), pieces, "{name}: {line}");
            let joined = model.decode(pieces.iter().map(String::as_str));
            assert_eq!(joined, text, "{name}: {line}");
        }
    }
}

#[test]
fn byte_fallback_spells_unknown_characters() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(root.join("../../tests/fixtures/published/byte-fallback.spm"));
    let model = SentencePiece::parse(bytes.unwrap()).unwrap();
    // As SentencePiece 0.2.1 cuts it.
    assert_eq!(model.encode("犬"), ["▁", "<0xE7>", "<0x8A>", "<0xAC>"]);
    let pieces = "▁De r ▁Hu nd ▁ <0xE2> <0x98> <0x83> ▁ <0xC3> <0xA9>";
    assert_eq!(model.encode("Der Hund ☃ é").join(" "), pieces);
    let line = "Der Hund ☃ 犬 é";
    let pieces = model.encode(line);
    assert_eq!(model.decode(pieces.iter().map(String::as_str)), line);
}
