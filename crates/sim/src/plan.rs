//! The plan of a run: quantities are numbers in base units, and routes are lists of links. A value
//! that a flow needs once is drawn; a distribution from which the run draws stays one. Python makes
//! a plan from a scenario; the JSON form of these types is the border between Python and Rust.
//!
//! Each part of the plan stands in the module that carries it out, and checks its own numbers. This
//! module has the whole plan, and checks how the parts refer to each other.

mod text;

use ackclock_units::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::AppPlan;
use crate::app::session::SessionPlan;
use crate::limits::{LONGEST_PS, at_most};
use crate::net::link::LinkPlan;
use crate::record::RecordPlan;
use crate::transport::flow::FlowPlan;
use crate::udp::StreamPlan;

/// Most links or flows of a plan: event sources are 32-bit numbers.
const MOST: usize = 1 << 29;

/// A plan that cannot run. Python checks all of this first and with better messages; this check is
/// the engine's own defence.
#[derive(Debug)]
pub struct PlanError(String);

impl PlanError {
    /// Makes an error with this message.
    #[must_use]
    pub const fn new(message: String) -> Self {
        Self(message)
    }
}

impl core::fmt::Display for PlanError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for PlanError {}

/// The plan of one run.
// A text may be shorter than this: `text::PlanText` is the form that is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "text::PlanText")]
pub struct Plan {
    /// Seed of all named random streams.
    pub seed: u64,
    /// Whether the seed draws the order of flows and sessions that start at the same time;
    /// otherwise they start in the order of the plan.
    pub draws_start_order: bool,
    /// The run ends at this time, ps, or earlier, when every flow has finished.
    pub duration_ps: u64,
    /// Metrics count from this time on, ps.
    pub warmup_ps: u64,
    /// All links, one entry per direction.
    pub links: Vec<LinkPlan>,
    /// All flows.
    pub flows: Vec<FlowPlan>,
    /// All UDP streams. Packets and tables number them after the flows.
    pub streams: Vec<StreamPlan>,
    /// All sessions. A session runs flows whose application is `session`.
    pub sessions: Vec<SessionPlan>,
    /// Tables and time series to record.
    pub record: RecordPlan,
}

impl Plan {
    /// Checks that the plan can run.
    ///
    /// # Errors
    /// One line that names the first part that is wrong, and what is allowed there.
    pub fn check(&self) -> Result<(), PlanError> {
        self.check_times()
            .and_then(|()| self.check_links())
            .and_then(|()| self.check_flows())
            .and_then(|()| self.check_streams())
            .and_then(|()| self.check_sessions())
            .and_then(|()| {
                self.record.check(self.links.len(), self.flows.len(), self.streams.len())
            })
            .map_err(PlanError)
    }

    fn check_times(&self) -> Result<(), String> {
        if self.duration_ps == 0 {
            return Err("duration: must be longer than zero".into());
        }
        if self.duration_ps > LONGEST_PS {
            return Err("duration: must be at most 20 days".into());
        }
        if self.warmup_ps >= self.duration_ps {
            return Err("warmup: must end before the run does".into());
        }
        Ok(())
    }

    fn check_links(&self) -> Result<(), String> {
        let (links, flows) = (self.links.len(), self.flows.len());
        if links > MOST || flows > MOST {
            return Err(format!("{links} links and {flows} flows: at most {MOST} of each"));
        }
        for link in &self.links {
            link.check().map_err(|error| format!("link {}: {error}", link.name))?;
        }
        Ok(())
    }

    fn check_flows(&self) -> Result<(), String> {
        for flow in &self.flows {
            let check = || {
                self.check_path("path", &flow.path)?;
                self.check_path("reverse_path", &flow.reverse_path)?;
                flow.check()?;
                self.check_delay("base RTT, ps,", flow.path.iter().chain(&flow.reverse_path))
            };
            check().map_err(|error| format!("flow {}: {error}", flow.name))?;
        }
        Ok(())
    }

    fn check_streams(&self) -> Result<(), String> {
        for stream in &self.streams {
            let check = || {
                self.check_path("path", &stream.path)?;
                stream.check()?;
                self.check_delay("propagation, ps,", stream.path.iter())
            };
            check().map_err(|error| format!("stream {}: {error}", stream.name))?;
        }
        Ok(())
    }

    fn check_path(&self, name: &str, path: &[u32]) -> Result<(), String> {
        let is_known = path.iter().all(|link| (*link as usize) < self.links.len());
        if path.is_empty() || path.len() > usize::from(u8::MAX) || !is_known {
            return Err(format!("{name} must be 1 to 255 existing links"));
        }
        Ok(())
    }

    fn check_delay<'a>(
        &self,
        key: &str,
        links: impl Iterator<Item = &'a u32>,
    ) -> Result<(), String> {
        let delays = links.map(|link| self.links[*link as usize].delay_ps);
        at_most(key, delays.fold(0, u64::saturating_add), LONGEST_PS)
    }

    fn check_sessions(&self) -> Result<(), String> {
        let mut has_session = vec![false; self.flows.len()];
        for session in &self.sessions {
            session.check().map_err(|error| format!("session {}: {error}", session.name))?;
            for flow in &session.flows {
                let flow = *flow as usize;
                let waits =
                    self.flows.get(flow).is_some_and(|flow| flow.app == AppPlan::Session {});
                if !waits || std::mem::replace(&mut has_session[flow], true) {
                    return Err(format!(
                        "session {}: its flows must exist, wait for a session, and be its own",
                        session.name
                    ));
                }
            }
        }
        Ok(())
    }

    /// Gives the links there and back of each flow, and then of each stream, which has no links
    /// back.
    pub fn paths(&self) -> impl Iterator<Item = [&[u32]; 2]> {
        let flows = self.flows.iter().map(|flow| [&flow.path[..], &flow.reverse_path[..]]);
        flows.chain(self.streams.iter().map(|stream| [&stream.path[..], &[][..]]))
    }

    /// Propagation delay of a flow, there and back.
    #[must_use]
    pub fn base_rtt(&self, flow: &FlowPlan) -> Duration {
        self.propagation(flow.path.iter().chain(&flow.reverse_path))
    }

    /// Sum of the propagation delays of `links`.
    pub fn propagation<'a>(&self, links: impl Iterator<Item = &'a u32>) -> Duration {
        links.fold(Duration::ZERO, |sum, link| {
            sum + Duration::from_ps(self.links[*link as usize].delay_ps)
        })
    }
}
