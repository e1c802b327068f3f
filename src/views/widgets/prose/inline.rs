//! Inline text as runs ready for wrapping.

use ratatui::style::{Modifier, Style};

use super::ProseStyle;
use crate::lesson::SWITCH;
use crate::lesson::page::{Emphasis, Inline};
use crate::typeset::formula;
use crate::widgets::wrap::TextRun;

/// Converts inline text to runs. `speech` writes formulas in words and adds the addresses of links.
pub fn runs(inlines: &[Inline], base: Style, style: &ProseStyle, speech: bool) -> Vec<TextRun> {
    let mut out = Vec::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) => out.push(TextRun::new(
                style.words(&text.text),
                emphasis(base, text.style, style),
            )),
            Inline::Code(code) => out.push(TextRun::kept(
                style.words(&code.text),
                emphasis(base, code.style, style).patch(style.code),
            )),
            Inline::Math(tex) => {
                let text = if speech || style.ascii {
                    formula::spoken(tex).map(|words| style.circled(&words))
                } else {
                    formula::inline(tex)
                };
                // Formulas were checked when the lesson was parsed; if one fails here after all, show its TeX.
                out.push(TextRun::kept(
                    text.unwrap_or_else(|_| tex.clone()),
                    base.patch(style.math),
                ));
            }
            Inline::Link { text, url } if url.starts_with(SWITCH) => {
                out.extend(runs(text, base, style, speech));
                if style.on.contains(&&url[SWITCH.len()..]) {
                    out.push(TextRun::new(", now on", base.patch(style.strong)));
                }
            }
            Inline::Link { text, url } => {
                out.extend(runs(text, base.patch(style.link), style, speech));
                if speech && url.starts_with("http") {
                    out.push(TextRun::new(format!(" ({url})"), base));
                }
            }
            Inline::FootnoteRef(label) => out.push(TextRun::new(
                format!("[{label}]"),
                base.patch(style.caption),
            )),
            Inline::Break => out.push(TextRun::new("\n", base)),
            Inline::Claim(_) => {}
        }
    }
    out
}

fn emphasis(base: Style, emphasis: Emphasis, style: &ProseStyle) -> Style {
    let mut out = base;
    if emphasis.strong {
        out = out.patch(style.strong);
    }
    if emphasis.emph {
        out = out.patch(style.emph);
    }
    if emphasis.strike {
        out = out.add_modifier(Modifier::CROSSED_OUT);
    }
    out
}
