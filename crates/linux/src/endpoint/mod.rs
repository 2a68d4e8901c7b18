//! The sockets of the kernel under test: applications that write, sinks that read, and the kernel's
//! state of the connections.
//!
//! One thread has all senders, another all receivers. Sessions are the simulator's own, driven in
//! real time.

mod counters;
mod info;
mod internals;
mod line;
mod netstat;
pub(crate) mod option;
mod play;
mod receivers;
mod reset;
mod rows;
mod seat;
mod senders;
mod supply;
#[cfg(test)]
mod tests;
mod watch;

use core::fmt;
use std::io;
use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use ackclock_sim::app::AppPlan;
use ackclock_sim::app::session::TransferColumns;
use ackclock_sim::record::{FlowColumns, InternalColumns};
use ackclock_units::Duration;
use nix::errno::Errno;
use nix::sys::eventfd::{EfdFlags, EventFd};

pub use counters::KernelCounters;
pub use play::SessionEnd;

use crate::clock::{self, Clock};
use crate::lab::Lab;
use crate::lab::priority::Scheduling;
use crate::plan::LinuxPlan;
use crate::shared::Shared;
use receivers::{Arrived, Receivers};
use senders::Senders;
use supply::Supply;

/// Reason why the endpoints could not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointError(pub String);

impl EndpointError {
    fn of(self, name: &str) -> Self {
        Self(format!("{name}: {}", self.0))
    }
}

impl fmt::Display for EndpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for EndpointError {}

impl From<io::Error> for EndpointError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<Errno> for EndpointError {
    fn from(error: Errno) -> Self {
        Self(error.to_string())
    }
}

/// Circumstances of a finished thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadReport {
    /// Scheduling class of the thread.
    pub scheduling: Scheduling,
    /// Processor time that it took, ns.
    pub cpu_ns: u64,
}

impl ThreadReport {
    /// The report of the calling thread.
    #[must_use]
    fn now(scheduling: Scheduling) -> Self {
        Self { scheduling, cpu_ns: clock::thread_cpu_ns() }
    }
}

/// Results of the senders' thread.
#[derive(Debug)]
pub struct SenderOutput {
    rows: rows::Rows,
    late: Duration,
    counters: Vec<KernelCounters>,
    transfers: TransferColumns,
    sessions: Vec<SessionEnd>,
    thread: ThreadReport,
}

/// Both ends of all flows, before they work.
pub struct Ends {
    /// Applications, and their sockets.
    pub senders: Senders,
    /// Sockets that read.
    pub receivers: Receivers,
    arrived: Arc<Arrived>,
}

/// The threads of a run.
#[derive(Debug)]
pub struct Endpoints {
    senders: JoinHandle<Result<SenderOutput, EndpointError>>,
    receivers: JoinHandle<Result<ThreadReport, EndpointError>>,
    arrived: Arc<Arrived>,
}

/// Results of the endpoints.
#[derive(Debug)]
pub struct EndpointOutput {
    /// Series of flows.
    pub flow_samples: FlowColumns,
    /// Series of the algorithms' internals that the kernel reports.
    pub internals: InternalColumns,
    /// Counters of each flow, since the warm-up.
    pub flows: Vec<KernelCounters>,
    /// Transfers of sessions.
    pub transfers: TransferColumns,
    /// How each session ended.
    pub sessions: Vec<SessionEnd>,
    /// Largest delay between the moment of a sample and its taking.
    pub sample_late: Duration,
    /// Report of the senders' thread.
    pub senders: ThreadReport,
    /// Report of the receivers' thread.
    pub receivers: ThreadReport,
}

/// Makes all sockets. Receivers listen when it returns; each flow connects at its time.
///
/// # Errors
///
/// If a socket cannot be made, for example for a congestion control that this kernel lacks.
pub fn start(
    plan: &LinuxPlan,
    lab: &Lab,
    clock: Clock,
    shared: Arc<Shared>,
) -> Result<Ends, EndpointError> {
    let (seats, streams) = seat::take(plan, lab)?;
    let supply = Supply::new(plan, |flow| {
        seat::pair(lab, flow.host)?.sender.within(supply::namespace_of_this_thread)
    })?;
    Ends::new(plan, seats, streams, supply, clock, shared)
}

impl Ends {
    fn new(
        plan: &LinuxPlan,
        seats: Vec<seat::Seat>,
        streams: Vec<UdpSocket>,
        supply: Supply,
        clock: Clock,
        shared: Arc<Shared>,
    ) -> Result<Self, EndpointError> {
        let counted = |app: &AppPlan| (*app == AppPlan::Session {}).then(|| AtomicU64::new(0));
        let arrived = Arc::new(Arrived {
            bytes: plan.plan.flows.iter().map(|flow| counted(&flow.app)).collect(),
            grown: EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)?,
            stop: AtomicBool::new(false),
        });
        let (ends, listeners): (Vec<_>, Vec<_>) =
            seats.into_iter().map(|seat| (seat.sender, seat.listener)).unzip();
        let receivers = Receivers::new(listeners, streams, Arc::clone(&arrived))?;
        let senders = Senders::new(
            &plan.plan,
            &plan.flows,
            ends,
            supply,
            clock,
            shared,
            Arc::clone(&arrived),
        )?;
        Ok(Self { senders, receivers, arrived })
    }

    /// Starts a thread for each side.
    ///
    /// # Errors
    ///
    /// If there is no thread.
    pub fn launch(self) -> Result<Endpoints, EndpointError> {
        let Self { senders, receivers, arrived } = self;
        Ok(Endpoints {
            senders: thread::Builder::new().name("senders".into()).spawn(|| senders.run())?,
            receivers: thread::Builder::new().name("receivers".into()).spawn(|| receivers.run())?,
            arrived,
        })
    }

    /// The results, where both sides worked on the calling thread.
    #[must_use]
    pub fn finish(self, scheduling: Scheduling) -> EndpointOutput {
        let senders = self.senders.finish(scheduling);
        EndpointOutput::new(senders, ThreadReport::now(scheduling))
    }
}

impl Endpoints {
    /// Waits for the threads, after `Shared::stop` was set.
    ///
    /// # Errors
    ///
    /// If a system call of a thread failed.
    pub fn finish(self) -> Result<EndpointOutput, EndpointError> {
        let senders = joined(self.senders);
        // The receivers stop after the senders, who would take a closed connection for a broken
        // one.
        self.arrived.stop.store(true, Ordering::Relaxed);
        let receivers = joined(self.receivers)?;
        Ok(EndpointOutput::new(senders?, receivers))
    }
}

impl EndpointOutput {
    fn new(senders: SenderOutput, receivers: ThreadReport) -> Self {
        Self {
            flow_samples: senders.rows.flows,
            internals: senders.rows.internals,
            flows: senders.counters,
            transfers: senders.transfers,
            sessions: senders.sessions,
            sample_late: senders.late,
            senders: senders.thread,
            receivers,
        }
    }
}

fn joined<T>(thread: JoinHandle<Result<T, EndpointError>>) -> Result<T, EndpointError> {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
