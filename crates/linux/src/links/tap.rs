//! The places at which packets are seen on their way through the kernel's links.
//!
//! A filter in the kernel chooses by the index of the device, so indices are given by kind. What is
//! seen costs no virtual time, so that a run is the same as without it.

use crate::lab::{Arrival, LabError, Ring};

/// First index of the devices with a queue.
pub const QUEUES: u32 = 10_000;
/// First index of devices at which nothing is seen.
pub const UNSEEN: u32 = 20_000;
/// First index of the devices at the far ends of links.
pub const ENDS: u32 = 30_000;
/// First index behind all of these.
pub const BEHIND: u32 = 40_000;

/// Bytes of a packet that are seen: its headers, and the label of a datagram.
const SEEN_BYTES: u32 = 128;

/// A place, and what a packet does there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A host's packet enters the network.
    Host,
    /// A packet leaves the queue of this link.
    Queue(usize),
    /// A packet has reached the far end of this link.
    End(usize),
}

impl Place {
    /// The place at which a packet was seen.
    pub fn of(arrival: &Arrival<'_>) -> Option<Self> {
        let Arrival { device, is_outgoing, .. } = *arrival;
        match (device, is_outgoing) {
            (..QUEUES, false) => Some(Self::Host),
            (QUEUES..UNSEEN, true) => Some(Self::Queue((device - QUEUES) as usize)),
            (ENDS..BEHIND, false) => Some(Self::End((device - ENDS) as usize)),
            _ => None,
        }
    }
}

/// The ring of packets at all places.
pub fn ring() -> Result<Ring, LabError> {
    Ring::tap(SEEN_BYTES, &mut filter())
}

/// The filter. Jumps count from the instruction behind them (bpf(4)).
fn filter() -> [libc::sock_filter; 10] {
    let step = |code: u32, jt: u8, jf: u8, k: u32| libc::sock_filter {
        code: u16::try_from(code).expect("16 bits"),
        jt,
        jf,
        k,
    };
    let load = |offset: libc::c_int| {
        let k = (libc::SKF_AD_OFF + offset).cast_unsigned();
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, k)
    };
    let at_least = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
    let equals = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    let answer = |bytes: u32| step(libc::BPF_RET | libc::BPF_K, 0, 0, bytes);
    let outgoing = u32::from(libc::PACKET_OUTGOING);
    [
        load(libc::SKF_AD_IFINDEX),
        step(at_least, 2, 0, ENDS),
        step(at_least, 5, 0, UNSEEN),
        step(at_least, 2, 0, QUEUES),
        // At hosts and at ends: what comes in.
        load(libc::SKF_AD_PKTTYPE),
        step(equals, 2, 3, outgoing),
        // At queues: what goes out.
        load(libc::SKF_AD_PKTTYPE),
        step(equals, 1, 0, outgoing),
        answer(0),
        answer(SEEN_BYTES),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that the filter gives of a packet.
    fn answer(device: u32, kind: u8) -> u32 {
        let (filter, mut at, mut loaded) = (filter(), 0, 0);
        loop {
            let libc::sock_filter { code, jt, jf, k } = filter[at];
            at += 1;
            let jump = |holds: bool| usize::from(if holds { jt } else { jf });
            match u32::from(code) & (libc::BPF_JGE | 0x7) {
                libc::BPF_RET => return k,
                code if code & 0x7 == libc::BPF_LD => {
                    let index = (libc::SKF_AD_OFF + libc::SKF_AD_IFINDEX).cast_unsigned();
                    loaded = if k == index { device } else { kind.into() };
                }
                code if code & 0xf0 == libc::BPF_JGE => at += jump(loaded >= k),
                _ => at += jump(loaded == k),
            }
        }
    }

    #[test]
    fn the_filter_lets_through_the_packets_that_have_a_place() {
        for device in [2, QUEUES - 1, QUEUES, UNSEEN - 1, UNSEEN, ENDS - 1, ENDS, BEHIND - 1] {
            for (kind, is_outgoing) in [(libc::PACKET_OUTGOING, true), (libc::PACKET_HOST, false)] {
                let arrival = Arrival { stamp_ns: 0, frame: &[], device, is_outgoing };
                let is_seen = Place::of(&arrival).is_some();
                assert_eq!(answer(device, kind) > 0, is_seen, "{device} {is_outgoing}");
            }
        }
        let at = |device| Arrival { stamp_ns: 0, frame: &[], device, is_outgoing: false };
        assert_eq!(Place::of(&at(ENDS + 3)), Some(Place::End(3)));
    }
}
