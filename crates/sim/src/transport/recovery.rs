//! States of congestion control, and proportional rate reduction.

pub use ackclock_cc::CaState;

/// Proportional rate reduction, RFC 9937 section 6.
#[derive(Clone, Debug)]
pub(crate) struct Prr {
    /// The window that is reduced, bytes: `RecoverFS`, or cwnd before the episode.
    base: u64,
    /// `prr_delivered`: bytes delivered in the episode.
    delivered: u64,
    /// `prr_out`: bytes sent in the episode.
    out: u64,
    /// The window in which the episode ends, bytes.
    ssthresh: u64,
    mss: u64,
    /// Bytes of one counted unit: 1, or a segment.
    unit: u64,
    /// The window until the next ACK, bytes.
    cwnd: u64,
}

impl Prr {
    /// Begins an episode that reduces the window from `base` to `ssthresh`, in units of `unit`
    /// bytes. `window`: the window until the next ACK.
    pub fn new(base: u64, ssthresh: u64, mss: u64, unit: u64, window: u64) -> Self {
        let ssthresh = ssthresh / unit * unit;
        Self { base: base.max(mss), delivered: 0, out: 0, ssthresh, mss, unit, cwnd: window }
    }

    /// The episode ends at the window `ssthresh` from now on.
    pub fn aim_at(&mut self, ssthresh: u64) {
        self.ssthresh = ssthresh / self.unit * self.unit;
    }

    /// After an idle period the window is `window` bytes until the next ACK.
    pub fn restart(&mut self, window: u64) {
        self.cwnd = window;
    }

    /// The window until the next ACK, bytes.
    pub fn cwnd(&self) -> u64 {
        self.cwnd
    }

    /// Units that may be sent while more than ssthresh is in flight:
    /// `CEIL(prr_delivered * ssthresh / RecoverFS)`.
    fn allowed(&self) -> u64 {
        let product = self.delivered.checked_mul(self.ssthresh);
        if let (Some(product), Some(share)) = (product, self.base.checked_mul(self.unit)) {
            return product.div_ceil(share);
        }
        let product = u128::from(self.delivered) * u128::from(self.ssthresh);
        let share = u128::from(self.base) * u128::from(self.unit);
        u64::try_from(product.div_ceil(share)).unwrap_or(u64::MAX)
    }

    /// Takes in an ACK that delivered `delivered` bytes and left `inflight`. `safe`: the ACK
    /// advanced SND.UNA and showed no new loss.
    pub fn on_ack(&mut self, delivered: u64, inflight: u64, safe: bool) {
        if delivered == 0 {
            return;
        }
        self.delivered += delivered;
        let mut sndcnt = if inflight > self.ssthresh {
            self.allowed().saturating_mul(self.unit).saturating_sub(self.out)
        } else {
            let catch_up = self.delivered.saturating_sub(self.out).max(delivered);
            let catch_up = if safe { catch_up + self.mss } else { catch_up };
            catch_up.min(self.ssthresh - inflight)
        };
        if self.out == 0 && sndcnt == 0 {
            sndcnt = self.mss;
        }
        self.cwnd = inflight + sndcnt;
    }

    /// Bytes were sent, for the first time or again.
    pub fn on_sent(&mut self, bytes: u64) {
        self.out += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;

    /// Sends segments until the window is full. Returns their number.
    fn fill(prr: &mut Prr, inflight: &mut u64) -> u64 {
        let segments = prr.cwnd().saturating_sub(*inflight) / MSS;
        *inflight += segments * MSS;
        prr.on_sent(segments * MSS);
        segments
    }

    #[test]
    fn prr_sends_half_a_segment_per_segment_delivered_while_above_ssthresh() {
        // 20 segments out, one lost, ssthresh 10: RFC 9937's proportional part.
        let mut prr = Prr::new(20 * MSS, 10 * MSS, MSS, 1, 19 * MSS);
        let (mut inflight, mut sent) = (19 * MSS, 0);
        for _ in 0..8 {
            inflight -= MSS;
            prr.on_ack(MSS, inflight, false);
            sent += fill(&mut prr, &mut inflight);
        }
        assert_eq!(sent, 4);
    }

    #[test]
    fn prr_grows_back_to_ssthresh_after_heavy_loss_only_when_acks_are_safe() {
        let mut prr = Prr::new(20 * MSS, 10 * MSS, MSS, 1, 4 * MSS);
        prr.on_sent(MSS);
        prr.on_ack(MSS, 3 * MSS, false);
        assert_eq!(prr.cwnd(), 4 * MSS, "conservative: one out for one delivered");
        prr.on_ack(MSS, 3 * MSS, true);
        assert_eq!(prr.cwnd(), 5 * MSS, "one more when the ACK advanced");
    }

    /// Linux 6.18 with cwnd 20 and ssthresh 10. The first of 20 segments is lost; 17 ACKs that SACK
    /// one segment each follow the three that prove the loss. The values are cwnd after each ACK.
    #[test]
    fn in_whole_segments_the_window_goes_down_as_in_linux() {
        let mut prr = Prr::new(20 * MSS, 10 * MSS, MSS, MSS, 16 * MSS);
        let mut inflight = 16 * MSS;
        let mut seen = Vec::new();
        for delivered in std::iter::once(3).chain(std::iter::repeat_n(1, 8)) {
            if delivered == 1 {
                inflight -= MSS;
            }
            prr.on_ack(delivered * MSS, inflight, false);
            seen.push(prr.cwnd() / MSS);
            fill(&mut prr, &mut inflight);
        }
        // 3 delivered allow ceil(1.5) = 2 segments; from then on every second ACK allows one.
        assert_eq!(seen, [18, 17, 17, 16, 16, 15, 15, 14, 14]);
    }
}
