//! Titles of a translator's tensors in plain words, for readers who do not know the names of its parts.

use crate::autograd::{Step, Trace};

/// Title of a tensor of a translator that reads a sentence: `Last decoder layer, head 1: what each row reads` for
/// `decoder.layers.1.src_attn.weights`. `None` for other runs, and for tensors whose name says more.
pub fn plain_title(trace: &Trace, step: &Step, head: Option<usize>) -> Option<String> {
    // Only a translator's rows are labelled by what they read and write.
    let label = trace.row_word("t", 0, 0)?;
    if Some(label) == trace.word("t", 0, 0) {
        return None;
    }
    let parts: Vec<&str> = step.name.split('.').collect();
    let fixed = match parts[..] {
        [stack, "layers", layer, part, what] => {
            return in_layer(trace, [stack, layer, part, what], head);
        }
        ["likeness"] => "How well each English token fits each German one",
        ["dictionary"] => "Which German token each row finds most like itself",
        ["src_embed", "rows"] => "The row of each token that is read",
        ["src_embed", "embedded"] => "The row of each token that is read, times √d_model",
        ["src_embed", "with_position"] => "The row of each token that is read, with its position",
        ["tgt_embed", "rows"] => "The row of each token that was written",
        ["tgt_embed", "embedded"] => "The row of each token that was written, times √d_model",
        ["tgt_embed", "with_position"] => {
            "The row of each token that was written, with its position"
        }
        ["src_embed" | "tgt_embed", "pe"] => "The row of each position",
        ["generator", "logits"] => "How well every token fits as the next",
        ["generator", "log_probs"] => "The log-probability of every next token",
        ["readout", "source"] => "How well every token fits each row that is read",
        ["readout", "placed"] => "How well every token fits each row with its position",
        ["readout", ..] => "How well every token would fit as the next, had the model ended here",
        _ => return None,
    };
    Some(fixed.to_owned())
}

fn in_layer(trace: &Trace, parts: [&str; 4], head: Option<usize>) -> Option<String> {
    let [stack, layer, part, what] = parts;
    let number: usize = layer.parse().ok()?;
    let next = format!("{stack}.layers.{}.", number + 1);
    let is_last = !trace
        .steps()
        .iter()
        .any(|step| step.name.starts_with(&next));
    let place = match (stack, is_last) {
        ("encoder", true) => "Last encoder layer".to_owned(),
        ("encoder", false) => format!("Encoder layer {layer}"),
        (_, true) => "Last decoder layer".to_owned(),
        (_, false) => format!("Decoder layer {layer}"),
    };
    let kind = match (stack, part) {
        ("decoder", "self_attn") => "self-attention",
        (_, "self_attn") => "attention",
        (_, "src_attn") => "cross-attention",
        _ => "the feed-forward layer",
    };
    let (by_head, what) = match what {
        "weights" => (true, "what each row reads".to_owned()),
        "scores" | "scaled" | "masked" => (true, "how well each pair fits".to_owned()),
        "query_heads" => (true, "what each row looks for".to_owned()),
        "key_heads" => (true, "what each row is found by".to_owned()),
        "value_heads" => (true, "what each row hands over".to_owned()),
        "context" => (true, "what each row has gathered".to_owned()),
        "combined" => (false, "what each row has gathered, head by head".to_owned()),
        "attended" | "ffn" => (false, format!("what {kind} adds")),
        "inner" => (false, "the inner numbers".to_owned()),
        "active" => (false, "the inner numbers after the ReLU".to_owned()),
        "residual" => (false, format!("the rows, with what {kind} adds")),
        "norm" => (false, format!("the rows after {kind}, normalised")),
        _ => return None,
    };
    // Cross-attention is known by its columns; the decoder's self-attention has to be told from it.
    let own = if by_head && kind == "self-attention" {
        ", self-attention"
    } else {
        ""
    };
    let head = match head.filter(|_| by_head) {
        Some(head) => format!(", head {head}"),
        None if by_head => ", every head".to_owned(),
        None => String::new(),
    };
    Some(format!("{place}{own}{head}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::lesson::session::Session;

    #[test]
    fn a_translators_tensors_have_titles_in_plain_words_and_others_their_names() {
        let titled = |lesson: &str, tensor: &str, head| {
            let session = Session::new(curriculum::find(lesson).unwrap());
            let trace = session.trace();
            plain_title(trace, &trace.steps()[trace.find(tensor).unwrap()], head)
        };
        for (tensor, head, title) in [
            (
                "decoder.layers.1.src_attn.weights",
                Some(1),
                "Last decoder layer, head 1: what each row reads",
            ),
            (
                "decoder.layers.0.self_attn.weights",
                None,
                "Decoder layer 0, self-attention, every head: what each row reads",
            ),
            (
                "encoder.layers.2.feed_forward.norm",
                None,
                "Last encoder layer: the rows after the feed-forward layer, normalised",
            ),
        ] {
            assert_eq!(titled("tour", tensor, head).as_deref(), Some(title));
        }
        assert_eq!(titled("attention", "weights", Some(0)), None);
    }
}
