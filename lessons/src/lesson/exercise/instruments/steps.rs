//! Steps of the reference with which, changed, it may give a learner's wrong result.

use crate::autograd::{Alteration, Altered};

/// Alterations of a step that a person could have made.
pub(super) fn alterations(step: &Altered) -> Vec<Alteration> {
    use Alteration::{Exchanged, InverseFactor, Inverted, LeftOut, Negated, Twice};
    match (step.op, step.inputs.len()) {
        ("add", _) => vec![LeftOut(0), LeftOut(1), Negated],
        ("sub", _) => vec![LeftOut(0), LeftOut(1), Negated, Exchanged],
        ("mul", _) => vec![LeftOut(0), LeftOut(1), Inverted],
        ("div", _) => vec![LeftOut(0), LeftOut(1), Inverted, Exchanged],
        ("scale", _) => vec![LeftOut(0), InverseFactor, Twice],
        (_, 1) => vec![LeftOut(0), Twice],
        (_, 2) => vec![LeftOut(0), Exchanged],
        _ => vec![LeftOut(0)],
    }
}

/// What is certain if the reference gives the same result with this step altered.
pub(super) fn altered_step(step: &Altered, how: Alteration) -> String {
    let inputs: Vec<String> = step.inputs.iter().map(|name| format!("`{name}`")).collect();
    let op = step.op;
    let whole = format!("`{op}` of {}", inputs.join(" and "));
    let gives = match &step.output {
        output if output.rsplit('.').next() == Some(op) => String::new(),
        output => format!(", which gives `{output}`"),
    };
    match how {
        Alteration::LeftOut(n) if inputs.len() > 1 => format!(
            "Your result is what comes out if {} takes the place of the step {whole}{gives}.",
            inputs[n]
        ),
        Alteration::LeftOut(_) => format!("You leave a step out: {whole}{gives}."),
        Alteration::Twice => format!("You take a step twice: {whole}{gives}."),
        Alteration::Exchanged => format!("The two sides of a step are exchanged: {whole}{gives}."),
        Alteration::InverseFactor => {
            format!("You multiply where you should divide, or the other way round: {whole}{gives}.")
        }
        Alteration::Negated => {
            let [is, should] = if op == "add" {
                ["subtract", "add"]
            } else {
                ["add", "subtract"]
            };
            format!("You {is} where you should {should}: {whole}{gives}.")
        }
        Alteration::Inverted => {
            let [is, should] = if op == "mul" {
                ["divide", "multiply"]
            } else {
                ["multiply", "divide"]
            };
            format!("You {is} where you should {should}: {whole}{gives}.")
        }
    }
}
