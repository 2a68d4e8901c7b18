//! Packetdrill's language: [`parse`] reads a script, [`play`] plays it on a sender or a receiver of
//! the simulator in virtual time, [`export()`] writes it for a kernel.
//!
//! A script without a header is played as packetdrill plays it on a kernel: with its tolerance, and
//! what it negotiates is the host's. A [`Header`] says the host and makes the claims exact.

mod applicability;
mod claim;
mod export;
mod header;
mod language;
mod player;
mod segment_size;
mod show;

pub use claim::{Claim, Claims};
pub use export::{export, refusal};
pub use header::{Header, HeaderError};
pub use language::{Call, Event, Packet, Script, What, parse};
pub use player::{Code, CodeError, Host, NotApplicable, Played, State, play};
