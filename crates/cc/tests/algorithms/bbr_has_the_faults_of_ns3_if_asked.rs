//! Do the faults of ns-3's BBR make it collapse on a short path after `PROBE_RTT`, and which of
//! them?

use ackclock_cc::{Duration, Rate};

use crate::bottleneck::Path;
use crate::driver::as_float;

const LINK_BPS: u64 = 10_000_000;

/// Share of the link from 15 s on, when `PROBE_RTT` was once.
fn share_after_probe_rtt(quirks: &str, rtt_ms: u64) -> f64 {
    let rtt = Duration::from_millis(rtt_ms);
    let mut path = Path::new(&format!("bbr(quirks={quirks})"), Rate::from_bps(LINK_BPS), rtt, 1);
    path.run(Duration::from_secs(15));
    let before = path.delivered;
    path.run(Duration::from_secs(15));
    as_float(path.delivered - before) * 8.0 / 15.0 / as_float(LINK_BPS)
}

#[test]
fn it_collapses_on_short_paths_up_to_the_release_that_mended_the_intervals() {
    for rtt_ms in [4, 8] {
        assert!(share_after_probe_rtt("ns3.35", rtt_ms) < 0.4);
        for mended in ["none", "ns3.41", "ns3.42", "ns3.43"] {
            assert!(share_after_probe_rtt(mended, rtt_ms) > 0.95, "{mended}");
        }
    }
}

#[test]
fn not_where_the_dip_lasts_fewer_rounds_than_the_filter() {
    for rtt_ms in [40, 60] {
        assert!(share_after_probe_rtt("ns3.35", rtt_ms) > 0.94);
    }
}

#[test]
fn long_intervals_and_the_samples_of_the_dip_are_needed_and_suffice() {
    assert!(share_after_probe_rtt("intervals+dips", 4) < 0.4);
    for alone in ["intervals", "dips", "stale", "srtt"] {
        assert!(share_after_probe_rtt(alone, 4) > 0.95, "{alone}");
    }
}
