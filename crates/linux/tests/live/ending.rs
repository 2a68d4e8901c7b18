//! When does a run end?

use ackclock_sim::app::AppPlan;
use libtest_mimic::Failed;

use super::{live, live_until, plan};

/// Long before its duration, when the last byte is acknowledged.
pub fn a_file_ends_the_run() -> Result<(), Failed> {
    let size_bytes = 100_000;
    let live = live(&plan(60_000, AppPlan::File { size_bytes }))?;
    assert_eq!(live.error, "");
    assert_eq!((live.goodput_bytes, live.acked_bytes), (size_bytes, size_bytes));
    let finish = live.finish.expect("it has finished");
    // 70 packets of 1.2 ms and four round trips of 20 ms, and room for a busy machine.
    assert!(
        (0.08..5.0).contains(&finish) && live.end >= finish && live.end < finish + 1.0,
        "{live:?}"
    );
    Ok(())
}

/// A run ends as soon as its caller says so.
pub fn a_run_can_be_broken_off() -> Result<(), Failed> {
    let live = live_until(&plan(60_000, AppPlan::Bulk {}), 0.005)?;
    assert_eq!(live.error, "the run was stopped");
    Ok(())
}
