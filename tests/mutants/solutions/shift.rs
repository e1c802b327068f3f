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

//# [keep-last] The decoder reads the whole sentence; only the prediction is cut.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
+    let tgt = Tensor::from_fn(&[batch, length], |i| ids.at(i));

//# [count-padding] All positions are counted, padding too.
-use transformer_tutor::nn::masks::{PAD, Shifted};
+use transformer_tutor::nn::masks::Shifted;
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = tgt_y.len();

//# [no-ends] The end token is taken for no prediction and is not counted.
-    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
+    let ntokens = tgt_y
+        .data()
+        .iter()
+        .filter(|&&id| id != PAD && id != 2.0)
+        .count();

//# [end-is-padding] The end token of every sentence is cut from what the decoder reads, wherever it stands.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
+    let tgt = Tensor::from_fn(&[batch, length - 1], |i| {
+        if ids.at(i) == 2.0 { PAD } else { ids.at(i) }
+    });

//# [] Sentences are cut off instead of tokens: the slice runs over the first axis.
-    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt = Tensor::from_fn(&[batch - 1, length], |i| ids.at(i));
+    let tgt_y = Tensor::from_fn(&[batch - 1, length], |i| ids.at(&[i[0] + 1, i[1]]));

//# [] Only the last token of each sentence is to be predicted, the rest of the prediction is padding.
-    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
+    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| {
+        let next = ids.at(&[i[0], i[1] + 1]);
+        let last = i[1] + 2 == length || ids.at(&[i[0], i[1] + 2]) == PAD;
+        if last { next } else { PAD }
+    });

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
