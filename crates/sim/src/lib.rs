//! The simulator: deterministic, packet by packet. It does no I/O, reads no clock, and has no
//! threads, no Python and no unsafe code.
#![allow(
    rustdoc::private_intra_doc_links,
    reason = "overviews of a module link to its parts, which --document-private-items shows"
)]

mod aggregation;
pub mod app;
pub mod catalogue;
pub mod columns;
mod decisions;
pub mod definitions;
mod digest;
pub mod distribution;
pub mod event;
pub mod histogram;
mod limits;
pub mod net;
pub mod output;
pub mod packet;
pub mod plan;
pub mod qdisc;
#[cfg(feature = "random")]
pub mod random;
pub mod record;
mod ring;
pub mod rng;
pub mod rows;
pub mod simulation;
pub mod starts;
pub mod testbench;
pub mod transport;
pub mod udp;
pub mod wire;

pub use output::Output;
pub use plan::{Plan, PlanError};
pub use simulation::{Progress, Simulation};

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
