//! The scheduling that a thread in real time wants, as far as the machine permits.

use core::fmt;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Runs the network: 0.8 of each ms.
    Emulator,
    /// Works on sockets: 0.15 of each ms.
    Endpoint,
}

/// What a thread got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduling {
    /// `SCHED_DEADLINE`.
    Deadline,
    /// Ordinary scheduling with this nice value below zero.
    Nice(i8),
    /// Nothing.
    Ordinary,
}

impl fmt::Display for Scheduling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deadline => f.write_str("SCHED_DEADLINE"),
            Self::Nice(nice) => write!(f, "nice {nice}"),
            Self::Ordinary => f.write_str("ordinary"),
        }
    }
}

/// Takes the best that the calling thread can get.
#[must_use]
pub fn take(role: Role) -> Scheduling {
    let _ = role;
    Scheduling::Ordinary
}
