//! The receiving side of ECN: the echo of marks, classic (RFC 3168) and accurate.

use super::options::Options;
use crate::packet::{Ecn, Packet, flags};
use crate::transport::plan::EcnMode;

/// Marks that the receiver echoes.
#[derive(Default)]
pub(super) struct Marks {
    /// A mark has arrived, and no CWR since.
    is_unanswered: bool,
    /// Marked payload received, bytes modulo 2^32.
    bytes: u32,
}

impl Marks {
    /// Takes in the ECN fields of a data segment. Returns whether it brings the first mark since
    /// the sender answered the last one.
    pub fn on_data(&mut self, packet: &Packet, options: &Options) -> bool {
        if options.hides_marks {
            return false;
        }
        if packet.has(flags::CWR) {
            self.is_unanswered = false;
        }
        if packet.ecn != Ecn::Ce {
            return false;
        }
        self.bytes = self.bytes.wrapping_add(packet.payload);
        !std::mem::replace(&mut self.is_unanswered, true)
    }

    /// The classic echo: the ECE flag, while the sender has not answered.
    #[inline]
    pub fn echo(&self, mode: EcnMode) -> u16 {
        if mode == EcnMode::Classic && self.is_unanswered { flags::ECE } else { 0 }
    }

    /// The accurate echo: marked payload received, bytes modulo 2^32.
    #[inline]
    pub fn bytes(&self) -> u32 {
        self.bytes
    }
}
