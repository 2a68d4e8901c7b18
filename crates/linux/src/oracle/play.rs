//! Plays scripts on the kernel's sockets, many at once, in real time.
//!
//! One thread reads what the kernel sends, injects the events that are due, and asks for the
//! connections' state. Scripts are compared by the real times of the events, so a late event costs
//! nothing; only a packet that is read late does.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration as Sleep;

use ackclock_sim::packet::flags;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::socket::{
    AddressFamily, SockFlag, SockType, SockaddrIn, connect, setsockopt, socket, sockopt,
};
use serde::{Deserialize, Serialize};

use super::script::{Ack, Action, Script, Transmissions, WINDOW_SHIFT, WINDOW_UNIT};
use super::tun::{LONGEST, Tun};
use super::wire::{self, Reply, Seen};
use crate::clock::monotonic_ns;
use crate::endpoint::option;
use crate::lab::priority::{self, Role};
use crate::lab::{self, LabError};

const HERE: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 1);
const PEER: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 2);
const FIRST_PORT: u16 = 10_000;
const PORTS: u16 = 50_000;
/// The peer's initial sequence number.
const PEER_SEQ: u32 = 1_000_000;
/// Bytes that timestamps take of each segment.
const TIMESTAMP_BYTES: u32 = 12;
/// Time between the starts of two connections.
const STAGGER_NS: u64 = 1_500_000;
const MILLISECOND: u64 = 1_000_000;
/// Time between sending and reading from which a packet disturbs its script.
const LATE_NS: u64 = 1_500_000;
/// Longest sleep of the thread.
const LONGEST_SLEEP_NS: u64 = 50_000_000;

/// Settings of the kernel's TCP in this namespace. All others are the kernel's defaults.
const SETTINGS: [(&str, &str); 7] = [
    ("tcp_rmem", "4096 131072 67108864"),
    ("tcp_wmem", "4096 33554432 67108864"),
    ("tcp_no_metrics_save", "1"),
    // Writes leave at once, as in the simulator.
    ("tcp_autocorking", "0"),
    // The peer of each script decides.
    ("tcp_ecn", "1"),
    // Small segments keep their first boundaries, as in the simulator.
    ("tcp_retrans_collapse", "0"),
    ("ip_local_port_range", "1024 9999"),
];

/// Events of one script, in order. Times are of `CLOCK_MONOTONIC`, ns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// Time at which the SYN left.
    pub syn_ns: u64,
    /// Time at which the SYN-ACK arrived.
    pub open_ns: u64,
    /// All later events.
    pub entries: Vec<Entry>,
    /// Reason why the times are unreliable, if they are.
    pub disturbed: Option<String>,
}

impl Trace {
    /// Time at which the SYN left, ns. The kernel's own measurement is more exact than the time at
    /// which the SYN was read.
    #[must_use]
    pub fn syn_sent_ns(&self) -> u64 {
        let measured = self.entries.iter().find_map(|entry| match entry {
            Entry::State { state, .. } => Some(u64::from(state.rtt) * 1000),
            _ => None,
        });
        measured.map_or(self.syn_ns, |rtt| self.open_ns.saturating_sub(rtt))
    }
}

/// One event of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The kernel sent a packet.
    Sent {
        /// Time of sending.
        at_ns: u64,
        /// First byte.
        seq: u64,
        /// Payload, bytes.
        payload: u32,
        /// Whether it carries the FIN.
        fin: bool,
        /// Whether it carries PSH; of segments that the kernel handed over at once only the last
        /// does.
        psh: bool,
        /// Whether it carries CWR.
        cwr: bool,
        /// Timestamp of the segment, ms since the SYN's.
        stamp: u32,
        /// Whether the kernel handed the next segment over together with it.
        more: bool,
    },
    /// An event of the script was played.
    Event {
        /// Time of the event.
        at_ns: u64,
        /// Index of the script.
        index: usize,
    },
    /// The kernel was asked for the connection's state.
    State {
        /// Time of the question.
        at_ns: u64,
        /// The answer.
        state: Info,
    },
}

/// Fields of `TCP_INFO` that are compared or help to understand a difference. They count segments,
/// unless a field says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// State of congestion control: Open, Disorder, CWR, Recovery, Loss.
    pub ca_state: u8,
    /// RTO retransmissions since the last progress.
    pub retransmits: u8,
    /// Window probes since the last answer.
    pub probes: u8,
    /// Number of doublings of the timer.
    pub backoff: u8,
    /// Segments sent and not acknowledged.
    pub out: u32,
    /// Segments selectively acknowledged.
    pub sacked: u32,
    /// Segments believed lost.
    pub lost: u32,
    /// Retransmissions that are out.
    pub retrans: u32,
    /// Slow-start threshold; absent before the first reduction.
    pub ssthresh: Option<u32>,
    /// Congestion window.
    pub cwnd: u32,
    /// `tp->reordering`.
    pub reordering: u32,
    /// Retransmission timeout, us.
    pub rto: u32,
    /// Smoothed round-trip time, us.
    pub rtt: u32,
    /// Variation of the round-trip time, us.
    pub rttvar: u32,
    /// Least round-trip time, us.
    pub min_rtt: u32,
    /// Pacing rate, bytes/s.
    pub pacing_rate: u64,
    /// Segments delivered, including duplicates that D-SACKs reported.
    pub delivered: u32,
    /// Times that reordering was seen.
    pub reord_seen: u32,
    /// D-SACKs received.
    pub dsack_dups: u32,
    /// Retransmissions in all.
    pub total_retrans: u32,
}

const NO_SSTHRESH: u32 = 0x7fff_ffff;

impl Info {
    fn of(socket: impl AsFd) -> io::Result<Self> {
        let mut bytes = [0; 512];
        let bytes = option::tcp(socket, libc::TCP_INFO, &mut bytes)?;
        let u8_at = |at: usize| bytes.get(at).copied().unwrap_or(0);
        let u32_at = |at: usize| {
            bytes
                .get(at..at + 4)
                .map_or(0, |part| u32::from_ne_bytes(part.try_into().expect("four")))
        };
        let u64_at = |at: usize| {
            bytes
                .get(at..at + 8)
                .map_or(0, |part| u64::from_ne_bytes(part.try_into().expect("eight")))
        };
        let ssthresh = u32_at(76);
        Ok(Self {
            ca_state: u8_at(1),
            retransmits: u8_at(2),
            probes: u8_at(3),
            backoff: u8_at(4),
            rto: u32_at(8),
            out: u32_at(24),
            sacked: u32_at(28),
            lost: u32_at(32),
            retrans: u32_at(36),
            rtt: u32_at(68),
            rttvar: u32_at(72),
            ssthresh: (ssthresh < NO_SSTHRESH).then_some(ssthresh),
            cwnd: u32_at(80),
            reordering: u32_at(88),
            total_retrans: u32_at(100),
            pacing_rate: u64_at(104),
            min_rtt: u32_at(148),
            delivered: u32_at(192),
            dsack_dups: u32_at(216),
            reord_seen: u32_at(220),
        })
    }
}

/// The next script to play, if there is one.
pub enum Next {
    /// A script.
    Script(Box<Script>),
    /// No script yet; there may be more later.
    Later,
    /// No further scripts.
    Nothing,
}

/// A connection whose script is being played.
struct Connection {
    script: Box<Script>,
    stream: TcpStream,
    port: u16,
    kernel_port: u16,
    /// The kernel's initial sequence number.
    isn: u32,
    /// The kernel's timestamp of the ms in which `CLOCK_MONOTONIC` was zero.
    stamp_offset: u32,
    syn_stamp: u32,
    sent: Transmissions,
    sent_end: u64,
    next: usize,
    trace: Trace,
    touched: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Open,
    Event,
}

/// The player. Its thread is in a network namespace of its own.
pub struct Player {
    tun: Tun,
    connections: BTreeMap<u16, Connection>,
    due: BinaryHeap<Reverse<(u64, u16, Due)>>,
    started: u64,
    next_start_ns: u64,
    zeros: Vec<u8>,
    touched: Vec<u16>,
    buffer: Vec<u8>,
}

impl Player {
    /// Makes the device and the settings in the calling thread's network namespace, which
    /// [`crate::lab::enter`] made.
    ///
    /// # Errors
    ///
    /// If the machine does not permit it.
    pub fn new() -> Result<Self, LabError> {
        lab::silence_ipv6()?;
        for (name, value) in SETTINGS {
            lab::write_sysctl(name, value)?;
        }
        Ok(Self {
            tun: Tun::new(HERE)?,
            connections: BTreeMap::new(),
            due: BinaryHeap::new(),
            started: 0,
            next_start_ns: 0,
            zeros: vec![0; 1 << 20],
            touched: Vec::new(),
            buffer: vec![0; LONGEST],
        })
    }

    /// Plays the scripts of `source`, at most `at_once` at a time, and gives each to `sink` with
    /// its trace.
    ///
    /// # Errors
    ///
    /// If a necessary system call fails.
    pub fn run(
        &mut self,
        at_once: usize,
        mut source: impl FnMut() -> Next,
        mut sink: impl FnMut(Box<Script>, Trace),
    ) -> Result<(), LabError> {
        let _ = priority::take(Role::Emulator);
        let failed = |error: io::Error| LabError(format!("playing scripts on the kernel: {error}"));
        let mut exhausted = false;
        loop {
            let now = monotonic_ns();
            if !exhausted && self.connections.len() < at_once && now >= self.next_start_ns {
                match source() {
                    Next::Script(script) => {
                        self.start(script).map_err(failed)?;
                        self.next_start_ns = now + STAGGER_NS;
                    }
                    Next::Later => self.next_start_ns = now + STAGGER_NS,
                    Next::Nothing => exhausted = true,
                }
            }
            if exhausted && self.connections.is_empty() {
                return Ok(());
            }
            let first = self.due.peek().map_or(u64::MAX, |Reverse((at, ..))| *at);
            let wants_start = !exhausted && self.connections.len() < at_once;
            let until = first.min(if wants_start { self.next_start_ns } else { u64::MAX });
            self.wait(until).map_err(failed)?;
            self.drain(None).map_err(failed)?;
            while let Some(Reverse((at, port, due))) = self.due.peek().copied() {
                if at > monotonic_ns() {
                    break;
                }
                self.due.pop();
                if let Some((script, trace)) = self.act(port, due).map_err(failed)? {
                    sink(script, trace);
                }
            }
        }
    }

    fn wait(&self, until: u64) -> io::Result<()> {
        let now = monotonic_ns();
        let sleep = until.saturating_sub(now).min(LONGEST_SLEEP_NS);
        if sleep == 0 {
            return Ok(());
        }
        let mut fds = [PollFd::new(self.tun.as_fd(), PollFlags::POLLIN)];
        match ppoll(&mut fds, Some(Sleep::from_nanos(sleep).into()), None) {
            Ok(_) | Err(Errno::EINTR) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    fn start(&mut self, script: Box<Script>) -> io::Result<()> {
        let port = FIRST_PORT + u16::try_from(self.started % u64::from(PORTS)).unwrap_or_default();
        self.started += 1;
        let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
        let socket = socket(AddressFamily::Inet, SockType::Stream, flags, None)?;
        setsockopt(&socket, sockopt::TcpCongestion, &script.cc.as_str().into()).map_err(
            |errno| io::Error::other(format!("congestion control {}: {errno}", script.cc)),
        )?;
        setsockopt(&socket, sockopt::TcpNoDelay, &true)?;
        let linger = libc::linger { l_onoff: 1, l_linger: 0 };
        setsockopt(&socket, sockopt::Linger, &linger)?;
        let connection = Connection {
            script,
            stream: TcpStream::from(socket),
            port,
            kernel_port: 0,
            isn: 0,
            stamp_offset: 0,
            syn_stamp: 0,
            sent: Transmissions::default(),
            sent_end: 0,
            next: 0,
            trace: Trace::default(),
            touched: false,
        };
        let fd = connection.stream.as_raw_fd();
        self.connections.insert(port, connection);
        match connect(fd, &SockaddrIn::from(SocketAddrV4::new(PEER, port))) {
            Ok(()) | Err(Errno::EINPROGRESS) => {}
            Err(errno) => return Err(errno.into()),
        }
        self.drain(None)
    }

    /// Reads all packets that the kernel has sent, and asks for the state of each connection that
    /// sent something, but not of `acting`.
    fn drain(&mut self, acting: Option<u16>) -> io::Result<()> {
        while let Some(packet) = self.tun.read(&mut self.buffer)? {
            let now = monotonic_ns();
            let Some(seen) = wire::read(packet) else { continue };
            let Some(connection) = self.connections.get_mut(&seen.destination_port) else {
                continue;
            };
            if let Some(opens_at) = connection.see(&seen, now) {
                self.due.push(Reverse((opens_at, seen.destination_port, Due::Open)));
            } else if !connection.touched
                && acting != Some(seen.destination_port)
                && connection.trace.open_ns > 0
            {
                connection.touched = true;
                self.touched.push(seen.destination_port);
            }
        }
        while let Some(port) = self.touched.pop() {
            if let Some(connection) = self.connections.get_mut(&port) {
                connection.touched = false;
                connection.ask()?;
            }
        }
        Ok(())
    }

    fn act(&mut self, port: u16, due: Due) -> io::Result<Option<(Box<Script>, Trace)>> {
        if due == Due::Event {
            self.drain(None)?;
        }
        let Some(connection) = self.connections.get_mut(&port) else {
            return Ok(None);
        };
        match due {
            Due::Open => {
                connection.trace.open_ns = monotonic_ns();
                let packet = connection.syn_ack();
                self.tun.write(&packet)?;
            }
            Due::Event => {
                connection.ask()?;
                let Some(event) = connection.script.events.get(connection.next) else {
                    // The script has ended.
                    let connection = self.connections.remove(&port).expect("just found");
                    let Connection { script, stream, trace, .. } = connection;
                    drop(stream);
                    self.drain(None)?;
                    return Ok(Some((script, trace)));
                };
                let index = connection.next;
                connection.next += 1;
                let at_ns = monotonic_ns();
                match &event.action {
                    Action::Write(bytes) => {
                        let all = self.zeros.get(..usize::try_from(*bytes).unwrap_or(usize::MAX));
                        let all = all.ok_or_else(|| {
                            io::Error::other(format!("a write of {bytes} bytes: 1048576 at most"))
                        })?;
                        match connection.stream.write(all) {
                            Ok(written) if written == all.len() => {}
                            other => connection.disturb(format!(
                                "the kernel took {other:?} of a write of {bytes} bytes"
                            )),
                        }
                    }
                    Action::Close => {
                        if let Err(error) = connection.stream.shutdown(std::net::Shutdown::Write) {
                            connection.disturb(format!("shutdown: {error}"));
                        }
                    }
                    Action::Ack(ack) => {
                        let packet = connection.ack(ack, at_ns);
                        self.tun.write(&packet)?;
                    }
                }
                connection.trace.entries.push(Entry::Event { at_ns, index });
            }
        }
        self.drain(Some(port))?;
        let connection = self.connections.get_mut(&port).expect("still there");
        connection.ask()?;
        let at_us = connection
            .script
            .events
            .get(connection.next)
            .map_or(connection.script.end_us, |event| event.at_us);
        let at = connection.trace.open_ns + at_us * 1000;
        self.due.push(Reverse((at, port, Due::Event)));
        Ok(None)
    }
}

impl Connection {
    fn disturb(&mut self, why: String) {
        self.trace.disturbed.get_or_insert(why);
    }

    /// Notes a packet of the kernel. Returns the time of the answer if it is a SYN.
    fn see(&mut self, seen: &Seen, now: u64) -> Option<u64> {
        let now_ms = now / MILLISECOND;
        if seen.flags & flags::SYN != 0 {
            if self.trace.syn_ns > 0 {
                self.disturb("the SYN was sent again".into());
                return None;
            }
            self.trace.syn_ns = now;
            self.kernel_port = seen.source_port;
            self.isn = seen.seq;
            self.stamp_offset = seen.timestamp.wrapping_sub(low(now_ms));
            self.syn_stamp = seen.timestamp;
            self.sent.note(0, 0, seen.timestamp);
            return Some(now + self.script.handshake_us * 1000);
        }
        if seen.flags & RST != 0 {
            self.disturb("the kernel reset the connection".into());
            return None;
        }
        let fin = seen.flags & flags::FIN != 0;
        let seq = u64::from(seen.seq.wrapping_sub(self.isn).wrapping_sub(1));
        let is_probe = seen.payload == 0 && !fin;
        // The packet is the handshake's ACK, or answers an ACK of data that was not sent. The
        // number of a probe lies below the data sent.
        if is_probe && seq >= self.sent_end && seq < u64::from(u32::MAX) {
            return None;
        }
        let mut at_ns = now;
        if seen.payload > 0 {
            // The packet was sent in the ms of its timestamp.
            let behind = low(now_ms)
                .wrapping_sub(seen.timestamp.wrapping_sub(self.stamp_offset))
                .cast_signed();
            if behind > 0 {
                let earlier = now_ms.saturating_sub(u64::from(behind.unsigned_abs())) * MILLISECOND
                    + MILLISECOND
                    - 1;
                if now - earlier > LATE_NS {
                    self.disturb(format!(
                        "a packet was read {} us after it was sent",
                        (now - earlier) / 1000
                    ));
                }
                at_ns = earlier;
            }
            // Never before the previous entry.
            let last = self.trace.entries.last().map_or(self.trace.open_ns, |entry| match entry {
                Entry::Sent { at_ns, .. }
                | Entry::Event { at_ns, .. }
                | Entry::State { at_ns, .. } => *at_ns,
            });
            at_ns = at_ns.max(last);
        }
        if !is_probe {
            self.sent_end = self.sent_end.max(seq + u64::from(seen.payload) + u64::from(fin));
        }
        // Cuts the packet into segments of the agreed size, as the device would.
        let (mut from, end) = (seq, seq + u64::from(seen.payload));
        loop {
            let to = end.min(from + u64::from(self.script.mss));
            let is_last = to == end;
            let span = to - from + u64::from(fin && is_last);
            if span > 0 {
                self.sent.note(from, from + span, seen.timestamp);
            }
            self.trace.entries.push(Entry::Sent {
                at_ns,
                seq: from,
                payload: low(to - from),
                fin: fin && is_last,
                psh: seen.flags & flags::PSH != 0 && is_last,
                cwr: seen.flags & flags::CWR != 0 && from == seq,
                stamp: seen.timestamp.wrapping_sub(self.syn_stamp),
                more: !is_last,
            });
            if is_last {
                return None;
            }
            from = to;
        }
    }

    fn ask(&mut self) -> io::Result<()> {
        let state = Info::of(&self.stream)?;
        let at_ns = monotonic_ns();
        self.trace.entries.push(Entry::State { at_ns, state });
        Ok(())
    }

    /// The common fields of all packets of the peer, at the time `now`, with the timestamp `echo`.
    fn reply<'a>(&self, echo: u32, now: u64) -> Reply<'a> {
        Reply {
            from: (PEER, self.port),
            to: (HERE, self.kernel_port),
            seq: PEER_SEQ + 1,
            ack: self.isn.wrapping_add(1),
            flags: flags::ACK,
            window: 0,
            timestamps: (low(now / MILLISECOND), echo),
            sacks: &[],
            opens: None,
        }
    }

    fn syn_ack(&self) -> Vec<u8> {
        let bits = flags::SYN | flags::ACK | if self.script.ecn { flags::ECE } else { 0 };
        let window = u16::try_from(self.script.window).unwrap_or(u16::MAX);
        let echo = self.sent.timestamp(super::script::Echo::default()).unwrap_or_default();
        let mss = u16::try_from(self.script.mss + TIMESTAMP_BYTES).unwrap_or(u16::MAX);
        Reply {
            seq: PEER_SEQ,
            flags: bits,
            window,
            opens: Some((mss, WINDOW_SHIFT)),
            ..self.reply(echo, self.trace.open_ns)
        }
        .bytes()
    }

    fn ack(&self, ack: &Ack, now: u64) -> Vec<u8> {
        let number = |byte: u64| self.isn.wrapping_add(1).wrapping_add(low(byte));
        let bits = flags::ACK | if ack.ece { flags::ECE } else { 0 };
        let window = u16::try_from(ack.window / WINDOW_UNIT).unwrap_or(u16::MAX);
        let echo = self.sent.timestamp(ack.echo).unwrap_or_default();
        let sacks: Vec<_> =
            ack.sacks.iter().take(3).map(|(start, end)| (number(*start), number(*end))).collect();
        Reply { ack: number(ack.ack), flags: bits, window, sacks: &sacks, ..self.reply(echo, now) }
            .bytes()
    }
}

const RST: u16 = 0x04;

#[expect(clippy::cast_possible_truncation, reason = "sequence numbers and timestamps wrap")]
const fn low(value: u64) -> u32 {
    value as u32
}
