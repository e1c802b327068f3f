//! Outcomes of trainings from several seeds. They were trained beforehand by a test, which writes the file that comes
//! with the program.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::built::Built;
use super::outcome::Outcome;
use super::rung::{Fault, Rung};
use crate::lesson::race::seeds::Spread;

/// Seed of the reader's own training, and the first of those that are recorded.
pub const FIRST: u64 = 1;

/// All recorded outcomes.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    run: Vec<Outcome>,
}

static RECORD: LazyLock<Record> = LazyLock::new(|| {
    toml::from_str(include_str!("record.toml")).expect("it is part of the program")
});

/// The recorded outcomes of some parts, by seed; none if they were not trained beforehand.
pub fn outcomes(parts: Rung, fault: Option<Fault>) -> Vec<&'static Outcome> {
    let all = RECORD.run.iter();
    all.filter(|run| (run.parts, run.fault) == (parts, fault))
        .collect()
}

/// The recorded outcome of this very training.
pub fn outcome(built: Built) -> Option<&'static Outcome> {
    let mut all = outcomes(built.rung, built.fault).into_iter();
    all.find(|run| run.seed == built.seed)
}

/// Spread of a number over the seeds; `None` without any.
pub fn spread(runs: &[&Outcome], of: impl Fn(&Outcome) -> f64) -> Option<Spread> {
    let all: Vec<f64> = runs.iter().map(|run| of(run)).collect();
    (!all.is_empty()).then(|| Spread::of(&all))
}

/// A fact from the record: `right` (of 100), `loss` or `next_right` (of 1), the mean over the seeds; with `_least` or
/// `_most` at the end for the extremes. The parts and the fault are those of `shown`, or are named: `right_one_head`,
/// `loss_complete_no_norm_least`.
pub fn fact(name: &str, shown: Option<Built>) -> Option<f64> {
    let which = ["least", "most"];
    let (rest, which) = which
        .into_iter()
        .find_map(|which| Some((name.strip_suffix(which)?.strip_suffix('_')?, which)))
        .unwrap_or((name, "mean"));
    let (of, rest): (fn(&Outcome) -> f64, _) = if let Some(rest) = rest.strip_prefix("right") {
        (|run| run.right as f64, rest)
    } else if let Some(rest) = rest.strip_prefix("loss") {
        (|run| run.loss, rest)
    } else {
        (|run| run.next_right, rest.strip_prefix("next_right")?)
    };
    let (parts, fault) = match rest {
        "" => shown.map(|built| (built.rung, built.fault))?,
        _ => named(&rest.strip_prefix('_')?.replace('_', "-"))?,
    };
    spread(&outcomes(parts, fault), of)?.get(which)
}

/// Parts, and perhaps a fault after them: `one-head-no-shift`.
fn named(name: &str) -> Option<(Rung, Option<Fault>)> {
    if let Some(parts) = Rung::named(name) {
        return Some((parts, None));
    }
    Fault::ALL.into_iter().find_map(|fault| {
        let parts = name.strip_suffix(fault.name())?.strip_suffix('-')?;
        Some((Rung::named(parts)?, Some(fault)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::alone;

    /// Number of seeds.
    const SEEDS: u64 = 3;

    /// Every rung, and each fault where a page shows it and in the complete model.
    fn lanes() -> Vec<(Rung, Option<Fault>)> {
        let sound = Rung::ALL.map(|rung| (rung, None));
        let broken = [
            (Rung::OneHead, Fault::NoShift),
            (Rung::SelfAttention, Fault::NoMask),
            (Rung::Complete, Fault::NoShift),
            (Rung::Complete, Fault::NoMask),
            (Rung::Complete, Fault::NoResidual),
            (Rung::Complete, Fault::NoNorm),
        ];
        let broken = broken.map(|(rung, fault)| (rung, Some(fault)));
        [&sound[..], &broken[..]].concat()
    }

    #[test]
    #[ignore = "trains for minutes, and writes to record.toml after each training; empty it (run = []) to make it anew"]
    fn the_record_is_made() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lesson/so_far/record.toml");
        let mut record: Record = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for seed in (FIRST..).take(SEEDS as usize) {
            for (rung, fault) in lanes() {
                let built = Built { rung, fault, seed };
                let known = |run: &Outcome| (run.parts, run.fault, run.seed) == (rung, fault, seed);
                if record.run.iter().any(known) {
                    continue;
                }
                record.run.push(alone(|| Outcome::of(built)));
                record
                    .run
                    .sort_by_key(|run| (run.fault, run.parts, run.seed));
                std::fs::write(
                    concat!(env!("CARGO_MANIFEST_DIR"), "/src/lesson/so_far/record.toml"),
                    toml::to_string(&record).unwrap(),
                )
                .unwrap();
            }
        }
    }

    #[test]
    fn every_rung_and_fault_is_recorded_from_every_seed() {
        assert_eq!(RECORD.run.len(), lanes().len() * SEEDS as usize);
        for (rung, fault) in lanes() {
            for seed in (FIRST..).take(SEEDS as usize) {
                let known = outcome(Built { rung, fault, seed });
                assert!(known.is_some(), "{rung:?} {fault:?} {seed}");
            }
        }
    }

    /// Other chips round differently, and training amplifies the difference.
    #[test]
    fn a_short_training_ends_as_recorded() {
        let built = Built {
            rung: Rung::Average,
            fault: None,
            seed: FIRST,
        };
        let (now, then) = (alone(|| Outcome::of(built)), outcome(built).unwrap());
        assert!((now.loss - then.loss).abs() < 0.15 * then.loss, "{now:?}");
        assert!(now.right.abs_diff(then.right) <= 10, "{now:?}");
    }

    #[test]
    fn facts_name_parts_faults_and_extremes() {
        let shown = Built {
            rung: Rung::Echo,
            ..Built::default()
        };
        assert_eq!(fact("right", Some(shown)), fact("right_echo", None));
        assert!(fact("right_one_head_least", None) <= fact("right_one_head", None));
        assert!(fact("next_right_one_head_no_shift", None) > Some(0.9));
        assert_eq!(fact("right", None), None);
        assert_eq!(fact("loss_echo_no_shift", None), None, "it is not recorded");
    }
}
