//! The network: what packets cross between two hosts.

pub mod loss;
