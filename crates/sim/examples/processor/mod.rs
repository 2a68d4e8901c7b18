//! The processor time that a program has used.

use nix::sys::resource::{UsageWho, getrusage};

/// Processor time so far, user's and system's, µs.
pub fn processor_us() -> i64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("a process may ask for its own use");
    [usage.user_time(), usage.system_time()]
        .iter()
        .map(|time| time.tv_sec() * 1_000_000 + time.tv_usec())
        .sum()
}
