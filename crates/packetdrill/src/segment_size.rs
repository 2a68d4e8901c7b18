//! `tcpi_rcv_mss`: the size of the peer's segments as a receiving kernel estimates it
//! (`tcp_initialize_rcv_mss` and `tcp_measure_rcv_mss` of Linux 7.3).

/// Largest estimate before any data, bytes (`TCP_MSS_DEFAULT`).
const DEFAULT: u64 = 536;
/// Smallest estimate before any data, bytes (`TCP_MIN_MSS`).
const LEAST: u64 = 88;

/// An estimate of the peer's segment size.
pub struct SegmentSize {
    estimate: u64,
    /// Largest payload that the host told its peer to send, without the timestamp, bytes.
    advertised: u64,
    /// Size of the segment before, if it was below the estimate and could be a full one.
    last_small: u64,
}

impl SegmentSize {
    /// The estimate before any data. `sends` is the largest payload of the host's own segments,
    /// and `window` is what the host advertises, all in bytes.
    pub fn new(advertised: u64, sends: u64, window: u64) -> Self {
        let estimate = advertised.min(sends).min(window / 2).clamp(LEAST, DEFAULT);
        Self { estimate, advertised, last_small: 0 }
    }

    pub fn estimate(&self) -> u64 {
        self.estimate
    }

    /// Data that the host had not yet has arrived in segments of `size` bytes with `header` bytes
    /// of TCP header. `is_marked`: PSH or FIN is set, so that the segment need not be full.
    pub fn on_data(&mut self, size: u64, header: u64, is_marked: bool) {
        let last = std::mem::take(&mut self.last_small);
        if size >= self.estimate {
            self.estimate = size.min(self.advertised);
            return;
        }
        // The TCP header without options has 20 bytes.
        let smallest = 20 + if is_marked { DEFAULT } else { LEAST };
        if size + header >= smallest {
            self.last_small = size;
            if size == last {
                self.estimate = size;
            }
        }
    }
}
