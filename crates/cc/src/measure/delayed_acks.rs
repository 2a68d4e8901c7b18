//! Whether an ACK may have waited for the receiver's timer, which is no delay of the path.

use crate::AckEvent;
use crate::window::Window;

/// So many ACKs of single segments in a row say that the receiver no longer waits.
const MEMORY: u8 = 5;

/// Hayes, Timing enhancements to the FreeBSD kernel, CAIA TR 100219A, 2010, as in Linux's CDG: where ACKs cover several
/// segments, one for a single segment was late.
#[derive(Clone, Copy, Debug, Default)]
pub struct DelayedAcks {
    seen: u8,
}

impl DelayedAcks {
    /// Every ACK: whether its delay may be the receiver's. A window of one segment never tells.
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
