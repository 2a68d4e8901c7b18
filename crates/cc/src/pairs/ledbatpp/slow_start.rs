//! LEDBAT++'s slow start: grows by a part of the acknowledged bytes, and ends before the queue
//! reaches the target.

use super::{BASE_HISTORY, CURRENT_FILTER, MAX_DIVISOR, TARGET, gain};
use crate::cast::{float, integer};
use crate::entry::{Entry, Make, Traits, Values};
use crate::measure::QueueingDelay;
use crate::slow_start::{Growth, SlowStart};
use crate::window::Window;
use crate::{AckEvent, Duration, Rule, Ruled, Setup};

/// Share of the target at which slow start ends.
const EXIT_SHARE: f64 = 0.75;

/// Slow start of draft-irtf-iccrg-ledbat-plus-plus section 4.1.
#[derive(Clone, Debug)]
pub struct LedbatPpStart {
    /// Queueing delay to keep, seconds.
    target: f64,
    max_divisor: f64,
    delay: QueueingDelay,
    fraction: f64,
    /// Number of times that slow start has begun. The delay ends only the first.
    begun: u32,
}

const SOURCE: &str = "draft-irtf-iccrg-ledbat-plus-plus-01 section 4.1";
const GROWTH: Rule =
    Rule::new("slow start: cwnd grows by GAIN times the bytes acknowledged", SOURCE);
const END: Rule =
    Rule::new("slow start ends: the queueing delay is three quarters of the target", SOURCE);

impl LedbatPpStart {
    /// A slow start that ends at three quarters of `target` seconds of queue.
    #[must_use]
    pub fn new(target: f64, max_divisor: f64) -> Self {
        Self {
            target,
            max_divisor,
            delay: QueueingDelay::new(BASE_HISTORY, CURRENT_FILTER),
            fraction: 0.0,
            begun: 0,
        }
    }
}

impl SlowStart for LedbatPpStart {
    fn begin(&mut self, _window: &Window) {
        self.begun = self.begun.saturating_add(1);
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        if let Some(rtt) = ack.rtt_sample {
            self.delay.add(rtt, ack.now, Duration::MAX);
        }
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        let (Some(base), Some(queueing_delay)) = (self.delay.base(), self.delay.seconds()) else {
            return GROWTH.gives(Growth::Grow(0));
        };
        if self.begun == 1 && queueing_delay > EXIT_SHARE * self.target {
            return END.gives(Growth::ExitAt { cwnd: window.cwnd, left: ack.credited });
        }
        let bytes = self.fraction
            + gain(self.target, base.as_secs_f64(), self.max_divisor) * float(ack.credited);
        self.fraction = bytes - libm::floor(bytes);
        let bytes = integer(bytes);
        GROWTH.gives(Growth::by(bytes, ack, window))
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn SlowStart> {
    Box::new(LedbatPpStart::new(values.number("target") * 1e-3, values.number("max_divisor")))
}

/// Catalogue entry `ledbatpp-start`.
pub const ENTRY: Entry = Entry {
    name: "ledbatpp-start",
    summary: "Slow start scaled down on short paths, which ends when the queueing delay is three \
              quarters of the target.",
    parameters: &[TARGET, MAX_DIVISOR],
    reference: "draft-irtf-iccrg-ledbat-plus-plus-01 section 4.1",
    implies: &[],
    traits: Traits::DELAY_BASED_START,
    make: Make::slow_start(make),
};
