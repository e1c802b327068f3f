//! Keys as `update` gets them, wherever they are pressed: on a terminal, in a page, in a test.

/// A key that was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyEvent {
    /// Which key.
    pub code: KeyCode,
    /// What was held down with it.
    pub modifiers: KeyModifiers,
}

impl KeyEvent {
    /// The key with what was held down.
    pub const fn new(code: KeyCode, modifiers: KeyModifiers) -> Self {
        Self { code, modifiers }
    }
}

/// A key. Those that mean nothing to the screen have no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs)]
pub enum KeyCode {
    Backspace,
    Enter,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    Tab,
    /// Shift and Tab.
    BackTab,
    Delete,
    Insert,
    Esc,
    /// A function key.
    F(u8),
    /// A character, as it is typed: with Shift, `A`.
    Char(char),
}

/// Keys that are held down while another is pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyModifiers {
    shift: bool,
    control: bool,
}

impl KeyModifiers {
    /// None.
    pub const NONE: Self = Self::new(false, false);
    /// Shift alone.
    pub const SHIFT: Self = Self::new(true, false);
    /// Control alone.
    pub const CONTROL: Self = Self::new(false, true);

    /// Shift and Control.
    pub const fn new(shift: bool, control: bool) -> Self {
        Self { shift, control }
    }

    /// True if all of `others` are held down.
    pub const fn contains(self, others: Self) -> bool {
        (self.shift || !others.shift) && (self.control || !others.control)
    }
}
