//! A sender's state as Linux's `TCP_INFO`, for comparisons with the kernel.

use ackclock_units::{Duration, Time};

use super::Sender;
use crate::transport::accounting::Limit;
use crate::transport::recovery::CaState;

/// State of a sender as `getsockopt(TCP_INFO)` reports it. Windows and counts are in segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TcpInfo {
    /// `tcpi_ca_state`.
    pub ca_state: CaState,
    /// `tcpi_snd_cwnd`: the window in force, rounded down to whole segments.
    pub snd_cwnd: u64,
    /// `tcpi_snd_ssthresh`; none: not set yet (Linux reports 2147483647).
    pub snd_ssthresh: Option<u64>,
    /// `tcpi_unacked`: segments sent and not acknowledged cumulatively.
    pub unacked: u64,
    /// `tcpi_sacked`: segments acknowledged selectively; without SACK, duplicate ACKs.
    pub sacked: u64,
    /// `tcpi_lost`: segments declared lost and not delivered since.
    pub lost: u64,
    /// `tcpi_retrans`: retransmissions that are out.
    pub retrans: u64,
    /// `tcpi_total_retrans`: retransmissions so far.
    pub total_retrans: u64,
    /// `tcpi_backoff`: number of times that the RTO, or the interval of window probes, has doubled.
    pub backoff: u32,
    /// `tcpi_probes`: window probes without an answer.
    pub probes: u32,
    /// `tcpi_reordering`: segments by which the network was seen to reorder, three at least.
    pub reordering: u32,
    /// `tcpi_reord_seen`: number of ACKs that showed reordering, at most 255.
    pub reord_seen: u32,
    /// `tcpi_rto`, backed off.
    pub rto: Duration,
    /// `tcpi_rtt`: smoothed RTT.
    pub rtt: Duration,
    /// `tcpi_rttvar`: RTT variation.
    pub rttvar: Duration,
    /// `tcpi_min_rtt`; zero before any sample.
    pub min_rtt: Duration,
    /// `tcpi_snd_mss`: payload of a full segment, bytes.
    pub snd_mss: u64,
    /// `tcpi_snd_wnd`: the peer's window from the cumulative ACK on, bytes.
    pub snd_wnd: u64,
    /// `tcpi_bytes_acked`: payload acknowledged cumulatively.
    pub bytes_acked: u64,
    /// `tcpi_notsent_bytes`: payload written and not sent yet.
    pub notsent_bytes: u64,
    /// `tcpi_delivered`: segments delivered, the SYN counted; a short segment counts as its share
    /// of a full one, rounded up in the sum.
    pub delivered: u64,
    /// `tcpi_data_segs_out`: data segments sent, retransmissions included.
    pub data_segs_out: u64,
    /// `tcpi_total_rto`: retransmission timeouts so far.
    pub total_rto: u64,
    /// `tcpi_rwnd_limited`: time that the receiver's window was the limit, since the warm-up.
    pub rwnd_limited: Duration,
    /// `tcpi_pacing_rate`, bit/s; none: not paced.
    pub pacing_rate: Option<u64>,
}

impl Sender {
    /// Whether there is data, or a FIN, that was not sent yet.
    pub(crate) fn has_data_to_send(&self) -> bool {
        self.has_unsent()
    }

    /// When the pacer lets the next packet go; [`Time::MAX`]: no packet waits for the pacer.
    #[must_use]
    pub fn pacing_deadline(&self) -> Time {
        self.timers.pace_at()
    }

    /// When the retransmission timer or the persist timer runs out; [`Time::MAX`]: neither runs.
    #[must_use]
    pub fn timer_deadline(&self) -> Time {
        self.timers.due().min(self.peer.probe_at())
    }

    /// The sender's state at `now` as `TCP_INFO` reports it. Walks over all segments outstanding.
    #[must_use]
    pub fn info(&self, now: Time) -> TcpInfo {
        let mss = self.options.mss;
        let (mut sacked, mut lost, mut retrans) = (0, 0, 0);
        if let (Some(first), Some(last)) = (self.board.first_number(), self.board.last_number()) {
            for segment in (first..=last).map(|number| self.board.get(number)) {
                sacked += u64::from(segment.is_sacked());
                lost += u64::from(segment.is_lost());
                retrans += u64::from(segment.is_retransmission_out());
            }
        }
        if !self.options.has_sack {
            sacked = self.board.sacked_bytes() / mss;
        }
        if self.board.weight(1) == mss {
            // A segment that was sent again while a copy was out counts twice.
            retrans = self.board.retrans_bytes() / mss;
        }
        let (stats, probes) = (self.ledger.stats(), u32::from(self.peer.probes()));
        let next = self.board.next();
        TcpInfo {
            ca_state: self.episode.state(),
            snd_cwnd: self.cwnd() / mss,
            snd_ssthresh: self.control.decision().ssthresh.map(|ssthresh| ssthresh / mss),
            unacked: self.board.segments(),
            sacked,
            lost,
            retrans,
            total_retrans: stats.retransmitted_packets,
            backoff: self.rtt.backoff() + probes,
            probes,
            reordering: self.detector.reordering(),
            reord_seen: self.detector.reorderings(),
            rto: self.rto(),
            rtt: self.rtt.srtt(),
            rttvar: self.rtt.rttvar(),
            min_rtt: self.rtt.min_rtt(),
            snd_mss: self.peer.full_segment(),
            snd_wnd: self.peer.room(self.board.una()),
            bytes_acked: self.acked_payload(),
            notsent_bytes: self.buffer.left(next),
            delivered: self.rate.delivered().div_ceil(mss) + 1,
            data_segs_out: stats.sent_packets,
            total_rto: stats.timeouts.into(),
            rwnd_limited: self.ledger.time_under(Limit::ReceiveWindow, now),
            pacing_rate: self.pacing_rate().map(ackclock_units::Rate::as_bps),
        }
    }
}
