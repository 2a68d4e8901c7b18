//! Limited Slow-Start, RFC 3742: doubling up to `max_ssthresh`, then at most a constant number of
//! segments per round trip.

use super::{Growth, SlowStart};
use crate::cast::{float, integer};
use crate::entry::{Entry, Make, Parameter, Traits};
use crate::window::Window;
use crate::{AckEvent, Rule, Ruled};

const DOUBLING: Rule = Rule::new(
    "slow start up to max_ssthresh: cwnd grows by the bytes acknowledged",
    "RFC 3742 section 2",
);
const LIMITED: Rule = Rule::new(
    "limited slow start: at most half of max_ssthresh more per round trip",
    "RFC 3742 section 2",
);

/// Slow start that turns from doubling to linear growth.
///
/// RFC 3742 section 2 counts each segment acknowledged above `max_ssthresh` as 1/K segments, with
/// `K = int(cwnd/(0.5 max_ssthresh))`. Rounding K down lets the window grow by three quarters of
/// `max_ssthresh` per round trip at `1.5 max_ssthresh`. Here K keeps its fraction, as in Linux
/// while it had this slow start (`tcp_max_ssthresh`), and growth is at most one half everywhere.
#[derive(Clone, Debug)]
pub struct Limited {
    /// Window at which doubling ends, segments.
    max_ssthresh: u64,
    /// Growth of less than a byte that is saved up, bytes.
    fraction: f64,
}

impl Limited {
    /// Limited slow start that doubles up to `max_ssthresh` segments. The RFC recommends 100.
    #[must_use]
    pub fn new(max_ssthresh: u64) -> Self {
        Self { max_ssthresh, fraction: 0.0 }
    }
}

impl SlowStart for Limited {
    fn begin(&mut self, _window: &Window) {
        self.fraction = 0.0;
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        let max_ssthresh = self.max_ssthresh * window.mss;
        if window.cwnd <= max_ssthresh {
            return DOUBLING.gives(Growth::double(ack, window));
        }
        let k = float(window.cwnd) / (0.5 * float(max_ssthresh));
        let bytes = float(ack.credited) / k + self.fraction;
        let whole = libm::floor(bytes);
        self.fraction = bytes - whole;
        LIMITED.gives(Growth::by(integer(whole), ack, window))
    }
}

/// Catalogue entry `limited`.
pub const ENTRY: Entry = Entry {
    name: "limited",
    summary: "Doubles up to max_ssthresh, then grows by at most half of that per round trip.",
    parameters: &[Parameter::quantity("max_ssthresh", 100.0, 1.0..=1e6, "segments")
        .meaning("where doubling ends")],
    reference: "RFC 3742",
    implies: &[],
    traits: Traits::SLOW_START,
    make: Make::slow_start(|values, _| Box::new(Limited::new(values.whole("max_ssthresh")))),
};
