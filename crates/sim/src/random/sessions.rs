//! Applications that open connections.

use super::{Draw, MS, flows};
use crate::app::session::{
    Abr, AdaptiveVideoPlan, IncastPlan, PersistentPlan, RepeatedPlan, RequestResponsePlan,
    SessionAppPlan, SessionPlan, ShortFlowsPlan, WebPlan,
};
use crate::app::{AppPlan, SubflowPlan};
use crate::distribution::Distribution;
use crate::transport::flow::FlowPlan;

fn size(draw: &mut Draw) -> Distribution {
    if draw.flag() {
        let (median, sigma) = (draw.value(100.0..10_000.0), draw.value(0.1..1.5));
        return Distribution::Lognormal { median, sigma };
    }
    Distribution::Fixed { value: draw.value(1.0..50_000.0) }
}

/// Any application that opens connections; one that ends soon if it `is_short`.
pub fn session_app(draw: &mut Draw, is_short: bool) -> SessionAppPlan {
    let time = flows::time;
    let kind = draw.kind(&[1; 6]);
    let percent = if is_short { 100 } else { 50 };
    let count = draw.option(percent, |draw| draw.number(1..6));
    match kind {
        0 => SessionAppPlan::Repeated(RepeatedPlan { size: size(draw), think: time(draw), count }),
        1 => SessionAppPlan::ShortFlows(ShortFlowsPlan {
            interval: time(draw),
            size: size(draw),
            count,
        }),
        2 => SessionAppPlan::RequestResponse(RequestResponsePlan {
            request: size(draw),
            response: size(draw),
            server: time(draw),
            think: time(draw),
            count,
        }),
        3 => {
            let segment_ps = draw.number(200..2000) * MS;
            let buffer_ps = draw.number(2..10) * segment_ps;
            SessionAppPlan::AdaptiveVideo(AdaptiveVideoPlan {
                segment_ps,
                ladder_bps: vec![100_000, 200_000, 400_000],
                buffer_ps,
                startup_ps: buffer_ps / 2,
                abr: draw.choice(&[Abr::Bola, Abr::BufferBased, Abr::Throughput]),
                request_bytes: 350,
                count,
            })
        }
        4 => SessionAppPlan::Web(WebPlan {
            main: size(draw),
            embedded: size(draw),
            objects: Distribution::Uniform { low: 0.0, high: draw.value(0.0..6.0) },
            parsing: time(draw),
            reading: time(draw),
            pages: is_short.then_some(Distribution::Fixed { value: 2.0 }),
            arrivals: None,
            parallel: 1 + draw.index(3),
            persistent: draw.option(50, |draw| PersistentPlan {
                request_bytes: draw.number(1..2000),
                keep_alive_ps: draw.number(0..1000) * MS,
            }),
        }),
        _ => SessionAppPlan::Incast(IncastPlan {
            group: "all".into(),
            request_bytes: draw.number(1..2000),
            response: size(draw),
            server: time(draw),
            gap: time(draw),
            count,
            persistent: draw.flag(),
        }),
    }
}

/// Makes a session run the first two flows, of which the second carries its requests, if there are
/// any. A flow alone gets a second one.
pub fn run_by_session(flows: &mut Vec<FlowPlan>, app: SessionAppPlan) -> SessionPlan {
    let (path, reverse_path) = (flows[0].path.clone(), flows[0].reverse_path.clone());
    let has_requests = match &app {
        SessionAppPlan::RequestResponse(_)
        | SessionAppPlan::AdaptiveVideo(_)
        | SessionAppPlan::Incast(_) => true,
        SessionAppPlan::Web(web) => web.persistent.is_some(),
        SessionAppPlan::Repeated(_) | SessionAppPlan::ShortFlows(_) => false,
    };
    if flows.len() < 2 {
        flows.push(FlowPlan { name: "flow.1".into(), ..flows[0].clone() });
    }
    let stop_ps = flows[0].stop_ps;
    for (index, flow) in flows.iter_mut().take(2).enumerate() {
        let is_request = has_requests && index == 1;
        (flow.app, flow.stop_ps, flow.start_ps) = (AppPlan::Session {}, None, 0);
        (flow.path, flow.reverse_path) = if is_request {
            (reverse_path.clone(), path.clone())
        } else {
            (path.clone(), reverse_path.clone())
        };
        flow.part_of = Some(SubflowPlan { name: "session".into(), chunk_bytes: 1, is_request });
    }
    SessionPlan {
        name: "session".into(),
        stream: "flow/session.1".into(),
        start_ps: 0,
        stop_ps,
        flows: vec![0, 1],
        app,
    }
}
