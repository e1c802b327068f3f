//! The state dict in a pickle: the pickle itself, or one of a checkpoint's entries.

use std::collections::BTreeMap;

use super::{Numbers, Pickle, Value, View};

/// Keys under which checkpoints keep their state dict; the first that is there counts.
const KEYS: [&str; 3] = ["state_dict", "model_state_dict", "model"];

/// How many of these keys are followed, one inside another.
const DEPTH: usize = 3;

impl Pickle {
    /// The tensors of the state dict, by name. Tensors of whole numbers, such as masks and counters, are left out,
    /// because no weights are made of them.
    pub fn state_dict(&self) -> Result<BTreeMap<String, View>, String> {
        let Value::Dict(mut dict) = self.root else {
            return Err(format!(
                "it holds {}, not a dictionary of tensors",
                self.root.what()
            ));
        };
        for _ in 0..DEPTH {
            match self.inside(dict)? {
                Some(inner) => dict = inner,
                None => break,
            }
        }
        let mut tensors = BTreeMap::new();
        for (key, value) in &self.heap.dicts[dict] {
            if let (Value::Text(key), Value::Tensor(view)) = (key, value)
                && !matches!(view.storage.numbers, Numbers::Whole(_))
                && tensors.insert(key.to_string(), (**view).clone()).is_some()
            {
                return Err(format!("it has the tensor {key} twice"));
            }
        }
        if tensors.is_empty() {
            return Err("it holds no tensors by name".to_owned());
        }
        Ok(tensors)
    }

    /// The dictionary inside `dict` that holds the weights, if `dict` does not hold them itself.
    fn inside(&self, dict: usize) -> Result<Option<usize>, String> {
        let inner = |value: &Value| match value {
            Value::Dict(inner) if self.holds_tensors(*inner, DEPTH) => Some(*inner),
            _ => None,
        };
        let mut known = KEYS.iter().filter_map(|key| self.heap.entry(dict, key));
        if let Some(inner) = known.find_map(inner) {
            return Ok(Some(inner));
        }
        if self.holds_tensors(dict, 0) {
            return Ok(None);
        }
        let entries = self.heap.dicts[dict].iter();
        let entries = entries.filter_map(|(key, value)| match key {
            Value::Text(key) if !key.starts_with("optim") => Some((&**key, inner(value)?)),
            _ => None,
        });
        let dicts: Vec<(&str, usize)> = entries.collect();
        match dicts[..] {
            [] => Ok(None),
            [(_, inner)] => Ok(Some(inner)),
            _ => {
                let names: Vec<&str> = dicts.iter().map(|(name, _)| *name).collect();
                Err(format!(
                    "it holds tensors under {}; save the one with the weights, or call it state_dict",
                    names.join(", ")
                ))
            }
        }
    }

    /// True if a dictionary has tensors by name, or holds one of [`KEYS`] that has, at most `depth` steps down.
    fn holds_tensors(&self, dict: usize, depth: usize) -> bool {
        let named = |(key, value): &(Value, Value)| {
            matches!((key, value), (Value::Text(_), Value::Tensor(_)))
        };
        if self.heap.dicts[dict].iter().any(named) {
            return true;
        }
        let mut inner = KEYS.iter().filter_map(|key| self.heap.entry(dict, key));
        depth > 0
            && inner.any(|value| match value {
                Value::Dict(inner) => self.holds_tensors(*inner, depth - 1),
                _ => false,
            })
    }
}
