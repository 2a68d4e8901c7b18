//! Measurements of the path that several algorithms share: smallest RTTs, whole rounds, queueing
//! delay, delayed ACKs.

mod base_rtt;
mod delayed_acks;
mod queueing_delay;
mod round_trips;
mod sliding;

pub use base_rtt::BaseRtt;
pub use delayed_acks::DelayedAcks;
pub use queueing_delay::QueueingDelay;
pub use round_trips::{RoundTrip, RoundTrips, backlog};
pub use sliding::SlidingMin;
