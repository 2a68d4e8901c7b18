//! Traits of disciplines. A reader of a kind asks here, and needs no list of names.

use serde::Serialize;

/// Traits of a discipline, with all parameters and all disciplines inside it. Each discipline's
/// file has them as a constant.
///
/// `crates/sim/tests/disciplines/traits_are_what_disciplines_do.rs` holds it to the behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Traits {
    /// Name in a plan.
    #[serde(skip)]
    pub kind: &'static str,
    /// Whether it draws random numbers.
    pub draws: bool,
    /// Whether it only judges arrivals, so that a link computes departures.
    pub judges_arrivals: bool,
    /// Whether it drops none that waits: a packet is refused when it arrives, or leaves.
    pub keeps_waiting: bool,
    /// Whether packets leave in the order in which they came.
    pub in_order: bool,
    /// Whether each flow has a queue of its own and an equal share.
    pub is_fair: bool,
    /// Whether it can mark ECN-capable packets.
    pub marks: bool,
    /// Whether L4S packets have a queue of their own (RFC 9332).
    pub serves_l4s: bool,
}

impl Traits {
    /// A queue in order of arrival that refuses arrivals and drops none that waits.
    pub(super) const GATE: Self = Self {
        kind: "",
        draws: false,
        judges_arrivals: false,
        keeps_waiting: true,
        in_order: true,
        is_fair: false,
        marks: false,
        serves_l4s: false,
    };
    /// A queue in order of arrival that drops or marks packets at its head.
    pub(super) const HEAD: Self = Self { keeps_waiting: false, marks: true, ..Self::GATE };
    /// Queues with a scheduler, which may also drop what waits.
    pub(super) const SCHEDULER: Self = Self { keeps_waiting: false, in_order: false, ..Self::GATE };
}
