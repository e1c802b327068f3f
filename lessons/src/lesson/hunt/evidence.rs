//! The reading of every look for every fault of a level, and the smallest set of looks that identifies each fault.

use std::sync::{Arc, Mutex};

use super::fault::{Defect, Subject, defects};
use super::finding::ORDINARY;
use super::look::Look;
use super::patient::Patient;
use crate::lesson::memo::Memo;
use crate::tensor::shared;
use crate::tensor::threads::wait_for;

/// Readings of all looks for all faults of a subject and level.
pub struct Table {
    /// Every fault in every place.
    pub defects: Vec<Defect>,
    /// The looks.
    pub looks: Vec<Look>,
    /// Reading of each look, per fault.
    readings: Vec<Vec<String>>,
}

crate::weigh!(Table: readings);

impl Table {
    /// The table of a subject and level: computed once, by examining every fault with every instrument.
    pub fn of(subject: Subject, level: u8) -> Arc<Self> {
        static TABLES: Memo<Table> = Memo::new("the hunt: readings");
        TABLES.get(format!("{subject:?} {level}"), || Self::new(subject, level))
    }

    fn new(subject: Subject, level: u8) -> Self {
        let (defects, looks) = (defects(subject, level), Look::every(subject, level));
        let readings_of = Mutex::new(vec![Vec::new(); defects.len()]);
        shared((0..defects.len()).collect(), |n: usize| {
            let patient = Patient::with(&defects[n]);
            let readings = looks.iter().map(|look| patient.look(look).reading);
            let readings: Vec<String> = readings.collect();
            wait_for(&readings_of)[n] = readings;
        });
        let readings = std::mem::take(&mut *wait_for(&readings_of));
        Self {
            defects,
            looks,
            readings,
        }
    }

    /// Reading of `look` for `defect`; `None` if either is not in the table.
    pub fn reading(&self, defect: &Defect, look: &Look) -> Option<&str> {
        let row = self.defects.iter().position(|one| one == defect)?;
        let column = self.looks.iter().position(|one| one == look)?;
        Some(&self.readings[row][column])
    }

    /// A smallest set of looks whose readings no other fault of the level shares. Among such sets, prefers looks that
    /// show something unusual and instruments that answer a single question. `None` if another fault gives the same
    /// reading everywhere.
    pub fn shortest(&self, defect: &Defect) -> Option<Vec<Look>> {
        let row = self.defects.iter().position(|one| one == defect)?;
        let mine = &self.readings[row];
        // For each other fault, the looks that distinguish it from this one.
        let mut telling: Vec<Vec<usize>> = Vec::new();
        for (other, theirs) in self.readings.iter().enumerate() {
            if other != row {
                let differ = |look: &usize| mine[*look] != theirs[*look];
                let mut looks: Vec<usize> = (0..self.looks.len()).filter(differ).collect();
                looks.sort_by_key(|&n| (mine[n] == ORDINARY, self.looks[n].breadth()));
                telling.push(looks);
            }
        }
        // Start with the faults that few looks distinguish, to keep the search small.
        telling.sort_by_key(Vec::len);
        let most = telling.len();
        let smallest = (0..=most).find_map(|size| chosen(&telling, size, &mut Vec::new()))?;
        let mut looks: Vec<usize> = smallest;
        looks.sort_unstable();
        Some(looks.into_iter().map(|n| self.looks[n].clone()).collect())
    }

    /// Faults for which each of these looks would read as it did here.
    pub fn fitting(&self, seen: &[(Look, String)]) -> Vec<&Defect> {
        let fits = |defect: &&Defect| {
            let alike = |(look, reading): &(Look, String)| {
                self.reading(defect, look)
                    .is_none_or(|theirs| theirs == reading)
            };
            seen.iter().all(alike)
        };
        self.defects.iter().filter(fits).collect()
    }
}

/// Extends `so_far` by at most `size` looks so that every fault in `telling` is distinguished by one of them.
fn chosen(telling: &[Vec<usize>], size: usize, so_far: &mut Vec<usize>) -> Option<Vec<usize>> {
    let untold = telling
        .iter()
        .find(|looks| !looks.iter().any(|look| so_far.contains(look)));
    let Some(untold) = untold else {
        return Some(so_far.clone());
    };
    if size == 0 {
        return None;
    }
    for &look in untold {
        so_far.push(look);
        let complete = chosen(telling, size - 1, so_far);
        so_far.pop();
        if complete.is_some() {
            return complete;
        }
    }
    None
}
