//! Congestion avoidances: how the window grows after slow start and how congestion cuts it.

pub(crate) mod aimd;
pub(crate) mod bic;
pub(crate) mod binomial;
pub(crate) mod cdg;
pub(crate) mod compound;
pub(crate) mod cubic;
pub(crate) mod dctcp;
pub(crate) mod fast;
pub(crate) mod highspeed;
pub(crate) mod htcp;
pub(crate) mod illinois;
pub(crate) mod ledbat;
pub(crate) mod lp;
pub(crate) mod prague;
pub(crate) mod reno;
pub(crate) mod scalable;
pub(crate) mod veno;
pub(crate) mod westwood;
pub(crate) mod yeah;

pub use aimd::Aimd;
pub use highspeed::{HighSpeed, Options as HighSpeedOptions};
pub use reno::Reno;

pub use crate::role::Avoidance;
