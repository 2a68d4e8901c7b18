//! Queue disciplines, alone and inside others.

use super::{Draw, MS};
use crate::qdisc::{
    CobaltPlan, CodelControl, CodelPlan, DrrClasses, DrrPlan, Dualpi2Plan, Dualpi2Step, FifoPlan,
    FqCodelPlan, FqPiePlan, LaterLimitPlan, LimitPlan, PeakPlan, PieControlPlan, PiePlan, PrioPlan,
    QdiscPlan, RedPlan, StepPlan, TbfPlan,
};

/// Size of the largest packet of a random plan, bytes.
pub(super) const LARGEST: u64 = 9200;

/// A limit that holds the largest packet: a larger packet than its queue passes an idle link only,
/// and a link with few opportunities to send is never idle.
fn limit(draw: &mut Draw) -> LimitPlan {
    LimitPlan {
        limit_packets: draw.option(50, |draw| draw.number(2..80)),
        limit_bytes: draw.option(50, |draw| draw.number(LARGEST..200_000)),
    }
}

/// A fifo, of which one in four has a limit that changes.
fn fifo(draw: &mut Draw) -> FifoPlan {
    let first = limit(draw);
    let mut at = 0;
    let later = draw.option(25, |draw| {
        draw.list(1..4, |draw| {
            at += draw.number(1..400) * MS;
            let LimitPlan { limit_packets, limit_bytes } = limit(draw);
            LaterLimitPlan { from_ps: at, limit_packets, limit_bytes }
        })
    });
    FifoPlan { later: later.unwrap_or_default(), ..first.into() }
}

fn red(draw: &mut Draw) -> RedPlan {
    let (min, byte_mode) = (draw.value(1.0..10.0), draw.flag());
    let unit = if byte_mode { 1000.0 } else { 1.0 };
    RedPlan {
        limit: limit(draw),
        min_threshold: min * unit,
        max_threshold: (min + draw.value(1.0..20.0)) * unit,
        max_p: draw.value(0.01..1.0),
        weight: draw.value(0.001..0.5),
        gentle: draw.flag(),
        wait: draw.flag(),
        adaptive: draw.flag(),
        byte_mode,
        mean_packet_bytes: 1000,
        ecn: draw.flag(),
    }
}

fn pie(draw: &mut Draw) -> PieControlPlan {
    PieControlPlan {
        target_ps: draw.number(1..100) * MS,
        tupdate_ps: draw.number(1..50) * MS,
        alpha: draw.value(0.0..2.0),
        beta: draw.value(0.0..2.0),
        max_burst_ps: draw.number(0..200) * MS,
        ecn: draw.flag(),
        ecn_prob: draw.value(0.0..1.0),
        bytemode: draw.flag(),
        dq_rate_estimator: draw.flag(),
        mtu_bytes: 1500,
    }
}

fn codel(draw: &mut Draw) -> CodelControl {
    CodelControl {
        target_ps: draw.number(1..30) * MS,
        interval_ps: draw.number(1..200) * MS,
        ecn: draw.flag(),
        ce_threshold_ps: draw.option(50, |draw| draw.number(1..20) * MS),
    }
}

fn dualpi2(draw: &mut Draw) -> Dualpi2Plan {
    Dualpi2Plan {
        limit: limit(draw),
        target_ps: draw.number(1..60) * MS,
        tupdate_ps: draw.number(1..40) * MS,
        alpha: draw.value(0.0..1.0),
        beta: draw.value(0.0..4.0),
        coupling_factor: draw.value(0.5..3.0),
        step: if draw.flag() {
            Dualpi2Step::Packets { count: draw.number(0..10) }
        } else {
            Dualpi2Step::Time { ps: draw.number(1..20) * MS / 4 }
        },
        min_qlen_step: draw.number(0..5),
        drop_on_overload: draw.flag(),
        drop_enqueue: draw.flag(),
        classic_protection: u8::try_from(draw.number(0..101)).unwrap_or(0),
        any_ect: draw.flag(),
        mtu_bytes: 1500,
    }
}

/// A discipline that holds no other.
fn plain(draw: &mut Draw) -> QdiscPlan {
    let quantum = |draw: &mut Draw| draw.small(256..5000);
    let memory = |draw: &mut Draw| draw.number(20_000..200_000);
    match draw.kind(&[6, 3, 3, 1, 1, 1, 1, 1, 1, 1]) {
        0 => QdiscPlan::Fifo(fifo(draw)),
        1 => QdiscPlan::Red(red(draw)),
        2 => QdiscPlan::Step(StepPlan { limit: limit(draw), threshold: limit(draw) }),
        3 => QdiscPlan::Pie(PiePlan { limit: limit(draw), control: pie(draw) }),
        4 => QdiscPlan::Drr(DrrPlan {
            limit: limit(draw),
            quantum_bytes: draw.number(100..10_000),
            by: draw.choice(&[DrrClasses::Flow, DrrClasses::Priority]),
            quanta: draw.list(0..4, |draw| (draw.choice(&[0, 1, 2, 3]), draw.number(100..20_000))),
        }),
        5 => QdiscPlan::Codel(CodelPlan { limit: limit(draw), control: codel(draw) }),
        6 => QdiscPlan::FqCodel(FqCodelPlan {
            limit: limit(draw),
            control: codel(draw),
            flows: draw.small(1..8),
            quantum_bytes: quantum(draw),
            memory_limit_bytes: memory(draw),
            drop_batch: draw.small(1..8),
        }),
        7 => QdiscPlan::FqPie(FqPiePlan {
            limit: limit(draw),
            control: pie(draw),
            flows: draw.small(1..8),
            quantum_bytes: quantum(draw),
            memory_limit_bytes: memory(draw),
        }),
        8 => QdiscPlan::Cobalt(CobaltPlan {
            limit: limit(draw),
            target_ps: draw.number(1..30) * MS,
            interval_ps: draw.number(1..200) * MS,
            ecn: draw.flag(),
            p_inc: draw.value(0.0..0.5),
            p_dec: draw.value(0.0..0.5),
        }),
        _ => QdiscPlan::Dualpi2(dualpi2(draw)),
    }
}

fn prio(draw: &mut Draw) -> QdiscPlan {
    let children = draw.list(1..4, plain);
    let bands = children.len();
    let band = |priority: usize| u8::try_from(priority % bands).unwrap_or(0);
    QdiscPlan::Prio(PrioPlan { children, priomap: core::array::from_fn(band) })
}

fn tbf(draw: &mut Draw) -> QdiscPlan {
    let bucket =
        |draw: &mut Draw| (draw.number(100_000..50_000_000), draw.number(LARGEST..100_000));
    let (rate_bps, burst_bytes) = bucket(draw);
    QdiscPlan::Tbf(TbfPlan {
        rate_bps,
        burst_bytes,
        peak: draw
            .option(30, bucket)
            .map(|(more, mtu_bytes)| PeakPlan { rate_bps: rate_bps + more, mtu_bytes }),
        qdisc: Box::new(if draw.chance(25) { prio(draw) } else { plain(draw) }),
    })
}

/// Any discipline, alone or inside others.
pub fn discipline(draw: &mut Draw) -> QdiscPlan {
    match draw.kind(&[16, 1, 1]) {
        0 => plain(draw),
        1 => prio(draw),
        _ => tbf(draw),
    }
}
