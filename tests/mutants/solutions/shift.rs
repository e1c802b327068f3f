//# right
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}

//# [classic-8 roll] Counts the longest sentence's tokens only.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let rows = tgt_y.data().chunks(length - 1);
+    let ntokens = rows.map(|row| row.iter().filter(|&&id| id != PAD).count()).max().unwrap_or(0);

//# [backwards] What the decoder reads and what it must predict are exchanged.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));

//# [classic-0] Nothing is shifted: the decoder must predict the token that it reads.
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));

//# [no-shift] Both are shifted, so the decoder never reads the start token.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));

//# [keep-last] The decoder reads the whole sentence; only the prediction is cut.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
+    let tgt = Tensor::from_fn(&[batch, length], |i| ids.at(i));

//# [classic-1] Both keep the full length, and the prediction is filled with padding at its end.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt = Tensor::from_fn(&[batch, length], |i| ids.at(i));
+    let tgt_y = Tensor::from_fn(&[batch, length], |i| {
+        if i[1] + 1 < length {
+            ids.at(&[i[0], i[1] + 1])
+        } else {
+            PAD
+        }
+    });

//# [count-padding] All positions are counted, padding too.
-use transformer_tutor::nn::masks::{PAD, Shifted};
+use transformer_tutor::nn::masks::Shifted;
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = tgt_y.len();

//# [classic-2] The tokens are counted in what the decoder reads instead of what it predicts.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = tgt.data().iter().filter(|&&id| id != PAD).count();

//# [classic-3] The tokens are counted in the whole ids, so the start tokens count too.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = ids.data().iter().filter(|&&id| id != PAD).count();

//# [classic-4] The padding is counted instead of the tokens.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = tgt_y.data().iter().filter(|&&id| id == PAD).count();

//# [classic-5] The end token is taken for no prediction and is not counted.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = tgt_y
+        .data()
+        .iter()
+        .filter(|&&id| id != PAD && id != 2.0)
+        .count();

//# [classic-6] The end token of every sentence is cut from what the decoder reads, wherever it stands.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| {
+        if ids.at(i) == 2.0 { PAD } else { ids.at(i) }
+    });

//# [classic-7] Only the first sentence's tokens are counted.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = (0..length - 1)
+        .filter(|&t| tgt_y.at(&[0, t]) != PAD)
+        .count();

//# [roll] The prediction is rolled instead of shifted, so the first token comes back at the end.
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| {
+        ids.at(&[i[0], (i[1] + 1) % (length - 1)])
+    });

//# [] Sentences are cut off instead of tokens: the slice runs over the first axis.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt = Tensor::from_fn(&[batch - 1, length], |i| ids.at(i));
+    let tgt_y = Tensor::from_fn(&[batch - 1, length], |i| ids.at(&[i[0] + 1, i[1]]));

//# [two-on] The prediction is two tokens ahead.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt = Tensor::from_fn(&[batch, length - 2], |i| ids.at(i));
+    let tgt_y = Tensor::from_fn(&[batch, length - 2], |i| ids.at(&[i[0], i[1] + 2]));

//# [] Only the last token of each sentence is to be predicted, the rest of the prediction is padding.
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| {
+        let next = ids.at(&[i[0], i[1] + 1]);
+        let last = i[1] + 2 == length || ids.at(&[i[0], i[1] + 2]) == PAD;
+        if last { next } else { PAD }
+    });

//# [classic-8] The number of tokens is the length of the longest sentence instead of the sum over all.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = (0..batch)
+        .map(|b| {
+            (0..length - 1)
+                .filter(|&t| tgt_y.at(&[b, t]) != PAD)
+                .count()
+        })
+        .max()
+        .unwrap_or(0);

//# [classic-11] The decoder reads padding in front, in the place of the start token.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| {
+        if i[1] == 0 { PAD } else { ids.at(i) }
+    });

//# [classic-2] Counts the tokens that the decoder reads instead of those that it must predict.
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt.data().iter().filter(|&&id| id != PAD).count();
    Shifted { tgt, tgt_y, ntokens }
}

//# [classic-6] Takes the end token out of every row of what the decoder reads, instead of cutting off the last column only.
 use transformer_tutor::tensor::Tensor;
+
+const END: f32 = 2.0;
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1]]));
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| {
+        let id = ids.at(&[i[0], i[1]]);
+        if id == END { PAD } else { id }
+    });
-    let ntokens = tgt.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();

//# [classic-0 no-shift] Gives the same tokens to read and to predict, as if the loss shifted the labels itself.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1]]));
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
-    let ntokens = tgt.data().iter().filter(|&&id| id != PAD).count();
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
+    let tgt_y = tgt.clone();
+    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();

//# right
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}

//# [classic-2] Counts the tokens of the decoder's input, in which short rows keep their end and all rows have their start.
-    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count();
+    let ntokens = tgt.data().iter().filter(|id| **id != PAD).count();

//# [classic-5] Subtracts one per row for the end, which is a prediction like any other.
-    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count();
+    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count() - batch;

//# [classic-6] Removes the last token of every row from the decoder's input, padded rows included, where only the last column is left out.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1]]));
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| {
+        let next = ids.at(&[i[0], i[1] + 1]);
+        if next == PAD {
+            PAD
+        } else {
+            ids.at(&[i[0], i[1]])
+        }
+    });

//# [classic-9] Counts the tokens of the first row and multiplies by the number of rows, so shorter or longer rows are miscounted.
-    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count();
+    let ntokens = batch
+        * (0..length - 1)
+            .filter(|column| tgt_y.at(&[0, *column]) != PAD)
+            .count();

//# [classic-10] Takes each prediction as the next cell of the flat data with rows of length − 1, so it is wrong from the second row on.
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| {
+        ids.data()[i[0] * (length - 1) + i[1] + 1]
+    });
