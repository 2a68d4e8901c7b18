//! Invariants of every run of every plan: no packet is lost from the books, none comes from
//! nowhere, no connection waits for ever.

use ackclock_sim::app::AppPlan;
use ackclock_sim::app::session::TransferKind;
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::net::transmitter::ServicePlan;
use ackclock_sim::output::{FlowOutput, Output};
use ackclock_sim::packet::flags;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::{LimitPlan, QdiscPlan};
use ackclock_sim::random::{self, Draw, Weather};
use ackclock_sim::record::PacketEvent;
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_sim::transport::plan::{LossDetection, WindowCounting};
use ackclock_sim::transport::recovery::CaState;
use ackclock_sim::transport::scoreboard::{Scoreboard, Segment};
use ackclock_sim::{Progress, Simulation};
use ackclock_units::{Duration, Rate, Time};
use proptest::prelude::*;

use crate::plain_plans::{MS, S, dumbbell, flow};
use crate::{any_plan, cases, drawn, run};

/// The counts of a flow, from the recorded packets.
#[derive(Clone, Default)]
struct Books {
    /// Number of the present connection, to which the fields below `retransmissions` belong.
    connection: u32,
    /// Packets sent by the host or copied by a wire, by direction: data, ACKs.
    sent: [u64; 2],
    /// Packets received or discarded by the host, by direction.
    received: [u64; 2],
    /// Packets dropped on the way, by direction.
    dropped: [u64; 2],
    data_packets: u64,
    retransmissions: u64,
    /// Highest byte sent.
    sent_to: u64,
    /// Ranges received, disjoint and ascending.
    arrived: Vec<(u64, u64)>,
    fin_arrived: bool,
    /// Highest cumulative ACK that reached the sender.
    acked: u64,
    /// Right edge of the window that the sender has been offered.
    edge: u64,
    /// RFC 7323's `TS.Recent` of the receiver.
    ts_recent: u32,
    /// RFC 7323's `Last.ACK.sent` of the receiver.
    last_ack: u64,
}

impl Books {
    /// Begins the counts of the flow's next connection.
    fn begin(&mut self, connection: u32) {
        *self = Self {
            connection,
            sent: self.sent,
            received: self.received,
            dropped: self.dropped,
            data_packets: self.data_packets,
            retransmissions: self.retransmissions,
            ..Self::default()
        };
    }

    /// Whether the receiver takes a segment that begins at `seq`. It refuses one with an old
    /// timestamp (RFC 7323 section 5.3, with Linux's tick of grace).
    fn accepts(&mut self, seq: u64, ts_val: u32) -> bool {
        let behind = self.ts_recent.wrapping_sub(ts_val).cast_signed();
        if behind <= 0 && seq <= self.last_ack {
            self.ts_recent = ts_val;
        }
        behind <= 1
    }

    /// Number of bytes that have arrived without a gap before them.
    fn in_order(&self) -> u64 {
        self.arrived.first().filter(|range| range.0 == 0).map_or(0, |range| range.1)
    }

    fn take_in(&mut self, start: u64, end: u64) {
        self.arrived.push((start, end));
        self.arrived.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::new();
        for (start, end) in self.arrived.drain(..) {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        self.arrived = merged;
    }
}

/// Watches a run and checks it.
struct Auditor<'a> {
    plan: &'a Plan,
    flows: Vec<Books>,
    /// Number of rows of the record that are booked.
    read: usize,
    /// Packets that were inside each link when the counters began.
    inside_at_start: Vec<Option<u64>>,
    delivered: Vec<u64>,
    una: Vec<u64>,
    now: Time,
}

fn code(event: PacketEvent) -> u8 {
    event as u8
}

/// Events of packets that leave the network at a link.
const DROPS: [PacketEvent; 4] = [
    PacketEvent::DropForced,
    PacketEvent::DropEarly,
    PacketEvent::DropPoliced,
    PacketEvent::DropWire,
];

/// The limit of a link's queue, where the plan alone decides it.
fn limit_of(plan: &QdiscPlan) -> LimitPlan {
    match plan {
        // What waits stays when a limit shrinks, so that the largest bounds the queue.
        QdiscPlan::Fifo(fifo) => fifo.later.iter().fold(fifo.limit(), |most, later| LimitPlan {
            limit_packets: most.limit_packets.zip(later.limit_packets).map(|(a, b)| a.max(b)),
            limit_bytes: most.limit_bytes.zip(later.limit_bytes).map(|(a, b)| a.max(b)),
        }),
        // The packet that waits for tokens does not count for the limit.
        QdiscPlan::Tbf(tbf) => {
            let inner = limit_of(&tbf.qdisc);
            LimitPlan {
                limit_packets: inner.limit_packets.map(|limit| limit + 1),
                limit_bytes: inner.limit_bytes.map(|limit| limit + 10_000),
            }
        }
        // Each of the others has one limit, or none of its own: each band of prio has one.
        other => {
            let data = serde_json::to_value(other).expect("a plan is plain data");
            LimitPlan {
                limit_packets: data["limit_packets"].as_u64(),
                limit_bytes: data["limit_bytes"].as_u64(),
            }
        }
    }
}

/// The highest rate at which packets leave and arrive, if there is one: impairments copy packets,
/// and gather them.
fn fastest(plan: &LinkPlan) -> Option<u64> {
    match &plan.service {
        _ if !plan.impairments.is_empty() => None,
        None => plan.rate_bps,
        Some(ServicePlan::Schedule(schedule)) => schedule.rates.iter().map(|(_, bps)| *bps).max(),
        Some(ServicePlan::Trace(_)) => None,
    }
}

impl<'a> Auditor<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            flows: vec![Books::default(); plan.flows.len()],
            read: 0,
            inside_at_start: vec![None; plan.links.len()],
            delivered: vec![0; plan.flows.len()],
            una: vec![0; plan.flows.len()],
            now: Time::ZERO,
        }
    }

    fn check(&mut self, simulation: &Simulation, now: Time) -> Result<(), TestCaseError> {
        prop_assert!(now >= self.now, "time went back from {:?} to {now:?}", self.now);
        self.now = now;
        self.read_record(simulation)?;
        for index in 0..self.plan.links.len() {
            self.check_link(simulation, index)?;
        }
        self.check_conservation(simulation)?;
        for index in 0..self.plan.flows.len() {
            self.check_flow(simulation, index)?;
        }
        Ok(())
    }

    /// Each packet that was sent or copied has arrived, was dropped, crosses a wire, or waits in a
    /// queue. For each flow and direction the packets on the wires are no more than those on their
    /// way. All packets on their way are inside links.
    fn check_conservation(&self, simulation: &Simulation) -> Result<(), TestCaseError> {
        let mut on_wires = vec![[0_u64; 2]; self.flows.len()];
        let mut inside = 0;
        for link in &simulation.network().links {
            for packet in link.flight().packets() {
                on_wires[packet.flow as usize][usize::from(packet.is_reverse)] += 1;
            }
            inside += link.packets_inside() as u64;
        }
        let mut on_their_way = 0;
        for (books, (flow, on_wires)) in self.flows.iter().zip(self.plan.flows.iter().zip(on_wires))
        {
            for (direction, on_wires) in on_wires.into_iter().enumerate() {
                let [left, arrived, dropped] =
                    [&books.sent, &books.received, &books.dropped].map(|counts| counts[direction]);
                let gone = arrived + dropped + on_wires;
                let name = &flow.name;
                prop_assert!(
                    left >= gone,
                    "{name}, direction {direction}: {left} left, {arrived} arrived, {dropped} \
                     dropped, {on_wires} on wires"
                );
                on_their_way += left - arrived - dropped;
            }
        }
        prop_assert_eq!(on_their_way, inside, "on their way, and inside the links");
        Ok(())
    }

    fn read_record(&mut self, simulation: &Simulation) -> Result<(), TestCaseError> {
        let rows = &simulation.network().log.packets;
        for row in self.read..rows.time_ns.len() {
            prop_assert!(
                row == 0 || rows.time_ns[row] >= rows.time_ns[row - 1],
                "the record is in order of time"
            );
            let books = &mut self.flows[rows.flow[row] as usize];
            let connection = rows.connection[row];
            if connection > books.connection {
                books.begin(connection);
                self.una[rows.flow[row] as usize] = 0;
            }
            let is_present = connection == books.connection;
            let direction = usize::from(rows.is_ack[row]);
            let is_data = direction == 0 && rows.length[row] > 0;
            let end = rows.seq[row] + u64::from(rows.length[row]);
            match rows.event[row] {
                event if rows.point[row] == 2 => {
                    books.dropped[direction] += u64::from(DROPS.map(code).contains(&event));
                    books.sent[direction] += u64::from(event == code(PacketEvent::Duplicate));
                }
                event if event == code(PacketEvent::Corrupt) => books.received[direction] += 1,
                event if event == code(PacketEvent::Send) => {
                    books.sent[direction] += 1;
                    if direction == 1 && is_present {
                        books.last_ack = rows.ack[row];
                    }
                    if is_data && is_present {
                        books.data_packets += 1;
                        books.retransmissions += u64::from(rows.seq[row] < books.sent_to);
                        books.sent_to = books.sent_to.max(end);
                        prop_assert!(
                            end <= books.edge,
                            "sends byte {end}, and the window ends at {}",
                            books.edge
                        );
                    }
                }
                _ => {
                    books.received[direction] += 1;
                    if !is_present {
                        continue;
                    }
                    let is_fin = rows.flags[row] & flags::FIN != 0;
                    if direction == 0 && rows.flags[row] & flags::SYN != 0 {
                        books.ts_recent = rows.ts_val[row];
                    }
                    let has_timestamps =
                        self.plan.flows[rows.flow[row] as usize].transport.timestamps;
                    if direction == 0
                        && (is_data || is_fin)
                        && has_timestamps
                        && !books.accepts(rows.seq[row], rows.ts_val[row])
                    {
                        continue;
                    }
                    if is_data {
                        books.take_in(rows.seq[row], end);
                    }
                    if direction == 0 {
                        books.fin_arrived |= rows.flags[row] & flags::FIN != 0;
                    } else if rows.flags[row] & flags::ACK != 0 {
                        books.acked = books.acked.max(rows.ack[row]);
                        books.edge = books.edge.max(rows.ack[row] + u64::from(rows.window[row]));
                    }
                }
            }
        }
        self.read = rows.time_ns.len();
        Ok(())
    }

    fn check_link(&mut self, simulation: &Simulation, index: usize) -> Result<(), TestCaseError> {
        let (plan, link) = (&self.plan.links[index], &simulation.network().links[index]);
        let stats = link.stats();
        let inside = link.packets_inside() as u64;

        // Arrived + copied = delivered + dropped + inside. Packets that were inside when the
        // counters began had arrived before.
        let gone = stats.delivered_packets + stats.dropped();
        let (before, arrived) = (gone + inside, stats.arrived_packets + stats.duplicated_packets);
        prop_assert!(
            before >= arrived,
            "{}: {arrived} arrived, {before} are accounted for",
            plan.name
        );
        let warmup = Time::from_ps(self.plan.warmup_ps);
        if self.plan.warmup_ps == 0 || self.now < warmup {
            prop_assert_eq!(before, arrived, "{}", &plan.name);
        } else if self.now > warmup {
            let known = *self.inside_at_start[index].get_or_insert(before - arrived);
            prop_assert_eq!(before - arrived, known, "{}", &plan.name);
        }

        let limit = limit_of(&plan.qdisc);
        let LimitPlan { limit_packets, limit_bytes } = limit;
        let backlog = link.backlog();
        prop_assert!(
            limit_packets.is_none_or(|limit| backlog.packets <= limit),
            "{}: {backlog:?} above {limit:?}",
            plan.name
        );
        prop_assert!(
            limit_bytes.is_none_or(|limit| backlog.bytes <= limit),
            "{}: {backlog:?} above {limit:?}",
            plan.name
        );
        let is_held_back = plan.rate_bps.is_some() || matches!(plan.qdisc, QdiscPlan::Tbf(_));
        prop_assert!(
            is_held_back || backlog.packets == 0,
            "{}: without a rate nothing waits",
            &plan.name
        );
        if let Some(rate) = fastest(plan) {
            // The far end cannot have seen more than the line carried, apart from one packet that
            // straddles the beginning and the packets that hosts then still held. Hosts take 1 ms
            // on average here, and never 25 ms (probability e^-25) in the thousands of draws.
            let measured = self.now.since(if self.now > warmup { warmup } else { Time::ZERO });
            let has_hosts = self.plan.flows.iter().any(|flow| flow.transport.host_time.is_some());
            let held = Duration::from_millis(if has_hosts { 25 } else { 0 });
            let carried = Rate::from_bps(rate).bytes_in(measured + held);
            prop_assert!(
                stats.delivered_bytes <= carried + 10_000,
                "{}: delivered {} in the time for {carried} bytes",
                plan.name,
                stats.delivered_bytes
            );
        }
        Ok(())
    }

    fn check_flow(&mut self, simulation: &Simulation, index: usize) -> Result<(), TestCaseError> {
        let (plan, books) = (&self.plan.flows[index], &self.flows[index]);
        let (sender, receiver) = (&simulation.senders()[index], &simulation.receivers()[index]);
        let (name, board) = (&plan.name, sender.board());
        let delivered = receiver.delivered();
        let delivered_in_all = receiver.delivered_in_all();
        prop_assert!(delivered_in_all >= self.delivered[index]);
        self.delivered[index] = delivered_in_all;
        if plan.transport.optimistic_ack_bytes.is_none() {
            prop_assert_eq!(
                delivered,
                books.in_order(),
                "{}: the application gets what arrived without a gap, once",
                name
            );
            prop_assert!(
                sender.acked_in_all() <= delivered_in_all,
                "{name}: acknowledged before delivered, over all connections"
            );
            prop_assert!(
                sender.acked_payload() <= delivered,
                "{name}: acknowledged before delivered"
            );
            prop_assert!(board.una() <= delivered + 1, "{name}: {}", board.una());
        } else if plan.app != (AppPlan::Session {}) {
            let arrived: u64 = books.arrived.iter().map(|range| range.1 - range.0).sum();
            prop_assert!(delivered_in_all <= arrived, "{name}: counts what never arrived");
            // With timestamps PAWS refuses other late data than in an honest receiver.
            if delivered <= plan.transport.receive_buffer_bytes && !plan.transport.timestamps {
                prop_assert_eq!(delivered_in_all, arrived, "{}: counts all that arrived", name);
            }
        }
        prop_assert!(board.una() <= board.next(), "{name}: {} {}", board.una(), board.next());
        prop_assert!(
            board.una() >= self.una[index] && board.una() <= books.acked,
            "{name}: una {} after {}",
            board.una(),
            self.una[index]
        );
        self.una[index] = board.una();
        prop_assert!(
            books.sent_to <= board.next() && board.next() <= books.sent_to + 1,
            "{name}: next {}, sent {}",
            board.next(),
            books.sent_to
        );
        if let AppPlan::File { size_bytes } = plan.app {
            prop_assert!(books.sent_to <= size_bytes, "{name}: sent more than the file");
        }
        if self.plan.warmup_ps == 0 {
            prop_assert_eq!(receiver.stats().goodput_bytes, delivered_in_all);
            prop_assert!(sender.stats().sent_packets >= books.data_packets);
            prop_assert!(
                sender.stats().retransmitted_packets >= books.retransmissions,
                "{name}: more went out again than is counted"
            );
        }

        let mss = u64::from(plan.transport.mss);
        prop_assert!(sender.decision().cwnd >= mss, "{name}: cwnd {}", sender.decision().cwnd);
        check_board(board, plan.transport.loss_detection != LossDetection::Dupack, name)?;
        if sender.ca_state() < CaState::Recovery {
            prop_assert_eq!(
                board.lost_bytes(),
                0,
                "{}: lost segments, and nobody repairs them ({:?})",
                name,
                sender.ca_state()
            );
        }
        self.check_liveness(simulation, index)
    }

    /// A sender with work left has an armed timer, because a packet that it waits for may be lost.
    fn check_liveness(&self, simulation: &Simulation, index: usize) -> Result<(), TestCaseError> {
        let (plan, sender, receiver) =
            (&self.plan.flows[index], &simulation.senders()[index], &simulation.receivers()[index]);
        let first_sender = self.plan.links.len();
        let source = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let schedule = &simulation.network().schedule;
        let due = schedule.due(source(first_sender + index));
        prop_assert!(
            due <= sender.deadline(),
            "{}: wants {:?}, is scheduled for {due:?}",
            plan.name,
            sender.deadline()
        );
        prop_assert!(
            schedule.due(source(first_sender + self.plan.flows.len() + index))
                <= receiver.deadline()
        );
        if sender.is_done() {
            prop_assert_eq!(sender.board().segments(), 0);
            prop_assert!(sender.finished_at().is_some());
            return Ok(());
        }
        let latest = self.now.saturating_add(Duration::from_ps(plan.transport.max_rto_ps));
        let is_started = self.now > Time::from_ps(plan.start_ps);
        let has_data = sender.board().segments() > 0
            || matches!(plan.app, AppPlan::Bulk {} | AppPlan::File { .. });
        if is_started && has_data {
            prop_assert!(
                sender.deadline() <= latest,
                "{}: {} out, {} acknowledged, and the next timer is at {:?}",
                plan.name,
                sender.board().outstanding(),
                sender.board().una(),
                sender.deadline()
            );
        }
        Ok(())
    }
}

/// Compares the byte counters with a recount of the segments, and the order of transmission with
/// the segments' times.
fn check_board(board: &Scoreboard, has_sack: bool, name: &str) -> Result<(), TestCaseError> {
    let (mut sacked, mut covered, mut lost, mut copies, mut length, mut expected) =
        (0, 0, 0, 0, 0, 0);
    let mut at = board.una();
    let mut to_retransmit = None;
    for number in board.first_number().into_iter().flat_map(|first| first..first + board.segments())
    {
        let segment = board.get(number);
        prop_assert_eq!(segment.seq, at, "{}: segments adjoin", name);
        at = segment.end();
        let len = board.weight(u64::from(segment.len));
        length += len;
        covered += if segment.is_sacked() { u64::from(segment.len) } else { 0 };
        prop_assert!(
            !segment.is_sacked() || !(segment.is_lost() || segment.is_retransmission_out()),
            "{name}: {segment:?}"
        );
        sacked += if segment.is_sacked() { len } else { 0 };
        lost += if segment.is_lost() { len } else { 0 };
        copies += if segment.is_retransmission_out() { len } else { 0 };
        if to_retransmit.is_none() && segment.is_lost() && !segment.is_retransmission_out() {
            to_retransmit = Some(number);
        }
        let is_watched = !segment.is_sacked() && !segment.is_judged();
        expected +=
            usize::from(is_watched && (!segment.is_lost() || segment.is_retransmission_out()));
    }
    prop_assert_eq!(at, board.next(), "{}", name);
    prop_assert_eq!(length, board.outstanding(), "{}", name);
    prop_assert_eq!(lost, board.lost_bytes(), "{}: lost", name);
    // A retransmission that a timeout has repeated while it was out counts twice.
    prop_assert!(copies <= board.retrans_bytes(), "{name}: {copies} bytes of retransmissions out");
    let copies = board.retrans_bytes();
    if has_sack {
        prop_assert_eq!(sacked, board.sacked_bytes(), "{}: sacked", name);
        prop_assert_eq!(covered, board.sacked().bytes(), "{}: sacked ranges", name);
    } else {
        prop_assert_eq!(sacked, 0);
    }
    let out = i128::from(length) + i128::from(copies)
        - i128::from(board.sacked_bytes())
        - i128::from(lost);
    prop_assert!(out >= 0, "{name}: {out} bytes in flight");
    prop_assert_eq!(i128::from(board.inflight()), out);

    // Copies of segments that no longer count as lost wait for their ACKs first (Linux's
    // tcp_xmit_retransmit_queue).
    let to_retransmit = to_retransmit.filter(|_| copies < lost);
    prop_assert_eq!(
        board.clone().next_lost(),
        to_retransmit,
        "{}: the lowest hole goes out next",
        name
    );

    let (mut listed, mut previous) = (0, Time::ZERO);
    let mut next = board.oldest();
    while let Some(number) = next {
        prop_assert!(
            board.get(number).sent_at >= previous,
            "{name}: the list is in order of transmission"
        );
        previous = board.get(number).sent_at;
        listed += 1;
        next = board.newer(number);
    }
    prop_assert_eq!(listed, expected, "{}: what is neither delivered nor lost is listed", name);
    Ok(())
}

/// Losses that a connection survives: no pattern could hit every copy of a segment.
const MODERATE: Weather = Weather { most_random: 0.05, least_period: 8, may_block: false };

/// Files over links that lose a little, with all the time that they need.
fn files_that_can_finish(draw: &mut Draw) -> Plan {
    random::network(draw, MODERATE, random::file, false)
}

/// The size of a file, or of all writes together.
fn size_of(app: &AppPlan) -> u64 {
    match app {
        AppPlan::File { size_bytes } => *size_bytes,
        AppPlan::Writes { writes } => writes.iter().map(|(_, bytes)| bytes).sum(),
        _ => unreachable!("it has no end"),
    }
}

/// The longest run: 20 days.
const LONGEST: u64 = 20 * 24 * 3600 * S;

/// One transfer over all flows of a plan with moderate losses.
fn transfers_that_can_finish(draw: &mut Draw) -> Plan {
    let app = |draw: &mut Draw| if draw.flag() { random::writes(draw) } else { random::file(draw) };
    let mut plan = random::network(draw, MODERATE, app, false);
    let connections = plan.flows.len();
    random::stripe(&mut plan.flows, connections, random::chunk(draw));
    // An hour may be too short: segments of one byte may each wait for a timeout that Karn's
    // algorithm keeps at its largest. A transfer that hangs still reaches the limit.
    plan.duration_ps = LONGEST;
    plan
}

/// Sessions that come to an end, over links that lose a little.
fn sessions_that_can_finish(draw: &mut Draw) -> Plan {
    let mut plan = files_that_can_finish(draw);
    let app = random::session_app(draw, true);
    let session = random::run_by_session(&mut plan.flows, app);
    plan.sessions.push(session);
    plan
}

/// Events of a run: enough for every state of a connection. Without a bound a bulk flow over links
/// without a rate would send for minutes.
const MOST_EVENTS: u64 = 12_000;

/// Every file of the plan has arrived whole and once.
pub fn check_files(plan: &Plan, output: &Output) -> Result<(), TestCaseError> {
    for (flow, result) in plan.flows.iter().zip(&output.flows) {
        let AppPlan::File { size_bytes } = flow.app else { unreachable!("files only") };
        prop_assert!(result.finished.is_some(), "{} never finished: {:?}", flow.name, flow);
        prop_assert_eq!(result.receiver.goodput_bytes, size_bytes);
        prop_assert_eq!(result.sender.acked_bytes, size_bytes);
    }
    Ok(())
}

/// The output of a plan that must end within this number of events.
fn output_within(plan: &Plan, most_events: u64) -> Result<Output, TestCaseError> {
    let mut simulation = Simulation::new(plan).expect("the plan is valid");
    prop_assert_eq!(simulation.advance(most_events), Progress::Finished, "too many events");
    Ok(simulation.finish())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn the_books_balance_at_every_moment(plan in any_plan(), step in 1..150_u64) {
        let mut simulation = Simulation::by_events(&plan).expect("the plan is valid");
        let mut auditor = Auditor::new(&plan);
        let mut events = 0;
        while let Progress::Running { now } = simulation.advance(step) {
            auditor.check(&simulation, now)?;
            events += step;
            if events > MOST_EVENTS {
                return Ok(());
            }
        }
        let end = simulation.finish().end;
        prop_assert!(end.as_ps() <= plan.duration_ps);
    }

    /// The bound is generous: an hour for at most 200 kB at no less than 100 kbit/s. No file may
    /// need more with any losses.
    #[test]
    fn every_file_arrives(plan in drawn(files_that_can_finish)) {
        let output = output_within(&plan, 3_000_000)?;
        check_files(&plan, &output)?;
        for (flow, result) in plan.flows.iter().zip(&output.flows) {
            let (packets, acks) = (result.sender.sent_packets, result.receiver.acks);
            let size = result.sender.acked_bytes;
            prop_assert!(result.sender.sent_payload_bytes >= size);
            // At most one ACK for each data packet, and one window update for each segment of room.
            let segments = size.div_ceil(u64::from(flow.transport.mss)) + 1;
            prop_assert!(acks <= 2 * (packets + segments) + 50, "{acks} for {packets}: {flow:?}");
        }
    }
}

proptest! {
    #![proptest_config(cases(500))]

    /// With any losses and slow hosts, the connections of a transfer deliver all of it, once.
    #[test]
    fn every_transfer_arrives_once_over_all_its_connections(
        plan in drawn(transfers_that_can_finish),
    ) {
        let size = size_of(&plan.flows[0].app);
        let output = output_within(&plan, 5_000_000)?;
        let parts: Vec<_> = output.flows.iter().collect();
        let whole = FlowOutput::aggregate("transfer", &parts);
        prop_assert_eq!(whole.receiver.goodput_bytes, size);
        prop_assert_eq!(whole.sender.acked_bytes, size);
        prop_assert_eq!(whole.finished, parts.iter().map(|part| part.finished).max().flatten());
        prop_assert!(whole.finished.is_some());
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// With any losses, all transfers of a session end, and its connections carry only them.
    #[test]
    fn every_session_ends(plan in drawn(sessions_that_can_finish)) {
        let output = output_within(&plan, 20_000_000)?;
        let rows = &output.transfers;
        prop_assert!(!rows.start.is_empty());
        let has_ended = |row| rows.finish[row] >= rows.start[row];
        prop_assert!((0..rows.start.len()).all(has_ended), "something never ended: {rows:?}");
        let (mut pages, mut moved) = (0, 0);
        for (kind, size) in rows.kind.iter().zip(&rows.size) {
            let is_made_of_others =
                [TransferKind::Page as u8, TransferKind::Round as u8].contains(kind);
            *if is_made_of_others { &mut pages } else { &mut moved } += size;
        }
        prop_assert!(pages == 0 || pages == moved, "a page has the size of its objects");
        let is_response = |flow: &FlowPlan| flow.part_of.as_ref().is_some_and(|p| !p.is_request);
        let flows = plan.flows.iter().zip(&output.flows);
        let parts: Vec<_> = flows.filter(|(flow, _)| is_response(flow)).map(|(_, f)| f).collect();
        prop_assert_eq!(parts.iter().map(|flow| flow.receiver.goodput_bytes).sum::<u64>(), moved);
        prop_assert_eq!(parts.iter().map(|flow| flow.sender.acked_bytes).sum::<u64>(), moved);
    }
}

/// The stop comes between the SYN and the SYN-ACK: the sender has no data, and the flow ends with
/// the SYN-ACK.
#[test]
fn a_flow_stopped_during_its_handshake_ends_with_it() {
    let mut plan = dumbbell(vec![flow("f", "reno", AppPlan::Bulk {})], None, 10);
    plan.flows[0].stop_ps = Some(10 * MS);
    let output = run(&plan);
    let finished = output.flows[0].finished.expect("the flow ends");
    assert!((40..41).contains(&(finished.as_ps() / MS)), "{finished:?}");
    assert_eq!(output.flows[0].receiver.goodput_bytes, 0);
}

/// A reader of 160 kbit/s takes 50 segments in 3.62 s. With room for four, the window opens by two
/// segments at a time (half of the buffer): 25 updates, and an ACK for each pair of segments. An
/// update comes 145 ms after the window has closed, before a window probe is sent after an RTO of
/// 240 ms. A reader half as fast would need 290 ms, and each probe would bring one more ACK.
#[test]
fn a_slow_reader_opens_its_window_in_steps() {
    let mut plan =
        dumbbell(vec![flow("f", "reno", AppPlan::File { size_bytes: 50 * 1448 })], None, 60);
    let transport = &mut plan.flows[0].transport;
    (transport.receive_buffer_bytes, transport.read_rate_bps) = (4 * 1448, Some(160_000));
    let output = run(&plan);
    let finished = output.flows[0].finished.expect("the file arrives").as_secs_f64();
    // The last four segments are acknowledged before they are read.
    assert!((46.0 * 0.0724..50.0 * 0.0724 + 0.1).contains(&finished), "{finished} s");
    let acks = output.flows[0].receiver.acks;
    assert!((45..=55).contains(&acks), "{acks} ACKs");
}

/// Two of three segments are lost, and one of the two is retransmitted. An undo puts both back in
/// flight, beside the retransmission.
#[test]
fn an_undo_leaves_nothing_lost_and_the_order_of_transmission_right() {
    let mut board = Scoreboard::new(1000, WindowCounting::Bytes);
    for (number, ms) in [(0, 1), (1, 2), (2, 3)] {
        let mut segment = Segment::new(number * 1000, 1000, false);
        segment.sent_at = Time::from_ps(ms * MS);
        board.push(segment);
    }
    assert_eq!((board.mark_lost(0), board.mark_lost(1)), (1000, 1000));
    board.get_mut(0).sent_at = Time::from_ps(4 * MS);
    board.retransmit(0);
    assert_eq!((board.lost_bytes(), board.inflight()), (2000, 2000));

    board.unmark_all_lost();
    assert_eq!(
        (board.lost_bytes(), board.retrans_bytes(), board.inflight(), board.next_lost()),
        (0, 1000, 4000, None)
    );
    let order: Vec<u64> =
        std::iter::successors(board.oldest(), |number| board.newer(*number)).collect();
    assert_eq!(order, [1, 2, 0]);
}
