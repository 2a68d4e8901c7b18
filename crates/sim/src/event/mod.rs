//! Events: who has them, and which is next.

mod moment;
mod schedule;
mod source;

pub use moment::{Moment, Step};
pub use schedule::{Schedule, Source};
pub use source::{EventSource, Sources};
