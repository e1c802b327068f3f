//! The learner's functions against the clock.

use std::time::Duration;

use super::order::Recorded;
use super::pace::{Pace, TIMED, Times, timed};
use super::parts::{Mine, Parts};
use super::training::{SEED, TrainingRun};
use super::translating::Reader;
use crate::text::phrasebook::{Part, pairs};
use crate::train::built_in::{BuiltIn, Loaded};

/// Time for training.
pub const MINUTE: Duration = Duration::from_secs(60);

/// Number of held-out sentences translated.
pub(super) const SENTENCES: usize = 20;

/// Number of batches with new sentences; after them the training begins again with the first.
const BATCHES: usize = 2000;

/// Trains for `time`, and translates [`SENTENCES`] sentences with the weights of the phrasebook's model. `seen` gets the
/// pace of the first steps, which are repeated with the references for it, off the clock. `Err` if that model can't
/// run.
pub(super) fn recorded(
    mine: &Mine,
    time: Duration,
    seen: impl Fn(Pace),
) -> Result<Recorded, String> {
    let parts = &mine.parts;
    let mut training = TrainingRun::new(*parts, BATCHES, SEED);
    let mut times = Times::default();
    let mut updates = 0;
    while times.own < time {
        timed(&mut times.own, || training.step());
        updates += 1;
        if updates == TIMED {
            let mut reference = TrainingRun::new(Parts::default(), TIMED, SEED);
            for _ in 0..TIMED {
                timed(&mut times.reference, || reference.step());
            }
            seen(Pace::measure(times, mine, &reference.state()));
        }
    }
    let loss = training.held_out_loss();

    let translator = Loaded::BuiltIn(BuiltIn::Phrasebook);
    let reader = Reader::new(&translator)?;
    let mut translating = Duration::ZERO;
    let mut equal = 0;
    let pairs = pairs(Part::HeldOut, SENTENCES);
    for pair in &pairs {
        let src = reader.source(&pair.german.join(" "))?;
        let (own, _) = timed(&mut translating, || reader.translation(parts, &src));
        let (reference, _) = reader.translation(&Parts::default(), &src);
        equal += usize::from(own.ids == reference.ids);
    }
    Ok(Recorded {
        updates,
        loss: Some(loss).filter(|loss| loss.is_finite()),
        sentences: pairs.len(),
        equal,
        seconds: translating.as_secs_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_references_equal_themselves_and_more_updates_give_a_smaller_loss() {
        let short = recorded(&Mine::default(), Duration::ZERO, |_| {}).expect("the model runs");
        assert_eq!((short.updates, short.sentences), (0, SENTENCES));
        assert_eq!(short.equal, SENTENCES);
        let untrained = short.loss.expect("it is finite");
        let mut training = TrainingRun::new(Parts::default(), 40, SEED);
        (0..40).for_each(|_| {
            training.step();
        });
        assert!(training.held_out_loss() < untrained);
    }
}
