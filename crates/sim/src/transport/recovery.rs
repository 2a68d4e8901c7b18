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
    /// `RecoverFS`.
    recover_fs: u64,
    delivered: u64,
    out: u64,
    ssthresh: u64,
    mss: u64,
    cwnd: u64,
}

impl Prr {
    /// Begins an episode that ends at `ssthresh`.
    #[must_use]
    pub fn new(recover_fs: u64, ssthresh: u64, mss: u64, inflight: u64) -> Self {
        // One segment at once, so that a retransmission goes out even before an ACK asks for it.
        Self {
            recover_fs: recover_fs.max(mss),
            delivered: 0,
            out: 0,
            ssthresh,
            mss,
            cwnd: inflight + mss,
        }
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
            let allowed = (u128::from(self.delivered) * u128::from(self.ssthresh)).div_ceil(u128::from(self.recover_fs));
            u64::try_from(allowed).unwrap_or(u64::MAX).saturating_sub(self.out)
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
    /// SND.UNA then: a D-SACK below it is not about this episode.
    pub marker: u64,
    /// Retransmissions not yet shown needless; below zero never.
    pub needed: u32,
    /// Timestamp of the first retransmission, in steps of the connection's clock.
    pub first_retransmission: Option<u32>,
}

impl Undo {
    /// Before the episode's first retransmission. Those of the episode before that are still out (how many, and the timestamp of
    /// the first) count as its own: their ACKs are older than the first of this one and yet answer no original (Linux's `retrans_stamp`
    /// and `tcp_init_undo`).
    #[must_use]
    pub fn new(marker: u64, out: Option<(u32, u32)>) -> Self {
        Self {
            marker,
            needed: out.map_or(0, |(count, _)| count),
            first_retransmission: out.map(|(_, first)| first),
        }
    }

    /// A segment was retransmitted at `now`, by the connection's clock.
    pub fn on_retransmission(&mut self, now: u32) {
        self.first_retransmission.get_or_insert(now);
        self.needed += 1;
    }

    /// Whether all retransmissions were shown needless (RFC 3708).
    #[must_use]
    pub fn all_needless(&self) -> bool {
        self.first_retransmission.is_some() && self.needed == 0
    }

    /// Whether an ACK that echoes `echo` was sent in answer to an original (Eifel, RFC 3522).
    #[must_use]
    pub fn is_of_original(&self, echo: u32) -> bool {
        self.first_retransmission
            .is_some_and(|first| first.wrapping_sub(echo).cast_signed() > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;

    #[test]
    fn prr_sends_half_a_segment_per_segment_delivered_while_above_ssthresh() {
        // 20 segments out, one lost, ssthresh 10: RFC 9937's proportional part.
        let mut prr = Prr::new(20 * MSS, 10 * MSS, MSS, 19 * MSS);
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
        let mut prr = Prr::new(20 * MSS, 10 * MSS, MSS, 4 * MSS);
        prr.on_sent(MSS);
        prr.on_ack(MSS, 3 * MSS, false);
        assert_eq!(prr.cwnd(), 4 * MSS, "conservative: one out for one delivered");
        prr.on_ack(MSS, 3 * MSS, true);
        assert_eq!(prr.cwnd(), 5 * MSS, "one more when the ACK advanced");
    }
}
