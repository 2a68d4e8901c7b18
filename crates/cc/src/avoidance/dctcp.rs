//! DCTCP (RFC 8257): congestion cuts the window by half the share of bytes that was marked.

use super::{Avoidance, Reno};
use crate::cast::{float, integer};
use crate::entry::traits::Linearised;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::window::{Tally, Window};
use crate::{AckEvent, CongestionEvent, Rng, RoundSummary, RttSample, Rule, Ruled, Setup, Signal};

const GROWTH: Rule = Rule::new(
    "Reno's growth: one segment more per acknowledged window",
    "RFC 8257 section 3.4; RFC 5681 section 3.1",
);
const MARKS: Rule = Rule::new(
    "marks: the window falls by alpha / 2, half the estimated fraction of marked bytes",
    "RFC 8257 section 3.3",
);
const LOSS: Rule = Rule::cut("halves the window, as for any TCP", "RFC 8257 section 3.5");

/// Reno's growth, and cuts in proportion to the extent of congestion.
#[derive(Clone, Debug)]
pub struct Dctcp {
    g: f64,
    /// Estimate of the fraction of bytes that are marked.
    alpha: f64,
    reno: Reno,
}

impl Dctcp {
    /// A DCTCP whose estimate of the marked fraction begins at `alpha` and takes a new round with
    /// weight `g`.
    #[must_use]
    pub fn new(g: f64, alpha: f64) -> Self {
        Self { g, alpha, reno: Reno::default() }
    }
}

/// M of RFC 8257 section 3.3: the fraction of a round's bytes that were marked.
fn marked_fraction(round: &RoundSummary) -> f64 {
    if round.acked == 0 {
        return 0.0;
    }
    // A mark counts also on an ACK that delivered nothing new, so the sum of marks may exceed what
    // was delivered.
    (float(round.marked) / float(round.acked)).min(1.0)
}

impl Avoidance for Dctcp {
    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        // RFC 8257 section 3.3: "DCTCP.Alpha = DCTCP.Alpha * (1 - g) + g * M". In every
        // phase, whether or not there was a mark.
        if ack.round.start && ack.round.last.acked > 0 {
            self.alpha += self.g * (marked_fraction(&ack.round.last) - self.alpha);
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Ruled<u64> {
        GROWTH.gives(self.reno.next_cwnd(ack, window, rng).answer)
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let halved = self.reno.ssthresh(event, window).answer;
        match event.signal {
            // RFC 8257 section 3.3: "cwnd = cwnd * (1 - DCTCP.Alpha / 2)".
            Signal::Ecn => MARKS.gives(integer(float(window.cwnd) * (1.0 - self.alpha / 2.0))),
            // RFC 8257 section 3.5: DCTCP answers loss as any TCP does.
            Signal::Loss | Signal::Rto => LOSS.gives(halved),
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("alpha", self.alpha);
    }
}

/// DCTCP as Linux computes it (`net/ipv4/tcp_dctcp.c`): alpha in 1024ths, and a round that ends
/// when its last segment is acknowledged.
#[derive(Clone, Debug)]
struct DctcpLinux {
    /// g is 1 / 2^shift.
    shift: u32,
    alpha: u64,
    /// SND.NXT when the round began, and the bytes delivered until then.
    end: u64,
    delivered: u64,
    /// Bytes marked since the round began.
    marked: u64,
    tally: Tally,
}

/// One in alpha's units.
const UNIT: u64 = 1024;
const LARGEST_SHIFT: u32 = 10;

impl DctcpLinux {
    fn new(g: f64, alpha: f64) -> Self {
        let shift = integer(libm::round(-libm::log2(g)).max(0.0));
        Self {
            shift: u32::try_from(shift).unwrap_or(LARGEST_SHIFT).min(LARGEST_SHIFT),
            alpha: integer(alpha * float(UNIT)),
            end: 0,
            delivered: 0,
            marked: 0,
            tally: Tally::default(),
        }
    }
}

impl Avoidance for DctcpLinux {
    fn takes_rtts(&self) -> bool {
        true
    }

    /// `dctcp_update_alpha`, which comes before the answer to the ACK's mark.
    fn on_rtt(&mut self, sample: &RttSample, window: &Window) -> Option<Ruled<u64>> {
        self.marked += sample.newly_marked;
        if sample.una < self.end {
            return None;
        }
        let packets = |bytes: u64| bytes / window.mss;
        let delivered = packets(sample.delivered - self.delivered);
        let forgotten = self.alpha >> self.shift;
        self.alpha -= if forgotten == 0 { self.alpha } else { forgotten };
        let share = (packets(self.marked) << (LARGEST_SHIFT - self.shift)) / delivered.max(1);
        self.alpha = (self.alpha + share).min(UNIT);
        (self.end, self.delivered, self.marked) = (sample.next, sample.delivered, 0);
        None
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        if ack.rtt_sample.is_none() {
            self.marked += ack.newly_marked;
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        GROWTH.gives(self.tally.reno(ack.credited, window))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.tally.reset();
        let cwnd = window.whole_segments();
        match event.signal {
            Signal::Ecn => MARKS.gives((cwnd - cwnd * self.alpha / (2 * UNIT)) * window.mss),
            Signal::Loss | Signal::Rto => LOSS.gives(window.less_share(0.5)),
        }
    }

    fn has_undo_state(&self) -> bool {
        false
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("alpha", float(self.alpha) / float(UNIT));
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let (g, alpha) = (values.number("g"), values.number("alpha"));
    if values.is_linux(setup) {
        Box::new(DctcpLinux::new(g, alpha))
    } else {
        Box::new(Dctcp::new(g, alpha))
    }
}

/// Catalogue entry `dctcp`.
pub const ENTRY: Entry = Entry {
    name: "dctcp",
    summary: "Reno's growth, cut by half the fraction of bytes that was ECN-marked; wants step \
              marking, in data centres.",
    parameters: &[
        Parameter::number("g", 0.0625, 0.0001..=1.0)
            .meaning("weight of a new round trip in alpha, the estimate of the fraction marked"),
        Parameter::number("alpha", 1.0, 0.0..=1.0)
            .meaning("the estimate before the first round trip"),
        Parameter::linux("compute as Linux: g a power of two, alpha in 1024ths, whole packets"),
    ],
    reference: "RFC 8257; Alizadeh et al., Data Center TCP (DCTCP), SIGCOMM 2010; \
                Linux 6 net/ipv4/tcp_dctcp.c",
    implies: &[("ecn", "accurate")],
    traits: Traits {
        linearised: Linearised::Without(
            "a step of marks makes a relay, which cycles whatever the gain: dctcp_sawtooth",
        ),
        ..Traits::RENO
    },
    make: Make::avoidance("classic", make),
};
