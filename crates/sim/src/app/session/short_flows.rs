//! Files that arrive at random, each over a new connection, whether or not earlier files are
//! finished: an open loop.

use std::collections::VecDeque;

use ackclock_units::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pool::Pool;
use super::{Event, Session, Setting, Stage, TransferId, TransferKind};
use crate::app::draw::Draw;
use crate::distribution::Distribution;

/// Parameters of short flows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShortFlowsPlan {
    /// Time between arrivals, and before the first, s.
    pub interval: Distribution,
    /// Size of a file, bytes.
    pub size: Distribution,
    /// Number of files; absent: until the run ends.
    #[serde(default)]
    pub count: Option<u64>,
}

/// The files on their way, and the files that wait for a connection.
pub struct ShortFlows {
    interval: Draw,
    size: Draw,
    left: u64,
    next_at: Time,
    stop: Time,
    pool: Pool,
    /// By connection: the transfer that it carries.
    carried: Vec<Option<TransferId>>,
    waiting: VecDeque<(TransferId, u64)>,
}

impl ShortFlows {
    /// Makes a session that waits for the first arrival.
    #[must_use]
    pub fn new(plan: &ShortFlowsPlan, setting: &Setting) -> Self {
        let mut flows = Self {
            interval: setting.draw(&plan.interval, "interval"),
            size: setting.draw(&plan.size, "size"),
            left: plan.count.unwrap_or(u64::MAX),
            next_at: Time::MAX,
            stop: setting.stop,
            pool: Pool::new(setting.connections),
            carried: vec![None; setting.connections],
            waiting: VecDeque::new(),
        };
        flows.await_next(setting.start);
        flows
    }

    fn await_next(&mut self, now: Time) {
        let next = now.saturating_add(self.interval.duration());
        self.next_at = if self.left > 0 && next < self.stop { next } else { Time::MAX };
    }

    fn carry(&mut self, connection: usize, transfer: TransferId, size: u64, stage: &mut Stage) {
        self.carried[connection] = Some(transfer);
        stage.open(connection);
        stage.write(connection, size, true);
    }
}

impl Session for ShortFlows {
    fn on_event(&mut self, event: Event, stage: &mut Stage) {
        match event {
            Event::Timer => {
                self.left -= 1;
                let size = self.size.bytes();
                let transfer = stage.begin(TransferKind::File, size);
                if let Some(connection) = self.pool.take() {
                    self.carry(connection, transfer, size, stage);
                } else {
                    stage.wait();
                    self.waiting.push_back((transfer, size));
                }
                self.await_next(stage.now);
            }
            Event::Finished { connection } => {
                if let Some(transfer) = self.carried[connection].take() {
                    stage.finish(transfer);
                }
                match self.waiting.pop_front() {
                    Some((transfer, size)) => self.carry(connection, transfer, size, stage),
                    None => self.pool.give(connection),
                }
            }
            Event::Delivered { .. } => {}
        }
    }

    fn deadline(&self) -> Time {
        self.next_at
    }

    fn is_done(&self) -> bool {
        self.next_at == Time::MAX && self.pool.is_full()
    }

    fn backlog(&self) -> usize {
        self.waiting.len()
    }
}
