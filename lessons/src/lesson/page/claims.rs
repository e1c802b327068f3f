//! The claims of a whole lesson.

use super::claim::{each_in, fenced_texts};
use super::{Claim, Inline, Page, read};

/// All claims of a lesson in reading order.
pub fn claims(pages: &[Page]) -> Vec<Claim> {
    let mut out = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let before = out.len();
        each_in(&page.blocks, &mut |inlines| collect(inlines, &mut out));
        for (line, text) in page.blocks.iter().flat_map(fenced_texts) {
            // They parsed without error when the lesson was read.
            collect(&read::inline(text, at, line).unwrap_or_default(), &mut out);
        }
        out[before..].sort_by_key(|claim| claim.line);
    }
    out
}

fn collect(inlines: &[Inline], out: &mut Vec<Claim>) {
    for inline in inlines {
        match inline {
            Inline::Claim(claim) => out.push(claim.clone()),
            Inline::Link { text, .. } => collect(text, out),
            _ => {}
        }
    }
}
