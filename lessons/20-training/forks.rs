//! Four continuations from one snapshot of the short run, side by side.

use std::ops::ControlFlow;
use std::sync::{Arc, Once};
use std::time::Duration;

use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::race::{OnState, side_by_side};
use transformer_tutor::lesson::short_run::{self, Learner, Snapshot, seen};
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::tensor::alone;
use transformer_tutor::tensor::threads::ahead;

use super::lab;
use super::recipe::{Recipe, STEPS};

/// The continuations: name, factor of the learning rate, dropout.
const WAYS: [(&str, f64, f32); 4] = [
    ("unchanged", 1.0, 0.0),
    ("rate × 3", 3.0, 0.0),
    ("rate ÷ 10", 0.1, 0.0),
    ("dropout 0.3", 1.0, 0.3),
];

/// Updates between two snapshots.
const EVERY: usize = <Recipe as short_run::Recipe>::EVERY;

/// Updates of each continuation.
const ON: usize = 80;

/// Held-out losses, by update.
type Losses = Vec<(f64, f64)>;

/// Losses of the forks trained so far, by starting update and continuation.
static DONE: Memo<Losses> = Memo::new("training: forks");

fn known(at: usize, variant: usize) -> Option<Losses> {
    let known = DONE.find(format!("{at} {variant}"))?;
    Some((*known).clone())
}

/// Held-out losses of one continuation from update `at`, every twenty updates. All four are trained together, and once.
pub fn fork(at: usize, variant: usize) -> Losses {
    known(at, variant).unwrap_or_else(|| {
        let all = race(at, &mut |_| ControlFlow::Continue(()));
        all[variant].clone()
    })
}

/// Trains one continuation on a single thread, reporting every point; stops when told to.
fn train(
    from: &Snapshot,
    variant: usize,
    mut tell: impl FnMut(&Losses) -> ControlFlow<()>,
) -> Losses {
    let (_, factor, dropout) = WAYS[variant];
    let mut fork = Learner::<Recipe>::fork(from, factor, dropout);
    let mut points = vec![(from.step as f64, from.held_out)];
    for n in 1..=ON {
        fork.update();
        if n % EVERY == 0 {
            points.push(((from.step + n) as f64, fork.held_out()));
            if tell(&points).is_break() {
                break;
            }
        }
    }
    points
}

/// Trains all continuations from update `at` at the same time, one thread each. `report` receives all their points
/// whenever there is a new one, and may stop them.
fn race(at: usize, report: &mut dyn FnMut(&[Losses]) -> ControlFlow<()>) -> Vec<Losses> {
    let from = seen(Recipe::default(), at).now().clone();
    let ways = 0..WAYS.len();
    let all: Vec<Losses> = ways
        .map(|variant| known(at, variant).unwrap_or_default())
        .collect();
    let open: Vec<bool> = all.iter().map(Losses::is_empty).collect();
    let lane = |variant: usize, tell: OnState<'_, Losses>| {
        if !open[variant] {
            return;
        }
        let end = alone(|| train(&from, variant, |points| tell(points.clone())));
        if end.len() == ON / EVERY + 1 {
            DONE.keep(format!("{at} {variant}"), Arc::new(end));
        }
    };
    side_by_side(all, WAYS.len(), lane, &mut |all, _| report(all))
}

fn drawing(all: &[Losses]) -> Progress {
    let lanes = WAYS.iter().zip(all);
    let series = lanes
        .clone()
        .map(|((name, ..), points)| Series::new(*name, points.clone()));
    let ends = lanes.filter_map(|((name, ..), points)| {
        let (step, loss) = points.last()?;
        Some(format!("{name} {loss:.3} at {step}"))
    });
    let whole = WAYS.len() * ON / EVERY;
    let points: usize = all.iter().map(|points| points.len().max(1) - 1).sum();
    Progress::new(
        points as f32 / whole as f32 * 0.99,
        format!("Held-out loss: {}.", ends.collect::<Vec<_>>().join(", ")),
        Body::curves("update", "held-out loss", series),
    )
}

/// The picture of the forks, which runs when the learner starts it.
pub fn picture(at: usize) -> Picture {
    let at = at / EVERY * EVERY;
    let about = format!(
        "Continues from the snapshot at update {at} in four ways at once, {ON} updates each; some seconds."
    );
    let title = format!("Four continuations from update {at}");
    Picture::job("forks", title, "", about, move |report| {
        let end = race(at, &mut |all| report(drawing(all)));
        Progress {
            done: 1.0,
            ..drawing(&end)
        }
    })
}

/// Trains what the pages show ahead of time, bit by bit, while the learner reads: the correct run, its forks, and the
/// broken runs. Waits while the learner's own run needs the machine.
pub fn prepare() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        ahead(|| {
            let train = |recipe, until: usize| {
                for at in (EVERY..=until).step_by(EVERY) {
                    while lab::works() {
                        std::thread::sleep(Duration::from_millis(200));
                    }
                    seen(recipe, at).shares();
                    // Give way to a learner who turns the knob in the meantime.
                    std::thread::sleep(Duration::from_millis(2));
                }
            };
            train(Recipe::default(), STEPS);
            fork(200, 0);
            for broken in Recipe::broken() {
                train(broken, 200);
            }
        });
    });
}
