//! Runs of a figure with two of its settings changed, so that a control keeps what another one has chosen.

use super::data::{BrokenRun, PairRun, SliderRuns, ValueRun};
use super::{CELLS_PER_RUN, Choice, FigureRequest, arrange, select_place, shown_name, view};
use crate::lesson::session::Session;

/// Maximum number of such runs for a pair of controls.
const MANY: usize = 24;

/// Bytes of operands shipped for all such runs of a figure together.
const OPERANDS: usize = 8_000;

/// Maximum bytes of all such runs of a figure together. If they are larger, the figure goes without.
const COMBINED_BYTES: usize = 100_000;

/// A change of one setting.
enum Change<'a> {
    /// Switches the mistake of this number on, or off if the figure has it on.
    Mistake(usize),
    Knob {
        name: &'a str,
        value: &'a str,
    },
    /// Place on the axis of a [`Choice`] with this name.
    Place {
        name: &'a str,
        at: usize,
    },
}

impl Change<'_> {
    /// Applies the change. `Err` if the run refuses it, or there is no such head or token.
    fn apply(&self, session: &mut Session) -> Result<(), String> {
        match *self {
            Self::Mistake(number) => {
                let name = session.lesson().mistakes[number - 1].name;
                session.switch(name, !session.settings().broken(name))
            }
            Self::Knob { name, value } => session.set(name, value),
            Self::Place { name, at } => match Choice::of(session) {
                Some(choice) if at < choice.count => select_place(session, choice.axis, at),
                _ => Err(format!("there is no {name} {at}")),
            },
        }
    }

    /// Name and value under which the page looks the change up.
    fn key(&self) -> (&str, String) {
        match *self {
            Self::Mistake(number) => ("mistake", number.to_string()),
            Self::Knob { name, value } => (name, value.to_owned()),
            Self::Place { name, at } => (name, at.to_string()),
        }
    }
}

/// The runs for each pair of the figure's controls. Pairs with too many values are left out, and so are runs that are
/// refused or lack the tensor shown.
pub fn all(
    session: &mut Session,
    wanted: &FigureRequest<'_>,
    runs: &[BrokenRun],
    sliders: &[SliderRuns],
) -> Result<Vec<PairRun>, String> {
    let mut controls: Vec<Vec<Change<'_>>> = sliders.iter().map(changes).collect();
    let mistakes = runs.iter().map(|run| Change::Mistake(run.number));
    controls.insert(0, mistakes.collect());
    let mut pairs = Vec::new();
    for (at, first) in controls.iter().enumerate() {
        for second in &controls[at + 1..] {
            if first.len() * second.len() <= MANY {
                pairs.extend(
                    first
                        .iter()
                        .flat_map(|one| second.iter().map(move |two| [one, two])),
                );
            }
        }
    }
    if pairs.is_empty() || session.run().cells() > CELLS_PER_RUN {
        return Ok(Vec::new());
    }
    let budget = OPERANDS / pairs.len();
    let mut drawn = Vec::new();
    for pair in &pairs {
        drawn.extend(run(session, wanted, pair, budget)?);
    }
    arrange(session, wanted)?;
    let bytes = serde_json::to_string(&drawn).map_or(0, |json| json.len());
    if bytes > COMBINED_BYTES {
        drawn.clear();
    }
    Ok(drawn)
}

/// The values of a slider other than the figure's own, whose run has no drawing of its own.
fn changes<'s>(slider: &'s SliderRuns) -> Vec<Change<'s>> {
    let name = slider.name;
    let others = slider.runs.iter().filter(|value| value.run.is_some());
    let change = |value: &'s ValueRun| {
        if slider.same {
            let at = value
                .value
                .parse()
                .expect("the places of a choice are numbers");
            Change::Place { name, at }
        } else {
            let value = &value.value;
            Change::Knob { name, value }
        }
    };
    others.map(change).collect()
}

fn run(
    session: &mut Session,
    wanted: &FigureRequest<'_>,
    pair: &[&Change<'_>; 2],
    budget: usize,
) -> Result<Option<PairRun>, String> {
    arrange(session, wanted)?;
    let name = shown_name(session);
    // A change that the run refuses has no combination either.
    let refused = pair.iter().any(|change| change.apply(session).is_err());
    if refused || shown_name(session) != name {
        return Ok(None);
    }
    let shown = view::of(session, budget, wanted.overrides.columns);
    let with = pair.iter().map(|change| change.key());
    Ok(Some(PairRun {
        with: with.map(|(name, value)| (name.to_owned(), value)).collect(),
        shown: shown.into(),
    }))
}
