//! The sessions of a run: what happens is told to them, and their commands are carried out.

use std::sync::Arc;

use ackclock_cc::CongestionControl;
use ackclock_units::Time;

use super::Simulation;
use crate::app;
use crate::app::session::{Command, Event, Running, TransferColumns};
use crate::decisions::Happened;
use crate::event::EventSource;
use crate::plan::Plan;
use crate::transport::receiver::Receiver;
use crate::transport::sender::Sender;

/// The sessions, and what their flows need.
#[derive(Default)]
pub(super) struct Sessions {
    pub(super) running: Vec<Running>,
    /// Sessions that have not ended.
    pub(super) left: usize,
    /// By flow: the session that runs it, and the number of its connection there. Empty if there
    /// are no sessions.
    pub(super) of_flow: Vec<Option<(u32, usize)>>,
    /// By flow: an unused copy of its congestion control, for connections to come.
    pub(super) pristine: Vec<Option<Box<dyn CongestionControl>>>,
    pub(super) transfers: TransferColumns,
    /// Scratch space for the commands of a session.
    commands: Vec<Command>,
}

impl Sessions {
    pub(super) fn new(plan: &Plan) -> Self {
        if plan.sessions.is_empty() {
            return Self::default();
        }
        let mut of_flow = vec![None; plan.flows.len()];
        for (index, session) in (0..).zip(&plan.sessions) {
            for (connection, flow) in session.flows.iter().enumerate() {
                of_flow[*flow as usize] = Some((index, connection));
            }
        }
        Self {
            transfers: TransferColumns::bounded(plan.record.max_bytes),
            left: plan.sessions.len(),
            running: Running::all(&plan.sessions, plan.seed),
            of_flow,
            ..Self::default()
        }
    }

    #[inline]
    pub(super) fn of(&self, flow: u32) -> Option<(u32, usize)> {
        self.of_flow.get(flow as usize).copied().flatten()
    }
}

impl Simulation<'_> {
    /// Tells a session about an event and carries out its commands.
    pub(super) fn tell_session(&mut self, index: u32, event: Event, now: Time) {
        let Sessions { running, transfers, commands, .. } = &mut self.sessions;
        let mut commands = std::mem::take(commands);
        let session = &mut running[index as usize];
        session.tell(index, event, now, &mut commands, transfers);
        for command in commands.drain(..) {
            self.obey(index, command, now);
        }
        self.sessions.commands = commands;
        let session = &mut self.sessions.running[index as usize];
        if session.has_just_ended(now) {
            self.sessions.left -= 1;
            self.finish_one();
        }
        self.await_session(index);
        if self.sessions.running[index as usize].wakes_group() {
            let group = Arc::clone(&self.sessions.running[index as usize].group);
            for member in group.iter().filter(|member| **member != index) {
                self.await_session(*member);
            }
        }
    }

    /// Schedules the next time of a session.
    fn await_session(&mut self, index: u32) {
        let deadline = self.sessions.running[index as usize].deadline();
        self.reschedule(self.sources.number(EventSource::Session(index)), deadline);
    }

    fn obey(&mut self, session: u32, command: Command, now: Time) {
        let flows = &self.sessions.running[session as usize].flows;
        match command {
            Command::Open { connection } => {
                let flow = flows[connection];
                debug_assert!(
                    !self.senders[flow as usize].is_active(),
                    "a session opens what is open"
                );
                if self.senders[flow as usize].is_done() {
                    self.renew(flow, now);
                }
                self.senders[flow as usize].open(now, &mut self.network);
                self.after_sender(flow, Happened::Write, now);
            }
            Command::Write { connection, bytes, closes } => {
                let flow = flows[connection];
                self.senders[flow as usize].hand_in(bytes, closes, now, &mut self.network);
                self.after_sender(flow, Happened::Write, now);
            }
        }
    }

    /// Replaces a finished connection of a flow by a new one.
    fn renew(&mut self, flow: u32, now: Time) {
        let at = flow as usize;
        let Some(cc) = &self.sessions.pristine[at] else { return };
        let plan = &self.plan.flows[at];
        let sender = Sender::new(flow, plan, cc.clone(), app::mailbox(), self.plan.seed);
        let mut sender = sender.sharing(Some(&self.senders[at]));
        let mut receiver = Receiver::new(flow, plan).sharing(Some(&self.receivers[at]));
        self.senders[at].settle_limits(now);
        std::mem::swap(&mut sender, &mut self.senders[at]);
        std::mem::swap(&mut receiver, &mut self.receivers[at]);
        self.senders[at].follow(sender);
        self.receivers[at].follow(receiver);
        self.reschedule(self.sources.number(EventSource::Receiver(flow)), Time::MAX);
        self.sampling.is_done[at] = false;
    }
}
