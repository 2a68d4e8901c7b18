//! Are packets conserved, and does the kernel's Reno get what the simulator's gets?

use ackclock_sim::app::AppPlan;
use ackclock_sim::{Progress, Simulation};
use libtest_mimic::Failed;

use super::{live, plan};

/// Five seconds of Reno.
pub fn is_conserved_and_as_fast_as_the_simulators() -> Result<(), Failed> {
    let plan = plan(5000, AppPlan::Bulk {});
    let live = live(&plan)?;
    assert_eq!(live.error, "");
    let mut simulation = Simulation::new(&plan.plan).expect("the plan runs");
    while simulation.advance(1_000_000) != Progress::Finished {}
    let simulated = simulation.finish();

    // All data packets and the SYN and handshake's ACK arrived at the bottleneck: what entered and
    // came out neither way is inside, at most a full queue, the wire, and the packet in
    // transmission.
    let inside = live.arrived - live.delivered - live.dropped;
    assert!(inside <= 16 + 10 + 1, "{live:?}");
    assert!(live.arrived - live.sent_packets <= 3, "{live:?}");
    assert_eq!(
        live.dropped, live.lost_packets,
        "a FIFO drops data only, as handshakes meet it empty"
    );
    assert!(live.retransmitted_packets >= live.lost_packets.saturating_sub(16), "{live:?}");
    assert!(
        live.goodput_bytes >= live.acked_bytes,
        "nothing is acknowledged that was not delivered"
    );
    assert!(live.handed_over > live.delivered, "ACKs too");
    assert!(live.lateness_p99 > 0.0 && live.samples > 450, "{live:?}");
    // 20 ms and the transmission of a SYN's 60 bytes.
    assert!(live.rtt_min > 0.020, "{live:?}");

    if live.lateness_p99 > 1e-3 {
        eprintln!(
            "\n*** NOT COMPARED with the simulator: this machine was too busy. {live:?} ***\n"
        );
        return Ok(());
    }
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    let ratio = live.goodput_bytes as f64 / simulated.flows[0].receiver.goodput_bytes as f64;
    // Both fill the link all the time but for the first quarter second.
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}: {live:?}");
    Ok(())
}
