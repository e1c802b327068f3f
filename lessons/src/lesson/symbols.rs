//! The symbols in a page's formulas and their meaning, in the run or in the glossary.

use std::ops::Range;

use super::glossary;
use super::page::{Block, Inline, Page};
use super::session::Session;
use crate::typeset::formula;

/// The meaning of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The recorded tensor with this index.
    Step(usize),
    /// The knob with this index.
    Knob(usize),
    /// The glossary term with this index.
    Term(usize),
}

/// Formula symbols that denote a tensor or knob with a different name.
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

/// Formula symbols that denote a term with a different name.
const TERMS: [(&str, &str); 3] = [
    ("PE", "positional encoding"),
    ("MultiHead", "multi-head attention"),
    ("Embed", "embedding"),
];

/// Symbols that denote attention's terms only if they occur together: V on its own may be a vocabulary.
const ATTENTION: [(&str, &str); 3] = [("Q", "query"), ("K", "key"), ("V", "value")];

/// Symbols in the page's formulas that have a meaning, in order, each meaning once: a tensor or knob of the session's
/// run, else a glossary term.
pub fn symbols(page: &Page, session: &Session) -> Vec<(String, Meaning)> {
    let mut table: Vec<(String, Meaning)> = Vec::new();
    for symbol in of_page(page) {
        let meaning = symbol.names().find_map(|name| meaning(&name, session));
        let meaning = meaning.or(symbol.term.map(Meaning::Term));
        if let Some(meaning) = meaning
            && !table.iter().any(|(_, other)| *other == meaning)
        {
            table.push((symbol.base, meaning));
        }
    }
    table
}

/// The meaning of a symbol in the session's run; `None` if it has no such tensor or knob.
pub fn in_run(symbol: &Symbol, session: &Session) -> Option<Meaning> {
    symbol.names().find_map(|name| meaning(&name, session))
}

/// All distinct symbols in the page's formulas.
pub fn of_page(page: &Page) -> Vec<Symbol> {
    let mut formulas = Vec::new();
    collect(&page.blocks, &mut formulas);
    let mut all: Vec<Symbol> = Vec::new();
    for symbol in formulas.iter().flat_map(|tex| read(tex)) {
        if !all.contains(&symbol) {
            all.push(symbol);
        }
    }
    let has = |base: &str| all.iter().any(|symbol| symbol.base == base);
    let attends = has("Q") && has("K");
    for symbol in &mut all {
        (symbol.term, symbol.drawn) = (symbol.term_of(attends), symbol.set());
    }
    all
}

/// Byte ranges at which a line of a rendered formula contains one of `symbols`, from left to right, with the symbol's
/// index.
pub fn occurrences(line: &str, symbols: &[Symbol]) -> Vec<(Range<usize>, usize)> {
    let drawn: Vec<&str> = symbols.iter().map(|s| s.drawn.as_str()).collect();
    // Longest first: `d_model` before `d`.
    let mut order: Vec<usize> = (0..symbols.len())
        .filter(|&n| !drawn[n].is_empty())
        .collect();
    order.sort_by_key(|&n| std::cmp::Reverse(drawn[n].len()));
    let single = |c: char| symbols.iter().any(|symbol| symbol.base.chars().eq([c]));
    let mut hits = Vec::new();
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        let run = rest.find(|c: char| !c.is_ascii_alphabetic());
        let word = &rest[..run.unwrap_or(rest.len())];
        let begins = |n: &&usize| rest.starts_with(drawn[**n]);
        let is_word = |n: &&usize| symbols[**n].base == word;
        let is_letter = |n: &&usize| symbols[**n].base.chars().eq([c]);
        let hit = if word.len() > 1 && !word.chars().all(single) {
            // Adjacent letters form either one word or a row of single-letter symbols.
            order.iter().find(is_word).map(|&n| (n, word.len()))
        } else {
            let whole = order.iter().find(begins).map(|&n| (n, drawn[n].len()));
            whole.or_else(|| order.iter().find(is_letter).map(|&n| (n, c.len_utf8())))
        };
        match hit {
            Some((n, long)) => {
                hits.push((at..at + long, n));
                at += long;
            }
            // A word that is not a symbol contains none either.
            None => at += word.len().max(c.len_utf8()),
        }
    }
    hits
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

/// A letter or word of a formula, with its subscript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The letter or word.
    pub base: String,
    below: String,
    /// Base and subscript as rendered in a line of text: `d_k`, `d_model`, `γ`.
    drawn: String,
    /// Index of the glossary term that it denotes.
    pub term: Option<usize>,
}

impl Symbol {
    /// Renders it as a line of text; empty if that is impossible.
    fn set(&self) -> String {
        let base = match self.base.as_str() {
            "gamma" | "beta" => format!("\\{}", self.base),
            word if word.len() > 1 => format!("\\mathrm{{{word}}}"),
            letter => letter.to_owned(),
        };
        let tex = match self.below.chars().count() {
            0 => base,
            1 => format!("{base}_{}", self.below),
            _ => format!("{base}_{{\\mathrm{{{}}}}}", self.below),
        };
        formula::inline(&tex).unwrap_or_default()
    }

    /// The glossary term with this name. `attends` is true if the page also mentions queries and keys.
    fn term_of(&self, attends: bool) -> Option<usize> {
        let letters: &[_] = if attends { &ATTENTION } else { &[] };
        let written = TERMS.iter().chain(letters);
        let written = written.filter(|(symbol, _)| *symbol == self.base);
        let whole = format!("{}_{}", self.base, self.below);
        // A single letter is more often an index or a number than a name.
        let alone = (self.base.len() > 1).then(|| self.base.clone());
        let names = [Some(whole), alone].into_iter().flatten();
        let mut names = names.chain(written.map(|(_, name)| (*name).to_owned()));
        names.find_map(|name| glossary::place(&name))
    }

    /// Possible names in the run, most likely first: `d_k`, then the usual meaning of `d`.
    fn names(&self) -> impl Iterator<Item = String> {
        let whole = (!self.below.is_empty()).then(|| format!("{}_{}", self.base, self.below));
        // The subscript of a width is part of its name.
        let alone = self.base != "d" || self.below.is_empty();
        let written = WRITTEN.iter().find(|(symbol, _)| *symbol == self.base);
        let written = written.map(|(_, name)| (*name).to_owned());
        let rest = alone.then(|| [Some(self.base.clone()), written]);
        whole
            .into_iter()
            .chain(rest.into_iter().flatten().flatten())
    }
}

/// Letters and words of a formula, without its operators.
fn read(tex: &str) -> Vec<Symbol> {
    let mut out: Vec<Symbol> = Vec::new();
    let mut rest = tex;
    let push = |out: &mut Vec<Symbol>, base: &str| {
        out.push(Symbol {
            base: base.to_owned(),
            below: String::new(),
            drawn: String::new(),
            term: None,
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

/// Contents of the braces that `tex` begins with, or else its first letter, and the remaining text.
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

/// The tensor or knob with this name. Of several tensors, it is the one in the part of the model that is shown, or else
/// the first.
fn meaning(name: &str, session: &Session) -> Option<Meaning> {
    let steps = session.trace().steps();
    let named = |whole: &str| {
        let last = whole.rsplit('.').next().unwrap_or(whole);
        whole == name || last == name
    };
    let shown = session.step().and_then(|step| step.name.rsplit_once('.'));
    let beside = shown.map(|(part, _)| format!("{part}.{name}"));
    let beside = beside.and_then(|whole| steps.iter().position(|step| step.name == whole));
    let step = beside.or_else(|| steps.iter().position(|step| named(&step.name)));
    let knobs = session.lesson().knobs;
    let knob = || knobs.iter().position(|knob| knob.name == name);
    step.map(Meaning::Step)
        .or_else(|| knob().map(Meaning::Knob))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(tex: &str) -> Vec<Symbol> {
        let block = Block::Math(tex.to_owned());
        of_page(&Page {
            id: String::new(),
            title: String::new(),
            blocks: vec![block],
            line: 1,
        })
    }

    #[test]
    fn a_drawn_line_shows_where_its_symbols_stand() {
        let tex = r"\mathrm{Attention}(Q,K,V)=\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V + \min(d_{\mathrm{model}}, \gamma)";
        let symbols = page(tex);
        let line = formula::inline(tex).unwrap();
        let shown: Vec<&str> = occurrences(&line, &symbols)
            .into_iter()
            .map(|(range, _)| &line[range])
            .collect();
        assert_eq!(
            shown,
            [
                "Attention",
                "Q",
                "K",
                "V",
                "softmax",
                "Q",
                "K",
                "d_k",
                "V",
                "d_model",
                "γ"
            ]
        );
    }

    #[test]
    fn words_of_a_formula_lead_to_the_glossary_and_letters_only_where_they_are_sure() {
        let called = |tex: &str| -> Vec<String> {
            let terms = page(tex).into_iter().filter_map(|symbol| symbol.term);
            terms.map(|n| glossary::terms()[n].name.clone()).collect()
        };
        assert_eq!(
            called(r"\mathrm{softmax}(QK^\top / \sqrt{d_k}) V"),
            ["softmax", "query", "key", "d_k", "value"]
        );
        assert!(called(r"\log |V|").is_empty(), "a vocabulary, perhaps");
        assert_eq!(
            called(r"\mathrm{FFN}(x) + \mathrm{PE}"),
            ["feed-forward layer", "positional encoding"]
        );
    }

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
