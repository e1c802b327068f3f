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

//# [] Takes from the decoder's input the last real token of each row instead of the last column.
-    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
+    let tgt = Tensor::from_fn(&[batch, read], |i| {
+        let last = i[1] + 1 == length || src.at(&[i[0], i[1] + 1]) == PAD;
+        if last { PAD } else { src.at(&[i[0], i[1]]) }
+    });

//# [] Takes START for a special token that nobody needs to see, and hides it in the source's mask like padding.
-        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
+        let id = src.at(&[i[0], i[2]]);
+        if id != PAD && id != START { 1.0 } else { 0.0 }

//# [padding-of-the-row] Blocks the rows of padding in the target mask instead of its columns: tests the position that looks, not the token seen.
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

//# [src-without-start no-start] Puts the start symbol into the decoder's input only and leaves the source as the random words are.
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

//# [counts-src] Counts the tokens of src, START included, in place of the predictions.
-    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count();
+    let ntokens = src.data().iter().filter(|id| **id != PAD).count();

//# [count-padding only-the-future] The target mask hides the future but not the padding, and all cells of tgt_y are counted.
-        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD {
-            1.0
-        } else {
-            0.0
-        }
+        if i[2] <= i[1] { 1.0 } else { 0.0 }
-    let ntokens = tgt_y.data().iter().filter(|id| **id != PAD).count();
+    let ntokens = tgt_y.data().len();
