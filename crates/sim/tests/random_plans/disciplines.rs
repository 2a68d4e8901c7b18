//! Any queue discipline.

use ackclock_sim::qdisc::{
    CobaltPlan, CodelControl, CodelPlan, DrrClasses, DrrPlan, Dualpi2Plan, Dualpi2Step, FifoPlan,
    FqCodelPlan, FqPiePlan, LaterLimitPlan, LimitPlan, PeakPlan, PieControlPlan, PiePlan, PrioPlan,
    QdiscPlan, RedPlan, StepPlan, TbfPlan,
};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::MS;

/// Size of the largest packet of a random plan, bytes.
pub const LARGEST: u64 = 9200;

/// A limit that holds the largest packet: a larger packet than its queue passes an idle link only,
/// and a link with few opportunities to send is never idle.
fn limit() -> impl Strategy<Value = LimitPlan> {
    (option::of(2..80_u64), option::of(LARGEST..200_000_u64))
        .prop_map(|(limit_packets, limit_bytes)| LimitPlan { limit_packets, limit_bytes })
}

/// A fifo, of which one in four has a limit that changes.
fn fifo() -> impl Strategy<Value = QdiscPlan> {
    let steps = proptest::collection::vec((1..400_u64, limit()), 1..4);
    (limit(), option::weighted(0.25, steps)).prop_map(|(limit, steps)| {
        let mut at = 0;
        let later = steps.unwrap_or_default().into_iter().map(|(ms, limit)| {
            at += ms * MS;
            let LimitPlan { limit_packets, limit_bytes } = limit;
            LaterLimitPlan { from_ps: at, limit_packets, limit_bytes }
        });
        QdiscPlan::Fifo(FifoPlan { later: later.collect(), ..limit.into() })
    })
}

fn red() -> impl Strategy<Value = QdiscPlan> {
    (limit(), 1.0..10.0, 1.0..20.0, 0.01..1.0, 0.001..0.5, any::<(bool, bool, bool, bool, bool)>())
        .prop_map(|(limit, min, span, max_p, weight, (gentle, wait, adaptive, byte_mode, ecn))| {
            let unit = if byte_mode { 1000.0 } else { 1.0 };
            QdiscPlan::Red(RedPlan {
                limit,
                min_threshold: min * unit,
                max_threshold: (min + span) * unit,
                max_p,
                weight,
                gentle,
                wait,
                adaptive,
                byte_mode,
                mean_packet_bytes: 1000,
                ecn,
            })
        })
}

fn step() -> impl Strategy<Value = QdiscPlan> {
    (limit(), limit()).prop_map(|(limit, threshold)| QdiscPlan::Step(StepPlan { limit, threshold }))
}

fn pie_control() -> impl Strategy<Value = PieControlPlan> {
    let times = (1..100_u64, 1..50_u64, 0..200_u64);
    let gains = (0.0..2.0, 0.0..2.0, 0.0..1.0);
    (times, gains, any::<(bool, bool, bool)>()).prop_map(
        |(
            (target, tupdate, burst),
            (alpha, beta, ecn_prob),
            (ecn, bytemode, dq_rate_estimator),
        )| PieControlPlan {
            target_ps: target * MS,
            tupdate_ps: tupdate * MS,
            alpha,
            beta,
            max_burst_ps: burst * MS,
            ecn,
            ecn_prob,
            bytemode,
            dq_rate_estimator,
            mtu_bytes: 1500,
        },
    )
}

fn pie() -> impl Strategy<Value = QdiscPlan> {
    (limit(), pie_control()).prop_map(|(limit, control)| QdiscPlan::Pie(PiePlan { limit, control }))
}

fn fq_pie() -> impl Strategy<Value = QdiscPlan> {
    (limit(), pie_control(), 1..8_u32, 256..5000_u32, 20_000..200_000_u64).prop_map(
        |(limit, control, flows, quantum_bytes, memory_limit_bytes)| {
            QdiscPlan::FqPie(FqPiePlan { limit, control, flows, quantum_bytes, memory_limit_bytes })
        },
    )
}

fn drr() -> impl Strategy<Value = QdiscPlan> {
    let quanta = proptest::collection::vec((0..4_u8, 100..20_000_u64), 0..4);
    (limit(), 100..10_000_u64, select(vec![DrrClasses::Flow, DrrClasses::Priority]), quanta)
        .prop_map(|(limit, quantum_bytes, by, quanta)| {
            QdiscPlan::Drr(DrrPlan { limit, quantum_bytes, by, quanta })
        })
}

fn control() -> impl Strategy<Value = CodelControl> {
    (1..30_u64, 1..200_u64, any::<bool>(), option::of(1..20_u64)).prop_map(
        |(target, interval, ecn, ce_threshold)| CodelControl {
            target_ps: target * MS,
            interval_ps: interval * MS,
            ecn,
            ce_threshold_ps: ce_threshold.map(|ms| ms * MS),
        },
    )
}

fn codel() -> impl Strategy<Value = QdiscPlan> {
    (limit(), control()).prop_map(|(limit, control)| QdiscPlan::Codel(CodelPlan { limit, control }))
}

fn fq_codel() -> impl Strategy<Value = QdiscPlan> {
    (limit(), control(), 1..8_u32, 256..5000_u32, 20_000..200_000_u64, 1..8_u32).prop_map(
        |(limit, control, flows, quantum_bytes, memory_limit_bytes, drop_batch)| {
            QdiscPlan::FqCodel(FqCodelPlan {
                limit,
                control,
                flows,
                quantum_bytes,
                memory_limit_bytes,
                drop_batch,
            })
        },
    )
}

fn cobalt() -> impl Strategy<Value = QdiscPlan> {
    (limit(), 1..30_u64, 1..200_u64, any::<bool>(), 0.0..0.5, 0.0..0.5).prop_map(
        |(limit, target, interval, ecn, p_inc, p_dec)| {
            QdiscPlan::Cobalt(CobaltPlan {
                limit,
                target_ps: target * MS,
                interval_ps: interval * MS,
                ecn,
                p_inc,
                p_dec,
            })
        },
    )
}

fn dualpi2() -> impl Strategy<Value = QdiscPlan> {
    let step = prop_oneof![
        (1..20_u64).prop_map(|ms| Dualpi2Step::Time { ps: ms * MS / 4 }),
        (0..10_u64).prop_map(|count| Dualpi2Step::Packets { count }),
    ];
    let gains = (0.0..1.0, 0.0..4.0, 0.5..3.0);
    let flags = any::<(bool, bool, bool)>();
    (limit(), (1..60_u64, 1..40_u64), gains, (step, 0..5_u64), flags, 0..=100_u8).prop_map(
        |(
            limit,
            (target, tupdate),
            (alpha, beta, coupling_factor),
            (step, min_qlen_step),
            flags,
            classic_protection,
        )| {
            QdiscPlan::Dualpi2(Dualpi2Plan {
                limit,
                target_ps: target * MS,
                tupdate_ps: tupdate * MS,
                alpha,
                beta,
                coupling_factor,
                step,
                min_qlen_step,
                drop_on_overload: flags.0,
                drop_enqueue: flags.1,
                classic_protection,
                any_ect: flags.2,
                mtu_bytes: 1500,
            })
        },
    )
}

fn plain() -> impl Strategy<Value = QdiscPlan> {
    prop_oneof![
        6 => fifo(),
        3 => red(),
        3 => step(),
        1 => pie(),
        1 => drr(),
        1 => codel(),
        1 => fq_codel(),
        1 => fq_pie(),
        1 => cobalt(),
        1 => dualpi2(),
    ]
}

fn prio() -> impl Strategy<Value = QdiscPlan> {
    proptest::collection::vec(plain(), 1..4).prop_map(|children| {
        let bands = children.len();
        let band = |priority: usize| u8::try_from(priority % bands).unwrap_or(0);
        QdiscPlan::Prio(PrioPlan { children, priomap: core::array::from_fn(band) })
    })
}

fn tbf() -> impl Strategy<Value = QdiscPlan> {
    let bucket = || (100_000..50_000_000_u64, LARGEST..100_000_u64);
    let inner = prop_oneof![3 => plain().boxed(), 1 => prio().boxed()];
    (bucket(), option::weighted(0.3, bucket()), inner).prop_map(
        |((rate_bps, burst_bytes), peak, inner)| {
            QdiscPlan::Tbf(TbfPlan {
                rate_bps,
                burst_bytes,
                peak: peak
                    .map(|(more, mtu_bytes)| PeakPlan { rate_bps: rate_bps + more, mtu_bytes }),
                qdisc: Box::new(inner),
            })
        },
    )
}

/// Any discipline, alone or inside others.
pub fn any_discipline() -> impl Strategy<Value = QdiscPlan> {
    prop_oneof![16 => plain(), 1 => prio(), 1 => tbf()]
}
