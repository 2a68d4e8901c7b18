//! Network, senders and receivers on one thread, for a kernel in virtual time.
//!
//! Such a kernel has one processor, its clock stands still while threads run, and a system call is
//! nearly all that a run costs: two switches between processes. So one wait serves all, the clock is
//! read once per wait, and a receiver reads as soon as it is handed a packet.

use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration as Sleep;

use ackclock_units::{Duration, Time};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::epoll::EpollTimeout;

use super::{Emulated, Emulator, Turn};
use crate::clock;
use crate::endpoint::{EndpointOutput, Ends};
use crate::lab::priority::{self, Role};
use crate::run::LinuxError;

impl Emulator<'_> {
    /// Runs network and hosts to the end of the plan, until all flows have finished, or until
    /// `stop` is set. `at` has the present time, ps.
    ///
    /// # Errors
    ///
    /// If a host refuses packets, the network has no room for them, or a system call fails.
    pub fn run_with(
        mut self,
        mut ends: Ends,
        at: &AtomicU64,
    ) -> Result<(Emulated, EndpointOutput), LinuxError> {
        let scheduling = priority::take(Role::Emulator);
        while let Some(head_start) =
            self.clock.real_ns(Time::ZERO).checked_sub(clock::real_ns()).filter(|left| *left > 0)
        {
            // A signal may cut it short.
            let _ = ppoll(&mut [], Some(Sleep::from_nanos(head_start).into()), None);
        }
        let mut deadline = Time::ZERO;
        while !self.shared.stop.load(Ordering::Relaxed) {
            let now = self.clock.now();
            self.standing = Some(now);
            if deadline <= now {
                ends.senders.on_time(now)?;
                deadline = ends.senders.deadline();
            }
            let until = loop {
                match self.turn(now, at)? {
                    Turn::Handled => {
                        if let Some(flow) = self.handed_to.take() {
                            ends.receivers.on_packet(flow)?;
                        }
                    }
                    Turn::Idle(until) => break Some(until),
                    Turn::Ended => break None,
                }
            };
            let Some(until) = until else { break };
            if self.wait(&mut ends, now, until.min(deadline))? {
                deadline = ends.senders.deadline();
            }
        }
        let emulated = self.finish(scheduling, Duration::ZERO);
        Ok((emulated, ends.finish(scheduling)))
    }

    /// Sleeps until a packet or an event of a socket comes, which it handles, or until `until`.
    /// Returns whether senders have worked.
    fn wait(&self, ends: &mut Ends, now: Time, until: Time) -> Result<bool, LinuxError> {
        let [has_sent, has_read] = {
            let mut fds = [self.ring.as_fd(), ends.senders.as_fd(), ends.receivers.as_fd()]
                .map(|fd| PollFd::new(fd, PollFlags::POLLIN));
            // Rounded up: a sleep never ends before its moment.
            let sleep = Sleep::from_nanos(until.since(now).as_ps().div_ceil(1000));
            match ppoll(&mut fds, Some(sleep.into()), None) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(crate::endpoint::EndpointError::from(error).into()),
            }
            [1, 2].map(|place| fds[place].any().unwrap_or(true))
        };
        if has_read {
            ends.receivers.on_sockets(EpollTimeout::ZERO)?;
        }
        if has_sent {
            ends.senders.on_sockets(EpollTimeout::ZERO)?;
        }
        Ok(has_sent)
    }
}
