//! Counters read from the packets of one flow.

use ackclock_sim::histogram::DurationHistogram;
use ackclock_sim::packet::{Packet, flags};
use ackclock_sim::transport::range_set::RangeSet;
use ackclock_sim::transport::receiver::ReceiverStats;
use ackclock_sim::transport::sender::SenderStats;
use ackclock_units::{Duration, Time};

use super::connection::Connection;
use super::rtt::Outstanding;
use crate::frame::{Header, Tcp};

/// Both ends of a flow as the network sees them. Its counters are exact where the kernel's own
/// counters leave gaps, and mean what those of the simulator mean.
#[derive(Debug)]
pub struct Watch {
    flow: u32,
    priority: u8,
    current: Option<Connection>,
    /// The previous connection, whose packets may still come.
    last: Option<Connection>,
    /// Time at which the handshake's SYN was sent, while it was sent only once and not answered.
    syn_sent_at: Option<Time>,
    sent_to: u64,
    /// Offset of the sender's FIN.
    fin_at: Option<u64>,
    outstanding: Outstanding,
    received: RangeSet,
    next: u64,
    una: u64,
    /// Payload of earlier connections, delivered and acknowledged.
    before: [u64; 2],
    /// Time at which the flow's first packet entered the network.
    pub first_at: Option<Time>,
    /// Time at which the last new byte was acknowledged.
    pub acked_at: Option<Time>,
    /// Latest round-trip time.
    pub rtt_latest: Option<Duration>,
    /// Round-trip times since the warm-up.
    pub rtt: DurationHistogram,
    /// Counters of the sender's packets since the warm-up; the kernel supplies the others.
    pub sender: SenderStats,
    /// Counters of the receiver's packets since the warm-up.
    pub receiver: ReceiverStats,
}

impl Watch {
    /// The watch of flow `flow`, whose packets have this priority.
    #[must_use]
    pub fn new(flow: u32, priority: u8) -> Self {
        Self {
            flow,
            priority,
            current: None,
            last: None,
            syn_sent_at: None,
            sent_to: 0,
            fin_at: None,
            outstanding: Outstanding::default(),
            received: RangeSet::default(),
            next: 0,
            una: 0,
            before: [0; 2],
            first_at: None,
            acked_at: None,
            rtt_latest: None,
            rtt: DurationHistogram::new(),
            sender: SenderStats::default(),
            receiver: ReceiverStats::default(),
        }
    }

    /// In-order payload that the receiver has got in all, bytes.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        self.before[0] + self.next
    }

    /// Payload acknowledged to the sender since the start, bytes.
    #[must_use]
    pub fn acked(&self) -> u64 {
        self.before[1] + self.una
    }

    /// Begins the measured part of the run.
    pub fn reset_stats(&mut self) {
        self.rtt.clear();
        self.sender = SenderStats::default();
        self.receiver = ReceiverStats::default();
    }

    /// Notes a packet that a host sends, and returns it as the network's packet.
    pub fn sent(&mut self, header: &Header, tcp: &Tcp, is_reverse: bool, now: Time) -> Packet {
        let port = if is_reverse { header.destination_port } else { header.source_port };
        let is_syn = !is_reverse && tcp.flags & (flags::SYN | flags::ACK) == flags::SYN;
        let opens = match &self.current {
            None => !is_reverse,
            Some(current) => is_syn && current.is_other(port, tcp),
        };
        if opens {
            self.open(port, tcp, now);
        } else if is_syn {
            self.syn_sent_at = None;
        }
        let (connection, is_current) = match (&mut self.current, &mut self.last) {
            (Some(current), _) if current.port == port => (current, true),
            (_, Some(last)) => (last, false),
            (Some(current), None) => (current, false),
            // A packet of a receiver before any of a sender belongs to no flow.
            (None, None) => (self.current.insert(Connection::open(0, port, tcp)), false),
        };
        let mut packet = connection.packet(self.flow, header, tcp, is_reverse);
        packet.priority = self.priority;
        if is_current {
            self.count(&packet, now);
        }
        packet
    }

    fn open(&mut self, port: u16, tcp: &Tcp, now: Time) {
        self.first_at.get_or_insert(now);
        let number = self.current.map_or(0, |current| current.number + 1);
        self.last = self.current.replace(Connection::open(number, port, tcp));
        self.before = [self.delivered(), self.acked()];
        self.syn_sent_at = (tcp.flags & flags::SYN != 0).then_some(now);
        self.sent_to = 0;
        self.fin_at = None;
        self.outstanding = Outstanding::default();
        self.received = RangeSet::default();
        self.next = 0;
        self.una = 0;
    }

    fn count(&mut self, packet: &Packet, now: Time) {
        if packet.is_reverse {
            let is_bare = packet.payload == 0 && !packet.has(flags::SYN) && packet.has(flags::ACK);
            self.receiver.acks += u64::from(is_bare);
            return;
        }
        let end = packet.seq + u64::from(packet.payload);
        if packet.has(flags::FIN) {
            self.fin_at = Some(end);
        }
        if packet.payload == 0 {
            return;
        }
        self.sender.sent_packets += 1;
        self.sender.sent_bytes += u64::from(packet.wire_size);
        self.sender.sent_payload_bytes += u64::from(packet.payload);
        if packet.seq < self.sent_to {
            self.sender.retransmitted_packets += 1;
            self.outstanding.sent_again(packet.seq, end);
        }
        if end > self.sent_to {
            self.outstanding.sent(end, now);
            self.sent_to = end;
        }
    }

    /// Notes a packet that the network has handed to a host.
    pub fn handed_over(&mut self, packet: &Packet, now: Time) {
        if self.current.is_none_or(|current| current.number != packet.connection) {
            return;
        }
        if packet.is_reverse {
            self.on_ack(packet, now);
        } else if packet.payload > 0 {
            self.on_data(packet);
        }
    }

    fn on_data(&mut self, packet: &Packet) {
        self.receiver.received_bytes += u64::from(packet.wire_size);
        let (start, end) = (packet.seq, packet.seq + u64::from(packet.payload));
        if end <= self.next {
            return;
        }
        self.received.insert(start.max(self.next), end, |_, _| ());
        if let Some((_, end)) = self.received.containing(self.next) {
            self.receiver.goodput_bytes += end - self.next;
            self.next = end;
            self.received.remove_below(end);
        }
    }

    fn on_ack(&mut self, packet: &Packet, now: Time) {
        if !packet.has(flags::ACK) {
            return;
        }
        if packet.has(flags::SYN) {
            if let Some(sent_at) = self.syn_sent_at.take() {
                self.note_rtt(now.since(sent_at));
            }
            return;
        }
        if let Some(rtt) = self.outstanding.acked(packet.ack, packet.sack_ranges(), now) {
            self.note_rtt(rtt);
        }
        // A FIN takes one sequence number.
        let una = packet.ack.min(self.fin_at.unwrap_or(u64::MAX));
        if una > self.una {
            self.sender.acked_bytes += una - self.una;
            self.una = una;
            self.acked_at = Some(now);
        }
    }

    fn note_rtt(&mut self, rtt: Duration) {
        self.rtt_latest = Some(rtt);
        self.rtt.record(rtt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ackclock_sim::packet::Ecn;
    use std::net::Ipv4Addr;

    const SENDER: u16 = 40_000;
    /// An initial sequence number near the end, so that numbers soon wrap.
    const ISN: u32 = u32::MAX - 1500;
    const PEER: u32 = 77;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    struct Both {
        watch: Watch,
        port: u16,
    }

    impl Both {
        /// A flow whose handshake has taken 60 ms.
        fn connected() -> Self {
            let mut both = Self { watch: Watch::new(3, 5), port: SENDER };
            both.shake_hands(0);
            both
        }

        fn shake_hands(&mut self, ms: u64) {
            let syn = Tcp { window_scale: Some(7), ..tcp(flags::SYN, ISN, 0) };
            let packet = self.forward(syn, 0, ms);
            assert_eq!(
                (packet.seq, packet.ack, packet.window),
                (0, 0, 1000),
                "a SYN's window is not scaled"
            );
            let answer = Tcp {
                window_scale: Some(2),
                ..tcp(flags::SYN | flags::ACK, PEER, ISN.wrapping_add(1))
            };
            let packet = self.backward(answer, ms);
            self.watch.handed_over(&packet, at(ms + 60));
        }

        fn header(&self, tcp: Tcp, payload: u16, is_reverse: bool) -> Header {
            let ports = if is_reverse { (10_003, self.port) } else { (self.port, 10_003) };
            Header {
                source: Ipv4Addr::LOCALHOST,
                destination: Ipv4Addr::LOCALHOST,
                ip_bytes: 52 + payload,
                ecn: Ecn::Ect0,
                source_port: ports.0,
                destination_port: ports.1,
                payload_bytes: payload,
                tcp: Some(tcp),
            }
        }

        fn forward(&mut self, tcp: Tcp, payload: u16, ms: u64) -> Packet {
            let header = self.header(tcp, payload, false);
            self.watch.sent(&header, &tcp, false, at(ms))
        }

        fn backward(&mut self, tcp: Tcp, ms: u64) -> Packet {
            let header = self.header(tcp, 0, true);
            self.watch.sent(&header, &tcp, true, at(ms))
        }

        /// A segment of 1000 bytes from this offset.
        fn data(&mut self, offset: u32, ms: u64) -> Packet {
            let seq = ISN.wrapping_add(1).wrapping_add(offset);
            self.forward(tcp(flags::ACK, seq, PEER + 1), 1000, ms)
        }

        /// The receiver acknowledges up to this offset, with these SACK blocks.
        fn ack(&mut self, offset: u32, blocks: &[(u32, u32)], ms: u64) -> Packet {
            let number = |offset: u32| ISN.wrapping_add(1).wrapping_add(offset);
            let mut ack = tcp(flags::ACK, PEER + 1, number(offset));
            for (place, block) in ack.sack.iter_mut().zip(blocks) {
                *place = (number(block.0), number(block.1));
                ack.sack_blocks += 1;
            }
            let packet = self.backward(ack, ms);
            self.watch.handed_over(&packet, at(ms));
            packet
        }
    }

    fn tcp(bits: u16, seq: u32, ack: u32) -> Tcp {
        Tcp { flags: bits, seq, ack, window: 1000, timestamps: Some((1, 2)), ..Tcp::default() }
    }

    #[test]
    fn headers_become_packets_with_offsets() {
        let mut both = Both::connected();
        assert_eq!(both.watch.rtt_latest, Some(Duration::from_millis(60)), "the handshake's");
        for (i, offset) in (0..4).zip([0, 1000, 2000, 3000]) {
            let packet = both.data(offset, 60 + i);
            assert_eq!(
                (packet.seq, packet.payload, packet.wire_size),
                (u64::from(offset), 1000, 1052)
            );
            assert_eq!((packet.flow, packet.priority, packet.connection), (3, 5, 0));
            assert_eq!((packet.window, packet.ecn, packet.is_reverse), (128_000, Ecn::Ect0, false));
        }
        let packet = both.ack(1000, &[(2000, 3000), (0, 500)], 130);
        assert_eq!((packet.ack, packet.seq, packet.window), (1000, 0, 4000));
        assert_eq!(
            packet.sack_ranges().collect::<Vec<_>>(),
            [(2000, 3000), (0, 500)],
            "also a D-SACK below the ACK"
        );
        assert_eq!((packet.ts_val, packet.ts_ecr), (1, 2));
    }

    #[test]
    fn counts_what_is_sent_again_and_what_arrives_in_order() {
        let mut both = Both::connected();
        let sent: Vec<Packet> = (0..4).map(|i| both.data(1000 * i, 60)).collect();
        for (delivered, index) in [(1000, 0), (1000, 2), (1000, 3)] {
            both.watch.handed_over(&sent[index], at(90));
            assert_eq!(both.watch.delivered(), delivered);
        }
        let again = both.data(1000, 140);
        both.watch.handed_over(&again, at(170));
        assert_eq!(both.watch.delivered(), 4000);
        both.watch.handed_over(&again, at(171));
        assert_eq!(
            (both.watch.delivered(), both.watch.receiver.goodput_bytes),
            (4000, 4000),
            "a copy adds nothing"
        );
        assert_eq!(both.watch.receiver.received_bytes, 5 * 1052, "but was received");
        let sender = &both.watch.sender;
        assert_eq!(
            (sender.sent_packets, sender.retransmitted_packets, sender.sent_payload_bytes),
            (5, 1, 5000)
        );
        both.ack(1000, &[(2000, 4000)], 120);
        both.ack(4000, &[], 200);
        assert_eq!((both.watch.acked(), both.watch.acked_at), (4000, Some(at(200))));
        // Samples of the handshake and of the first, third and fourth segments; the segment sent
        // twice gives none.
        assert_eq!(
            (both.watch.rtt.count(), both.watch.rtt.max()),
            (2, Some(Duration::from_millis(60)))
        );
        assert_eq!(both.watch.receiver.acks, 2);
    }

    #[test]
    fn a_fin_is_not_payload() {
        let mut both = Both::connected();
        let fin =
            both.forward(tcp(flags::ACK | flags::FIN, ISN.wrapping_add(1), PEER + 1), 500, 60);
        assert!(fin.has(flags::FIN));
        both.ack(501, &[], 120);
        assert_eq!((both.watch.acked(), both.watch.sender.acked_bytes), (500, 500));
    }

    #[test]
    fn a_new_syn_is_a_new_connection_and_a_repeated_one_is_not() {
        let mut both = Both::connected();
        let data = both.data(0, 60);
        both.watch.handed_over(&data, at(90));
        both.ack(1000, &[], 120);
        let syn = tcp(flags::SYN, ISN, 0);
        assert_eq!(both.forward(syn, 0, 130).connection, 0, "the first SYN once more");
        both.port = SENDER + 1;
        both.shake_hands(200);
        let next = both.data(0, 260);
        assert_eq!((next.connection, next.seq), (1, 0));
        both.watch.handed_over(&next, at(290));
        both.ack(1000, &[], 320);
        assert_eq!((both.watch.delivered(), both.watch.acked()), (2000, 2000), "totals go on");
        assert_eq!(both.watch.sender.retransmitted_packets, 0);
        // A straggler of the first connection counts nowhere.
        both.port = SENDER;
        let straggler = both.data(0, 330);
        assert_eq!(straggler.connection, 0);
        both.watch.handed_over(&straggler, at(360));
        assert_eq!((both.watch.delivered(), both.watch.sender.sent_packets), (2000, 2));
    }

    #[test]
    fn a_handshake_in_two_attempts_gives_no_sample() {
        let mut both = Both { watch: Watch::new(0, 0), port: SENDER };
        both.forward(tcp(flags::SYN, ISN, 0), 0, 0);
        both.shake_hands(1000);
        assert_eq!(both.watch.rtt_latest, None);
    }
}
