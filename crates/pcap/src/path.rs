//! The path that a connection crossed, estimated from its capture.

use serde::Serialize;

use crate::layout::{Evidence, Figures, Layout, Place, quantile};

/// Segments of a span over which a rate is measured.
const SPAN_SEGMENTS: u64 = 32;
/// Packets in path and queue below which a loss leaves the link idle.
const FEWEST_PACKETS: f64 = 8.0;
/// IP packet of a SYN or an ACK, bytes.
const SMALL_PACKET: f64 = 60.0;
/// Rates that must be measured while a queue stands, before their median counts.
const ENOUGH: usize = 50;
/// A queue stands if the round trip exceeds the shortest by this share of its largest excess.
const STANDING: f64 = 0.25;
/// Excess of the round trip over the shortest one below which no queue is seen: this share of the
/// shortest.
const NO_QUEUE: f64 = 0.1;
/// A queue that keeps its link busy has one rate: the lower quartile of the rates measured is at
/// least this share of the upper one.
const STEADY: f64 = 0.9;
/// An episode began with a full queue if the round trip had this share of its largest excess.
const FULL: f64 = 0.8;

/// A figure of the path, and its ground.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// The figure, in the unit of its field.
    pub value: f64,
    /// Whether the true figure may be larger: nothing in the capture reached it.
    pub is_at_least: bool,
    /// How it was estimated, a sentence.
    pub because: String,
}

/// A path, estimated.
#[derive(Clone, Debug, Serialize)]
pub struct Path {
    /// Round trip without a queue, s.
    pub rtt: Part,
    /// Rate of the bottleneck in bytes of IP packets, bit/s.
    pub rate: Part,
    /// Buffer at the bottleneck, packets of a full segment.
    pub buffer: Part,
    /// Share of the packets that were lost without a full queue.
    pub loss: Part,
    /// Payload of a full segment, bytes.
    pub payload: u32,
    /// IP packet of a full segment, bytes.
    pub packet: f64,
    /// Receiver's window if it held the sender back, bytes.
    pub window: Option<u32>,
    /// Facts that no capture of one connection shows, a sentence each.
    pub unknown: Vec<&'static str>,
}

/// Estimates the path of a connection.
///
/// # Errors
/// If the capture does not show a round trip, or too little data for a rate; a sentence.
pub fn estimate(layout: &Layout) -> Result<Path, String> {
    let figures = &layout.figures;
    let evidence = &layout.evidence;
    let handshake = figures.vantage.round_trip();
    let Some(shortest) = figures.rtt_min.or(handshake) else {
        return Err("the capture shows no round trip: neither ACKs of data sent once, nor \
                    timestamps, nor a handshake"
            .into());
    };
    let queue = Queue::find(evidence, shortest);
    let rate = rate(figures, evidence, &queue)?;
    let packet = f64::from(figures.agreed.payload) * figures.overhead;
    let is_window_limited = figures.window_limited > 0.5;
    // Packets without data take less time on the link.
    let more = 8.0 * (packet - SMALL_PACKET).max(0.0) / rate.value;
    let rtt = Part {
        value: handshake.map_or(shortest, |it| shortest.min(it + more)),
        is_at_least: false,
        because: match figures.rtt_samples {
            0 => "From the handshake alone: no RTT of data was measurable.".into(),
            samples => format!(
                "The shortest of {samples} round trips. If a queue of others never emptied, the \
                 path is shorter."
            ),
        },
    };
    let buffer = buffer(evidence, &queue, &rate, packet);
    let loss = loss(figures, evidence, &queue);
    Ok(Path {
        rtt,
        rate,
        buffer,
        loss,
        payload: figures.agreed.payload,
        packet,
        window: is_window_limited.then_some(figures.window_max),
        unknown: vec![
            "Traffic of others: the rate is what this connection got of the bottleneck.",
            "The congestion control: cubic is assumed, the default of Linux.",
            "The place of the queue, its discipline, and whether the way back has one.",
            "The sender's pauses: the scenario always has data to send.",
        ],
    })
}

/// The queue that the round-trip times show.
struct Queue {
    shortest: f64,
    /// Largest excess over the shortest round trip, without the highest hundredth, s.
    excess: f64,
    is_seen: bool,
}

impl Queue {
    fn find(evidence: &Evidence, shortest: f64) -> Self {
        let mut rtts: Vec<f64> = evidence.rtts.iter().map(|&(_, rtt)| rtt).collect();
        rtts.sort_by(f64::total_cmp);
        let excess = quantile(&rtts, 0.99).map_or(0.0, |high| high - shortest);
        Self { shortest, excess, is_seen: excess > NO_QUEUE * shortest && rtts.len() >= ENOUGH }
    }

    fn stands_at(&self, rtt: f64) -> bool {
        self.is_seen && rtt - self.shortest >= STANDING * self.excess
    }

    /// Episodes that would find such a queue by chance, if losses struck at any time.
    fn full_by_chance(&self, evidence: &Evidence) -> f64 {
        let rtts = &evidence.rtts;
        let full = rtts.iter().filter(|&&(_, rtt)| self.is_full_at(rtt)).count();
        let share = count(full as u64) / count(rtts.len().max(1) as u64);
        share * count(evidence.episodes.len() as u64)
    }

    fn is_full_at(&self, rtt: f64) -> bool {
        self.is_seen && rtt - self.shortest >= FULL * self.excess
    }
}

fn rate(figures: &Figures, evidence: &Evidence, queue: &Queue) -> Result<Part, String> {
    let (points, what) = match figures.vantage.place {
        Place::Receiver => (&evidence.arrivals, "arrivals of data"),
        _ => (&evidence.deliveries, "ACKs"),
    };
    let step = points.windows(2).map(|pair| pair[1].1 - pair[0].1).max().unwrap_or(0);
    let span = (SPAN_SEGMENTS * u64::from(figures.agreed.payload)).max(4 * step);
    let mut rates = Vec::new();
    let mut standing = Vec::new();
    let mut rtts = evidence.rtts.iter().peekable();
    let mut rtt = f64::NAN;
    let mut from = 0;
    for (index, &(time, bytes)) in points.iter().enumerate() {
        while let Some(&&(at, value)) = rtts.peek() {
            if at > time {
                break;
            }
            rtt = value;
            rtts.next();
        }
        while from + 1 < index && bytes - points[from + 1].1 >= span {
            from += 1;
        }
        let (since, before) = points[from];
        if bytes - before < span || time <= since {
            continue;
        }
        let rate = bits(bytes - before) / (time - since) * figures.overhead;
        rates.push(rate);
        if queue.stands_at(rtt) {
            standing.push(rate);
        }
    }
    let segments = span / u64::from(figures.agreed.payload.max(1));
    standing.sort_by(f64::total_cmp);
    let quartile = |share: f64| quantile(&standing, share).unwrap_or(0.0);
    let is_steady = quartile(0.25) >= STEADY * quartile(0.75);
    if standing.len() >= ENOUGH && is_steady {
        let value = quantile(&standing, 0.5).unwrap_or(0.0);
        let packet = f64::from(figures.agreed.payload) * figures.overhead;
        let fit = value * (queue.shortest + queue.excess) / 8.0 / packet;
        if fit < FEWEST_PACKETS {
            return Ok(Part {
                value,
                is_at_least: true,
                because: format!(
                    "The median rate of {what} over spans of {segments} segments. Only {fit:.0} \
                     packets fit into path and queue: too few to keep the link busy after losses."
                ),
            });
        }
        return Ok(Part {
            value,
            is_at_least: false,
            because: format!(
                "The median rate of {what} over spans of {segments} segments while a queue stood."
            ),
        });
    }
    rates.sort_by(f64::total_cmp);
    match quantile(&rates, 0.95) {
        Some(value) => Ok(Part {
            value,
            is_at_least: true,
            because: format!(
                "The rate of {what} over spans of {segments} segments that 5 % exceed. {}, so the \
                 bottleneck may be faster.",
                if standing.len() >= ENOUGH {
                    "Delays grew without a steady rate"
                } else {
                    "No queue stood"
                }
            ),
        }),
        None => Err(format!(
            "the capture shows too little data for a rate: fewer than {segments} segments were \
             acknowledged"
        )),
    }
}

fn buffer(evidence: &Evidence, queue: &Queue, rate: &Part, packet: f64) -> Part {
    let packets = |excess: f64| (excess * rate.value / 8.0 / packet).max(1.0).round();
    if !queue.is_seen {
        return Part {
            value: packets(queue.shortest),
            is_at_least: true,
            because: "No queue was seen, so the buffer cannot be known; one BDP is assumed.".into(),
        };
    }
    let mut peaks: Vec<f64> = evidence
        .episodes
        .iter()
        .filter_map(|it| it.rtt)
        .filter(|&rtt| queue.is_full_at(rtt))
        .map(|rtt| rtt - queue.shortest)
        .collect();
    peaks.sort_by(f64::total_cmp);
    let full = count(peaks.len() as u64);
    let by_chance = queue.full_by_chance(evidence);
    let is_chance = peaks.len() < evidence.episodes.len() && full <= 2.0 * by_chance + 1.0;
    match quantile(&peaks, 0.5) {
        Some(peak) => Part {
            value: packets(peak),
            is_at_least: rate.is_at_least || is_chance,
            because: format!(
                "The round trip exceeded the shortest by {:.1} ms, the median, before {} loss \
                 episodes{}.",
                peak * 1e3,
                peaks.len(),
                if is_chance {
                    format!(" of {}, which may be chance", evidence.episodes.len())
                } else if rate.is_at_least {
                    ", but no queue kept the link busy".into()
                } else {
                    String::new()
                }
            ),
        },
        None => Part {
            value: packets(queue.excess),
            is_at_least: true,
            because: format!(
                "The round trip exceeded the shortest by up to {:.1} ms, and no loss followed: \
                 the buffer was not filled.",
                queue.excess * 1e3
            ),
        },
    }
}

fn loss(figures: &Figures, evidence: &Evidence, queue: &Queue) -> Part {
    let is_full = |rtt: Option<f64>| rtt.is_some_and(|rtt| queue.is_full_at(rtt));
    let mut full = (0, 0_u64);
    let mut other = (0, 0_u64);
    for episode in &evidence.episodes {
        let counts = if is_full(episode.rtt) { &mut full } else { &mut other };
        counts.0 += 1;
        counts.1 += episode.lost;
    }
    let packets = figures.packets.max(1);
    Part {
        value: count(other.1) / count(packets),
        is_at_least: false,
        because: format!(
            "{} of {packets} packets were sent again in {} episodes without a full queue; {} in \
             {} episodes with one are left to the buffer.",
            other.1, other.0, full.1, full.0
        ),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a connection are far below 2^53")]
fn count(number: u64) -> f64 {
    number as f64
}

fn bits(bytes: u64) -> f64 {
    8.0 * count(bytes)
}
