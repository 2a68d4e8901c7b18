//! Plans as a textbook would draw them: one bottleneck, one link back.

use ackclock_sim::plan::{
    AppPlan, DupackRecovery, EcnMode, FlowPlan, LimitPlan, LinkPlan, LossDetection, LossPlan, PacingMode, Plan, QdiscPlan, RecordPlan,
    TransportPlan, WindowApproach,
};

/// A millisecond, in picoseconds.
pub const MS: u64 = 1_000_000_000;
/// A second, in picoseconds.
pub const S: u64 = 1000 * MS;

/// Linux's defaults.
pub fn linux() -> TransportPlan {
    TransportPlan {
        mss: 1448,
        header_bytes: 52,
        initial_window_bytes: 14_480,
        initial_ssthresh_bytes: None,
        max_cwnd_bytes: None,
        receive_buffer_bytes: 64 << 20,
        read_rate_bps: None,
        delayed_ack_count: 2,
        delayed_ack_timeout_ps: 40 * MS,
        quick_acks: 16,
        timestamps: true,
        loss_detection: LossDetection::Rack,
        dupack_recovery: DupackRecovery::Newreno,
        window_approach: WindowApproach::Prr,
        limited_transmit: true,
        tail_loss_probe: true,
        frto: true,
        undo: true,
        dsack: true,
        min_rto_ps: 200 * MS,
        min_rto_bounds_variance: true,
        max_rto_ps: 120 * S,
        initial_rto_ps: S,
        idle_restart: true,
        ecn: EcnMode::Off,
        pacing: PacingMode::Cc,
    }
}

/// A link of 10 Mbit/s and 20 ms in one direction with a fifo of this many packets.
pub fn link(name: &str, limit_packets: u64, loss: Option<LossPlan>) -> LinkPlan {
    LinkPlan {
        name: name.into(),
        rate_bps: Some(10_000_000),
        delay_ps: 20 * MS,
        qdisc: QdiscPlan::Fifo(LimitPlan {
            limit_packets: Some(limit_packets),
            limit_bytes: None,
        }),
        loss,
    }
}

/// A flow over link 0 with its ACKs over link 1.
pub fn flow(name: &str, cc: &str, app: AppPlan) -> FlowPlan {
    FlowPlan {
        name: name.into(),
        cc: cc.into(),
        start_ps: 0,
        stop_ps: None,
        app,
        path: vec![0],
        reverse_path: vec![1],
        transport: linux(),
    }
}

/// These flows over 10 Mbit/s with an RTT of 40 ms and a queue of 50 packets.
pub fn dumbbell(flows: Vec<FlowPlan>, loss: Option<LossPlan>, seconds: u64) -> Plan {
    Plan {
        seed: 1,
        duration_ps: seconds * S,
        warmup_ps: 0,
        links: vec![link("bottleneck", 50, loss), link("bottleneck.reverse", 1000, None)],
        flows,
        record: RecordPlan::default(),
    }
}
