//! The kernel as the oracle of every ACK: random scripts of a peer and an application, played on
//! the kernel's socket and on the simulator's sender.
//!
//! [`generate`] makes a script from a seed. [`play`] plays many at once on the kernel. [`replay`]
//! plays a kernel's trace on the simulator's sender and names the first difference. [`shrink`]
//! looks for a shorter script with the same kind of difference, and [`packetdrill`] prints it.

pub mod bench;
pub mod campaign;
pub mod generate;
pub mod packetdrill;
mod peer;
pub mod play;
pub mod replay;
pub mod script;
pub mod shrink;
mod tun;
mod wire;
