//! The instrument that compares a model's weights with the file that they were loaded from.

use std::fmt::Write;

use super::fault::scope;
use super::finding::Finding;
use super::suspect::{Suspect, everyday};
use crate::tensor::Tensor;

/// Weights of `part`, beside those of the same name in the file.
pub fn weights(suspect: &Suspect, part: &str) -> Finding {
    let file = &everyday().params;
    let scope = scope(part);
    let mut text = format!(
        "{:<32} {:>8} {:>8}   cosine of the two\n",
        "matrix", "RMS", "in file"
    );
    let mut other = Vec::new();
    for (name, x) in named(suspect, &scope) {
        // A model with three tied matrices stores them once, under a name of their own: `embed.table`.
        let stored = file.find(&name).or_else(|| file.find("embed.table"));
        let Some(stored) = stored
            .map(|param| file.get(param))
            .filter(|stored| stored.shape() == x.shape())
        else {
            continue;
        };
        let cosine = cosine(x, stored);
        let same = x.data() == stored.data();
        let note = if same { "" } else { "   <- not the file's" };
        let short = name.strip_prefix(&format!("{scope}.")).unwrap_or(&name);
        let _ = writeln!(
            text,
            "{short:<32} {:>8.4} {:>8.4}   {cosine:.3}{note}",
            x.rms(),
            stored.rms()
        );
        if !same {
            other.push(short.to_owned());
        }
    }
    let reading = match other.len() {
        0 => None,
        1..=4 => Some(format!("{} not the file's", other.join(", "))),
        _ => Some("most weights are not the file's".to_owned()),
    };
    Finding::new(text, reading)
}

/// Matrices of a part, by name; for embeddings and generator, the matrix that the layer really uses.
fn named<'a>(suspect: &'a Suspect, scope: &str) -> Vec<(String, &'a Tensor)> {
    let used = match scope {
        "src_embed" => Some(suspect.model.src_embed.table),
        "tgt_embed" => Some(suspect.model.tgt_embed.table),
        "generator" => Some(suspect.model.generator.weight),
        _ => None,
    };
    if let Some(param) = used {
        let name = suspect.params.name(param).to_owned();
        return vec![(name, suspect.params.get(param))];
    }
    let begins = format!("{scope}.");
    let all = suspect
        .params
        .iter()
        .filter(|(_, name, _)| name.starts_with(&begins));
    let matrices = all.filter(|(_, _, x)| x.rank() == 2);
    matrices.map(|(_, name, x)| (name.to_owned(), x)).collect()
}

fn cosine(a: &Tensor, b: &Tensor) -> f64 {
    let product: f64 = a
        .data()
        .iter()
        .zip(b.data())
        .map(|(a, b)| f64::from(a * b))
        .sum();
    product / (a.len() as f64 * a.rms() * b.rms()).max(f64::MIN_POSITIVE)
}
