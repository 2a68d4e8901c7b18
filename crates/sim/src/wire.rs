//! The network as a transport sees it: packets go into it, and it may tell why it lost them.

use std::ops::Range;

use ackclock_units::Time;

use crate::event::Step;
use crate::packet::Packet;

/// A network that takes packets from a host: the simulator's `Network`, or a list in a test.
pub trait Wire {
    /// Sends a packet from a host.
    fn send(&mut self, packet: &Packet, now: Time);

    /// Returns why the network lost data of a flow's connection, once per loss.
    fn why_lost(&mut self, _flow: u32, _connection: u32, _data: Range<u64>) -> Answer {
        Answer::Known(None)
    }
}

/// The network's answer to a sender that asks why data was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The cause; `None`: the network did not lose the data, or does not tell.
    Known(Option<LossCause>),
    /// Links have not come as far as the sender. They will know the cause at this step.
    Later(Step),
}

/// Why the network lost a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum LossCause {
    /// An impairment of the wire lost the packet, or damaged it so that the host discarded it.
    Wire,
    /// The queue was full, or its average was so high that every packet is dropped.
    Forced,
    /// The queue discipline dropped the packet early, as a signal.
    Early,
    /// The policer before the queue had no tokens.
    Policed,
}

impl LossCause {
    /// Number of causes.
    pub const COUNT: usize = 4;

    /// All causes, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [Self::Wire, Self::Forced, Self::Early, Self::Policed];
}
