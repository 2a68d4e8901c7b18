//! Tells whether an ACK may have waited for the receiver's delayed-ACK timer. That wait is no delay
//! of the path.

use crate::AckEvent;
use crate::window::Window;

/// ACKs of single segments in a row after which the receiver is believed not to delay ACKs.
const MEMORY: u8 = 5;

/// Detector of delayed ACKs (Hayes, Timing enhancements to the FreeBSD kernel, CAIA TR 100219A,
/// 2010; as in Linux's CDG). Where ACKs cover several segments, an ACK of a single segment was
/// late.
#[derive(Clone, Copy, Debug, Default)]
pub struct DelayedAcks {
    seen: u8,
}

impl DelayedAcks {
    /// Takes in an ACK and returns whether its delay may be the receiver's. Must be called for
    /// every ACK. A window of one segment never tells.
    pub fn may_be_late(&mut self, ack: &AckEvent, window: &Window) -> bool {
        if ack.newly_acked > window.mss {
            if !ack.in_recovery {
                self.seen = (self.seen + 1).min(MEMORY);
            }
            return false;
        }
        let waits = self.seen > 0;
        self.seen = self.seen.saturating_sub(1);
        waits || window.cwnd < 2 * window.mss
    }
}
