//! Records of a run: tables of numbers in SI base units, and the plan that asks for them.

mod columns;
mod decisions;
mod packet_event;
mod plan;

pub use crate::transport::cause::Cause;
pub(crate) use columns::float;
pub use columns::{
    FlowColumns, FlowSample, InternalColumns, InternalValue, LinkColumns, LinkSample,
    PacketColumns, PacketSeen,
};
pub use decisions::{CallKind, DecisionColumns, DecisionRow, NO_RULE};
pub use packet_event::{PacketEvent, Point};
pub use plan::{RecordPlan, SamplePlan};
