//# right
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}

//# [numbers] Gives bytes as the number of cells, without the four bytes of each.
-        bytes: (4 * times * numbers) as u64,
+        bytes: (times * numbers) as u64,

//# [half-precision] Counts two bytes for a number, as in half precision.
-        bytes: (4 * times * numbers) as u64,
+        bytes: (2 * times * numbers) as u64,

//# [weights-not-read] Leaves the bytes of the weights out, as if only activations moved.
         bytes: (4 * times * numbers) as u64,
+    }
+}
+
+fn map(rows: usize, width: usize) -> Cost {
+    Cost {
+        flops: (2 * rows * width * width) as u64,
+        bytes: (4 * 2 * rows * width) as u64,
-    let query = product(1, batch * target, d_model, d_model);
-    let key = product(1, batch * source, d_model, d_model);
-    let value = product(1, batch * source, d_model, d_model);
+    let query = map(batch * target, d_model);
+    let key = map(batch * source, d_model);
+    let value = map(batch * source, d_model);
-    let output = product(1, batch * target, d_model, d_model);
+    let output = map(batch * target, d_model);

//# [square] Uses the target's length for the keys and values too, as in self-attention.
 ) -> Cost {
+    let _ = source;
-    let key = product(1, batch * source, d_model, d_model);
-    let value = product(1, batch * source, d_model, d_model);
-    let scores = product(batch * heads, target, d_k, source);
-    let context = product(batch * heads, target, source, d_k);
+    let key = product(1, batch * target, d_model, d_model);
+    let value = product(1, batch * target, d_model, d_model);
+    let scores = product(batch * heads, target, d_k, target);
+    let context = product(batch * heads, target, target, d_k);

//# [values-of-the-target] Applies W_V to the target's tokens.
-    let value = product(1, batch * source, d_model, d_model);
+    let value = product(1, batch * target, d_model, d_model);

//# [output-of-the-source] Applies W_O to the source's tokens.
-    let output = product(1, batch * target, d_model, d_model);
+    let output = product(1, batch * source, d_model, d_model);

//# right
use transformer_tutor::transformer::cost::Cost;

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let queries = map(batch * target, d_model);
    let keys = map(batch * source, d_model);
    let values = map(batch * source, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = map(batch * target, d_model);
    queries + keys + values + scores + context + output
}

fn map(rows: usize, width: usize) -> Cost {
    product(1, rows, width, width)
}

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let (times, rows, inner, columns) = (times as u64, rows as u64, inner as u64, columns as u64);
    Cost {
        flops: times * 2 * rows * inner * columns,
        bytes: times * 4 * (rows * inner + inner * columns + rows * columns),
    }
}
