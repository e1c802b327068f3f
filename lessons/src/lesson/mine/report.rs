//! What the learner's process reports during a run, as lines on stderr.

use std::fmt;

use super::pace::{Pace, Slowest};

/// First character of these lines.
const MARK: char = '\u{1e}';

/// A report from a training.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// The losses of a step.
    Loss(StepLoss),
    /// How long its steps take.
    Pace(Pace),
}

/// Losses of one training step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLoss {
    /// Number of the step, from 1.
    pub step: usize,
    /// The learner's loss.
    pub own: f64,
    /// The reference's loss.
    pub reference: f64,
}

/// A line without its mark, as [`Report::read`] reads it.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loss(loss) => write!(f, "{} {} {}", loss.step, loss.own, loss.reference),
            Self::Pace(pace) => {
                write!(f, "pace {} {}", pace.own, pace.reference)?;
                match &pace.slowest {
                    Some(slowest) => write!(f, " {} {}", slowest.name, slowest.extra),
                    None => Ok(()),
                }
            }
        }
    }
}

impl Report {
    /// Writes the report for the tutor.
    pub(super) fn send(&self) {
        eprintln!("{MARK}{self}");
    }

    /// Reads a line without its mark; `None` if it is no report.
    pub(super) fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |word: &str| word.parse::<f64>().ok();
        let pace = |own, reference, slowest| {
            Some(Self::Pace(Pace {
                own: number(own)?,
                reference: number(reference)?,
                slowest,
            }))
        };
        match words[..] {
            ["pace", own, reference] => pace(own, reference, None),
            ["pace", own, reference, name, extra] => {
                let (name, extra) = (name.to_owned(), number(extra)?);
                pace(own, reference, Some(Slowest { name, extra }))
            }
            [step, own, reference] => Some(Self::Loss(StepLoss {
                step: step.parse().ok()?,
                own: number(own)?,
                reference: number(reference)?,
            })),
            _ => None,
        }
    }
}

/// Reports in these lines.
pub(super) fn reports(stderr: &str) -> impl Iterator<Item = Report> {
    let lines = stderr.lines().filter_map(|line| line.strip_prefix(MARK));
    lines.filter_map(Report::read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(step: usize, own: f64, reference: f64) -> Report {
        Report::Loss(StepLoss {
            step,
            own,
            reference,
        })
    }

    #[test]
    fn a_report_is_told_from_what_a_function_prints() {
        let lines = format!("{MARK}1 2.5 2.5\nshape [2]\n");
        let all: Vec<Report> = reports(&lines).collect();
        assert_eq!(all, [loss(1, 2.5, 2.5)]);
        for printed in ["", "20", "shape [2, 3]", "20 1.5 1.25 more", "pace 1"] {
            assert_eq!(Report::read(printed), None);
        }
    }

    #[test]
    fn every_report_reads_as_it_was_written() {
        let slowest = Slowest {
            name: "linear".to_owned(),
            extra: 2.5,
        };
        let pace = |slowest| {
            Report::Pace(Pace {
                own: 2.75,
                reference: 0.125,
                slowest,
            })
        };
        for report in [loss(20, 1.5, 1.25), pace(None), pace(Some(slowest))] {
            assert_eq!(Report::read(&report.to_string()), Some(report));
        }
        let diverged = Report::read("20 NaN 1.25");
        assert!(matches!(diverged, Some(Report::Loss(loss)) if loss.own.is_nan()));
    }
}
