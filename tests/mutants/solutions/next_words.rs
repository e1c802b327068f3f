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

//# [logits-only] It gives the raw logits and leaves softmax to the loss, as PyTorch's CrossEntropyLoss has it.
-    logits.log_softmax()
+    logits

//# [over-positions] Softmax runs over the positions instead of the vocabulary.
-    logits.log_softmax()
+    logits.transpose().log_softmax().transpose()

//# [divided] The logits are divided by the root of d_model, as attention scores are.
-    logits.log_softmax()
+    let d_model = *hidden.shape().last().unwrap() as f32;
+    logits.scale(1.0 / d_model.sqrt()).log_softmax()

//# [mean-of-exponentials] The logits are divided by the mean of the exponentials instead of their sum.
-    logits.log_softmax()
+    let mean = logits.exp().row_mean().log();
+    logits.sub(&mean)

//# [only-the-last] Only the last position is predicted, as in generation.
     let tape = hidden.tape();
+    let hidden = hidden.last_position();

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
