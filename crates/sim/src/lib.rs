//! The simulator: deterministic, packet by packet. No I/O, no clock, no threads, no Python, no unsafe.

pub mod app;
pub mod distribution;
pub mod event;
pub mod histogram;
mod limits;
pub mod net;
pub mod packet;
pub mod plan;
pub mod probe;
pub mod qdisc;
mod ring;
pub mod rng;
pub mod sim;
pub mod starts;
pub mod testbench;
mod together;
pub mod transport;
pub mod udp;

pub use sim::{Output, PlanError, Progress, Simulation};
