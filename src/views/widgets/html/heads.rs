//! Pictures of the trained model's attention, whose cells are those of a recorded tensor or the means of its heads.

use crate::autograd::Step;
use crate::lesson::session::Session;
use crate::tensor::Tensor;

/// Largest difference at which two attention weights are the same.
const NEAR: f32 = 1e-6;

/// The attention `[1, heads, reading, read]` that a picture shows.
pub struct Heads<'a> {
    /// The recorded weights.
    pub step: &'a Step,
    /// The head shown; `None` for the mean of all.
    pub head: Option<usize>,
    /// The number of heads.
    pub count: usize,
}

/// The attention of the trained model that `values`, `[reading, read]`, shows; `None` if it shows something else.
pub fn shown<'a>(session: &'a Session, values: &Tensor) -> Option<Heads<'a>> {
    session.run().sentence.as_ref()?;
    let size = values.len();
    let steps = session.trace().steps().iter();
    let mut all =
        steps.filter(|step| step.name.contains("_attn.") && step.name.ends_with(".weights"));
    all.find_map(|step| {
        let &[1, count, reading, read] = step.value.shape() else {
            return None;
        };
        if *values.shape() != [reading, read] {
            return None;
        }
        let cells: Vec<&[f32]> = step.value.data().chunks(size).collect();
        let mean = |at: usize| cells.iter().map(|head| head[at]).sum::<f32>() / count as f32;
        let is_same = |of: &dyn Fn(usize) -> f32| {
            let mut cells = values.data().iter().enumerate();
            cells.all(|(at, x)| (of(at) - x).abs() < NEAR)
        };
        let head = cells.iter().position(|head| is_same(&|at| head[at]));
        (head.is_some() || is_same(&mean)).then_some(Heads { step, head, count })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::lesson::Body;

    /// The attention of the picture that the session shows.
    fn of_picture(session: &Session) -> Option<Heads<'_>> {
        match session.picture().map(|picture| &picture.body) {
            Some(Body::Matrix { values, .. }) => shown(session, values),
            _ => None,
        }
    }

    #[test]
    fn the_tours_picture_is_the_mean_of_an_attention_unless_the_model_is_broken() {
        let mut session = Session::new(curriculum::find("tour").unwrap());
        session.show("looked").unwrap();
        let heads = of_picture(&session).unwrap();
        assert_eq!(heads.step.name, "decoder.layers.1.src_attn.weights");
        assert_eq!((heads.head, heads.count), (None, 4));
        session.switch("no-scale", true).unwrap();
        assert!(of_picture(&session).is_none());
    }
}
