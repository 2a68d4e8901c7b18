//! The scheduling class of a real-time thread, as good as the machine permits.
#![allow(unsafe_code)]

use core::fmt;
use core::mem::size_of;

use nix::libc;
use nix::sys::prctl::set_timerslack;
use nix::sys::resource::{Resource, getrlimit};
use rustix::process::{getpriority_process, setpriority_process};

/// Work of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Runs the network: 0.8 ms of each ms.
    Emulator,
    /// Works on sockets: 0.15 ms of each ms.
    Endpoint,
}

/// Scheduling class that a thread got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduling {
    /// `SCHED_DEADLINE`.
    Deadline,
    /// Ordinary scheduling with this nice value below zero.
    Nice(i8),
    /// Ordinary scheduling without a nice value.
    Ordinary,
    /// Any scheduling of a kernel whose clock stands still while threads run.
    Virtual,
}

impl fmt::Display for Scheduling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deadline => f.write_str("SCHED_DEADLINE"),
            Self::Nice(nice) => write!(f, "nice {nice}"),
            Self::Ordinary => f.write_str("ordinary"),
            Self::Virtual => f.write_str("virtual time"),
        }
    }
}

const PERIOD_NS: u64 = 1_000_000;
/// The shortest slice that the kernel grants (Linux 6.12). A thread that asks for less at a time
/// gets it sooner.
const SLICE_NS: u64 = 100_000;
#[expect(clippy::cast_possible_truncation, reason = "48 bytes")]
const SIZE: u32 = size_of::<libc::sched_attr>() as u32;

impl Role {
    const fn runtime_ns(self) -> u64 {
        match self {
            Self::Emulator => 800_000,
            Self::Endpoint => 150_000,
        }
    }
}

/// Takes the best class that the calling thread can get. `SCHED_FIFO` is not used: the kernel takes
/// 50 ms of each second from it, in one piece.
#[must_use]
pub fn take(role: Role) -> Scheduling {
    // Deadline threads have none; others' sleeps would otherwise be late by up to 50 us. It cannot
    // fail.
    let _ = set_timerslack(1);
    let attributes = libc::sched_attr {
        size: SIZE,
        sched_policy: libc::SCHED_OTHER.cast_unsigned(),
        sched_flags: 0,
        sched_nice: 0,
        sched_priority: 0,
        sched_runtime: 0,
        sched_deadline: 0,
        sched_period: 0,
    };
    if super::facts::is_virtual() {
        // The kernel ends sleeps up to a thousandth late, but not those of such threads
        // (`select_estimate_accuracy` of `fs/select.c`).
        set(libc::sched_attr {
            sched_policy: libc::SCHED_FIFO.cast_unsigned(),
            sched_priority: 1,
            ..attributes
        });
        return Scheduling::Virtual;
    }
    let deadline = libc::sched_attr {
        sched_policy: libc::SCHED_DEADLINE.cast_unsigned(),
        // Without it such a thread could start no other.
        sched_flags: libc::SCHED_FLAG_RESET_ON_FORK.cast_unsigned().into(),
        sched_runtime: role.runtime_ns(),
        sched_deadline: PERIOD_NS,
        sched_period: PERIOD_NS,
        ..attributes
    };
    if set(deadline) {
        return Scheduling::Deadline;
    }
    let nice = lowest_nice();
    let is_nice = nice < 0 && set_nice(nice);
    // Older kernels see no change in it. A refusal costs nothing.
    set(libc::sched_attr { sched_nice: current_nice(), sched_runtime: SLICE_NS, ..attributes });
    if is_nice { Scheduling::Nice(nice) } else { Scheduling::Ordinary }
}

fn set(mut attr: libc::sched_attr) -> bool {
    // SAFETY: the pointer is to a sched_attr of our own that lives until the call returns and says
    // its own size. The kernel reads that many bytes, and writes `size` where it does not know
    // one (sched_setattr(2), E2BIG). 0 is the calling thread; the last argument are flags.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw mut attr, 0) == 0 }
}

/// Lowest nice value that `RLIMIT_NICE` permits (getrlimit(2)): 20 less the limit, and -20 for
/// threads that need no permission.
fn lowest_nice() -> i8 {
    if super::enter::has_rights() && set_nice(-20) {
        return -20;
    }
    let limit = getrlimit(Resource::RLIMIT_NICE).map_or(0, |(soft, _)| soft.min(40));
    20 - i8::try_from(limit).unwrap_or(0)
}

fn current_nice() -> i32 {
    // It fails for other processes only.
    getpriority_process(None).unwrap_or(0)
}

fn set_nice(nice: i8) -> bool {
    // On Linux no process is the calling thread.
    setpriority_process(None, i32::from(nice)).is_ok()
}
