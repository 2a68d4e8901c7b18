//! The limit of what an engine can reach: the least that is still a dumbbell with slow start,
//! congestion avoidance, SACK and delayed ACKs, without any option, counter or record. Prints what
//! a run costs, one line of JSON: `skeleton events|rounds FLOWS BIT/S RTT_S DURATION_S`.
//!
//! Each flow has a link of its own, of ten times the bottleneck's rate. The bottleneck is a FIFO of
//! one BDP. Both orders of work do the same, packet by packet.

mod processor;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use processor::processor_us;
use serde_json::json;

/// A time, or a length of time, in picoseconds.
type Ps = u64;

const PS_PER_S: f64 = 1e12;
const WIRE_BITS: f64 = 12_000.0;
/// Propagation to the bottleneck.
const ACCESS_DELAY: Ps = 500_000_000;
/// Time in which the flows start one after another.
const STARTS: Ps = 1_000_000_000_000;
const INITIAL_WINDOW: f64 = 10.0;

/// State of a segment that is out.
#[derive(Clone, Copy, PartialEq)]
enum Sent {
    InFlight,
    Sacked,
    Lost,
}

/// A packet on its way: when it gets there, its number, and when it was sent.
#[derive(Clone, Copy, Default)]
struct Packet {
    at: Ps,
    number: u32,
    sent: Ps,
}

/// Sender, receiver and access link of a flow. Windows and numbers are in packets.
struct Flow {
    cwnd: f64,
    ssthresh: f64,
    srtt: f64,
    una: u32,
    next: u32,
    inflight: u32,
    recovery_point: u32,
    highest_sacked: u32,
    segments: VecDeque<Sent>,
    lost: VecDeque<u32>,
    access_free_at: Ps,
    /// Packets on their way to the bottleneck, and from there to the receiver.
    leaving: VecDeque<Packet>,
    arriving: VecDeque<Packet>,
    received: u32,
    out_of_order: VecDeque<bool>,
    unacknowledged: u8,
}

impl Flow {
    fn new(ssthresh: f64) -> Self {
        Self {
            cwnd: INITIAL_WINDOW,
            ssthresh,
            srtt: 0.0,
            una: 0,
            next: 0,
            inflight: 0,
            recovery_point: 0,
            highest_sacked: 0,
            segments: VecDeque::new(),
            lost: VecDeque::new(),
            access_free_at: 0,
            leaving: VecDeque::new(),
            arriving: VecDeque::new(),
            received: 0,
            out_of_order: VecDeque::new(),
            unacknowledged: 0,
        }
    }

    /// Sends what the window allows.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small window")]
    fn send(&mut self, now: Ps, transmission: Ps) {
        while self.inflight < self.cwnd as u32 {
            let number = if let Some(number) = self.lost.pop_front() {
                if number < self.una {
                    continue;
                }
                *self.segment(number) = Sent::InFlight;
                number
            } else {
                self.next += 1;
                self.segments.push_back(Sent::InFlight);
                self.next - 1
            };
            self.inflight += 1;
            self.access_free_at = self.access_free_at.max(now) + transmission;
            let at = self.access_free_at + ACCESS_DELAY;
            self.leaving.push_back(Packet { at, number, sent: now });
        }
    }

    fn segment(&mut self, number: u32) -> &mut Sent {
        &mut self.segments[(number - self.una) as usize]
    }

    /// A packet reaches the receiver. Returns whether an ACK answers at once.
    fn receive(&mut self, number: u32) -> bool {
        if number < self.received {
            return true;
        }
        if number > self.received {
            let place = (number - self.received) as usize;
            if self.out_of_order.len() <= place {
                self.out_of_order.resize(place + 1, false);
            }
            self.out_of_order[place] = true;
            return true;
        }
        self.received += 1;
        self.out_of_order.pop_front();
        let mut answers = false;
        while self.out_of_order.front() == Some(&true) {
            self.out_of_order.pop_front();
            self.received += 1;
            answers = true;
        }
        self.unacknowledged += 1;
        answers || self.unacknowledged >= 2 || !self.out_of_order.is_empty()
    }

    /// The ACK that a packet has caused reaches the sender.
    #[expect(clippy::cast_precision_loss, reason = "times are below 2^53 ps for two hours")]
    fn acknowledge(&mut self, packet: &Packet, now: Ps) {
        self.unacknowledged = 0;
        let rtt = (now - packet.sent) as f64;
        self.srtt = if self.srtt > 0.0 { 0.875 * self.srtt + 0.125 * rtt } else { rtt };
        let mut acked = 0.0;
        while self.una < self.received {
            match self.segments.pop_front() {
                Some(Sent::InFlight) => {
                    self.inflight -= 1;
                    acked += 1.0;
                }
                Some(Sent::Lost) => acked += 1.0,
                Some(Sent::Sacked) | None => (),
            }
            self.una += 1;
        }
        if packet.number >= self.una {
            if *self.segment(packet.number) == Sent::InFlight {
                self.inflight -= 1;
                acked += 1.0;
            }
            *self.segment(packet.number) = Sent::Sacked;
            self.find_losses(packet.number);
        }
        self.highest_sacked = self.highest_sacked.max(self.una);
        if self.una >= self.recovery_point {
            self.cwnd += if self.cwnd < self.ssthresh { acked } else { acked / self.cwnd };
        }
    }

    /// Everything in flight below a `SACKed` packet is lost.
    fn find_losses(&mut self, sacked: u32) {
        if sacked <= self.highest_sacked {
            return;
        }
        let mut has_lost = false;
        for number in self.highest_sacked.max(self.una)..sacked {
            if *self.segment(number) == Sent::InFlight {
                *self.segment(number) = Sent::Lost;
                self.lost.push_back(number);
                self.inflight -= 1;
                has_lost = true;
            }
        }
        self.highest_sacked = sacked;
        if has_lost && self.una >= self.recovery_point {
            self.ssthresh = (self.cwnd / 2.0).max(2.0);
            self.cwnd = self.ssthresh;
            self.recovery_point = self.next;
        }
    }
}

struct Dumbbell {
    flows: Vec<Flow>,
    transmission: Ps,
    access_transmission: Ps,
    /// Propagation from the bottleneck to the receiver, and from there to the sender.
    forward: Ps,
    back: Ps,
    limit: usize,
    end: Ps,
    free_at: Ps,
    /// When the packets in the queue leave it.
    queue: VecDeque<Ps>,
    delivered: u64,
    lost: u64,
}

impl Dumbbell {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "quantities of the command line"
    )]
    fn new(flows: usize, rate: f64, rtt: f64, duration: f64) -> Self {
        let ps = |seconds: f64| (seconds * PS_PER_S) as Ps;
        let bdp = rate * rtt / WIRE_BITS;
        let transmission = ps(WIRE_BITS / rate);
        Self {
            flows: (0..flows).map(|_| Flow::new(bdp / flows as f64)).collect(),
            transmission,
            access_transmission: transmission / 10,
            forward: ps(rtt / 2.0) - 2 * ACCESS_DELAY,
            back: ps(rtt / 2.0),
            limit: bdp as usize,
            end: ps(duration),
            free_at: 0,
            queue: VecDeque::new(),
            delivered: 0,
            lost: 0,
        }
    }

    fn start(&mut self) {
        let step = STARTS / self.flows.len() as u64;
        for (start, flow) in (0..).map(|index| index * step).zip(&mut self.flows) {
            flow.send(start, self.access_transmission);
        }
    }

    /// A packet reaches the bottleneck. Returns when it reaches its receiver, unless it is lost.
    fn enter(&mut self, now: Ps) -> Option<Ps> {
        while self.queue.front().is_some_and(|leaves| *leaves <= now) {
            self.queue.pop_front();
        }
        if self.queue.len() >= self.limit {
            self.lost += 1;
            return None;
        }
        let begins = self.free_at.max(now);
        self.queue.push_back(begins);
        self.free_at = begins + self.transmission;
        Some(self.free_at + self.forward)
    }

    /// A packet reaches its receiver. If an ACK answers, it reaches the sender.
    fn deliver(&mut self, flow: usize, packet: &Packet) {
        let now = packet.at + self.back;
        if packet.at > self.end {
            return;
        }
        self.delivered += 1;
        let flow = &mut self.flows[flow];
        if flow.receive(packet.number) && now <= self.end {
            flow.acknowledge(packet, now);
            flow.send(now, self.access_transmission);
        }
    }

    /// One event after another. An ACK is an event with the packet that has caused it.
    fn by_events(&mut self) {
        let mut heads = BinaryHeap::new();
        let mut on_wire: VecDeque<(usize, Packet)> = VecDeque::new();
        for (index, flow) in self.flows.iter().enumerate() {
            heads.extend(flow.leaving.front().map(|first| Reverse((first.at, index))));
        }
        loop {
            let enters = heads.peek().map_or(Ps::MAX, |Reverse((at, _))| *at);
            let arrives = on_wire.front().map_or(Ps::MAX, |(_, packet)| packet.at + self.back);
            if enters.min(arrives) > self.end + self.back {
                return;
            }
            if arrives <= enters {
                let Some((index, packet)) = on_wire.pop_front() else { return };
                let had_none = self.flows[index].leaving.is_empty();
                self.deliver(index, &packet);
                let first = self.flows[index].leaving.front().filter(|_| had_none);
                heads.extend(first.map(|first| Reverse((first.at, index))));
                continue;
            }
            let Some(Reverse((now, index))) = heads.pop() else { return };
            let leaving = &mut self.flows[index].leaving;
            let Some(packet) = leaving.pop_front() else { return };
            heads.extend(leaving.front().map(|first| Reverse((first.at, index))));
            if now <= self.end
                && let Some(at) = self.enter(now)
            {
                on_wire.push_back((index, Packet { at, ..packet }));
            }
        }
    }

    /// Round by round: what each flow does before the next packet that is not known yet, then what
    /// enters the bottleneck meanwhile.
    fn by_rounds(&mut self) {
        let round = self.forward + self.back;
        let mut until = round;
        let mut entering: Vec<(Ps, usize, Packet)> = Vec::new();
        let mut sorter = Sorter::default();
        while until <= self.end + 2 * round {
            entering.clear();
            for index in 0..self.flows.len() {
                while let Some(packet) = self.flows[index].arriving.front().copied()
                    && packet.at + self.back < until
                {
                    self.flows[index].arriving.pop_front();
                    self.deliver(index, &packet);
                }
                let leaving = &mut self.flows[index].leaving;
                while let Some(packet) = leaving.front()
                    && packet.at < until.min(self.end + 1)
                {
                    entering.push((packet.at, index, *packet));
                    leaving.pop_front();
                }
            }
            for (now, index, packet) in sorter.sort(&entering, until - round, round) {
                if let Some(at) = self.enter(*now) {
                    self.flows[*index].arriving.push_back(Packet { at, ..*packet });
                }
            }
            until += round;
        }
    }
}

/// Sorts packets by the time at which they enter, then by flow.
#[derive(Default)]
struct Sorter {
    counts: Vec<usize>,
    sorted: Vec<(Ps, usize, Packet)>,
}

impl Sorter {
    /// `from` and `length`: the stretch of time in which they enter.
    #[expect(clippy::cast_possible_truncation, reason = "a bucket's number is small")]
    fn sort<'a>(
        &'a mut self,
        entering: &'a [(Ps, usize, Packet)],
        from: Ps,
        length: Ps,
    ) -> &'a [(Ps, usize, Packet)] {
        if entering.is_sorted_by_key(|(at, index, _)| (*at, *index)) {
            return entering;
        }
        let most = 2 * entering.len().max(1) as u64;
        let shift = (length / most + 1).next_power_of_two().trailing_zeros();
        let bucket = |at: Ps| (at.saturating_sub(from) >> shift) as usize;
        self.counts.clear();
        self.counts.resize(bucket(from + length) + 2, 0);
        for (at, ..) in entering {
            self.counts[bucket(*at) + 1] += 1;
        }
        let mut sum = 0;
        for count in &mut self.counts {
            sum += *count;
            *count = sum;
        }
        self.sorted.clear();
        self.sorted.resize(entering.len(), (0, 0, Packet::default()));
        for entry in entering {
            let place = &mut self.counts[bucket(entry.0)];
            self.sorted[*place] = *entry;
            *place += 1;
        }
        for at in 1..self.sorted.len() {
            let entry = self.sorted[at];
            let mut to = at;
            while to > 0 && (self.sorted[to - 1].0, self.sorted[to - 1].1) > (entry.0, entry.1) {
                self.sorted[to] = self.sorted[to - 1];
                to -= 1;
            }
            self.sorted[to] = entry;
        }
        &self.sorted
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let order = arguments.next().expect("events or rounds");
    let numbers: Vec<f64> = arguments.map(|text| text.parse().expect("a number")).collect();
    let [flows, rate, rtt, duration] = numbers[..] else { panic!("FLOWS BIT/S RTT_S DURATION_S") };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
    let mut dumbbell = Dumbbell::new(flows as usize, rate, rtt, duration);
    let began = processor_us();
    dumbbell.start();
    match order.as_str() {
        "events" => dumbbell.by_events(),
        "rounds" => dumbbell.by_rounds(),
        other => panic!("{other} is neither events nor rounds"),
    }
    println!(
        "{}",
        json!({
            "delivered_packets": dumbbell.delivered,
            "lost_packets": dumbbell.lost,
            "processor_us": processor_us() - began,
        })
    );
}
