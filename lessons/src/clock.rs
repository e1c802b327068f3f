//! Time: the system's, or in WebAssembly the page's, which has no other.

#[cfg(not(target_family = "wasm"))]
mod of_the_system {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    pub use std::time::Instant;

    /// Time since 1 January 1970 (UTC).
    pub fn since_1970() -> Duration {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    }
}
#[cfg(not(target_family = "wasm"))]
pub use of_the_system::{Instant, since_1970};

#[cfg(target_family = "wasm")]
mod of_the_page {
    #![allow(unsafe_code)] // the one function that the page gives

    use std::ops::{Add, AddAssign, Sub};
    use std::time::Duration;

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Milliseconds since 1 January 1970 (UTC).
        safe fn now() -> f64;
    }

    /// Time since 1 January 1970 (UTC).
    pub fn since_1970() -> Duration {
        Duration::from_secs_f64(now() / 1000.0)
    }

    /// A moment, as [`std::time::Instant`].
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Self {
            Self(since_1970())
        }

        /// Time since this moment.
        pub fn elapsed(self) -> Duration {
            Self::now() - self
        }

        /// Time from `earlier` to this moment.
        pub fn saturating_duration_since(self, earlier: Self) -> Duration {
            self - earlier
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }

    impl AddAssign<Duration> for Instant {
        fn add_assign(&mut self, time: Duration) {
            self.0 += time;
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}
#[cfg(target_family = "wasm")]
pub use of_the_page::{Instant, since_1970};
