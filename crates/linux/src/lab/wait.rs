//! Waits for a packet or for a moment.

use std::os::fd::BorrowedFd;

use ackclock_units::Time;

use crate::clock::Clock;

/// Returns when `fd` is readable or `until` has come. Sleeps first and spins at the end, as a wake-up takes up to 60 us.
pub fn wait(fd: BorrowedFd<'_>, until: Time, clock: &Clock) {
    let _ = (fd, until, clock);
    unimplemented!()
}
