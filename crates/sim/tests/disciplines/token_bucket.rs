//! A token bucket passes at most burst + rate t bytes in any interval of length t. A greedy source
//! gets exactly that, give or take a packet.

use ackclock_sim::net::hosts::Hosts;
use ackclock_sim::net::link::{EventDriven, LinkPlan};
use ackclock_sim::net::policer::PolicerPlan;
use ackclock_sim::packet::Packet;
use ackclock_sim::qdisc::{LimitPlan, PeakPlan, QdiscPlan, TbfPlan};
use ackclock_units::Time;
use proptest::prelude::*;

use crate::cases;
use crate::plain_plans::S;

/// Tokens of a byte: at 1 bit/s one token comes per picosecond.
const PER_BYTE: i128 = 8 * 1_000_000_000_000;

fn tbf(
    rate_bps: u64,
    burst_bytes: u64,
    peak: Option<PeakPlan>,
    limit_packets: Option<u64>,
) -> LinkPlan {
    LinkPlan {
        name: "link".into(),
        qdisc: QdiscPlan::Tbf(TbfPlan {
            rate_bps,
            burst_bytes,
            peak,
            qdisc: Box::new(QdiscPlan::Fifo(LimitPlan { limit_packets, limit_bytes: None }.into())),
        }),
        ..LinkPlan::default()
    }
}

fn policed(rate_bps: u64, burst_bytes: u64) -> LinkPlan {
    LinkPlan {
        name: "link".into(),
        policer: Some(PolicerPlan { rate_bps, burst_bytes }),
        ..LinkPlan::default()
    }
}

/// Sends the arrivals, (time, bytes), to an infinitely fast link; returns its departures.
fn through(plan: &LinkPlan, arrivals: &[(u64, u32)]) -> Vec<(u64, u32)> {
    let mut link = EventDriven::new(plan, 1);
    let mut left = Vec::new();
    let mut until = |link: &mut EventDriven, end: Time| {
        while link.next_event() < end {
            let now = link.next_event();
            link.serve(now, &mut Hosts::default());
            let mut packet = Packet::default();
            while link.deliver(now, &mut packet) {
                left.push((now.as_ps(), packet.wire_size));
            }
        }
    };
    for (at, wire_size) in arrivals {
        let now = Time::from_ps(*at);
        until(&mut link, now);
        let packet = Packet { wire_size: *wire_size, ..Packet::default() };
        link.arrive(&packet, now, &mut Hosts::default());
    }
    until(&mut link, Time::MAX);
    left
}

/// The most by which burst + rate t is exceeded in any interval between two departures, in tokens.
fn excess(left: &[(u64, u32)], rate_bps: u64, burst_bytes: u64) -> i128 {
    let (mut sent, mut least, mut most) = (0, i128::MAX, i128::MIN);
    for (at, size) in left {
        let earned = i128::from(rate_bps) * i128::from(*at);
        least = least.min(sent * PER_BYTE - earned);
        sent += i128::from(*size);
        most = most.max(sent * PER_BYTE - earned - least);
    }
    most - i128::from(burst_bytes) * PER_BYTE
}

fn arrivals() -> impl Strategy<Value = Vec<(u64, u32)>> {
    proptest::collection::vec((prop_oneof![Just(0), 0..20_u64, 0..2000_u64], 40..1500_u32), 1..300)
        .prop_map(|gaps| {
            let mut at = 0;
            let timed = gaps.into_iter().map(|(gap, size)| {
                at += gap * (S / 1_000_000) + gap % 7;
                (at, size)
            });
            timed.collect()
        })
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn no_interval_has_more_than_a_burst_and_the_rate(
        arrivals in arrivals(),
        rate in 100_000..100_000_000_u64,
        burst in 1500..30_000_u64,
    ) {
        let peak = PeakPlan { rate_bps: 2 * rate, mtu_bytes: 1500 };
        let shaped = through(&tbf(rate, burst, Some(peak), None), &arrivals);
        prop_assert!(excess(&shaped, rate, burst) <= 0);
        prop_assert!(excess(&shaped, 2 * rate, 1500) <= 0);
        prop_assert_eq!(shaped.len(), arrivals.len(), "a shaper without a limit drops nothing");
        let limited = through(&tbf(rate, burst, None, Some(5)), &arrivals);
        prop_assert!(excess(&limited, rate, burst) <= 0);
        let passed = through(&policed(rate, burst), &arrivals);
        prop_assert!(excess(&passed, rate, burst) <= 0);
        let at_once = passed.iter().all(|passage| arrivals.contains(passage));
        prop_assert!(at_once, "a policer delays no packet");
    }
}

/// All packets are there at once. Each packet that has to wait leaves in the picosecond in which
/// its last token comes.
#[test]
fn a_shaper_with_a_full_queue_sends_exactly_the_burst_and_the_rate() {
    let (rate, burst) = (7_654_321, 10_000);
    let left = through(&tbf(rate, burst, None, None), &vec![(0, 1234); 5000]);
    let mut sent = 0;
    for (at, size) in left {
        sent += i128::from(size) * PER_BYTE;
        let allowed = i128::from(burst) * PER_BYTE + i128::from(rate) * i128::from(at);
        assert!(
            at == 0 || (0..i128::from(rate)).contains(&(allowed - sent)),
            "{sent} of {allowed} at {at}"
        );
    }
    assert_eq!(excess(&through(&tbf(rate, burst, None, None), &[(0, 1250); 8]), rate, burst), 0);
}

/// Packets of s bytes come at a constant rate above the policer's. The tokens left over are never
/// more than those of s bytes and of a gap. So (burst + rate t) / s packets pass, give or take two,
/// and the share lost is 1 - rate / offered.
#[test]
fn a_policer_passes_its_rate_of_a_constant_stream() {
    let (rate, burst, size) = (5_000_000_u64, 20_000, 1000_u32);
    for offered in [5_500_000_u64, 10_000_000, 80_000_000] {
        let gap = u64::from(size) * 8 * S / offered;
        let count = 20 * S / gap;
        let arrivals: Vec<_> = (0..count).map(|n| (n * gap, size)).collect();
        let passed = through(&policed(rate, burst), &arrivals).len() as u64;
        let due = (burst + rate / 8 * 20) / u64::from(size);
        assert!(passed.abs_diff(due) <= 2, "{passed} passed of {due}");
        #[expect(clippy::cast_precision_loss, reason = "small counts")]
        let (lost, share) =
            (1.0 - passed as f64 / count as f64, 1.0 - rate as f64 / offered as f64);
        // The burst is 0.16 % of what passes in 20 s.
        assert!((lost - share).abs() < 0.002, "{lost}, not {share}");
    }
}
