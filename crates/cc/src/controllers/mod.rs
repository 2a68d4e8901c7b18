//! Whole controllers: algorithms that model the path and decide window and pacing rate themselves.

pub(crate) mod bbr;
pub(crate) mod bbr3;
pub(crate) mod copa;
pub(crate) mod pcc;
