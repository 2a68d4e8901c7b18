//! Measurements of the path that several algorithms share: smallest RTTs, whole rounds, queueing
//! delay, delayed ACKs, Linux's timer clock.

mod base_rtt;
mod delayed_acks;
mod jiffies;
mod queueing_delay;
mod round_trips;
mod sliding;
mod vegas_meter;

pub use base_rtt::BaseRtt;
pub use delayed_acks::DelayedAcks;
pub use jiffies::Jiffies;
pub use queueing_delay::QueueingDelay;
pub use round_trips::{RoundTrip, RoundTrips, backlog};
pub use sliding::SlidingMin;
pub use vegas_meter::{VegasMeter, VegasRound};

use crate::Duration;

/// Unit in which Linux's algorithms take RTTs.
pub const MICROSECOND: Duration = Duration::from_micros(1);
