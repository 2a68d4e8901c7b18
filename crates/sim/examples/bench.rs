//! Runs a plan by the engine alone and prints what that cost, one line of JSON: `bench PLAN.json`.
//! `bench/engine.py` calls it.

mod processor;

use std::alloc::System;

use ackclock_sim::Simulation;
use ackclock_sim::plan::Plan;
use cap::Cap;
use processor::processor_us;
use serde_json::json;

/// Counts what the heap holds; it grows a block where it stands, as the system does.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

fn main() {
    let path = std::env::args().nth(1).expect("bench PLAN.json");
    let text = std::fs::read_to_string(&path).expect("the plan can be read");
    let plan: Plan = serde_json::from_str(&text).expect("it is a plan");
    drop(text);
    let before = HEAP.allocated();
    let mut simulation = if std::env::var_os("BY_EVENTS").is_some() {
        Simulation::by_events(&plan)
    } else {
        Simulation::new(&plan)
    }
    .expect("the plan can run");
    let idle = HEAP.allocated();
    let began = processor_us();
    simulation.advance(u64::MAX);
    let processor_us = processor_us() - began;
    let running = HEAP.max_allocated();
    let output = simulation.finish();
    // Bulk flows send full segments only, but for the very last.
    let delivered: u64 = plan
        .flows
        .iter()
        .zip(&output.flows)
        .map(|(plan, flow)| {
            flow.receiver.received_bytes
                / u64::from(plan.transport.mss + plan.transport.header_bytes)
        })
        .sum();
    let lost: u64 = output.flows.iter().map(|flow| flow.lost_packets).sum();
    println!(
        "{}",
        json!({
            "delivered_packets": delivered,
            "lost_packets": lost,
            "events": output.events,
            "processor_us": processor_us,
            "flows": plan.flows.len(),
            "idle_bytes": idle - before,
            "peak_bytes": running - before,
        })
    );
}
