//! Cards about what the learner's model has done.

use std::collections::BTreeMap;

use crate::lesson::exercise::Failure;
use crate::lesson::exercise::report::{Card, Role};
use crate::lesson::mine::{
    self, CLOSE, Line, LossDifference, MINUTE, Order, Pace, Parts, Recorded, TIMED, Trained,
    Translated,
};
use crate::lesson::progress::Progress;
use crate::lesson::record::Record;

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
        Order::Record => mine::translating()
            .chain(mine::training())
            .any(|other| other == name && !["training_loop", "tiny_tape"].contains(&other)),
    }
}

/// Sentences on how long a training step takes and what that means for the rest of the run.
pub fn pace(pace: &Pace, order: &Order) -> String {
    let rest = match order {
        Order::Train { steps, .. } => {
            let left = steps.saturating_sub(TIMED);
            let seconds = left as f64 * (pace.own + pace.reference);
            format!(
                "the other {left} steps of both will take about {}",
                duration(seconds)
            )
        }
        Order::Translate { .. } | Order::Record => format!(
            "{} seconds are enough for about {:.0} steps",
            MINUTE.as_secs(),
            MINUTE.as_secs_f64() / pace.own
        ),
    };
    let slowest = pace.slowest.as_ref().map_or(String::new(), |slowest| {
        let name = &slowest.name;
        format!(
            "\nYour slowest function is {name}: it takes {} more per step than the reference, which --without {name} \
             runs instead.",
            duration(slowest.extra)
        )
    });
    format!(
        "Your step takes {}, the reference's {}: {rest}.{slowest}",
        duration(pace.own),
        duration(pace.reference)
    )
}

/// A duration with two digits or so: `40 ms`, `2.8 s`, `11 minutes`.
fn duration(seconds: f64) -> String {
    match seconds {
        0.0..0.1 => format!("{:.0} ms", 1000.0 * seconds),
        0.1..10.0 => format!("{seconds:.1} s"),
        10.0..90.0 => format!("{seconds:.0} s"),
        _ => format!("{:.0} minutes", seconds / 60.0),
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

/// Card of a run against the clock, whose figures become records in `progress` if they are better. Without a function of
/// the learner's nothing is a record.
pub fn recorded(found: &Recorded, own: &[&str], order: &Order, progress: &mut Progress) -> Card {
    let mut card = Card::default();
    let counts = !own.is_empty();
    let minute = MINUTE.as_secs();
    card.text(match found.loss {
        Some(loss) => format!(
            "After {minute} seconds of training, {} updates, the loss of new sentences is {loss:.4} nats per token.",
            found.updates
        ),
        None => format!(
            "After {minute} seconds of training, {} updates, the loss of new sentences is NaN or infinite.",
            found.updates
        ),
    });
    if let Some(loss) = found.loss.filter(|_| counts) {
        card.push(Role::Good, Record::Minute.enter(loss, progress));
    }
    card.gap();
    let (equal, all) = (found.equal, found.sentences);
    card.text(format!(
        "Your functions translated {all} sentences in {:.1} s; {equal} of them as the references do.",
        found.seconds
    ));
    if equal < all {
        card.push(
            Role::Note,
            "This counts as a record only if all translations are equal.",
        );
    } else if counts {
        card.push(Role::Good, Record::Decoding.enter(found.seconds, progress));
    }
    card.gap();
    card.text(whose(own, order));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::mine::Slowest;

    #[test]
    fn the_pace_gives_the_rest_of_a_training_and_the_slowest_function() {
        let mut measured = Pace {
            own: 2.8,
            reference: 0.04,
            slowest: None,
        };
        let order = Order::Train {
            steps: 240,
            seed: 7,
        };
        assert_eq!(
            pace(&measured, &order),
            "Your step takes 2.8 s, the reference's 40 ms: the other 235 steps of both will take about 11 minutes."
        );
        measured.slowest = Some(Slowest {
            name: "linear".to_owned(),
            extra: 2.5,
        });
        assert_eq!(
            pace(&measured, &Order::Record),
            "Your step takes 2.8 s, the reference's 40 ms: 60 seconds are enough for about 21 steps.\n\
             Your slowest function is linear: it takes 2.5 s more per step than the reference, which --without linear \
             runs instead."
        );
    }
}
