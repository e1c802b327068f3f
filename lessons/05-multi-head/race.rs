//! The race of one head against eight with equally many parameters, where a token must read four others at once.

use std::ops::ControlFlow;

use transformer_tutor::autograd::Tape;
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::lesson::picture::{Progress, Report};
use transformer_tutor::lesson::race::lane::{self, Lane as _};
use transformer_tutor::lesson::race::record::Curves;
use transformer_tutor::lesson::race::seeds::{SEEDS, Spread};
use transformer_tutor::lesson::race::{OnState, last, side_by_side, smooth};
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, alone, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::transformer::{Config, Transformer};

/// A lane: a model with this many heads.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    heads: usize,
    seed: u64,
}

/// The lanes of the race, with the first of their seeds.
pub const LANES: [Lane; 2] = [Lane { heads: 1, seed: 1 }, Lane { heads: 8, seed: 1 }];

const STEPS: usize = 300;
const BATCH: usize = 16;
const LENGTH: usize = 8;
const RATE: f32 = 0.005;

/// Offsets to the right of the four bits that a position must read; the sentence wraps round.
const READS: [usize; 4] = [7, 1, 3, 5];

/// Id of the token 0; the token 1 has the next id.
const ZERO: f32 = 2.0;

/// Number of steps averaged in each point of a curve.
const EACH: usize = 20;

fn config(heads: usize) -> Config {
    let mut config = Config::annotated(2 + 2, (1 << READS.len()) + 2).sized(1, 32, 64, heads);
    config.dropout = 0.0;
    config
}

/// Number of parameters that the task uses: the encoder with its embedding, and the generator.
pub fn parameters(heads: usize) -> usize {
    let mut params = Params::new(1);
    Transformer::new(&mut params, &config(heads));
    let used = |name: &str| {
        ["src_embed", "encoder", "generator"]
            .iter()
            .any(|part| name.starts_with(part))
    };
    let all = params.iter().filter(|(_, name, _)| used(name));
    all.map(|(_, _, value)| value.len()).sum()
}

/// Random bits as ids, and the class to predict at each position: which of the 16 combinations its four bits form.
fn batch(seed: u64, step: usize) -> (Tensor, Tensor) {
    let bit = |x: f32| if x < 0.0 { ZERO } else { ZERO + 1.0 };
    let src = random::uniform(&[BATCH, LENGTH], 0.5, seed, &format!("batch {step}")).map(bit);
    let combined = |i: &[usize]| {
        let bits = READS.iter().enumerate();
        let worth = bits.map(|(place, &far)| {
            let bit = src.at(&[i[0], (i[1] + far) % LENGTH]) - ZERO;
            bit * (1 << place) as f32
        });
        ZERO + worth.sum::<f32>()
    };
    let says = Tensor::from_fn(&[BATCH, LENGTH], combined);
    (src, says)
}

impl lane::Lane for Lane {
    const STEPS: usize = STEPS;
    const DONE: Memo<Vec<f64>> = Memo::new("multi-head: trainings");

    fn curves() -> &'static Curves {
        static CURVES: Lazy<Curves> =
            Lazy::new(|| Curves::read(include_str!("curves.toml")).expect("a test wrote it"));
        &CURVES
    }

    fn name(&self) -> &'static str {
        if self.heads == 1 { "1 head" } else { "8 heads" }
    }

    fn words(&self) -> String {
        format!("{} heads, proportion right", self.heads)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Trains the model and returns the proportion of right answers at every step, on sentences it has not yet seen.
    fn train(self, tell: OnState<'_, Vec<f64>>) -> Vec<f64> {
        let mut params = Params::new(self.seed);
        let model = Transformer::new(&mut params, &config(self.heads));
        let mut adam = Adam::new(&params);
        let mut right = Vec::new();
        for step in 0..STEPS {
            let (src, says) = batch(self.seed, step);
            // Products this small are not worth a second thread.
            let grads = alone(|| {
                let tape = Tape::eval(&params).fused();
                let src = tape.ids("src", src, &["b", "s"]);
                let mask = model.src_mask(&src);
                let log_probs = model.generator.forward(&model.encode(&src, &mask));
                let values = log_probs.value();
                let rows = values.data().chunks(values.last()).zip(says.data());
                let hits = rows.filter(|(row, id)| row.iter().all(|p| *p <= row[**id as usize]));
                right.push(hits.count() as f64 / says.len() as f64);
                let says = tape.ids("says", says, &["b", "s"]);
                log_probs.pick(&says).mean().scale(-1.0).backward()
            });
            adam.step(&mut params, &grads, RATE);
            if tell(right.clone()).is_break() {
                break;
            }
        }
        right
    }
}

/// Each lane with each of its seeds.
fn lanes() -> Vec<Lane> {
    let seeds = |lane: Lane| (0..SEEDS as u64).map(move |n| lane.seeded(lane.seed + n));
    LANES.into_iter().flat_map(seeds).collect()
}

/// Proportion right at the end over five seeds, by statistic and number of heads, as in `mean_1` and `least_8`.
pub fn fact(name: &str) -> Option<f64> {
    let (what, heads) = name.rsplit_once('_')?;
    let heads: usize = heads.parse().ok()?;
    let lane = LANES.into_iter().find(|lane| lane.heads == heads)?;
    if what == "parameters" {
        return Some(parameters(heads) as f64);
    }
    lane.finish().get(what)
}

/// The picture of the race, which runs when the learner starts it.
pub fn picture() -> Picture {
    let about = format!(
        "Trains ten small models for {STEPS} steps: one head and eight, from five seeds each; some seconds."
    );
    Picture::job(
        "race",
        "One head against eight, at equal parameters",
        "Each token must name the bits of four other tokens. Each model has three curves: the worst seed, the mean and the best seed.",
        about,
        run,
    )
    .ending(|| {
        let losses = lanes().into_iter().map(Lane::losses);
        ended(&losses.collect::<Vec<_>>())
    })
}

fn run(report: Report<'_>) -> Progress {
    let lanes = lanes();
    let train = |n: usize, tell: OnState<'_, Vec<f64>>| {
        lanes[n].train(tell);
    };
    let whole = (STEPS * lanes.len()) as f32;
    let all = side_by_side(
        vec![Vec::new(); lanes.len()],
        4,
        train,
        &mut |now, reports| {
            if !reports.is_multiple_of(40) {
                return ControlFlow::Continue(());
            }
            let says = "Chance is 6 %: one of sixteen.";
            report(Progress::new(
                reports as f32 / whole * 0.99,
                says,
                chart(now),
            ))
        },
    );
    ended(&all)
}

/// The final drawing; `all` holds the trainings of one lane after the other.
fn ended(all: &[Vec<f64>]) -> Progress {
    let says = LANES.iter().zip(all.chunks(SEEDS)).map(|(lane, seeds)| {
        let ends: Vec<f64> = seeds.iter().map(|right| 100.0 * last(right)).collect();
        let (name, Spread { mean, least, most }) = (lane.name(), Spread::of(&ends));
        format!("{name}: {mean:.0} % right, {least:.0} to {most:.0} % across seeds")
    });
    let says = format!("{}. Chance is 6 %.", says.collect::<Vec<_>>().join("; "));
    Progress::new(1.0, says, chart(all))
}

/// Worst seed, mean and best seed over each stretch of steps, up to where all seeds have come.
fn chart(all: &[Vec<f64>]) -> Body {
    let series = LANES
        .iter()
        .zip(all.chunks(SEEDS))
        .flat_map(|(lane, seeds)| {
            let come = seeds.iter().map(Vec::len).min().unwrap_or(0);
            let curves: Vec<Vec<(f64, f64)>> = seeds
                .iter()
                .map(|right| smooth(&right[..come], EACH))
                .collect();
            let points = curves.first().map_or(0, Vec::len);
            let at = |point: usize| {
                let shares: Vec<f64> = curves.iter().map(|curve| 100.0 * curve[point].1).collect();
                (curves[0][point].0, Spread::of(&shares))
            };
            let points: Vec<(f64, Spread)> = (0..points).map(at).collect();
            [("least", "worst"), ("mean", "mean"), ("most", "best")].map(|(which, what)| {
                let line = points
                    .iter()
                    .filter_map(|(step, of)| Some((*step, of.get(which)?)));
                Series::new(format!("{}, {what}", lane.name()), line)
            })
        });
    Body::curves("step", "right, %", series.collect::<Vec<_>>())
}
