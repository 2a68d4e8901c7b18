//! A run of a plan: construction, event loop, sessions, samples, and results, a file each.

mod build;
mod event_loop;
mod finish;
mod later_rows;
mod rounds;
mod runaway;
mod sampler;
mod sampling;
mod sessions;

use ackclock_units::Time;

use self::rounds::Rounds;
use self::sampler::Sampler;
use self::sampling::Sampling;
use self::sessions::Sessions;
use crate::decisions::Decisions;
use crate::event::{Moment, Sources};
use crate::net::Network;
use crate::plan::Plan;
use crate::record::{DecisionColumns, PacketColumns};
use crate::transport::receiver::Receiver;
use crate::transport::sender::Sender;
use crate::udp::{DatagramColumns, Stream};

/// Progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// There are events left.
    Running {
        /// Time of the last event.
        now: Time,
    },
    /// Nothing is left to do.
    Finished,
}

/// A run of a plan.
pub struct Simulation<'plan> {
    plan: &'plan Plan,
    network: Network,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    streams: Vec<Stream>,
    datagrams: DatagramColumns,
    sessions: Sessions,
    sampler: Sampler,
    sampling: Sampling,
    decisions: Decisions,
    sources: Sources,
    now: Time,
    end: Time,
    warmup: Option<Time>,
    measured_from: Time,
    unfinished: usize,
    /// When the last flow finished so far, in a run by rounds.
    last_finish: Moment,
    events: u64,
    /// `None`: the run goes by events.
    rounds: Option<Box<Rounds>>,
    /// The first moment that does not belong to the run; `None`: it has not ended.
    stopped: Option<Moment>,
    /// Time of the last check for growth without bound, and the number of checks before that found
    /// the same time.
    checked_at: Time,
    checks_at_instant: u32,
    fault: Option<String>,
}

impl Simulation<'_> {
    /// Why the run cannot go on; `None`: it can go on, or has come to its end.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Packet events recorded so far, in a run by events.
    #[must_use]
    pub fn packets(&self) -> &PacketColumns {
        &self.network.log.packets
    }

    /// Decisions recorded so far.
    #[must_use]
    pub fn decisions(&self) -> &DecisionColumns {
        &self.decisions.table
    }

    /// Removes the packets and decisions before `time` from the record, so that a long run can be
    /// read part by part in bounded memory. It must be a run by events.
    pub fn forget_before(&mut self, time: Time) {
        let packets = &mut self.network.log.packets;
        packets.forget_first(packets.rows_before(time));
        let decisions = &mut self.decisions.table;
        decisions.forget_first(decisions.rows_before(time));
    }

    /// Senders, for checks of invariants while running.
    #[must_use]
    pub fn senders(&self) -> &[Sender] {
        &self.senders
    }

    /// Receivers, for checks of invariants while running.
    #[must_use]
    pub fn receivers(&self) -> &[Receiver] {
        &self.receivers
    }

    /// The network, for checks of invariants while running.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }
}
