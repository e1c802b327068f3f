//! What common panics of the standard library mean.

/// Beginnings of panic messages, each with the usual mistake behind it.
const MEANINGS: [(&str, &str); 6] = [
    (
        "attempt to subtract with overflow",
        "You subtract a larger unsigned number from a smaller one, and the result can't be negative. Compare the two \
         before you subtract.",
    ),
    (
        "attempt to multiply with overflow",
        "Your product is too large for its integer type. Convert the factors to a wider one, such as u64, before you \
         multiply.",
    ),
    (
        "attempt to add with overflow",
        "Your sum is too large for its integer type. Convert both numbers to a wider one, such as u64, before you add.",
    ),
    (
        "attempt to divide by zero",
        "You divide by the integer 0. Treat the case in which there is nothing to divide by separately.",
    ),
    (
        "index out of bounds",
        "You read past the end of a list. Check that this case has as many elements as your code assumes.",
    ),
    (
        "called `Option::unwrap()` on a `None` value",
        "You unwrap an Option that is None here. Decide what the result is in this case: use match or if let.",
    ),
];

/// The usual mistake behind a panic with this message, in words for the learner.
pub(super) fn meaning(message: &str) -> Option<&'static str> {
    let known = MEANINGS
        .iter()
        .find(|(begins, _)| message.starts_with(begins));
    known.map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::super::attempt;
    use super::*;

    #[test]
    fn panics_of_the_standard_library_are_explained() {
        let panics: [fn() -> u32; 6] = [
            || black_box(2) - black_box(3),
            || black_box(u32::MAX) * black_box(2),
            || black_box(u32::MAX) + black_box(1),
            || black_box(1) / black_box(0),
            || Vec::new()[black_box(0)],
            || black_box(None).unwrap(),
        ];
        for (panic, (begins, meaning)) in panics.iter().zip(MEANINGS) {
            let failure = attempt("", panic).expect_err(begins);
            assert_eq!(failure.likely.as_deref(), Some(meaning), "{begins}");
        }
    }

    #[test]
    fn other_panics_speak_for_themselves() {
        assert_eq!(meaning("matmul: [2, 3] and [2, 3] do not fit"), None);
    }
}
