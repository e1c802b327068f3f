use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::*;
use crate::testing::assert_contains;

/// Rows without trailing white space, framed by newlines.
fn drawn(tex: &str) -> String {
    let set = layout(tex).unwrap();
    let rows: Vec<&str> = set.rows.iter().map(|row| row.trim_end()).collect();
    format!("\n{}\n", rows.join("\n"))
}

const ATTENTION: &str =
    r"\mathrm{Attention}(Q,K,V)=\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V";

#[test]
fn attention_stands_in_two_dimensions() {
    assert_eq!(
        drawn(ATTENTION),
        "
                            ⎛ QKᵀ  ⎞
Attention(Q, K, V) = softmax⎜──────⎟V
                            ⎝ √d_k ⎠
"
    );
    assert_eq!(
        inline(ATTENTION).unwrap(),
        "Attention(Q, K, V) = softmax(QKᵀ/√d_k)V"
    );
    assert_eq!(
        spoken(ATTENTION).unwrap(),
        "Attention(Q, K, V) = softmax((Q K^T)/sqrt(d_k)) V"
    );
}

#[test]
fn the_baseline_is_the_row_of_the_equals_sign() {
    let set = layout(ATTENTION).unwrap();
    assert!(set.rows[set.baseline].contains('='));
}

#[test]
fn scripts_are_raised_where_there_is_no_letter_for_them() {
    let position = r"\mathrm{PE}_{(pos,2i)}=\sin\left(pos/10000^{2i/d_{\mathrm{model}}}\right)";
    assert_eq!(
        drawn(position),
        "
                ⎛         2i/d_model⎞
PE         = sin⎝pos/10000          ⎠
  (pos,2i)
"
    );
    assert_eq!(
        inline(position).unwrap(),
        "PE_(pos,2i) = sin(pos/10000^(2i/d_model))"
    );
    assert_eq!(
        spoken(position).unwrap(),
        "PE_(pos, 2 i) = sin(pos/10000^(2 i/d_model))"
    );
}

#[test]
fn scripts_are_letters_where_there_are_letters() {
    assert_eq!(
        drawn(r"x_{t}^{(l)} + A^{-1} + W_{ij}"),
        "\nxₜ⁽ˡ⁾ + A⁻¹ + Wᵢⱼ\n"
    );
    assert_eq!(drawn(r"W_i^Q"), "\n Q\nWᵢ\n");
    assert_eq!(drawn(r"W_Q W_K^\top"), "\nW Wᵀ\n Q K\n");
}

#[test]
fn sums_have_limits_and_fractions_a_bar() {
    assert_eq!(
        drawn(r"\mathrm{softmax}(x)_i=\frac{e^{x_i}}{\sum_{j=1}^n e^{x_j}}"),
        "
                  xᵢ
                 e
softmax(x)ᵢ = ─────────
                n   xⱼ
                ∑  e
               j=1
"
    );
    assert_eq!(inline(r"\sum_{j=1}^n x_j").unwrap(), "∑ⱼ₌₁ⁿ xⱼ");
    assert_eq!(
        spoken(r"\sum_{j=1}^n x_j").unwrap(),
        "sum over j = 1 to n of x_j"
    );
}

#[test]
fn roots_get_a_roof_when_they_need_one() {
    assert_eq!(drawn(r"\sqrt{d_k}"), "\n√d_k\n");
    assert_eq!(
        drawn(r"\sqrt{\sigma^2+\varepsilon}"),
        "\n ┌──────\n╲│σ² + ε\n"
    );
    assert_eq!(inline(r"\sqrt{a+b}\sqrt[3]{x}").unwrap(), "√(a + b)∛x");
    assert_eq!(
        inline(r"\sqrt{d_{\mathrm{model}}}\,E").unwrap(),
        "√d_model E"
    );
}

#[test]
fn cases_matrices_and_aligned_lines() {
    assert_eq!(
        drawn(r"M_{ij}=\begin{cases}0 & j\le i\\ -\infty & j>i\end{cases}"),
        "\nMᵢⱼ = ⎧ 0    j ≤ i\n      ⎩ −∞   j > i\n"
    );
    assert_eq!(
        drawn(r"\begin{bmatrix}1&2\\30&4\\5&6\end{bmatrix}"),
        "\n⎡1   2⎤\n⎢30  4⎥\n⎣5   6⎦\n"
    );
    assert_eq!(
        drawn(r"\begin{aligned}a&=b+c\\&=d\end{aligned}"),
        "\na = b + c\n  = d\n"
    );
    assert_eq!(
        inline(r"\begin{aligned}a&=b+c\\&=d\end{aligned}").unwrap(),
        "a = b + c = d"
    );
    assert_eq!(
        spoken(r"\begin{cases}0 & j\le i\\ 1 & j>i\end{cases}").unwrap(),
        "{ 0 if j <= i; 1 if j > i }"
    );
}

#[test]
fn letters_of_special_fonts_accents_and_signs() {
    assert_eq!(
        drawn(r"\mathcal{L}\in\mathbb{R}^{n\times m}"),
        "\n     n×m\nℒ ∈ ℝ\n"
    );
    assert_eq!(
        inline(r"\hat{x}\odot\bar{y}\ne\vec{v}").unwrap(),
        "x\u{302} ⊙ y\u{304} ≠ v\u{20d7}"
    );
    assert_eq!(
        spoken(r"\hat{x}\odot y\ge\pi").unwrap(),
        "hat(x) (.) y >= pi"
    );
    assert_eq!(inline(r"-x-y").unwrap(), "−x − y");
    assert_eq!(
        inline(r"p_\theta(y_i\mid y_{<i})").unwrap(),
        "p_θ(yᵢ ∣ y_(<i))"
    );
    assert_eq!(
        inline(r"d_{\mathrm{model}}^{-0.5}\cdot\min(s^{-0.5}, s)").unwrap(),
        "d_model^(−0.5) ⋅ min(s^(−0.5), s)"
    );
    assert_eq!(
        inline(r"\frac{a+b}{2c} \text{ if } j>i").unwrap(),
        "(a + b)/(2c) if j > i"
    );
}

#[test]
fn a_wide_formula_is_broken_at_spaces_then_relations_then_signs() {
    let lines = |tex: &str, width| -> Option<Vec<String>> {
        layout_within(tex, width)
            .unwrap()
            .map(|parts| parts.iter().flat_map(|part| part.rows.clone()).collect())
    };
    assert_eq!(
        lines(r"a=b \qquad c=d", 9),
        Some(vec!["a = b".to_string(), "c = d".to_string()])
    );
    assert_eq!(
        lines(r"\mathrm{rms}=aaaa+bbbb=cccc", 18),
        Some(vec![
            "rms = aaaa + bbbb".to_string(),
            "   = cccc".to_string()
        ])
    );
    assert_eq!(
        lines(r"xxxx=aaaa+bbbb", 12),
        Some(vec![
            "xxxx".to_string(),
            "   = aaaa".to_string(),
            "   + bbbb".to_string()
        ])
    );
    assert_eq!(lines(r"\frac{aaaaaaaaaa}{b}", 5), None);
}

#[test]
fn errors_say_what_and_where() {
    assert_eq!(
        layout(r"\frac{a}").unwrap_err().to_string(),
        r"expected a token in the formula `\frac{a}`"
    );
    assert_contains(
        &inline(r"\nosuch x").unwrap_err().message,
        "unknown primitive",
    );
    assert!(mathml(r"x_", true).is_err());
    assert_contains(
        &layout(&"x".repeat(9000)).unwrap_err().message,
        "more than the 8192 allowed",
    );
    assert!(
        layout(&format!("{}x{}", "{".repeat(200), "}".repeat(200)))
            .unwrap_err()
            .message
            .contains("nested")
    );
}

#[test]
fn mathml_keeps_the_tex() {
    let block = mathml(ATTENTION, true).unwrap();
    assert!(block.starts_with("<math display=\"block\""), "{block}");
    assert_contains(&block, "<mfrac>");
    assert_contains(&block, "<annotation encoding=\"application/x-tex\">");
    assert_contains(&mathml("a<b", false).unwrap(), "<math display=\"inline\"");
}

#[test]
fn the_longest_formulas_do_not_exhaust_the_stack_of_a_thread() {
    for command in [
        r"\frac",
        r"\sqrt",
        r"\sqrt[3]",
        r"\hat",
        r"\not",
        r"\binom",
        r"\mathrm ",
        r"\left(",
        r"\begin{cases}",
        "x^",
        "x_",
        "{",
        "{}",
        "&",
        r"\\",
        "'",
        r"\frac1",
        r"\frac{",
        r"\sqrt{",
        r"x^\sqrt",
        r"\hat\frac ",
        r"\sqrt [ 3 ] ",
        r"\overset",
        r"\underbrace",
        r"\text",
        r"\operatorname",
        r"\big",
        r"\mathbb",
        r"\textcolor",
        r"\color",
        r"\phantom",
        r"\cfrac",
        r"\dfrac",
        r"\not=",
        r"\substack",
        r"\sum\limits",
        r"\sum^",
        r"\frac^",
        r"\frac%\n",
    ] {
        let most =
            (MAX_BYTES / command.len()).min(MAX_COMMANDS / command.matches('\\').count().max(1));
        let _ = check(&command.repeat(most));
    }
    assert_contains(
        &layout(&r"\frac".repeat(121)).unwrap_err().message,
        "more than 120 commands",
    );
    assert_contains(
        &layout(r"\def\a{\a\a}\a").unwrap_err().message,
        r"\def is not allowed",
    );
}

const TOKENS: &[&str] = &[
    r"\frac",
    r"\sqrt",
    "{",
    "}",
    "{",
    "}",
    "_",
    "^",
    "x",
    "d",
    "model",
    "7",
    "+",
    "=",
    "-",
    "(",
    ")",
    r"\left(",
    r"\right)",
    r"\sum",
    r"\hat",
    r"\mathrm",
    r"\text{ok}",
    "&",
    r"\\",
    r"\begin{cases}",
    r"\end{cases}",
    r"\begin{matrix}",
    r"\end{matrix}",
    r"\quad",
    r"\,",
    "学",
    r"\not",
    "'",
    r"\underbrace",
    r"\sqrt[3]",
    r"\mathbb",
    r"\begin{aligned}",
    r"\end{aligned}",
    " ",
    r"\to",
    r"\overline",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_tokens_give_equal_rows_or_an_error(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..24)) {
        check(&tokens.concat())?;
        check(&tokens.join(" "))?;
    }

    #[test]
    fn any_text_gives_equal_rows_or_an_error(text in "\\PC{0,40}") {
        check(&text)?;
    }
}

fn check(tex: &str) -> Result<(), TestCaseError> {
    if let Ok(set) = layout(tex) {
        prop_assert!(set.baseline < set.rows.len());
        for row in &set.rows {
            prop_assert_eq!(row.width(), set.width, "{:?} {:?}", tex, set.rows);
        }
        let line = inline(tex).unwrap();
        prop_assert!(!line.contains('\n'));
        prop_assert!(spoken(tex).is_ok() && mathml(tex, true).is_ok());
        for part in layout_within(tex, 12).unwrap().into_iter().flatten() {
            prop_assert!(part.width <= 12);
        }
    }
    Ok(())
}
