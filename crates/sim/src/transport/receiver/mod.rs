//! The receiving side of a connection.
//!
//! A [`Receiver`] is put together from parts, as the [sender](super::sender) is. Each part owns its
//! state and stands in a file of its own.
//!
//! | part | owns |
//! |---|---|
//! | [`Connection`] | identity and life of the connection, RTT of the handshake |
//! | [`Reassembly`] | data in order, data above holes, the FIN (RFC 9293 section 3.10.7.4) |
//! | [`SackBlocks`] | blocks that ACKs report: SACK (RFC 2018), D-SACK (RFC 2883) |
//! | [`AckSchedule`] | when an ACK is due: delayed, quick, held back (RFC 5681 section 4.2) |
//! | [`Window`] | the advertised window, the reading application, the buffer's [tuner] |
//! | [`TimestampEcho`] | the timestamp to echo, and which segments are too old (RFC 7323) |
//! | [`Marks`] | the echo of marks (RFC 3168) |
//! | [`Optimist`] | data that a misbehaving receiver acknowledges early or conceals |
//! | [`ReceiverStats`] | counters |
//!
//! The other files hold the receiver's actions: `arrival` takes packets in, and `answer` sends
//! ACKs.

mod answer;
mod arrival;
mod connection;
mod ecn;
mod misbehaviour;
mod options;
mod reassembly;
mod sack_blocks;
mod schedule;
mod stats;
mod timestamps;
mod tuner;
mod window;

use std::sync::Arc;

use ackclock_units::Time;

use self::connection::Connection;
use self::ecn::Marks;
use self::misbehaviour::Optimist;
use self::options::Options;
use self::reassembly::Reassembly;
use self::sack_blocks::SackBlocks;
use self::schedule::AckSchedule;
pub use self::stats::ReceiverStats;
use self::timestamps::TimestampEcho;
use self::window::Window;
use crate::transport::flow::FlowPlan;

/// A receiver.
pub struct Receiver {
    connection: Connection,
    options: Arc<Options>,
    data: Reassembly,
    blocks: SackBlocks,
    schedule: AckSchedule,
    window: Window,
    echo: TimestampEcho,
    marks: Marks,
    /// None: the receiver acknowledges what has arrived.
    optimist: Option<Box<Optimist>>,
    stats: ReceiverStats,
}

impl Receiver {
    /// A listening receiver.
    #[must_use]
    pub fn new(index: u32, flow: &FlowPlan) -> Self {
        let options = Options::new(&flow.transport);
        Self {
            connection: Connection::new(index, flow.priority),
            data: Reassembly::new(),
            blocks: SackBlocks::default(),
            schedule: AckSchedule::new(&options.acks),
            window: Window::new(&flow.transport),
            echo: TimestampEcho::default(),
            marks: Marks::default(),
            optimist: Optimist::new(&flow.transport),
            stats: ReceiverStats::default(),
            options: Arc::new(options),
        }
    }

    /// Shares the options of `other`, if they are equal.
    pub(crate) fn sharing(mut self, other: Option<&Self>) -> Self {
        if let Some(other) = other.filter(|other| other.options == self.options) {
            self.options = Arc::clone(&other.options);
        }
        self
    }

    /// Makes this the connection that follows `last` on the same flow: counters go on.
    pub(crate) fn follow(&mut self, last: Self) {
        self.connection.follow(&last.connection, last.delivered_in_all());
        self.stats = last.stats;
    }

    /// In-order payload that has arrived so far, on all of the flow's connections, bytes.
    #[must_use]
    pub fn delivered_in_all(&self) -> u64 {
        let concealed = self.optimist.as_ref().map_or(0, |optimist| optimist.concealed());
        self.connection.delivered_before() + self.delivered() - concealed
    }

    /// In-order payload of this connection so far, bytes, with the losses that an optimistic
    /// receiver conceals.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        self.data.delivered()
    }

    /// Data of this connection so far in order or above a hole, bytes.
    pub(crate) fn arrived(&self) -> u64 {
        self.data.next() + self.data.held()
    }

    /// When the receiver next wants [`Receiver::on_timer`].
    #[must_use]
    #[inline]
    pub fn deadline(&self) -> Time {
        self.schedule.due_at().min(self.window.update_at())
    }

    /// Counters since the warm-up.
    #[must_use]
    pub fn stats(&self) -> &ReceiverStats {
        &self.stats
    }

    /// Begins the measured part of the run.
    pub fn reset_stats(&mut self) {
        self.stats = ReceiverStats::default();
    }
}
