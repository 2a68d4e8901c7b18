//! The whole output of a run as text.

use ackclock_sim::Output;

/// A line for each flow, stream, link and table. The first line has the number of events. Rust
/// prints a float so that it reads back bit for bit.
pub fn text(output: &Output) -> Vec<String> {
    let mut lines = vec![format!("{} events", output.events)];
    lines.push(format!("{:?} {:?}", output.end, output.measured));
    lines.extend(output.flows.iter().map(|f| {
        let lost = (f.lost_packets, f.marked_packets, f.lost_by_cause);
        format!(
            "{} {:?} {:?} {:?} {:?} {:?} {lost:?} {:?}",
            f.name, f.start, f.finished, f.active, f.sender, f.receiver, f.rtt
        )
    }));
    lines.extend(output.links.iter().map(|l| format!("{} {:?} {:?}", l.name, l.stats, l.busy)));
    lines.extend(output.streams.iter().map(|s| {
        let lost = (s.active, s.lost_packets, s.jitter, s.play_after);
        format!("{} {:?} {:?} {lost:?} {:?}", s.name, s.sent, s.received, s.frames)
    }));
    lines.extend(output.sessions.iter().map(|s| format!("{} {}", s.name, s.waited)));
    lines.push(format!("{:?}", output.flow_samples));
    lines.push(format!("{:?}", output.link_samples));
    lines.push(format!("{:?}", output.internals));
    lines.push(format!("{:?}", output.packets));
    lines.push(format!("{:?}", output.transfers));
    lines.push(format!("{:?}", output.datagrams));
    lines.push(format!("{:?}", output.frames));
    lines
}
