//! Requests and responses over one connection that stays open, one at a time: a remote procedure
//! call.

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::exchange::Exchange;
use super::{Event, Session, Setting, Stage, TransferId, TransferKind};
use crate::app::draw::Draw;
use crate::distribution::Distribution;

/// Parameters of requests and responses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestResponsePlan {
    /// Size of a request, bytes.
    pub request: Distribution,
    /// Size of a response, bytes.
    pub response: Distribution,
    /// Time that the server takes for a request, s.
    pub server: Distribution,
    /// Pause between a response and the next request, s.
    pub think: Distribution,
    /// Number of requests; absent: until the run ends.
    #[serde(default)]
    pub count: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The connection is not open yet, or the client thinks.
    Idle,
    Asking,
    Serving,
    Answering,
    Closing,
    Done,
}

/// A client and its server.
pub struct RequestResponse {
    request: Draw,
    response: Draw,
    server: Draw,
    think: Draw,
    left: u64,
    next_at: Time,
    stop: Time,
    state: State,
    is_open: bool,
    exchange: Exchange,
    present: Option<(TransferId, u64)>,
}

impl RequestResponse {
    /// Makes a session that waits for its start.
    #[must_use]
    pub fn new(plan: &RequestResponsePlan, setting: &Setting) -> Self {
        Self {
            request: setting.draw(&plan.request, "request"),
            response: setting.draw(&plan.response, "response"),
            server: setting.draw(&plan.server, "server"),
            think: setting.draw(&plan.think, "think"),
            left: plan.count.unwrap_or(u64::MAX),
            next_at: setting.start,
            stop: setting.stop,
            state: State::Idle,
            is_open: false,
            exchange: Exchange::new(0, 1),
            present: None,
        }
    }

    fn ask(&mut self, stage: &mut Stage) {
        if !std::mem::replace(&mut self.is_open, true) {
            self.exchange.open(stage);
        }
        self.left -= 1;
        let size = self.response.bytes();
        self.present = Some((stage.begin(TransferKind::Response, size), size));
        self.state = State::Asking;
        self.exchange.ask(self.request.bytes(), stage);
    }

    fn answer(&mut self, stage: &mut Stage) {
        self.state = State::Answering;
        if let Some((_, size)) = self.present {
            self.exchange.answer(size, stage);
        }
    }

    fn think(&mut self, stage: &mut Stage) {
        if let Some((transfer, _)) = self.present.take() {
            stage.finish(transfer);
        }
        let next = stage.now.saturating_add(self.think.duration());
        if self.left == 0 || next >= self.stop {
            self.state = State::Closing;
            self.exchange.close(stage);
        } else {
            self.state = State::Idle;
            self.next_at = next;
        }
    }
}

impl Session for RequestResponse {
    fn on_event(&mut self, event: Event, stage: &mut Stage) {
        match (self.state, event) {
            (State::Idle, Event::Timer) => {
                self.next_at = Time::MAX;
                self.ask(stage);
            }
            (State::Serving, Event::Timer) => {
                self.next_at = Time::MAX;
                self.answer(stage);
            }
            (State::Asking, Event::Delivered { connection, bytes })
                if self.exchange.is_asked(connection, bytes) =>
            {
                let takes = self.server.duration();
                if takes == Duration::ZERO {
                    self.answer(stage);
                } else {
                    self.state = State::Serving;
                    self.next_at = stage.now.saturating_add(takes);
                }
            }
            (State::Answering, Event::Delivered { connection, bytes })
                if self.exchange.is_answered(connection, bytes) =>
            {
                self.think(stage);
            }
            (_, Event::Finished { .. }) if self.exchange.is_closed_by_one_more() => {
                self.state = State::Done;
            }
            _ => {}
        }
    }

    fn deadline(&self) -> Time {
        self.next_at
    }

    fn is_done(&self) -> bool {
        self.state == State::Done
    }
}
