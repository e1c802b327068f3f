//! Training runs side by side, drawn while they go on.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use crate::tensor::threads::{AVAILABLE, Scope};

pub mod lane;
pub mod record;
pub mod seeds;

/// Trains all lanes, `at_once` at a time, and returns the last state that each reported.
///
/// `train` trains one lane, reports each new state, and ends when the reply is to break. `tell` gets the states of all
/// lanes and the number of reports after each one; if it breaks, every lane is stopped and `tell` is not called again.
pub fn side_by_side<T: Send>(
    mut all: Vec<T>,
    at_once: usize,
    train: impl Fn(usize, OnState<'_, T>) + Sync,
    tell: &mut dyn FnMut(&[T], usize) -> ControlFlow<()>,
) -> Vec<T> {
    let (lanes, train, stopped) = (all.len(), &train, &AtomicBool::new(false));
    let go_on = || {
        if stopped.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let mut reports = 0;
    let mut hear = |lane: usize, now: T| {
        all[lane] = now;
        reports += 1;
        if go_on().is_continue() && tell(&all, reports).is_break() {
            stopped.store(true, Ordering::Relaxed);
        }
    };
    if !AVAILABLE {
        for lane in 0..lanes {
            train(lane, &mut |now| {
                hear(lane, now);
                go_on()
            });
        }
        return all;
    }
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        let work = |worker: usize, send: mpsc::Sender<(usize, T)>| {
            for lane in (worker..lanes).step_by(at_once) {
                train(lane, &mut |now| {
                    // The receiver outlives all lanes.
                    let _ = send.send((lane, now));
                    go_on()
                });
            }
        };
        let begin = |worker| {
            let (send, here) = (send.clone(), Scope::here());
            scope.spawn(move || here.enter(|| work(worker, send)))
        };
        let workers: Vec<_> = (0..at_once).map(begin).collect();
        drop(send);
        receive.iter().for_each(|(lane, now)| hear(lane, now));
        for worker in workers {
            // Propagate a lane's panic, or its cancellation, with its own message.
            worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    all
}

/// Callback that receives a lane's state and decides whether it goes on.
pub type OnState<'a, T = usize> = &'a mut dyn FnMut(T) -> ControlFlow<()>;

/// Loss curve with `each` steps averaged into one point, because the loss of a single batch is noisy.
pub fn smooth(losses: &[f64], each: usize) -> Vec<(f64, f64)> {
    let points = losses.chunks(each).enumerate();
    let middle = |n: usize| each as f64 * (n as f64 + 0.5);
    points.map(|(n, some)| (middle(n), mean(some))).collect()
}

/// Number of losses that [`last`] averages.
const LAST: usize = 20;

/// Mean of the last losses.
pub fn last(losses: &[f64]) -> f64 {
    mean(&losses[losses.len().saturating_sub(LAST)..])
}

fn mean(losses: &[f64]) -> f64 {
    losses.iter().sum::<f64>() / losses.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts to `end` and reports every number.
    fn count(end: usize, tell: &mut dyn FnMut(usize) -> ControlFlow<()>) {
        for n in 1..=end {
            if tell(n).is_break() {
                break;
            }
        }
    }

    #[test]
    fn all_lanes_come_to_their_end_and_are_seen_on_the_way() {
        let mut seen = 0;
        let all = side_by_side(
            vec![0; 7],
            4,
            |lane, tell| count(10 + lane, tell),
            &mut |all, reports| {
                assert_eq!(all.iter().sum::<usize>(), reports);
                seen = reports;
                ControlFlow::Continue(())
            },
        );
        assert_eq!(all, [10, 11, 12, 13, 14, 15, 16]);
        assert_eq!(seen, all.iter().sum::<usize>());
    }

    #[test]
    fn a_race_that_is_stopped_ends() {
        let all = side_by_side(
            vec![0; 3],
            3,
            |_, tell| count(usize::MAX, tell),
            &mut |_, reports| match reports {
                9 => ControlFlow::Break(()),
                reports => {
                    assert!(reports < 9, "it is called no more");
                    ControlFlow::Continue(())
                }
            },
        );
        assert!(all.iter().sum::<usize>() >= 9);
    }
}
