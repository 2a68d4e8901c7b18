//! Reads captures of TCP that others wrote: pcap and pcapng.
//!
//! [`list`] finds the connections of a capture, [`lay_out`] lays one out (each segment's kind,
//! inflight, round-trip times), and [`estimate`] derives the path that it crossed. All work from
//! the headers alone; a file is read once by each, and only the chosen connection is kept.
//! [`list_while`] and [`lay_out_while`] ask every few milliseconds whether to go on.

mod connections;
mod error;
mod file;
mod layout;
mod pace;
mod path;
mod scenario;
mod segment;

pub use connections::{Connection, Listing, list, list_while};
pub use error::ReadError;
pub use layout::{
    Agreed, Episode, Evidence, Figures, KINDS, Kind, Layout, Place, RateColumns, RateSeen,
    SPURIOUS, SackColumns, SackSeen, SegmentColumns, SegmentSeen, Vantage, lay_out, lay_out_while,
};
pub use path::{Part, Path, estimate};
pub use scenario::scenario;
