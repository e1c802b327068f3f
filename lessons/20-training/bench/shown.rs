//! What is drawn and said of a run.

use transformer_tutor::lesson::picture::Part;
use transformer_tutor::lesson::{Body, Series};

use super::super::lane::{Lane, LaneView};
use super::super::pictures;
use super::Bench;

impl Bench {
    /// Everything to draw, once with each lane in front.
    pub fn shows(&self) -> Vec<LaneView> {
        (0..self.lanes.len()).map(|n| self.show(n)).collect()
    }

    fn show(&self, front: usize) -> LaneView {
        let lane = &self.lanes[front];
        let (config, step) = (&lane.trainer.config, lane.step());
        let which = match self.lanes.len() {
            1 => String::new(),
            many => format!(", lane {} of {many} ({})", front + 1, self.name(lane)),
        };
        let snapshot = self.viewed(lane);
        let mut says = match (snapshot, &lane.last) {
            (Some(snapshot), _) => format!(
                "Looking back at update {}{which}: held-out loss {:.3}. f forks here, T goes forward, r continues from update {step}.",
                snapshot.state.step, snapshot.seen.held_out
            ),
            (None, Some(update)) => format!(
                "Update {step} of {}{which}: loss {:.3}, held out {:.3}, rate {:.2e}, gradient {:.2}, {:.0} tokens/s, {}.",
                config.steps,
                update.measured.nats,
                lane.seen.held_out,
                update.rate,
                update.norm,
                lane.speed.0,
                match config.steps.saturating_sub(step) {
                    0 => "all updates done".to_owned(),
                    left => format!("{} left", duration(left as f64 * lane.speed.1)),
                }
            ),
            (None, None) => format!(
                "Update {step} of {}{which}: held-out loss {:.3}.",
                config.steps, lane.seen.held_out
            ),
        };
        if !lane.message.is_empty() {
            says += &format!(" {}", lane.message);
        }
        let (at, seen) = snapshot.map_or((step, &lane.seen), |snapshot| {
            (snapshot.state.step, &snapshot.seen)
        });
        let watched = &self.ground.watched;
        let part = |title: String, body| Part { title, body };
        LaneView {
            says,
            done: step as f32 / config.steps as f32,
            parts: vec![
                part(
                    "Loss, in nats per token".to_owned(),
                    self.chart(snapshot.map(|snapshot| snapshot.state.step)),
                ),
                part(
                    format!("Translations at update {at}"),
                    pictures::translated(watched, &seen.written),
                ),
                part(
                    format!(
                        "Cross-attention of head {} of the last layer, update {at}",
                        self.head
                    ),
                    pictures::attention(&seen.weights, self.head, &watched[0].pair),
                ),
            ],
        }
    }

    /// What distinguishes a lane from the others.
    fn name(&self, lane: &Lane) -> String {
        let config = &lane.trainer.config;
        let other = |differs: &dyn Fn(&Lane) -> bool| self.lanes.iter().any(differs);
        let mut words = Vec::new();
        if other(&|l| l.trainer.config.rate != config.rate) {
            words.push(format!("rate {:.1e}", config.rate).replace(".0e", "e"));
        }
        if other(&|l| l.trainer.config.dropout != config.dropout) {
            words.push(format!("dropout {}", config.dropout));
        }
        if words.is_empty() {
            words.push("like the others".to_owned());
        }
        words.join(", ")
    }

    /// Losses: both for a single lane, the held-out ones for several.
    fn chart(&self, mark: Option<usize>) -> Body {
        let line = |name: String, points: &[(f64, f64)]| Series::new(name, points.to_vec());
        let mut series = Vec::new();
        if let [lane] = &self.lanes[..] {
            series.push(line("training".to_owned(), &lane.train));
            series.push(line("held out".to_owned(), &lane.held_out));
        } else {
            for (n, lane) in self.lanes.iter().enumerate() {
                let name = format!("{} {}", n + 1, self.name(lane));
                series.push(line(name, &lane.held_out));
            }
        }
        if let Some(step) = mark {
            let highest = series.iter().flat_map(|s| &s.points).map(|p| p.1);
            let highest = highest.fold(0.0, f64::max);
            let here = [(step as f64, 0.0), (step as f64, highest)];
            series.push(line("here".to_owned(), &here));
        }
        Body::curves(
            "update",
            if self.lanes.len() > 1 {
                "held out"
            } else {
                "loss"
            },
            series,
        )
    }
}

fn duration(seconds: f64) -> String {
    if seconds >= 90.0 {
        format!("{:.1} min", seconds / 60.0)
    } else {
        format!("{seconds:.0} s")
    }
}
