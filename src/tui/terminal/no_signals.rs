//! Stand-in for signal handling on systems without signals.

/// Asks the whole process group to stop, which is impossible here.
pub fn ask_to_stop() -> bool {
    false
}

/// Stops until the shell continues the program.
pub fn stop() {}

/// Wakes the thread waiting for the terminal; it never waits long here.
pub fn wake() {}

/// Signal that the program is to end with.
pub fn ended() -> Option<i32> {
    None
}

/// True if the program is to stop.
pub fn take_stop() -> bool {
    false
}

/// True if the program was continued after a stop.
pub fn take_went_on() -> bool {
    false
}

/// True if the size may have changed; here the terminal reports that as an event.
pub fn take_resized() -> bool {
    false
}

/// Ends the program.
pub fn die(signal: i32) -> ! {
    std::process::exit(128 + signal)
}
