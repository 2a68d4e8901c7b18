//! Sessions: applications that open connections, write to them, and act when data has arrived.
//!
//! A session runs some of the plan's flows, its *connections*. It may open each, write to it, and,
//! when it is finished, open it again: the flow then has another connection, with its own
//! handshake, window and congestion control.

mod abr;
mod adaptive_video;
mod agenda;
mod exchange;
mod incast;
mod pool;
mod repeated;
mod request_response;
mod short_flows;
mod web;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ackclock_units::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw::Draw;
use crate::columns::table;
use crate::distribution::Distribution;
pub use abr::Abr;
use adaptive_video::AdaptiveVideo;
pub use adaptive_video::AdaptiveVideoPlan;
pub use incast::IncastPlan;
use incast::{Barrier, Incast};
use repeated::Repeated;
pub use repeated::RepeatedPlan;
use request_response::RequestResponse;
pub use request_response::RequestResponsePlan;
use short_flows::ShortFlows;
pub use short_flows::ShortFlowsPlan;
use web::Web;
pub use web::{PersistentPlan, WebPlan};

/// The plan of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionPlan {
    /// Unique name; it is the name of the user's flow.
    pub name: String,
    /// Beginning of the names of the random streams.
    pub stream: String,
    /// The session begins at this time, ps.
    pub start_ps: u64,
    /// The session begins nothing new from this time on, ps.
    #[serde(default)]
    pub stop_ps: Option<u64>,
    /// Flows that the session runs, by index; their application is `session`. They are its
    /// connections 0, 1, ...
    pub flows: Vec<u32>,
    /// Application of the session.
    pub app: SessionAppPlan,
}

/// The application of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// A server that answers at the same moment as others.
    Incast(IncastPlan),
}

impl SessionPlan {
    /// Checks the numbers of the application, and that the session has the flows that it needs.
    ///
    /// # Errors
    /// One line that says what is wrong and what is needed.
    pub fn check(&self) -> Result<(), String> {
        let (distributions, least) = match &self.app {
            SessionAppPlan::Repeated(plan) => (vec![&plan.size, &plan.think], 1),
            SessionAppPlan::ShortFlows(plan) => (vec![&plan.interval, &plan.size], 1),
            SessionAppPlan::RequestResponse(plan) => {
                (vec![&plan.request, &plan.response, &plan.server, &plan.think], 2)
            }
            SessionAppPlan::Incast(plan) => {
                if plan.request_bytes == 0 {
                    return Err("request_bytes must be at least 1".into());
                }
                (vec![&plan.response, &plan.server, &plan.gap], 2)
            }
            SessionAppPlan::Web(plan) => {
                if plan.parallel == 0 {
                    return Err("parallel must be at least 1".into());
                }
                let always =
                    [&plan.main, &plan.embedded, &plan.objects, &plan.parsing, &plan.reading];
                let all = always.into_iter().chain(&plan.pages).chain(&plan.arrivals).collect();
                (all, if plan.persistent.is_some() { 2 } else { 1 })
            }
            SessionAppPlan::AdaptiveVideo(plan) => {
                let is_ladder = !plan.ladder_bps.is_empty()
                    && plan.ladder_bps[0] > 0
                    && plan.ladder_bps.is_sorted();
                if !is_ladder
                    || plan.segment_ps == 0
                    || plan.buffer_ps / 2 < plan.segment_ps
                    || plan.startup_ps > plan.buffer_ps
                {
                    return Err("it needs a ladder of ascending rates, and a buffer for two \
                                segments and the startup"
                        .into());
                }
                (Vec::new(), 2)
            }
        };
        let count = match &self.app {
            SessionAppPlan::Repeated(plan) => plan.count,
            SessionAppPlan::ShortFlows(plan) => plan.count,
            SessionAppPlan::RequestResponse(plan) => plan.count,
            SessionAppPlan::AdaptiveVideo(plan) => plan.count,
            SessionAppPlan::Incast(plan) => plan.count,
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
            return Err(format!(
                "it has {} flows and needs {least}, or a multiple",
                self.flows.len()
            ));
        }
        Ok(())
    }
}

/// An event that a session is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The start of the session, or the time that it asked for.
    Timer,
    /// More data has arrived in order at the other end of a connection.
    Delivered {
        /// Number of the connection.
        connection: usize,
        /// Bytes since the connection was opened.
        bytes: u64,
    },
    /// All data of a connection has been acknowledged, and the connection is closed.
    Finished {
        /// Number of the connection.
        connection: usize,
    },
}

/// A command of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Opens a connection, which must be new or finished: the SYN is sent.
    Open {
        /// Number of the connection.
        connection: usize,
    },
    /// Writes to an open connection.
    Write {
        /// Number of the connection.
        connection: usize,
        /// Bytes to write.
        bytes: u64,
        /// Whether the connection is closed after them.
        closes: bool,
    },
}

/// The kind of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum TransferKind {
    /// A file.
    File = 0,
    /// A page with all its objects.
    Page = 1,
    /// An object of a page.
    Object = 2,
    /// A response to a request.
    Response = 3,
    /// A segment of a video.
    Segment = 4,
    /// A stall of a video player: not a transfer, but the wait for one.
    Stall = 5,
    /// A round of incast: the responses of all servers.
    Round = 6,
}

impl TransferKind {
    /// Names, by code.
    pub const NAMES: [&str; 7] =
        ["file", "page", "object", "response", "segment", "stall", "round"];
}

table! {
    /// Transfers of sessions: a row each.
    pub struct TransferColumns of Transfer {
        /// The flow whose session made the transfer.
        session as "flow": u32 = Session, "";
        /// Kind of the transfer: {names}; a stall moves no data: a player waits.
        kind: u8 = Code(&TransferKind::NAMES), "";
        /// Number of the transfer from 1, per flow and kind.
        number: u64 = Integer, "";
        /// Start of the transfer: its connection was opened, or it was asked for.
        start as "start_time": f64 = Real, "s";
        /// End of the transfer; null: it did not end before the run.
        finish as "finish_time": f64 = Real, "s";
        /// Payload.
        size: u64 = Integer, "bytes";
        /// Encoded rate of a segment; null otherwise.
        rate: f64 = Real, "bit/s";
    }
}

/// Surroundings of a session that handles an event: its commands, and the table of transfers.
pub struct Stage<'a> {
    /// The present time.
    pub now: Time,
    /// Commands of the session, in order.
    pub commands: &'a mut Vec<Command>,
    session: u32,
    transfers: &'a mut TransferColumns,
    counts: &'a mut Counts,
}

/// Counters of a session.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    begun: [u64; TransferKind::NAMES.len()],
    waited: u64,
}

/// Index of a row of the transfers. If the table was full, the index is behind its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransferId(usize);

impl Stage<'_> {
    /// Opens a connection.
    pub fn open(&mut self, connection: usize) {
        self.commands.push(Command::Open { connection });
    }

    /// Writes to an open connection, and closes it if `closes`.
    pub fn write(&mut self, connection: usize, bytes: u64, closes: bool) {
        self.commands.push(Command::Write { connection, bytes, closes });
    }

    /// Books a transfer that begins now.
    pub fn begin(&mut self, kind: TransferKind, size: u64) -> TransferId {
        self.begin_rated(kind, size, f64::NAN)
    }

    /// Books a transfer that begins now. `rate_bps` is the encoded rate of a video segment.
    pub fn begin_rated(&mut self, kind: TransferKind, size: u64, rate_bps: f64) -> TransferId {
        let count = &mut self.counts.begun[kind as usize];
        *count += 1;
        let rows = &mut *self.transfers;
        if !rows.has_room(self.now) {
            return TransferId(usize::MAX);
        }
        rows.push(Transfer {
            session: self.session,
            kind: kind as u8,
            number: *count,
            start: self.now.as_secs_f64(),
            finish: f64::NAN,
            size,
            rate: rate_bps,
        });
        TransferId(rows.height() - 1)
    }

    /// Counts that no connection was free.
    pub fn wait(&mut self) {
        self.counts.waited += 1;
    }

    /// Books that a transfer ends now.
    pub fn finish(&mut self, transfer: TransferId) {
        if let Some(finish) = self.transfers.finish.get_mut(transfer.0) {
            *finish = self.now.as_secs_f64();
        }
    }
}

/// The circumstances of a session when it is made.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The session begins at this time.
    pub start: Time,
    /// The session begins nothing new from this time on.
    pub stop: Time,
    /// Number of connections.
    pub connections: usize,
    seed: u64,
    stream: String,
}

impl Setting {
    /// Makes a random quantity, with a stream of random numbers named after the session and `name`.
    #[must_use]
    pub fn draw(&self, of: &Distribution, name: &str) -> Draw {
        Draw::new(of, self.seed, &format!("{}/{name}", self.stream))
    }
}

/// An application over several connections.
pub trait Session: Send {
    /// Handles an event; the session's commands go to the stage.
    fn on_event(&mut self, event: Event, stage: &mut Stage);

    /// Time at which the session wants [`Event::Timer`] next, at first the start; [`Time::MAX`]:
    /// never.
    fn deadline(&self) -> Time;

    /// Whether all is finished and nothing will begin.
    fn is_done(&self) -> bool;

    /// Number of transfers or users that wait for a connection or have one: the session keeps them
    /// in memory.
    fn backlog(&self) -> usize {
        0
    }

    /// Whether the last event has changed the deadlines of other sessions of the group. The answer
    /// is given once.
    fn wakes_group(&mut self) -> bool {
        false
    }
}

/// A session that runs, with its counters.
pub struct Running {
    session: Box<dyn Session>,
    counts: Counts,
    /// Flows that the session runs.
    pub flows: Vec<u32>,
    /// The sessions that act together with this one, itself included; empty if there are none.
    pub group: Arc<[u32]>,
    /// Time at which nothing was left to do; `None`: the session goes on.
    pub ended_at: Option<Time>,
}

impl Running {
    /// Makes the sessions of a plan.
    #[must_use]
    pub fn all(plans: &[SessionPlan], seed: u64) -> Vec<Self> {
        let mut groups: BTreeMap<&str, Group> = BTreeMap::new();
        for (index, plan) in (0..).zip(plans) {
            if let SessionAppPlan::Incast(app) = &plan.app {
                groups.entry(&app.group).or_default().members.push(index);
            }
        }
        let make = |plan: &SessionPlan| {
            let (session, group) = build(plan, seed, &mut groups);
            let flows = plan.flows.clone();
            Self { session, counts: Counts::default(), flows, group, ended_at: None }
        };
        plans.iter().map(make).collect()
    }

    /// Time at which the session wants [`Event::Timer`] next; [`Time::MAX`]: never.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.session.deadline()
    }

    /// Number of transfers or users that wait for a connection or have one.
    #[must_use]
    pub fn backlog(&self) -> usize {
        self.session.backlog()
    }

    /// Number of times that no connection was free.
    #[must_use]
    pub fn waited(&self) -> u64 {
        self.counts.waited
    }

    /// Tells the session an event. Appends its commands to `commands`.
    pub fn tell(
        &mut self,
        index: u32,
        event: Event,
        now: Time,
        commands: &mut Vec<Command>,
        transfers: &mut TransferColumns,
    ) {
        let mut stage =
            Stage { now, commands, session: index, transfers, counts: &mut self.counts };
        self.session.on_event(event, &mut stage);
    }

    /// Whether the last event has changed the deadlines of other sessions of the group.
    pub fn wakes_group(&mut self) -> bool {
        self.session.wakes_group()
    }

    /// Whether the session has ended since the last call.
    pub fn has_just_ended(&mut self, now: Time) -> bool {
        let is_new = self.ended_at.is_none() && self.session.is_done();
        if is_new {
            self.ended_at = Some(now);
        }
        is_new
    }
}

/// Sessions that act together, while they are made.
#[derive(Default)]
struct Group {
    members: Vec<u32>,
    shared: Option<Arc<[u32]>>,
    barrier: Option<Arc<Mutex<Barrier>>>,
}

/// Makes a session. Returns with it the sessions of its group.
fn build(
    plan: &SessionPlan,
    seed: u64,
    groups: &mut BTreeMap<&str, Group>,
) -> (Box<dyn Session>, Arc<[u32]>) {
    let setting = Setting {
        start: Time::from_ps(plan.start_ps),
        stop: plan.stop_ps.map_or(Time::MAX, Time::from_ps),
        connections: plan.flows.len(),
        seed,
        stream: plan.stream.clone(),
    };
    let mut members: Arc<[u32]> = Arc::default();
    let session: Box<dyn Session> = match &plan.app {
        SessionAppPlan::Repeated(plan) => Box::new(Repeated::new(plan, &setting)),
        SessionAppPlan::Web(plan) => Box::new(Web::new(plan, &setting)),
        SessionAppPlan::ShortFlows(plan) => Box::new(ShortFlows::new(plan, &setting)),
        SessionAppPlan::RequestResponse(plan) => Box::new(RequestResponse::new(plan, &setting)),
        SessionAppPlan::AdaptiveVideo(plan) => Box::new(AdaptiveVideo::new(plan, &setting)),
        SessionAppPlan::Incast(plan) => {
            let mut alone = Group::default();
            let group = groups.get_mut(plan.group.as_str()).unwrap_or(&mut alone);
            let all = &group.members;
            members = Arc::clone(group.shared.get_or_insert_with(|| all.as_slice().into()));
            Box::new(Incast::new(plan, &setting, &mut group.barrier))
        }
    };
    (session, members)
}
