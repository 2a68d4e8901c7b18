//! Events of packets, and the points where they are seen.

/// A point where packets are seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Point {
    /// The host of the sender.
    Sender = 0,
    /// The host of the receiver.
    Receiver = 1,
    /// A link.
    Link = 2,
}

impl Point {
    /// Names of the points, by code.
    pub const NAMES: [&str; 3] = ["sender", "receiver", "link"];
}

/// An event of a packet at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum PacketEvent {
    /// The packet left the host, or was accepted by the link.
    Send = 0,
    /// The packet reached the host, or the link's far end.
    Receive = 1,
    /// The packet was dropped at a limit.
    DropForced = 2,
    /// The packet was dropped early by the discipline.
    DropEarly = 3,
    /// The packet was lost on the wire.
    DropWire = 4,
    /// The packet was accepted and marked CE.
    Mark = 5,
    /// The packet reached the host damaged, and was discarded.
    Corrupt = 6,
    /// The packet was dropped by a policer.
    DropPoliced = 7,
    /// The wire made a copy of the packet.
    Duplicate = 8,
}

impl PacketEvent {
    /// Names, by code.
    pub const NAMES: [&str; 9] = [
        "send",
        "receive",
        "drop-forced",
        "drop-early",
        "drop-wire",
        "mark",
        "corrupt",
        "drop-policed",
        "duplicate",
    ];
}
