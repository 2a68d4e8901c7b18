//! A long reading that can be stopped.

use crate::error::ReadError;

/// Steps after which the reader asks again: about a millisecond of work.
const PERIOD: u64 = 1 << 12;

/// Asks now and then whether to go on.
pub struct Pace<'a> {
    goes_on: &'a mut dyn FnMut() -> bool,
    /// Steps since it asked.
    steps: u64,
}

impl<'a> Pace<'a> {
    pub fn new(goes_on: &'a mut dyn FnMut() -> bool) -> Self {
        Self { goes_on, steps: 0 }
    }

    /// Counts steps of work, each of a few dozen ns.
    pub fn work(&mut self, steps: u64) -> Result<(), ReadError> {
        self.steps += steps;
        if self.steps < PERIOD { Ok(()) } else { self.ask() }
    }

    /// Asks now.
    pub fn ask(&mut self) -> Result<(), ReadError> {
        self.steps = 0;
        if (self.goes_on)() { Ok(()) } else { Err(ReadError::Stopped) }
    }
}
