//! The tail loss probe that is out (RFC 8985 section 7).

/// The probe that is out, if one is.
#[derive(Default)]
pub(super) struct TailProbe {
    /// SND.NXT when the probe was sent; 0: no probe has an open outcome.
    end: u64,
    /// The probe repeated a segment; otherwise it carried new data.
    repeats: bool,
    /// The current ACK has to restart the probe's timer, unless its answer does.
    restarts: bool,
}

impl TailProbe {
    /// Whether the outcome of a probe is open.
    #[inline]
    pub fn is_out(&self) -> bool {
        self.end > 0
    }

    /// Whether the outcome of a probe that repeated a segment is open.
    pub fn repeats_segment(&self) -> bool {
        self.end > 0 && self.repeats
    }

    pub fn end(&self) -> u64 {
        self.end
    }

    /// A probe is sent. `end`: SND.NXT after it; `repeats`: it carries no new data.
    pub fn begin(&mut self, end: u64, repeats: bool) {
        self.end = end;
        self.repeats = repeats;
    }

    /// An episode begins: the outcome of the probe does not matter any more.
    pub fn forget(&mut self) {
        self.end = 0;
    }

    /// Takes in an ACK of everything up to `ack`, which may tell the probe's outcome (RFC 8985
    /// section 7.4). Returns true if the probe repaired a loss, to which the sender has to react.
    /// `is_duplicated`: a D-SACK reports the probe; `has_news`: the ACK brings something new.
    pub fn settle(&mut self, ack: u64, is_duplicated: bool, has_news: bool) -> bool {
        if ack < self.end {
            return false;
        }
        if !self.repeats || is_duplicated {
            self.end = 0;
        } else if ack > self.end {
            self.end = 0;
            return true;
        } else if !has_news {
            // A duplicate without news: original and probe both arrived.
            self.end = 0;
        }
        false
    }

    #[inline]
    pub fn set_restart(&mut self, restarts: bool) {
        self.restarts = restarts;
    }

    /// Whether the current ACK still has to restart the probe's timer. The caller does it now.
    #[inline]
    pub fn take_restart(&mut self) -> bool {
        core::mem::take(&mut self.restarts)
    }
}
