//! Timestamps (RFC 7323): which one to echo, and which segments are too old.

use ackclock_units::Time;

use crate::packet::Packet;
use crate::transport::rtt::TimestampClock;

/// The timestamp to echo (`TS.Recent`).
#[derive(Default)]
pub(super) struct TimestampEcho {
    value: u32,
    /// When it arrived; the SYN's arrival until the handshake is over.
    arrived_at: Time,
}

impl TimestampEcho {
    #[inline]
    pub fn value(&self) -> u32 {
        self.value
    }

    pub fn arrived_at(&self) -> Time {
        self.arrived_at
    }

    /// Echoes the packet's timestamp from now on.
    #[inline]
    pub fn note(&mut self, packet: &Packet, now: Time) {
        (self.value, self.arrived_at) = (packet.ts_val, now);
    }

    /// Whether the packet's timestamp is at least as new, on a clock that never wraps around.
    #[inline]
    pub fn is_in_order(&self, packet: &Packet) -> bool {
        self.value.wrapping_sub(packet.ts_val).cast_signed() <= 0
    }

    /// Ticks of the timestamp clock by which the packet is older than the timestamp to echo. Beyond
    /// half the clock's range nobody can tell, and the packet counts as new (RFC 7323 section 5.5,
    /// Linux's `TCP_PAWS_WRAP`).
    pub fn ticks_behind(&self, packet: &Packet, clock: TimestampClock, now: Time) -> i32 {
        let behind = self.value.wrapping_sub(packet.ts_val).cast_signed();
        if behind > 0 && now.since(self.arrived_at) >= clock.horizon() {
            return 0;
        }
        behind
    }

    /// Whether the packet is not acceptable: protection against wrapped sequence numbers, RFC 7323
    /// section 5.3: "If there is a Timestamps option in the arriving segment, SEG.TSval <
    /// TS.Recent, TS.Recent is valid [...], and if the RST bit is not set, then treat the arriving
    /// segment as not acceptable". Linux allows one tick.
    pub fn outdates(&self, packet: &Packet, clock: TimestampClock, now: Time) -> bool {
        self.ticks_behind(packet, clock, now) > 1
    }
}
