//! The project itself: its layers and documents, and what its build needs.

mod layers;
mod page;
#[cfg(unix)]
mod stand_ins;
