//! Drawings that move: one idea in steps with the numbers of a run, which book/theme/motion.js draws above a figure.

use serde_json::{Value, json};

use crate::lesson::session::Session;
use crate::text::vocabulary::EOS;
use crate::widgets::html::{number, script};

/// The place of the drawing that belongs to what the session shows, with its script; `None` if there is none.
pub fn html(session: &Session) -> Option<String> {
    if session.lesson().name != "teacher-forcing" {
        return None;
    }
    let data = shift(session)?;
    Some(format!(
        "<div class=\"tt-motion\"><script type=\"application/json\">{}</script></div><script src=\"live/motion.js\" defer></script>",
        script(&data)
    ))
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
    Some(json!({ "tokens": tokens, "probabilities": probabilities }))
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
    fn the_shift_has_the_probability_of_each_next_token() {
        let data = shift(&shown("teacher-forcing", "translation")).unwrap();
        let at = |n: usize| data["probabilities"][n].as_f64().unwrap();
        assert_eq!([&data["tokens"][0], &data["tokens"][2]], ["<s>", "little"]);
        // "little" after "The", and "dog" after "The little".
        assert!((at(1) - 0.75).abs() < 0.005 && (at(2) - 0.80).abs() < 0.005);
    }
}
