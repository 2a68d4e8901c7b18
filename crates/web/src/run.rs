//! A run that a page advances in slices.

use ackclock_sim::columns::{Kind, Rows, Value as Cell};
use ackclock_sim::output::Output;
use ackclock_sim::plan::Plan;
use ackclock_sim::rows::{FLOWS, LINKS, SESSIONS, STREAMS};
use ackclock_sim::simulation::{Progress, Simulation};
use serde_json::{Map, Value, json};

use crate::table;

/// A run, and its results when it is over.
pub struct Running {
    /// The run's own, for as long as the instance lives: the page has an instance for each run.
    plan: &'static Plan,
    simulation: Option<Simulation<'static>>,
    output: Option<Output>,
}

impl Running {
    pub fn new(plan: &[u8]) -> Result<Self, String> {
        let plan: Plan = serde_json::from_slice(plan)
            .map_err(|error| format!("the plan is not valid: {error}"))?;
        let plan: &'static Plan = Box::leak(Box::new(plan));
        let simulation = Simulation::new(plan).map_err(|error| error.to_string())?;
        Ok(Self { plan, simulation: Some(simulation), output: None })
    }

    pub fn advance(&mut self, events: u32) -> f64 {
        let Some(simulation) = &mut self.simulation else { return -1.0 };
        match simulation.advance(events.into()) {
            Progress::Running { now } if simulation.fault().is_none() => now.as_secs_f64(),
            _ => -1.0,
        }
    }

    pub fn finish(&mut self) -> Result<Value, String> {
        let simulation = self.simulation.take().ok_or("the run is over")?;
        if let Some(sentence) = simulation.fault() {
            return Err(sentence.to_owned());
        }
        let output = simulation.finish();
        let transfers = output.transfers(self.plan);
        let mut flows = Vec::with_capacity(output.flows.len());
        for (index, flow) in output.flows.iter().enumerate() {
            flows.extend(transfers.get(&index).map(|transfer| row(FLOWS, transfer)));
            flows.push(row(FLOWS, flow));
        }
        flows.extend(output.streams.iter().map(|stream| row(FLOWS, &stream.as_flow())));
        let answer = json!({
            "end_time": output.end.as_secs_f64(),
            "events": output.events,
            "flows": flows,
            "links": rows(LINKS, &output.links),
            "streams": rows(STREAMS, &output.streams),
            "sessions": rows(SESSIONS, &output.sessions),
            "internal_names": output.internals.names,
            "recorded_until": output.recorded_until().into_iter()
                .map(|(table, until)| (table.to_owned(), json!(until.as_secs_f64())))
                .collect::<Map<_, _>>(),
        });
        self.output = Some(output);
        Ok(answer)
    }

    pub fn table(&self, name: &str) -> Result<Value, String> {
        let output = self.output.as_ref().ok_or("the run is not over")?;
        Ok(match name {
            "transfers" => table::describe(&output.transfers),
            "datagrams" => table::describe(&output.datagrams),
            "frames" => table::describe(&output.frames),
            "flow_samples" => table::describe(&output.flow_samples),
            "link_samples" => table::describe(&output.link_samples),
            "internals" => table::describe(&output.internals),
            "packets" => table::describe(&output.packets),
            _ => return Err(format!("there is no table '{name}'")),
        })
    }
}

fn rows<T>(parts: &Rows<T>, all: &[T]) -> Value {
    all.iter().map(|one| row(parts, one)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "rates and sizes are far below 2^53")]
fn row<T>(parts: &Rows<T>, row: &T) -> Value {
    let mut values = Map::new();
    for part in parts {
        part.values(row, &mut |column, value| {
            let value = match value {
                Cell::Integer(number) if matches!(column.kind, Kind::Real) => json!(number as f64),
                Cell::Integer(number) => json!(number),
                Cell::Real(number) => json!(number),
                Cell::Text(text) => json!(text),
                Cell::Missing => Value::Null,
            };
            values.insert(column.name.to_owned(), value);
        });
    }
    values.into()
}
