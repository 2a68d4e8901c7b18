//! An end of a connection, as the engine sees it when it hands over a packet.

use ackclock_units::Time;

use crate::packet::Packet;
use crate::wire::Wire;

/// An end of a connection.
pub trait Endpoint {
    /// A packet has reached the host. Returns false, and does nothing, if it is not plain: then
    /// [`Endpoint::on_any_packet`] takes it in.
    fn on_plain_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> bool;

    /// A packet of any kind has reached the host.
    fn on_any_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire);

    /// A packet has reached the host.
    #[inline]
    fn on_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        if !self.on_plain_packet(packet, now, wire) {
            self.on_any_packet(packet, now, wire);
        }
    }
}
