//! A run that a page advances in slices.

use std::ops::Range;

use ackclock_sim::output::Output;
use ackclock_sim::plan::Plan;
use ackclock_sim::record::RecordPlan;
use ackclock_sim::rows::{FLOWS, LINKS, SESSIONS, STREAMS};
use ackclock_sim::simulation::{Progress, Simulation};
use ackclock_units::Time;
use serde_json::{Map, Value, json};

use crate::rows::{row, rows};
use crate::table;

/// Most memory of each table of a run in detail, bytes. A page has 4 GB.
const DETAIL_BYTES: u64 = 256_000_000;

/// A run, and its results when it is over.
pub struct Running {
    /// The plan lives as long as the instance: the page has an instance for each run.
    plan: &'static Plan,
    simulation: Option<Simulation<'static>>,
    output: Option<Output>,
}

impl Running {
    /// A run with the record of its plan.
    pub fn new(plan: &[u8]) -> Result<Self, String> {
        Self::of(read(plan)?)
    }

    /// A run with a record of each packet at each link and each decision of a sender, and no other.
    pub fn in_detail(plan: &[u8]) -> Result<Self, String> {
        let mut plan = read(plan)?;
        plan.record = RecordPlan {
            packet_links: (0..).take(plan.links.len()).collect(),
            decision_flows: (0..).take(plan.flows.len()).collect(),
            max_bytes: DETAIL_BYTES,
            ..RecordPlan::default()
        };
        Self::of(plan)
    }

    fn of(plan: Plan) -> Result<Self, String> {
        let plan: &'static Plan = Box::leak(Box::new(plan));
        let simulation = Simulation::new(plan).map_err(|error| error.to_string())?;
        Ok(Self { plan, simulation: Some(simulation), output: None })
    }

    /// Handles at most so many events. Gives the simulated time, s; below 0: the run is over.
    pub fn advance(&mut self, events: u32) -> f64 {
        let Some(simulation) = &mut self.simulation else { return -1.0 };
        match simulation.advance(events.into()) {
            Progress::Running { now } => now.as_secs_f64(),
            Progress::Finished => -1.0,
        }
    }

    /// Removes recorded packets and decisions before this time, s.
    pub fn forget_before(&mut self, seconds: f64) {
        if let Some(simulation) = &mut self.simulation {
            simulation.forget_before(time(seconds));
        }
    }

    /// Describes packets and decisions from a time up to and without another, s. The window ends
    /// sooner where a table was full.
    pub fn window(&self, from: f64, to: f64) -> Result<Value, String> {
        let simulation = self.simulation.as_ref().ok_or("the run is over")?;
        if let Some(sentence) = simulation.fault() {
            return Err(sentence.to_owned());
        }
        let (packets, decisions) = (simulation.packets(), simulation.decisions());
        let full = [packets.room.full_at(), decisions.room.full_at()].into_iter().flatten().min();
        let to = full.map_or(to, |full| full.as_secs_f64().min(to));
        let (first, end) = (time(from), time(to));
        let packet_rows = packets.rows_before(first)..packets.rows_before(end);
        let decision_rows = decisions.rows_before(first)..decisions.rows_before(end);
        Ok(json!({
            "to": to,
            "packets": table::describe(packets, packet_rows),
            "decisions": table::describe(decisions, decision_rows),
            "rules": decisions.names,
        }))
    }

    /// Ends the run, and gives its counters and its digest.
    pub fn finish(&mut self) -> Result<Value, String> {
        let simulation = self.simulation.take().ok_or("the run is over")?;
        if let Some(sentence) = simulation.fault() {
            return Err(sentence.to_owned());
        }
        let output = simulation.finish();
        let mut flows = Vec::with_capacity(output.flows.len());
        output.each_flow(&output.transfers(self.plan), &mut |flow| flows.push(row(FLOWS, flow)));
        let recorded_until = output.recorded_until().into_iter();
        let answer = json!({
            "digest": output.digest(),
            "end_time": output.end.as_secs_f64(),
            "events": output.events,
            "flows": flows,
            "links": rows(LINKS, &output.links),
            "streams": rows(STREAMS, &output.streams),
            "sessions": rows(SESSIONS, &output.sessions),
            "internal_names": output.internals.names,
            "recorded_until": recorded_until
                .map(|(table, until)| (table.to_owned(), json!(until.as_secs_f64())))
                .collect::<Map<_, _>>(),
        });
        self.output = Some(output);
        Ok(answer)
    }

    /// Describes a recorded table.
    pub fn table(&self, name: &str) -> Result<Value, String> {
        let output = self.output.as_ref().ok_or("the run is not over")?;
        let recorded = output.tables().into_iter().find(|recorded| recorded.name == name);
        let table = recorded.ok_or_else(|| format!("there is no table '{name}'"))?.table;
        Ok(table::describe(table, Range { start: 0, end: table.height() }))
    }
}

fn read(plan: &[u8]) -> Result<Plan, String> {
    serde_json::from_slice(plan).map_err(|error| format!("the plan is not valid: {error}"))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from f64 ends at the bounds, and a page asks for whole nanoseconds at most"
)]
fn time(seconds: f64) -> Time {
    Time::from_ps((seconds * 1e12) as u64)
}

#[cfg(test)]
mod tests;
