//! Vegas's slow start: doubles every other round trip, and ends when more than gamma packets are queued.

use super::{Growth, SlowStart, double};
use crate::avoidance::vegas::{MIN_SAMPLES, backlog_linux};
use crate::avoidance::{MIN_WINDOW_SEGMENTS, in_bytes, segments};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::measure::{BaseRtt, RoundTrip, RoundTrips, backlog};
use crate::window::Window;
use crate::{AckEvent, Duration};

/// What the window is divided by to know what it loses at the end (the authors' code and ns-2).
const EXIT_DIVISOR: u64 = 8;

/// Doubling with a look at the queue in between.
#[derive(Clone, Debug)]
pub struct VegasStart {
    gamma: f64,
    linux: bool,
    base_rtt: BaseRtt,
    rounds: RoundTrips,
    /// The round trip that the present ACK ended.
    ended: Option<RoundTrip>,
    round: Option<Round>,
}

/// The round that is running.
#[derive(Clone, Copy, Debug)]
struct Round {
    count: u64,
    grows: bool,
    /// The window at its start.
    window: Window,
    samples: u32,
    min_rtt: Duration,
}

impl VegasStart {
    /// Ends above `gamma` packets; `linux`: as Linux has it.
    #[must_use]
    pub fn new(gamma: f64, linux: bool) -> Self {
        Self {
            gamma,
            linux,
            base_rtt: BaseRtt::default(),
            rounds: RoundTrips::default(),
            ended: None,
            round: None,
        }
    }

    /// While the window grows, the ACKs are those of what was sent while it stood still: their RTTs are that window's,
    /// which is what it stood still for. Standing still itself, it gets the RTTs of its own burst.
    fn judge(&mut self, ack: &AckEvent) -> Option<u64> {
        let (Some(round), Some(sample)) = (&mut self.round, ack.rtt_sample) else {
            return None;
        };
        round.samples += 1;
        round.min_rtt = round.min_rtt.min(sample);
        let is_due = round.grows && round.samples == MIN_SAMPLES;
        (is_due && backlog(segments(&round.window), round.min_rtt, self.base_rtt.get()) > self.gamma)
            .then(|| round.window.cwnd - round.window.cwnd / EXIT_DIVISOR)
    }

    /// Linux: at the end of each round the window that would queue nothing, and one packet.
    fn judge_linux(&self, window: &Window) -> Option<u64> {
        let round = self.ended.filter(|round| round.samples >= MIN_SAMPLES)?;
        let base = self.base_rtt.get();
        let queued = backlog(segments(window), round.min, base);
        (backlog_linux(window, round.min, base) > self.gamma).then(|| {
            let fits = in_bytes(libm::floor(segments(window) - queued) + 1.0, window);
            window.cwnd.min(fits)
        })
    }
}

impl SlowStart for VegasStart {
    fn begin(&mut self, _window: &Window) {
        self.round = None;
        self.rounds.restart();
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.base_rtt.observe(ack);
        self.ended = self.rounds.on_ack(ack);
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Growth {
        let grows = match self.round {
            Some(round) if round.count == ack.round.count => round.grows,
            before => {
                let grows = self.linux || before.is_some_and(|round| !round.grows);
                self.round = Some(Round {
                    count: ack.round.count,
                    grows,
                    window: *window,
                    samples: 0,
                    min_rtt: Duration::MAX,
                });
                grows
            }
        };
        let end = if self.linux { self.judge_linux(window) } else { self.judge(ack) };
        match end {
            Some(cwnd) => Growth::ExitAt {
                cwnd: cwnd.max(MIN_WINDOW_SEGMENTS * window.mss),
                left: 0,
            },
            None if grows => double(ack, window),
            None => Growth::Grow(0),
        }
    }

    fn clone_box(&self) -> Box<dyn SlowStart> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn SlowStart> {
    Box::new(VegasStart::new(values.number("gamma"), values.flag("linux")))
}

/// What ends it; the avoidances that bring it pass it on.
pub const GAMMA: Parameter = Parameter {
    name: "gamma",
    default: Value::Number(1.0),
    range: (0.0, 1e6),
    unit: "packets",
    meaning: "slow start ends with more queued",
};

/// `vegas-start`.
pub const ENTRY: Entry = Entry {
    name: "vegas-start",
    summary: "Doubles every other round trip and ends when the RTT says that more than gamma packets are queued.",
    parameters: &[
        GAMMA,
        Parameter {
            name: "linux",
            default: Value::Flag(false),
            range: (0.0, 0.0),
            unit: "",
            meaning: "as Linux: double every round trip, end with the window that queues nothing",
        },
    ],
    reference: "Brakmo & Peterson, TCP Vegas: end to end congestion avoidance on a global Internet, IEEE JSAC 13(8), 1995; Linux 6 net/ipv4/tcp_vegas.c",
    implies: &[],
    make: Make::SlowStart(make),
};
