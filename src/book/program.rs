//! The chapter that shows a whole Transformer: the crate that `mine eject` writes, with all references.

use std::fmt::Write as _;

use anyhow::anyhow;

use crate::curriculum;
use crate::lesson::mine::{Crate, statuses};
use crate::lesson::progress::Progress;

const INTRODUCTION: &str = "\
# A Transformer in one sitting

This is the crate that `transformer-tutor mine eject my-model` writes: a Transformer that translates German to English \
and learns to copy, with everything it needs. It depends only on ndarray, for arrays and matrix products. In your \
crate, the functions that you have written and that passed their checks \
are yours; here you see the references. They give the exercises away, so come here when you have tried.

The functions come first, in the order of the lessons. Then come the layers that call them, the model, and what turns it \
into a program: text, weights, search and training. The tensors and the tape, which all of it rests on, are at the end.
";

/// Markdown of the chapter.
pub(super) fn markdown() -> anyhow::Result<String> {
    let all = statuses(curriculum::exercises(), None, &Progress::default());
    let made = Crate::new(&all, None).map_err(|e| anyhow!("the whole program: {e}"))?;
    let mut out = INTRODUCTION.to_owned();
    for (path, text) in made.sources() {
        let _ = write!(out, "\n## {path}\n\n```rust\n{}\n```\n", text.trim_end());
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_come_before_the_layers_and_the_tape_after_them() {
        let text = markdown().expect("it is made from embedded files");
        let at = |file: &str| {
            let heading = format!("\n## {file}\n");
            text.find(&heading)
                .unwrap_or_else(|| panic!("{file} is not shown"))
        };
        let files = [
            "src/functions/scale_embeddings.rs",
            "src/functions/attention.rs",
            "src/nn.rs",
            "src/transformer.rs",
            "src/main.rs",
            "src/autograd.rs",
        ];
        assert!(files.map(at).is_sorted());
    }
}
