//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.log_softmax()
}

//# [classic-6] Takes the logarithm to base 2.
-    logits.log_softmax()
+    logits.log_softmax().scale(std::f32::consts::LOG2_E)

//# [probabilities] It gives probabilities instead of their logarithms.
-    logits.log_softmax()
+    logits.softmax()

//# [logits-only] It gives the raw logits and leaves softmax to the loss, as PyTorch's CrossEntropyLoss has it.
-    logits.log_softmax()
+    logits

//# [classic-0] The weight is not transposed: rows are multiplied with its columns.
-    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
+    let mut logits = hidden.matmul(&tape.param(generator.weight));

//# [classic-1] Softmax and logarithm are two steps, so small probabilities round to 0 and their logarithm is minus infinity.
-    logits.log_softmax()
+    logits.softmax().log()

//# [over-positions] Softmax runs over the positions instead of the vocabulary.
-    logits.log_softmax()
+    logits.transpose().log_softmax().transpose()

//# [softmax-twice] Softmax is applied twice, once by itself and once inside log_softmax.
-    logits.log_softmax()
+    logits.softmax().log_softmax()

//# [classic-3] The logits are divided by the root of d_model, as attention scores are.
-    logits.log_softmax()
+    let d_model = *hidden.shape().last().unwrap() as f32;
+    logits.scale(1.0 / d_model.sqrt()).log_softmax()

//# [classic-8] The logits are divided by the mean of the exponentials instead of their sum.
-    logits.log_softmax()
+    let mean = logits.exp().row_mean().log();
+    logits.sub(&mean)

//# [classic-5] Only the last position is predicted, as in generation.
     let tape = hidden.tape();
+    let hidden = hidden.last_position();

//# [classic-4] It gives the negative logarithm, which is the loss and not the log-probability.
-    logits.log_softmax()
+    logits.log_softmax().scale(-1.0)

//# [classic-9] It takes the logarithm of the logits instead of the softmax.
-    logits.log_softmax()
+    logits.log().softmax()

//# [classic-6] The logarithm is to base 2 instead of natural.
-    logits.log_softmax()
+    logits.log_softmax().scale(1.0 / std::f32::consts::LN_2)

//# [classic-7] A ReLU cuts the negative logits, as after a hidden layer.
-    logits.log_softmax()
+    logits.relu().log_softmax()

//# [no-bias] The bias is left out.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let weight = hidden.tape().param(generator.weight);
    hidden.matmul_t(&weight).log_softmax()
}

//# [classic-2] Adds the bias to the log-probabilities, after the log-softmax.
-    hidden.matmul_t(&weight).log_softmax()
+    let log_probs = hidden.matmul_t(&weight).log_softmax();
+    match generator.bias {
+        Some(bias) => log_probs.add(&hidden.tape().param(bias)),
+        None => log_probs,
+    }

//# [classic-2] The bias is added after log_softmax.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let fit = hidden.matmul_t(&tape.param(generator.weight)).log_softmax();
    match generator.bias {
        Some(bias) => fit.add(&tape.param(bias)),
        None => fit,
    }
}

//# [logits-only] Returns the logits, as for PyTorch's CrossEntropyLoss, which does the log-softmax itself.
-    let fit = hidden.matmul_t(&tape.param(generator.weight)).log_softmax();
+    let logits = hidden.matmul_t(&tape.param(generator.weight));
-        Some(bias) => fit.add(&tape.param(bias)),
-        None => fit,
+        Some(bias) => logits.add(&tape.param(bias)),
+        None => logits,

//# [] It assumes that there always is a bias.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let weight = tape.param(generator.weight);
    let bias = tape.param(generator.bias.expect("a linear layer has a bias"));
    hidden.matmul_t(&weight).add(&bias).log_softmax()
}

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;

pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let scores = hidden.matmul_t(&tape.param(generator.weight));
    let scores = match generator.bias {
        Some(bias) => scores.add(&tape.param(bias)),
        None => scores,
    };
    scores.log_softmax()
}

//# [classic-2] Adds the bias to the logarithms after the softmax, so the probabilities no longer sum to 1.
-    let scores = hidden.matmul_t(&tape.param(generator.weight));
+    let scores = hidden.matmul_t(&tape.param(generator.weight)).log_softmax();
-    scores.log_softmax()
+    scores

//# [no-bias] Leaves out the bias.
-        Some(bias) => scores.add(&tape.param(bias)),
+        Some(_) => scores,

//# [classic-0] Multiplies hidden by the columns of the weight in place of its rows, which fits only if both sizes are equal.
-    let scores = hidden.matmul_t(&tape.param(generator.weight));
+    let scores = hidden.matmul(&tape.param(generator.weight));

//# [classic-1] Takes the logarithm of a probability that may already have become 0, which gives −∞.
-    scores.log_softmax()
+    scores.softmax().log()

//# [unwrapped-none] Unwraps the bias, which panics for a generator that has none.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;

pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let weight = hidden.tape().param(generator.weight);
    let bias = hidden.tape().param(generator.bias.unwrap());
    hidden.matmul_t(&weight).add(&bias).log_softmax()
}
