use super::*;

// Expected scores are from sacreBLEU's test/test_bleu.py and test/test_sentence_bleu.py.
const HYPS: [&str; 3] = [
    "The dog bit the man.",
    "It wasn't surprising.",
    "The man had just bitten him.",
];

fn refs() -> Vec<Vec<&'static str>> {
    vec![
        vec![
            "The dog bit the man.",
            "It was not unexpected.",
            "The man bit him first.",
        ],
        vec![
            "The dog had bit the man.",
            "No one was surprised.",
            "The man had bitten the dog.",
        ],
    ]
}

#[track_caller]
fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "found {actual}, expected {expected}"
    );
}

/// Options of sacreBLEU's `raw_corpus_bleu`.
fn raw(floor: f64) -> BleuOptions {
    BleuOptions {
        tokenize: Tokenize::None,
        smooth: Smooth::Floor(floor),
        ..BleuOptions::sentence()
    }
}

#[test]
fn corpus_bleu_matches_sacrebleu_for_each_max_order() {
    for (max_order, expected) in (1..).zip([77.65, 60.50, 53.93, 48.53, 46.14, 43.28]) {
        let options = BleuOptions {
            max_order,
            ..BleuOptions::default()
        };
        close(corpus_bleu(&HYPS, &refs(), &options).score, expected, 0.005);
    }
}

#[test]
fn a_score_prints_as_sacrebleu_prints_it() {
    let bleu = corpus_bleu(&HYPS, &refs(), &BleuOptions::default());
    assert_eq!(
        bleu.to_string(),
        "BLEU = 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)"
    );
    assert!(format!("{bleu:.4}").starts_with("BLEU = 48.5308 82.4/"));
}

#[test]
fn counts_are_clipped_and_added() {
    let options = raw(0.1);
    let (hyp, reference) = (
        "am I am a character sequence",
        "I am a symbol string sequence a a",
    );
    let bleu = corpus_bleu(&[hyp], &[vec![reference]], &options);
    assert_eq!(
        (bleu.counts, bleu.totals),
        (vec![4, 2, 1, 0], vec![6, 5, 4, 3])
    );
    close(bleu.score, 15.55722182, 1e-8);
    close(
        corpus_bleu(&[hyp], &[vec![reference]], &raw(0.0)).score,
        0.0,
        0.0,
    );
}

#[test]
fn raw_corpus_bleu_matches_sacrebleu() {
    for (hyp, reference, expected) in [
        ("this is a test", "this is a test", 100.0),
        ("this is a fest", "this is a test", 22.3606797749979),
        ("test", "a test", 36.78794411714425),
        ("a test", "a test", 100.0),
        ("a little test", "a test", 3.218297948685433),
    ] {
        let bleu = corpus_bleu(&[hyp], &[vec![reference]], &raw(0.01));
        close(bleu.score, expected, 1e-8);
    }
}

#[test]
fn bleu_follows_from_the_counts_alone() {
    let counts = |counts: [usize; 4], totals: [usize; 4], sys_len, ref_len| BleuCounts {
        counts: counts.to_vec(),
        totals: totals.to_vec(),
        sys_len,
        ref_len,
    };
    let none = BleuOptions {
        smooth: Smooth::None,
        ..BleuOptions::default()
    };
    let bleu = counts([9, 7, 5, 3], [10, 8, 6, 4], 11, 11).bleu(&none);
    close(bleu.score, 83.75922397, 1e-8);

    for (counts, floor) in [
        (counts([0, 0, 0, 0], [4, 4, 2, 1], 0, 1), 0.0),
        (counts([0, 0, 0, 0], [10, 11, 12, 0], 14, 10), 0.0),
        (counts([0, 0, 0, 0], [0, 0, 0, 0], 0, 0), 0.0),
        (counts([6, 5, 4, 0], [6, 5, 4, 3], 6, 6), 0.0),
        (counts([0, 0, 0, 0], [0, 0, 0, 0], 0, 0), 0.1),
        (counts([0, 0, 0, 0], [0, 0, 0, 0], 1, 5), 0.01),
    ] {
        let smooth = Smooth::Floor(floor);
        let options = BleuOptions {
            smooth,
            ..BleuOptions::default()
        };
        assert_eq!(counts.bleu(&options).score, 0.0);
    }
}

#[test]
fn sentence_bleu_matches_sacrebleu_for_each_smoothing_and_tokenizer() {
    let hyp = "Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;";
    let reference = "producţia de zahăr brut se exprimă în zahăr alb;";
    use Tokenize::*;
    for (smooth, lowercase, tokenize, expected) in [
        (Smooth::Exp, false, V13a, 8.493),
        (Smooth::None, false, V13a, 0.0),
        (Smooth::Floor(0.1), false, V13a, 4.51688),
        (Smooth::Floor(0.5), false, V13a, 10.10),
        (Smooth::AddK(1.0), false, V13a, 14.882),
        (Smooth::AddK(2.0), false, V13a, 21.389),
        (Smooth::Exp, false, None, 7.347),
        (Smooth::Exp, false, Intl, 8.493),
        (Smooth::Exp, false, Char, 40.8759),
        (Smooth::Exp, true, Char, 42.0267),
    ] {
        let options = BleuOptions {
            smooth,
            lowercase,
            tokenize,
            ..BleuOptions::sentence()
        };
        let bleu = sentence_bleu(hyp, &[reference], &options);
        close(bleu.score, expected, 1e-3);
    }
}

#[test]
fn without_a_match_no_smoothing_helps() {
    let all = [
        Smooth::Exp,
        Smooth::None,
        Smooth::Floor(0.1),
        Smooth::AddK(1.0),
    ];
    for smooth in all {
        let options = BleuOptions {
            smooth,
            ..BleuOptions::sentence()
        };
        let bleu = sentence_bleu("this is a cat", &["okay thanks"], &options);
        assert_eq!((bleu.score, bleu.precisions), (0.0, vec![0.0; 4]));
    }
}

#[test]
fn of_two_equally_close_references_the_shorter_sets_the_length() {
    let refs = ["a b c d e", "a b c"];
    let bleu = sentence_bleu("a b c d", &refs, &BleuOptions::sentence());
    assert_eq!(bleu.ref_len, 3);
    close(bleu.score, 100.0, 1e-12);
}

#[test]
fn smoothing_names_are_read_and_an_unknown_one_is_answered() {
    assert_eq!("exp".parse(), Ok(Smooth::Exp));
    assert_eq!("floor".parse(), Ok(Smooth::Floor(0.1)));
    assert_eq!("add-k=2".parse(), Ok(Smooth::AddK(2.0)));
    let error = |text: &str| text.parse::<Smooth>().unwrap_err();
    assert_eq!(
        error("nist"),
        "unknown smoothing \"nist\": choose exp, floor, add-k or none"
    );
    assert_eq!(error("exp=2"), "exp=2: smoothing exp takes no value");
    assert_eq!(
        error("floor=-1"),
        "floor=-1: the value must be a number from 0 up, as in floor=0.1"
    );
}

#[test]
#[should_panic(expected = "3 hypotheses, but reference set 2 has 1 lines")]
fn a_reference_set_of_another_length_is_refused() {
    let refs = [refs()[0].clone(), vec!["one line"]];
    corpus_bleu(&HYPS, &refs, &BleuOptions::default());
}
