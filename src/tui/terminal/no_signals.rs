//! Signals, where there are none.

/// Asks all that the shell started with this program to stop: nothing can here.
pub fn ask_to_stop() -> bool {
    false
}

/// Stops until the shell lets the program go on.
pub fn stop() {}

/// Wakes whoever waits for the terminal: nobody waits long here.
pub fn ring() {}

/// The signal that the program is to end with.
pub fn ended() -> Option<i32> {
    None
}

/// Whether the program is to stop.
pub fn take_stop() -> bool {
    false
}

/// Whether the program goes on after it was stopped.
pub fn take_went_on() -> bool {
    false
}

/// Whether the size may be another: the terminal says so itself.
pub fn take_resized() -> bool {
    false
}

/// Ends the program.
pub fn die(signal: i32) -> ! {
    std::process::exit(128 + signal)
}
