//! Numbers in files as f32, which holds both 16-bit formats without loss; doubles are rounded.

/// Applies `number` to every `N` bytes; fewer bytes at the end are ignored.
pub fn each<const N: usize, T>(
    bytes: &[u8],
    number: impl Fn([u8; N]) -> T,
) -> impl Iterator<Item = T> {
    let numbers = bytes.as_chunks::<N>().0;
    numbers.iter().map(move |bytes| number(*bytes))
}

/// IEEE half precision, little-endian: one sign bit, five exponent bits, ten fraction bits.
pub fn f16(bytes: [u8; 2]) -> f32 {
    let bits = u32::from(u16::from_le_bytes(bytes));
    let (sign, exponent, fraction) = (bits >> 15, bits >> 10 & 31, bits & 1023);
    let size = match exponent {
        // Subnormal numbers, in steps of 2⁻²⁴.
        0 => return (1.0 - 2.0 * sign as f32) * fraction as f32 / 16_777_216.0,
        31 => 255 << 23,
        _ => (exponent + 112) << 23,
    };
    f32::from_bits(sign << 31 | size | fraction << 13)
}

/// bfloat16, little-endian: the upper half of an f32.
pub fn bf16(bytes: [u8; 2]) -> f32 {
    f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16)
}

/// Double precision, little-endian, rounded to the nearest f32.
pub fn f64(bytes: [u8; 8]) -> f32 {
    f64::from_le_bytes(bytes) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_what_ieee_says() {
        for (bits, value) in [
            (0x3C00_u16, 1.0),
            (0xC000, -2.0),
            (0x7BFF, 65504.0),
            (0x0001, 2.0_f32.powi(-24)),
            (0x03FF, 1023.0 * 2.0_f32.powi(-24)),
            (0x3555, 0.333_251_95),
            (0x7C00, f32::INFINITY),
        ] {
            assert_eq!(f16(bits.to_le_bytes()), value, "{bits:#x}");
        }
        assert!(f16(0x7E00_u16.to_le_bytes()).is_nan());
        assert!(f16(0x8000_u16.to_le_bytes()).is_sign_negative());
        assert_eq!(bf16(0x3FC0_u16.to_le_bytes()), 1.5);
    }
}
