//! Incast: many servers answer one client at the same moment, again and again (Phanishayee et al.,
//! FAST 2008; Chen et al., WREN 2009; Alizadeh et al., DCTCP, SIGCOMM 2010, section 4.2.1).
//!
//! Each server is a session of its own. The sessions of a group share a barrier: a round begins
//! when all of them have answered in the round before.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::exchange::Exchange;
use super::{Event, Session, Setting, Stage, TransferId, TransferKind};
use crate::app::draw::Draw;
use crate::distribution::Distribution;

/// Parameters of a server that answers together with others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncastPlan {
    /// Name of the group: sessions with this name answer in the same rounds.
    pub group: String,
    /// Size of the request, bytes.
    pub request_bytes: u64,
    /// Size of the server's response, bytes.
    pub response: Distribution,
    /// Time that the server takes for a request, s.
    pub server: Distribution,
    /// Pause between a round and the next, s; the first session of the group decides.
    pub gap: Distribution,
    /// Number of rounds; absent: until the run ends. The first session of the group decides.
    #[serde(default)]
    pub count: Option<u64>,
    /// Whether connections stay open from round to round.
    pub persistent: bool,
}

/// The rounds of a group.
pub struct Barrier {
    /// By member: the size of its response.
    sizes: Vec<Draw>,
    /// By member: the response of the present round, bytes.
    asked: Vec<u64>,
    gap: Draw,
    left: u64,
    stop: Time,
    /// Number of the present or next round, from 1.
    round: u64,
    begins_at: Time,
    /// Members that have not answered in the present round.
    unanswered: usize,
    /// Members that are not ready for the next round.
    busy: usize,
    row: Option<TransferId>,
    is_over: bool,
}

impl Barrier {
    /// A barrier that the first member makes.
    fn new(plan: &IncastPlan, setting: &Setting) -> Self {
        Self {
            sizes: Vec::new(),
            asked: Vec::new(),
            gap: setting.draw(&plan.gap, "gap"),
            left: plan.count.unwrap_or(u64::MAX),
            stop: setting.stop,
            round: 1,
            begins_at: setting.start,
            unanswered: 0,
            busy: 0,
            row: None,
            is_over: false,
        }
    }

    /// Adds a member. The first round begins when the last member has started. Returns the member's
    /// number.
    fn join(&mut self, plan: &IncastPlan, setting: &Setting) -> usize {
        let mut size = setting.draw(&plan.response, "response");
        self.asked.push(size.bytes());
        self.sizes.push(size);
        self.begins_at = self.begins_at.max(setting.start);
        (self.unanswered, self.busy) = (self.sizes.len(), self.sizes.len());
        self.sizes.len() - 1
    }

    /// A member has answered. The last one ends the round.
    fn answered(&mut self, stage: &mut Stage) {
        self.unanswered -= 1;
        if self.unanswered == 0
            && let Some(row) = self.row.take()
        {
            stage.finish(row);
        }
    }

    /// A member is ready for the next round. Returns whether all are: then the time of the next
    /// round is known.
    fn ready(&mut self, now: Time) -> bool {
        self.busy -= 1;
        if self.busy > 0 {
            return false;
        }
        self.round += 1;
        self.left = self.left.saturating_sub(1);
        let next = now.saturating_add(self.gap.duration());
        self.is_over = self.left == 0 || next >= self.stop;
        self.begins_at = if self.is_over { now } else { next };
        (self.unanswered, self.busy) = (self.sizes.len(), self.sizes.len());
        for (asked, size) in self.asked.iter_mut().zip(&mut self.sizes) {
            *asked = size.bytes();
        }
        true
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The server waits for the next round.
    Idle,
    Asking,
    /// The server answers at this time.
    Serving(Time),
    Answering,
    /// The connections of a round are closed.
    Closing,
    /// The connections are closed for good.
    Leaving,
    Done,
}

/// A server and the client's connection to it.
pub struct Incast {
    barrier: Arc<Mutex<Barrier>>,
    /// Number of the server within its group.
    member: usize,
    request_bytes: u64,
    server: Draw,
    is_persistent: bool,
    is_open: bool,
    /// Rounds that this server has begun.
    round: u64,
    state: State,
    exchange: Exchange,
    present: Option<(TransferId, u64)>,
    wakes: bool,
}

impl Incast {
    /// Makes a server that waits for the first round of its group, whose barrier is `barrier` once
    /// the first member has made it.
    #[must_use]
    pub fn new(
        plan: &IncastPlan,
        setting: &Setting,
        barrier: &mut Option<Arc<Mutex<Barrier>>>,
    ) -> Self {
        let barrier = barrier
            .get_or_insert_with(|| Arc::new(Mutex::new(Barrier::new(plan, setting))))
            .clone();
        let member = hold(&barrier).join(plan, setting);
        Self {
            barrier,
            member,
            request_bytes: plan.request_bytes,
            server: setting.draw(&plan.server, "server"),
            is_persistent: plan.persistent,
            is_open: false,
            round: 0,
            state: State::Idle,
            exchange: Exchange::new(0, 1),
            present: None,
            wakes: false,
        }
    }

    /// Begins the round that is due, or leaves if there is none.
    fn begin(&mut self, stage: &mut Stage) {
        let (size, is_over) = {
            let mut barrier = hold(&self.barrier);
            if self.round >= barrier.round || stage.now < barrier.begins_at {
                return;
            }
            self.round = barrier.round;
            if self.member == 0 && !barrier.is_over {
                let sum = barrier.asked.iter().fold(0_u64, |sum, size| sum.saturating_add(*size));
                barrier.row = Some(stage.begin(TransferKind::Round, sum));
            }
            (barrier.asked[self.member], barrier.is_over)
        };
        if is_over {
            self.leave(stage);
            return;
        }
        if !std::mem::replace(&mut self.is_open, true) {
            self.exchange.open(stage);
        }
        self.present = Some((stage.begin(TransferKind::Response, size), size));
        self.state = State::Asking;
        self.exchange.ask(self.request_bytes, stage);
    }

    fn leave(&mut self, stage: &mut Stage) {
        self.state = if self.is_open { State::Leaving } else { State::Done };
        if self.is_open {
            self.exchange.close(stage);
        }
    }

    fn answer(&mut self, stage: &mut Stage) {
        self.state = State::Answering;
        if let Some((_, size)) = self.present {
            self.exchange.answer(size, stage);
        }
    }

    fn answered(&mut self, stage: &mut Stage) {
        if let Some((transfer, _)) = self.present.take() {
            stage.finish(transfer);
        }
        hold(&self.barrier).answered(stage);
        if self.is_persistent {
            self.await_next(stage.now);
        } else {
            self.state = State::Closing;
            self.exchange.close(stage);
        }
    }

    fn await_next(&mut self, now: Time) {
        self.state = State::Idle;
        self.wakes = hold(&self.barrier).ready(now);
    }
}

/// The barrier. A run has one thread for its sessions, so nobody waits here and nobody panicked.
fn hold(barrier: &Mutex<Barrier>) -> MutexGuard<'_, Barrier> {
    barrier.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session for Incast {
    fn on_event(&mut self, event: Event, stage: &mut Stage) {
        match (self.state, event) {
            (State::Idle, Event::Timer) => self.begin(stage),
            (State::Serving(_), Event::Timer) => self.answer(stage),
            (State::Asking, Event::Delivered { connection, bytes })
                if self.exchange.is_asked(connection, bytes) =>
            {
                let takes = self.server.duration();
                if takes == Duration::ZERO {
                    self.answer(stage);
                } else {
                    self.state = State::Serving(stage.now.saturating_add(takes));
                }
            }
            (State::Answering, Event::Delivered { connection, bytes })
                if self.exchange.is_answered(connection, bytes) =>
            {
                self.answered(stage);
            }
            (State::Closing, Event::Finished { .. }) if self.exchange.is_closed_by_one_more() => {
                self.is_open = false;
                self.await_next(stage.now);
            }
            (State::Leaving, Event::Finished { .. }) if self.exchange.is_closed_by_one_more() => {
                self.state = State::Done;
            }
            _ => {}
        }
    }

    fn deadline(&self) -> Time {
        match self.state {
            State::Idle => {
                let barrier = hold(&self.barrier);
                if self.round < barrier.round { barrier.begins_at } else { Time::MAX }
            }
            State::Serving(until) => until,
            _ => Time::MAX,
        }
    }

    fn is_done(&self) -> bool {
        self.state == State::Done
    }

    fn wakes_group(&mut self) -> bool {
        std::mem::take(&mut self.wakes)
    }
}
