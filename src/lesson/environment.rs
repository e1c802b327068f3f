//! Names of the environment variables that the program reads or sets.

/// Folder for progress, exercises and own models, instead of the platform's default.
pub const STATE: &str = "TRANSFORMER_TUTOR_STATE";

/// Theme of the screen, where `--theme` is not given.
pub const THEME: &str = "TRANSFORMER_TUTOR_THEME";

/// Time limit of an exercise's check, in seconds.
pub const SECONDS: &str = "TRANSFORMER_TUTOR_SECONDS";

/// A writer's folder of lessons. Like `lessons/`, it holds texts and words; they replace the built-in ones, so that a
/// page can be seen without rebuilding.
pub const LESSONS: &str = "TRANSFORMER_TUTOR_LESSONS";

/// Set for a learner's process whose tutor waits for a result.
pub const VERDICT: &str = "TRANSFORMER_TUTOR_VERDICT";

/// Set for a learner's process that runs the learner's own model: the [`Order`](super::mine::Order), as JSON.
pub const ORDER: &str = "TRANSFORMER_TUTOR_ORDER";
