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
