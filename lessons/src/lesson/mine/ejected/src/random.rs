//! A small random number generator: SplitMix64 (Steele, Lea and Flood 2014).

/// A stream of random numbers that its seed determines.
pub struct Random(u64);

impl Random {
    /// Begins a stream.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, uniform between 0 and 1, without 1.
    pub fn uniform(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^= x >> 31;
        // An f32 has 24 bits of precision.
        (x >> 40) as f32 / (1 << 24) as f32
    }
}
