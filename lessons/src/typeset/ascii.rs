//! Text for terminals that show only ASCII symbols. Letters in words are kept: a terminal meant for `läuft` has an `ä`.

/// Returns `text`, in ASCII if only that may be drawn: see [`plain`].
pub fn drawable(text: &str, only_ascii: bool) -> String {
    if only_ascii {
        plain(text)
    } else {
        text.to_owned()
    }
}

/// Returns `text` with every sign, key and mathematical letter in ASCII.
pub fn plain(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut script = None;
    for c in text.chars() {
        if let Some((mark, letter)) = scripted(c) {
            // The first character of a run carries the mark.
            if script != Some(mark) {
                out.push(mark);
            }
            out.push(letter);
            script = Some(mark);
            continue;
        }
        script = None;
        match sign(c) {
            Some(words) => out.push_str(words),
            None => out.push(c),
        }
    }
    out
}

/// One-column replacement for a symbol, for a single cell of the screen.
pub fn one_column(symbol: &str) -> Option<char> {
    let mut chars = symbol.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else {
        return None;
    };
    if c.is_ascii() || (c.is_alphabetic() && sign(c).is_none() && scripted(c).is_none()) {
        return None;
    }
    if let Some((_, letter)) = scripted(c) {
        return Some(letter);
    }
    Some(match c {
        '␣' | '▁' => '_',
        '↵' | '⌫' | '←' | '‹' | '◂' | '⟨' => '<',
        '⇥' | '→' | '›' | '▸' | '▶' | '⟩' => '>',
        '√' => 'V',
        '…' => '.',
        '●' => '*',
        '✓' => 'y',
        '⎛' | '⎝' | '⎜' | '⎡' | '⎣' | '⎢' | '⎞' | '⎠' | '⎟' | '⎤' | '⎦' | '⎥' => {
            '|'
        }
        c => sign(c)?.chars().next()?,
    })
}

fn sign(c: char) -> Option<&'static str> {
    Some(match c {
        '−' | '–' | '—' | '‐' | '─' | '━' => "-",
        '│' | '┃' | '▌' | '▏' | '▐' | '▎' | '▍' | '╵' | '╷' => "|",
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' => "+",
        '…' => "..",
        '×' | '·' | '⋅' | '⊙' => "*",
        '•' | '◦' => "-",
        '÷' => "/",
        '±' => "+-",
        '←' => "<-",
        '→' | '↦' => "->",
        '↑' => "^",
        '↓' => "v",
        '⇧' => "Shift-",
        '⇥' => "Tab",
        '↵' => "Enter",
        '␣' => "Space",
        '⌫' => "Backspace",
        '▁' => "_",
        '√' => "sqrt ",
        '∞' => "inf",
        'Σ' | '∑' => "sum",
        'Δ' => "diff",
        '∂' => "d",
        '∇' => "grad ",
        '≈' => "~",
        '≠' => "!=",
        '≤' => "<=",
        '≥' => ">=",
        '∈' => "in",
        '∧' => "^",
        '½' => "1/2",
        '¼' => "1/4",
        '‖' => "||",
        '‹' | '◂' | '⟨' => "<",
        '›' | '▸' | '▶' | '⟩' => ">",
        '●' => "*",
        '○' => "o",
        '✓' => "yes",
        '✗' => "no",
        '“' | '”' | '„' => "\"",
        '’' | '‘' => "'",
        '█' | '▉' | '▊' | '▋' => "#",
        '▓' | '▀' | '▄' | '▇' => "#",
        '▒' => "=",
        '░' => ":",
        'α' => "alpha",
        'β' => "beta",
        'γ' => "gamma",
        'ε' => "eps",
        'η' => "eta",
        'θ' => "theta",
        'λ' => "lambda",
        'μ' => "mu",
        'π' => "pi",
        'σ' => "sigma",
        'τ' => "tau",
        'φ' => "phi",
        'ω' => "omega",
        'ℝ' => "R",
        '\u{a0}' | '\u{2009}' | '\u{202f}' => " ",
        _ => return None,
    })
}

/// Mark (`^` or `_`) and plain form of a raised or lowered character.
fn scripted(c: char) -> Option<(char, char)> {
    const RAISED: &str = "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻=⁼TᵀnⁿiⁱjʲkᵏdᵈtᵗVⱽ";
    const LOWERED: &str = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋=₌aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ";
    let find = |pairs: &str| {
        let mut chars = pairs.chars();
        while let (Some(letter), Some(script)) = (chars.next(), chars.next()) {
            if script == c {
                return Some(letter);
            }
        }
        None
    };
    let raised = find(RAISED).map(|letter| ('^', letter));
    raised.or_else(|| find(LOWERED).map(|letter| ('_', letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_keys_and_formulas_become_words() {
        for (text, ascii) in [
            ("−0.5 … 3", "-0.5 .. 3"),
            ("␣ step  ↵ why  ⇥ pane", "Space step  Enter why  Tab pane"),
            ("q · k/√dₖ", "q * k/sqrt d_k"),
            ("10⁻⁵", "10^-5"),
            ("▁Hund", "_Hund"),
            ("läuft 注意", "läuft 注意"),
            ("∂ loss / ∂ this", "d loss / d this"),
        ] {
            assert_eq!(plain(text), ascii);
        }
    }

    #[test]
    fn one_column_stays_one_column() {
        assert_eq!(one_column("…"), Some('.'));
        assert_eq!(one_column("ₖ"), Some('k'));
        assert_eq!(one_column("█"), Some('#'));
        for kept in ["a", "ä", "注", "", "ab"] {
            assert_eq!(one_column(kept), None, "{kept}");
        }
    }
}
