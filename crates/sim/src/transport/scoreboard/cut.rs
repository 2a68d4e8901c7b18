//! How segments are cut again before they are sent again. It is rare.

use std::ops::Range;

use super::Scoreboard;
use super::segment::{Segment, flag};

impl Scoreboard {
    /// Cuts a segment that is sent again after `len` bytes of payload, because a shrunk window has
    /// room for no more. Both parts keep the segment's state. Later segments may be renumbered.
    #[cold]
    pub(crate) fn split(&mut self, number: u64, len: u32) {
        let (end, from) = (self.host_end(number), self.get(number).seq + u64::from(len));
        let rest = self.get(end - 1).end() - from;
        if rest.div_ceil(self.sizes.mss()) == end - number - 1 {
            // The other segments of the host segment have room for the rest.
            self.get_mut(number).len = len;
            self.get_mut(number + 1).put(flag::HOST_START, true);
            self.cut_from(from, number + 1..end);
            return;
        }
        self.insert_behind(number, len);
        self.cut_from(from, number + 1..end + 1);
    }

    /// Makes two segments of one. The first has `len` bytes.
    fn insert_behind(&mut self, number: u64, len: u32) {
        let whole = *self.get(number);
        self.count(&whole, -1);
        let mut second = Segment { seq: whole.seq + u64::from(len), len: whole.len - len, ..whole };
        second.put(flag::HOST_START, true);
        let first = self.get_mut(number);
        first.len = len;
        first.put(flag::FIN, false);
        let first = *first;
        self.count(&first, 1);
        self.count(&second, 1);
        self.ring.insert_behind(number, second);
        self.lost_queue.renumber_behind(number);
        if second.is_lost() {
            self.lost_queue.push(number + 1);
        }
    }

    /// Trims the acknowledged part of a segment that is sent again (Linux's `tcp_trim_head`).
    #[inline]
    pub(crate) fn trim_acked(&mut self, number: u64) {
        let segment = self.get(number);
        if segment.seq < self.acked_into && self.acked_into < segment.end() {
            self.trim(number);
        }
    }

    #[cold]
    fn trim(&mut self, number: u64) {
        let (before, seq) = (*self.get(number), self.acked_into);
        self.count(&before, -1);
        let segment = self.get_mut(number);
        segment.len -= u32::try_from(seq - segment.seq).unwrap_or(0);
        segment.seq = seq;
        let after = *segment;
        self.count(&after, 1);
        self.una = seq;
        let end = self.host_end(number);
        let bytes = self.get(end - 1).end() - seq;
        if bytes.div_ceil(self.sizes.mss()) == end - number {
            self.cut_from(seq, number..end);
        }
    }

    /// Adds a segment to the sums `times` times, which may be negative.
    fn count(&mut self, segment: &Segment, times: i64) {
        self.sums.add(segment, self.sizes.weight(u64::from(segment.len)), times);
    }

    /// End of the run of segments from `number` on with its state and in its host segment.
    fn host_end(&self, number: u64) -> u64 {
        const STATE: u16 = flag::SACKED | flag::LOST | flag::RETRANS | flag::EVER_RETRANS;
        let first = self.get(number).flags;
        let goes_along = |next: &u64| {
            let flags = self.get(*next).flags;
            flags & flag::HOST_START == 0 && (flags ^ first) & STATE == 0
        };
        let later = number + 1..self.ring.numbers().end;
        number + 1 + later.take_while(goes_along).count() as u64
    }

    /// Shares out the bytes from `seq` to the end of these segments among them, full ones first.
    fn cut_from(&mut self, mut seq: u64, numbers: Range<u64>) {
        let stop = self.get(numbers.end - 1).end();
        for number in numbers {
            let to = (seq + self.sizes.mss()).min(stop);
            let segment = self.get_mut(number);
            (segment.seq, segment.len) = (seq, u32::try_from(to - seq).unwrap_or(u32::MAX));
            seq = to;
        }
    }

    /// Ends the host's segment before `number`, if that is out.
    pub(crate) fn cut_before(&mut self, number: u64) {
        if self.ring.numbers().contains(&number) {
            self.get_mut(number).put(flag::HOST_START, true);
        }
    }
}
