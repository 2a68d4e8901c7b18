//! Sessions in real time: what they are told, and what they want done.

use ackclock_sim::app::session::{Command, Event, Running, TransferColumns};
use ackclock_sim::plan::Plan;
use ackclock_units::Time;

use super::receivers::Arrived;

/// How a session ended.
#[derive(Clone, Debug)]
pub struct SessionEnd {
    /// When it had nothing left to do.
    pub ended_at: Option<Time>,
    /// How often something found no connection free.
    pub waited: u64,
}

/// All sessions.
pub struct Play {
    running: Vec<Running>,
    /// By flow: the session that runs it, and which of its connections it is.
    of_flow: Vec<Option<(u32, usize)>>,
    /// By flow: bytes read on the connections before the present one, and when it was last asked, on all.
    before: Vec<u64>,
    seen: Vec<u64>,
    /// By session: the latest time that it was told.
    told: Vec<Time>,
    transfers: TransferColumns,
}

impl Play {
    /// Sessions that wait for their start.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut of_flow = vec![None; plan.flows.len()];
        for (index, session) in (0..).zip(&plan.sessions) {
            for (connection, flow) in session.flows.iter().enumerate() {
                of_flow[*flow as usize] = Some((index, connection));
            }
        }
        Self {
            running: plan.sessions.iter().map(|session| Running::new(session, plan.seed)).collect(),
            before: vec![0; plan.flows.len()],
            seen: vec![0; plan.flows.len()],
            told: vec![Time::ZERO; plan.sessions.len()],
            of_flow,
            transfers: TransferColumns::bounded(plan.record.max_bytes),
        }
    }

    /// The session that runs a flow, and which of its connections that is.
    #[must_use]
    pub fn of(&self, flow: usize) -> Option<(u32, usize)> {
        self.of_flow[flow]
    }

    /// The flow of a session's connection.
    #[must_use]
    pub fn flow(&self, session: u32, connection: usize) -> usize {
        self.running[session as usize].flows[connection] as usize
    }

    /// How many have not come to their end.
    #[must_use]
    pub fn left(&self) -> usize {
        self.running.iter().filter(|session| session.ended_at.is_none()).count()
    }

    /// When the first of them wants to be asked.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.running.iter().map(Running::deadline).min().unwrap_or(Time::MAX)
    }

    /// A session whose time has come.
    #[must_use]
    pub fn due(&self, now: Time) -> Option<u32> {
        (0..)
            .zip(&self.running)
            .find(|(_, session)| session.deadline() <= now)
            .map(|(index, _)| index)
    }

    /// Its time has come. It is told the time that it asked for, not the one at which we woke, so that arrivals follow each other as drawn.
    pub fn on_time(&mut self, index: u32, commands: &mut Vec<Command>) {
        let at = self.running[index as usize].deadline();
        self.tell(index, Event::Timer, at, commands);
    }

    /// Tells a session what happened; its commands are appended.
    pub fn tell(&mut self, index: u32, event: Event, now: Time, commands: &mut Vec<Command>) {
        let at = index as usize;
        let now = now.max(self.told[at]);
        self.told[at] = now;
        let session = &mut self.running[at];
        session.tell(index, event, now, commands, &mut self.transfers);
        session.has_just_ended(now);
    }

    /// What has arrived on a flow since it was last asked: so many bytes of the present connection's in all.
    pub fn arrived(&mut self, flow: usize, arrived: &Arrived) -> Option<u64> {
        let bytes = arrived.bytes[flow].as_ref()?.load(std::sync::atomic::Ordering::Acquire);
        let is_new = bytes > self.seen[flow];
        self.seen[flow] = bytes;
        is_new.then(|| bytes - self.before[flow])
    }

    /// A flow's connection is finished: what arrives from now on is the next one's.
    pub fn finished(&mut self, flow: usize) {
        self.before[flow] = self.seen[flow];
    }

    /// What they moved, and how they ended.
    #[must_use]
    pub fn finish(self) -> (TransferColumns, Vec<SessionEnd>) {
        let ends = self.running.iter().map(|session| SessionEnd {
            ended_at: session.ended_at,
            waited: session.waited(),
        });
        (self.transfers, ends.collect())
    }
}
