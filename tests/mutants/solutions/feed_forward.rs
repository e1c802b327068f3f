//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x));
    maps.w_2.forward(&inner.dropout(maps.dropout))
}

//# [classic-5] Applies the activation function after both maps, as in a stack of layers.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let outer = maps.w_2.forward(&inner.dropout(maps.dropout));
+    maps.activation.forward(&outer)

//# [late-dropout] Drops cells of the result instead of the inner ones.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    maps.w_2.forward(&inner).dropout(maps.dropout)

//# [no-dropout] Forgets the dropout.
-    let inner = maps.activation.forward(&maps.w_1.forward(x));
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let inner = maps.w_1.forward(x);
+    let active = maps.activation.forward(&inner);
+    maps.w_2.forward(&active)

//# [classic-2] Drops twice, the inner cells and those of the result.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let kept = inner.dropout(maps.dropout);
+    maps.w_2.forward(&kept).dropout(maps.dropout)

//# [always-relu] Always takes ReLU, whatever activation function the layer has.
-    let inner = maps.activation.forward(&maps.w_1.forward(x));
+    let inner = maps.w_1.forward(x).relu();

//# [residual-inside] Adds the input to the result: takes the residual connection for a part of the layer.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let y = maps.w_2.forward(&inner.dropout(maps.dropout));
+    x.add(&y)

//# [classic-8] Multiplies the active cells by the inner ones, as a gated layer does with a second map.
-    let inner = maps.activation.forward(&maps.w_1.forward(x));
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let inner = maps.w_1.forward(x);
+    let gate = maps.activation.forward(&inner);
+    let gated = gate.mul(&inner).dropout(maps.dropout);
+    maps.w_2.forward(&gated)

//# [classic-7] Makes the inner cells sum to 1 with a softmax after the activation function.
-    let inner = maps.activation.forward(&maps.w_1.forward(x));
+    let inner = maps.activation.forward(&maps.w_1.forward(x)).softmax();

//# [classic-3] Takes dropout for the proportion of cells to keep.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let kept = if maps.dropout > 0.0 {
+        inner.dropout(1.0 - maps.dropout)
+    } else {
+        inner
+    };
+    maps.w_2.forward(&kept)

//# [classic-4] Scales the kept cells by 1 − p a second time, though dropout has seen to their mean already.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let kept = inner.dropout(maps.dropout).scale(1.0 - maps.dropout);
+    maps.w_2.forward(&kept)

//# [] Subtracts the mean of every row first: takes a part of the layer norm before it into the layer.
-    let inner = maps.activation.forward(&maps.w_1.forward(x));
+    let centred = x.sub(&x.row_mean());
+    let inner = maps.activation.forward(&maps.w_1.forward(&centred));

//# [late-dropout] Drops cells of the result, after the second map, not of the inner layer.
-    let inner = maps.activation.forward(&maps.w_1.forward(x));
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let inner = maps.w_1.forward(x);
+    let active = maps.activation.forward(&inner);
+    maps.w_2.forward(&active).dropout(maps.dropout)

//# [residual-inside] Adds x to the result, though the residual connection stands outside this layer.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let out = maps.w_2.forward(&inner.dropout(maps.dropout));
+    x.add(&out)

//# [no-activation] Leaves the activation function out.
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).dropout(maps.dropout);
    maps.w_2.forward(&inner)
}

//# [activation-last] Applies the activation function after the second map instead of between the two.
-    maps.w_2.forward(&inner)
+    maps.activation.forward(&maps.w_2.forward(&inner))

//# [classic-6] Applies the activation function to the input, before the first map.
-    let inner = maps.w_1.forward(x).dropout(maps.dropout);
+    let active = maps.activation.forward(x);
+    let inner = maps.w_1.forward(&active).dropout(maps.dropout);

//# [classic-0] Drops before the activation function instead of after it.
-    maps.w_2.forward(&inner)
+    let active = maps.activation.forward(&inner);
+    maps.w_2.forward(&active)

//# [classic-1] Drops cells of the input instead of the inner ones.
-    let inner = maps.w_1.forward(x).dropout(maps.dropout);
+    let kept = x.dropout(maps.dropout);
+    let inner = maps.activation.forward(&maps.w_1.forward(&kept));

//# [always-relu] Always takes ReLU, as the paper has it, and does not look at the layer's own activation function.
-    let inner = maps.w_1.forward(x).dropout(maps.dropout);
+    let inner = maps.w_1.forward(x).relu().dropout(maps.dropout);

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x);
    let active = maps.activation.forward(&inner).dropout(maps.dropout);
    maps.w_2.forward(&active)
}

//# [activation-last] Applies the activation function behind the second map in place of between the two.
-    let active = maps.activation.forward(&inner).dropout(maps.dropout);
-    maps.w_2.forward(&active)
+    let active = inner.dropout(maps.dropout);
+    maps.activation.forward(&maps.w_2.forward(&active))

//# [residual-inside] Adds x to the result, as if the residual connection were part of this layer.
-    maps.w_2.forward(&active)
+    x.add(&maps.w_2.forward(&active))

//# [classic-0] Drops before the activation function, which is the same for ReLU only.
-    let active = maps.activation.forward(&inner).dropout(maps.dropout);
+    let active = maps.activation.forward(&inner.dropout(maps.dropout));

//# [late-dropout] Drops cells of the result in place of inner cells.
-    let active = maps.activation.forward(&inner).dropout(maps.dropout);
-    maps.w_2.forward(&active)
+    let active = maps.activation.forward(&inner);
+    maps.w_2.forward(&active).dropout(maps.dropout)
