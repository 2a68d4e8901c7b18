//! What is recorded: columns of numbers, in SI base units.

mod columns;
mod log;
mod room;
mod sampler;

pub use columns::{FlowColumns, InternalColumns, LinkColumns, PacketColumns};
pub use log::{Log, PacketEvent, Point, sampled_links};
pub use room::Room;
pub(crate) use room::bounded;
pub use sampler::Sampler;
