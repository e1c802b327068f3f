//! Access to the newest checkpoints of a run that may be training at the same time.

use std::path::{Path, PathBuf};

use super::checkpoint::{self, CheckpointError, MODEL, has};

/// Maximum number of attempts.
const TRIES: usize = 20;

/// Runs `work` on the `last` newest checkpoints of `run`, oldest first. Tries again if it fails because training has
/// pruned one of them in the meantime.
pub fn with_newest<T, E: From<CheckpointError>>(
    run: &Path,
    last: usize,
    mut work: impl FnMut(&[(usize, PathBuf)]) -> Result<T, E>,
) -> Result<T, E> {
    for _ in 0..TRIES {
        let all = checkpoint::list(run);
        let newest = &all[all.len().saturating_sub(last)..];
        let done = work(newest);
        let is_whole = newest.iter().all(|(_, folder)| has(folder, &MODEL));
        if done.is_ok() || is_whole {
            return done;
        }
    }
    let path = run.into();
    Err(CheckpointError::Pruned { path }.into())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::assert_contains;

    /// Creates a run with checkpoints at these steps, whose files are empty.
    fn run(steps: &[usize]) -> tempfile::TempDir {
        let run = tempfile::tempdir().unwrap();
        steps.iter().for_each(|step| keep(run.path(), *step));
        run
    }

    fn keep(run: &Path, step: usize) {
        let folder = run.join(checkpoint::folder_name("step", step));
        fs::create_dir(&folder).unwrap();
        for file in MODEL {
            fs::write(folder.join(file), "").unwrap();
        }
    }

    fn failed() -> CheckpointError {
        CheckpointError::NoModel {
            path: PathBuf::new(),
        }
    }

    #[test]
    fn a_checkpoint_that_is_pruned_meanwhile_is_replaced_by_the_next() {
        let run = run(&[1, 2, 3]);
        let mut calls = 0;
        let outcome = with_newest(run.path(), 2, |newest| {
            calls += 1;
            if calls == 1 {
                fs::remove_dir_all(&newest[0].1).unwrap();
                keep(run.path(), 4);
                return Err(failed());
            }
            Ok(newest.iter().map(|(step, _)| *step).collect::<Vec<_>>())
        });
        assert_eq!((outcome.unwrap(), calls), (vec![3, 4], 2));
    }

    #[test]
    fn an_error_of_its_own_is_no_reason_to_try_again() {
        let run = run(&[1, 2]);
        let mut calls = 0;
        let outcome = with_newest(run.path(), 2, |_| -> Result<(), CheckpointError> {
            calls += 1;
            Err(failed())
        });
        assert!(matches!(outcome, Err(CheckpointError::NoModel { .. })));
        assert_eq!(calls, 1);
    }

    #[test]
    fn a_run_that_always_prunes_ends_with_a_sentence() {
        let run = run(&(1..=30).collect::<Vec<_>>());
        let outcome = with_newest(run.path(), 3, |newest| -> Result<(), CheckpointError> {
            fs::remove_dir_all(&newest[0].1).unwrap();
            Err(failed())
        });
        let message = outcome.unwrap_err().to_string();
        assert_contains(
            &message,
            "is being trained faster than its checkpoints can be read",
        );
    }
}
