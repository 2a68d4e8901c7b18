//! Compares a run by rounds with a run by events: `differ PLAN.json`.
use ackclock_sim::Simulation;
use ackclock_sim::plan::Plan;
fn main() {
    let path = std::env::args().nth(1).expect("differ PLAN.json");
    let plan: Plan = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let rows = |mut s: Simulation| {
        s.advance(u64::MAX);
        let o = s.finish();
        let p = &o.packets;
        (0..p.height())
            .map(|i| {
                format!(
                    "{} point {} place {} event {} flow {} ack {} seq {} ackno {} len {}",
                    p.time_ns[i],
                    p.point[i],
                    p.place[i],
                    p.event[i],
                    p.flow[i],
                    p.is_ack[i],
                    p.seq[i],
                    p.ack[i],
                    p.length[i]
                )
            })
            .chain((0..o.link_samples.height()).map(|i| {
                format!(
                    "{} link {} q {} del {}",
                    o.link_samples.time[i],
                    o.link_samples.link[i],
                    o.link_samples.queue_packets[i],
                    o.link_samples.delivered_bytes[i]
                )
            }))
            .collect::<Vec<_>>()
    };
    let a = rows(Simulation::new(&plan).unwrap());
    let b = rows(Simulation::by_events(&plan).unwrap());
    for (i, (x, y)) in a.iter().zip(&b).enumerate() {
        if x != y {
            for j in i.saturating_sub(6)..(i + 8).min(a.len()) {
                println!("{}\n      {}", a[j], b[j]);
            }
            return;
        }
    }
    println!("same {} {}", a.len(), b.len());
}
