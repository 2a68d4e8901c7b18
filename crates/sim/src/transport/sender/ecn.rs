//! The sending side of ECN: marks that the receiver reports, and CWR.

use crate::packet::{Ecn, Packet, flags};
use crate::transport::plan::EcnMode;

/// Marks that the receiver has reported, and the CWR that the sender owes it.
#[derive(Default)]
pub(super) struct EcnEcho {
    /// Marked payload that the receiver has reported, bytes modulo 2^32 (accurate feedback).
    marked_seen: u32,
    /// The next new data carries CWR.
    owes_cwr: bool,
}

impl EcnEcho {
    /// Takes in the marks that an ACK reports. Returns the newly marked bytes (accurate feedback),
    /// and whether the ACK tells of congestion. `is_old`: an earlier ACK acknowledged more, so that
    /// a classic echo is of marks that were answered.
    #[inline]
    pub fn on_ack(&mut self, packet: &Packet, is_old: bool, mode: EcnMode) -> (u64, bool) {
        match mode {
            EcnMode::Off => (0, false),
            EcnMode::Classic => (0, packet.has(flags::ECE) && !is_old),
            EcnMode::Accurate | EcnMode::L4s => {
                let marked = u64::from(packet.ce_bytes.wrapping_sub(self.marked_seen));
                self.marked_seen = packet.ce_bytes;
                (marked, marked > 0)
            }
        }
    }

    /// The window is reduced, for any reason: that answers its marks (RFC 3168 section 6.1.2).
    pub fn on_reduction(&mut self, mode: EcnMode) {
        self.owes_cwr = mode == EcnMode::Classic;
    }

    /// The CWR flag, if the new data that is about to be sent has to carry it.
    #[inline]
    pub fn take_cwr(&mut self) -> u16 {
        if core::mem::take(&mut self.owes_cwr) { flags::CWR } else { 0 }
    }
}

/// Codepoint of a packet with new data.
#[inline]
pub(super) fn codepoint(mode: EcnMode) -> Ecn {
    match mode {
        EcnMode::Off => Ecn::NotEct,
        EcnMode::Classic | EcnMode::Accurate => Ecn::Ect0,
        EcnMode::L4s => Ecn::Ect1,
    }
}
