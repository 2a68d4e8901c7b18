//! Sessions: applications that open connections, write to them, and go on when something has arrived.
//!
//! A session runs some of the plan's flows, its *connections*. It may open each, write to it, and, once it is finished, open it anew: the flow
//! then has another connection, with its own handshake, window and congestion control. What the session is told, and what it may do, is here.

mod abr;
mod adaptive_video;
mod agenda;
mod exchange;
mod pool;
mod repeated;
mod request_response;
mod short_flows;
mod web;

use ackclock_units::Time;
use serde::{Deserialize, Serialize};

use super::draw::Draw;
use crate::distribution::Distribution;
use crate::probe::{Room, bounded};
pub use abr::Abr;
use adaptive_video::AdaptiveVideo;
pub use adaptive_video::AdaptiveVideoPlan;
use repeated::Repeated;
pub use repeated::RepeatedPlan;
use request_response::RequestResponse;
pub use request_response::RequestResponsePlan;
use short_flows::ShortFlows;
pub use short_flows::ShortFlowsPlan;
use web::Web;
pub use web::{PersistentPlan, WebPlan};

/// A session and the flows that it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionPlan {
    /// Unique name, the user's flow.
    pub name: String,
    /// What the names of its random streams begin with.
    pub stream: String,
    /// It begins here, ps.
    pub start_ps: u64,
    /// It begins nothing new from here on, ps.
    #[serde(default)]
    pub stop_ps: Option<u64>,
    /// The flows that it runs, by index: its connections 0, 1, ... Their application is `session`.
    pub flows: Vec<u32>,
    /// What it does.
    pub app: SessionAppPlan,
}

/// What a session does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SessionAppPlan {
    /// One file after another.
    Repeated(RepeatedPlan),
    /// Web pages.
    Web(WebPlan),
    /// Files that arrive at random.
    ShortFlows(ShortFlowsPlan),
    /// Requests and responses.
    RequestResponse(RequestResponsePlan),
    /// Adaptive video over HTTP.
    AdaptiveVideo(AdaptiveVideoPlan),
}

impl SessionPlan {
    /// Whether it can run.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        let (distributions, least) = match &self.app {
            SessionAppPlan::Repeated(plan) => (vec![&plan.size, &plan.think], 1),
            SessionAppPlan::ShortFlows(plan) => (vec![&plan.interval, &plan.size], 1),
            SessionAppPlan::RequestResponse(plan) => (vec![&plan.request, &plan.response, &plan.server, &plan.think], 2),
            SessionAppPlan::Web(plan) => {
                if plan.parallel == 0 {
                    return Err("parallel must be at least 1".into());
                }
                let always = [&plan.main, &plan.embedded, &plan.objects, &plan.parsing, &plan.reading];
                let all = always.into_iter().chain(&plan.pages).chain(&plan.arrivals).collect();
                (all, if plan.persistent.is_some() { 2 } else { 1 })
            }
            SessionAppPlan::AdaptiveVideo(plan) => {
                let is_ladder = !plan.ladder_bps.is_empty() && plan.ladder_bps[0] > 0 && plan.ladder_bps.is_sorted();
                if !is_ladder || plan.segment_ps == 0 || plan.buffer_ps / 2 < plan.segment_ps || plan.startup_ps > plan.buffer_ps {
                    return Err("it needs a ladder of ascending rates, and a buffer for two segments and the startup".into());
                }
                (Vec::new(), 2)
            }
        };
        let count = match &self.app {
            SessionAppPlan::Repeated(plan) => plan.count,
            SessionAppPlan::ShortFlows(plan) => plan.count,
            SessionAppPlan::RequestResponse(plan) => plan.count,
            SessionAppPlan::AdaptiveVideo(plan) => plan.count,
            SessionAppPlan::Web(_) => None,
        };
        if count == Some(0) {
            return Err("its count must be at least 1".into());
        }
        for distribution in distributions {
            distribution.check()?;
        }
        let is_endless = |interval: &Distribution| interval.mean() > 0.0;
        let arrivals = match &self.app {
            SessionAppPlan::ShortFlows(plan) => Some(&plan.interval),
            SessionAppPlan::Web(plan) => plan.arrivals.as_ref(),
            _ => None,
        };
        if arrivals.is_some_and(|interval| !is_endless(interval)) {
            return Err("the time between arrivals must be above zero".into());
        }
        if self.flows.len() < least || !self.flows.len().is_multiple_of(least) {
            return Err(format!("it has {} flows and needs {least}, or a multiple", self.flows.len()));
        }
        Ok(())
    }
}

/// What a session is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Its start, or the time that it asked for.
    Timer,
    /// More has arrived in order: so many bytes of what was written to the present connection.
    Delivered {
        /// Which.
        connection: usize,
        /// Since it was opened.
        bytes: u64,
    },
    /// Everything that was written to a connection has been acknowledged, and it is closed.
    Finished {
        /// Which.
        connection: usize,
    },
}

/// What a session does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Opens a connection, which must be new or finished: the SYN is sent.
    Open {
        /// Which.
        connection: usize,
    },
    /// Writes to an open connection.
    Write {
        /// Which.
        connection: usize,
        /// How much.
        bytes: u64,
        /// Whether it is closed after that.
        closes: bool,
    },
}

/// What a transfer is to its application.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum TransferKind {
    /// A file.
    File = 0,
    /// A page with all its objects.
    Page = 1,
    /// An object of a page.
    Object = 2,
    /// An answer to a request.
    Response = 3,
    /// A segment of a video.
    Segment = 4,
    /// Not a transfer but the want of one: a player waits.
    Stall = 5,
}

/// What applications moved: one row each. Times in s; NaN: not finished.
#[derive(Clone, Debug, Default)]
pub struct TransferColumns {
    /// Index of the session.
    pub session: Vec<u32>,
    /// As [`TransferKind`].
    pub kind: Vec<u8>,
    /// From 1, per session and kind.
    pub number: Vec<u64>,
    /// s.
    pub start: Vec<f64>,
    /// s; NaN: not finished.
    pub finish: Vec<f64>,
    /// Bytes.
    pub size: Vec<u64>,
    /// Encoded rate of a segment, bit/s; NaN: no segment.
    pub rate: Vec<f64>,
    /// How much of it may be kept, and whether it is full.
    pub room: Room,
}

bounded!(TransferColumns: session, kind, number, start, finish, size, rate);

/// What a session may use while it is told something.
pub struct Stage<'a> {
    /// The present.
    pub now: Time,
    /// What it does, in order.
    pub commands: &'a mut Vec<Command>,
    session: u32,
    transfers: &'a mut TransferColumns,
    counts: &'a mut Counts,
}

/// What is counted of a session.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    begun: [u64; 6],
    waited: u64,
}

/// A row of the transfers; beyond all of them where the table was full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransferId(usize);

impl Stage<'_> {
    /// Opens a connection.
    pub fn open(&mut self, connection: usize) {
        self.commands.push(Command::Open { connection });
    }

    /// Writes to an open connection, and closes it or not.
    pub fn write(&mut self, connection: usize, bytes: u64, closes: bool) {
        self.commands.push(Command::Write { connection, bytes, closes });
    }

    /// Books a transfer that begins now.
    pub fn begin(&mut self, kind: TransferKind, size: u64) -> TransferId {
        self.begin_rated(kind, size, f64::NAN)
    }

    /// Books a segment that begins now, encoded at this rate, bit/s.
    pub fn begin_rated(&mut self, kind: TransferKind, size: u64, rate_bps: f64) -> TransferId {
        let count = &mut self.counts.begun[kind as usize];
        *count += 1;
        let rows = &mut *self.transfers;
        if !rows.has_room(self.now) {
            return TransferId(usize::MAX);
        }
        rows.session.push(self.session);
        rows.kind.push(kind as u8);
        rows.number.push(*count);
        rows.start.push(self.now.as_secs_f64());
        rows.finish.push(f64::NAN);
        rows.size.push(size);
        rows.rate.push(rate_bps);
        TransferId(rows.start.len() - 1)
    }

    /// Notes that something found no connection free.
    pub fn wait(&mut self) {
        self.counts.waited += 1;
    }

    /// Books its end, now.
    pub fn finish(&mut self, transfer: TransferId) {
        if let Some(finish) = self.transfers.finish.get_mut(transfer.0) {
            *finish = self.now.as_secs_f64();
        }
    }
}

/// What a session is told when it is made.
#[derive(Clone, Debug)]
pub struct Setting {
    /// It begins here.
    pub start: Time,
    /// It begins nothing new from here on.
    pub stop: Time,
    /// How many connections it has.
    pub connections: usize,
    seed: u64,
    stream: String,
}

impl Setting {
    /// The session's quantity of this name, with a random stream of its own.
    #[must_use]
    pub fn draw(&self, of: &Distribution, name: &str) -> Draw {
        Draw::new(of, self.seed, &format!("{}/{name}", self.stream))
    }
}

/// An application over several connections.
pub trait Session: Send {
    /// Something happened; what it does about it, it tells the stage.
    fn on_event(&mut self, event: Event, stage: &mut Stage);

    /// When it next wants [`Event::Timer`]; at first, its start. [`Time::MAX`]: never.
    fn deadline(&self) -> Time;

    /// Whether nothing is left to do: all is finished and nothing will begin.
    fn is_done(&self) -> bool;

    /// How many wait for a connection, or are served: what a session keeps in memory.
    fn backlog(&self) -> usize {
        0
    }
}

/// A session with what it needs to run.
pub struct Running {
    session: Box<dyn Session>,
    counts: Counts,
    /// The flows that it runs.
    pub flows: Vec<u32>,
    /// When it had nothing left to do.
    pub ended_at: Option<Time>,
}

impl Running {
    /// The plan's session.
    #[must_use]
    pub fn new(plan: &SessionPlan, seed: u64) -> Self {
        Self {
            session: build(plan, seed),
            counts: Counts::default(),
            flows: plan.flows.clone(),
            ended_at: None,
        }
    }

    /// When it wants to be asked.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.session.deadline()
    }

    /// How many wait for a connection, or are served.
    #[must_use]
    pub fn backlog(&self) -> usize {
        self.session.backlog()
    }

    /// How often something found no connection free.
    #[must_use]
    pub fn waited(&self) -> u64 {
        self.counts.waited
    }

    /// Tells it something; its commands are appended.
    pub fn tell(&mut self, index: u32, event: Event, now: Time, commands: &mut Vec<Command>, transfers: &mut TransferColumns) {
        let mut stage = Stage {
            now,
            commands,
            session: index,
            transfers,
            counts: &mut self.counts,
        };
        self.session.on_event(event, &mut stage);
    }

    /// Whether it has just come to its end.
    pub fn has_just_ended(&mut self, now: Time) -> bool {
        let is_new = self.ended_at.is_none() && self.session.is_done();
        if is_new {
            self.ended_at = Some(now);
        }
        is_new
    }
}

fn build(plan: &SessionPlan, seed: u64) -> Box<dyn Session> {
    let setting = Setting {
        start: Time::from_ps(plan.start_ps),
        stop: plan.stop_ps.map_or(Time::MAX, Time::from_ps),
        connections: plan.flows.len(),
        seed,
        stream: plan.stream.clone(),
    };
    match &plan.app {
        SessionAppPlan::Repeated(plan) => Box::new(Repeated::new(plan, &setting)),
        SessionAppPlan::Web(plan) => Box::new(Web::new(plan, &setting)),
        SessionAppPlan::ShortFlows(plan) => Box::new(ShortFlows::new(plan, &setting)),
        SessionAppPlan::RequestResponse(plan) => Box::new(RequestResponse::new(plan, &setting)),
        SessionAppPlan::AdaptiveVideo(plan) => Box::new(AdaptiveVideo::new(plan, &setting)),
    }
}
