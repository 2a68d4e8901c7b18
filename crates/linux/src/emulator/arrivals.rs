//! Packets of hosts on their way into the network.

use std::sync::atomic::Ordering;

use ackclock_sim::wire::Wire;
use ackclock_units::Time;

use super::{Emulator, EmulatorError};
use crate::frame::{self, Header};
use crate::plan::FIRST_PORT;

/// A packet that a host has sent.
#[derive(Clone, Copy, Debug)]
pub struct Arrived {
    at: Time,
    header: Header,
    ticket: u32,
}

/// The flow or stream that a packet belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// A flow, and the direction of the packet.
    Flow { index: usize, is_reverse: bool },
    /// A stream.
    Stream(usize),
}

/// Tells the owner of a packet by its ports. Ports from [`FIRST_PORT`] on are the receivers': first
/// those of flows, then those of streams.
pub fn owner(header: &Header, flows: usize, streams: usize) -> Option<Owner> {
    let index = |port: u16| port.checked_sub(FIRST_PORT).map(usize::from);
    if header.tcp.is_some() {
        let of = |port, is_reverse| {
            index(port)
                .filter(|index| *index < flows)
                .map(|index| Owner::Flow { index, is_reverse })
        };
        return of(header.destination_port, false).or_else(|| of(header.source_port, true));
    }
    let stream = index(header.destination_port)?.checked_sub(flows)?;
    (stream < streams).then_some(Owner::Stream(stream))
}

impl Emulator<'_> {
    /// Takes in the packets that have come, each at its own time, after all earlier events.
    pub(super) fn take_in(&mut self) -> Result<(), EmulatorError> {
        let mut arrived = std::mem::take(&mut self.arrived);
        let (frames, clock) = (&mut self.frames, &self.clock);
        self.ring.drain(|arrival| {
            // Other packets are of the hosts' kernels, as those of IGMP.
            if let Some(header) = frame::read(arrival.frame) {
                arrived.push(Arrived {
                    at: clock.at(arrival.stamp_ns),
                    header,
                    ticket: frames.keep(arrival.frame),
                });
            }
        });
        // Two processors may stamp packets in one order and queue them in the other.
        arrived.sort_by_key(|arrived| arrived.at);
        for packet in &arrived {
            self.run_until(packet.at.min(self.end))?;
            self.enter(packet);
        }
        arrived.clear();
        self.arrived = arrived;
        Ok(())
    }

    fn enter(&mut self, arrived: &Arrived) {
        if arrived.at > self.end {
            return;
        }
        let Arrived { header, ticket, .. } = arrived;
        let now = arrived.at.max(self.reached);
        let owner = owner(header, self.watches.len(), self.streams.len());
        let packet = match (owner, &header.tcp) {
            (Some(Owner::Flow { index, is_reverse }), Some(tcp)) => {
                Some(self.watches[index].sent(header, tcp, is_reverse, now))
            }
            (Some(Owner::Stream(index)), _) => self.streams.take_sent(index),
            _ => None,
        };
        let Some(packet) = packet else { return };
        self.punctuality.note_stamp(arrived.at, self.reached);
        self.reached = now;
        self.network.send(&packet.with_frame(*ticket), now);
        if let Some(watch) = self.watches.get(packet.flow as usize) {
            let shared = &self.shared.flows[packet.flow as usize];
            shared.sent.store(watch.sender.sent_packets, Ordering::Relaxed);
            shared.retransmitted.store(watch.sender.retransmitted_packets, Ordering::Relaxed);
            shared
                .lost
                .store(self.network.tally[packet.flow as usize].lost_packets(), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Tcp;
    use ackclock_sim::packet::Ecn;
    use std::net::Ipv4Addr;

    fn header(source_port: u16, destination_port: u16, tcp: Option<Tcp>) -> Header {
        Header {
            source: Ipv4Addr::LOCALHOST,
            destination: Ipv4Addr::LOCALHOST,
            ip_bytes: 52,
            ecn: Ecn::NotEct,
            source_port,
            destination_port,
            payload_bytes: 0,
            tcp,
        }
    }

    #[test]
    fn ports_tell_flow_and_direction() {
        let tcp = Some(Tcp::default());
        let flow = |index, is_reverse| Some(Owner::Flow { index, is_reverse });
        assert_eq!(owner(&header(40_000, 10_001, tcp), 2, 1), flow(1, false));
        assert_eq!(owner(&header(10_000, 40_000, tcp), 2, 1), flow(0, true));
        assert_eq!(owner(&header(40_000, 10_002, tcp), 2, 1), None, "a stream's port");
        assert_eq!(owner(&header(40_000, 10_002, None), 2, 1), Some(Owner::Stream(0)));
        assert_eq!(owner(&header(40_000, 10_001, None), 2, 1), None, "a flow's port");
        assert_eq!(owner(&header(40_000, 10_003, None), 2, 1), None);
        assert_eq!(owner(&header(9, 9, tcp), 2, 1), None);
    }
}
