//! Waits for a packet or for a moment.

use std::os::fd::BorrowedFd;
use std::time::Duration as Sleep;

use ackclock_units::{Duration, Time};
use nix::poll::{PollFd, PollFlags, ppoll};

use super::priority::Scheduling;
use crate::clock::Clock;

/// Time before a due moment that is spent awake: the p99 of a wake-up after sleeps shorter than
/// `SHORT`, and after longer ones.
///
/// In longer sleeps a processor goes to rest. Measured on a virtual machine: 25 to 40 us, and 80
/// us.
const SPIN: Duration = Duration::from_micros(30);
const SPIN_AFTER_REST: Duration = Duration::from_micros(60);
const SHORT: Duration = Duration::from_micros(300);
/// Longer sleeps are taken in parts.
const LONGEST: Duration = Duration::from_secs(1);

/// A thread under `SCHED_DEADLINE` that spins more than it was promised is stopped, and that only
/// at a tick: for up to 2 ms. So it stops itself, for a little. The share of its time that it may
/// be awake, in quarters, and how much it may save up.
const AWAKE_QUARTERS: i64 = 3;
const SAVED_NS: i64 = 200_000;
const REST: Sleep = Sleep::from_micros(50);

/// Waits of a thread in real time.
#[derive(Clone, Debug)]
pub struct Waiter {
    /// Time that the thread may still be awake, in quarters of ns; absent for threads that the
    /// kernel does not stop.
    saved: Option<i64>,
    /// Time up to which `saved` is counted.
    reckoned: Time,
}

impl Waiter {
    /// The waiter of a thread with this scheduling class.
    #[must_use]
    pub fn new(scheduling: Scheduling) -> Self {
        Self { saved: (scheduling == Scheduling::Deadline).then_some(0), reckoned: Time::ZERO }
    }

    /// Returns when `fd` is readable, `until` has come, or a signal has arrived. It may return a
    /// little late, but never early without one of these.
    pub fn wait(&mut self, fd: BorrowedFd<'_>, until: Time, clock: &Clock) {
        loop {
            let now = clock.now();
            if now >= until {
                return;
            }
            self.reckon(now, AWAKE_QUARTERS - 4);
            if self.saved.is_some_and(|saved| saved < 0) {
                // A signal may cut it short.
                let _ = ppoll(&mut [], Some(REST.into()), None);
                self.reckon(clock.now(), AWAKE_QUARTERS);
                continue;
            }
            let left = until.since(now);
            let spin = if left < SHORT { SPIN } else { SPIN_AFTER_REST };
            let sleep = left.saturating_sub(spin).min(LONGEST);
            let mut fds = [PollFd::new(fd, PollFlags::POLLIN)];
            let woken = ppoll(&mut fds, Some(Sleep::from_nanos(sleep.as_ps() / 1000).into()), None);
            if !sleep.is_zero() {
                self.reckon(clock.now(), AWAKE_QUARTERS);
            }
            if woken != Ok(0) {
                return;
            }
            core::hint::spin_loop();
        }
    }

    /// Adds `quarters` for each ns since the last call.
    fn reckon(&mut self, now: Time, quarters: i64) {
        let passed = now.since(self.reckoned);
        self.reckoned = now;
        if let Some(saved) = &mut self.saved {
            let ns = i64::try_from(passed.as_ps() / 1000).unwrap_or(i64::MAX);
            *saved =
                saved.saturating_add(ns.saturating_mul(quarters)).clamp(-SAVED_NS, 4 * SAVED_NS);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd as _;

    use nix::sys::resource::{UsageWho, getrusage};
    use nix::unistd::{pipe, write};

    use super::{Duration, Scheduling, Time, Waiter};
    use crate::clock::{Clock, real_ns};

    const STEP: Duration = Duration::from_micros(20);

    fn sleeps() -> i64 {
        getrusage(UsageWho::RUSAGE_THREAD).expect("of this thread").voluntary_context_switches()
    }

    #[test]
    fn it_is_never_early_and_a_packet_ends_it() {
        let (reads, writes) = pipe().expect("a pipe");
        let clock = Clock::starting_at(real_ns());
        for scheduling in [Scheduling::Ordinary, Scheduling::Deadline] {
            let mut waiter = Waiter::new(scheduling);
            let until = clock.now() + Duration::from_millis(2);
            waiter.wait(reads.as_fd(), until, &clock);
            assert!(clock.now() >= until);
        }
        write(&writes, b"!").expect("room");
        Waiter::new(Scheduling::Deadline).wait(reads.as_fd(), Time::MAX, &clock);
    }

    #[test]
    fn who_may_be_stopped_does_not_spin_all_the_time() {
        let (reads, _writes) = pipe().expect("a pipe");
        let clock = Clock::starting_at(real_ns());
        let mut waiter = Waiter::new(Scheduling::Deadline);
        let before = sleeps();
        // Waits one after another, each too short for a sleep.
        for _ in 0..2000 {
            waiter.wait(reads.as_fd(), clock.now() + STEP, &clock);
        }
        // The waits take 40 ms together, and the time saved up lasts for 0.8 ms, so there are at
        // least 50 rests. A waiter that spins all the time never sleeps.
        let slept = sleeps() - before;
        assert!(slept > 20, "{slept} times");
    }
}
