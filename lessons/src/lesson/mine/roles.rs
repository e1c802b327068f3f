//! The place of each function in a translation or a training run.

/// The place of an exercise's function in the model.
pub struct Role {
    /// Name of the exercise.
    pub name: &'static str,
    /// Depth in the call tree: the caller is the nearest entry above with a smaller depth.
    pub depth: usize,
    /// What the function does there.
    pub does: &'static str,
}

const fn role(name: &'static str, depth: usize, does: &'static str) -> Role {
    Role { name, depth, does }
}

/// The sections of the map with their functions, callers before callees.
pub static ROLES: [(&str, &[Role]); 3] = [
    (
        "Translating: `mine translate`",
        &[
            role("beam_step", 0, "chooses tokens from the log-probabilities"),
            role("pass", 0, "a forward pass for each token"),
            role("subsequent_mask", 1, "the decoder's mask over the future"),
            role("scale_embeddings", 1, "ids to vectors, source and target"),
            role("positional_encoding", 1, "added to both"),
            role("encoder_layer", 1, "each layer of the encoder"),
            role("decoder_layer", 1, "each layer of the decoder"),
            role("residual", 2, "around every sublayer of both"),
            role("layer_norm", 3, "before every sublayer, and on top"),
            role(
                "multi_head_attention",
                3,
                "self-attention and cross-attention",
            ),
            role("attention", 4, "all heads of one layer"),
            role("feed_forward", 3, "every position by itself"),
            role("next_words", 1, "vectors to log-probabilities"),
            role("greedy_decode", 0, "a second translation, without a beam"),
        ],
    ),
    (
        "Training: `mine train`, with the layers above",
        &[
            role("training_loop", 0, "epochs, and the best weights"),
            role("cut_batches", 0, "which sentences make a batch"),
            role("copy_batch", 0, "the source and both masks"),
            role("shift", 0, "what the decoder reads and must predict"),
            role(
                "smoothed_targets",
                0,
                "the target distributions of the loss",
            ),
            role(
                "softmax_backward",
                0,
                "the gradient through attention's softmax",
            ),
            role("adam_step", 0, "moves the weights"),
            role("noam_rate", 0, "how far"),
            role("xavier_uniform", 0, "the first weights"),
            role("linear", 0, "every linear map, with its gradients"),
            role("layer_norm_backward", 0, "the gradients of the norms"),
            role("cross_entropy", 0, "the loss of new sentences"),
            role("training_step", 0, "three more updates at the end"),
            role("tiny_tape", 0, "a small network beside it learns XOR"),
        ],
    ),
    (
        "Checked by themselves",
        &[
            role(
                "three_uses",
                0,
                "the layers call multi-head attention themselves",
            ),
            role(
                "byte_pairs",
                0,
                "the built-in models have their tokens already",
            ),
            role("alignment", 0, "needs the true alignment"),
            role("bleu", 0, "needs references"),
            role("attention_cost", 0, "counts, and changes no number"),
            role("rms_norm", 0, "the built-in models use layer norm"),
        ],
    ),
];

/// Functions that a translation calls if the learner has written all of them.
pub fn translating() -> impl Iterator<Item = &'static str> {
    ROLES[0].1.iter().map(|role| role.name)
}

/// Functions that a training run on the copy task calls if the learner has written all of them.
pub fn training() -> impl Iterator<Item = &'static str> {
    const ONLY_TRANSLATING: [&str; 4] = ["pass", "subsequent_mask", "beam_step", "greedy_decode"];
    let layers = translating().filter(|name| !ONLY_TRANSLATING.contains(name));
    layers.chain(ROLES[1].1.iter().map(|role| role.name))
}
