//! What the page gives to the course besides the time, which `clock` of the course takes itself.

use tutor_views::tensor::threads::is_quiet;

use super::{Reply, keep};

/// Shows the screen while a question is still being answered.
pub fn show(reply: &Reply) {
    let length = keep(reply);
    #[cfg(target_family = "wasm")]
    of_the_page::take(super::reply(), length);
    #[cfg(not(target_family = "wasm"))]
    let _ = length; // there is no page
}

/// Tells the page of panics that nothing catches.
pub fn catch_panics() {
    if !cfg!(target_family = "wasm") {
        return;
    }
    std::panic::set_hook(Box::new(|panic| {
        if !is_quiet() {
            show(&Reply {
                panic: Some(panic.to_string()),
                ..Reply::default()
            });
        }
    }));
}

#[cfg(target_family = "wasm")]
mod of_the_page {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Fills memory with random bytes.
        fn random(place: *mut u8, length: usize);
        /// Takes an answer at `place` while the question is still being answered.
        fn tell(place: *const u8, length: usize);
    }

    /// Gives the page an answer, which is kept until the next one.
    pub fn take(place: *const u8, length: usize) {
        // SAFETY: the page only reads it.
        unsafe { tell(place, length) };
    }

    /// Random bytes for version 0.3 of `getrandom`.
    ///
    /// # Safety
    ///
    /// `place` is writable memory of `length` bytes.
    #[unsafe(no_mangle)]
    unsafe extern "Rust" fn __getrandom_v03_custom(
        place: *mut u8,
        length: usize,
    ) -> Result<(), getrandom_03::Error> {
        // SAFETY: by the contract of this function.
        unsafe { random(place, length) };
        Ok(())
    }

    /// The same for version 0.4.
    ///
    /// # Safety
    ///
    /// `place` is writable memory of `length` bytes.
    #[unsafe(no_mangle)]
    unsafe extern "Rust" fn __getrandom_v04_custom(
        place: *mut u8,
        length: usize,
    ) -> Result<(), getrandom_04::Error> {
        // SAFETY: by the contract of this function.
        unsafe { random(place, length) };
        Ok(())
    }
}
