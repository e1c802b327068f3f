//# right
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let d_model = table.shape()[1] as f32;
    table.embedding(ids).scale(d_model.sqrt())
}

//# [padding-is-zero] Sets the vectors of padding to zero, as PyTorch's padding_idx and TensorFlow do.
-    table.embedding(ids).scale(d_model.sqrt())
+    let real = ids.not_equal(0.0).unsqueeze(2);
+    table.embedding(ids).mul(&real).scale(d_model.sqrt())

//# [no-scale] Leaves the factor out: an embedding is only a lookup, as nn.Embedding is.
-    let d_model = table.shape()[1] as f32;
-    table.embedding(ids).scale(d_model.sqrt())
+    table.embedding(ids)

//# [root-of-vocabulary] Takes the first axis of the table, the size of the vocabulary, for d_model.
-    let d_model = table.shape()[1] as f32;
+    let d_model = table.shape()[0] as f32;

//# [whole-root] Rounds the root down to a whole number, as int(math.sqrt(d_model)) does.
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let d_model = table.shape()[1];
    let factor = d_model.isqrt();
    table.embedding(ids).scale(factor as f32)
}

//# [always-512] Writes the paper's width, 512, into the factor instead of reading it from the table.
use transformer_tutor::autograd::Var;

const D_MODEL: f32 = 512.0;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    table.embedding(ids).scale(D_MODEL.sqrt())
}

//# [no-gradient] Looks the rows up in a copy of the numbers, so that no gradient reaches the table.
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

//# [normalised] Normalises every row to the length √d_model instead of multiplying it by √d_model.
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let rows = table.embedding(ids);
    // A row of length √d_model has a root mean square of 1.
    let size = rows.mul(&rows).row_mean().sqrt();
    rows.div(&size)
}

//# [times-width] Applies the factor twice, once to the table and once to the rows.
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let root = (table.shape()[1] as f32).sqrt();
    let table = table.scale(root);
    table.embedding(ids).scale(root)
}

//# [divided] Divides by √d_model, as attention does with its scores, where the embedding multiplies.
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let rows = table.embedding(ids);
    let d_model = rows.shape()[2] as f32;
    rows.scale(1.0 / d_model.sqrt())
}

//# right
use transformer_tutor::autograd::Var;

pub fn scale_embeddings(table: &Var, ids: &Var) -> Var {
    let d_model = table.shape()[1];
    table.embedding(ids).scale((d_model as f32).sqrt())
}

//# [root-of-length] Reads axis 1 of the result [batch, length, d_model], the sentence length, as d_model.
-    let d_model = table.shape()[1];
-    table.embedding(ids).scale((d_model as f32).sqrt())
+    let rows = table.embedding(ids);
+    let width = rows.shape()[1] as f32;
+    rows.scale(width.sqrt())
