//! The main function of the target `mine`, which is the learner's process.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use super::in_step::beside_reference;
use super::order::{Answer, Order};
use super::parts::Mine;
use super::report::send;
use super::translating::Reader;
use crate::lesson::environment;
use crate::lesson::exercise::handover::Sender;
use crate::lesson::exercise::learner::within;
use crate::lesson::exercise::verdict::{LATE, MEMORY, seconds};
use crate::lesson::exercise::{Failure, attempt, limit_memory};
use crate::tensor::blas;
use crate::train::built_in::{BuiltIn, Loaded};
use crate::train::checkpoint;

/// Carries out the tutor's [`Order`] with the learner's functions, within the time and memory limits, and sends the
/// answer to the tutor. Ends the process, whatever the functions do.
pub fn main(mine: Mine) -> ExitCode {
    // Must come first, while there is only one thread.
    blas::prepare();
    limit_memory(MEMORY);
    let order = std::env::var(environment::ORDER).ok();
    let order = order.and_then(|json| serde_json::from_str::<Order>(&json).ok());
    let (Some(order), Some(tutor)) = (order, Sender::open()) else {
        eprintln!("This target holds your model. The program runs it: cargo run -- mine");
        return ExitCode::from(2);
    };
    let answer = match within(Duration::from_secs_f64(seconds()), move || {
        done(&order, &mine)
    }) {
        Some(Ok(answer)) => answer,
        Some(Err(sentence)) => Answer::Failed(Failure::new(sentence)),
        None => std::process::exit(LATE),
    };
    let failed = matches!(answer, Answer::Failed(_));
    if let Err(e) = tutor.send(&answer) {
        eprintln!("the answer did not reach the tutor: {e}");
    }
    // Exit rather than return, because a function that does not end may still be at work on its thread.
    std::process::exit(i32::from(failed))
}

fn done(order: &Order, mine: &Mine) -> Answer {
    let answer = match order {
        Order::Translate { model, lines } => translated(model, lines, mine),
        Order::Train { steps, seed } => attempt("training", || {
            Answer::Trained(beside_reference(mine, *steps, *seed, send))
        }),
    };
    answer.unwrap_or_else(Answer::Failed)
}

fn translated(model: &str, lines: &[String], mine: &Mine) -> Result<Answer, Box<Failure>> {
    let translator = match BuiltIn::named(model) {
        Some(model) => Loaded::BuiltIn(model),
        None => {
            let loaded = checkpoint::load(Path::new(model));
            Loaded::Own(Box::new(loaded.map_err(|e| Failure::new(e.to_string()))?))
        }
    };
    let reader = Reader::new(&translator).map_err(Failure::new)?;
    let outcome = attempt("translating", || reader.translate(mine, lines))?;
    outcome.map(Answer::Translated).map_err(Failure::new)
}
