//! What a cell is, in one plain sentence.

use crate::autograd::{CellOrigin, Step, Trace};

use super::{batch, cell_name, plain_name};

/// One plain sentence about how an operation makes a cell; `None` for a leaf, which has a sentence of its own, and for
/// operations whose formula needs none.
pub fn gist(trace: &Trace, step: &Step, index: &[usize]) -> Option<String> {
    let (row, column) = axis_words(trace, step, index);
    let sentence = match (step.op(), row, column) {
        ("softmax", Some(row), Some(column)) => {
            format!("How much of what \"{row}\" reads comes from \"{column}\".")
        }
        ("softmax", ..) => "A share: each row of the softmax adds up to 1.".to_owned(),
        ("matmul_t", Some(row), Some(column)) => {
            format!("How well \"{row}\" matches \"{column}\": the dot product of their vectors.")
        }
        ("matmul_t", ..) => "A dot product of two rows.".to_owned(),
        ("matmul", Some(row), _) => {
            format!("One number of what \"{row}\" gets: a sum of products.")
        }
        ("matmul", ..) => "A row times a column: a sum of products.".to_owned(),
        ("linear", Some(row), _) => {
            format!("One output for \"{row}\": its numbers times their weights, added up.")
        }
        ("linear", ..) => "The inputs times their weights, added up.".to_owned(),
        ("mask_fill", Some(row), Some(column)) => {
            format!("The score of \"{row}\" and \"{column}\", or −∞ where the mask blocks it.")
        }
        ("mask_fill", ..) => "The score, or −∞ where the mask blocks it.".to_owned(),
        ("layer_norm", ..) => {
            "The number, shifted and scaled so that its row has mean 0 and variance 1.".to_owned()
        }
        ("embedding" | "rows", Some(row), _) => {
            format!("One number of the vector for \"{row}\".")
        }
        ("scale", ..) => "The same number, times a constant.".to_owned(),
        ("add", ..) => "Two numbers, added.".to_owned(),
        ("relu", ..) => "The number itself, or 0 if it is negative.".to_owned(),
        ("dropout", ..) => "The number, dropped or scaled up.".to_owned(),
        _ => return None,
    };
    step.computed().map(|_| sentence)
}

/// The cell that an operation has only copied, as in `table[0,3]`; `None` if it computes anything.
pub fn copied(trace: &Trace, cell: &CellOrigin) -> Option<String> {
    let [term] = cell.terms.as_slice() else {
        return None;
    };
    let step = &trace.steps()[term.step?];
    let only = cell.formula == term.role;
    only.then(|| cell_name(&plain_name(trace, step), &term.index))
}

/// Words of a cell's row and column.
fn axis_words<'a>(
    trace: &'a Trace,
    step: &Step,
    index: &[usize],
) -> (Option<&'a str>, Option<&'a str>) {
    let batch = batch(&step.axes, index);
    let place = |from_last: usize| {
        let at = index.len().checked_sub(from_last)?;
        Some((step.axes.get(at)?, index[at]))
    };
    let row = place(2).and_then(|(axis, at)| trace.row_word(axis, batch, at));
    let column = place(1).and_then(|(axis, at)| trace.word(axis, batch, at));
    (row, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::lesson::session::Session;
    use crate::testing::assert_starts_with;

    #[test]
    fn scores_and_weights_are_told_in_the_words_of_their_tokens() {
        let session = Session::new(curriculum::find("attention").unwrap());
        let trace = session.trace();
        let of = |op: &str| {
            let mut steps = trace.steps().iter();
            let attends = |step: &&Step| step.op() == op && step.axes.last() == Some(&"s");
            let step = steps.rfind(attends).unwrap();
            let mut index = vec![0; step.value.rank()];
            let last = index.len() - 1;
            index[last] = 3;
            index[last - 1] = 4;
            gist(trace, step, &index).unwrap()
        };
        assert_starts_with(&of("matmul_t"), "How well \"");
        assert!(of("softmax").contains("comes from \""), "{}", of("softmax"));
    }
}
