use super::*;
use crate::testing::{assert_ends_with, assert_starts_with};

mod claims;

const PATH: &str = "lessons/03-attention/lesson.md";

fn files() -> BTreeMap<String, String> {
    let code =
        "// ANCHOR: forward\npub fn scores() {\n    q.matmul_t(k)\n}\n// ANCHOR_END: forward\n";
    BTreeMap::from([("src/engine/ops/matmul.rs".to_string(), code.to_string())])
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
    let parsed = blocks("Before\n$$ \\frac{a}{b} $$\nafter.");
    let [
        Block::Paragraph(before),
        Block::Math(tex),
        Block::Paragraph(after),
    ] = parsed.as_slice()
    else {
        panic!("{parsed:?}")
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
        blocks("```rust,ignore\n{{#include ../../src/engine/ops/matmul.rs:forward}}\n```"),
        [Block::Code(Code {
            lang: "rust".to_string(),
            text: "pub fn scores() {\n    q.matmul_t(k)\n}".to_string(),
            source: Some(SourceRef {
                path: "src/engine/ops/matmul.rs".to_string(),
                first_line: 2,
                last_line: 4
            }),
        })]
    );
}

#[test]
fn a_missing_anchor_is_shown_where_it_is_asked_for() {
    assert_eq!(
        error("# T\n\n```rust\n{{#include ../../src/engine/ops/matmul.rs:backward}}\n```\n"),
        "lessons/03-attention/lesson.md:4:1: src/engine/ops/matmul.rs has no `ANCHOR: backward`; did you mean forward?\n\
         4 | {{#include ../../src/engine/ops/matmul.rs:backward}}\n  | ^"
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
    let parsed = blocks("3. one\n   - inner\n4. two\n\n- [x] done\n- [ ] open");
    let [Block::List(ordered), Block::List(tasks)] = parsed.as_slice() else {
        panic!("{parsed:?}")
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
        "# T\n\n```stage\nset = { d_k = 64, scale = true, init = \"xavier\", eps = 0.5 }\nbreak = \"no_scale\"\nshow = \"scores\"\nat = [0, 2]\ngradient = { of = \"loss\", at = [1, 0] }\npress = \"bb\"\ncaption = \"Scores.\"\n```\n",
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
        gradient: Some(CellOf {
            of: "loss".to_string(),
            at: vec![1, 0],
        }),
        press: Some("bb".to_string()),
        caption: Some("Scores.".to_string()),
        line: 3,
    };
    assert_eq!(pages[0].stage(), Some(&expected));
}

#[test]
fn a_wrong_stage_key_is_pointed_at() {
    let shown = error("# T\n\n```stage\nshow = \"scores\"\ncaptoin = \"x\"\n```\n");
    assert_starts_with(
        &shown,
        "lessons/03-attention/lesson.md:5:1: stage block: unknown field `captoin`",
    );
    assert!(shown.ends_with("5 | captoin = \"x\"\n  | ^"), "{shown}");
    assert!(error("# T\n```stage\n```\n\n```stage\n```\n").contains("a page has one stage block"));
}

#[test]
fn a_prediction_carries_its_options() {
    let parsed = blocks(
        "```predict\nid = \"scores-shape\"\nask = \"Which shape have the scores?\"\nanswer = \"shape(scores)\"\nset.heads = 8\n\n\
         [[options]]\ntext = \"(30, 8, 10, 11)\"\nvalue = \"(30,8,10,11)\"\nwhy = \"Every query meets every key.\"\n\n\
         [[options]]\ntext = \"seven\"\nvalue = 7\nwhy = \"That counts something else.\"\n```",
    );
    let [Block::Predict(predict)] = parsed.as_slice() else {
        panic!("{parsed:?}")
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
    let text = "# T\n## A: *new* name {#old-name}\n## Grüße, **zwei**\n";
    let pages = super::parse("", text).unwrap();
    let known: Vec<(&str, &str)> = pages.iter().map(|p| (&*p.id, &*p.title)).collect();
    let expected = [
        ("start", "T"),
        ("old-name", "A: new name"),
        ("grüße-zwei", "Grüße, zwei"),
    ];
    assert_eq!(known, expected);
    assert_eq!(super::ids(text), expected.map(|(id, _)| id));
    assert!(error("# T\n## A {#Not_one}\n").contains("small letters"));
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
    assert_eq!(plain_text(&caption), "With d_k = 64 it is flat.");
    assert!(
        error("# T\n\n```stage\ncaption = \"$\\\\nosuch$\"\n```").contains("unknown primitive")
    );
}

#[test]
fn a_wrong_formula_is_an_error_in_its_line() {
    let shown = error("# T\n\nSee $\\frac{a}$ here.");
    assert_starts_with(&shown, "lessons/03-attention/lesson.md:3:5: ");
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
    assert_ends_with(
        &error("# T\n\n学习 <b>x</b>"),
        "3 | 学习 <b>x</b>\n  |      ^",
    );
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
