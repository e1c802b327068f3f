//! Token embeddings: one row of a table per id, times √d_model (Vaswani et al. 2017, 3.4).

use super::masks::PAD;
use crate::autograd::{Component, Var};
use crate::params::{Init, Param, Params};

/// The component [`scale_embeddings`], which a tape may replace.
pub const SCALE_EMBEDDINGS: Component<fn(&Var, &Var) -> Var> = Component::new("scale_embeddings");

/// The embedding matrix: one vector per token id.
pub struct Embeddings {
    /// `[vocabulary, d_model]`.
    pub table: Param,
}

impl Embeddings {
    /// Creates a table for `vocabulary` ids, initialised by `init`.
    pub fn new(params: &mut Params, vocabulary: usize, d_model: usize, init: Init) -> Self {
        Self {
            table: params.add("table", &[vocabulary, d_model], &["v", "d"], init),
        }
    }

    /// Looks up the row of each id without scaling: `[batch, length]` → `[batch, length, d_model]`.
    #[track_caller]
    pub fn rows(&self, ids: &Var) -> Var {
        let table = ids.tape().param(self.table);
        table.embedding(ids).named("embedded")
    }

    /// Embeds ids, scaled by √d_model: `[batch, length]` → `[batch, length, d_model]`.
    #[track_caller]
    pub fn forward(&self, ids: &Var) -> Var {
        let tape = ids.tape();
        let table = tape.param(self.table);
        match tape.replacement(&SCALE_EMBEDDINGS) {
            Some(own) => (own.function)(&table, ids),
            None => scale_embeddings(&table, ids),
        }
    }
}

crate::reference! { "scale_embeddings";
// ANCHOR: forward
/// Looks up the row of each id and multiplies it by √d_model:
/// `table [vocabulary, d_model]`, `ids [batch, length]` → `[batch, length, d_model]`.
#[track_caller]
pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let d_model = table.value().last();
    let rows = table.embedding(ids).named("rows");
    rows.scale((d_model as f32).sqrt()).named("embedded")
}
// ANCHOR_END: forward
}

// ANCHOR: zero_padding
/// Sets the vectors of padding to zero, as TensorFlow's official Transformer does:
/// `embedded [batch, length, d_model]` of `ids [batch, length]`.
#[track_caller]
pub fn zero_padding(embedded: &Var, ids: &Var) -> Var {
    let real = ids.not_equal(PAD).named("real").unsqueeze(2); // [batch, length, 1]
    embedded.mul(&real).named("without_padding")
}
// ANCHOR_END: zero_padding
