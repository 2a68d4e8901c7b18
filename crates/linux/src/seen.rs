//! The network as a run has seen it: the emulator's or the kernel's own.

use ackclock_sim::output::LinkOutput;
use ackclock_sim::plan::Plan;
use ackclock_sim::record::{LinkColumns, PacketColumns};
use ackclock_sim::udp::DatagramColumns;
use ackclock_sim::wire::LossCause;
use ackclock_units::{Duration, Time};

use crate::emulator::{Emulated, Punctuality, StreamEnds, Watch};
use crate::lab::priority::Scheduling;

/// Losses and marks of the data packets of a flow or a stream, since the warm-up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Packets lost.
    pub lost_packets: u64,
    /// By cause; `None`: not known of all.
    pub by_cause: Option<[u64; LossCause::COUNT]>,
    /// Packets marked CE.
    pub marked_packets: u64,
}

/// Results of the network.
pub struct Seen {
    /// Results of each link.
    pub links: Vec<LinkOutput>,
    /// Of each flow, then of each stream.
    pub tally: Vec<Tally>,
    /// Series of links.
    pub link_samples: LinkColumns,
    /// Events of packets.
    pub packets: PacketColumns,
    /// Counters of each flow.
    pub watches: Vec<Watch>,
    /// Both ends of all streams.
    pub streams: StreamEnds,
    /// Columns of the streams' datagrams.
    pub datagrams: DatagramColumns,
    /// Lateness of the delivery of packets, and other disturbances of it.
    pub punctuality: Punctuality,
    /// Time of the end of the run.
    pub end: Time,
    /// Time at which measuring began.
    pub measured_from: Time,
    /// Events handled.
    pub events: u64,
    /// Scheduling class of the network's thread.
    pub scheduling: Scheduling,
    /// Processor time of the network's thread.
    pub cpu: Duration,
}

impl Seen {
    /// The network that the emulator was.
    #[must_use]
    pub fn by_emulator(plan: &Plan, emulated: Emulated) -> Self {
        let Emulated { network, end, measured_from, .. } = emulated;
        let links = plan.links.iter().zip(&network.links);
        Self {
            links: links
                .map(|(plan, link)| LinkOutput {
                    name: plan.name.clone(),
                    rate_bps: plan.rate_bps,
                    busy: link.busy_until(end),
                    measured: end.since(measured_from),
                    stats: link.final_stats(end),
                })
                .collect(),
            tally: network
                .tally
                .iter()
                .map(|tally| Tally {
                    lost_packets: tally.lost_packets(),
                    by_cause: Some(tally.lost_by_cause()),
                    marked_packets: tally.marked_packets,
                })
                .collect(),
            link_samples: network.log.links,
            packets: network.log.packets,
            watches: emulated.watches,
            streams: emulated.streams,
            datagrams: emulated.datagrams,
            punctuality: emulated.punctuality,
            end,
            measured_from,
            events: emulated.events,
            scheduling: emulated.scheduling,
            cpu: emulated.cpu,
        }
    }
}
