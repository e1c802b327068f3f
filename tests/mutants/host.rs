//! All mutants in one program, made and run by tests/mutants: `cargo test --test mutants -- --ignored --nocapture`.
//!
//! It checks them one by one, starting from the given number, and prints the outcome of each. A mutant that does not
//! end, or uses all memory, ends the program, which is then started again with the next one.

#![allow(warnings)]

use std::process::ExitCode;
use std::time::Duration;

use transformer_tutor::autograd::Var;
use transformer_tutor::lesson::Lesson;
use transformer_tutor::lesson::exercise::{Outcome, attempt, learner::within, limit_memory};

include!(env!("TRANSFORMER_TUTOR_MUTANTS"));

/// Separates the causes of a solution with two mistakes, as in tests/mutants/wrong.rs.
const SEPARATOR: &str = " | ";

/// The same values, without a path for gradients.
fn detached(x: &Var) -> Var {
    let axes = x.axes();
    x.tape().constant("detached", x.value(), &axes)
}

fn main() -> ExitCode {
    transformer_tutor::tensor::blas::prepare();
    limit_memory(2 << 30);
    let first = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    for (n, check) in ALL.iter().enumerate().skip(first) {
        let result = within(Duration::from_secs(10), move || {
            attempt("the check", check).and_then(|outcome| outcome)
        });
        match result {
            Some(Ok(Ok(()))) => println!("{n} survived"),
            Some(Ok(Err(failure))) => {
                let mut causes = failure.mistakes;
                causes.extend(failure.likely.into_iter().chain(failure.also));
                let reply = match (causes.is_empty(), failure.relation) {
                    (false, _) => format!("named {}", causes.join(SEPARATOR)),
                    (true, Some(relation)) => format!("shown {relation}"),
                    (true, None) => format!("failed {}", failure.sentence),
                };
                println!("{n} {}", reply.replace('\n', " "));
            }
            Some(Err(_)) => println!("{n} stopped"),
            None => {
                println!("{n} stopped");
                std::process::exit(1);
            }
        }
    }
    println!("all");
    ExitCode::SUCCESS
}
