//! The classic mistakes in a tape.

use std::cell::RefCell;

use transformer_tutor::lesson::tiny_tape::{Record, TapeFn};

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, TapeFn); 7] = [
    ("overwrites", || Tape::boxed(Deviation::Overwrites)),
    ("forwards", || Tape::boxed(Deviation::Forwards)),
    ("own-factor", || Tape::boxed(Deviation::OwnFactor)),
    ("no-upstream", || Tape::boxed(Deviation::NoUpstream)),
    ("from-the-end", || Tape::boxed(Deviation::FromTheEnd)),
    ("seed-is-value", || Tape::boxed(Deviation::SeedIsValue)),
    ("up-to-it", || Tape::boxed(Deviation::UpToIt)),
];

#[derive(Clone, Copy, PartialEq)]
enum Deviation {
    /// Only the last use of a number counts.
    Overwrites,
    /// The walk goes from the first step to the last.
    Forwards,
    /// The gradient of a factor is multiplied by that factor instead of the other.
    OwnFactor,
    /// A product passes on the other factor without the upstream gradient.
    NoUpstream,
    /// The walk begins at the last number, whichever was requested.
    FromTheEnd,
    /// The walk begins with the value of the number instead of 1.
    SeedIsValue,
    /// The list ends at the requested number.
    UpToIt,
    /// A sum passes on 1, whatever the upstream gradient.
    SumOfOnes,
    /// A number times itself passes on its gradient for one factor only.
    OneShare,
    /// Like [`Deviation::OneShare`], and a number plus itself does the same.
    OneShareOfEach,
    /// A second walk adds to the gradients of the first.
    Keeps,
    /// A second walk begins with the gradients of the first, and sets that of the requested number to 1.
    Resumes,
    /// A second walk begins with the gradients of the first, and adds 1 to that of the requested number.
    ResumesAndAdds,
    /// A sum passes its gradient to its first term only.
    FirstTerm,
    /// The requested number has no gradient.
    NotItself,
    /// The walk begins one place before the requested number.
    OneBefore,
    /// The walk follows the first operand of each number to its end, and visits each number once.
    DepthFirst,
    /// The other factor is computed as the product divided by this one.
    Divides,
}

struct Tape {
    way: Deviation,
    steps: Vec<(f64, char, usize, usize)>,
    kept: RefCell<Vec<f64>>,
}

impl Tape {
    fn boxed(deviation: Deviation) -> Box<dyn Record> {
        Box::new(Self {
            way: deviation,
            steps: Vec::new(),
            kept: RefCell::default(),
        })
    }

    fn record(&mut self, value: f64, made: char, a: usize, b: usize) -> usize {
        self.steps.push((value, made, a, b));
        self.steps.len() - 1
    }

    /// Places that `of` depends on, each before its operands, and the first operand with all of its own before the
    /// second.
    fn depth_first(&self, of: usize) -> Vec<usize> {
        let (mut places, mut open) = (Vec::new(), vec![of]);
        while let Some(place) = open.pop() {
            if places.contains(&place) {
                continue;
            }
            places.push(place);
            let (_, made, a, b) = self.steps[place];
            if made != '=' {
                open.extend([b, a]);
            }
        }
        places
    }

    /// Sums of these gradients and those of the walks before.
    fn added_up(&self, gradients: &[f64]) -> Vec<f64> {
        let mut kept = self.kept.borrow_mut();
        kept.resize(self.steps.len(), 0.0);
        for (sum, gradient) in kept.iter_mut().zip(gradients) {
            *sum += gradient;
        }
        kept.clone()
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.record(value, '=', 0, 0)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        self.record(self.value(a) + self.value(b), '+', a, b)
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        self.record(self.value(a) * self.value(b), '*', a, b)
    }

    fn value(&self, place: usize) -> f64 {
        self.steps[place].0
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let deviation = self.way;
        let of = if deviation == Deviation::FromTheEnd {
            self.steps.len() - 1
        } else {
            of
        };
        let mut gradients = match deviation {
            Deviation::Resumes | Deviation::ResumesAndAdds => self.added_up(&[]),
            _ => vec![0.0; self.steps.len()],
        };
        gradients[of] = match deviation {
            Deviation::SeedIsValue => self.value(of),
            Deviation::ResumesAndAdds => gradients[of] + 1.0,
            _ => 1.0,
        };
        let mut places: Vec<usize> = (0..=of).rev().collect();
        match deviation {
            Deviation::Forwards => places.reverse(),
            Deviation::OneBefore => places.retain(|&place| place < of),
            Deviation::DepthFirst => places = self.depth_first(of),
            _ => {}
        }
        for place in places {
            let (_, made, a, b) = self.steps[place];
            let dy = if deviation == Deviation::NoUpstream && made == '*' {
                1.0
            } else {
                gradients[place]
            };
            let (da, db) = match made {
                '+' if deviation == Deviation::SumOfOnes => (1.0, 1.0),
                '+' if deviation == Deviation::FirstTerm => (dy, 0.0),
                '+' if deviation == Deviation::OneShareOfEach && a == b => (dy, 0.0),
                '+' => (dy, dy),
                '*' if deviation == Deviation::OwnFactor => {
                    (dy * self.value(a), dy * self.value(b))
                }
                '*' if a == b
                    && matches!(deviation, Deviation::OneShare | Deviation::OneShareOfEach) =>
                {
                    (dy * self.value(b), 0.0)
                }
                '*' if deviation == Deviation::Divides => {
                    let whole = dy * self.value(place);
                    (whole / self.value(a), whole / self.value(b))
                }
                '*' => (dy * self.value(b), dy * self.value(a)),
                _ => continue,
            };
            for (to, d) in [(a, da), (b, db)] {
                gradients[to] = if deviation == Deviation::Overwrites {
                    d
                } else {
                    gradients[to] + d
                };
            }
        }
        match deviation {
            Deviation::UpToIt => gradients.truncate(of + 1),
            Deviation::NotItself => gradients[of] = 0.0,
            Deviation::Keeps => return self.added_up(&gradients),
            Deviation::Resumes | Deviation::ResumesAndAdds => {
                self.kept.borrow_mut().clone_from(&gradients)
            }
            _ => {}
        }
        gradients
    }
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, TapeFn); 11] = [
    (
        "Your sum passes 1 on. It passes on what comes from above, its own gradient.",
        || Tape::boxed(Deviation::SumOfOnes),
    ),
    (
        "Where a number is multiplied by itself, you add its gradient once. It is both factors: add one for each.",
        || Tape::boxed(Deviation::OneShare),
    ),
    (
        "Your second call adds to the gradients of the first. Every call begins with zeros.",
        || Tape::boxed(Deviation::Keeps),
    ),
    (
        "Your list has 0 at the place that was asked about. A number changes by 1 with itself, so a gradient stays when it is passed on.",
        || Tape::boxed(Deviation::NotItself),
    ),
    (
        "You begin one place before the number that was asked about, so it passes nothing on. Begin with it.",
        || Tape::boxed(Deviation::OneBefore),
    ),
    (
        "You follow each number to its terms at once. A number that is used twice passes its gradient on before it is whole: walk from the last place to the first.",
        || Tape::boxed(Deviation::DepthFirst),
    ),
    (
        "You find the other factor by division, and 0 / 0 is NaN. Read its value from the tape.",
        || Tape::boxed(Deviation::Divides),
    ),
    (
        "Where both operands are the same number, you add its gradient once. It is both of them: add one share for each.",
        || Tape::boxed(Deviation::OneShareOfEach),
    ),
    (
        "Your second call adds to the gradients of the first. Every call begins with zeros.",
        || Tape::boxed(Deviation::Resumes),
    ),
    (
        "Your second call adds to the gradients of the first. Every call begins with zeros.",
        || Tape::boxed(Deviation::ResumesAndAdds),
    ),
    (
        "Your sum passes its gradient to its first term only. Both terms get all of it.",
        || Tape::boxed(Deviation::FirstTerm),
    ),
];
