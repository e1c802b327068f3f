//# right
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# [classic-14] Makes the source's mask of ones.
-        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        let _ = i;
+        1.0

//# [classic-2] Writes the masks the way PyTorch's key_padding_mask has them: 1 where a cell is hidden.
-        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        if src.at(&[i[0], i[2]]) != PAD { 0.0 } else { 1.0 }
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 0.0 } else { 1.0 }

//# [classic-3] Puts START before the words and lets the last one fall out, instead of writing it over the first.
-        if i[1] == 0 { START } else { words.at(i) }
+        if i[1] == 0 { START } else { words.at(&[i[0], i[1] - 1]) }

//# [classic-4] Counts the tokens that the decoder reads instead of those that it must predict.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = tgt.data().iter().filter(|&&id| id != PAD).count();

//# [count-padding] Counts all cells to be predicted, the padding among them.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = tgt_y.data().len();

//# [classic-6] Looks for padding at the position that attends (the row) instead of at the token that is seen (the column).
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        if i[2] <= i[1] && tgt.at(&[i[0], i[1]]) != PAD { 1.0 } else { 0.0 }

//# [classic-5] Hides the future alone and forgets the padding in the target's mask.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        if i[2] <= i[1] { 1.0 } else { 0.0 }

//# [strict-past] Hides the position itself, too: it may see only the tokens before it.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        if i[2] < i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }

//# [classic-12] Takes the padding of the target's mask from what is to be predicted instead of from what is read.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        if i[2] <= i[1] && tgt_y.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }

//# [no-start classic-8] Keeps the words as the source, as in translation, and lets only the decoder begin with START.
-        if i[1] == 0 { START } else { words.at(i) }
+        words.at(i)
-    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
+    let tgt = Tensor::from_fn(&[batch, read], |i| {
+        if i[1] == 0 { START } else { src.at(i) }
+    });

//# [] Takes from the decoder's input the last real token of each row instead of the last column.
-    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
+    let tgt = Tensor::from_fn(&[batch, read], |i| {
+        let last = i[1] + 1 == length || src.at(&[i[0], i[1] + 1]) == PAD;
+        if last { PAD } else { src.at(&[i[0], i[1]]) }
+    });

//# [no-shift classic-9] Does not shift: the decoder is to predict the very tokens that it reads.
-    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
+    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));

//# [] Takes START for a special token that nobody needs to see, and hides it in the source's mask like padding.
-        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        let id = src.at(&[i[0], i[2]]);
+        if id != PAD && id != START { 1.0 } else { 0.0 }

//# [no-future classic-7] Swaps query and key in the target's mask: a position sees itself and what comes after it.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        if i[2] >= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }

//# [classic-6] Blocks the rows of padding in the target mask instead of its columns: tests the position that looks, not the token seen.
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let src = Tensor::from_fn(&[batch, length], |i| if i[1] == 0 { START } else { words.at(i) });
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1] + 1]));
    let tgt_mask = Tensor::from_fn(&[batch, length - 1, length - 1], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[1]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch {
        src,
        src_mask,
        tgt,
        tgt_y,
        tgt_mask,
        ntokens,
    }
}

//# [strict-past] Lets a position see only what lies strictly before it, not itself.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[1]]) != PAD { 1.0 } else { 0.0 }
+        if i[2] < i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }

//# [classic-8 no-start] Puts the start symbol into the decoder's input only and leaves the source as the random words are.
-    let src = Tensor::from_fn(&[batch, length], |i| if i[1] == 0 { START } else { words.at(i) });
+    let src = words.clone();
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1]]));
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1] + 1]));
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| if i[1] == 0 { START } else { words.at(i) });
+    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| words.at(&[i[0], i[1] + 1]));
-        if i[2] <= i[1] && tgt.at(&[i[0], i[1]]) != PAD { 1.0 } else { 0.0 }
+        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }

//# right
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 {
            START
        } else {
            words.at(&[i[0], i[1]])
        }
    });
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD {
            1.0
        } else {
            0.0
        }
    });
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1] + 1]));
    let tgt_mask = Tensor::from_fn(&[batch, length - 1, length - 1], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD {
            1.0
        } else {
            0.0
        }
    });
    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count();
    CopyBatch {
        src,
        src_mask,
        tgt,
        tgt_y,
        tgt_mask,
        ntokens,
    }
}

//# [classic-10] Counts the tokens of src, START included, in place of the predictions.
-    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count();
+    let ntokens = src.data().iter().filter(|id| **id != PAD).count();

//# [classic-11] Reads the padding of the target mask from row 0 for every sentence of the batch.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD {
+        if i[2] <= i[1] && tgt.at(&[0, i[2]]) != PAD {

//# [classic-12] Makes the target mask from the padding of tgt_y, which begins one position earlier than that of tgt.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD {
+        if i[2] <= i[1] && tgt_y.at(&[i[0], i[2]]) != PAD {

//# [classic-6] Blocks the rows of padded positions in place of the columns of padded tokens.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD {
+        if i[2] <= i[1] && tgt.at(&[i[0], i[1]]) != PAD {

//# [classic-13] Cuts the decoder's input from the words, so it does not begin with START.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1]]));
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| words.at(&[i[0], i[1]]));

//# [classic-3] Puts START before the words and drops the last one, where it should replace the first.
-            words.at(&[i[0], i[1]])
+            words.at(&[i[0], i[1] - 1])

//# [count-padding classic-5] The target mask hides the future but not the padding, and all cells of tgt_y are counted.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD {
-            1.0
-        } else {
-            0.0
-        }
+        if i[2] <= i[1] { 1.0 } else { 0.0 }
-    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count();
+    let ntokens = tgt_y.data().len();
