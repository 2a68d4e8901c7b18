//! The two roles in a windowed algorithm: a slow start finds the path's capacity, and an avoidance
//! decides around it.

use crate::clone_box::copies_in_box;
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, RttSample, Rule, Ruled, Setup, Time};

/// Answer of a slow start to an ACK.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// Add that many bytes and go on.
    Grow(u64),
    /// Add `bytes` and hand over to the avoidance, because ssthresh is reached or near enough.
    /// ssthresh keeps its value.
    Exit {
        /// Bytes by which slow start's part of the ACK grows the window.
        bytes: u64,
        /// Part of the ACK's `credited` by which the avoidance grows the window, on the same ACK.
        left: u64,
    },
    /// Hand over with a window, because the path's capacity is found. The window becomes ssthresh;
    /// it may be smaller than the present one.
    ExitAt {
        /// Window, bytes.
        cwnd: u64,
        /// Part of the ACK's `credited` by which the avoidance grows the window, on the same ACK.
        left: u64,
    },
}

impl Growth {
    /// Growth by the bytes that the ACK credits, up to ssthresh: the window doubles each round
    /// trip.
    #[must_use]
    pub fn double(ack: &AckEvent, window: &Window) -> Self {
        Self::by(ack.credited, ack, window)
    }

    /// Growth by `bytes`, up to ssthresh. The part of the ACK that was not needed to get there is
    /// left for the avoidance, as in Linux, where `tcp_slow_start` returns it.
    #[must_use]
    pub fn by(bytes: u64, ack: &AckEvent, window: &Window) -> Self {
        match window.ssthresh {
            Some(ssthresh) if window.cwnd + bytes >= ssthresh => {
                let needed = ssthresh.saturating_sub(window.cwnd);
                let left = u128::from(ack.credited) * u128::from(bytes - needed)
                    / u128::from(bytes.max(1));
                Self::Exit { bytes: needed, left: u64::try_from(left).unwrap_or(u64::MAX) }
            }
            _ => Self::Grow(bytes),
        }
    }
}

/// The half of a windowed algorithm that finds the path's capacity.
pub trait SlowStart: CloneSlowStart + Send {
    /// Slow start begins, with the connection or after an RTO.
    fn begin(&mut self, window: &Window);
    /// Slow start begins after an idle period. No loss has said that the path has changed.
    fn resume(&mut self, window: &Window) {
        self.begin(window);
    }
    /// Called for every ACK in every phase, before the decision.
    fn observe(&mut self, _ack: &AckEvent, _window: &Window) {}
    /// Called for every ACK while slow start decides, even where the window may not grow. Returns
    /// the window, bytes, with which slow start ends, or `None` if it goes on. The window becomes
    /// ssthresh, and the avoidance decides on the same ACK.
    fn find_end(&mut self, _ack: &AckEvent, _window: &Window) -> Option<Ruled<u64>> {
        None
    }
    /// Whether the slow start wants RTT samples by themselves ([`Self::on_rtt`]). The frame asks
    /// once.
    fn takes_rtts(&self) -> bool {
        false
    }
    /// An RTT sample, handed over before the sender judges what else its ACK means. `is_below`: the
    /// window in force is below ssthresh. Returns the rule by which slow start ends with that
    /// window, which becomes ssthresh, or `None` if it goes on.
    fn on_rtt(&mut self, _sample: &RttSample, _mss: u64, _is_below: bool) -> Option<&'static Rule> {
        None
    }
    /// An ACK of new data while slow start decides.
    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth>;
    /// Text of the rule of an answer that came without one. `told`: `ack`, or `exit` where slow
    /// start has ended. By default it names the type.
    fn rule(&self, _told: &'static str) -> String {
        Rule::of_type(core::any::type_name::<Self>())
    }
    /// Shows internal state by name, for the recorded series.
    fn internals(&self, _show: &mut dyn FnMut(&'static str, f64)) {}
    /// Whether the undo of a congestion signal puts the state back too. Otherwise it restores cwnd
    /// and ssthresh only.
    fn has_undo_state(&self) -> bool {
        true
    }
}

/// The half of a windowed algorithm that decides around the path's capacity.
pub trait Avoidance: CloneAvoidance + Send {
    /// Called once, before the first byte.
    fn set_up(&mut self, _setup: &Setup) {}
    /// The handshake measured `rtt`. Returns the initial window, segments, or `None` if it stays.
    fn on_handshake(&mut self, _rtt: Duration) -> Option<Ruled<u64>> {
        None
    }
    /// Avoidance begins, after slow start or after a cut. After a cut the sender is in recovery,
    /// and growth comes when that ends.
    fn begin(&mut self, _window: &Window, _now: Time) {}
    /// Called for every ACK in every phase, before the decision.
    fn observe(&mut self, _ack: &AckEvent, _window: &Window) {}
    /// Whether the avoidance wants RTT samples by themselves ([`Self::on_rtt`]). The frame asks
    /// once.
    fn takes_rtts(&self) -> bool {
        false
    }
    /// An RTT sample, handed over before the sender judges what else its ACK means (Linux's
    /// `pkts_acked`). Returns the next window, bytes, with which the avoidance takes over from slow
    /// start, or `None` if it stays.
    fn on_rtt(&mut self, _sample: &RttSample, _window: &Window) -> Option<Ruled<u64>> {
        None
    }
    /// Whether RTT samples say nothing about the path now. The slow start does not see them either.
    fn discards_rtts(&self, _now: Time) -> bool {
        false
    }
    /// A segment is about to be sent while nothing is in flight. Data was last sent `idle` ago.
    fn on_transmit_start(&mut self, _now: Time, _idle: Duration) {}
    /// An ACK of new data in slow start. Returns the window, bytes, with which the avoidance takes
    /// over at once, or `None` if slow start goes on.
    fn take_over(
        &mut self,
        _ack: &AckEvent,
        _window: &Window,
        _rng: &mut Rng,
    ) -> Option<Ruled<u64>> {
        None
    }
    /// An ACK of new data while the avoidance decides. Returns the next window, bytes, which may be
    /// smaller.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Ruled<u64>;
    /// Whether the avoidance grows by what slow start leaves of the ACK that reaches ssthresh.
    fn takes_rest(&self) -> bool {
        true
    }
    /// Returns ssthresh, bytes, for the window that the avoidance has just decided on.
    fn next_ssthresh(&self, window: &Window) -> Option<u64> {
        window.ssthresh
    }
    /// As [`CongestionControl::reduces_itself`](crate::CongestionControl::reduces_itself).
    fn reduces_itself(&self) -> bool {
        false
    }
    /// As [`CongestionControl::takes_reduction`](crate::CongestionControl::takes_reduction).
    fn takes_reduction(&mut self) -> bool {
        false
    }
    /// The window has come down to ssthresh, after losses or marks. Returns another ssthresh,
    /// bytes, which becomes the window, or `None` (Linux's `CA_EVENT_COMPLETE_CWR`).
    fn on_reduced(&mut self, _window: &Window) -> Option<Ruled<u64>> {
        None
    }
    /// A signal of congestion. Returns the new ssthresh, bytes. The frame applies the floor of two
    /// segments and sets cwnd.
    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64>;
    /// Text of the rule of an answer that came without one. `told`: `ack`, `take_over`, or the name
    /// of the signal. By default it names the type.
    fn rule(&self, _told: &'static str) -> String {
        Rule::of_type(core::any::type_name::<Self>())
    }
    /// A timeout while losses were being repaired. ssthresh was already cut for this window and
    /// stays; slow start begins.
    fn on_repeated_timeout(&mut self) {}
    /// Whether the undo of a congestion signal puts the state back too. Otherwise it restores cwnd
    /// and ssthresh only, as with most algorithms in Linux.
    fn has_undo_state(&self) -> bool {
        true
    }
    /// Shows internal state by name, for the recorded series.
    fn internals(&self, _show: &mut dyn FnMut(&'static str, f64)) {}
}

copies_in_box!(SlowStart, CloneSlowStart);
copies_in_box!(Avoidance, CloneAvoidance);
