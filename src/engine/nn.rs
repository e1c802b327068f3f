//! The layers, one file each: a struct of parameters and a `forward` that reads like the paper.

pub mod activation;
pub mod additive;
pub mod attention;
pub mod embeddings;
pub mod feed_forward;
pub mod grouped_query;
pub mod layer_norm;
pub mod linear;
pub mod masks;
pub mod multi_head_attention;
pub mod positional_encoding;
pub mod residual;
pub mod rms_norm;
pub mod rotary;
pub mod softmax_backward;
pub mod three_uses;
