//! The simulator's sender and receiver over a path whose properties a test may change at any
//! moment.

use std::collections::BTreeMap;

use ackclock_cc::registry;
use ackclock_sim::app::AppPlan;
use ackclock_sim::app::Apps;
use ackclock_sim::packet::Packet;
use ackclock_sim::transport::endpoint::Endpoint;
use ackclock_sim::transport::plan::TransportPlan;
use ackclock_sim::transport::receiver::Receiver;
use ackclock_sim::transport::sender::Sender;
use ackclock_sim::wire::Wire;
use ackclock_units::{Duration, Rate, Time};

use crate::plain_plans::{flow, linux};

pub const MSS: u64 = 1448;
/// Payload bit/s of a link's bit/s: 1448 of 1500 bytes.
pub const PAYLOAD: f64 = 1448.0 / 1500.0;

/// Names of bbr3's states, by the number that it records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Startup,
    Drain,
    Down,
    Cruise,
    Refill,
    Up,
    ProbeRtt,
}

const STATES: [State; 7] = [
    State::Startup,
    State::Drain,
    State::Down,
    State::Cruise,
    State::Refill,
    State::Up,
    State::ProbeRtt,
];

/// A token bucket without a queue: a packet that finds too few tokens is dropped.
#[derive(Clone, Copy, Debug)]
pub struct Policer {
    pub rate: Rate,
    /// Size of the bucket, bytes.
    pub burst: u64,
    tokens: u64,
    filled_at: Time,
}

impl Policer {
    pub fn new(rate: Rate, burst: u64, now: Time) -> Self {
        Self { rate, burst, tokens: burst, filled_at: now }
    }

    fn passes(&mut self, bytes: u64, now: Time) -> bool {
        self.tokens = self.burst.min(self.tokens + self.rate.bytes_in(now.since(self.filled_at)));
        self.filled_at = now;
        let passes = self.tokens >= bytes;
        if passes {
            self.tokens -= bytes;
        }
        passes
    }
}

/// Properties of a path that the test may change at any time.
#[derive(Clone, Debug)]
pub struct Path {
    pub rate: Rate,
    /// Propagation delay of each way.
    pub delay: Duration,
    /// Limit of the bottleneck's queue, bytes.
    pub buffer: u64,
    /// Period of lost packets: of this many data packets one is lost.
    pub lose_every: Option<u64>,
    pub policer: Option<Policer>,
    /// ACKs leave the receiver's side together, at multiples of this time.
    pub ack_slot: Option<Duration>,
    /// Number of next data packets that arrive late, behind others, and their extra delay.
    pub hold: (u64, Duration),
    /// Time before which the bottleneck transmits nothing.
    pub stands_until: Time,
}

enum Arrival {
    Data(Packet),
    Ack(Packet),
}

struct Network {
    path: Path,
    free_at: Time,
    arrivals: BTreeMap<(Time, u64), Arrival>,
    order: u64,
    sent: u64,
    lost: u64,
}

impl Network {
    fn push(&mut self, at: Time, arrival: Arrival) {
        self.order += 1;
        self.arrivals.insert((at, self.order), arrival);
    }
}

struct Forward<'a>(&'a mut Network);

impl Wire for Forward<'_> {
    fn send(&mut self, packet: &Packet, now: Time) {
        let network = &mut *self.0;
        let size = u64::from(packet.wire_size);
        let transmits_from = now.max(network.path.stands_until);
        let waiting = network.path.rate.bytes_in(network.free_at.since(transmits_from));
        let mut is_lost = waiting > network.path.buffer;
        if packet.payload > 0 {
            network.sent += 1;
            is_lost |=
                network.path.lose_every.is_some_and(|every| network.sent.is_multiple_of(every));
            is_lost |=
                network.path.policer.as_mut().is_some_and(|policer| !policer.passes(size, now));
        }
        if is_lost {
            network.lost += 1;
            return;
        }
        network.free_at = network.free_at.max(transmits_from) + network.path.rate.time_for(size);
        let mut at = network.free_at + network.path.delay;
        if packet.payload > 0 && network.path.hold.0 > 0 {
            network.path.hold.0 -= 1;
            at += network.path.hold.1;
        }
        network.push(at, Arrival::Data(*packet));
    }
}

struct Backward<'a>(&'a mut Network);

impl Wire for Backward<'_> {
    fn send(&mut self, packet: &Packet, now: Time) {
        let leaves = match self.0.path.ack_slot {
            Some(slot) => Time::from_ps(now.as_ps().div_ceil(slot.as_ps()) * slot.as_ps()),
            None => now,
        };
        self.0.push(leaves + self.0.path.delay, Arrival::Ack(*packet));
    }
}

/// A connection over such a path.
pub struct Lab {
    sender: Sender,
    receiver: Receiver,
    network: Network,
    pub now: Time,
    /// When each state was entered, of a controller that shows its state.
    pub states: Vec<(Time, State)>,
}

/// Linux's defaults without its handling of ACKs and bursts, which the draft's cases leave out.
fn transport() -> TransportPlan {
    TransportPlan {
        delayed_ack_adapts: false,
        ack_pushed: false,
        sack_delay_ps: 0,
        tso_defer: false,
        initial_receive_window_bytes: u64::MAX,
        ..linux()
    }
}

impl Lab {
    /// `rate` in Mbit/s, `rtt` in ms, `buffer` in BDP.
    pub fn new(cc: &str, rate: f64, rtt: u64, buffer: f64, app: AppPlan) -> Self {
        let rate = Rate::from_bps(1_000_000).scale(rate);
        let rtt = Duration::from_millis(rtt);
        let mut plan = flow("flow", cc, app);
        plan.transport = transport();
        let controller =
            registry::build(cc, &plan.transport.setup()).expect("a test's spec is good");
        Self {
            sender: Sender::new(
                0,
                &plan,
                controller,
                Apps::default().build(&plan.app, None, Time::ZERO),
                1,
            ),
            receiver: Receiver::new(0, &plan),
            network: Network {
                path: Path {
                    rate,
                    delay: rtt / 2,
                    buffer: scale(rate.bytes_in(rtt), buffer),
                    lose_every: None,
                    policer: None,
                    ack_slot: None,
                    hold: (0, Duration::ZERO),
                    stands_until: Time::ZERO,
                },
                free_at: Time::ZERO,
                arrivals: BTreeMap::new(),
                order: 0,
                sent: 0,
                lost: 0,
            },
            now: Time::ZERO,
            states: Vec::new(),
        }
    }

    pub fn path(&mut self) -> &mut Path {
        &mut self.network.path
    }

    /// A number that the controller records.
    pub fn get(&self, name: &str) -> Option<f64> {
        let mut latest = None;
        self.sender.cc().internals(&mut |n, value| {
            if n == name {
                latest = Some(value);
            }
        });
        latest
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small whole number"
    )]
    pub fn state(&self) -> Option<State> {
        self.get("state").map(|state| STATES[state as usize])
    }

    pub fn sender(&self) -> &Sender {
        &self.sender
    }

    /// Payload in order at the receiver, bytes.
    pub fn delivered(&self) -> u64 {
        self.receiver.delivered()
    }

    /// Data packets sent, and packets lost.
    pub fn counts(&self) -> (u64, u64) {
        (self.network.sent, self.network.lost)
    }

    /// Advances to the next event: an arrival, or a timer if none is before it.
    fn step(&mut self) {
        let arrival = self.network.arrivals.first_key_value().map_or(Time::MAX, |(&(at, _), _)| at);
        let timer = self.sender.deadline().min(self.receiver.deadline());
        self.now = self.now.max(arrival.min(timer));
        if arrival <= timer {
            let (_, arrival) = self.network.arrivals.pop_first().expect("something happens next");
            match arrival {
                Arrival::Data(packet) => {
                    self.receiver.on_packet(&packet, self.now, &mut Backward(&mut self.network));
                }
                Arrival::Ack(packet) => {
                    self.sender.on_packet(&packet, self.now, &mut Forward(&mut self.network));
                }
            }
        } else if self.sender.deadline() <= self.receiver.deadline() {
            self.sender.on_timer(self.now, &mut Forward(&mut self.network));
        } else {
            self.receiver.on_timer(self.now, &mut Backward(&mut self.network));
        }
        if let Some(state) = self.state()
            && self.states.last().is_none_or(|&(_, last)| last != state)
        {
            self.states.push((self.now, state));
        }
    }

    /// Runs until something holds; fails after `seconds`.
    #[track_caller]
    pub fn until(&mut self, what: &str, seconds: u64, holds: impl Fn(&Self) -> bool) {
        let end = self.now + Duration::from_secs(seconds);
        while !holds(self) {
            self.step();
            assert!(self.now <= end, "not within {seconds} s: {what}; states {:?}", self.states);
        }
    }

    /// Runs until the state is entered again.
    #[track_caller]
    pub fn until_enters(&mut self, state: State, seconds: u64) {
        let before = self.states.len();
        self.until(&format!("{state:?}"), seconds, |lab| {
            lab.states[before.min(lab.states.len())..].iter().any(|&(_, s)| s == state)
        });
    }

    /// Runs for a time and shows `look` the state after each event.
    pub fn run(&mut self, time: Duration, mut look: impl FnMut(&Self)) {
        let end = self.now + time;
        while self.now < end {
            self.step();
            look(self);
        }
    }

    /// A connection of `make` at the point to which `reach` drives it. Its application has sent all
    /// of its data by then, and continues with the writes `later`, timed from that point.
    pub fn limited_at(
        make: impl Fn(AppPlan) -> Self,
        reach: impl Fn(&mut Self),
        later: impl IntoIterator<Item = (Duration, u64)>,
    ) -> Self {
        let mut bulk = make(AppPlan::Bulk {});
        reach(&mut bulk);
        let mut writes = vec![(0, bulk.sender.board().next())];
        writes.extend(later.into_iter().map(|(after, bytes)| ((bulk.now + after).as_ps(), bytes)));
        let mut lab = make(AppPlan::Writes { writes });
        reach(&mut lab);
        assert_eq!(lab.now, bulk.now, "the same connection until then");
        lab
    }

    /// Runs for a time and returns its goodput, bit/s.
    pub fn goodput(&mut self, time: Duration) -> f64 {
        let (from, since) = (self.delivered(), self.now);
        self.run(time, |_| ());
        as_float(self.delivered() - from) * 8.0 / self.now.since(since).as_secs_f64()
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test's volumes"
)]
pub fn scale(bytes: u64, by: f64) -> u64 {
    (bytes as f64 * by) as u64
}

#[expect(clippy::cast_precision_loss, reason = "counts of a test are far below 2^53")]
pub fn as_float(count: u64) -> f64 {
    count as f64
}

#[track_caller]
pub fn assert_within(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value / expected - 1.0).abs() <= tolerance,
        "{value} is not within {} % of {expected}",
        tolerance * 100.0
    );
}
