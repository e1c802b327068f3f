//! The tables of this lesson: 30,000 rows of 512 numbers, drawn ahead of the learner.
//!
//! To draw 15 million numbers takes about as long as a key press may. So the tables that one turn of
//! a knob can ask for are drawn on a thread while the learner looks at the present one.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use transformer_tutor::lesson::Settings;
use transformer_tutor::nn::embeddings::Embeddings;
use transformer_tutor::params::{Init, Param, Params};
use transformer_tutor::tensor::{Tensor, matmul, random};

use super::switches::KNOBS;
use super::{D_MODEL, VOCABULARY};

/// Which table: how it begins, and its seed.
pub type Key = (String, u64);

/// Tables that are kept, 61 MB each: the present one and two of those that are one turn away.
const KEPT: usize = 3;

/// A drawn table.
#[derive(Clone)]
pub struct Drawn {
    /// The table alone.
    pub params: Params,
    /// Its handle.
    pub table: Param,
    /// The root mean square of the logits that 1,000 of its rows, as they are, make from hidden rows
    /// of rms 1.
    pub logits: f64,
}

impl Drawn {
    fn new((init, seed): &Key) -> Self {
        let mut params = Params::new(*seed);
        let init = match init.as_str() {
            "normal" => Init::Normal(1.0),
            "tf" => Init::Normal((D_MODEL as f32).powf(-0.5)),
            _ => Init::XavierUniform,
        };
        let Embeddings { table } = Embeddings::new(&mut params, VOCABULARY, D_MODEL, init);
        let rows = &params.get(table).data()[..1000 * D_MODEL];
        let rows = Tensor::new(&[1000, D_MODEL], rows.to_vec());
        let hidden = random::normal(&[30, D_MODEL], 1.0, *seed, "hidden");
        let logits = matmul::matmul_t(&hidden, &rows).rms();
        Self {
            params,
            table,
            logits,
        }
    }
}

/// A table that is drawn, or being drawn.
type Slot = Arc<OnceLock<Drawn>>;

/// The tables at hand; the last one used is the last of the list.
#[derive(Default)]
pub struct Tables {
    slots: Mutex<Vec<(Key, Slot)>>,
    ahead: Mutex<Ahead>,
}

/// What is to be drawn ahead.
#[derive(Default)]
struct Ahead {
    /// The last is drawn first.
    wanted: Vec<Key>,
    present: Key,
    before: Key,
    at_work: bool,
}

impl Tables {
    /// The tables of this process: every stage of the lesson shares them, and they go with the last.
    pub fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Tables>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let tables = Arc::default();
            *shared = Arc::downgrade(&tables);
            tables
        })
    }

    /// The table `key`. Waits where another thread is drawing it.
    pub fn get(&self, key: &Key) -> Drawn {
        let slot = self.slot(key);
        slot.get_or_init(|| Drawn::new(key)).clone()
    }

    /// Whether the table `key` would be there at once.
    pub fn has(&self, key: &Key) -> bool {
        let slots = self.lock();
        slots
            .iter()
            .any(|(k, slot)| k == key && slot.get().is_some())
    }

    fn slot(&self, key: &Key) -> Slot {
        let mut slots = self.lock();
        let found = slots.iter().position(|(k, _)| k == key);
        let entry = found.map_or_else(|| (key.clone(), Slot::default()), |at| slots.remove(at));
        let slot = entry.1.clone();
        slots.push(entry);
        if slots.len() > KEPT {
            slots.remove(0);
        }
        slot
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Key, Slot)>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws what one turn of a knob from `settings` can ask for, on a thread of its own. What an
    /// earlier call asked for and is not drawn yet is forgotten.
    pub fn draw_ahead(self: &Arc<Self>, settings: &Settings) {
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let present = key(settings);
        if ahead.present != present {
            ahead.before = std::mem::replace(&mut ahead.present, present.clone());
        }
        ahead.wanted = neighbours(settings);
        ahead.wanted.retain(|key| !self.has(key));
        // Whoever turns a knob often turns it on: that table comes first, which is the end of the list.
        let (init, seed) = ahead.before.clone();
        let turned_init = init != present.0;
        let turned_seed = seed != present.1;
        ahead.wanted.sort_by_key(|next| {
            (turned_init && next.0 != present.0) || (turned_seed && next.1 != present.1)
        });
        // More would push the present one out.
        let many = ahead.wanted.len();
        ahead.wanted.drain(..many.saturating_sub(KEPT - 1));
        if ahead.wanted.is_empty() || ahead.at_work {
            return;
        }
        ahead.at_work = true;
        let tables = Arc::clone(self);
        std::thread::spawn(move || {
            while let Some(key) = tables.next_wanted() {
                tables.get(&key);
            }
        });
    }

    /// The next table to draw ahead; `None` ends the thread that draws.
    fn next_wanted(&self) -> Option<Key> {
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let next = ahead.wanted.pop();
        ahead.at_work = next.is_some();
        next
    }
}

/// The table that `settings` ask for.
pub fn key(settings: &Settings) -> Key {
    let init = settings.text("init").to_owned();
    (init, settings.whole("seed") as u64)
}

/// The tables one turn away from `settings`.
pub fn neighbours(settings: &Settings) -> Vec<Key> {
    let mut keys = Vec::new();
    for knob in KNOBS.iter().filter(|k| ["init", "seed"].contains(&k.name)) {
        for by in [-1, 1] {
            let mut turned = settings.clone();
            let value = knob.turn(settings.text(knob.name), by);
            if turned.set(&KNOBS, knob.name, &value).is_ok() && key(&turned) != key(settings) {
                keys.push(key(&turned));
            }
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_drawn_ahead_and_are_what_would_be_drawn_on_the_spot() {
        let tables = Arc::new(Tables::default());
        let settings = Settings::defaults(&KNOBS);
        tables.get(&key(&settings));
        tables.draw_ahead(&settings);
        // Of four, those of a knob that is at its end are missing.
        let ahead = neighbours(&settings);
        assert_eq!(ahead, [("normal".to_owned(), 7), ("xavier".to_owned(), 6)]);
        while tables.ahead.lock().expect("no panic").at_work {
            std::thread::yield_now();
        }
        for key in &ahead {
            assert!(tables.has(key), "{key:?}");
            let (drawn, fresh) = (tables.get(key), Drawn::new(key));
            assert_eq!(drawn.params.get(drawn.table), fresh.params.get(fresh.table));
        }
        assert!(tables.has(&key(&settings)));
    }

    #[test]
    fn no_more_tables_are_kept_than_said() {
        let tables = Tables::default();
        for seed in 0..KEPT as u64 + 2 {
            tables.slot(&("xavier".to_owned(), seed));
        }
        assert_eq!(tables.lock().len(), KEPT);
        assert_eq!(
            tables.lock().last().map(|(key, _)| key.1),
            Some(KEPT as u64 + 1)
        );
    }
}
