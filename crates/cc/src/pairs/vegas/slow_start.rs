//! Vegas's slow start: doubles every other round trip, and ends when more than gamma packets are
//! queued.

use super::{GAMMA, LINUX, MIN_SAMPLES, backlog_linux};
use crate::cast::{float, share};
use crate::entry::{Entry, Make, Traits, Values};
use crate::measure::{BaseRtt, VegasMeter, backlog};
use crate::slow_start::{Growth, SlowStart};
use crate::window::Window;
use crate::{AckEvent, Duration, RttSample, Rule, Ruled, Setup};

/// Divisor of the window that gives what the window loses at the end (the authors' code and ns-2).
const EXIT_DIVISOR: u64 = 8;

/// Doubling in every other round trip; in between, the RTT is measured at a constant window.
#[derive(Clone, Debug)]
pub struct VegasStart {
    gamma: f64,
    linux: bool,
    base_rtt: BaseRtt,
    /// RTTs as Linux takes them.
    meter: VegasMeter,
    round: Option<Round>,
}

/// The round that is running.
#[derive(Clone, Copy, Debug)]
struct Round {
    count: u64,
    grows: bool,
    /// Window at the start of the round.
    window: Window,
    samples: u32,
    min_rtt: Duration,
}

const SOURCE: &str = "Brakmo & Peterson 1995";
const GROWTH: Rule = Rule::new("Vegas's slow start: cwnd grows by the bytes acknowledged", SOURCE);
const PAUSE: Rule =
    Rule::new("Vegas's slow start: every other round trip the window stays", SOURCE);
const END: Rule = Rule::new("Vegas ends slow start: more than gamma packets are queued", SOURCE);

impl VegasStart {
    /// A slow start that ends above `gamma` packets. `linux`: as Linux has it.
    #[must_use]
    pub fn new(gamma: f64, linux: bool) -> Self {
        Self {
            gamma,
            linux,
            base_rtt: BaseRtt::default(),
            meter: VegasMeter::default(),
            round: None,
        }
    }

    /// Judges the queue after three samples of a growing round, and returns the window, bytes, with
    /// which slow start ends.
    ///
    /// In a growing round the ACKs belong to packets of the round before, when the window was
    /// constant; their RTTs measure that window. In a constant round the RTTs would be those of the
    /// burst of growth.
    fn judge(&mut self, ack: &AckEvent) -> Option<u64> {
        let (Some(round), Some(sample)) = (&mut self.round, ack.rtt_sample) else {
            return None;
        };
        round.samples += 1;
        round.min_rtt = round.min_rtt.min(sample);
        let is_due = round.grows && round.samples == MIN_SAMPLES;
        (is_due
            && backlog(round.window.segments(), round.min_rtt, self.base_rtt.get()) > self.gamma)
            .then(|| round.window.cwnd - round.window.cwnd / EXIT_DIVISOR)
    }

    /// As Linux: judges at the end of each round, and returns the window that would queue nothing,
    /// plus one packet.
    fn judge_linux(&mut self, window: &Window) -> Option<u64> {
        let cwnd = window.whole_segments();
        let round = self.meter.end_round().filter(|_| self.meter.is_open())?;
        let is_long = round.samples >= u64::from(MIN_SAMPLES)
            && float(backlog_linux(cwnd, &round)) > self.gamma;
        is_long.then(|| cwnd.min(share(cwnd, round.base, round.min) + 1) * window.mss)
    }
}

impl SlowStart for VegasStart {
    fn begin(&mut self, _window: &Window) {
        self.round = None;
    }

    fn takes_rtts(&self) -> bool {
        self.linux
    }

    fn on_rtt(&mut self, sample: &RttSample, _mss: u64, _is_below: bool) -> Option<&'static Rule> {
        self.meter.on_rtt(sample);
        None
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.base_rtt.observe(ack);
        self.meter.observe(ack);
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
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
            Some(cwnd) => END.gives(Growth::ExitAt { cwnd: cwnd.max(window.smallest()), left: 0 }),
            None if grows => GROWTH.gives(Growth::double(ack, window)),
            None => PAUSE.gives(Growth::Grow(0)),
        }
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn SlowStart> {
    Box::new(VegasStart::new(values.number("gamma"), values.is_linux(setup)))
}

/// Catalogue entry `vegas-start`.
pub const ENTRY: Entry = Entry {
    name: "vegas-start",
    summary: "Doubles every other round trip and ends when the RTT says that more than gamma \
              packets are queued.",
    parameters: &[GAMMA, LINUX.with_default_false()],
    reference: "Brakmo & Peterson, TCP Vegas: end to end congestion avoidance on a global \
                Internet, IEEE JSAC 13(8), 1995; Linux 6 net/ipv4/tcp_vegas.c",
    implies: &[],
    traits: Traits::DELAY_BASED_START,
    make: Make::slow_start(make),
};
