//! A Transformer (Vaswani et al. 2017) that translates German to English, and learns to copy.
//!
//! Read it in this order: [`functions`] (what a Transformer computes), [`nn`] and [`transformer`] (how the functions
//! make a model), [`text`], [`params`] and [`decode`] (translating), [`data`] and [`train`] (training), and below all
//! of them [`tensor`], [`autograd`] and [`ops`].

pub mod autograd;
pub mod data;
pub mod decode;
pub mod functions;
pub mod nn;
pub mod ops;
pub mod params;
pub mod random;
pub mod tensor;
pub mod text;
pub mod train;
pub mod transformer;
