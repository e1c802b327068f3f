//! What a run found out beyond its tensors: numbers and words by name.

use std::collections::BTreeMap;

/// The numbers and words of a run, by name. Claims name the numbers; pictures in `lesson.toml` name both.
#[derive(Clone, Debug, Default)]
pub struct Facts(BTreeMap<String, Fact>);

/// One entry: a single number or word is a list of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    Numbers(Vec<f64>),
    Words(Vec<String>),
}

impl Facts {
    /// The same facts and another one.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, fact: impl Into<Fact>) -> Self {
        self.0.insert(name.into(), fact.into());
        self
    }

    /// The fact `name`.
    pub fn get(&self, name: &str) -> Option<&Fact> {
        self.0.get(name)
    }

    /// The numbers called `name`.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        match self.get(name)? {
            Fact::Numbers(all) => Some(all),
            Fact::Words(_) => None,
        }
    }

    /// The words called `name`.
    pub fn words(&self, name: &str) -> Option<&[String]> {
        match self.get(name)? {
            Fact::Words(all) => Some(all),
            Fact::Numbers(_) => None,
        }
    }
}

impl Fact {
    /// Numbers, in order.
    pub fn numbers<T: Into<Fact>>(all: impl IntoIterator<Item = T>) -> Self {
        let all = all.into_iter().map(Into::into);
        Self::Numbers(all.flat_map(|one| one.into_numbers()).collect())
    }

    /// Words, in order.
    pub fn words<T: Into<String>>(all: impl IntoIterator<Item = T>) -> Self {
        Self::Words(all.into_iter().map(Into::into).collect())
    }

    fn into_numbers(self) -> Vec<f64> {
        match self {
            Self::Numbers(all) => all,
            Self::Words(_) => Vec::new(),
        }
    }
}

impl From<f64> for Fact {
    fn from(x: f64) -> Self {
        Self::Numbers(vec![x])
    }
}

impl From<f32> for Fact {
    fn from(x: f32) -> Self {
        f64::from(x).into()
    }
}

impl From<u64> for Fact {
    fn from(n: u64) -> Self {
        (n as f64).into()
    }
}

impl From<usize> for Fact {
    fn from(n: usize) -> Self {
        (n as f64).into()
    }
}

impl From<bool> for Fact {
    fn from(holds: bool) -> Self {
        f64::from(u8::from(holds)).into()
    }
}

impl From<Vec<f64>> for Fact {
    fn from(all: Vec<f64>) -> Self {
        Self::Numbers(all)
    }
}

impl From<Vec<String>> for Fact {
    fn from(all: Vec<String>) -> Self {
        Self::Words(all)
    }
}

impl From<String> for Fact {
    fn from(word: String) -> Self {
        Self::Words(vec![word])
    }
}

impl From<&str> for Fact {
    fn from(word: &str) -> Self {
        word.to_owned().into()
    }
}
