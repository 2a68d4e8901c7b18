//! A sender as the record of decisions sees it after an event.

use ackclock_units::Time;

use super::Sender;
use super::connection::State;
use super::timers::Timer;
use crate::transport::accounting::Limit;
use crate::transport::cause::Cause;
use crate::transport::loss_detection::Detector;
use crate::transport::range_set::RangeSet;
use crate::transport::recovery::CaState;

/// State of a sender after an event.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// Number of the connection within the flow.
    pub connection: u32,
    /// Whether the connection was established.
    pub is_open: bool,
    /// Whether the connection waits for its start.
    pub is_closed: bool,
    /// Payload acknowledged cumulatively on all connections, bytes.
    pub acked: u64,
    /// SND.UNA.
    pub una: u64,
    /// Ranges selectively acknowledged.
    pub sacked: RangeSet,
    /// Bytes declared lost so far.
    pub lost: u64,
    /// Segments that were out.
    pub segments: u64,
    pub state: CaState,
    /// Window in force, bytes.
    pub cwnd: u64,
    /// Window in force before inflation, bytes. `inflight` lacks what duplicate ACKs stand for.
    pub window: u64,
    pub ssthresh: Option<u64>,
    /// Pacing rate, bit/s.
    pub pacing: Option<u64>,
    /// Bytes in flight.
    pub inflight: u64,
    pub limit: Limit,
    /// Data packets sent and sent again since the warm-up.
    pub sent: u64,
    pub retransmitted: u64,
    pub undos: u64,
    pub is_probing_tail: bool,
    /// PRR is under way.
    pub is_reducing: bool,
    /// Duplicate ACKs inflate the window.
    pub inflates: bool,
    /// When the latest SYN or data segment was sent.
    pub last_sent_at: Time,
    /// Window that the receiver offers from SND.UNA on, bytes.
    pub offered: u64,
    timer: (Timer, Time),
    window_probe_at: Time,
    write_at: Time,
}

/// How a sender finds losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detection {
    Dupack,
    Sack,
    Rack,
}

impl Snapshot {
    /// The view before the first event of a connection that follows, of which `after` is the first
    /// view.
    pub fn renewed(self, after: &Self) -> Self {
        Self {
            is_open: false,
            is_closed: true,
            acked: self.acked,
            sent: self.sent,
            retransmitted: self.retransmitted,
            undos: self.undos,
            una: 0,
            sacked: RangeSet::default(),
            lost: 0,
            segments: 0,
            state: CaState::Open,
            ..after.clone()
        }
    }

    /// Counters of the sender begin again at zero.
    pub fn forget_counts(&mut self) {
        (self.sent, self.retransmitted, self.undos) = (0, 0, 0);
    }

    /// The event that the sender handled at `now`, after this view, if it was no packet.
    pub fn timer_event(&self, now: Time) -> Cause {
        if !self.is_open {
            return if self.is_closed { Cause::Start } else { Cause::Timeout };
        }
        match self.timer {
            (Timer::Rto, due) if due <= now => Cause::Timeout,
            (Timer::Probe, due) if due <= now => Cause::TailProbe,
            (Timer::Reorder, due) if due <= now => Cause::ReorderingTimer,
            _ if self.window_probe_at <= now => Cause::WindowProbe,
            _ if self.write_at <= now => Cause::Application,
            _ => Cause::PacingTimer,
        }
    }
}

impl Sender {
    /// The sender as it is now. `last`: an earlier view, whose memory is used again.
    pub(crate) fn snapshot(&self, last: Option<Snapshot>) -> Snapshot {
        let mut sacked = last.map(|last| last.sacked).unwrap_or_default();
        sacked.clone_from(self.board.sacked());
        let stats = self.ledger.stats();
        let life = self.connection.state();
        Snapshot {
            connection: self.connection.number(),
            is_open: matches!(life, State::Established | State::Done),
            is_closed: life == State::Closed,
            acked: self.acked_in_all(),
            una: self.board.una(),
            sacked,
            lost: self.rate.lost(),
            segments: self.board.segments(),
            state: self.episode.state(),
            cwnd: self.cwnd(),
            window: self.episode.window(self.control.cwnd()),
            ssthresh: self.control.decision().ssthresh,
            pacing: self.pacing_rate().map(ackclock_units::Rate::as_bps),
            inflight: self.board.inflight(),
            limit: self.ledger.limit(),
            sent: stats.sent_packets,
            retransmitted: stats.retransmitted_packets,
            undos: stats.undos.into(),
            is_probing_tail: self.probe.is_out(),
            is_reducing: self.episode.reached().is_some(),
            inflates: self.episode.inflates(&self.options),
            last_sent_at: self.connection.last_sent_at(),
            offered: self.peer.room(self.board.una()),
            timer: (self.timers.purpose(), self.timers.due()),
            window_probe_at: self.peer.probe_at(),
            write_at: self.buffer.due(),
        }
    }

    /// Size of `packets` full segments in the sums of the window, bytes.
    pub(crate) fn weight_of_packets(&self, packets: u64) -> u64 {
        packets * self.board.weight(self.options.mss)
    }

    /// Payload of a full segment, bytes.
    pub(crate) fn mss(&self) -> u64 {
        self.options.mss
    }

    /// How the sender finds losses.
    pub(crate) fn detection(&self) -> Detection {
        match self.detector {
            Detector::Dupack => Detection::Dupack,
            Detector::Sack(_) => Detection::Sack,
            Detector::Rack(_) => Detection::Rack,
        }
    }

    /// Whether PRR reduces in proportion to cwnd, as Linux's does.
    pub(crate) fn has_linux_prr(&self) -> bool {
        self.options.prr_of_cwnd
    }

    /// Whether three duplicate ACKs are treated as a timeout.
    pub(crate) fn is_tahoe(&self) -> bool {
        self.options.is_tahoe()
    }

    /// Whether the current connection belongs to a packet of connection `number`.
    pub(crate) fn is_connection(&self, number: u32) -> bool {
        self.connection.number() == number
    }
}
