//! The simulator: deterministic, packet by packet. No I/O, no clock, no threads, no Python, no unsafe.

pub mod distribution;
pub mod histogram;
pub mod net;
pub mod plan;
pub mod qdisc;
pub mod rng;
