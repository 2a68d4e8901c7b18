//! Segmentation offload: the bytes that the host hands over at once (Linux's `tcp_tso_autosize`).

use ackclock_units::{Duration, Rate};

/// Linux's `sk_pacing_shift`, for a 1024th of a second, and three more bits from bits to bytes.
const RATE_SHIFT: u32 = 10 + 3;
/// Time in which the rate sends a burst, if the peer is not near: a 1024th of a second in whole
/// picoseconds.
pub const PS_PER_BURST: u64 = 1_000_000_000_000 >> 10;
/// Bytes of the largest host segment, which the host cuts into packets: Linux's
/// `GSO_LEGACY_MAX_SIZE` less the headers' room.
pub const MOST_BYTES: u64 = 65_215;
/// Linux's `tcp_tso_rtt_log`: a near peer is sent more at once than the rate's share. Each 512 us
/// of the smallest RTT halve the surplus.
const NEAR: Duration = Duration::from_micros(512);
/// Bits of `sk_gso_max_size`: after as many halvings nothing is left of it.
const HALVINGS: u64 = 32;

/// Bytes of one burst: a 1024th of a second of `rate`, and more if the peer is near. Whole segments
/// are sent. `min_rtt`: zero before any sample.
pub fn burst_bytes(rate: Rate, min_rtt: Duration) -> u64 {
    let halvings = min_rtt.as_ps() / NEAR.as_ps();
    let near = if halvings < HALVINGS && !min_rtt.is_zero() { MOST_BYTES >> halvings } else { 0 };
    ((rate.as_bps() >> RATE_SHIFT) + near).min(MOST_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 Mbit/s are 12 207 bytes in 1/1024 s; 65 215 bytes halve 78 times in 40 ms, 7 times in 4
    /// ms (509 bytes), once in 1 ms.
    #[test]
    fn a_near_peer_is_sent_more_at_once() {
        let rate = Rate::from_bps(100_000_000);
        for (rtt_us, segments) in
            [(0, 12), (40_000, 12), (4_000, 12), (2_600, 14), (1_000, 44), (400, 65)]
        {
            let bytes = burst_bytes(rate, Duration::from_micros(rtt_us));
            assert_eq!(bytes / 1000, segments, "{rtt_us} us");
        }
    }
}
