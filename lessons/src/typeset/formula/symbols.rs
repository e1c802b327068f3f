//! Tables of characters: raised and lowered forms, the few font letters that terminals have, ASCII names.

use pulldown_latex::event::Font;

use super::node::{Class, Node};

/// Raised form of a text; `None` if a character has none (there is no superscript Q).
pub fn superscript(text: &str) -> Option<String> {
    text.chars().map(|c| find(SUPERSCRIPTS, c)).collect()
}

/// Lowered form of a text; `None` if a character has none (there is no subscript d).
pub fn subscript(text: &str) -> Option<String> {
    text.chars().map(|c| find(SUBSCRIPTS, c)).collect()
}

fn find(pairs: &str, wanted: char) -> Option<char> {
    let mut chars = pairs.chars();
    while let (Some(plain), Some(script)) = (chars.next(), chars.next()) {
        if plain == wanted {
            return Some(script);
        }
    }
    None
}

/// Alternating plain and raised characters. Rare forms that fonts lack are left out.
const SUPERSCRIPTS: &str =
    "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻=⁼(⁽)⁾TᵀHᴴ⊤ᵀaᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻ′′″″";
const SUBSCRIPTS: &str = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ";

/// Blackboard or script form of a letter if common fonts have it. Every other letter stays plain, because many
/// terminals lack the mathematical alphabets beyond the basic plane.
pub fn in_font(c: char, font: Option<Font>) -> String {
    let letter = match font {
        Some(Font::DoubleStruck) => find("CℂHℍNℕPℙQℚRℝZℤ", c),
        Some(Font::Script | Font::BoldScript) => find("BℬEℰFℱHℋIℐLℒMℳRℛ", c),
        _ => None,
    };
    letter.unwrap_or(c).to_string()
}

pub fn negated(node: Node) -> Node {
    let Node::Atom { text, class, word } = node else {
        let not = Node::Atom {
            text: "¬".to_string(),
            class: Class::Ordinary,
            word: false,
        };
        return Node::Row(vec![not, node]);
    };
    let text = match text.as_str() {
        "=" => "≠".to_string(),
        "<" => "≮".to_string(),
        ">" => "≯".to_string(),
        "≤" => "≰".to_string(),
        "≥" => "≱".to_string(),
        "∈" => "∉".to_string(),
        "∋" => "∌".to_string(),
        "≡" => "≢".to_string(),
        "≈" => "≉".to_string(),
        "⊂" => "⊄".to_string(),
        "∃" => "∄".to_string(),
        "∣" => "∤".to_string(),
        _ => format!("{text}\u{338}"),
    };
    Node::Atom { text, class, word }
}

/// Combining character for an accent on a single letter.
pub fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '^' | 'ˆ' | '\u{302}' => '\u{302}',
        '~' | '˜' | '\u{303}' => '\u{303}',
        '‾' | '¯' | '\u{304}' | '\u{305}' => '\u{304}',
        '→' | '⃗' => '\u{20d7}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        'ˇ' => '\u{30c}',
        '˘' => '\u{306}',
        '´' => '\u{301}',
        '`' => '\u{300}',
        '_' | '\u{332}' => '\u{332}',
        _ => return None,
    })
}

/// Name of an accent, for plain mode.
pub fn accent_name(accent: char) -> Option<&'static str> {
    Some(match accent {
        '^' | 'ˆ' | '\u{302}' => "hat",
        '~' | '˜' | '\u{303}' => "tilde",
        '‾' | '¯' | '\u{304}' | '\u{305}' => "bar",
        '→' | '⃗' => "vec",
        '˙' => "dot",
        '¨' => "ddot",
        '_' | '\u{332}' => "underline",
        '⏟' | '⏞' => "brace",
        _ => return None,
    })
}

/// Word or ASCII sign for a symbol; the symbol itself if there is none.
pub fn ascii(text: &str) -> String {
    if text.is_ascii() {
        return text.to_string();
    }
    text.chars()
        .map(|c| ascii_of(c).map_or_else(|| c.to_string(), str::to_string))
        .collect()
}

/// Characters, and what is written for each of them in ASCII.
#[rustfmt::skip]
const ASCII: &[(&str, &str)] = &[
    ("−–‐", "-"),
    ("·⋅∗•", "*"),
    ("×", "x"),
    ("÷", "/"),
    // Drawn in ASCII as they look.
    ("⊙", "(.)"),
    ("⊗", "(x)"),
    ("⊕", "(+)"),
    ("∘", "o"),
    ("±", "+-"),
    ("∓", "-+"),
    ("≤⩽", "<="),
    ("≥⩾", ">="),
    ("≠", "!="),
    ("≪", "<<"),
    ("≫", ">>"),
    ("≈", "~="),
    ("∼˜", "~"),
    ("≡", "==="),
    ("∝", "proportional to"),
    ("∈", "in"),
    ("∉", "not in"),
    ("⊂", "subset of"),
    ("⊆", "subset of or equal to"),
    ("∪", "union"),
    ("∩", "intersection"),
    ("∅", "empty set"),
    ("→⟶", "->"),
    ("←⟵", "<-"),
    ("↦", "maps to"),
    ("⇒⟹", "=>"),
    ("⇔⟺", "<=>"),
    ("∀", "for all "),
    ("∃", "there is "),
    ("¬", "not "),
    ("∧", "and"),
    ("∨", "or"),
    ("∣│", "|"),
    ("‖∥", "||"),
    ("⟨", "<"),
    ("⟩", ">"),
    ("⌊", "floor("),
    ("⌈", "ceil("),
    ("⌋⌉", ")"),
    ("∑", "sum"),
    ("∏", "product"),
    ("∫", "integral"),
    ("∂", "d"),
    ("∇", "grad"),
    ("∞", "infinity"),
    ("√", "sqrt"),
    ("⊤", "T"),
    ("⊥", "bottom"),
    ("′", "'"),
    ("″", "''"),
    ("…⋯", "..."),
    ("⋮", ":"),
    ("⋱", "..."),
    ("ℝ", "R"),
    ("ℕ", "N"),
    ("ℤ", "Z"),
    ("ℚ", "Q"),
    ("ℂ", "C"),
    ("ℙ", "P"),
    ("ℍℋ", "H"),
    ("ℒ", "L"),
    ("ℬ", "B"),
    ("ℰ", "E"),
    ("ℱ", "F"),
    ("ℐ", "I"),
    ("ℳ", "M"),
    ("ℛ", "R"),
    ("ℓ", "l"),
    ("\u{338}", ""),
    ("\u{a0}", " "),
    ("α", "alpha"),
    ("β", "beta"),
    ("γ", "gamma"),
    ("δ", "delta"),
    ("εϵ", "epsilon"),
    ("ζ", "zeta"),
    ("η", "eta"),
    ("θϑ", "theta"),
    ("ι", "iota"),
    ("κ", "kappa"),
    ("λ", "lambda"),
    ("μµ", "mu"),
    ("ν", "nu"),
    ("ξ", "xi"),
    ("π", "pi"),
    ("ρ", "rho"),
    ("σ", "sigma"),
    ("τ", "tau"),
    ("υ", "upsilon"),
    ("φϕ", "phi"),
    ("χ", "chi"),
    ("ψ", "psi"),
    ("ω", "omega"),
    ("Γ", "Gamma"),
    ("Δ", "Delta"),
    ("Θ", "Theta"),
    ("Λ", "Lambda"),
    ("Ξ", "Xi"),
    ("Π", "Pi"),
    ("Σ", "Sigma"),
    ("Φ", "Phi"),
    ("Ψ", "Psi"),
    ("Ω", "Omega"),
];

fn ascii_of(c: char) -> Option<&'static str> {
    let (_, ascii) = ASCII
        .iter()
        .find(|(characters, _)| characters.contains(c))?;
    Some(ascii)
}
