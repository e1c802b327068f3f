//! The whole model in one line: `embed ▸ position ▸ [encoder] ═▶ [decoder] ▸ next`.

use super::lines::Chunk;
use super::theme::Theme;
use crate::lesson::ModelPart;

/// The model's parts from left to right. Those of `lit` are marked, and those for which `known` is false are dots; before
/// any is known, only what goes in and what comes out is named. `keep` is the chunk's priority.
pub fn mini_map(
    keep: u8,
    lit: &[ModelPart],
    known: impl Fn(ModelPart) -> bool,
    theme: &Theme,
) -> Chunk {
    let (next, memory, unknown) = if theme.ascii {
        (">", "=>", "...")
    } else {
        ("▸", "═▶", "···")
    };
    if !ModelPart::ALL.into_iter().any(&known) {
        let chunk = Chunk::new(keep, format!("German {memory} "), theme.dim);
        let chunk = chunk.and(format!("{unknown}?{unknown}"), theme.note);
        return chunk.and(format!(" {memory} English"), theme.dim);
    }
    let mut chunk = Chunk::new(keep, "", theme.dim);
    // What parts a name from the one before; the memory is the arrow between the two stacks.
    let mut arrow = (String::new(), theme.dim);
    for part in ModelPart::ALL {
        let is_known = known(part);
        let is_lit = is_known && lit.contains(&part);
        let style = if is_lit { theme.note } else { theme.dim };
        let name = match part {
            ModelPart::Embed => "embed",
            ModelPart::Position => "position",
            ModelPart::Encoder => "encoder",
            ModelPart::Decoder => "decoder",
            ModelPart::Next => "next",
            ModelPart::Memory => {
                let drawn = if is_known { memory } else { next };
                arrow = (format!(" {drawn} "), style);
                continue;
            }
        };
        chunk = chunk.and(arrow.0, arrow.1);
        chunk = match (is_known, is_lit) {
            (false, _) => chunk.and(unknown, style),
            (true, true) => chunk.and(format!("[{name}]"), style),
            (true, false) => chunk.and(name, style),
        };
        arrow = (format!(" {next} "), theme.dim);
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::lines::fit;
    use ModelPart::{Decoder, Encoder, Memory, Next};

    fn words(chunk: Chunk) -> String {
        let line = fit(vec![chunk], 100).into_iter();
        line.map(|(text, _)| text).collect()
    }

    #[test]
    fn parts_are_marked_and_unknown_ones_are_dots() {
        let theme = Theme::mono();
        let all = mini_map(1, &[Encoder, Memory], |_| true, &theme);
        assert_eq!(words(all), "embed ▸ position ▸ [encoder] ═▶ decoder ▸ next");
        let known = |part| matches!(part, Decoder | Next);
        let some = mini_map(1, &[Encoder, Next], known, &theme);
        assert_eq!(words(some), "··· ▸ ··· ▸ ··· ▸ decoder ▸ [next]");
        let none = mini_map(1, &[], |_| false, &theme);
        assert_eq!(words(none), "German ═▶ ···?··· ═▶ English");
    }
}
