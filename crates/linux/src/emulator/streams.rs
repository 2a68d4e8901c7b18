//! UDP streams: the simulator's sources and receivers around real datagrams.

use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, UdpSocket};

use ackclock_sim::packet::Packet;
use ackclock_sim::udp::{DatagramColumns, FrameColumns, FrameStats, Stream};
use ackclock_sim::wire::Wire;
use ackclock_units::Time;

use super::EmulatorError;
use crate::lab::HostPair;
use crate::plan::LinuxPlan;

/// Headers of IPv4 and UDP. The rest of a stream's header belongs to the application and so to the
/// real payload.
const IP_UDP_BYTES: u32 = 28;
/// Label at the start of a datagram, for captures: its number and its sending time, as far as they
/// fit.
const LABEL_BYTES: usize = 16;

/// All streams, both ends of each.
#[derive(Debug, Default)]
pub struct StreamEnds {
    ends: Vec<End>,
}

struct End {
    name: String,
    stream: Stream,
    sender: Sender,
}

impl core::fmt::Debug for End {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("End").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The sending host's socket.
struct Sender {
    socket: UdpSocket,
    /// Datagrams between the socket and the network, in order: the wire from host to emulator loses
    /// and reorders nothing.
    under_way: VecDeque<Packet>,
    bytes: Vec<u8>,
    fault: Option<io::Error>,
}

impl Wire for Sender {
    fn send(&mut self, packet: &Packet, _now: Time) {
        let payload = packet.wire_size.saturating_sub(IP_UDP_BYTES) as usize;
        self.bytes.clear();
        self.bytes.resize(payload, 0);
        let mut label = [0; LABEL_BYTES];
        label[..8].copy_from_slice(&packet.seq.to_be_bytes());
        label[8..].copy_from_slice(&packet.ack.to_be_bytes());
        let room = payload.min(LABEL_BYTES);
        self.bytes[..room].copy_from_slice(&label[..room]);
        match self.socket.send(&self.bytes) {
            Ok(_) => self.under_way.push_back(*packet),
            Err(error) => self.fault = Some(error),
        }
    }
}

fn connect(plan: &LinuxPlan, index: usize, pair: &HostPair) -> io::Result<UdpSocket> {
    let to = (pair.receiver.address, plan.stream_port(index));
    pair.sender.within(|| {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        socket.connect(to)?;
        socket.set_nonblocking(true)?;
        Ok(socket)
    })
}

impl StreamEnds {
    /// Makes the streams of a plan.
    ///
    /// # Errors
    ///
    /// If a host refuses a socket.
    pub fn new(plan: &LinuxPlan, pairs: &[HostPair]) -> Result<Self, EmulatorError> {
        let first = u32::try_from(plan.plan.flows.len()).unwrap_or(u32::MAX);
        let mut ends = Vec::new();
        for (index, stream) in plan.plan.streams.iter().enumerate() {
            let pair = &pairs[plan.streams[index] as usize];
            let socket = connect(plan, index, pair)
                .map_err(|error| EmulatorError::Datagram(stream.name.clone(), error))?;
            let number = u32::try_from(index).unwrap_or(u32::MAX);
            ends.push(End {
                name: stream.name.clone(),
                stream: Stream::new(
                    first + number,
                    number,
                    stream,
                    plan.plan.seed,
                    &plan.plan.record,
                ),
                sender: Sender {
                    socket,
                    under_way: VecDeque::new(),
                    bytes: Vec::new(),
                    fault: None,
                },
            });
        }
        Ok(Self { ends })
    }

    /// Number of streams.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no streams.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The next sending time of each stream.
    pub(crate) fn deadlines(&self) -> impl Iterator<Item = Time> {
        self.ends.iter().map(|end| end.stream.deadline())
    }

    /// Sends the datagrams that are due. Returns the next sending time.
    pub(crate) fn on_timer(
        &mut self,
        index: usize,
        now: Time,
        record: &mut DatagramColumns,
    ) -> Result<Time, EmulatorError> {
        let End { stream, sender, name, .. } = &mut self.ends[index];
        stream.on_timer(now, record, sender);
        match sender.fault.take() {
            Some(error) => Err(EmulatorError::Datagram(name.clone(), error)),
            None => Ok(stream.deadline()),
        }
    }

    /// Takes the datagram that has come from the host.
    pub(crate) fn take_sent(&mut self, index: usize) -> Option<Packet> {
        self.ends[index].sender.under_way.pop_front()
    }

    /// Handles the hand-over of a datagram to the receiving host.
    pub(crate) fn on_packet(
        &mut self,
        index: usize,
        packet: &Packet,
        now: Time,
        record: &mut DatagramColumns,
    ) {
        self.ends[index].stream.on_packet(packet, now, record);
    }

    pub(crate) fn reset_stats(&mut self) {
        self.ends.iter_mut().for_each(|end| end.stream.reset_stats());
    }

    pub(crate) fn settle(&mut self) {
        self.ends.iter_mut().for_each(|end| end.stream.receiver.settle());
    }

    /// Time from which a receiver had no room for further frames; `None` if all frames are counted.
    #[must_use]
    pub fn frames_counted_until(&self) -> Option<Time> {
        self.ends.iter().filter_map(|this| this.stream.frames.as_ref()?.full_at()).min()
    }

    /// Returns the results of the streams, in the plan's order.
    pub fn finish(
        &mut self,
        end: Time,
        frames: &mut FrameColumns,
    ) -> Vec<(&Stream, Option<FrameStats>)> {
        self.ends.iter().map(|this| (&this.stream, this.stream.judge(end, frames))).collect()
    }
}
