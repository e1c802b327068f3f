//! The classic mistakes of a tape.

use super::given::Record;

/// The signature of what is to be written.
pub type TapeFn = fn() -> Box<dyn Record>;

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, TapeFn); 7] = [
    ("overwrites", || Tape::boxed(Way::Overwrites)),
    ("forwards", || Tape::boxed(Way::Forwards)),
    ("own-factor", || Tape::boxed(Way::OwnFactor)),
    ("no-upstream", || Tape::boxed(Way::NoUpstream)),
    ("from-the-end", || Tape::boxed(Way::FromTheEnd)),
    ("seed-is-value", || Tape::boxed(Way::SeedIsValue)),
    ("up-to-it", || Tape::boxed(Way::UpToIt)),
];

#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The last use of a number counts alone.
    Overwrites,
    /// The walk goes from the first step to the last.
    Forwards,
    /// The gradient of a factor is multiplied by itself, not by the other one.
    OwnFactor,
    /// A product passes the other factor on without what comes from above.
    NoUpstream,
    /// The walk begins at the last number, whichever is asked about.
    FromTheEnd,
    /// The walk begins with the number itself.
    SeedIsValue,
    /// The list ends at the number that is asked about.
    UpToIt,
}

struct Tape {
    way: Way,
    steps: Vec<(f64, char, usize, usize)>,
}

impl Tape {
    fn boxed(way: Way) -> Box<dyn Record> {
        Box::new(Self {
            way,
            steps: Vec::new(),
        })
    }

    fn record(&mut self, value: f64, made: char, a: usize, b: usize) -> usize {
        self.steps.push((value, made, a, b));
        self.steps.len() - 1
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
        let way = self.way;
        let of = if way == Way::FromTheEnd {
            self.steps.len() - 1
        } else {
            of
        };
        let mut gradients = vec![0.0; self.steps.len()];
        gradients[of] = if way == Way::SeedIsValue {
            self.value(of)
        } else {
            1.0
        };
        let mut places: Vec<usize> = (0..=of).rev().collect();
        if way == Way::Forwards {
            places.reverse();
        }
        for place in places {
            let (_, made, a, b) = self.steps[place];
            let dy = if way == Way::NoUpstream && made == '*' {
                1.0
            } else {
                gradients[place]
            };
            let (da, db) = match made {
                '+' => (dy, dy),
                '*' if way == Way::OwnFactor => (dy * self.value(a), dy * self.value(b)),
                '*' => (dy * self.value(b), dy * self.value(a)),
                _ => continue,
            };
            for (to, d) in [(a, da), (b, db)] {
                gradients[to] = if way == Way::Overwrites {
                    d
                } else {
                    gradients[to] + d
                };
            }
        }
        if way == Way::UpToIt {
            gradients.truncate(of + 1);
        }
        gradients
    }
}
