//! The symbols of a page's formulas, and what they stand for in the run.

use super::page::{Block, Inline, Page};
use super::session::Session;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The recorded tensor with this number.
    Step(usize),
    /// The knob with this number.
    Knob(usize),
}

/// Names of tensors and knobs that formulas write in other letters.
const WRITTEN: [(&str, &str); 12] = [
    ("Q", "query"),
    ("q", "query"),
    ("K", "key"),
    ("k", "key"),
    ("V", "value"),
    ("v", "value"),
    ("PE", "sinusoid"),
    ("score", "scores"),
    ("h", "heads"),
    ("d", "d_model"),
    ("gamma", "weight"),
    ("beta", "bias"),
];

/// The symbols of the page's formulas that stand for something in the session's run, in their order, each once.
pub fn symbols(page: &Page, session: &Session) -> Vec<(String, Meaning)> {
    let mut formulas = Vec::new();
    collect(&page.blocks, &mut formulas);
    let mut found: Vec<(String, Meaning)> = Vec::new();
    for symbol in formulas.iter().flat_map(|tex| read(tex)) {
        let meaning = symbol.names().find_map(|name| meaning(&name, session));
        if let Some(meaning) = meaning
            && !found.iter().any(|(_, other)| *other == meaning)
        {
            found.push((symbol.base, meaning));
        }
    }
    found
}

fn collect<'a>(blocks: &'a [Block], formulas: &mut Vec<&'a str>) {
    for block in blocks {
        match block {
            Block::Math(tex) => formulas.push(tex),
            Block::Paragraph(text) => inline(text, formulas),
            Block::List(list) => {
                for item in &list.items {
                    collect(&item.blocks, formulas);
                }
            }
            Block::Callout { blocks, .. } | Block::Quote(blocks) => collect(blocks, formulas),
            _ => {}
        }
    }
}

fn inline<'a>(text: &'a [Inline], formulas: &mut Vec<&'a str>) {
    for part in text {
        match part {
            Inline::Math(tex) => formulas.push(tex),
            Inline::Link { text, .. } => inline(text, formulas),
            _ => {}
        }
    }
}

/// A letter or a word of a formula, and what is written below it.
#[derive(Debug, PartialEq, Eq)]
struct Symbol {
    base: String,
    below: String,
}

impl Symbol {
    /// The names it may have in the run, the likeliest first: `d_k`, then what `d` is usually written for.
    fn names(&self) -> impl Iterator<Item = String> {
        let whole = (!self.below.is_empty()).then(|| format!("{}_{}", self.base, self.below));
        // A width has its index as a part of its name.
        let alone = self.base != "d" || self.below.is_empty();
        let written = WRITTEN.iter().find(|(symbol, _)| *symbol == self.base);
        let written = written.map(|(_, name)| (*name).to_owned());
        let rest = alone.then(|| [Some(self.base.clone()), written]);
        whole
            .into_iter()
            .chain(rest.into_iter().flatten().flatten())
    }
}

/// The letters and words of a formula, without its operators.
fn read(tex: &str) -> Vec<Symbol> {
    let mut out: Vec<Symbol> = Vec::new();
    let mut rest = tex;
    let push = |out: &mut Vec<Symbol>, base: &str| {
        out.push(Symbol {
            base: base.to_owned(),
            below: String::new(),
        });
    };
    while let Some(c) = rest.chars().next() {
        let tail = &rest[c.len_utf8()..];
        if c == '\\' {
            let name: &str = &tail[..tail
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(tail.len())];
            rest = &tail[name.len().max(1).min(tail.len())..];
            match name {
                "mathrm" | "text" | "operatorname" => {
                    let (word, after) = group(rest);
                    push(&mut out, word);
                    rest = after;
                }
                "gamma" | "beta" => push(&mut out, name),
                _ => {}
            }
        } else if c == '_' {
            let (below, after) = group(tail);
            if let Some(symbol) = out.last_mut() {
                symbol.below = below
                    .trim_start_matches("\\mathrm{")
                    .trim_start_matches("\\text{")
                    .trim_end_matches('}')
                    .to_owned();
            }
            rest = after;
        } else {
            if c.is_ascii_alphabetic() {
                push(&mut out, &rest[..1]);
            }
            rest = tail;
        }
    }
    out
}

/// What stands in the braces that `tex` begins with, or its first letter; and what follows.
fn group(tex: &str) -> (&str, &str) {
    let Some(inner) = tex.strip_prefix('{') else {
        let end = tex.chars().next().map_or(0, char::len_utf8);
        return tex.split_at(end);
    };
    let mut depth = 1;
    for (at, c) in inner.char_indices() {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        if depth == 0 {
            return (&inner[..at], &inner[at + 1..]);
        }
    }
    (inner, "")
}

/// The tensor or knob with this name.
fn meaning(name: &str, session: &Session) -> Option<Meaning> {
    let steps = session.trace().steps();
    let named = |whole: &str| {
        let last = whole.rsplit('.').next().unwrap_or(whole);
        whole == name || last == name
    };
    let step = steps.iter().position(|step| named(&step.name));
    let knobs = session.lesson().knobs;
    let knob = || knobs.iter().position(|knob| knob.name == name);
    step.map(Meaning::Step)
        .or_else(|| knob().map(Meaning::Knob))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_words_and_what_stands_below_them_are_read() {
        let names = |tex: &str| -> Vec<String> {
            let all = read(tex).into_iter();
            all.map(|s| format!("{}/{}", s.base, s.below)).collect()
        };
        assert_eq!(
            names(r"\mathrm{score}_{ij} = q_i \cdot k_j"),
            ["score/ij", "q/i", "k/j"]
        );
        assert_eq!(
            names(r"\frac{QK^\top}{\sqrt{d_k}} d_{\mathrm{model}} \gamma"),
            ["Q/", "K/", "d/k", "d/model", "gamma/"]
        );
        assert_eq!(names(r"\"), Vec::<String>::new());
        assert_eq!(names("x_"), ["x/"]);
    }
}
