//! Sessions: applications that open connections, write to them, and go on when something has arrived.
//!
//! A session runs some of the plan's flows, its *connections*. It may open each, write to it, and, once it is finished, open it anew: the flow
//! then has another connection, with its own handshake, window and congestion control. What the session is told, and what it may do, is here.

mod repeated;

use ackclock_units::Time;
use serde::{Deserialize, Serialize};

use crate::rng::{self, Rng};
pub use repeated::{Repeated, RepeatedPlan};

/// A session and the flows that it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionPlan {
    /// Unique name, the user's flow; random streams are keyed by it.
    pub name: String,
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
}

/// What a session is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Its start, or the time that it asked for.
    Timer,
    /// The receiver of a connection has, in order, so many bytes of what was written to the present connection.
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
}

/// What a session may use while it is told something.
pub struct Stage<'a> {
    /// The present.
    pub now: Time,
    /// The session's own stream.
    pub rng: &'a mut Rng,
    /// What it does, in order.
    pub commands: &'a mut Vec<Command>,
    session: u32,
    transfers: &'a mut TransferColumns,
    begun: &'a mut [u64; 6],
}

/// A row of the transfers.
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
        let count = &mut self.begun[kind as usize];
        *count += 1;
        let rows = &mut *self.transfers;
        rows.session.push(self.session);
        rows.kind.push(kind as u8);
        rows.number.push(*count);
        rows.start.push(self.now.as_secs_f64());
        rows.finish.push(f64::NAN);
        rows.size.push(size);
        rows.rate.push(rate_bps);
        TransferId(rows.start.len() - 1)
    }

    /// Books its end, now.
    pub fn finish(&mut self, transfer: TransferId) {
        self.transfers.finish[transfer.0] = self.now.as_secs_f64();
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
}

/// A session with what it needs to run.
pub struct Running {
    session: Box<dyn Session>,
    rng: Rng,
    begun: [u64; 6],
    /// The flows that it runs.
    pub flows: Vec<u32>,
    /// Whether it was done when last asked.
    pub is_done: bool,
}

impl Running {
    /// The plan's session.
    #[must_use]
    pub fn new(plan: &SessionPlan, seed: u64) -> Self {
        Self {
            session: build(plan),
            rng: rng::stream(seed, &format!("flow/{}/session", plan.name)),
            begun: [0; 6],
            flows: plan.flows.clone(),
            is_done: false,
        }
    }

    /// When it wants to be asked.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.session.deadline()
    }

    /// Tells it something; its commands are appended.
    pub fn tell(&mut self, index: u32, event: Event, now: Time, commands: &mut Vec<Command>, transfers: &mut TransferColumns) {
        let mut stage = Stage {
            now,
            rng: &mut self.rng,
            commands,
            session: index,
            transfers,
            begun: &mut self.begun,
        };
        self.session.on_event(event, &mut stage);
    }

    /// Whether nothing is left to do.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.session.is_done()
    }
}

fn build(plan: &SessionPlan) -> Box<dyn Session> {
    let start = Time::from_ps(plan.start_ps);
    let stop = plan.stop_ps.map_or(Time::MAX, Time::from_ps);
    match &plan.app {
        SessionAppPlan::Repeated(repeated) => Box::new(Repeated::new(repeated, start, stop)),
    }
}
