//! Events: who has them, and which is next.

mod schedule;
mod source;

pub use schedule::{Schedule, Source};
pub use source::{EventSource, Sources};
