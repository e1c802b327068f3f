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

//# [half] Counts the multiplications alone.
-        flops: (2 * times * rows * inner * columns) as u64,
+        flops: (times * rows * inner * columns) as u64,

//# [classic-1] Counts one addition less than multiplications for each cell, since k numbers need only k − 1 additions.
-        flops: (2 * times * rows * inner * columns) as u64,
+        flops: (times * rows * columns * (2 * inner - 1)) as u64,

//# [numbers] Gives bytes as the number of cells, without the four bytes of each.
-        bytes: (4 * times * numbers) as u64,
+        bytes: (times * numbers) as u64,

//# [classic-3] Counts two bytes for a number, as in half precision.
-        bytes: (4 * times * numbers) as u64,
+        bytes: (2 * times * numbers) as u64,

//# [classic-0] Counts what is read and not what is written.
-    let numbers = rows * inner + inner * columns + rows * columns;
+    let numbers = rows * inner + inner * columns;

//# [classic-2] Leaves the bytes of the weights out, as if only activations moved.
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

//# [weights-again] Reads the weights again for every sentence.
-    let query = product(1, batch * target, d_model, d_model);
-    let key = product(1, batch * source, d_model, d_model);
-    let value = product(1, batch * source, d_model, d_model);
+    let query = product(batch, target, d_model, d_model);
+    let key = product(batch, source, d_model, d_model);
+    let value = product(batch, source, d_model, d_model);
-    let output = product(1, batch * target, d_model, d_model);
+    let output = product(batch, target, d_model, d_model);

//# [wide-heads] Takes all channels for every head in scores and context.
-    let d_k = d_model / heads;
+    let d_k = d_model;

//# [one-head] Counts scores and context as one product for all heads together.
-    let d_k = d_model / heads;
+    let _ = heads; // they only share the channels out
-    let scores = product(batch * heads, target, d_k, source);
-    let context = product(batch * heads, target, source, d_k);
+    let scores = product(batch, target, d_model, source);
+    let context = product(batch, target, source, d_model);

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

//# [classic-8] Applies W_V to the target's tokens.
-    let value = product(1, batch * source, d_model, d_model);
+    let value = product(1, batch * target, d_model, d_model);

//# [classic-9] Applies W_O to the source's tokens.
-    let output = product(1, batch * target, d_model, d_model);
+    let output = product(1, batch * source, d_model, d_model);

//# [no-output] Leaves W_O out.
-    let output = product(1, batch * target, d_model, d_model);
-    query + key + value + scores + context + output
+    query + key + value + scores + context

//# [classic-4] Forgets the product of weights and values.
-    let context = product(batch * heads, target, source, d_k);
-    query + key + value + scores + context + output
+    query + key + value + scores + output

//# [classic-5] Forgets the batch in scores and context.
-    let scores = product(batch * heads, target, d_k, source);
-    let context = product(batch * heads, target, source, d_k);
+    let scores = product(heads, target, d_k, source);
+    let context = product(heads, target, source, d_k);

//# [classic-7] Gives every head the full maps, d_model by d_model, instead of its part of one.
-    let query = product(1, batch * target, d_model, d_model);
-    let key = product(1, batch * source, d_model, d_model);
-    let value = product(1, batch * source, d_model, d_model);
+    let query = product(heads, batch * target, d_model, d_model);
+    let key = product(heads, batch * source, d_model, d_model);
+    let value = product(heads, batch * source, d_model, d_model);

//# [classic-10] Lets every head read the input anew through its own narrow map.
-    let query = product(1, batch * target, d_model, d_model);
-    let key = product(1, batch * source, d_model, d_model);
-    let value = product(1, batch * source, d_model, d_model);
+    let query = product(heads, batch * target, d_model, d_k);
+    let key = product(heads, batch * source, d_model, d_k);
+    let value = product(heads, batch * source, d_model, d_k);

//# [classic-6] Counts the maps of one head alone, [d_model, d_k], and not those of all.
-    let query = product(1, batch * target, d_model, d_model);
-    let key = product(1, batch * source, d_model, d_model);
-    let value = product(1, batch * source, d_model, d_model);
+    let query = product(1, batch * target, d_model, d_k);
+    let key = product(1, batch * source, d_model, d_k);
+    let value = product(1, batch * source, d_model, d_k);

//# [classic-11] Makes keys and values with a single product, because both read the same tokens.
-    let value = product(1, batch * source, d_model, d_model);
-    query + key + value + scores + context + output
+    query + key + scores + context + output

//# [classic-12] Does not move the scores to memory and back, as a fused attention would not.
-    let scores = product(batch * heads, target, d_k, source);
-    let context = product(batch * heads, target, source, d_k);
-    query + key + value + scores + context + output
+    // scores and context: queries, keys and values are read, the context is written
+    let mixing = Cost {
+        flops: (4 * batch * heads * target * source * d_k) as u64,
+        bytes: (4 * batch * heads * (2 * target * d_k + 2 * source * d_k)) as u64,
+    };
+    query + key + value + mixing + output

//# [classic-13] Counts forward and backward pass, three times the forward one.
-    query + key + value + scores + context + output
+    let forward = query + key + value + scores + context + output;
+    forward + forward + forward

//# [classic-14] Mixes up the width of a head and the number of heads.
-    let d_k = d_model / heads;
+    let d_k = heads;
-    let scores = product(batch * heads, target, d_k, source);
-    let context = product(batch * heads, target, source, d_k);
+    let scores = product(batch * (d_model / heads), target, d_k, source);
+    let context = product(batch * (d_model / heads), target, source, d_k);

//# [square] Counts scores over pairs of the same sequence, target by target, though values come from the source.
-    let scores = product(batch * heads, target, d_k, source);
+    let scores = product(batch * heads, target, d_k, target);

//# [half] Counts a multiplication and its addition as one operation.
-    let numbers = rows * inner + inner * columns + rows * columns;
-        flops: (2 * times * rows * inner * columns) as u64,
-        bytes: (4 * times * numbers) as u64,
+        flops: (times * rows * inner * columns) as u64,
+        bytes: (4 * times * (rows * inner + inner * columns + rows * columns)) as u64,
-    let value = product(1, batch * source, d_model, d_model);
+    let value = key;

//# [weights-again] Reads every weight matrix again for each sentence of the batch.
-    let numbers = rows * inner + inner * columns + rows * columns;
-        bytes: (4 * times * numbers) as u64,
+        bytes: (4 * times * (rows * inner + inner * columns + rows * columns)) as u64,
-    let query = product(1, batch * target, d_model, d_model);
-    let key = product(1, batch * source, d_model, d_model);
-    let value = product(1, batch * source, d_model, d_model);
+    let query = product(batch, target, d_model, d_model);
+    let key = product(batch, source, d_model, d_model);
+    let value = product(batch, source, d_model, d_model);
-    let output = product(1, batch * target, d_model, d_model);
+    let output = product(batch, target, d_model, d_model);

//# [classic-9] Takes W_O for a map of the source tokens, as W_K and W_V are, though the context has a row for each target token.
-    let numbers = rows * inner + inner * columns + rows * columns;
-        bytes: (4 * times * numbers) as u64,
+        bytes: (4 * times * (rows * inner + inner * columns + rows * columns)) as u64,
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

//# [classic-0] Leaves out the bytes of every result, and counts only what is read.
-        bytes: times * 4 * (rows * inner + inner * columns + rows * columns),
+        bytes: times * 4 * (rows * inner + inner * columns),

//# [wide-heads] Gives every head all d_model channels.
-    let d_k = d_model / heads;
+    let d_k = d_model;

//# [classic-8] Maps keys on the target tokens, where they come from the source.
-    let keys = map(batch * source, d_model);
+    let keys = map(batch * target, d_model);

//# [one-head] Counts scores and context per sentence with all channels at once: the operations agree, but each head's scores are not written.
-    let d_k = d_model / heads;
+    let _ = heads;
-    let scores = product(batch * heads, target, d_k, source);
-    let context = product(batch * heads, target, source, d_k);
+    let scores = product(batch, target, d_model, source);
+    let context = product(batch, target, source, d_model);

//# [too-large] Multiplies in u32 and widens the result afterwards, so large layers overflow.
-    let (times, rows, inner, columns) = (times as u64, rows as u64, inner as u64, columns as u64);
+    let (times, rows, inner, columns) = (times as u32, rows as u32, inner as u32, columns as u32);
-        flops: times * 2 * rows * inner * columns,
-        bytes: times * 4 * (rows * inner + inner * columns + rows * columns),
+        flops: u64::from(times * 2 * rows * inner * columns),
+        bytes: u64::from(times * 4 * (rows * inner + inner * columns + rows * columns)),

//# [weights-again] Reads the weight matrices again for every sentence of the batch.
-    let queries = map(batch * target, d_model);
-    let keys = map(batch * source, d_model);
-    let values = map(batch * source, d_model);
+    let map = |tokens, width| product(batch, tokens, width, width);
+    let queries = map(target, d_model);
+    let keys = map(source, d_model);
+    let values = map(source, d_model);
-    let output = map(batch * target, d_model);
+    let output = map(target, d_model);
-}
-
-fn map(rows: usize, width: usize) -> Cost {
-    product(1, rows, width, width)
