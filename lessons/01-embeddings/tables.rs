//! The tables of this lesson: 30,000 rows of 512 numbers, 61 MB each.

use std::sync::{Arc, Mutex, Weak};

use serde::Deserialize;
use transformer_tutor::nn::embeddings::Embeddings;
use transformer_tutor::params::{Init, Param, Params};
use transformer_tutor::tensor::threads::{check, lock};
use transformer_tutor::tensor::{Tensor, matmul, random};

pub const VOCABULARY: usize = 30_000;
pub const D_MODEL: usize = 512;

/// Initialisation of an embedding matrix: Xavier's rule, standard normal, or TensorFlow's.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Begin {
    Xavier,
    Normal,
    Tf,
}

/// Identifies a table by initialisation and seed.
pub type Key = (Begin, u64);

/// An initialised table.
#[derive(Clone)]
pub struct Drawn {
    /// Parameters that contain only the table.
    pub params: Params,
    /// Handle of the table.
    pub table: Param,
    /// Root mean square of the logits computed with 1,000 unscaled rows of the table from hidden rows of RMS 1.
    pub logits: f64,
}

impl Drawn {
    fn new((begin, seed): Key) -> Self {
        let mut params = Params::new(seed);
        let init = match begin {
            Begin::Xavier => Init::XavierUniform,
            Begin::Normal => Init::Normal(1.0),
            Begin::Tf => Init::Normal((D_MODEL as f32).powf(-0.5)),
        };
        let Embeddings { table } = Embeddings::new(&mut params, VOCABULARY, D_MODEL, init);
        let rows = &params.get(table).data()[..1000 * D_MODEL];
        let rows = Tensor::new(&[1000, D_MODEL], rows.to_vec());
        let hidden = random::normal(&[30, D_MODEL], 1.0, seed, "hidden");
        let logits = matmul::matmul_t(&hidden, &rows).rms();
        Self {
            params,
            table,
            logits,
        }
    }
}

/// The most recent table. Drawing one on two threads takes about as long as a key press may (52 to 68 ms were
/// measured); only one is kept.
#[derive(Default)]
pub struct Tables {
    last: Mutex<Option<(Key, Drawn)>>,
}

impl Tables {
    /// The tables shared by all stages of the lesson in this process, dropped with the last of them.
    pub fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Tables>> = Mutex::new(Weak::new());
        let mut shared = lock(&SHARED);
        shared.upgrade().unwrap_or_else(|| {
            let tables = Arc::default();
            *shared = Arc::downgrade(&tables);
            tables
        })
    }

    /// The table for `key`. Waits while another thread draws any table: however fast a knob is turned, only one table
    /// at a time is being drawn.
    pub fn get(&self, key: Key) -> Drawn {
        let mut last = lock(&self.last);
        if let Some((of, drawn)) = last.as_ref()
            && *of == key
        {
            return drawn.clone();
        }
        // A run that was cancelled while it waited should not draw.
        check();
        let drawn = Drawn::new(key);
        *last = Some((key, drawn.clone()));
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_drawn_once_and_then_shared() {
        let tables = Tables::default();
        let data = |seed| {
            let drawn = tables.get((Begin::Xavier, seed));
            drawn.params.get(drawn.table).data().as_ptr()
        };
        let first = tables.get((Begin::Xavier, 1));
        assert_eq!(first.params.get(first.table).data().as_ptr(), data(1));
        assert_ne!(data(1), data(2));
    }
}
