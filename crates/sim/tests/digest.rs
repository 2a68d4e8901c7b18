//! Equal results have equal digests, and the smallest difference has another.

use crate::plain_plans::{dumbbell, flow};
use crate::run;
use ackclock_sim::Output;
use ackclock_sim::app::AppPlan;
use ackclock_sim::record::{RecordPlan, SamplePlan};

fn output(change: impl FnOnce(&mut RecordPlan)) -> Output {
    let flows = vec![flow("a", "cubic", AppPlan::Bulk {}), flow("b", "bbr", AppPlan::Bulk {})];
    let mut plan = dumbbell(flows, None, 2);
    plan.record.samples = SamplePlan::Period { period_ps: 10_000_000_000 };
    change(&mut plan.record);
    run(&plan)
}

/// Equal on every machine. A change of results changes it; otherwise it is a fault.
#[test]
fn a_digest_is_frozen() {
    assert_eq!(output(|_| ()).digest(), "49a6d3c0c4726993");
}

#[test]
fn every_part_of_the_results_counts() {
    let reference = output(|_| ()).digest();
    let changed = |change: fn(&mut Output)| {
        let mut output = output(|_| ());
        change(&mut output);
        output.digest()
    };
    let edits: [fn(&mut Output); 9] = [
        |output| output.events += 1,
        |output| output.end += ackclock_units::Duration::from_ps(1),
        |output| output.flows[1].sender.sent_packets += 1,
        |output| output.flows[0].name.push('!'),
        |output| output.links[1].stats.delivered_bytes += 1,
        |output| output.flow_samples.cwnd[3] = output.flow_samples.cwnd[3].next_up(),
        |output| output.flow_samples.state[0] ^= 1,
        |output| output.internals.names[0] = "another".into(),
        |output| output.links.swap(0, 1),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        assert_ne!(changed(edit), reference, "edit {number}");
    }
}

#[test]
fn all_missing_values_are_one() {
    let with = |bits: u64| {
        let mut output = output(|_| ());
        output.flow_samples.ssthresh[0] = f64::from_bits(bits);
        output.digest()
    };
    assert_eq!(with(0x7ff8_0000_0000_0000), with(0xfff8_0000_0000_0001));
}

#[test]
fn a_record_counts() {
    assert_ne!(output(|_| ()).digest(), output(|record| record.packet_links = vec![0]).digest());
}
