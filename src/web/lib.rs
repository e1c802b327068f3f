//! The course in a page.
