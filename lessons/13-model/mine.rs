//! Your model: the functions that you have written, each in its place. `cargo run -- mine` finds out which exist, and
//! builds and runs this target with them, as in `--cfg 'own="attention"'`. Nothing else needs to build it.

#![allow(unexpected_cfgs, unused_macros, unused_mut)]

use transformer_tutor::lesson::mine::{self, Mine};

// `environment::CONTENT`
const _: Option<&str> = option_env!("TRANSFORMER_TUTOR_CONTENT");

macro_rules! own {
    ($($name:literal $module:ident $path:literal;)*) => {
        $(
            #[cfg(own = $name)]
            #[path = $path]
            mod $module;
        )*

        fn main() -> std::process::ExitCode {
            let mut mine = Mine::default();
            $(
                #[cfg(own = $name)]
                {
                    mine.parts.$module = taken!($module);
                    mine.own.push($name);
                }
            )*
            mine::main(mine)
        }
    };
}

macro_rules! taken {
    // A function that is generic over the sublayer needs a closure to become a function pointer.
    (residual) => {
        |x, norm, dropout, sublayer| residual::residual(x, norm, dropout, sublayer)
    };
    // `None` is the default of these, because the engine has no function of their form.
    (linear) => {
        Some(linear::linear)
    };
    (layer_norm_backward) => {
        Some(layer_norm_backward::layer_norm_backward)
    };
    (xavier_uniform) => {
        Some(xavier_uniform::xavier_uniform)
    };
    (cross_entropy) => {
        Some(cross_entropy::cross_entropy)
    };
    (tiny_tape) => {
        Some(tiny_tape::tiny_tape)
    };
    (training_loop) => {
        Some(training_loop::training_loop)
    };
    (greedy_decode) => {
        Some(greedy_decode::greedy_decode)
    };
    ($module:ident) => {
        $module::$module
    };
}

own! {
    "scale_embeddings" scale_embeddings "../../exercises/scale_embeddings.rs";
    "positional_encoding" positional_encoding "../../exercises/positional_encoding.rs";
    "subsequent_mask" subsequent_mask "../../exercises/subsequent_mask.rs";
    "attention" attention "../../exercises/attention.rs";
    "multi_head_attention" multi_head_attention "../../exercises/multi_head_attention.rs";
    "feed_forward" feed_forward "../../exercises/feed_forward.rs";
    "layer_norm" layer_norm "../../exercises/layer_norm.rs";
    "residual" residual "../../exercises/residual.rs";
    "encoder_layer" encoder_layer "../../exercises/encoder_layer.rs";
    "decoder_layer" decoder_layer "../../exercises/decoder_layer.rs";
    "next_words" next_words "../../exercises/next_words.rs";
    "pass" pass "../../exercises/pass.rs";
    "xavier_uniform" xavier_uniform "../../exercises/xavier_uniform.rs";
    "softmax_backward" softmax_backward "../../exercises/softmax_backward.rs";
    "linear" linear "../../exercises/linear.rs";
    "layer_norm_backward" layer_norm_backward "../../exercises/layer_norm_backward.rs";
    "tiny_tape" tiny_tape "../../exercises/tiny_tape.rs";
    "shift" shift "../../exercises/shift.rs";
    "smoothed_targets" smoothed_targets "../../exercises/smoothed_targets.rs";
    "cross_entropy" cross_entropy "../../exercises/cross_entropy.rs";
    "adam_step" adam_step "../../exercises/adam_step.rs";
    "noam_rate" noam_rate "../../exercises/noam_rate.rs";
    "copy_batch" copy_batch "../../exercises/copy_batch.rs";
    "cut_batches" cut_batches "../../exercises/cut_batches.rs";
    "training_step" training_step "../../exercises/training_step.rs";
    "training_loop" training_loop "../../exercises/training_loop.rs";
    "beam_step" beam_step "../../exercises/beam_step.rs";
    "greedy_decode" greedy_decode "../../exercises/greedy_decode.rs";
}
