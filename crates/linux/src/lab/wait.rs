//! Waits for a packet or for a moment.

use std::os::fd::BorrowedFd;

use ackclock_units::{Duration, Time};
use nix::poll::{PollFd, PollFlags, ppoll};

use crate::clock::Clock;

/// What a wake-up may take. The time before a moment that is not slept through.
pub const SPIN: Duration = Duration::from_micros(60);
/// Longer sleeps are taken in parts.
const LONGEST: Duration = Duration::from_secs(1);

/// Returns when `fd` is readable, `until` has come, or a signal has.
pub fn wait(fd: BorrowedFd<'_>, until: Time, clock: &Clock) {
    loop {
        let now = clock.now();
        if now >= until {
            return;
        }
        let sleep = until.since(now).saturating_sub(SPIN).min(LONGEST);
        let mut fds = [PollFd::new(fd, PollFlags::POLLIN)];
        match ppoll(&mut fds, Some(std::time::Duration::from_nanos(sleep.as_ps() / 1000).into()), None) {
            Ok(0) => core::hint::spin_loop(),
            _ => return,
        }
    }
}
