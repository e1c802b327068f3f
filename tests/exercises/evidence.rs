//! What tasks tell of wrong runs is true: known mistakes show it, and the reference does not.

use transformer_tutor::curriculum::training::training_loop::{self, Training};
use transformer_tutor::curriculum::{copy_task, decoding, gradients, label_smoothing};
use transformer_tutor::curriculum::{looking_inside, masks, teacher_forcing, where_time_goes};

use super::*;

/// Checks that a task tells what `run` finds in wrong functions, and that it finds something else in the reference.
/// Finding `n` is that of the `n`th of `mistakes`, separated by commas: names, or `right` for the reference itself.
#[track_caller]
fn shown<F: Copy>(name: &str, task: &Task<F>, mistakes: &str, run: impl Fn(F) -> Vec<String>) {
    let (_, exercise) = curriculum::exercise(name).expect("it is one");
    let contract = exercise.contract().replace('\n', " ");
    let right = run(task.reference);
    for (n, names) in mistakes.split(", ").enumerate() {
        for mistake in names.split(' ') {
            let found = &run(task.with(Some(mistake)))[n];
            assert!(contract.contains(found), "{name}, {mistake}: {found}");
            assert_eq!(*found == right[n], mistake == "right", "{name}, {mistake}");
        }
    }
}

/// The words of a task for what is or is not `seen`.
fn tells(seen: bool, words: &str) -> String {
    if seen { words } else { "nothing" }.to_owned()
}

/// Whether two numbers are equal but for rounding.
fn equal(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-4
}

/// Numbers as tasks write them: without `.0`.
fn short(numbers: impl std::fmt::Debug) -> String {
    format!("{numbers:?}").replace(".0", "")
}

#[test]
fn wrong_masks_and_batches_are_as_their_tasks_tell() {
    let wrong = "upper strict one-too-many right, upper strict one-too-many, strict";
    shown("subsequent_mask", &masks::check::TASK, wrong, |f| {
        let mask = f(3);
        let rows: Vec<_> = mask.data().chunks(3).collect();
        let output = |x: [f32; 3]| {
            let tape = Tape::eval(&Params::default());
            let x = tape.input("x", matrix(3, &x), &["t", "d"]);
            let mask = tape.mask("mask", matrix(3, mask.data()), &["t", "s"]);
            let attended = attention(&x, &x, &x, Some(&mask), 0.0);
            f64::from(attended.context.value().data()[0])
        };
        let changed = output([2.0, 1.0, 1.0]) != output([2.0, 3.0, 1.0]);
        vec![
            short([&rows]),
            tells(changed, "the output for token 0 changed with token 1"),
            tells(equal(output([1.0, 5.0, 6.0]), 4.0), "the mean of all three"),
        ]
    });

    let wrong = "no-shift backwards count-padding right";
    shown("shift", &teacher_forcing::check::TASK, wrong, |f| {
        let made = f(&matrix(1, &[1.0, 5.0, 6.0, 2.0, 0.0]));
        let [tgt, tgt_y] = [made.tgt, made.tgt_y].map(|ids| short([ids.data()]));
        let ntokens = made.ntokens;
        vec![format!(
            "tgt `{tgt}`, tgt_y `{tgt_y}` and ntokens {ntokens}"
        )]
    });

    let wrong =
        "no-shift, no-future, strict-past, only-the-future, padding-of-the-row, count-padding";
    shown("copy_batch", &copy_task::check::TASK, wrong, |f| {
        let made = f(&matrix(2, &[7.0, 8.0, 2.0, 0.0, 9.0, 2.0, 0.0, 0.0]));
        let less = f(&matrix(2, &[7.0, 8.0, 2.0, 9.0, 2.0, 0.0]));
        let rows: Vec<_> = made.tgt_mask.data().chunks(3).collect();
        vec![
            tells(made.tgt == made.tgt_y, "`tgt` and `tgt_y` were the same"),
            tells(rows[0][1] == 1.0, "position 0 could see position 1"),
            tells(rows[0] == [0.0; 3], "it could see nothing"),
            tells(rows[5][2] == 1.0, "A position could see padding"),
            tells(rows[5] == [0.0; 3], "own token was padding saw nothing"),
            tells(made.ntokens > less.ntokens, "`ntokens` grew when"),
        ]
    });
}

#[test]
fn wrong_cuts_and_loops_are_as_their_tasks_tell() {
    let task = &curriculum::training::check::TASK;
    let wrong = "length-before, source-alone, target-alone, cut-too-early, sides-added";
    shown("cut_batches", task, wrong, |f| {
        let [sources, targets, long]: [(usize, usize); 3] = [(1, 4), (4, 1), (4, 4)];
        let pairs = [
            vec![(2, 2), (2, 2), (3, 3)],
            vec![sources; 3],
            vec![targets; 3],
            vec![long; 2],
            vec![sources, targets],
        ];
        let told = pairs.map(|pairs| {
            let longest = pairs.iter().map(|pair| pair.0.max(pair.1)).max();
            let cells = longest.unwrap_or(0) * pairs.len();
            let into = match f(&pairs, 8).len() {
                1 => "1 batch, which",
                _ => "2 batches, though 1 batch",
            };
            format!("`{pairs:?}` into {into} has {cells} cells")
        });
        told.into()
    });

    let task = &decoding::greedy_decode::TASK;
    let wrong = "forgets goes-on keeps-end keeps-begin, one-too-many one-too-few";
    shown("greedy_decode", task, wrong, |f| {
        let next = |read: &[usize]| -> Vec<f32> {
            let id = [5, 6, 7, 2, 4][(read.len() - 1).min(4)];
            (0..8).map(|n| if n == id { -0.5 } else { -9.0 }).collect()
        };
        [5, 2]
            .map(|limit| format!("`{:?}`", f(&next, limit)))
            .into()
    });

    let wrong =
        "patience-in-all, by-training-loss, than-before, one-too-many, not-measured-before, right";
    shown("training_loop", &training_loop::TASK, wrong, |f| {
        let late: &[f64] = &[5.0, 3.0, 4.0, 4.0, 1.0];
        let courses: [&[f64]; 6] = [
            &[5.0, 6.0, 4.0, 6.0, 3.0, 6.0],
            &[5.0, 6.0, 4.0, 6.0, 3.0, 6.0],
            &[5.0, 3.0, 4.5, 4.0, 3.5, 1.0],
            late,
            &[1.0, 2.0, 3.0, 2.0],
            late,
        ];
        let told = courses.map(|course| {
            let best = f(&mut Course(course, 0), course.len() - 1, 2);
            let (course, last) = (short(course), best.losses.len());
            let kept = best.weights[0];
            format!("`{course}` ended after epoch {last}, with the weights of epoch {kept}")
        });
        told.into()
    });
}

/// A training with these validation losses, and the number of its epochs so far, which have one step each.
struct Course(&'static [f64], usize);

impl Training for Course {
    fn batches(&self, _: usize) -> Vec<usize> {
        vec![0]
    }

    fn step(&mut self, _: usize) -> f64 {
        self.1 += 1;
        1.0 / self.1 as f64
    }

    fn validate(&self) -> f64 {
        self.0[self.1]
    }

    fn weights(&self) -> Vec<f32> {
        vec![self.1 as f32]
    }
}

#[test]
fn wrong_losses_and_gradients_are_as_their_tasks_tell() {
    let task = &label_smoothing::check::TASK;
    let wrong = "over-all, over-others, by-vocabulary-minus-1, padding-shares, padding-rows, padding-gets-1";
    shown("smoothed_targets", task, wrong, |f| {
        let row = |target| f(&Tensor::new(&[1], vec![target]), 5, 0.3, 0);
        let (row, padding) = (row(2.0), row(0.0).sum());
        let p = |id: usize| f64::from(row.data()[id]);
        vec![
            tells(equal(p(2), 0.76), "The right token had 0.76"),
            tells(equal(p(0), 0.075), "Padding had 0.075"),
            tells(equal(row.sum(), 0.925), "A row added up to 0.925"),
            tells(equal(row.sum(), 1.1), "in another run to 1.1"),
            tells(equal(padding, 0.4), "the row added up to 0.4"),
            tells(equal(padding, 1.0), "in another run to 1."),
        ]
    });

    let task = &label_smoothing::cross_entropy::TASK;
    let wrong = "divided-by-all, gradient-of-padding, gradient-of-the-sum, no-one-hot, ascent";
    shown("cross_entropy", task, wrong, |f| {
        let row = matrix(1, &[1.0, 2.0, 0.5]);
        let rows = matrix(2, &row.data().repeat(2));
        let (loss, slope) = f(&row, &[0], 1);
        let (padded, twice) = (f(&rows, &[0, 1], 1), f(&rows, &[0, 0], 1));
        let moved = f(&row.zip(&slope, |x, d| x - 0.01 * d), &[0], 1).0;
        let same = twice.0 == loss && twice.1.data()[..3] == *slope.data();
        vec![
            tells(padded.0 < loss, "was appended, and the loss fell"),
            tells(padded.1.data()[3] != 0.0, "its gradient was not 0"),
            tells(same, "and so did the gradient of each position"),
            tells(equal(slope.sum(), 1.0), "its gradient added up to 1"),
            tells(moved > loss, "against the gradient raised the loss"),
        ]
    });

    let wrong = "mean-over-rows, no-upstream, dbias-first-row, dweight-times-weight, y-for-dy";
    shown("linear", &gradients::linear::TASK, wrong, |f| {
        let [x, weight] = [[1.0, 2.0, 3.0, 5.0], [2.0, 1.0, 4.0, 3.0]];
        let [dy, other] = [[1.0, 2.0, 4.0, 8.0], [1.0, 2.0, 5.0, 7.0]];
        let of = |x: &[f32], weight: &[f32], dy: &[f32]| {
            let [x, dy] = [x, dy].map(|cells| matrix(cells.len() / 2, cells));
            let bias = Tensor::new(&[2], vec![1.0, 2.0]);
            f(&x, &matrix(2, weight), &bias, &dy).1
        };
        let once = of(&x, &weight, &dy);
        let twice = of(&x.repeat(2), &weight, &dy.repeat(2));
        let dbias = of(&x, &weight, &other)[2] == once[2];
        let doubled = of(&x, &weight, &dy.map(|d| 2.0 * d));
        vec![
            tells(twice[1..] == once[1..], "`dweight` and `dbias` stayed"),
            tells(doubled == once, "all gradients stayed the same"),
            tells(dbias, "and `dbias` stayed the same"),
            tells(of(&x, &x, &dy)[1] != once[1], "`dweight` changed with"),
            tells(of(&dy, &weight, &dy)[0] != once[0], "`dx` changed with"),
        ]
    });
}

#[test]
fn wrong_links_and_costs_are_as_their_tasks_tell() {
    let wrong = "row-that-reads, with-end, found-only, recall, counted-once, right, right";
    shown("alignment", &looking_inside::check::TASK, wrong, |f| {
        let links = |largest: &[usize], truth: &[(usize, usize)]| {
            let weight = |i: &[usize]| f32::from(u8::from(largest[i[1]] == i[2]));
            f(&Tensor::from_fn(&[1, largest.len(), 3], weight), truth)
        };
        let four = [(0, 0), (1, 1), (2, 0), (2, 1)];
        let (found, _) = links(&[0, 1, 2, 2], &four);
        let few = links(&[0, 1, 0], &four).1;
        let many = links(&[0, 1, 2, 2, 0], &four[..2]).1;
        let exact = links(&[0, 1, 0], &four[..2]).1;
        vec![
            format!("`{found:?}`"),
            tells(found.len() == 4, "there were four"),
            tells(few == 0.0, "nothing else. The error was 0"),
            tells(many == 0.0, "two wrong ones. The error was 0"),
            tells(exact == 0.5, "the true ones. The error was 0.5"),
            format!("nothing else. The error was 0. In the right run, it is {few:.3}"),
            format!("two wrong ones. The error was 0. In the right run, it is {many:.3}"),
        ]
    });

    let task = &where_time_goes::check::TASK;
    let wrong = "weights-again, wide-heads, one-head, square, maps-of-target";
    shown("attention_cost", task, wrong, |f| {
        let [cost, longer] = [5, 9].map(|source| f(2, 3, source, 8, 2));
        let (batch, heads) = (f(4, 3, 5, 8, 2), f(2, 3, 5, 8, 4));
        let target = f(2, 6, 5, 8, 2);
        vec![
            tells(batch.bytes == 2 * cost.bytes, "exactly twice the bytes"),
            tells(heads.flops > cost.flops, "there were more operations"),
            tells(heads.bytes == cost.bytes, "as many bytes as before"),
            tells(
                longer == cost,
                "With a longer source, the cost was the same",
            ),
            tells(target.flops == 2 * cost.flops, "twice the operations"),
        ]
    });
}
