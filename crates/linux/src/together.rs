//! Network, senders and receivers on one thread, for a kernel in virtual time.
//!
//! Such a kernel has one processor, its clock stands still while threads run, and a system call,
//! two switches between processes, is nearly all that a run costs. So one wait serves all, the
//! clock is read once per wait, and a receiver reads as soon as it is handed a packet.

use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::AtomicU64;
use std::time::Duration as Sleep;

use ackclock_units::{Duration, Time};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::epoll::EpollTimeout;

use crate::clock::{self, Clock};
use crate::emulator::{Emulated, Emulator, Turn};
use crate::endpoint::{EndpointError, EndpointOutput, Ends};
use crate::error::LinuxError;
use crate::lab::priority::{self, Role};

/// Runs network and hosts to the end of the plan, until all flows have finished, or until the run
/// is stopped. `at` has the present time, ps.
///
/// # Errors
///
/// If a host refuses packets, the network has no room for them, or a system call fails.
pub fn together(
    mut emulator: Emulator<'_>,
    mut ends: Ends,
    clock: Clock,
    at: &AtomicU64,
) -> Result<(Emulated, EndpointOutput), LinuxError> {
    let scheduling = priority::take(Role::Emulator);
    sleep_until_start(clock);
    let mut deadline = Time::ZERO;
    while !emulator.is_stopped() {
        let now = clock.now();
        emulator.standing = Some(now);
        if deadline <= now {
            ends.senders.on_time(now)?;
            deadline = ends.senders.deadline();
        }
        let until = loop {
            match emulator.turn(now, at)? {
                Turn::Handled => {
                    if let Some(flow) = emulator.handed_to.take() {
                        ends.receivers.on_packet(flow)?;
                    }
                }
                Turn::Idle(until) => break Some(until),
                Turn::Ended => break None,
            }
        };
        let Some(until) = until else { break };
        let fds = [emulator.as_fd(), ends.senders.as_fd(), ends.receivers.as_fd()];
        let [_, has_sent, has_read] = wait(fds, until.min(deadline).since(now))?;
        if has_read {
            ends.receivers.on_sockets(EpollTimeout::ZERO)?;
        }
        if has_sent {
            ends.senders.on_sockets(EpollTimeout::ZERO)?;
            deadline = ends.senders.deadline();
        }
    }
    Ok((emulator.finish(scheduling, Duration::ZERO), ends.finish(scheduling)))
}

/// The clock shows zero until the start.
pub fn sleep_until_start(clock: Clock) {
    let start = clock.real_ns(Time::ZERO);
    loop {
        let left = start.saturating_sub(clock::real_ns());
        if left == 0 {
            return;
        }
        sleep(Duration::from_nanos(left));
    }
}

/// Sleeps; a signal may cut it short.
pub fn sleep(time: Duration) {
    let _ = wait([], time);
}

/// Sleeps until one of `fds` is readable, but not longer than `sleep`. Returns which of them are.
pub fn wait<const N: usize>(
    fds: [BorrowedFd<'_>; N],
    sleep: Duration,
) -> Result<[bool; N], EndpointError> {
    let mut fds = fds.map(|fd| PollFd::new(fd, PollFlags::POLLIN));
    // Rounded up: a sleep never ends before its moment.
    let sleep = Sleep::from_nanos(sleep.as_ps().div_ceil(1000));
    match ppoll(&mut fds, Some(sleep.into()), None) {
        Ok(_) | Err(Errno::EINTR) => Ok(fds.map(|fd| fd.any().unwrap_or(true))),
        Err(error) => Err(error.into()),
    }
}
