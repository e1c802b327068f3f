//! Tests of claims.

use super::super::*;
use super::{blocks, error, read};

fn claimed(body: &str) -> Vec<Claim> {
    claims(&read(&format!("# T\n\n{body}")).unwrap())
}

fn printed(body: &str) -> Vec<String> {
    claimed(body)
        .into_iter()
        .map(|claim| claim.printed)
        .collect()
}

fn unclaimed(body: &str) -> Vec<String> {
    unclaimed_numbers(&read(&format!("# T\n\n{body}")).unwrap())
        .into_iter()
        .map(|(_, number)| number)
        .collect()
}

#[test]
fn a_claim_names_number_expression_and_settings() {
    let pages = read(
        "# T\n\n## U\n\nScaled by\n22.627<!-- = sqrt(d_model) | init=xavier text=\"the dog\" -->.",
    )
    .unwrap();
    assert_eq!(
        claims(&pages),
        [Claim {
            page: 1,
            line: 6,
            printed: "22.627".to_string(),
            expr: "sqrt(d_model)".to_string(),
            settings: vec![
                ("init".to_string(), "xavier".to_string()),
                ("text".to_string(), "the dog".to_string())
            ],
            about: false,
        }]
    );
    let Block::Paragraph(text) = &pages[1].blocks[0] else {
        panic!()
    };
    assert_eq!(plain_text(text), "Scaled by 22.627.");
}

#[test]
fn a_claim_with_a_tilde_is_about_its_number() {
    let about = |text: &str| claimed(text).into_iter().map(|c| (c.expr, c.about));
    let text = "72%<!-- ~ right | at=100 --> and 3<!-- = three -->, | 5<!-- ~ five -->";
    let expected = [("right", true), ("three", false), ("five", true)];
    assert!(about(text).eq(expected.map(|(expr, about)| (expr.to_owned(), about))));
}

#[test]
fn claims_read_numbers_as_they_are_printed() {
    let numbers = [
        "1,050,624",
        "15,360,000",
        "-.416147",
        "−.416147",
        ".841471",
        "87×",
        "66.6%",
        "22.7",
        "1.746928e-7",
        "(30,8,10,11)",
        "(30, 8, 10, 11)",
        "[.245,.665,.090]",
        "[[.4092,.5908],[.2228,.7772]]",
        "0",
        "1e-16",
    ];
    for number in numbers {
        assert_eq!(
            printed(&format!("about {number}<!-- = x -->")),
            [number],
            "plain"
        );
        assert_eq!(
            printed(&format!("about **{number}**<!-- = x -->")),
            [number],
            "bold"
        );
        assert_eq!(
            printed(&format!("about `{number}`<!-- = x -->")),
            [number],
            "code"
        );
    }
    assert_eq!(
        printed("from 10–20<!-- = x --> and 30-40<!-- = y -->"),
        ["20", "40"]
    );
    assert_eq!(
        printed("`d_k = 64`<!-- = d_k --> and `scores`<!-- = name -->"),
        ["64", "scores"]
    );
    assert_eq!(printed("cells 2,4<!-- = x -->"), ["4"]);
}

#[test]
fn claims_stand_in_tables_lists_and_callouts() {
    let body = "| a | b |\n|--|--:|\n| 1.5<!-- = f(1) | k=1 --> | 2.5<!-- = f(2) \\| k=2 --> |\n\n- 3.5<!-- = f(3) -->\n\n> [!NOTE]\n> 4.5<!-- = f(4) -->";
    let claims = claimed(body);
    let shown: Vec<_> = claims
        .iter()
        .map(|claim| {
            (
                claim.printed.as_str(),
                claim.expr.as_str(),
                claim.settings.len(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("1.5", "f(1)", 1),
            ("2.5", "f(2)", 1),
            ("3.5", "f(3)", 0),
            ("4.5", "f(4)", 0)
        ]
    );
    assert_eq!(claims[1].settings, [("k".to_string(), "2".to_string())]);
    assert_eq!(
        without_claims(body).lines().nth(2).unwrap(),
        "| 1.5 | 2.5 |",
    );
}

#[test]
fn comments_in_code_stay_and_other_comments_vanish() {
    let claims =
        blocks("One<!-- note -->.\n\n<!-- a remark -->\n\n```md\n1.5<!-- = x | k=1 -->\n```");
    let [Block::Paragraph(text), Block::Code(code)] = claims.as_slice() else {
        panic!("{claims:?}")
    };
    assert_eq!(
        (plain_text(text).as_str(), code.text.as_str()),
        ("One.", "1.5<!-- = x | k=1 -->")
    );
    assert_eq!(
        without_claims("```\n1<!-- = x -->\n```\n"),
        "```\n1<!-- = x -->\n```\n"
    );
}

#[test]
fn a_claim_without_a_number_is_an_error() {
    assert_eq!(
        error("# T\n\nmany <!-- = x -->"),
        "lessons/03-attention/lesson.md:3:6: a claim stands right behind a number, a shape or code\n\
         3 | many <!-- = x -->\n  |      ^"
    );
    assert!(error("# T\n\n1<!-- = x | k -->").contains("`k` is not KNOB=VALUE"));
    assert!(error("# T\n\n1<!-- = -->").contains("needs an expression"));
    assert!(error("# T\n\n<!-- = x -->").contains("not on a line of its own"));
}

#[test]
fn numbers_without_claims_are_found_with_their_lines() {
    let pages =
        read("# T\n\nThe rms is 0.7071 and\nthe count 15,360,000.\n\n| n |\n|--|\n| 2.0 |\n")
            .unwrap();
    let numbers = unclaimed_numbers(&pages);
    assert_eq!(
        numbers,
        [
            (3, "0.7071".to_string()),
            (4, "15,360,000".to_string()),
            (8, "2.0".to_string())
        ]
    );
}

#[test]
fn claimed_and_harmless_numbers_are_left_alone() {
    assert_eq!(
        unclaimed("0.5<!-- = x -->, [.1, .2]<!-- = y -->, **1,536**<!-- = z -->"),
        [""; 0]
    );
    assert_eq!(
        unclaimed("In 2017 (section 3.5, version 1.2), 8 heads of 64, (30,8,10,11), (30,512)."),
        [""; 0]
    );
    assert_eq!(
        unclaimed("`10000^(2i/d)`, $1.5$, [9.5](http://x/1.5)\n\n```\n1.5\n```"),
        [""; 0]
    );
    assert_eq!(
        unclaimed("`22.627`, 5000, (5000,512), −.5, 4096 × 2.5"),
        ["22.627", "5000", "5000", ".5", "4096", "2.5"]
    );
    assert_eq!(unclaimed("0.5<!-- = x --> is not 0.6."), ["0.6"]);
}
