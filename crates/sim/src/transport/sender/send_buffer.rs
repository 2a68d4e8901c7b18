//! Data that the application has written, and the host segments into which the host has cut it.

use std::collections::VecDeque;

use ackclock_units::Time;

use crate::app::{App, Written};
use crate::transport::offload;

/// Bytes that are cut into host segments ahead, more than the host hands over at a time.
const LOOK_AHEAD: u64 = 4 * offload::MOST_BYTES;

/// The application's side of a connection. `next` is SND.NXT.
pub(super) struct SendBuffer {
    app: Box<dyn App>,
    written: Written,
    /// When the application is to stop writing; [`Time::MAX`]: never, or it has stopped.
    stop_at: Time,
    /// Ascending ends of the host segments that wait, up to [`LOOK_AHEAD`], but the last one, which
    /// the next write fills up. None before the first: data without end is not cut.
    #[expect(
        clippy::box_collection,
        reason = "most connections have none, and a deque is four times a pointer"
    )]
    ends: Option<Box<VecDeque<u64>>>,
}

impl SendBuffer {
    /// A buffer in which nothing is written yet.
    pub fn new(app: Box<dyn App>, stop_at: Time) -> Self {
        let written = Written { next_write: Time::MAX, ..Written::NOTHING_YET };
        Self { app, written, stop_at, ends: None }
    }

    /// Asks the application what it has written by `now`. Returns the first byte of a new write. An
    /// application that offers data without end writes once, when the offer begins. `is_dry`: less
    /// than a segment is left to send.
    pub fn ask(&mut self, is_dry: bool, now: Time) -> Option<u64> {
        let before = self.written;
        self.written = self.app.written(now, is_dry);
        let goes_on = before.has_more && self.written.has_more;
        (self.written.bytes > before.bytes && !goes_on).then_some(before.bytes)
    }

    /// Whether the application has something to say at `now`.
    pub fn is_due(&self, now: Time) -> bool {
        self.written.has_more || self.written.next_write <= now
    }

    /// A session writes to the application.
    pub fn hand_in(&mut self, bytes: u64, closes: bool) {
        self.app.hand_in(bytes, closes);
    }

    /// When the application writes again or is to stop; [`Time::MAX`]: never.
    #[inline]
    pub fn due(&self) -> Time {
        self.written.next_write.min(self.stop_at)
    }

    /// Whether the application's next write is due at `now`.
    pub fn writes(&self, now: Time) -> bool {
        self.written.next_write <= now
    }

    /// Whether the application is to stop by `now` and has not stopped yet.
    pub fn stops(&self, now: Time) -> bool {
        self.stop_at <= now
    }

    /// `now`, or the application's stop if that is earlier.
    pub fn until(&self, now: Time) -> Time {
        now.min(self.stop_at)
    }

    /// The application has stopped, or everything is acknowledged.
    pub fn forget_stop(&mut self) {
        self.stop_at = Time::MAX;
    }

    /// The application closes the connection: data that is not sent yet is dropped.
    pub fn close(&mut self, next: u64) {
        if !self.written.closed || next < self.written.bytes {
            self.written = Written {
                bytes: next.min(self.written.bytes),
                closed: true,
                has_more: false,
                next_write: Time::MAX,
            };
        }
    }

    /// Bytes written since the start; [`Written::ENDLESS`] for an endless source.
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.written.bytes
    }

    /// Whether the application writes more as soon as less than a segment is left.
    #[inline]
    pub fn has_more(&self) -> bool {
        self.written.has_more
    }

    #[inline]
    pub fn is_closed(&self) -> bool {
        self.written.closed
    }

    /// Whether the application has closed the connection, and has written nothing beyond `una`.
    #[inline]
    pub fn is_complete(&self, una: u64) -> bool {
        una >= self.written.bytes && self.written.closed
    }

    /// Payload among the first `una` bytes of the sequence space, without a FIN.
    #[inline]
    pub fn payload_before(&self, una: u64) -> u64 {
        una.min(self.written.bytes)
    }

    /// Bytes that are written and not sent.
    #[inline]
    pub fn left(&self, next: u64) -> u64 {
        self.written.bytes.saturating_sub(next)
    }

    /// Bytes that are written and not sent; [`u64::MAX`] if the application has more.
    pub fn unsent(&self, next: u64) -> u64 {
        if self.written.has_more { u64::MAX } else { self.left(next) }
    }

    /// Whether less than a full segment is left to send.
    pub fn is_dry(&self, next: u64, mss: u64) -> bool {
        next + mss > self.written.bytes
    }

    /// Whether there is new data or a FIN to send.
    pub fn has_unsent(&self, next: u64) -> bool {
        self.written.has_more || self.written.bytes > next || self.owes_fin(next)
    }

    /// Whether the FIN is still to be sent.
    pub fn owes_fin(&self, next: u64) -> bool {
        self.written.closed && next <= self.written.bytes
    }

    /// Whether a segment that ends at `end` holds the last byte written.
    #[inline]
    pub fn ends_write(&self, end: u64) -> bool {
        end >= self.written.bytes && !self.written.has_more
    }

    /// Whether the application offers no more than it has written so far.
    #[inline]
    pub fn is_bounded(&self) -> bool {
        !self.written.has_more && self.written.bytes < Written::ENDLESS
    }

    /// Whether several host segments wait.
    #[inline]
    pub fn is_cut(&self) -> bool {
        self.first_end().is_some()
    }

    /// Forgets the host segments that are sent.
    #[inline]
    pub fn forget_before(&mut self, next: u64) {
        let Some(ends) = &mut self.ends else { return };
        while ends.front().is_some_and(|end| *end <= next) {
            ends.pop_front();
        }
    }

    /// Cuts waiting data into host segments of `size` bytes (Linux's `tcp_sendmsg`).
    pub fn cut(&mut self, next: u64, size: u64) {
        let written = self.written.bytes;
        if self.ends.is_none() && written.saturating_sub(next) <= size {
            return;
        }
        let ends = self.ends.get_or_insert_default();
        let mut start = ends.back().map_or(next, |end| next.max(*end));
        while written.saturating_sub(start) > size && start < next + LOOK_AHEAD {
            start += size;
            ends.push_back(start);
        }
    }

    /// Whether a write from byte `before` on begins a host segment, because the last one is sent or
    /// full. `size`: bytes of a full host segment.
    pub fn begins_host_segment(&self, before: u64, next: u64, size: u64) -> bool {
        let last = self.ends.as_ref().and_then(|ends| ends.back());
        let start = last.map_or(next, |end| next.max(*end));
        before <= next || self.written.bytes - start > size
    }

    /// Bytes of the next host segment, and whether it is the last, which a write may extend.
    #[inline]
    pub fn head(&self, next: u64) -> (u64, bool) {
        match self.first_end() {
            Some(end) => (end.saturating_sub(next), false),
            None => (self.unsent(next), true),
        }
    }

    /// End of the next host segment, unless it is the last one.
    fn first_end(&self) -> Option<u64> {
        self.ends.as_ref()?.front().copied()
    }

    /// Grows the next host segment up to `wanted` with data of the one after (`tcp_grow_skb`).
    pub fn grow_head(&mut self, wanted: u64) {
        let written = self.written.bytes;
        let Some(ends) = &mut self.ends else { return };
        let after = ends.get(1).copied();
        let Some(end) = ends.front_mut().filter(|end| **end < wanted) else { return };
        if wanted < after.unwrap_or(written) {
            *end = wanted;
        } else {
            ends.pop_front();
        }
    }
}
