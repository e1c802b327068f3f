use std::collections::BTreeMap;

use proptest::prelude::*;
use ratatui::text::Line;

use super::*;
use crate::lesson::page::parse_with;
use crate::widgets::lines::width as columns;

fn blocks(body: &str) -> Vec<Block> {
    let code = "// ANCHOR: f\npub fn scores(q: &Tensor, k: &Tensor) -> Tensor {\n\tq.matmul_t(k)\n}\n// ANCHOR_END: f\n";
    let files = BTreeMap::from([("src/engine/ops/matmul.rs".to_string(), code.to_string())]);
    let mut pages = parse_with(
        "lessons/03-attention/lesson.md",
        &format!("# T\n\n{body}"),
        &files,
    )
    .unwrap_or_else(|error| panic!("{error}"));
    pages.remove(0).blocks
}

/// The drawn text without white space at the ends of lines, framed by newlines.
fn drawn(body: &str, width: u16) -> String {
    let lines = lines(&blocks(body), width, &style());
    let rows: Vec<String> = lines
        .iter()
        .map(|line| line.to_string().trim_end().to_string())
        .collect();
    format!("\n{}\n", rows.join("\n"))
}

fn style() -> ProseStyle {
    ProseStyle {
        highlighting: Highlighting::Never,
        ..ProseStyle::default()
    }
}

fn spoken(body: &str) -> String {
    format!("\n{}", plain(&blocks(body), 60, []))
}

#[test]
fn paragraphs_wrap_and_claims_are_invisible() {
    assert_eq!(
        drawn(
            "With `d_k` = 64<!-- = d_k --> the score is $q\\cdot k/\\sqrt{d_k}$.\n\n学习：注意力机制。",
            24
        ),
        "
With d_k = 64 the score
is q ⋅ k/√d_k.

学习：注意力机制。
"
    );
}

#[test]
fn display_formulas_are_centred_and_give_way_when_too_wide() {
    assert_eq!(
        drawn("$$ \\frac{a}{b} $$", 11),
        "\n     a\n    ───\n     b\n"
    );
    assert_eq!(
        drawn("$$ \\frac{aaaaaaaaaa + b}{c} $$", 12),
        "\n  (aaaaaaaaa\n  a + b)/c\n"
    );
}

#[test]
fn code_stands_below_its_place_and_goes_on_below_where_it_is_too_wide() {
    let body = "```rust\n{{#include ../../src/engine/ops/matmul.rs:f}}\n```";
    assert_eq!(
        drawn(body, 30),
        "
src/engine/ops/matmul.rs:2–4
  pub fn scores(q: &Tensor,
      k: &Tensor) -> Tensor {
      q.matmul_t(k)
  }
"
    );
    assert_eq!(
        spoken(body),
        "
src/engine/ops/matmul.rs:2-4
  pub fn scores(q: &Tensor, k: &Tensor) -> Tensor {
      q.matmul_t(k)
  }
"
    );
}

#[test]
fn highlighting_changes_styles_and_never_letters() {
    let body = "```rust\nlet x = 1.5; // why\n```";
    let coloured = lines(
        &blocks(body),
        40,
        &ProseStyle {
            highlighting: Highlighting::Now,
            ..ProseStyle::default()
        },
    );
    assert_eq!(coloured[0].to_string(), "  let x = 1.5; // why");
    let comment = coloured[0].spans.last().unwrap();
    assert_eq!(
        (comment.content.as_ref(), comment.style),
        ("// why", SyntaxStyle::default().comment)
    );
}

const TABLE: &str = "| d_k | spread | what it means |\n|----:|:--:|---|\n| 4 | 2.0<!-- = f | k=4 --> | it learns |\n| 512 | 22.7 | one key takes all of it |\n";

#[test]
fn tables_align_their_columns() {
    assert_eq!(
        drawn(TABLE, 60),
        "
d_k  spread  what it means
───  ──────  ───────────────────────
  4   2.0    it learns
512   22.7   one key takes all of it
"
    );
    assert_eq!(
        spoken(TABLE).lines().nth(2).unwrap(),
        "---  ------  -----------------------"
    );
}

#[test]
fn narrow_tables_wrap_their_cells_and_narrower_ones_become_lists() {
    assert_eq!(
        drawn(TABLE, 26),
        "
d_k  spread  what it means
───  ──────  ─────────────
  4   2.0    it learns
512   22.7   one key takes
             all of it
"
    );
    assert_eq!(
        drawn(TABLE, 16),
        "
d_k: 4
spread: 2.0
what it means:
it learns

d_k: 512
spread: 22.7
what it means:
one key takes
all of it
"
    );
}

#[test]
fn callouts_have_a_bar_and_a_word() {
    let body = "> [!DIFFERS]\n> The paper norms *after* the sum; ours before.\n\n> [!BREAK]\n> Take the mask away.\n\n> Said.";
    assert_eq!(
        drawn(body, 28),
        "
▌ Differs
▌ The paper norms after the
▌ sum; ours before.

▌ Break it
▌ Take the mask away.

│ Said.
"
    );
    assert_eq!(
        spoken(body),
        "\nDiffers:\n  The paper norms after the sum; ours before.\n\nBreak it:\n  Take the mask away.\n\n> Said.\n"
    );
}

#[test]
fn lists_hang_and_nest() {
    assert_eq!(
        drawn(
            "9. one of the first\n10. two\n    - inner words wrap\n\n- [x] done",
            14
        ),
        "
 9. one of the
    first
10. two
    • inner
      words
      wrap

[x] done
"
    );
    assert_eq!(drawn("- a\n\n  b\n- c", 14), "\n• a\n\n  b\n\n• c\n");
}

#[test]
fn a_stage_shows_its_caption_and_a_prediction_nothing() {
    let body = "A.\n\n```stage\ncaption = \"Scores of one head.\"\n```\n\n```predict\nid = \"a\"\nask = \"?\"\nanswer = \"x\"\noptions = [{text=\"a\", value=1, why=\"w\"}, {text=\"b\", value=2, why=\"w\"}]\n```\n\nB.";
    assert_eq!(drawn(body, 30), "\nA.\n\nScores of one head.\n\nB.\n");
}

#[test]
fn rules_figures_headings_links_and_footnotes() {
    assert_eq!(
        drawn(
            "### Inside\n\n---\n\n![the model](m.svg)\n\nSee [it](http://x)[^a].\n\n[^a]: A long enough note.",
            20
        ),
        "
Inside

────────────────────

[Figure: the model]

See it[a].

[a] A long enough
    note.
"
    );
}

#[test]
fn plain_text_says_formulas_and_draws_nothing() {
    let spoken = spoken(
        "$$ \\frac{QK^\\top}{\\sqrt{d_k}} $$\n\n- see [it](http://x)\n\n---\n\nOne $\\alpha$, 22.627<!-- = x -->.",
    );
    assert_eq!(
        spoken,
        format!(
            "\n  (Q K^T)/sqrt(d_k)\n\n- see it (http://x)\n\n{}\n\nOne alpha, 22.627.\n",
            "-".repeat(60)
        )
    );
}

#[test]
fn code_breaks_between_words_and_never_inside_a_name() {
    let body = "```rust\nlet d = (self.loss(h) - self.loss(-h)) / (2.0 * h);\nself.layout(rows).unsqueeze(0);\n/// Marks each place with a real token.\n```";
    assert_eq!(
        drawn(body, 33),
        "
  let d = (self.loss(h) -
      self.loss(-h)) / (2.0 * h);
  self.layout(rows).unsqueeze(0);
  /// Marks each place with a
  /// real token.
"
    );
    assert_eq!(
        drawn(
            "```rust\nself.layout.rows().unsqueeze(0); // one axis more\n```",
            28
        ),
        "
  self.layout.rows()
      .unsqueeze(0); // one
      // axis more
"
    );
}

#[test]
fn a_command_in_a_text_breaks_only_between_its_words() {
    assert_eq!(
        drawn(
            "Run `tutor show gradients --differences 'bias[0]' measures`.",
            30
        ),
        "
Run tutor show gradients
--differences 'bias[0]'
measures.
"
    );
}

#[test]
fn code_commands_and_tables_need_the_width_in_which_they_are_not_broken() {
    let needed = |body: &str| needed_width(&blocks(body), &style());
    assert_eq!(
        needed("A long paragraph can be wrapped in any width, with `code`."),
        0
    );
    assert_eq!(needed("```rust\nlet x = 1;\n```"), 2 + 10);
    assert_eq!(needed("> [!TRY]\n> Run `tutor show x`."), 2 + 12);
    assert_eq!(needed(TABLE), 3 + 2 + 6 + 2 + 23);
    assert_eq!(needed("- a\n\n  ```rust\n  let x = 1;\n  ```"), 2 + 2 + 10);
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_pane(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "words that go on and on ", "学习机制，好。", "\n\n", "- item\n", "  - deeper\n", "> quoted\n", "```rust\nlet a_long_name = another_long_name;\n```\n",
                "\n\n| a | b | c |\n|--|--|--|\n| one two three | 学习学习 | x |\n\n", "$\\frac{a+b}{c}$ ", "\n\n$$\\sum_{i=1}^n x_i = \\sqrt{a+b}$$\n\n", "> [!TRY]\n> it\n",
                "`some_code` ", "12. twelve\n", "**bold** ", "\n### head\n",
            ]),
            0..12,
        ),
        width in 8u16..70,
    ) {
        for line in lines(&blocks(&parts.concat()), width, &style()) {
            prop_assert!(line_width(&line) <= usize::from(width), "{:?}", line.to_string());
        }
    }
}

fn line_width(line: &Line<'_>) -> usize {
    columns(&line.to_string())
}

#[test]
fn no_letter_of_code_is_lost_in_any_width() {
    let code = "    let weights = scores.mask_fill(&mask, -1e9).softmax(); // every row sums to 1";
    for highlighting in [Highlighting::Never, Highlighting::Now] {
        for width in 8..90 {
            let style = ProseStyle {
                highlighting,
                ..ProseStyle::default()
            };
            let all = lines(&blocks(&format!("```rust\n{code}\n```")), width, &style);
            // A comment that continues begins with its slashes again.
            let letters = |text: &str| text.replace([' ', '/'], "");
            let drawn: String = all.iter().map(ToString::to_string).collect();
            assert_eq!(letters(&drawn), letters(code), "{width}");
            assert!(
                all.iter().all(|line| line.width() <= usize::from(width)),
                "{width}"
            );
        }
    }
}

#[test]
fn a_switch_that_is_on_says_so_beside_its_key_and_is_no_link() {
    let body = "Without [the mask](x.md) (press [`3`](break:no-mask)).";
    assert!(spoken(body).contains("(press 3)."));
    let style = ProseStyle {
        on: vec!["no-scale", "no-mask"],
        ..style()
    };
    let line = &lines(&blocks(body), 60, &style)[0];
    assert!(line.to_string().contains("(press 3, now on)."), "{line}");
    let underlined = |s: &&ratatui::text::Span| s.style == style.link;
    assert_eq!(line.spans.iter().filter(underlined).count(), 1);
}

#[test]
fn in_ascii_formulas_are_said_and_signs_are_written_out() {
    let style = ProseStyle {
        ascii: true,
        ..style()
    };
    let body = "Divide by $\\sqrt{d_k}$ … then × 2.\n\n$$ \\frac{a}{\\sqrt{b}} $$";
    let drawn: Vec<String> = lines(&blocks(body), 60, &style)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(drawn[0].trim_end(), "Divide by sqrt(d_k) .. then * 2.");
    assert!(drawn.iter().all(|line| line.is_ascii()), "{drawn:?}");
}
