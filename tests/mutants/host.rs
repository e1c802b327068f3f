//! The program that contains all mutants, built and run by tests/mutants:
//! `cargo test --test mutants -- --ignored --nocapture`.
//!
//! It tries the mutants one by one from a given number on, and prints what each check found. A mutant that does not
//! end, or uses too much memory, ends the program, which is then restarted with the next mutant.

#![allow(warnings)]

use std::process::ExitCode;
use std::time::Duration;

use transformer_tutor::autograd::Var;
use transformer_tutor::lesson::Lesson;
use transformer_tutor::lesson::exercise::{Outcome, attempt, learner::within, limit_memory};

include!(env!("TRANSFORMER_TUTOR_MUTANTS"));

/// The same values as a constant, through which no gradient flows.
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
        let found = within(Duration::from_secs(10), move || {
            attempt("the check", check).and_then(|outcome| outcome)
        });
        match found {
            Some(Ok(Ok(()))) => println!("{n} survived"),
            Some(Ok(Err(failure))) => {
                let said = match failure.mistake.or(failure.likely) {
                    Some(name) => format!("named {name}"),
                    None => match failure.relation {
                        Some(relation) => format!("shown {relation}"),
                        None => format!("failed {}", failure.sentence),
                    },
                };
                println!("{n} {}", said.replace('\n', " "));
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
