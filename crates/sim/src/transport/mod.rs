//! TCP: a sender and a receiver, as real stacks have them.

pub mod account;
pub mod loss_detection;
pub mod monitor;
pub mod offload;
pub mod pacer;
pub mod range_set;
pub mod rate_sample;
pub mod receiver;
pub mod recovery;
pub mod round;
pub mod rtt;
pub mod scoreboard;
pub mod sender;
