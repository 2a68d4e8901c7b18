//! Packets that leave the network, on their way to a host.

use std::io::ErrorKind;
use std::sync::atomic::Ordering;

use ackclock_sim::histogram::DurationHistogram;
use ackclock_sim::packet::Packet;
use ackclock_units::{Duration, Time};

use super::{Emulator, EmulatorError};
use crate::frame;

/// Least lateness with which a hand-over counts as late.
pub const LATE: Duration = Duration::from_millis(1);
/// The byte of an Ethernet frame whose low two bits are IP's ECN field.
const ECN_BYTE: usize = 15;

/// Differences between the due and the real times of entries and hand-overs.
#[derive(Clone, Debug, Default)]
pub struct Punctuality {
    /// Time from a packet's due arrival at its host to its delivery.
    pub lateness: DurationHistogram,
    /// Packets delivered later than [`LATE`].
    pub late_packets: u64,
    /// Largest delay between a packet's stamp and its entry, for packets that came after the
    /// network had handled a later event.
    pub clamped_most: Duration,
    /// Packets that entered more than [`LATE`] after their stamp.
    pub clamped_packets: u64,
    /// Packets for which a host's device had no room.
    pub refused_packets: u64,
}

impl Punctuality {
    /// Notes the delay of a packet with this stamp, which enters when the network's clock stands at
    /// `reached`.
    pub(super) fn note_stamp(&mut self, stamp: Time, reached: Time) {
        let clamped = reached.since(stamp);
        self.clamped_most = self.clamped_most.max(clamped);
        self.clamped_packets += u64::from(clamped > LATE);
    }

    fn note_hand_over(&mut self, due: Time, now: Time) {
        let lateness = now.since(due);
        self.lateness.record(lateness);
        self.late_packets += u64::from(lateness > LATE);
    }
}

impl Emulator<'_> {
    /// Delivers a packet to its host, which was due at `due`.
    pub(super) fn hand_over(&mut self, packet: &Packet, due: Time) -> Result<(), EmulatorError> {
        let now = self.now().max(due);
        let frame = self.frames.get(packet.frame()).ok_or(EmulatorError::TooManyInside)?;
        if frame[ECN_BYTE] & 3 != packet.ecn as u8 {
            frame::set_ecn(frame, packet.ecn);
        }
        let flow = packet.flow as usize;
        let flows = self.watches.len();
        let host =
            if flow < flows { self.plan.flows[flow].host } else { self.plan.streams[flow - flows] };
        let pair = &self.pairs[host as usize];
        let host = if packet.is_reverse { &pair.sender } else { &pair.receiver };
        self.punctuality.note_hand_over(due, now);
        if let Err(error) = host.port.send(frame) {
            // ENOBUFS: the host's queue of arriving packets is full.
            if error.kind() != ErrorKind::WouldBlock && error.raw_os_error() != Some(libc::ENOBUFS)
            {
                return Err(EmulatorError::Refused(error));
            }
            self.punctuality.refused_packets += 1;
            return Ok(());
        }
        if flow >= flows {
            self.streams.on_packet(flow - flows, packet, now, &mut self.datagrams);
            return Ok(());
        }
        self.tell(packet, now);
        Ok(())
    }

    /// Updates the state that the endpoints of the packet's flow read.
    fn tell(&mut self, packet: &Packet, now: Time) {
        let flow = packet.flow as usize;
        let watch = &mut self.watches[flow];
        watch.handed_over(packet, now);
        let shared = &self.shared.flows[flow];
        if !packet.is_reverse {
            self.handed_to = Some(flow);
            shared.delivered.store(watch.delivered(), Ordering::Release);
            return;
        }
        shared.acked.store(watch.acked(), Ordering::Release);
        if let Some(rtt) = watch.rtt_latest {
            shared.rtt_ns.store(rtt.as_ps() / 1000, Ordering::Relaxed);
        }
        self.note_end(flow, now);
    }
}
