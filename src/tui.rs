//! The walkthrough on the screen.

pub mod command;
