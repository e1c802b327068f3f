//! Timing of the parts of an animation.

/// Progress, from 0 to 1, of the part that lasts from the fraction `from` of an animation's time to the fraction `to`.
pub fn segment_progress(progress: f32, from: f32, to: f32) -> f32 {
    ((progress - from) / (to - from)).clamp(0.0, 1.0)
}

/// Like [`segment_progress`], with a smooth start and end.
pub fn eased(progress: f32, from: f32, to: f32) -> f32 {
    let t = segment_progress(progress, from, to);
    t * t * (3.0 - 2.0 * t)
}

/// Linear interpolation from `a` to `b`.
pub fn between(a: i32, b: i32, t: f32) -> i32 {
    a + ((b - a) as f32 * t).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_begins_and_ends_when_it_says() {
        assert_eq!(
            [0.1, 0.2, 0.3, 0.4, 0.9].map(|p| (segment_progress(p, 0.2, 0.4) * 100.0).round()),
            [0.0, 0.0, 50.0, 100.0, 100.0]
        );
        assert_eq!([0.0, 0.5, 1.0].map(|p| eased(p, 0.0, 1.0)), [0.0, 0.5, 1.0]);
        assert_eq!([0.0, 0.5, 1.0].map(|t| between(10, -10, t)), [10, 0, -10]);
    }
}
