//! Applications: what the sender is given to send, and when.

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

use crate::plan::{AppPlan, FlowPlan};
pub use on_off::OnOffPlan;
use stripe::Stripe;

/// What an application has written so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Bytes since the start; [`Written::ENDLESS`] for a source that never runs dry.
    pub bytes: u64,
    /// Whether it has closed the connection: nothing will follow.
    pub closed: bool,
    /// Whether it writes more as soon as less than a segment of this is left to send.
    pub has_more: bool,
    /// When it writes again; [`Time::MAX`]: it does not by itself.
    pub next_write: Time,
}

impl Written {
    /// More than any run can send, with room to add to.
    pub const ENDLESS: u64 = u64::MAX / 4;

    /// Before the application has been asked.
    pub const NOTHING_YET: Self = Self {
        bytes: 0,
        closed: false,
        has_more: false,
        next_write: Time::ZERO,
    };
}

/// A source of data.
pub trait App: Send {
    /// What is written by `now`; called at the start, at each `next_write` and, where it `has_more`, when the connection is
    /// dry: less than a segment is left to send.
    fn written(&mut self, now: Time, is_dry: bool) -> Written;

    /// Its session writes so much more, and closes the connection or not. Only what a session runs listens.
    fn hand_in(&mut self, _bytes: u64, _closes: bool) {}
}

/// Makes the applications of a run's flows.
#[derive(Default)]
pub struct Apps {
    seed: u64,
    /// Those that several connections carry, by the transfer's name.
    shared: BTreeMap<String, Stripe>,
}

impl Apps {
    /// For a run with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            shared: BTreeMap::new(),
        }
    }

    /// That of `flow`. Always data to send is what each connection has by itself; anything else is shared.
    pub fn build(&mut self, flow: &FlowPlan) -> Box<dyn App> {
        let start = Time::from_ps(flow.start_ps);
        match (&flow.part_of, &flow.app) {
            (None, app) | (Some(_), app @ (AppPlan::Bulk {} | AppPlan::Session {})) => build(app, start, self.seed),
            (Some(part), app) => {
                let stripe = || Stripe::of(build(app, start, self.seed), part.chunk_bytes);
                Box::new(self.shared.entry(part.name.clone()).or_insert_with(stripe).clone())
            }
        }
    }
}

/// What a session's connection begins with.
#[must_use]
pub fn mailbox() -> Box<dyn App> {
    Box::new(mailbox::Mailbox::default())
}

/// The plan's application for a flow that starts at `start`.
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
