//! Simple relations between a wrong tensor and the right one that hold for every cell, which often reveal a mistake
//! that is not among the known ones.

use crate::tensor::Tensor;
use crate::typeset::number::short;

/// Relative difference below which two numbers count as equal.
const ALIKE: f32 = 1e-4;

/// A sentence that is true of all cells of `got`, which differs from `expected` but has its shape. `None` if no simple
/// sentence is.
pub(super) fn relation(expected: &Tensor, got: &Tensor) -> Option<String> {
    let (e, g) = (expected.data(), got.data());
    if g.iter().chain(e).any(|x| !x.is_finite()) {
        return not_finite(e, g);
    }
    if g.len() < 2 {
        return None;
    }
    if g.iter().all(|&x| x == g[0]) {
        let number = short(g[0], 9);
        return Some(format!("All your numbers are {number}."));
    }
    if varies(e) {
        if let Some(factor) = factor(expected, got) {
            return Some(if factor == -1.0 {
                "All your numbers have the other sign.".to_owned()
            } else {
                let factor = short(factor, 9);
                format!("All your numbers are {factor} times the right ones.")
            });
        }
        let offset = g[0] - e[0];
        if e.iter().zip(g).all(|(e, g)| same(e + offset, *g)) {
            let sign = if offset > 0.0 { "more" } else { "less" };
            let offset = short(offset.abs(), 9);
            return Some(format!(
                "All your numbers are {offset} {sign} than the right ones."
            ));
        }
    }
    rearrangement(expected, got)
        .or_else(|| function(e, g))
        .or_else(|| location(expected, got))
}

/// What was done to every number, if it is one of a few functions.
fn function(e: &[f32], g: &[f32]) -> Option<String> {
    const FUNCTIONS: [(&str, fn(f32) -> f32); 8] = [
        ("the squares of the right ones", |x| x * x),
        ("the square roots of the right ones", f32::sqrt),
        ("1 divided by the right ones", |x| 1.0 / x),
        ("the exponentials of the right ones", f32::exp),
        ("the logarithms of the right ones", f32::ln),
        ("1 minus the right ones", |x| 1.0 - x),
        ("the right ones without their sign", f32::abs),
        ("the right ones, rounded", f32::round),
    ];
    let all = |f: fn(f32) -> f32| e.iter().zip(g).all(|(e, g)| same(f(*e), *g));
    let found = FUNCTIONS.iter().find(|(_, f)| varies(e) && all(*f));
    found.map(|(says, _)| format!("All your numbers are {says}."))
}

/// How the axes of the right tensor are arranged in one of another shape, if its numbers are those.
pub(super) fn axes(expected: &Tensor, got: &Tensor) -> Option<String> {
    let rank = expected.rank();
    if rank == got.rank() {
        for (a, b) in (0..rank).flat_map(|a| (a + 1..rank).map(move |b| (a, b))) {
            let mut order: Vec<usize> = (0..rank).collect();
            order.swap(a, b);
            let turned = expected.permute(&order);
            let equal = || {
                turned
                    .data()
                    .iter()
                    .zip(got.data())
                    .all(|(a, b)| same(*a, *b))
            };
            if turned.shape() == got.shape() && equal() {
                return Some(format!(
                    "They are the right numbers with axes {a} and {b} exchanged."
                ));
            }
        }
    }
    let pairs = || expected.data().iter().zip(got.data());
    (expected.len() == got.len() && pairs().all(|(a, b)| same(*a, *b)))
        .then(|| "They are the right numbers in another shape.".to_owned())
}

/// What all wrong numbers are, if none of them is finite.
fn not_finite(e: &[f32], g: &[f32]) -> Option<String> {
    let right = |e: f32, g: f32| e == g || (e.is_finite() && g.is_finite() && same(e, g));
    let pairs = e.iter().zip(g).filter(|(e, g)| !right(**e, **g));
    let wrong: Vec<f32> = pairs.map(|(_, g)| *g).collect();
    let all = |is: fn(f32) -> bool| !wrong.is_empty() && wrong.iter().all(|&x| is(x));
    if all(f32::is_nan) {
        Some("Your wrong numbers are NaN, which comes from 0 / 0 or from ∞ − ∞.".to_owned())
    } else if all(f32::is_infinite) {
        Some("Your wrong numbers are infinite: exp or a division left the range of f32.".to_owned())
    } else {
        None
    }
}

/// The only position along an axis that is right, or the only one that is wrong.
fn location(expected: &Tensor, got: &Tensor) -> Option<String> {
    for axis in 0..expected.rank() {
        let mut right = vec![true; expected.shape()[axis]];
        for index in expected.indices() {
            right[index[axis]] &= same(expected.at(&index), got.at(&index));
        }
        // Of two positions, one that is right or wrong says little.
        if right.len() < 3 {
            continue;
        }
        for (of, word) in [(true, "right"), (false, "wrong")] {
            let mut places = (0..right.len()).filter(|&place| right[place] == of);
            if let (Some(place), None) = (places.next(), places.next()) {
                return Some(format!(
                    "Only the numbers at position {place} along axis {axis} are {word}."
                ));
            }
        }
    }
    None
}

/// How the right numbers are arranged in `got`, if all are there in a different order.
fn rearrangement(expected: &Tensor, got: &Tensor) -> Option<String> {
    let sorted = |t: &Tensor| {
        let mut data = t.data().to_vec();
        data.sort_by(f32::total_cmp);
        data
    };
    if let Some(exchanged) = axes(expected, got) {
        return Some(exchanged);
    }
    for axis in 0..expected.rank() {
        let n = expected.shape()[axis];
        if n < 2 {
            continue;
        }
        let taken = |from: fn(usize, usize) -> Option<usize>| {
            expected.indices().all(|mut index| {
                let right = got.at(&index);
                match from(index[axis], n) {
                    Some(place) => {
                        index[axis] = place;
                        same(expected.at(&index), right)
                    }
                    None => true,
                }
            })
        };
        if taken(|i, n| Some(n - 1 - i)) {
            return Some(format!(
                "They are the right numbers, backwards along axis {axis}."
            ));
        }
        // With only two positions, a single row could agree by chance.
        if n > 2 && taken(|i, _| i.checked_sub(1)) {
            return Some(format!(
                "They are the right numbers, one place too far along axis {axis}."
            ));
        }
        if n > 2 && taken(|i, n| (i + 1 < n).then_some(i + 1)) {
            return Some(format!(
                "They are the right numbers, one place too early along axis {axis}."
            ));
        }
    }
    let same_numbers = sorted(expected)
        .iter()
        .zip(sorted(got))
        .all(|(a, b)| same(*a, b));
    (same_numbers && varies(expected.data()))
        .then(|| "They are the right numbers in the wrong places.".to_owned())
}

/// The factor by which every right number was multiplied, if there is one.
pub(super) fn factor(expected: &Tensor, got: &Tensor) -> Option<f32> {
    let (e, g) = (expected.data(), got.data());
    if expected.shape() != got.shape() {
        return None;
    }
    let largest = e
        .iter()
        .zip(g)
        .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let (e_largest, g_largest) = largest?;
    let factor = g_largest / e_largest;
    let all = e.iter().zip(g).all(|(e, g)| same(e * factor, *g));
    (all && factor.is_finite()).then(|| if same(factor, -1.0) { -1.0 } else { factor })
}

/// True if there are at least three distinct non-zero numbers, enough to draw a conclusion.
fn varies(numbers: &[f32]) -> bool {
    let mut values: Vec<f32> = Vec::new();
    for &x in numbers {
        if x != 0.0 && values.iter().all(|&known| !same(known, x)) {
            values.push(x);
        }
        if values.len() == 3 {
            return true;
        }
    }
    false
}

/// True if two numbers are equal but for rounding.
pub(super) fn same(a: f32, b: f32) -> bool {
    (a - b).abs() <= ALIKE * a.abs().max(b.abs()).max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell of a wrong tensor, computed from its index and the right tensor.
    type Cell = fn(&[usize], &Tensor) -> f32;

    fn relation_of(of: impl Fn(&[usize], &Tensor) -> f32) -> Option<String> {
        let right = Tensor::from_fn(&[3, 4], |i| ((i[0] * 4 + i[1]) as f32 * 0.7).sin());
        let got = Tensor::from_fn(&[3, 4], |i| of(i, &right));
        relation(&right, &got)
    }

    #[test]
    fn one_sentence_holds_for_every_cell() {
        let cases: [(Cell, &str); 8] = [
            (
                |i, e| e.at(i) * 2.0,
                "All your numbers are 2 times the right ones.",
            ),
            (|i, e| -e.at(i), "All your numbers have the other sign."),
            (
                |i, e| e.at(i) - 0.5,
                "All your numbers are 0.5 less than the right ones.",
            ),
            (|_, _| 0.0, "All your numbers are 0."),
            (
                |i, e| e.at(&[i[0], 3 - i[1]]),
                "They are the right numbers, backwards along axis 1.",
            ),
            (
                |i, e| i[0].checked_sub(1).map_or(9.0, |row| e.at(&[row, i[1]])),
                "They are the right numbers, one place too far along axis 0.",
            ),
            (
                |i, e| {
                    if i[1] < 3 {
                        e.at(&[i[0], i[1] + 1])
                    } else {
                        9.0
                    }
                },
                "They are the right numbers, one place too early along axis 1.",
            ),
            (
                |i, e| e.at(&[(i[0] + 1) % 3, 3 - i[1]]),
                "They are the right numbers in the wrong places.",
            ),
        ];
        for (of, says) in cases {
            assert_eq!(relation_of(of).as_deref(), Some(says));
        }
    }

    #[test]
    fn a_single_position_that_is_right_or_wrong_is_named() {
        assert_eq!(
            relation_of(|i, e| e.at(i) * (1.0 + i[0] as f32)).as_deref(),
            Some("Only the numbers at position 0 along axis 0 are right.")
        );
        assert_eq!(
            relation_of(|i, e| e.at(i) + if i[1] == 3 { i[0] as f32 + 0.5 } else { 0.0 })
                .as_deref(),
            Some("Only the numbers at position 3 along axis 1 are wrong.")
        );
    }

    #[test]
    fn wrong_numbers_that_are_not_finite_are_explained() {
        let with = |x: f32| relation_of(move |i, e| if i[0] == 1 { x } else { e.at(i) });
        assert_eq!(
            with(f32::NAN).as_deref(),
            Some("Your wrong numbers are NaN, which comes from 0 / 0 or from ∞ − ∞.")
        );
        assert_eq!(
            with(f32::INFINITY).as_deref(),
            Some("Your wrong numbers are infinite: exp or a division left the range of f32.")
        );
    }

    #[test]
    fn what_holds_for_some_cells_is_not_said() {
        assert_eq!(relation_of(|i, e| e.at(i) * (2.0 + i[0] as f32)), None);
        assert_eq!(
            relation_of(|i, e| if i == [2, 3] { 0.25 } else { e.at(i) * 2.0 }),
            None
        );
        assert_eq!(
            relation_of(|i, e| if i == [0, 0] { f32::NAN } else { -e.at(i) }),
            None
        );
        // Two distinct numbers are not enough evidence.
        let mask = Tensor::new(&[4], vec![1.0, 0.0, 1.0, 0.0]);
        assert_eq!(relation(&mask, &mask.map(|x| 3.0 * x)), None);
    }
}
