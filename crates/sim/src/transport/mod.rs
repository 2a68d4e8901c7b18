//! TCP as real stacks have it: a sender, a receiver, and the parts of both.

pub mod accounting;
pub mod cause;
pub mod endpoint;
pub mod flow;
mod loss_detection;
mod monitor;
mod offload;
mod pacer;
pub mod plan;
pub mod range_set;
mod rate_sample;
pub mod receiver;
pub mod recovery;
mod round;
pub(crate) mod rtt;
pub mod scoreboard;
pub mod sender;
