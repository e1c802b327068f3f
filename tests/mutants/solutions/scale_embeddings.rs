//# Takes the root of the vocabulary size instead of the width: reads the first axis of the table.
//= root-of-vocabulary
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let rows = table.embedding(ids);
    let d_model = table.shape()[0] as f32;
    rows.scale(d_model.sqrt())
}
//# Divides by √d_model, as attention does with its scores, instead of multiplying.
//= divided
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let d_model = table.shape()[1] as f32;
    table.embedding(ids).scale(1.0 / d_model.sqrt())
}
//# Rounds the root down to an integer, as int(math.sqrt(d_model)) does.
//= classic-0
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let d_model = table.shape()[1];
    let factor = d_model.isqrt();
    table.embedding(ids).scale(factor as f32)
}
//# Takes the root of the length of the sentence instead of the width of the vectors.
//= classic-1
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let x = table.embedding(ids);
    let shape = x.shape();
    x.scale((shape[1] as f32).sqrt())
}
//# Sets the vectors of padding to zero, as PyTorch's padding_idx and TensorFlow do.
//= classic-2
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let d_model = table.shape()[1] as f32;
    let real = ids.not_equal(0.0).unsqueeze(2);
    table.embedding(ids).mul(&real).scale(d_model.sqrt())
}
//# Hard-codes the paper's width, 512, instead of reading it from the table.
//= classic-3
use transformer_tutor::autograd::Var;

const D_MODEL: f32 = 512.0;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    table.embedding(ids).scale(D_MODEL.sqrt())
}
//# Looks up the rows in a copy of the values, so that no gradient reaches the table.
//= no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let (weights, words) = (table.value(), ids.value());
    let d_model = table.shape()[1];
    let shape = [ids.shape()[0], ids.shape()[1], d_model];
    let factor = (d_model as f32).sqrt();
    let rows = Tensor::from_fn(&shape, |i| {
        let id = words.at(&[i[0], i[1]]) as usize;
        weights.at(&[id, i[2]]) * factor
    });
    ids.tape().constant("embedded", rows, &["b", "s", "d"])
}
//# Normalises every row to the norm √d_model instead of multiplying it by √d_model.
//= classic-5
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let rows = table.embedding(ids);
    // A row with the norm √d_model has an RMS of 1.
    let size = rows.mul(&rows).row_mean().sqrt();
    rows.div(&size)
}
//# Assumes that ids are counted from 1 and reads the row before.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let one = ids.tape().constant("one", Tensor::scalar(1.0), &[]);
    let d_model = table.shape()[1] as f32;
    table.embedding(&ids.sub(&one)).scale(d_model.sqrt())
}
//# Leaves out the factor: the embedding is only a lookup, like nn.Embedding.
//= no-scale
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    table.embedding(ids)
}
//# Applies the factor twice, once to the table and once to the rows.
//= times-width
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let root = (table.shape()[1] as f32).sqrt();
    let table = table.scale(root);
    table.embedding(ids).scale(root)
}
//# Divides by √d_model, as attention does with its scores, though embeddings are multiplied.
//= divided
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let rows = table.embedding(ids);
    let d_model = rows.shape()[2] as f32;
    rows.scale(1.0 / d_model.sqrt())
}
//# Takes the first axis of the table, the vocabulary size, for d_model.
//= root-of-vocabulary
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let d_model = table.shape()[0] as f32;
    table.embedding(ids).scale(d_model.sqrt())
}
//# Sets the vectors of padding to zero, as PyTorch's nn.Embedding does with padding_idx=0, though every id has its row.
//= classic-2
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let d_model = table.shape()[1] as f32;
    let real = ids.not_equal(0.0).unsqueeze(2);
    table.embedding(ids).mul(&real).scale(d_model.sqrt())
}
