//! The challenge: learning merges from a megabyte, and texts that distinguish it from its mistakes.

use std::collections::{HashMap, HashSet};

mod part_two;
mod reference;
#[path = "exercise.rs"]
mod starter;

use super::check::{LearnFn, compared};

transformer_tutor::task! { fast_byte_pairs: LearnFn = reference::fast_byte_pairs;
    |learn| {
        compared(&TASK, learn)?;
        part_two::check(learn, part_two::LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::text::bpe::byte_pairs;

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains(r#"is `[("o", "w</w>"), ("l", "ow</w>")]`"#));
        let pairs = reference::fast_byte_pairs(&[("low", 2), ("slow", 1)], 9);
        let text: Vec<_> = pairs.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        assert_eq!(text, [("o", "w</w>"), ("l", "ow</w>")]);
    }

    #[test]
    fn the_reference_learns_the_merges_that_counting_again_gives() {
        let words = [("banana", 3), ("nanny", 2), ("aaaaa", 4), ("schläft", 2)];
        assert_eq!(
            reference::fast_byte_pairs(&words, 20),
            byte_pairs(&words, 20)
        );
    }
}
