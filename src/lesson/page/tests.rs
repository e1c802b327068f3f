use super::*;

const PATH: &str = "lessons/04-attention/lesson.md";

fn files() -> BTreeMap<String, String> {
    let code =
        "// ANCHOR: forward\npub fn scores() {\n    q.matmul_t(k)\n}\n// ANCHOR_END: forward\n";
    BTreeMap::from([("src/ops/matmul.rs".to_string(), code.to_string())])
}

fn read(markdown: &str) -> Result<Vec<Page>, PageError> {
    parse_with(PATH, markdown, &files())
}

/// The blocks of a lesson with one page.
fn blocks(body: &str) -> Vec<Block> {
    read(&format!("# T\n\n{body}")).unwrap().remove(0).blocks
}

fn error(markdown: &str) -> String {
    read(markdown).unwrap_err().to_string()
}

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
fn every_second_level_heading_starts_a_page() {
    let pages = read(
        "# Scaled *dot* product\n\nIntro.\n\n## Scores\n\nMore.\n\n### Inside\n\n## `softmax`\n",
    )
    .unwrap();
    let titles: Vec<_> = pages
        .iter()
        .map(|page| (page.title.as_str(), page.line, page.blocks.len()))
        .collect();
    assert_eq!(
        titles,
        [
            ("Scaled dot product", 1, 1),
            ("Scores", 5, 2),
            ("softmax", 11, 0)
        ]
    );
}

#[test]
fn a_paragraph_keeps_its_styles() {
    let text = |text: &str, style| {
        Inline::Text(Text {
            text: text.to_string(),
            style,
            line: 3,
        })
    };
    let strong = Emphasis {
        strong: true,
        ..Emphasis::default()
    };
    assert_eq!(
        blocks("A **bold** $d_k$ in `code`, [a link](http://x) and[^1].\n\n[^1]: A note."),
        [
            Block::Paragraph(vec![
                text("A ", Emphasis::default()),
                text("bold", strong),
                text(" ", Emphasis::default()),
                Inline::Math("d_k".to_string()),
                text(" in ", Emphasis::default()),
                Inline::Code(Text {
                    text: "code".to_string(),
                    style: Emphasis::default(),
                    line: 3
                }),
                text(", ", Emphasis::default()),
                Inline::Link {
                    text: vec![text("a link", Emphasis::default())],
                    url: "http://x".to_string()
                },
                text(" and", Emphasis::default()),
                Inline::FootnoteRef("1".to_string()),
                text(".", Emphasis::default()),
            ]),
            Block::Footnote {
                label: "1".to_string(),
                blocks: vec![Block::Paragraph(vec![Inline::Text(Text {
                    text: "A note.".to_string(),
                    style: Emphasis::default(),
                    line: 5,
                })])],
            },
        ]
    );
}

#[test]
fn a_display_formula_splits_its_paragraph() {
    let found = blocks("Before\n$$ \\frac{a}{b} $$\nafter.");
    let [
        Block::Paragraph(before),
        Block::Math(tex),
        Block::Paragraph(after),
    ] = found.as_slice()
    else {
        panic!("{found:?}")
    };
    assert_eq!(
        (
            plain_text(before).as_str(),
            tex.as_str(),
            plain_text(after).trim()
        ),
        ("Before ", "\\frac{a}{b}", "after.")
    );
}

#[test]
fn an_include_brings_code_and_its_place() {
    assert_eq!(
        blocks("```rust,ignore\n{{#include ../../src/ops/matmul.rs:forward}}\n```"),
        [Block::Code(Code {
            lang: "rust".to_string(),
            text: "pub fn scores() {\n    q.matmul_t(k)\n}".to_string(),
            source: Some(SourceRef {
                path: "src/ops/matmul.rs".to_string(),
                first_line: 2,
                last_line: 4
            }),
        })]
    );
}

#[test]
fn a_missing_anchor_is_shown_where_it_is_asked_for() {
    assert_eq!(
        error("# T\n\n```rust\n{{#include ../../src/ops/matmul.rs:backward}}\n```\n"),
        "lessons/04-attention/lesson.md:4:1: src/ops/matmul.rs has no `ANCHOR: backward`; did you mean forward?\n\
         4 | {{#include ../../src/ops/matmul.rs:backward}}\n  | ^"
    );
}

#[test]
fn callouts_of_github_and_our_own() {
    let kinds: Vec<_> = blocks(
        "> [!NOTE]\n> A.\n\n> [!DIFFERS]\n> The paper norms after.\n>\n> Ours before.\n\n> [!TRY] Turn `d_k`.\n\n> Said.",
    )
    .into_iter()
    .map(|block| match block {
        Block::Callout { kind, blocks } => (kind.word(), blocks.len()),
        Block::Quote(blocks) => ("quote", blocks.len()),
        other => panic!("{other:?}"),
    })
    .collect();
    assert_eq!(
        kinds,
        [("Note", 1), ("Differs", 2), ("Try it", 1), ("quote", 1)]
    );
    assert!(
        error("# T\n\n> [!DIFERS]\n> x")
            .contains("there is no callout [!DIFERS]; there are NOTE, TIP")
    );
}

#[test]
fn lists_hold_blocks() {
    let found = blocks("3. one\n   - inner\n4. two\n\n- [x] done\n- [ ] open");
    let [Block::List(ordered), Block::List(tasks)] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!((ordered.start, ordered.items.len()), (Some(3), 2));
    assert!(matches!(
        ordered.items[0].blocks.as_slice(),
        [Block::Paragraph(_), Block::List(List { start: None, .. })]
    ));
    assert_eq!(
        tasks.items.iter().map(|item| item.done).collect::<Vec<_>>(),
        [Some(true), Some(false)]
    );
}

#[test]
fn a_stage_block_says_what_to_show() {
    let pages = read(
        "# T\n\n```stage\nset = { d_k = 64, scale = true, init = \"xavier\", eps = 0.5 }\nbreak = \"no_scale\"\nshow = \"scores\"\nat = [0, 2]\npress = \"bb\"\ncaption = \"Scores.\"\n```\n",
    )
    .unwrap();
    let expected = StageBlock {
        set: [
            ("d_k", "64"),
            ("scale", "true"),
            ("init", "xavier"),
            ("eps", "0.5"),
        ]
        .map(|(knob, value)| (knob.to_string(), value.to_string()))
        .into(),
        mistakes: vec!["no_scale".to_string()],
        show: Some("scores".to_string()),
        at: vec![0, 2],
        press: Some("bb".to_string()),
        caption: Some("Scores.".to_string()),
        line: 3,
    };
    assert_eq!(pages[0].stage(), Some(&expected));
}

#[test]
fn a_wrong_stage_key_is_pointed_at() {
    let shown = error("# T\n\n```stage\nshow = \"scores\"\ncaptoin = \"x\"\n```\n");
    assert!(
        shown.starts_with(
            "lessons/04-attention/lesson.md:5:1: stage block: unknown field `captoin`"
        ),
        "{shown}"
    );
    assert!(shown.ends_with("5 | captoin = \"x\"\n  | ^"), "{shown}");
    assert!(error("# T\n```stage\n```\n\n```stage\n```\n").contains("a page has one stage block"));
}

#[test]
fn a_prediction_carries_its_options() {
    let found = blocks(
        "```predict\nid = \"scores-shape\"\nask = \"Which shape have the scores?\"\nanswer = \"shape(scores)\"\nset.heads = 8\n\n\
         [[options]]\ntext = \"(30, 8, 10, 11)\"\nvalue = \"(30,8,10,11)\"\nwhy = \"Every query meets every key.\"\n\n\
         [[options]]\ntext = \"seven\"\nvalue = 7\nwhy = \"That counts something else.\"\n```",
    );
    let [Block::Predict(predict)] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (predict.answer.as_str(), predict.set["heads"].as_str()),
        ("shape(scores)", "8")
    );
    assert_eq!(predict.id, "scores-shape");
    assert_eq!(
        predict
            .options
            .iter()
            .map(|o| o.value.as_str())
            .collect::<Vec<_>>(),
        ["(30,8,10,11)", "7"]
    );
    assert!(
        error("# T\n```predict\nid = \"a\"\nask = \"a\"\nanswer = \"b\"\noptions = []\n```")
            .contains("at least two options")
    );
    assert!(
        error("# T\n```predict\nask = \"a\"\nanswer = \"b\"\noptions = []\n```")
            .contains("missing field `id`")
    );
}

#[test]
fn a_page_is_known_by_the_id_behind_its_title_or_by_its_title() {
    let pages = super::parse(
        "",
        "# T\n## A: *new* name {#old-name}\n## Grüße, **zwei**\n",
    )
    .unwrap();
    let known: Vec<(&str, &str)> = pages.iter().map(|p| (&*p.id, &*p.title)).collect();
    let expected = [
        ("start", "T"),
        ("old-name", "A: new name"),
        ("grüße-zwei", "Grüße, zwei"),
    ];
    assert_eq!(known, expected);
    assert_eq!(super::number(&pages, Some("grüße-zwei")), 2);
    assert_eq!(super::number(&pages, Some("gone")), 0);
    assert!(error("# T\n## A {#Not_one}\n").contains("small letters"));
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
    let found = claimed(body);
    let shown: Vec<_> = found
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
    assert_eq!(found[1].settings, [("k".to_string(), "2".to_string())]);
    assert_eq!(
        without_claims(body).lines().nth(2).unwrap(),
        "| 1.5 | 2.5 |",
    );
}

#[test]
fn comments_in_code_stay_and_other_comments_vanish() {
    let found =
        blocks("One<!-- note -->.\n\n<!-- a remark -->\n\n```md\n1.5<!-- = x | k=1 -->\n```");
    let [Block::Paragraph(text), Block::Code(code)] = found.as_slice() else {
        panic!("{found:?}")
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
        "lessons/04-attention/lesson.md:3:6: a claim stands right behind a number, a shape or code\n\
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
    let found = unclaimed_numbers(&pages);
    assert_eq!(
        found,
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

#[test]
fn captions_and_questions_are_markdown_with_claims() {
    let body = "```stage\ncaption = \"With $d_k$ = 64<!-- = d_k | heads=8 --> it is **flat**.\"\n```\n\nIt is 1.5<!-- = x -->.";
    let pages = read(&format!("# T\n\n{body}")).unwrap();
    let lines: Vec<_> = claims(&pages)
        .into_iter()
        .map(|claim| (claim.line, claim.printed))
        .collect();
    assert_eq!(lines, [(3, "64".to_string()), (7, "1.5".to_string())]);
    let caption = parse_inline(pages[0].stage().unwrap().caption.as_ref().unwrap()).unwrap();
    assert_eq!(plain_text(&caption), "With dₖ = 64 it is flat.");
    assert!(
        error("# T\n\n```stage\ncaption = \"$\\\\nosuch$\"\n```").contains("unknown primitive")
    );
}

#[test]
fn a_wrong_formula_is_an_error_in_its_line() {
    let shown = error("# T\n\nSee $\\frac{a}$ here.");
    assert!(
        shown.starts_with("lessons/04-attention/lesson.md:3:5: "),
        "{shown}"
    );
}

#[test]
fn a_lesson_has_one_title_and_no_html() {
    assert!(error("text first\n\n# T").contains("a lesson starts with `# Title`"));
    assert!(error("").contains("a lesson starts with `# Title`"));
    assert!(error("# A\n\n# B").contains("one `# Title`"));
    assert!(error("# A\n\n<div>x</div>").contains("HTML is not drawn"));
    assert!(error("# A\n\nx <b>y</b>").contains("HTML is not drawn"));
}

#[test]
fn the_caret_stands_below_wide_characters() {
    let shown = error("# T\n\n学习 <b>x</b>");
    assert!(shown.ends_with("3 | 学习 <b>x</b>\n  |      ^"), "{shown}");
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[#>`$|!\\[\\]*_<\\-= 0-9a-z.,\n]{0,200}") {
        let _ = read(&format!("# T\n\n{text}"));
    }
}

#[test]
fn a_question_is_said_without_its_marks() {
    assert_eq!(unmarked("Which of *two* `heads`?"), "Which of two heads?");
    assert_eq!(unmarked("a * b * c"), "a * b * c");
}
