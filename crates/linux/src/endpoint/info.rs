//! `TCP_INFO`, the kernel's state of a connection.
//!
//! The structure grows from release to release, and a kernel returns as much as it has. The fields
//! are therefore read by offset (`include/uapi/linux/tcp.h`), and a field that an older kernel
//! lacks is zero or absent.

use std::io;
use std::os::fd::AsFd;

use super::option;

/// `TCP_INFINITE_SSTHRESH` of `include/net/tcp.h`.
const NO_SSTHRESH: u32 = 0x7fff_ffff;
/// A length above that of the structure in any kernel so far (280 bytes in Linux 6.18).
const LONGEST: usize = 512;

/// States of a connection, from `include/net/tcp_states.h`.
pub mod state {
    /// Open both ways.
    pub const ESTABLISHED: u8 = 1;
    /// The SYN is out.
    pub const SYN_SENT: u8 = 2;
    /// The FIN is out, or waits behind data.
    pub const FIN_WAIT1: u8 = 4;
}

/// States of congestion control, from `tcpi_ca_state`.
pub mod ca_state {
    /// The window is being reduced without a loss.
    pub const CWR: u8 = 2;
    /// Fast recovery.
    pub const RECOVERY: u8 = 3;
}

/// The fields of `TCP_INFO` in use. As in the kernel, windows are in packets, times in us, rates in
/// bytes/s.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// State of the connection, as in [`state`].
    pub state: u8,
    /// State of congestion control, as in [`ca_state`].
    pub ca_state: u8,
    /// Payload of a full segment, bytes.
    pub mss: u32,
    /// Packets sent and not acknowledged cumulatively.
    pub unacked: u32,
    /// Outstanding packets that the receiver has.
    pub sacked: u32,
    /// Outstanding packets believed lost.
    pub lost: u32,
    /// Lost packets that were retransmitted.
    pub retrans: u32,
    /// Smoothed round-trip time.
    pub rtt: u32,
    /// Slow-start threshold; absent before the first reduction.
    pub ssthresh: Option<u32>,
    /// Congestion window.
    pub cwnd: u32,
    /// Pacing rate, also where no pacing is done.
    pub pacing_rate: u64,
    /// Bytes acknowledged; the SYN and the FIN count one each.
    pub bytes_acked: u64,
    /// Least round-trip time of the last `net.ipv4.tcp_min_rtt_wlen` seconds.
    pub min_rtt: u32,
    /// Latest delivery-rate sample; a lower one while the application limits does not replace it.
    pub delivery_rate: u64,
    /// Bytes in the send buffer that were never sent.
    pub unsent: u32,
    /// Time without room in the receiver's window.
    pub rwnd_limited: u64,
    /// D-SACKs received.
    pub dsack_dups: u32,
    /// Times that reordering was seen.
    pub reord_seen: u32,
    /// Timeouts, since Linux 6.7.
    pub total_rto: Option<u16>,
}

impl Info {
    /// Reads the present state of a socket.
    pub fn read(socket: impl AsFd) -> io::Result<Self> {
        let mut bytes = [0; LONGEST];
        Ok(Self::parse(option::tcp(socket, libc::TCP_INFO, &mut bytes)?))
    }

    fn parse(bytes: &[u8]) -> Self {
        let fields = Fields(bytes);
        let ssthresh = fields.u32(76);
        Self {
            state: fields.u8(0),
            ca_state: fields.u8(1),
            mss: fields.u32(16),
            unacked: fields.u32(24),
            sacked: fields.u32(28),
            lost: fields.u32(32),
            retrans: fields.u32(36),
            rtt: fields.u32(68),
            ssthresh: (ssthresh < NO_SSTHRESH).then_some(ssthresh),
            cwnd: fields.u32(80),
            pacing_rate: fields.u64(104),
            bytes_acked: fields.u64(120),
            min_rtt: fields.u32(148),
            delivery_rate: fields.u64(160),
            unsent: fields.u32(144),
            rwnd_limited: fields.u64(176),
            dsack_dups: fields.u32(216),
            reord_seen: fields.u32(220),
            total_rto: fields.get(240).map(u16::from_ne_bytes),
        }
    }

    /// Whether the connection is being opened, is open, or has unacknowledged data or an
    /// unacknowledged FIN.
    #[must_use]
    pub fn is_active(&self) -> bool {
        matches!(self.state, state::ESTABLISHED | state::SYN_SENT | state::FIN_WAIT1)
    }

    /// `tcp_packets_in_flight` of `include/net/tcp.h`; a SYN is not in flight.
    #[must_use]
    pub fn inflight_packets(&self) -> u32 {
        if self.state == state::SYN_SENT {
            return 0;
        }
        let sent = self.unacked.saturating_add(self.retrans);
        sent.saturating_sub(self.sacked.saturating_add(self.lost))
    }

    /// Length of this number of packets, bytes.
    #[must_use]
    pub fn bytes(&self, packets: u32) -> u64 {
        u64::from(packets) * u64::from(self.mss)
    }

    /// `tcp_in_slow_start` of `include/net/tcp.h`.
    #[must_use]
    pub fn is_in_slow_start(&self) -> bool {
        self.ssthresh.is_none_or(|ssthresh| self.cwnd < ssthresh)
    }
}

/// Fields by their offset; zero where the kernel has no such field.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn get<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at + N)?.try_into().ok()
    }

    fn u8(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    fn u32(&self, at: usize) -> u32 {
        self.get(at).map_or(0, u32::from_ne_bytes)
    }

    fn u64(&self, at: usize) -> u64 {
        self.get(at).map_or(0, u64::from_ne_bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    proptest::proptest! {
        /// An answer of the kernel may have any length and any content.
        #[test]
        fn no_bytes_panic(
            bytes: Vec<u8>,
            long in proptest::collection::vec(proptest::num::u8::ANY, LONGEST),
        ) {
            for bytes in [bytes, long] {
                let info = Info::parse(&bytes);
                let _ = (info.inflight_packets(), info.bytes(info.cwnd));
                let _ = (info.is_active(), info.is_in_slow_start());
            }
        }
    }

    /// Each field stands where libc's structure, which ends with `tcpi_snd_wnd`, has it.
    #[test]
    fn offsets_are_those_of_the_headers() {
        let mut bytes = [0_u8; LONGEST];
        let mut put =
            |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
        put(offset_of!(libc::tcp_info, tcpi_snd_mss), 1448);
        put(offset_of!(libc::tcp_info, tcpi_unacked), 12);
        put(offset_of!(libc::tcp_info, tcpi_sacked), 3);
        put(offset_of!(libc::tcp_info, tcpi_lost), 2);
        put(offset_of!(libc::tcp_info, tcpi_retrans), 1);
        put(offset_of!(libc::tcp_info, tcpi_rtt), 60_000);
        put(offset_of!(libc::tcp_info, tcpi_snd_ssthresh), NO_SSTHRESH);
        put(offset_of!(libc::tcp_info, tcpi_snd_cwnd), 10);
        let info = Info::parse(&bytes[..216]);
        assert_eq!((info.mss, info.rtt, info.cwnd, info.ssthresh), (1448, 60_000, 10, None));
        assert_eq!(info.inflight_packets(), 12 + 1 - 3 - 2);
        // The answer of an old kernel.
        assert_eq!((info.dsack_dups, info.total_rto), (0, None));
        assert_eq!(Info::parse(&bytes).total_rto, Some(0));
    }
}
