//! Makes random scripts. A random path, receiver and application surround the simulator's sender in
//! virtual time; the events that reach the sender are the script.

use std::collections::{BTreeMap, VecDeque};

use ackclock_sim::rng::{self, Rng};
use ackclock_sim::transport::plan::TransportPlan;
use ackclock_units::{Duration, Time};

use super::bench::{Bench, Sent};
use super::peer::{Data, Peer};
use super::script::{Ack, Action, Echo, Event, Script, WINDOW_UNIT};

const START: Time = Time::ZERO.saturating_add(Duration::from_secs(1));
/// Longest script, without its tail.
const LONGEST: Duration = Duration::from_secs(3);
/// Payloads of a full segment from which scripts choose: Ethernet's, others, and the smallest that
/// IPv4 always carries.
const SEGMENTS: [u32; 5] = [1448, 1448, 1000, 1200, 524];
const MOST_EVENTS: f64 = 80.0;
const FEWEST_EVENTS: f64 = 20.0;
const LARGE_WINDOW: u32 = 4_000_000 / WINDOW_UNIT * WINDOW_UNIT;

/// Random decisions, by the name of their purpose.
struct Dice(Rng);

impl Dice {
    fn unit(&mut self) -> f64 {
        rng::unit(&mut self.0)
    }
    fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
    /// Draws a number, each magnitude of the range alike.
    fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        low * libm::exp(libm::log(high / low) * self.unit())
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "small and not negative"
    )]
    fn below(&mut self, count: u64) -> u64 {
        (self.unit() * count as f64) as u64
    }
    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.below(choices.len() as u64)).unwrap_or(0)]
    }
    fn time(&mut self, low_ms: f64, high_ms: f64) -> Duration {
        Duration::from_secs_f64(self.between(low_ms, high_ms) * 1e-3)
    }
}

/// The path and the receiver of one script.
struct Path {
    rtt: Duration,
    jitter_ms: f64,
    /// Rate, bit/s; `None`: no limit.
    rate: Option<f64>,
    queue: Duration,
    loss: f64,
    burst_loss: f64,
    burst_end: f64,
    again_loss: f64,
    ack_loss: f64,
    reordering: f64,
    copies: f64,
    marking: f64,
    /// Number of segments per ACK.
    stretch: u32,
    delayed_ack: Duration,
    /// Period of aggregated ACKs, which arrive together at its multiples.
    aggregation: Option<Duration>,
}

impl Path {
    fn draw(dice: &mut Dice, ecn: bool) -> Self {
        let lossy = dice.unit();
        Self {
            rtt: Duration::from_secs_f64(dice.magnitude(4e-3, 0.2)),
            jitter_ms: if dice.happens(0.5) { 0.0 } else { dice.magnitude(0.05, 10.0) },
            rate: dice.happens(0.6).then(|| dice.magnitude(1e6, 5e7)),
            queue: Duration::from_secs_f64(dice.magnitude(5e-3, 0.5)),
            loss: if lossy < 0.35 { 0.0 } else { dice.magnitude(0.003, 0.15) },
            burst_loss: if dice.happens(0.25) { dice.magnitude(0.005, 0.05) } else { 0.0 },
            burst_end: dice.between(0.1, 0.6),
            again_loss: if dice.happens(0.3) { dice.between(0.1, 0.6) } else { 0.0 },
            ack_loss: if dice.happens(0.3) { dice.between(0.02, 0.4) } else { 0.0 },
            reordering: if dice.happens(0.3) { dice.magnitude(0.01, 0.2) } else { 0.0 },
            copies: if dice.happens(0.2) { dice.magnitude(0.01, 0.15) } else { 0.0 },
            marking: if ecn { dice.magnitude(0.01, 0.2) } else { 0.0 },
            stretch: dice.one_of(&[1, 1, 2, 2, 2, 2, 3, 4, 8, 16]),
            delayed_ack: dice.time(1.0, 60.0),
            aggregation: dice.happens(0.15).then(|| dice.time(1.0, 30.0)),
        }
    }
}

enum Item {
    Arrives(Data),
    DelayedAck,
    AckArrives(Ack),
    Write(u32),
    Close,
    Window(u32),
    Step(f64),
    Blackout { until: Time, acks: bool },
    TailLoss,
    Wild,
}

struct Maker {
    dice: Dice,
    path: Path,
    bench: Bench,
    peer: Peer,
    script: Script,
    agenda: BTreeMap<(Time, u64), Item>,
    items: u64,
    window: u32,
    link_free: Time,
    last_arrival: Time,
    last_ack_arrival: Time,
    in_burst: bool,
    data_out_until: Time,
    acks_out_until: Time,
    tail_loss: u64,
    delayed: bool,
    most_events: usize,
    recent: VecDeque<Ack>,
}

/// Makes script `number` of a campaign with this seed.
///
/// # Errors
///
/// If there is no such congestion control.
pub fn generate(
    seed: u64,
    number: u64,
    cc: &str,
    transport: &TransportPlan,
) -> Result<Script, String> {
    let mut dice = Dice(rng::stream(seed, &format!("oracle/{cc}/{number}")));
    let ecn = dice.happens(0.2);
    let mss = dice.one_of(&SEGMENTS);
    let path = Path::draw(&mut dice, ecn);
    let script = Script {
        number,
        cc: cc.into(),
        mss,
        ecn,
        handshake_us: path.rtt.as_ps() / 1_000_000,
        window: 65_535,
        events: Vec::new(),
        end_us: 0,
    };
    let mut bench = Bench::new(&script, transport, START)?;
    let open = START + Duration::from_micros(script.handshake_us);
    bench.establish(script.window, open);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "20 to 80")]
    let most_events = dice.between(FEWEST_EVENTS, MOST_EVENTS) as usize;
    let mut maker = Maker {
        dice,
        path,
        bench,
        peer: Peer::default(),
        script,
        agenda: BTreeMap::new(),
        items: 0,
        window: LARGE_WINDOW,
        link_free: open,
        last_arrival: open,
        last_ack_arrival: open,
        in_burst: false,
        data_out_until: Time::ZERO,
        acks_out_until: Time::ZERO,
        tail_loss: 0,
        delayed: false,
        most_events,
        recent: VecDeque::new(),
    };
    maker.plan_application(open);
    maker.plan_mischief(open);
    maker.run(open);
    Ok(maker.script)
}

impl Maker {
    fn put(&mut self, at: Time, item: Item) {
        self.items += 1;
        self.agenda.insert((at, self.items), item);
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes of writes")]
    fn plan_application(&mut self, open: Time) {
        let mss = f64::from(self.script.mss);
        let mut at = open + self.dice.time(0.1, 5.0);
        let kind = self.dice.unit();
        if kind < 0.35 {
            let segments = self.dice.magnitude(10.0, 300.0);
            let bytes = (segments * mss).min(500_000.0);
            self.put(at, Item::Write(bytes as u32));
            if self.dice.happens(0.3) {
                at += self.dice.time(50.0, 1500.0);
                self.put(at, Item::Write(bytes as u32));
            }
        } else if kind < 0.8 {
            let count = 2 + self.dice.below(12);
            let most = self.dice.magnitude(2.0, 60.0);
            let gap = self.dice.magnitude(5.0, 900.0);
            for _ in 0..count {
                let segments = self.dice.magnitude(0.3, most);
                let bytes = if self.dice.happens(0.5) {
                    libm::ceil(segments) * mss
                } else {
                    segments * mss
                };
                self.put(at, Item::Write((bytes as u32).max(1)));
                at += Duration::from_secs_f64(-libm::log(1.0 - self.dice.unit()) * gap * 1e-3);
            }
        } else {
            let count = 10 + self.dice.below(40);
            let gap = self.dice.magnitude(0.3, 60.0);
            for _ in 0..count {
                let bytes = self.dice.magnitude(1.0, 2.0 * mss);
                self.put(at, Item::Write((bytes as u32).max(1)));
                at += Duration::from_secs_f64(-libm::log(1.0 - self.dice.unit()) * gap * 1e-3);
            }
        }
        if self.dice.happens(0.2) {
            let after = self.dice.time(0.0, 300.0);
            self.put(at + after, Item::Close);
        }
    }

    fn plan_mischief(&mut self, open: Time) {
        if self.dice.happens(0.2) {
            let at = open + self.dice.time(20.0, 1000.0);
            let factor = self.dice.magnitude(0.3, 6.0);
            self.put(at, Item::Step(factor));
        }
        for acks in [false, true] {
            if self.dice.happens(0.12) {
                let at = open + self.dice.time(5.0, 800.0);
                let until = at + Duration::from_secs_f64(self.dice.magnitude(0.02, 1.0));
                self.put(at, Item::Blackout { until, acks });
            }
        }
        if self.dice.happens(0.2) {
            for _ in 0..=self.dice.below(3) {
                let at = open + self.dice.time(1.0, 600.0);
                self.put(at, Item::TailLoss);
            }
        }
        if self.dice.happens(0.15) {
            let mut at = open + self.dice.time(5.0, 300.0);
            for _ in 0..=self.dice.below(5) {
                let segments = self.dice.one_of(&[0, 0, 1, 2, 4, 10, 30]);
                let bytes = segments * self.script.mss / WINDOW_UNIT * WINDOW_UNIT;
                self.put(at, Item::Window(bytes));
                at += Duration::from_secs_f64(self.dice.magnitude(0.005, 0.6));
            }
            self.put(at, Item::Window(LARGE_WINDOW));
        }
        if self.dice.happens(0.12) {
            for _ in 0..=self.dice.below(5) {
                let at = open + self.dice.time(5.0, 800.0);
                self.put(at, Item::Wild);
            }
        }
    }

    fn run(&mut self, open: Time) {
        let mut last = open;
        let end = open + LONGEST;
        while self.script.events.len() < self.most_events {
            let next = self.agenda.first_key_value().map_or(Time::MAX, |(key, _)| key.0);
            let due = self.bench.deadline();
            if next.min(due) > end {
                break;
            }
            if due < next {
                self.bench.fire(due);
                self.forward();
                continue;
            }
            let Some(((at, _), item)) = self.agenda.pop_first() else { break };
            if let Some(action) = self.happen(item, at) {
                // Scripts are in whole us.
                let at_us = at.since(open).as_ps() / 1_000_000;
                let now = (open + Duration::from_micros(at_us)).max(self.bench.now());
                self.bench.play(&action, now);
                self.script.events.push(Event { at_us, action });
                last = at;
                self.forward();
            }
        }
        let tail = self.dice.time(20.0, 500.0);
        self.script.end_us = last.since(open).as_ps() / 1_000_000 + tail.as_ps() / 1_000_000;
    }

    /// The event that reaches the sender, if there is one.
    fn happen(&mut self, item: Item, at: Time) -> Option<Action> {
        match item {
            Item::Write(bytes) => return Some(Action::Write(bytes)),
            Item::Close => {
                // A write after the close would be an error.
                self.agenda.retain(|_, item| !matches!(item, Item::Write(_)));
                return Some(Action::Close);
            }
            Item::AckArrives(ack) => {
                self.recent.push_back(ack.clone());
                if self.recent.len() > 8 {
                    self.recent.pop_front();
                }
                return Some(Action::Ack(ack));
            }
            Item::Wild => return self.wild().map(Action::Ack),
            Item::Arrives(data) => self.arrive(&data, at),
            Item::DelayedAck => {
                if self.delayed && self.peer.pending > 0 {
                    self.answer(at);
                }
                self.delayed = false;
            }
            Item::Window(bytes) => {
                self.window = bytes;
                if self.dice.happens(0.8) {
                    self.answer(at);
                }
            }
            Item::Step(factor) => {
                let seconds = (self.path.rtt.as_secs_f64() * factor).clamp(2e-3, 0.8);
                self.path.rtt = Duration::from_secs_f64(seconds);
            }
            Item::Blackout { until, acks: false } => self.data_out_until = until,
            Item::Blackout { until, acks: true } => self.acks_out_until = until,
            Item::TailLoss => self.tail_loss = 1 + self.dice.below(6),
        }
        None
    }

    /// Puts the sender's new segments on the path.
    fn forward(&mut self) {
        while let Some(sent) = self.bench.next_sent() {
            let span = u64::from(sent.payload) + u64::from(sent.fin);
            if span == 0 {
                // The receiver answers a window probe with its window.
                if self.bench.edges().1 > 0 && !self.dice.happens(self.path.loss) {
                    let at = sent.at + self.path.rtt / 2;
                    self.put(at, Item::Window(self.window));
                }
                continue;
            }
            let nth = self.bench.transmissions().count(sent.seq).saturating_sub(1);
            if self.is_lost(&sent, nth) {
                continue;
            }
            let mut at = sent.at;
            if let Some(rate) = self.path.rate {
                let free = self.link_free.max(at);
                if free.since(at) > self.path.queue {
                    continue;
                }
                self.link_free =
                    free + Duration::from_secs_f64(f64::from(sent.payload + 52) * 8.0 / rate);
                at = self.link_free;
            }
            at += self.path.rtt / 2;
            if self.dice.happens(self.path.reordering) {
                at += Duration::from_secs_f64(
                    self.path.rtt.as_secs_f64() * self.dice.between(0.02, 1.2),
                );
            } else {
                at += self.dice.time(0.0, self.path.jitter_ms);
                at = at.max(self.last_arrival);
                self.last_arrival = at;
            }
            let data = Data {
                start: sent.seq,
                end: sent.seq + span,
                nth,
                marked: nth == 0 && self.dice.happens(self.path.marking),
                cwr: sent.cwr,
            };
            self.put(at, Item::Arrives(data));
            if self.dice.happens(self.path.copies) {
                let later = at
                    + Duration::from_secs_f64(
                        self.path.rtt.as_secs_f64() * self.dice.between(0.0, 0.8),
                    );
                self.put(later, Item::Arrives(data));
            }
        }
    }

    fn is_lost(&mut self, sent: &Sent, nth: u32) -> bool {
        if sent.at < self.data_out_until {
            return true;
        }
        let (_, next) = self.bench.edges();
        if self.tail_loss > 0
            && nth == 0
            && sent.seq + self.tail_loss * u64::from(self.script.mss) >= next
        {
            self.tail_loss -= 1;
            return true;
        }
        self.in_burst = if self.in_burst {
            !self.dice.happens(self.path.burst_end)
        } else {
            self.dice.happens(self.path.burst_loss)
        };
        let probability =
            if nth > 0 { self.path.again_loss.max(self.path.loss) } else { self.path.loss };
        self.in_burst || self.dice.happens(probability)
    }

    fn arrive(&mut self, data: &Data, at: Time) {
        let at_once = self.peer.take(data);
        if at_once || self.peer.has_holes() || self.peer.pending >= self.path.stretch {
            self.answer(at);
        } else if !self.delayed {
            self.delayed = true;
            self.put(at + self.path.delayed_ack, Item::DelayedAck);
        }
    }

    /// Lets an ACK leave the receiver.
    fn answer(&mut self, at: Time) {
        self.delayed = false;
        let ack = self.peer.ack(self.window);
        if at < self.acks_out_until || self.dice.happens(self.path.ack_loss) {
            return;
        }
        let mut at = at + self.path.rtt / 2 + self.dice.time(0.0, self.path.jitter_ms);
        if let Some(step) = self.path.aggregation {
            let steps = at.since(Time::ZERO).as_ps() / step.as_ps() + 1;
            at = Time::ZERO + step.saturating_mul(steps);
        }
        // Most ACKs stay in order.
        if !self.dice.happens(self.path.reordering / 4.0) {
            at = at.max(self.last_ack_arrival);
            self.last_ack_arrival = at;
        }
        self.put(at, Item::AckArrives(ack));
    }

    /// An ACK that no receiver would send: with any blocks of the outstanding data, or a copy of an
    /// earlier one.
    fn wild(&mut self) -> Option<Ack> {
        let (una, next) = self.bench.edges();
        if next == 0 {
            return None;
        }
        if self.dice.happens(0.3) {
            return self.recent.get(usize::try_from(self.dice.below(8)).unwrap_or(0)).cloned();
        }
        let mss = u64::from(self.script.mss);
        let segments = (next - una) / mss;
        let mut sacks = Vec::new();
        for _ in 0..self.dice.below(4) {
            if segments > 1 {
                let first = 1 + self.dice.below(segments - 1);
                let count = 1 + self.dice.below((segments - first).min(5));
                let start = una + first * mss;
                sacks.push((start, (start + count * mss).min(next)));
            }
        }
        if self.dice.happens(0.4) {
            let back = (1 + self.dice.below(10)) * mss;
            let start = una.saturating_sub(back);
            sacks.insert(0, (start, (start + mss).min(next)));
        }
        sacks.truncate(3);
        // Blocks come in random order and may overlap. Each is a part of the outstanding data.
        sacks.retain(|(start, end)| start < end);
        let ack =
            if self.dice.happens(0.3) { una + self.dice.below(segments + 1) * mss } else { una };
        let ack = ack.min(next);
        sacks.retain(|(start, end)| *start > ack || *end <= ack);
        Some(Ack {
            ack,
            sacks,
            window: self.window,
            ece: self.script.ecn && self.dice.happens(0.2),
            echo: Echo { seq: ack.saturating_sub(1), nth: 0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linux() -> TransportPlan {
        serde_json::from_str(include_str!("../../../sim/tests/support/linux.json"))
            .expect("the fixture is a transport plan")
    }

    #[test]
    fn a_seed_and_a_number_give_one_script() {
        let transport = linux();
        for cc in ["reno", "cubic", "bbr"] {
            for number in 0..20 {
                let make = |seed| generate(seed, number, cc, &transport).expect("a script");
                let script = make(1);
                assert_eq!(script, make(1));
                assert_ne!(script.events, make(2).events);
                assert!(script.events.windows(2).all(|pair| pair[0].at_us <= pair[1].at_us));
                assert!(script.events.len() <= 80 && script.end_us < 4_000_000);
            }
        }
    }

    #[test]
    fn scripts_have_everything_that_a_peer_does() {
        let transport = linux();
        let scripts: Vec<_> = (0..300)
            .map(|number| generate(7, number, "reno", &transport).expect("a script"))
            .collect();
        let acks = || {
            scripts.iter().flat_map(|script| &script.events).filter_map(|event| {
                match &event.action {
                    Action::Ack(ack) => Some(ack),
                    _ => None,
                }
            })
        };
        assert!(acks().any(|ack| ack.sacks.len() == 3));
        assert!(
            acks().any(|ack| ack.sacks.first().is_some_and(|first| first.1 <= ack.ack)),
            "D-SACK"
        );
        assert!(acks().any(|ack| ack.ece));
        assert!(acks().any(|ack| ack.window == 0));
        assert!(acks().any(|ack| ack.echo.nth > 0), "of a retransmission");
        assert!(
            scripts
                .iter()
                .any(|script| script.events.iter().any(|event| event.action == Action::Close))
        );
        let pauses = scripts
            .iter()
            .flat_map(|script| script.events.windows(2))
            .filter(|pair| pair[1].at_us - pair[0].at_us > 500_000);
        assert!(pauses.count() > 20);
    }
}
