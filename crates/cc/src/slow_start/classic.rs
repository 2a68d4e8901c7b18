//! Standard slow start, RFC 5681 section 3.1: cwnd grows by what each ACK acknowledges.

use super::{Growth, SlowStart};
use crate::entry::{Entry, Make, Traits};
use crate::window::Window;
use crate::{AckEvent, Rule, Ruled};

const GROWTH: Rule = Rule::new(
    "slow start: cwnd grows by the bytes acknowledged",
    "RFC 5681 section 3.1; RFC 3465 section 2.2",
);

/// Slow start that doubles the window each round trip until ssthresh.
///
/// RFC 5681 section 3.1: "During slow start, a TCP increments cwnd by at most SMSS bytes for each
/// ACK received that cumulatively acknowledges new data". Here all acknowledged bytes count (RFC
/// 3465), without the limit L per ACK, as in Linux since 2013.
#[derive(Clone, Debug, Default)]
pub struct Classic;

impl SlowStart for Classic {
    fn begin(&mut self, _window: &Window) {}
    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        GROWTH.gives(Growth::double(ack, window))
    }
    // There is no state.
    fn has_undo_state(&self) -> bool {
        false
    }
}

/// Catalogue entry `classic`.
pub const ENTRY: Entry = Entry {
    name: "classic",
    summary: "Doubles the window each round trip until ssthresh.",
    parameters: &[],
    reference: "RFC 5681 section 3.1",
    implies: &[],
    traits: Traits::SLOW_START,
    make: Make::slow_start(|_, _| Box::new(Classic)),
};
