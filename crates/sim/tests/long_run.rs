//! The short form of the long run: `make long-run` has a day and 10^9 packets.

#[path = "../examples/long_run.rs"]
#[expect(dead_code, reason = "its main is the program")]
mod long_run;

#[test]
fn memory_stays_flat_and_every_packet_is_accounted_for() {
    // 44 million packets an hour are more than a million in two minutes, with slow start and its
    // losses.
    assert!(long_run::run(120) > 1_000_000);
}
