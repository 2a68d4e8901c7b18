//! Episodes: in which state the sender is, how it approaches the new window, and how it takes a mistake back.

/// As the kernel's `ca_state`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum CaState {
    /// Nothing is wrong.
    Open = 0,
    /// Something arrived out of order; it may be nothing.
    Disorder = 1,
    /// The window is being reduced without a loss.
    Cwr = 2,
    /// Fast recovery.
    Recovery = 3,
    /// After a timeout.
    Loss = 4,
}

/// Proportional rate reduction, RFC 9937 section 6.
#[derive(Clone, Debug)]
pub struct Prr {
    /// What the reduction is in proportion to: `RecoverFS`, or cwnd before it.
    base: u64,
    delivered: u64,
    out: u64,
    ssthresh: u64,
    mss: u64,
    /// What is counted in: bytes, or whole segments.
    unit: u64,
    cwnd: u64,
}

impl Prr {
    /// Begins an episode that ends at `ssthresh`, in proportion to `base`; counted in units of `unit` bytes.
    #[must_use]
    pub fn new(base: u64, ssthresh: u64, mss: u64, unit: u64, window: u64) -> Self {
        let ssthresh = ssthresh / unit * unit;
        Self {
            base: base.max(mss),
            delivered: 0,
            out: 0,
            ssthresh,
            mss,
            unit,
            cwnd: window,
        }
    }

    /// The episode ends at another window.
    pub fn aim_at(&mut self, ssthresh: u64) {
        self.ssthresh = ssthresh / self.unit * self.unit;
    }

    /// After an idle period the window is this until the next ACK.
    pub fn restart(&mut self, window: u64) {
        self.cwnd = window;
    }

    /// The window until the next ACK.
    #[must_use]
    pub fn cwnd(&self) -> u64 {
        self.cwnd
    }

    /// An ACK that delivered `delivered` bytes and left `inflight`; `safe`: it advanced SND.UNA and showed no new loss.
    pub fn on_ack(&mut self, delivered: u64, inflight: u64, safe: bool) {
        if delivered == 0 {
            return;
        }
        self.delivered += delivered;
        let mut sndcnt = if inflight > self.ssthresh {
            let share = u128::from(self.base) * u128::from(self.unit);
            let allowed = (u128::from(self.delivered) * u128::from(self.ssthresh)).div_ceil(share);
            let allowed = u64::try_from(allowed).unwrap_or(u64::MAX).saturating_mul(self.unit);
            allowed.saturating_sub(self.out)
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

    /// `bytes` were sent, old or new.
    pub fn on_sent(&mut self, bytes: u64) {
        self.out += bytes;
    }
}

/// What is needed to take a reaction back.
pub struct Undo {
    /// Whether cwnd and ssthresh are taken back too. Not where ECN proved congestion, nor where an earlier episode reduced
    /// the window (Linux's `prior_ssthresh` of 0).
    pub restores: bool,
    /// SND.UNA when the episode began: a D-SACK that ends there or below is not about this episode.
    pub marker: u64,
    /// Retransmissions not yet shown needless; none before the first.
    needed: Option<u32>,
}

impl Undo {
    /// Before the episode's first retransmission. `still_out`: retransmissions that are out when the episode begins, a tail
    /// loss probe included. Linux counts them as the episode's own (`tcp_init_undo`).
    #[must_use]
    pub fn new(restores: bool, marker: u64, still_out: u32) -> Self {
        Self {
            restores,
            marker,
            needed: (still_out > 0).then_some(still_out),
        }
    }

    /// A segment was retransmitted.
    pub fn on_retransmission(&mut self) {
        *self.needed.get_or_insert(0) += 1;
    }

    /// D-SACKs showed that `segments` were retransmitted needlessly.
    pub fn on_needless(&mut self, segments: u32) {
        self.needed = self.needed.map(|needed| needed.saturating_sub(segments));
    }

    /// Whether all retransmissions were shown needless (RFC 3708).
    #[must_use]
    pub fn all_needless(&self) -> bool {
        self.needed == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;

    #[test]
    fn prr_sends_half_a_segment_per_segment_delivered_while_above_ssthresh() {
        // 20 segments out, one lost, ssthresh 10: RFC 9937's proportional part.
        let mut prr = Prr::new(20 * MSS, 10 * MSS, MSS, 1, 19 * MSS);
        let (mut inflight, mut sent) = (19 * MSS, 0);
        for _ in 0..8 {
            inflight -= MSS;
            prr.on_ack(MSS, inflight, false);
            while inflight + MSS <= prr.cwnd() {
                inflight += MSS;
                sent += 1;
                prr.on_sent(MSS);
            }
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

    /// The kernel (6.18): cwnd 20, ssthresh 10, the first of 20 lost, 17 ACKs that SACK a segment each after the three
    /// that prove the loss. Its cwnd after each of them.
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
            while inflight + MSS <= prr.cwnd() {
                inflight += MSS;
                prr.on_sent(MSS);
            }
        }
        // 3 delivered allow ceil(1.5) = 2 segments; from then on every second ACK allows one.
        assert_eq!(seen, [18, 17, 17, 16, 16, 15, 15, 14, 14]);
    }
}
