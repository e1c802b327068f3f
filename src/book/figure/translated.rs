//! Figures whose numbers the page's translator (book/theme/live.js) can explain, so that the page needs no operands.

use serde_json::{Value, json};

use crate::autograd::Step;
use crate::lesson::session::Session;
use crate::tensor::Tensor;

/// Tensors that the page's translator keeps, by the last part of their names.
const KEPT: [&str; 15] = [
    "query",
    "key",
    "value",
    "scaled",
    "weights",
    "combined",
    "attended",
    "residual",
    "norm",
    "inner",
    "active",
    "ffn",
    "embedded",
    "logits",
    "log_probs",
];

/// Largest difference at which two attention weights are the same.
const NEAR: f32 = 1e-6;

/// The sentence that the page must translate to explain the cells of `step`; `None` if it cannot.
pub fn sentence<'a>(session: &'a Session, step: &Step) -> Option<&'a str> {
    let (scope, last) = step.name.rsplit_once('.')?;
    let is_kept = KEPT.contains(&last)
        && (scope.contains(".layers.") || ["src_embed", "tgt_embed", "generator"].contains(&scope));
    // Gradients are not computed in the page.
    let is_run = session.gradients_of().is_none();
    let sentence = session.run().sentence.as_deref();
    sentence.filter(|_| is_kept && is_run)
}

/// The attention of the trained model that `values` shows, `[reading, read]`: its name, the head (`null` for the mean of
/// all heads), their number and the sentence. `None` if the matrix shows something else.
pub fn attention(session: &Session, values: &Tensor) -> Option<Value> {
    let sentence = session.run().sentence.as_deref()?;
    let size = values.len();
    let steps = session.trace().steps().iter();
    let all = steps.filter(|step| step.name.contains("_attn.") && step.name.ends_with(".weights"));
    all.filter_map(|step| {
        let &[1, heads, reading, read] = step.value.shape() else {
            return None;
        };
        if *values.shape() != [reading, read] {
            return None;
        }
        let cells: Vec<&[f32]> = step.value.data().chunks(size).collect();
        let mean = |at: usize| cells.iter().map(|head| head[at]).sum::<f32>() / heads as f32;
        let is_same = |of: &dyn Fn(usize) -> f32| {
            let mut cells = values.data().iter().enumerate();
            cells.all(|(at, x)| (of(at) - x).abs() < NEAR)
        };
        let head = cells.iter().position(|head| is_same(&|at| head[at]));
        (head.is_some() || is_same(&mean)).then(|| {
            json!({
                "name": step.name,
                "head": head,
                "heads": heads,
                "columns": read,
                "sentence": sentence,
            })
        })
    })
    .next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::lesson::Body;

    /// The attention of the picture that the session shows.
    fn shown(session: &Session) -> Option<Value> {
        match session.picture().map(|picture| &picture.body) {
            Some(Body::Matrix { values, .. }) => attention(session, values),
            _ => None,
        }
    }

    #[test]
    fn the_tours_picture_is_the_mean_of_an_attention_unless_the_model_is_broken() {
        let mut session = Session::new(curriculum::find("tour").unwrap());
        session.show("looked").unwrap();
        let asks = shown(&session).unwrap();
        assert_eq!(asks["name"], "decoder.layers.1.src_attn.weights");
        assert_eq!([&asks["head"], &asks["heads"]], [&json!(null), &json!(4)]);
        session.switch("no-scale", true).unwrap();
        assert_eq!(shown(&session), None);
    }

    #[test]
    fn only_tensors_that_the_page_keeps_are_explained_there() {
        let session = Session::new(curriculum::find("tour").unwrap());
        let explained = |name: &str| {
            let steps = session.trace().steps();
            let step = steps.iter().find(|step| step.name == name).unwrap();
            sentence(&session, step).is_some()
        };
        assert!(explained("decoder.layers.1.src_attn.weights"));
        assert!(explained("src_embed.embedded"));
        assert!(!explained("decoder.layers.1.src_attn.masked"));
        assert!(!explained("embed.table"));
    }
}
