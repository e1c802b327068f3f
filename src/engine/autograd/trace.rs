//! A recorded run as plain data: the steps that a learner walks through, and the origin of every cell.

use std::collections::BTreeMap;

use super::{Combination, Nature, Op, Operand, Origin};
use crate::tensor::{Axes, Tensor};

/// One recorded tensor and its origin.
#[derive(Clone)]
pub struct Step {
    /// The name, unique in its trace: `scores`, `encoder.layers.0.self_attn.scores`.
    pub name: String,
    /// The numbers.
    pub value: Tensor,
    /// The names of the axes.
    pub axes: Axes,
    /// The kind of numbers.
    pub nature: Nature,
    /// The origin of the numbers.
    pub origin: Origin,
}

impl Step {
    /// The operation's name, or for a leaf `parameter`, `input`, `ids`, `mask` or `constant`.
    pub fn op(&self) -> &'static str {
        match (&self.origin, self.nature) {
            (Origin::Computed(made), _) => made.op.name(),
            (Origin::Parameter(_), _) => "parameter",
            (Origin::Constant, _) => "constant",
            (Origin::Input, Nature::Ids) => "ids",
            (Origin::Input, Nature::Mask) => "mask",
            (Origin::Input, _) => "input",
        }
    }

    /// The operation itself; `None` for a leaf.
    pub fn computed(&self) -> Option<&dyn Op> {
        match &self.origin {
            Origin::Computed(made) => Some(made.op.as_ref()),
            _ => None,
        }
    }

    /// True if its cells are cells of its input, unchanged but at other indices.
    pub fn only_moves(&self) -> bool {
        self.computed().is_some_and(Op::only_moves)
    }

    /// The numbers of the steps from which it was computed.
    pub fn inputs(&self) -> &[usize] {
        match &self.origin {
            Origin::Computed(made) => &made.inputs,
            _ => &[],
        }
    }
}

/// The origin of one cell, with the tensors named.
#[derive(Clone, Debug, PartialEq)]
pub struct CellOrigin {
    /// The cell's value.
    pub value: f32,
    /// An expression over the roles of `terms` (see [`super::Explanation`]); for a leaf, what it is.
    pub formula: String,
    /// The numbers from which it was computed; none for a leaf.
    pub terms: Vec<OriginTerm>,
    /// How the terms combine.
    pub combination: Combination,
}

/// One number from which a cell was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct OriginTerm {
    /// The number of the step that holds it; `None` for a constant.
    pub step: Option<usize>,
    /// That step's name, or `constant`.
    pub tensor: String,
    /// The index of the cell.
    pub index: Vec<usize>,
    /// The number.
    pub value: f32,
    /// Its name in the formula.
    pub role: &'static str,
}

/// A recorded run: steps in the order in which they ran, each computed from earlier ones.
#[derive(Clone, Default)]
pub struct Trace {
    steps: Vec<Step>,
    labels: BTreeMap<&'static str, Vec<Vec<String>>>,
    /// Labels of an axis where it names rows, if these differ.
    row_labels: BTreeMap<&'static str, Vec<Vec<String>>>,
}

impl Trace {
    /// A trace of `steps`; repeated names get the suffixes `#2`, `#3`, ….
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut steps: Vec<Step> = steps.into_iter().collect();
        for step in &mut steps {
            let times = seen.entry(step.name.clone()).or_insert(0);
            *times += 1;
            if *times > 1 {
                step.name = format!("{}#{times}", step.name);
            }
        }
        Self {
            steps,
            labels: BTreeMap::new(),
            row_labels: BTreeMap::new(),
        }
    }

    /// Labels an axis with words: `words[batch][position]`, or one list for the whole batch.
    #[must_use]
    pub fn label(mut self, axis: &'static str, words: Vec<Vec<String>>) -> Self {
        self.labels.insert(axis, words);
        self
    }

    /// Labels an axis with other words where it names rows, such as what each row reads and writes.
    #[must_use]
    pub fn label_rows(mut self, axis: &'static str, words: Vec<Vec<String>>) -> Self {
        self.row_labels.insert(axis, words);
        self
    }

    /// The word at `position` of an axis, in sentence `batch`; `None` where there are no words.
    pub fn word(&self, axis: &str, batch: usize, position: usize) -> Option<&str> {
        word(self.labels.get(axis)?, batch, position)
    }

    /// As [`Trace::word`], for an axis that names rows: every one but the last of a tensor.
    pub fn row_word(&self, axis: &str, batch: usize, position: usize) -> Option<&str> {
        let own = self.row_labels.get(axis);
        own.map_or_else(
            || self.word(axis, batch, position),
            |all| word(all, batch, position),
        )
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// A step, mutable; steps computed from it are not updated.
    pub(crate) fn step_mut(&mut self, step: usize) -> &mut Step {
        &mut self.steps[step]
    }

    /// The same steps as leaves with the values that `value` returns, such as gradients, so that these
    /// can be shown like a run.
    #[must_use]
    pub fn with_values(&self, value: impl Fn(usize, &Step) -> Tensor) -> Self {
        let leaf = |(number, step): (usize, &Step)| Step {
            value: value(number, step),
            nature: Nature::Signed,
            origin: Origin::Constant,
            ..step.clone()
        };
        Self {
            steps: self.steps.iter().enumerate().map(leaf).collect(),
            labels: self.labels.clone(),
            row_labels: self.row_labels.clone(),
        }
    }

    /// The number of the step named `name`: its full name, or the end of it if only one step matches.
    pub fn find(&self, name: &str) -> Option<usize> {
        if let Some(exact) = self.steps.iter().position(|s| s.name == name) {
            return Some(exact);
        }
        let ends = |s: &Step| {
            s.name
                .strip_suffix(name)
                .is_some_and(|head| head.ends_with('.'))
        };
        let mut all = self.steps.iter().enumerate().filter(|(_, s)| ends(s));
        match (all.next(), all.next()) {
            (Some((step, _)), None) => Some(step),
            _ => None,
        }
    }

    /// The values of the step named `name`.
    pub fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.find(name).map(|step| &self.steps[step].value)
    }

    /// The origin of the cell of `step` at `index`. Panics if there is no such cell.
    #[track_caller]
    pub fn explain(&self, step: usize, index: &[usize]) -> CellOrigin {
        let at = &self.steps[step];
        let value = at.value.at(index);
        let Origin::Computed(made) = &at.origin else {
            return CellOrigin {
                value,
                formula: at.op().to_owned(),
                terms: Vec::new(),
                combination: Combination::Separate,
            };
        };
        let value_of = |i: usize| self.steps[i].value.clone();
        let explanation = made.run(&at.value, value_of, |op, run| op.explain(run, index));
        let terms = explanation.terms.into_iter().map(|term| {
            let step = match term.operand {
                Operand::Input(number) => Some(made.inputs[number]),
                Operand::Constant => None,
            };
            let tensor = step.map_or("constant", |s| &self.steps[s].name).to_owned();
            OriginTerm {
                step,
                tensor,
                index: term.index,
                value: term.value,
                role: term.role,
            }
        });
        CellOrigin {
            value,
            terms: terms.collect(),
            formula: explanation.formula,
            combination: explanation.combination,
        }
    }
}

/// The word at `position` of a sentence; one list serves all sentences.
fn word(all: &[Vec<String>], batch: usize, position: usize) -> Option<&str> {
    let words = if all.len() == 1 {
        &all[0]
    } else {
        all.get(batch)?
    };
    words.get(position).map(String::as_str)
}
