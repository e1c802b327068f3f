//! Drawings that move: one idea in steps with the numbers of a run, which book/theme/motion.js draws above a figure.

use serde_json::{Value, json};

use crate::lesson::session::Session;
use crate::tensor::Tensor;
use crate::text::vocabulary::EOS;
use crate::widgets::html::{number, script};

/// Pairs of columns drawn as clocks, among them those of the columns in the chart below, and the number of positions.
const PAIRS: [usize; 6] = [0, 2, 10, 16, 24, 32];
const POSITIONS: usize = 31;

/// The place of the drawing that belongs to what the session shows, with its script; `None` if there is none.
pub fn html(session: &Session) -> Option<String> {
    let data = match session.lesson().name {
        "positional-encoding" => clocks(session),
        "masks" => mask(session),
        "teacher-forcing" => shift(session),
        _ => None,
    }?;
    Some(format!(
        "<div class=\"tt-motion\"><script type=\"application/json\">{}</script></div><script src=\"live/motion.js\" defer></script>",
        script(&data)
    ))
}

/// The rows of a table of sines and cosines, of which each pair of columns is the hand of a clock.
fn clocks(session: &Session) -> Option<Value> {
    session
        .picture()
        .filter(|picture| picture.name == "waves")?;
    let table = session.trace().tensor("sinusoid")?;
    let width = table.last();
    let pairs = PAIRS.into_iter().filter(|pair| 2 * pair < width);
    let pairs: Vec<usize> = pairs.collect();
    let rows = table.data().chunks(width).take(POSITIONS);
    let hand = |row: &[f32], pair: usize| [number(row[2 * pair]), number(row[2 * pair + 1])];
    let rows: Vec<Vec<[Value; 2]>> = rows
        .map(|row| pairs.iter().map(|&pair| hand(row, pair)).collect())
        .collect();
    Some(json!({ "kind": "clocks", "width": width, "pairs": pairs, "rows": rows }))
}

/// The scores and weights of one head of a decoder's self-attention, over which the mask slides.
fn mask(session: &Session) -> Option<Value> {
    let weights = session.step()?;
    let scope = weights.name.strip_suffix("self_attn.weights")?;
    let scores = session
        .trace()
        .tensor(&format!("{scope}self_attn.scaled"))
        .filter(|_| scope.starts_with("decoder."))?;
    let &[batch, head, ..] = session.cursor() else {
        return None;
    };
    let tokens = words(session, batch, weights.value.last())?;
    let rows = |tensor: &Tensor| -> Vec<Vec<Value>> {
        let first = tensor.offset(&[batch, head, 0, 0]);
        let cells = &tensor.data()[first..first + tokens.len() * tokens.len()];
        let row = |row: &[f32]| row.iter().map(|x| number(*x)).collect();
        cells.chunks(tokens.len()).map(row).collect()
    };
    Some(json!({
        "kind": "mask",
        "head": head,
        "scores": rows(scores),
        "weights": rows(&weights.value),
        "tokens": tokens,
    }))
}

/// What the decoder reads at each position, what it should predict there, and with which probability it does.
fn shift(session: &Session) -> Option<Value> {
    session
        .picture()
        .filter(|picture| picture.name == "translation")?;
    let trace = session.trace();
    let log_probs = trace.tensor("generator.log_probs")?;
    let ids = trace.tensor("tgt")?.data();
    let tokens = words(session, 0, ids.len())?;
    let expected = ids.iter().skip(1).map(|id| *id as usize).chain([EOS]);
    let probability =
        |(position, id): (usize, usize)| number(log_probs.at(&[0, position, id]).exp());
    let probabilities: Vec<Value> = expected.enumerate().map(probability).collect();
    Some(json!({ "kind": "shift", "tokens": tokens, "probabilities": probabilities }))
}

/// The decoder's tokens.
fn words(session: &Session, batch: usize, count: usize) -> Option<Vec<String>> {
    let word = |at| session.trace().word("t", batch, at).map(ToOwned::to_owned);
    (0..count).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    /// A lesson's session with its tensor or picture `name` of the sentence in the trained model.
    fn shown(lesson: &str, name: &str) -> Session {
        let mut session = Session::new(curriculum::find(lesson).unwrap());
        session.set("scene", "sentence").unwrap();
        session.show(name).unwrap();
        session
    }

    #[test]
    fn the_mask_has_a_score_for_every_cell_and_a_weight_of_0_above_the_diagonal() {
        let session = shown("masks", "decoder.layers.1.self_attn.weights");
        let data = mask(&session).unwrap();
        let tokens = data["tokens"].as_array().unwrap();
        assert_eq!([&tokens[0], &tokens[3]], ["<s>", "dog"]);
        for (row, tokens_read) in [(0, 1), (3, 4)] {
            let open = |cells: &Value| {
                let cells = cells[row].as_array().unwrap().iter();
                cells.filter(|x| x.as_f64() != Some(0.0)).count()
            };
            assert_eq!(open(&data["weights"]), tokens_read);
            assert_eq!(open(&data["scores"]), tokens.len());
        }
    }

    #[test]
    fn the_shift_has_the_probability_of_each_next_token() {
        let data = shift(&shown("teacher-forcing", "translation")).unwrap();
        let at = |n: usize| data["probabilities"][n].as_f64().unwrap();
        assert_eq!([&data["tokens"][0], &data["tokens"][2]], ["<s>", "little"]);
        // "little" after "The", and "dog" after "The little".
        assert!((at(1) - 0.75).abs() < 0.005 && (at(2) - 0.80).abs() < 0.005);
    }
}
