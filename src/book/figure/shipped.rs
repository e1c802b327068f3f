//! Explanations of a figure's cells that are shipped with the page: the cells shown and their ancestors, nearest and
//! largest first, until the byte budget is used up.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};

use crate::autograd::{CellOrigin, Origin, OriginTerm, Trace};
use crate::lesson::session::{RankedTerm, ranked};
use crate::tensor::Tensor;

/// Maximum bytes of data in one figure.
pub const FIGURE_BYTES: usize = 40_000;

/// A cell of the run: its step and row-major index.
type CellIndex = (usize, usize);

/// Number of terms above which only the largest products are shown, with the sum of the others.
const MANY: usize = 160;

/// Number of largest products shown in that case.
const LARGEST: usize = 6;

/// Number of a cell's largest terms whose own explanations are followed.
const FOLLOWED: usize = 4;

/// A tensor of the figure.
#[derive(Default)]
struct Entry {
    step: usize,
    values: BTreeMap<usize, f32>,
    why: BTreeMap<usize, Value>,
}

/// The data of one figure.
pub struct Shipped<'a> {
    trace: &'a Trace,
    entries: Vec<Entry>,
    by_step: BTreeMap<usize, usize>,
    formulas: Vec<String>,
    roles: Vec<&'static str>,
    budget: usize,
}

impl<'a> Shipped<'a> {
    /// Collects the cells `shown` of `step`, most important first, and the cells that they were computed from, within
    /// `budget` bytes.
    pub fn new(trace: &'a Trace, step: usize, shown: &[usize], budget: usize) -> Self {
        let mut shipped = Self {
            trace,
            entries: Vec::new(),
            by_step: BTreeMap::new(),
            formulas: Vec::new(),
            roles: Vec::new(),
            budget,
        };
        for &at in shown {
            shipped.value((step, at));
        }
        let cells = || shown.iter().map(|&at| (step, at));
        // First follow one cell far down, then explain every cell shown, then what those were computed from.
        let whole = shipped.budget;
        shipped.budget = whole / 3;
        shipped.walk(cells().take(1).collect(), 2);
        shipped.budget += whole - whole / 3;
        shipped.walk(cells().collect(), FOLLOWED);
        shipped
    }

    fn walk(&mut self, mut queue: VecDeque<CellIndex>, followed: usize) {
        let mut seen: BTreeSet<CellIndex> = queue.iter().copied().collect();
        while let Some(place) = queue.pop_front() {
            // Stop computing explanations once none can fit.
            if self.budget < LEAST {
                break;
            }
            let Some(cell) = self.explain(place) else {
                continue;
            };
            let largest = ranked(&cell).into_iter().take(followed);
            for term in single(&cell).chain(largest.flat_map(|row| row.factors)) {
                let term = &cell.terms[term];
                if let Some(next) = self.place(term).filter(|next| seen.insert(*next)) {
                    queue.push_back(next);
                }
            }
        }
    }

    fn tensor(&self, step: usize) -> &'a Tensor {
        &self.trace.steps()[step].value
    }

    fn place(&self, term: &OriginTerm) -> Option<CellIndex> {
        let step = term.step?;
        Some((step, self.tensor(step).offset(&term.index)))
    }

    fn entry(&mut self, step: usize) -> usize {
        let next = self.entries.len();
        let at = *self.by_step.entry(step).or_insert(next);
        if at == next {
            self.entries.push(Entry {
                step,
                ..Entry::default()
            });
            self.budget = self.budget.saturating_sub(120);
        }
        at
    }

    fn has(&self, (step, at): CellIndex) -> bool {
        let entry = self.by_step.get(&step).map(|&e| &self.entries[e]);
        entry.is_some_and(|entry| entry.values.contains_key(&at))
    }

    fn value(&mut self, (step, at): CellIndex) {
        let entry = self.entry(step);
        let value = self.tensor(step).data()[at];
        if self.entries[entry].values.insert(at, value).is_none() {
            self.budget = self.budget.saturating_sub(VALUE);
        }
    }

    /// Adds the explanation of a cell, if it has one and there is room. Returns it even if it was added before.
    fn explain(&mut self, place: CellIndex) -> Option<CellOrigin> {
        let (step, at) = place;
        if !matches!(self.trace.steps()[step].origin, Origin::Computed(_)) {
            return None;
        }
        let cell = self
            .trace
            .explain(step, &index(self.tensor(step).shape(), at));
        let known = self.by_step.get(&step).map(|&e| &self.entries[e]);
        if known.is_some_and(|entry| entry.why.contains_key(&at)) {
            return Some(cell);
        }
        let (kept, rest) = kept(&cell);
        let runs = self.runs(&cell, &kept);
        let new = kept
            .iter()
            .filter_map(|&term| self.place(&cell.terms[term]))
            .filter(|&place| !self.has(place))
            .count();
        let cost = LEAST
            + runs
                .iter()
                .map(|run| run.to_string().len() + 1)
                .sum::<usize>()
            + new * VALUE;
        if cost > self.budget {
            return None;
        }
        for &term in &kept {
            if let Some(place) = self.place(&cell.terms[term]) {
                self.value(place);
            }
        }
        let formula = position(&mut self.formulas, cell.formula.clone());
        let mut why = json!({ "f": formula, "t": runs });
        if let Some((more, rest)) = rest {
            why["more"] = json!(more);
            why["rest"] = number(rest as f32);
        }
        self.budget = self.budget.saturating_sub(cost - new * VALUE);
        let entry = self.entry(step);
        self.entries[entry].why.insert(at, why);
        Some(cell)
    }

    /// Terms in compact form: `[role, tensor, first, stride, count]`, `[role, tensor, [places]]`
    /// or `[role, -1, [values]]`.
    fn runs(&mut self, cell: &CellOrigin, kept: &[usize]) -> Vec<Value> {
        let mut runs = Vec::new();
        // A product's explanation alternates its factors; only the order within a role matters.
        let mut terms: Vec<&OriginTerm> = kept.iter().map(|&i| &cell.terms[i]).collect();
        let first = |role: &str| cell.terms.iter().position(|term| term.role == role);
        terms.sort_by_key(|term| first(term.role));
        let mut kept = terms.into_iter().peekable();
        while let Some(term) = kept.next() {
            let role = position(&mut self.roles, term.role);
            let of = |other: &&OriginTerm| other.role == term.role && other.step == term.step;
            let Some(step) = term.step else {
                let mut values = vec![number(term.value)];
                while let Some(next) = kept.next_if(|t| of(t)) {
                    values.push(number(next.value));
                }
                runs.push(json!([role, -1, values]));
                continue;
            };
            let entry = self.entry(step);
            let tensor = self.tensor(step);
            let mut places = vec![tensor.offset(&term.index)];
            while let Some(next) = kept.next_if(|t| of(t)) {
                places.push(tensor.offset(&next.index));
            }
            let stride = places
                .get(1)
                .map_or(1, |second| *second as isize - places[0] as isize);
            let even = places
                .windows(2)
                .all(|pair| pair[1] as isize - pair[0] as isize == stride);
            runs.push(if even {
                json!([role, entry, places[0], stride, places.len()])
            } else {
                json!([role, entry, places])
            });
        }
        runs
    }

    /// The data in the form that the page carries.
    pub fn json(&self) -> Value {
        let tensors: Vec<Value> = self
            .entries
            .iter()
            .map(|entry| self.described(entry))
            .collect();
        json!({ "tensors": tensors, "formulas": self.formulas, "roles": self.roles })
    }

    fn described(&self, entry: &Entry) -> Value {
        let step = &self.trace.steps()[entry.step];
        let mut runs: Vec<Vec<Value>> = Vec::new();
        let mut end = usize::MAX;
        for (&at, &value) in &entry.values {
            if at != end {
                runs.push(vec![json!(at)]);
            }
            runs.last_mut()
                .into_iter()
                .for_each(|run| run.push(number(value)));
            end = at + 1;
        }
        let mut described = json!({
            "name": step.name,
            "shape": step.value.shape(),
            "axes": step.axes,
            "op": step.op(),
            "values": runs,
        });
        if !entry.why.is_empty() {
            described["why"] = json!(entry.why);
        }
        described
    }
}

/// Positions of the terms that are the only ones of their role: of a softmax, the score that the formula compares with
/// its row.
fn single(cell: &CellOrigin) -> impl Iterator<Item = usize> {
    // A softmax over the vocabulary has thousands of terms.
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for term in &cell.terms {
        *counts.entry(term.role).or_default() += 1;
    }
    let all = cell.terms.iter().enumerate();
    all.filter(move |(_, term)| counts[term.role] == 1)
        .map(|(index, _)| index)
}

/// Approximate size of a value in the page, in bytes.
const VALUE: usize = 8;

/// Minimum size of an explanation, in bytes.
const LEAST: usize = 24;

/// Terms of a cell that the page keeps: all, or of a long sum the largest. Also the number and sum of the summands left
/// out.
fn kept(cell: &CellOrigin) -> (Vec<usize>, Option<(usize, f64)>) {
    let all = 0..cell.terms.len();
    if cell.terms.len() <= MANY || !cell.combination.is_sum() {
        return (all.collect(), None);
    }
    // A bias always stays: the formula names it.
    let role = |row: &RankedTerm| cell.terms[row.factors[0]].role;
    let summands = ranked(cell).into_iter();
    let summands = summands.filter(|row| role(row) == cell.terms[0].role);
    let left_out: Vec<RankedTerm> = summands.skip(LARGEST).collect();
    let rest = left_out.iter().map(|row| f64::from(row.value)).sum();
    let mut out = vec![false; cell.terms.len()];
    for &term in left_out.iter().flat_map(|row| &row.factors) {
        out[term] = true;
    }
    let kept = all.filter(|term| !out[*term]);
    (kept.collect(), Some((left_out.len(), rest)))
}

fn position<T: PartialEq>(all: &mut Vec<T>, one: T) -> usize {
    all.iter()
        .position(|other| *other == one)
        .unwrap_or_else(|| {
            all.push(one);
            all.len() - 1
        })
}

/// JSON of a number: whole numbers exactly, others with five digits if they are below 10 and with six otherwise; NaN and
/// infinities, which JSON lacks, as strings.
pub fn number(x: f32) -> Value {
    match x {
        _ if x.is_nan() => json!("NaN"),
        f32::INFINITY => json!("Infinity"),
        f32::NEG_INFINITY => json!("-Infinity"),
        _ if x.fract() == 0.0 && x.abs() < 1e9 => json!(x as i64),
        _ => {
            let decimals = if x.abs() < 10.0 { 4 } else { 5 };
            let short = format!("{x:.decimals$e}").parse::<f64>();
            json!(short.expect("a formatted number is one"))
        }
    }
}

/// Index at a row-major position.
fn index(shape: &[usize], mut at: usize) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (axis, n) in shape.iter().enumerate().rev() {
        index[axis] = at % n;
        at /= n;
    }
    index
}
