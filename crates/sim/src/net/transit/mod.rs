//! Packets between links and hosts in a run by rounds.
//!
//! A link or host is done with a stretch of time before others have begun it. Packets that it has
//! sent wait here, in the order in which the event loop would hand them over.

mod bucket;
mod edge;
mod inbox;

use crate::event::Source;
pub use edge::{Due, Edge, EdgeSorter};
pub use inbox::Inbox;

/// The sender of the packets on an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Feeder {
    /// A link.
    Link(Source),
    /// The hosts behind a link.
    Hosts(Source),
    /// The hosts that act together.
    Coupled,
    /// The UDP streams.
    Streams,
}

/// An edge into a link.
#[derive(Clone, Copy, Debug)]
pub struct Fed {
    /// Index of the edge.
    pub edge: u32,
    /// The sender of its packets.
    pub by: Feeder,
}

/// All packets between links and hosts.
#[derive(Default)]
pub struct Transit {
    /// The edges. Empty in a run by events.
    pub edges: Vec<Edge>,
    /// Scratch space for sorting.
    pub sorter: EdgeSorter,
    /// Scratch space: what enters a link over several edges.
    pub merged: Edge,
    /// By position in the network's hops: the edge over which a packet enters that hop.
    pub edge_of_hop: Vec<u32>,
    /// By flow and stream: what reaches the receiver.
    pub data: Vec<Inbox>,
    /// By flow: what reaches the sender.
    pub acks: Vec<Inbox>,
    /// By link: whether it is the last one of all flows that cross it.
    pub is_last: Vec<bool>,
    /// By link: packets that have been sent over it, modulo 2^32.
    pub numbers: Vec<u32>,
    /// By link: those of them that have reached the far end.
    pub left: Vec<u32>,
}

impl Transit {
    /// Puts the packets that were added to an edge in order.
    pub fn seal(&mut self, edge: u32) {
        self.edges[edge as usize].seal(&mut self.sorter);
    }
}
