//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x));
    maps.w_2.forward(&inner.dropout(maps.dropout))
}

//# [activation-twice] Applies the activation function after both maps, as in a stack of layers.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let outer = maps.w_2.forward(&inner.dropout(maps.dropout));
+    maps.activation.forward(&outer)

//# [late-dropout] Drops cells of the result instead of the inner ones.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    maps.w_2.forward(&inner).dropout(maps.dropout)

//# [always-relu] Always takes ReLU, whatever activation function the layer has.
-    let inner = maps.activation.forward(&maps.w_1.forward(x));
+    let inner = maps.w_1.forward(x).relu();

//# [residual-inside] Adds the input to the result: takes the residual connection for a part of the layer.
-    maps.w_2.forward(&inner.dropout(maps.dropout))
+    let y = maps.w_2.forward(&inner.dropout(maps.dropout));
+    x.add(&y)

//# [softmax-inside] Makes the inner cells sum to 1 with a softmax after the activation function.
-    let inner = maps.activation.forward(&maps.w_1.forward(x));
+    let inner = maps.activation.forward(&maps.w_1.forward(x)).softmax();

//# [] Subtracts the mean of every row first: takes a part of the layer norm before it into the layer.
-    let inner = maps.activation.forward(&maps.w_1.forward(x));
+    let centred = x.sub(&x.row_mean());
+    let inner = maps.activation.forward(&maps.w_1.forward(&centred));

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x);
    let active = maps.activation.forward(&inner).dropout(maps.dropout);
    maps.w_2.forward(&active)
}
