//! The walkthrough: its state under keys and clicks, its screens, and the program on a terminal.

mod hands;
mod memory;
mod pages;
mod pty;
mod random;
mod room;
mod terminal;
mod tui;
