//! The receiver behind the ACKs of a random script.

use super::script::{Ack, Echo};

/// A data packet as it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// First byte.
    pub start: u64,
    /// The byte after the last; a FIN counts one.
    pub end: u64,
    /// Number of this transmission of the segment's first byte, from 0.
    pub nth: u32,
    /// Whether it was marked.
    pub marked: bool,
    /// Whether it says that the window was reduced.
    pub cwr: bool,
}

/// A receiver with SACK, D-SACK, timestamps and ECN.
#[derive(Clone, Debug, Default)]
pub struct Peer {
    /// Next byte expected.
    next: u64,
    /// Ranges out of order, the most recent first.
    ranges: Vec<(u64, u64)>,
    duplicate: Option<(u64, u64)>,
    echo: Echo,
    last_ack: u64,
    echoes_marks: bool,
    /// In-order segments that are not acknowledged yet.
    pub pending: u32,
}

impl Peer {
    /// Takes a packet. Returns whether the peer sends an ACK at once.
    pub fn take(&mut self, data: &Data) -> bool {
        if data.cwr {
            self.echoes_marks = false;
        }
        if data.marked {
            self.echoes_marks = true;
        }
        if data.start <= self.last_ack && self.last_ack < data.end {
            self.echo = Echo { seq: data.start, nth: data.nth };
        }
        self.pending += 1;
        let has = |range: &(u64, u64)| range.0 <= data.start && data.end <= range.1;
        if data.end <= self.next || self.ranges.iter().any(has) {
            self.duplicate = Some((data.start, data.end));
            // The range that contains the packet is reported first.
            if let Some(at) = self.ranges.iter().position(has) {
                let range = self.ranges.remove(at);
                self.ranges.insert(0, range);
            }
            return true;
        }
        let mut range = (data.start, data.end);
        self.ranges.retain(|other| {
            let apart = other.1 < range.0 || range.1 < other.0;
            if !apart {
                range = (range.0.min(other.0), range.1.max(other.1));
            }
            apart
        });
        let had_holes = !self.ranges.is_empty() || range != (data.start, data.end);
        if range.0 <= self.next {
            self.next = range.1;
            had_holes
        } else {
            self.ranges.insert(0, range);
            true
        }
    }

    /// Whether something is missing below what has arrived.
    pub fn has_holes(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// An ACK of everything that has arrived.
    pub fn ack(&mut self, window: u32) -> Ack {
        let mut sacks: Vec<_> =
            self.duplicate.take().into_iter().chain(self.ranges.iter().copied()).collect();
        sacks.truncate(3);
        self.pending = 0;
        self.last_ack = self.next;
        Ack { ack: self.next, sacks, window, ece: self.echoes_marks, echo: self.echo }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(start: u64, end: u64) -> Data {
        Data { start, end, nth: 0, marked: false, cwr: false }
    }

    #[test]
    fn it_reports_holes_the_newest_first_and_duplicates_before_them() {
        let mut peer = Peer::default();
        assert!(!peer.take(&data(0, 1000)));
        assert!(peer.take(&data(2000, 3000)));
        assert!(peer.take(&data(4000, 5000)));
        let ack = peer.ack(0);
        assert_eq!((ack.ack, ack.sacks), (1000, vec![(4000, 5000), (2000, 3000)]));
        assert!(peer.take(&data(2000, 3000)), "a duplicate above the ACK");
        assert_eq!(peer.ack(0).sacks, [(2000, 3000), (2000, 3000), (4000, 5000)]);
        assert!(peer.take(&data(0, 1000)), "a duplicate below it");
        assert_eq!(peer.ack(0).sacks, [(0, 1000), (2000, 3000), (4000, 5000)]);
        assert!(peer.take(&data(1000, 2000)));
        let ack = peer.ack(0);
        assert_eq!((ack.ack, ack.sacks), (3000, vec![(4000, 5000)]));
        assert!(peer.take(&data(3000, 4000)));
        let ack = peer.ack(0);
        assert_eq!((ack.ack, ack.sacks, peer.has_holes()), (5000, vec![], false));
    }

    /// RFC 7323, section 4.3: delayed ACKs echo their first segment, ACKs of out-of-order segments
    /// the last one that advanced.
    #[test]
    fn it_echoes_the_segment_that_its_last_ack_asked_for() {
        let mut peer = Peer::default();
        peer.take(&data(0, 1000));
        peer.take(&data(1000, 2000));
        assert_eq!(peer.ack(0).echo, Echo { seq: 0, nth: 0 });
        peer.take(&data(3000, 4000));
        assert_eq!(peer.ack(0).echo, Echo { seq: 0, nth: 0 });
        peer.take(&Data { nth: 1, ..data(2000, 3000) });
        assert_eq!(peer.ack(0).echo, Echo { seq: 2000, nth: 1 });
    }

    #[test]
    fn it_echoes_marks_until_it_hears_of_the_reduction() {
        let mut peer = Peer::default();
        peer.take(&Data { marked: true, ..data(0, 1000) });
        assert!(peer.ack(0).ece);
        peer.take(&data(1000, 2000));
        assert!(peer.ack(0).ece);
        peer.take(&Data { cwr: true, ..data(2000, 3000) });
        assert!(!peer.ack(0).ece);
    }
}
