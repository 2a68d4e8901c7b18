//! Do sessions run on the kernel as in the simulator?

use ackclock_sim::Simulation;
use ackclock_sim::app::AppPlan;
use ackclock_sim::app::session::{RepeatedPlan, SessionAppPlan, SessionPlan};
use ackclock_sim::distribution::Distribution;
use libtest_mimic::Failed;

use super::{durations, live, plan};

/// Files one after another, each over a connection of its own.
///
/// The median is compared, because a busy machine delays some files. A file has a handshake and a
/// slow start without a loss, so the runs differ only by the host's time, below 1 ms of 100. 3 % is
/// room for a busy machine. 0.1 % below is room for reading a clock at both ends (a median 9 us
/// below the simulator's 93.7 ms has been seen).
pub fn files_take_as_long_as_the_simulators() -> Result<(), Failed> {
    let mut plan = plan(60_000, AppPlan::Session {});
    let count = 20;
    plan.plan.links[0].qdisc = ackclock_sim::qdisc::QdiscPlan::default();
    plan.plan.sessions = vec![SessionPlan {
        name: "files".into(),
        stream: "flow/files".into(),
        start_ps: 0,
        stop_ps: None,
        flows: vec![0],
        app: SessionAppPlan::Repeated(RepeatedPlan {
            size: Distribution::Fixed { value: 50_000.0 },
            think: Distribution::Fixed { value: 0.01 },
            count: Some(count),
        }),
    }];
    let mut simulation = Simulation::new(&plan.plan)?;
    simulation.advance(u64::MAX);
    let expected = median(durations(&simulation.finish().transfers));
    let live = live(&plan)?;
    assert_eq!(live.error, "");
    assert_eq!((live.transfers.len() as u64, live.acked_bytes), (count, 50_000 * count));
    let took = median(live.transfers);
    assert!(
        (0.999 * expected..1.03 * expected).contains(&took),
        "{took} s, and {expected} s in the simulator"
    );
    // It is over with its last file.
    assert!(live.end < 50.0, "{}", live.end);
    Ok(())
}

fn median(mut durations: Vec<f64>) -> f64 {
    durations.sort_by(f64::total_cmp);
    durations[durations.len() / 2]
}
