//! Sessions in real time: their events and their commands.

use ackclock_sim::app::session::{Command, Event, Running, TransferColumns};
use ackclock_sim::plan::Plan;
use ackclock_units::Time;

use super::receivers::Arrived;

/// How a session ended.
#[derive(Clone, Debug)]
pub struct SessionEnd {
    /// Time at which the session had nothing left to do.
    pub ended_at: Option<Time>,
    /// Number of times that a transfer found no free connection.
    pub waited: u64,
}

/// All sessions.
pub struct Play {
    running: Vec<Running>,
    /// For each flow the session that runs it, and the number of the connection within it.
    of_flow: Vec<Option<(u32, usize)>>,
    /// For each flow the bytes read on earlier connections, and on all of them when it was last
    /// asked.
    before: Vec<u64>,
    seen: Vec<u64>,
    /// For each session the time of its latest event.
    latest: Vec<Time>,
    transfers: TransferColumns,
}

impl Play {
    /// Sessions of a plan that wait for their start.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut of_flow = vec![None; plan.flows.len()];
        for (index, session) in (0..).zip(&plan.sessions) {
            for (connection, flow) in session.flows.iter().enumerate() {
                of_flow[*flow as usize] = Some((index, connection));
            }
        }
        Self {
            running: Running::all(&plan.sessions, plan.seed),
            before: vec![0; plan.flows.len()],
            seen: vec![0; plan.flows.len()],
            latest: vec![Time::ZERO; plan.sessions.len()],
            of_flow,
            transfers: TransferColumns::bounded(plan.record.max_bytes),
        }
    }

    /// The session that runs a flow, and the number of the connection within it.
    #[must_use]
    pub fn of(&self, flow: usize) -> Option<(u32, usize)> {
        self.of_flow[flow]
    }

    /// The flow of a session's connection.
    #[must_use]
    pub fn flow(&self, session: u32, connection: usize) -> usize {
        self.running[session as usize].flows[connection] as usize
    }

    /// Number of sessions that have not ended.
    #[must_use]
    pub fn left(&self) -> usize {
        self.running.iter().filter(|session| session.ended_at.is_none()).count()
    }

    /// Time of the next event of any session.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.running.iter().map(Running::deadline).min().unwrap_or(Time::MAX)
    }

    /// A session whose next event is due.
    #[must_use]
    pub fn due(&self, now: Time) -> Option<u32> {
        (0..)
            .zip(&self.running)
            .find(|(_, session)| session.deadline() <= now)
            .map(|(index, _)| index)
    }

    /// Tells a session that its time has come. The session gets the time that it asked for, not the
    /// time at which the thread woke, so that arrivals follow each other as drawn.
    pub fn on_time(&mut self, index: u32, commands: &mut Vec<Command>) {
        let at = self.running[index as usize].deadline();
        self.tell(index, Event::Timer, at, commands);
    }

    /// Tells a session what happened; its commands are appended.
    pub fn tell(&mut self, index: u32, event: Event, now: Time, commands: &mut Vec<Command>) {
        let at = index as usize;
        let now = now.max(self.latest[at]);
        self.latest[at] = now;
        let session = &mut self.running[at];
        session.tell(index, event, now, commands, &mut self.transfers);
        session.has_just_ended(now);
    }

    /// Bytes that have arrived on the present connection of a flow; `None` if nothing is new.
    pub fn arrived(&mut self, flow: usize, arrived: &Arrived) -> Option<u64> {
        let bytes = arrived.bytes[flow].as_ref()?.load(std::sync::atomic::Ordering::Acquire);
        let is_new = bytes > self.seen[flow];
        self.seen[flow] = bytes;
        is_new.then(|| bytes - self.before[flow])
    }

    /// Notes the end of a flow's connection: later arrivals belong to the next one.
    pub fn finished(&mut self, flow: usize) {
        self.before[flow] = self.seen[flow];
    }

    /// Returns the transfers of the sessions, and the end of each session.
    #[must_use]
    pub fn finish(self) -> (TransferColumns, Vec<SessionEnd>) {
        let ends = self
            .running
            .iter()
            .map(|session| SessionEnd { ended_at: session.ended_at, waited: session.waited() });
        (self.transfers, ends.collect())
    }
}
