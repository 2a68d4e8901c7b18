//! The receiver's window, the size of a full segment in it, and the probes of a shut window.

use ackclock_units::{Duration, Time};

use super::options::Options;
use crate::transport::offload;

/// The largest window that a SYN-ACK can offer, bytes: it is not scaled.
const SYN_WINDOW: u64 = 65_535;
/// `TCP_MSS_DEFAULT`, RFC 9293 section 3.7.1: a largest window up to this size is filled at once.
const DEFAULT_MSS: u64 = 536;
/// Least length of a segment in any window, TCP header included, bytes.
const SMALLEST_SEGMENT: u64 = 68;
/// Length of the TCP header without options, bytes.
const TCP_HEADER: u64 = 20;
/// Length of RFC 7323's option with padding, bytes.
const TIMESTAMPS: u64 = 12;

/// The receiver's window in an ACK.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offer {
    /// Nothing new: a later segment has told the window already.
    Stale,
    /// A new offer of as many bytes as were left before the ACK.
    Same,
    /// A new offer of another size.
    Other,
}

/// The receiver's window.
pub(super) struct PeerWindow {
    /// Highest sequence number that the window allows.
    edge: u64,
    /// When the window is probed again; [`Time::MAX`]: it is not.
    probe_at: Time,
    /// The largest window that the receiver has offered, bytes.
    largest: u32,
    /// Payload of a full segment, bytes: the mss, or less where the receiver's windows are small.
    full_segment: u32,
    /// Unanswered window probes. Saturates: the interval is capped long before.
    probes: u8,
    /// An ACK after the SYN-ACK has told the window.
    is_taken: bool,
}

impl PeerWindow {
    /// A window that is not known yet.
    pub fn new(mss: u32) -> Self {
        Self {
            edge: 0,
            probe_at: Time::MAX,
            largest: 0,
            full_segment: mss,
            probes: 0,
            is_taken: false,
        }
    }

    /// The SYN-ACK offers `window` bytes.
    pub fn open(&mut self, window: u64, options: &Options) {
        self.edge = window;
        self.note(window.min(SYN_WINDOW), options);
    }

    /// An ACK of everything up to `ack` offers `offered` bytes; `una`: SND.UNA before the ACK. RFC
    /// 9293 section 3.10.7.4: only a segment that is newer than the last one used tells the window.
    /// The first ACK is newer than the SYN-ACK. Of equally new segments Linux takes those that open
    /// or shut the window.
    #[inline(always)]
    pub fn on_ack(&mut self, ack: u64, offered: u64, una: u64, options: &Options) -> Offer {
        let before = self.room(una);
        let is_first = !core::mem::replace(&mut self.is_taken, true) && offered != before;
        let is_newer = ack > una || ack == una && (offered > before || offered == 0 || is_first);
        if !is_newer {
            return Offer::Stale;
        }
        self.note(offered, options);
        self.edge = ack + offered;
        if offered == before { Offer::Same } else { Offer::Other }
    }

    /// Adapts the size of a full segment to an offered window.
    #[inline]
    fn note(&mut self, window: u64, options: &Options) {
        let window = u32::try_from(window).unwrap_or(u32::MAX);
        if window > self.largest {
            self.largest = window;
            let smallest =
                SMALLEST_SEGMENT - TCP_HEADER - if options.timestamps { TIMESTAMPS } else { 0 };
            let bound = self.half_of_largest().max(smallest);
            self.full_segment = u32::try_from(options.mss.min(bound)).unwrap_or(u32::MAX);
        }
    }

    /// The most that is sent at once to a receiver with small windows, bytes (Linux's
    /// `tcp_bound_to_half_wnd`). RFC 9293 section 3.8.6.2.1 lets a segment smaller than the mss
    /// leave "if at least a fraction Fs of the maximum window can be sent", and recommends a half.
    fn half_of_largest(&self) -> u64 {
        let largest = u64::from(self.largest);
        if largest > DEFAULT_MSS { largest / 2 } else { largest }
    }

    #[inline]
    pub fn full_segment(&self) -> u64 {
        self.full_segment.into()
    }

    /// Bytes of a full host segment (`tcp_bound_to_half_wnd`).
    pub fn host_segment(&self) -> u64 {
        let full = self.full_segment();
        let most = self.half_of_largest().min(offload::MOST_BYTES);
        (most / full).max(1) * full
    }

    #[inline]
    pub fn edge(&self) -> u64 {
        self.edge
    }

    /// Bytes that the window has room for from `seq` on.
    #[inline]
    pub fn room(&self, seq: u64) -> u64 {
        self.edge.saturating_sub(seq)
    }

    #[inline]
    pub fn probe_at(&self) -> Time {
        self.probe_at
    }

    pub fn probes(&self) -> u8 {
        self.probes
    }

    /// A probe is answered, or something else shows that the path works.
    #[inline]
    pub fn forget_probes(&mut self) {
        self.probes = 0;
    }

    /// A window probe is sent.
    pub fn on_probe(&mut self) {
        self.probes = self.probes.saturating_add(1);
    }

    /// Stops the persist timer.
    #[inline]
    pub fn stop_probing(&mut self) {
        self.probe_at = Time::MAX;
    }

    /// Whether the persist timer has run out. Stops the timer if so.
    pub fn take_probe(&mut self, now: Time) -> bool {
        let is_due = self.probe_at <= now;
        if is_due {
            self.probe_at = Time::MAX;
        }
        is_due
    }

    /// Starts the persist timer if it does not run (RFC 9293 section 3.8.6.1). The interval is
    /// `rto`, doubled with each probe, and at most `most`.
    pub fn keep_probing(&mut self, rto: Duration, most: Duration, now: Time) {
        if self.probe_at == Time::MAX {
            let interval = rto.saturating_mul(1 << self.probes.min(30));
            self.probe_at = now.saturating_add(interval.min(most));
        }
    }
}
