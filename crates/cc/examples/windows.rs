//! Windows of some algorithms over round trips, with a loss in every fortieth.
//!
//! ```text
//! cargo run -p ackclock-cc --example windows -- reno cubic hystart+cubic
//! ```

use std::env;

use ackclock_cc::entry::SpecError;
use ackclock_cc::registry::build;
use ackclock_cc::{
    AckEvent, CaState, CongestionControl, CongestionEvent, Duration, Rng, Round, RoundSummary,
    Setup, Signal, Time,
};
use rand_core::SeedableRng;

const MSS: u64 = 1448;
const ROUND_TRIPS: u64 = 120;
const LOSS_EVERY: u64 = 40;

/// A path without a queue: each round trip delivers the window that it began with.
fn windows(cc: &mut dyn CongestionControl, rtt: Duration) -> Vec<u64> {
    let mut rng = Rng::seed_from_u64(1);
    let (mut now, mut delivered) = (Time::ZERO, 0);
    let mut shown = Vec::new();
    for count in 1..=ROUND_TRIPS {
        let expected = cc.decision().cwnd;
        shown.push(expected / MSS);
        for segment in 0..expected / MSS {
            delivered += MSS;
            cc.on_ack(
                &AckEvent {
                    now,
                    newly_acked: MSS,
                    credited: MSS,
                    newly_lost: 0,
                    newly_marked: 0,
                    rtt_sample: Some(rtt),
                    srtt: rtt,
                    rttvar: Duration::ZERO,
                    min_rtt: rtt,
                    one_way_delay: None,
                    inflight: expected - MSS,
                    prior_inflight: expected,
                    delivered,
                    rate: None,
                    round: Round {
                        count,
                        start: segment == 0,
                        expected,
                        acked: (segment + 1) * MSS,
                        last: RoundSummary::default(),
                    },
                    pacing_wait: Duration::ZERO,
                    is_cwnd_limited: true,
                    in_recovery: false,
                    state: CaState::Open,
                },
                &mut rng,
            );
        }
        if count % LOSS_EVERY == 0 {
            cc.on_congestion(
                &CongestionEvent {
                    signal: Signal::Loss,
                    now,
                    inflight: cc.decision().cwnd,
                    newly_lost: MSS,
                    srtt: rtt,
                    min_rtt: rtt,
                    delivered,
                },
                &mut rng,
            );
            cc.on_recovery_exit(now);
        }
        now += rtt;
    }
    shown
}

fn main() -> Result<(), SpecError> {
    let given: Vec<String> = env::args().skip(1).collect();
    let specs = if given.is_empty() {
        ["reno", "cubic", "scalable"].map(str::to_owned).to_vec()
    } else {
        given
    };
    let setup = Setup {
        mss: MSS,
        initial_window: 10 * MSS,
        initial_ssthresh: Some(60 * MSS),
        has_sack: true,
        clock_phase: Duration::ZERO,
        counts_packets: false,
    };
    for spec in specs {
        let mut cc = build(&spec, &setup)?;
        let found = windows(&mut *cc, Duration::from_millis(50));
        let every: Vec<_> = found.iter().step_by(10).map(u64::to_string).collect();
        println!("{spec:>16}: {} segments at every tenth round trip", every.join(" "));
    }
    Ok(())
}
