//! The window that the receiver advertises: the free part of a buffer that the application reads,
//! or one that is tuned.

use ackclock_units::{Duration, Rate, Time};

use super::options::Options;
use super::tuner::Tuner;
use crate::transport::plan::TransportPlan;

/// A receiving application that reads at a limited rate.
#[derive(Debug)]
struct Reader {
    rate: Rate,
    /// Bytes in order that are not read.
    unread: u64,
    /// Time up to which reading is settled.
    since: Time,
}

impl Reader {
    /// Settles what the application has read by `now`.
    fn settle(&mut self, now: Time) {
        let read = self.rate.bytes_in(now.since(self.since));
        if read >= self.unread {
            self.unread = 0;
            self.since = now;
        } else if read > 0 {
            // The fraction of a byte that was read meanwhile counts next time.
            self.unread -= read;
            self.since = self.since.saturating_add(self.rate.time_for(read)).min(now);
        }
    }

    /// The window to offer, bytes, and when an update is due. The buffer has `room` for data in
    /// order; `offered` is left of the latest window, bytes.
    fn offer(&mut self, offered: u64, room: u64, options: &Options, now: Time) -> (u64, Time) {
        self.settle(now);
        let free = room.saturating_sub(self.unread);
        let half = options.buffer / 2;
        let step = options.mss.min(half);
        if free >= (offered + step).min(room) {
            return (free, Time::MAX);
        }
        if offered >= options.mss {
            return (offered, Time::MAX);
        }
        // An update is due once two segments, half the buffer or all of it are free.
        let wanted = (2 * options.mss).min(half).max(offered + step).min(room);
        let excess = (self.unread + wanted).saturating_sub(room);
        let delay = self.rate.time_for(excess);
        (offered, now.saturating_add(delay).saturating_add(Duration::from_ps(1)))
    }
}

/// The advertised window, which begins at the latest cumulative acknowledgment.
#[derive(Debug)]
pub(super) struct Window {
    /// Cumulative acknowledgment of the latest ACK.
    latest_ack: u64,
    /// End of the window that the latest ACK advertised.
    edge: u64,
    /// When the window has opened enough for a window update.
    update_at: Time,
    /// None: the application reads at once.
    reader: Option<Box<Reader>>,
    /// None: the window is what the buffer has left.
    tuner: Option<Tuner>,
}

impl Window {
    /// The window before the SYN-ACK.
    pub fn new(plan: &TransportPlan) -> Self {
        Self {
            latest_ack: 0,
            edge: 0,
            update_at: Time::MAX,
            reader: plan.read_rate_bps.map(|bps| {
                Box::new(Reader { rate: Rate::from_bps(bps), unread: 0, since: Time::ZERO })
            }),
            tuner: Tuner::new(plan),
        }
    }

    /// Cumulative acknowledgment of the latest ACK.
    #[inline]
    pub fn latest_ack(&self) -> u64 {
        self.latest_ack
    }

    /// An ACK of everything below `next` is sent.
    #[inline]
    pub fn acknowledge(&mut self, next: u64) {
        self.latest_ack = next;
    }

    /// When the window has opened enough for a window update; [`Time::MAX`]: none is due.
    #[inline]
    pub fn update_at(&self) -> Time {
        self.update_at
    }

    /// The window of the latest ACK, bytes.
    #[inline]
    pub fn advertised(&self) -> u64 {
        self.edge - self.latest_ack
    }

    /// The advertised window in an ACK of everything below `ack`, bytes.
    pub fn seen_from(&self, ack: u64) -> u32 {
        u32::try_from(self.edge.saturating_sub(ack)).unwrap_or(u32::MAX)
    }

    /// The tuner, if the window is tuned.
    #[inline]
    pub fn tuner(&mut self) -> Option<&mut Tuner> {
        self.tuner.as_mut()
    }

    /// Whether less than half of a tuned buffer is free while `held` bytes wait above a hole.
    #[inline]
    pub fn is_under_pressure(&self, held: u64) -> bool {
        self.tuner.as_ref().is_some_and(|tuner| tuner.is_under_pressure(held))
    }

    /// `bytes` have arrived in order, for the application to read.
    pub fn on_delivered(&mut self, bytes: u64, now: Time) {
        if let Some(reader) = &mut self.reader {
            reader.settle(now);
            reader.unread += bytes;
        }
    }

    /// Whether the application reads all at once.
    #[inline]
    pub fn is_read_at_once(&self) -> bool {
        self.reader.is_none()
    }

    /// The window to advertise beyond `next` while `held` bytes wait above a hole, bytes. It never
    /// takes an offer back (RFC 9293 section 3.8.6.2.1), and opens in steps worth sending into (RFC
    /// 9293 section 3.8.6.2.2).
    #[inline]
    pub fn offer(&mut self, next: u64, held: u64, options: &Options, now: Time) -> u32 {
        let offered = self.edge.saturating_sub(next);
        let room = options.buffer.saturating_sub(held);
        let (free, update_at) = match (&self.tuner, &mut self.reader) {
            (Some(tuner), _) => (tuner.window(held), Time::MAX),
            (None, None) => (room, Time::MAX),
            (None, Some(reader)) => reader.offer(offered, room, options, now),
        };
        self.update_at = update_at;
        let window = free.max(offered);
        self.edge = next + window;
        u32::try_from(window).unwrap_or(u32::MAX)
    }
}
