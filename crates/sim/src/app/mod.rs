//! Applications: they give the sender data to send.

mod application_limited;
mod bulk;
mod draw;
mod file;
mod mailbox;
mod on_off;
pub mod session;
mod stripe;
mod writes;

use std::collections::BTreeMap;

use ackclock_units::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use on_off::OnOffPlan;
use stripe::Stripe;
pub use stripe::SubflowPlan;

/// The plan of an application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum AppPlan {
    /// Writes at a steady rate.
    ApplicationLimited {
        /// Rate of writing, bit/s.
        rate_bps: u64,
        /// Time from write to write, ps.
        every_ps: u64,
    },
    /// There is always data to send.
    Bulk {},
    /// One file is sent; then the connection is closed.
    File {
        /// Size, bytes.
        size_bytes: u64,
    },
    /// Bursts and silence in turn.
    OnOff(OnOffPlan),
    /// A session writes the data, and opens the flow at a time of its choice.
    Session {},
    /// Data is written at given times; then the connection is closed.
    Writes {
        /// Writes (ps after the flow's start, bytes), ascending.
        writes: Vec<(u64, u64)>,
    },
}

impl AppPlan {
    /// Checks the application's numbers.
    ///
    /// # Errors
    /// One line that says which number is wrong.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::OnOff(on_off) => on_off.check(),
            _ => Ok(()),
        }
    }

    /// Whether the application has no end, so that the run does not wait for it.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        !matches!(self, Self::File { .. } | Self::Writes { .. })
    }
}

/// The data that an application has written so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Bytes written since the start; [`Written::ENDLESS`] for a source that never runs dry.
    pub bytes: u64,
    /// Whether the application has closed the connection, so that nothing will follow.
    pub closed: bool,
    /// Whether the application writes more as soon as less than a segment of `bytes` is left to
    /// send.
    pub has_more: bool,
    /// Time of the next write; [`Time::MAX`]: none is planned.
    pub next_write: Time,
}

impl Written {
    /// Bytes of a source without end: more than any run can send, with room to add to.
    pub const ENDLESS: u64 = u64::MAX / 4;

    /// The state before the application has been asked.
    pub const NOTHING_YET: Self =
        Self { bytes: 0, closed: false, has_more: false, next_write: Time::ZERO };
}

/// An application that writes data.
pub trait App: Send {
    /// Returns the data written by `now`. Called at the start, at each `next_write`, and, if the
    /// application `has_more`, when less than a segment is left to send (`is_dry`).
    fn written(&mut self, now: Time, is_dry: bool) -> Written;

    /// Adds bytes that the session writes, and closes the connection if `closes`. Applications
    /// without a session ignore it.
    fn hand_in(&mut self, _bytes: u64, _closes: bool) {}
}

/// Makes the applications of a run's flows.
#[derive(Default)]
pub struct Apps {
    seed: u64,
    /// Applications that several subflows share, by the name of the transfer.
    shared: BTreeMap<String, Stripe>,
}

impl Apps {
    /// Makes no application yet, for a run with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, shared: BTreeMap::new() }
    }

    /// Makes the application of a flow that starts at `start`. Subflows of one flow share an
    /// application, except a bulk source and a session's connections: each of them has its own.
    pub fn build(
        &mut self,
        app: &AppPlan,
        part_of: Option<&SubflowPlan>,
        start: Time,
    ) -> Box<dyn App> {
        match (part_of, app) {
            (None, app) | (Some(_), app @ (AppPlan::Bulk {} | AppPlan::Session {})) => {
                build(app, start, self.seed)
            }
            (Some(part), app) => {
                let stripe = || Stripe::of(build(app, start, self.seed), part.chunk_bytes);
                Box::new(self.shared.entry(part.name.clone()).or_insert_with(stripe).clone())
            }
        }
    }
}

/// Makes the application of a session's connection, which has nothing to send yet.
#[must_use]
pub fn mailbox() -> Box<dyn App> {
    Box::new(mailbox::Mailbox::default())
}

/// Makes the application of a flow that starts at `start`.
fn build(plan: &AppPlan, start: Time, seed: u64) -> Box<dyn App> {
    match plan {
        AppPlan::ApplicationLimited { rate_bps, every_ps } => {
            Box::new(application_limited::ApplicationLimited::new(*rate_bps, *every_ps, start))
        }
        AppPlan::Bulk {} => Box::new(bulk::Bulk),
        AppPlan::File { size_bytes } => Box::new(file::File { size_bytes: *size_bytes }),
        AppPlan::OnOff(on_off) => Box::new(on_off::OnOff::new(on_off, start, seed)),
        AppPlan::Session {} => mailbox(),
        AppPlan::Writes { writes } => Box::new(writes::Writes::new(writes, start)),
    }
}
