//! Cards about what the learner's model has done.

use std::collections::BTreeMap;

use crate::lesson::exercise::Failure;
use crate::lesson::exercise::report::{Card, Role};
use crate::lesson::mine::{self, CLOSE, Line, LossDifference, Order, Parts, Trained, Translated};

/// Sentence that names those of the learner's functions that have a place in `order`.
pub fn whose(own: &[&str], order: &Order) -> String {
    let places: Vec<&str> = Parts::NAMES
        .iter()
        .copied()
        .filter(|name| runs(name, order))
        .collect();
    let own: Vec<&str> = places
        .iter()
        .copied()
        .filter(|name| own.contains(name))
        .collect();
    match own.len() {
        0 => "None of the functions is yours yet: the references run. `exercise start scale_embeddings` begins.".to_owned(),
        n if n == places.len() => format!("All {n} functions that run are yours."),
        _ => format!("Yours: {}. The references run in the other places.", own.join(", ")),
    }
}

/// True if a translation or a training has a place for the function.
fn runs(name: &str, order: &Order) -> bool {
    match order {
        Order::Translate { .. } => mine::translating().any(|other| other == name),
        Order::Train { .. } => mine::training().any(|other| other == name),
    }
}

/// Card for a model that stopped early.
pub fn failed(failure: &Failure) -> Card {
    let mut card = Card::default();
    card.push(Role::Bad, "✗ your model stopped early");
    card.gap();
    card.text(&failure.sentence);
    if let Some(at) = &failure.at {
        card.dim(format!("at {at}"));
    }
    card
}

/// True if the learner's functions give the same translation as the references.
pub fn equal(line: &Line) -> bool {
    line.own.ids == line.reference.ids && line.difference.is_some_and(|far| far <= CLOSE)
}

/// Order of magnitude of a difference as text, or `0`.
fn size(difference: Option<f32>) -> String {
    match difference {
        None => "no comparable numbers".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(far) => format!("{far:.1e}"),
    }
}

/// Card of translations.
pub fn translated(outcome: &Translated, own: &[&str], order: &Order) -> Card {
    let mut card = Card::default();
    for line in &outcome.lines {
        card.text(format!("{}\n  → {}", line.source, line.own.text));
        let same = match (line.own.ids == line.reference.ids, line.difference) {
            _ if own.is_empty() => continue,
            (true, Some(0.0)) => {
                "The reference writes the same, and every log-probability is equal to the last bit."
                    .to_owned()
            }
            (true, Some(far)) if far <= CLOSE => format!(
                "The reference writes the same. The log-probabilities differ by {far:.1e} at most: rounding, because the order of operations differs."
            ),
            (true, far) => format!(
                "The reference writes the same tokens, but the log-probabilities differ: {}.",
                size(far)
            ),
            (false, far) => format!(
                "The reference writes: {}. The log-probabilities of your tokens differ: {}.",
                line.reference.text,
                size(far)
            ),
        };
        card.push(if equal(line) { Role::Good } else { Role::Bad }, same);
        if let Some([own, reference]) = &line.greedy {
            let (role, sentence) = if own == reference {
                (
                    Role::Good,
                    format!("Your greedy_decode writes “{own}”, as the engine's does."),
                )
            } else {
                (
                    Role::Bad,
                    format!("Your greedy_decode writes “{own}”, the engine's “{reference}”."),
                )
            };
            card.push(role, sentence);
        }
        if !equal(line) {
            card.text("Largest difference with one of your functions at a time, all others being the reference:");
            for (name, far) in &line.by_part {
                card.code(format!("  {name:<22} {}", size(*far)));
            }
        }
        card.gap();
    }
    card.text(whose(own, order));
    unused(&mut card, own, &outcome.calls, order);
    card
}

/// Names the learner's functions that did not run although `order` has a place for them.
fn unused(card: &mut Card, own: &[&str], calls: &BTreeMap<String, usize>, order: &Order) {
    let idle =
        |name: &&&str| runs(name, order) && calls.get(**name).is_none_or(|&calls| calls == 0);
    let idle: Vec<&str> = own.iter().filter(idle).copied().collect();
    if !idle.is_empty() {
        card.text(format!(
            "Not called: {}. The model's form has no place for it, or the function around it does not call it.",
            idle.join(", ")
        ));
    }
}

/// Names the functions from which the difference between the losses comes.
fn parted(card: &mut Card, parting: &LossDifference) {
    let culprits: Vec<&str> = parting.culprits().collect();
    let step = parting.step;
    card.push(
        Role::Bad,
        match culprits[..] {
            [] => format!("None of your functions makes the difference at step {step} on its own: two or more act together."),
            [one] => format!("The difference at step {step} comes from {one}."),
            _ => format!("Each of these makes a difference at step {step} on its own: {}.", culprits.join(", ")),
        },
    );
    card.text("Difference of the loss there with one of your functions at a time, all others being the reference:");
    let (still, moved): (Vec<_>, Vec<_>) = parting
        .by_part
        .iter()
        .partition(|(_, far)| *far == Some(0.0));
    for (name, far) in moved {
        card.code(format!("  {name:<22} {}", size(far.map(|far| far as f32))));
    }
    if !still.is_empty() {
        card.dim(format!("  none by the {} others", still.len()));
    }
}

/// Card of a training run.
pub fn trained(outcome: &Trained, own: &[&str], order: &Order) -> Card {
    let mut card = Card::default();
    card.gap();
    let steps = outcome.reference.len();
    let end = |losses: &[f64]| {
        losses
            .last()
            .map_or("NaN or infinite".to_owned(), |l| format!("{l:.6}"))
    };
    card.text(format!(
        "After {steps} steps the loss is {}, the reference's {}.",
        end(&outcome.losses),
        end(&outcome.reference)
    ));
    match outcome.parts_at() {
        None => card.push(
            Role::Good,
            format!("All {steps} losses are equal to the last bit."),
        ),
        Some(at) if at > outcome.losses.len() => card.push(
            Role::Bad,
            format!("At step {at} your loss became NaN or infinite."),
        ),
        Some(at) => {
            let far = (outcome.losses[at - 1] - outcome.reference[at - 1]).abs();
            let parted = outcome.parting.as_ref().map(|parting| parting.step);
            card.push(
                Role::Note,
                match parted.filter(|step| *step > at) {
                    Some(step) => format!("From step {at} to step {} the losses differ by rounding only, at first by {far:.1e}.", step - 1),
                    None => format!("The losses differ from step {at} on, there by {far:.1e}. Below 1e-6 that is rounding, which training amplifies."),
                },
            );
        }
    }
    if let Some(parting) = &outcome.parting {
        parted(&mut card, parting);
    }
    let [own_right, right] = outcome.right.map(|right| 100.0 * right);
    card.text(format!(
        "Of 20 new sentences your model copies {own_right:.0} % of the tokens, the reference {right:.0} %."
    ));
    for figure in &outcome.figures {
        let own = figure
            .own
            .map_or("NaN or infinite".to_owned(), |own| format!("{own:.6}"));
        let (role, end) = if figure.agrees() {
            (Role::Good, String::new())
        } else {
            (
                Role::Bad,
                format!(" The difference comes from {}.", figure.name),
            )
        };
        card.push(
            role,
            format!(
                "{}: {} is {own}, by the reference {:.6}.{end}",
                figure.name, figure.what, figure.reference
            ),
        );
    }
    if !outcome.without_gradient.is_empty() {
        card.push(
            Role::Bad,
            format!(
                "These parameters got no finite gradient in the first step: {}.",
                outcome.without_gradient.join(", ")
            ),
        );
    }
    unused(&mut card, own, &outcome.calls, order);
    card
}
