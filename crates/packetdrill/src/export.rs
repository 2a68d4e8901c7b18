//! Writes a script with a header for a kernel: its host as commands, calls and timestamps.

use core::fmt;

use crate::claim::Claim;
use crate::header::{Header, size};
use crate::language::{Call, Event, Packet, Script, What};
use crate::player::{Code, CodeError, FIRST_STAMP, Host, State, play};
use crate::show;

/// Timers of kernels with HZ=250 run out up to 8 ms late, and a busy machine adds to that.
const TOLERANCE_US: i64 = 12_000;
const MS: i64 = 1000;
/// Pause that is needed to read counters: the program takes some milliseconds.
const REST_US: i64 = 30_000;
/// `TCP_MAX_QUICKACKS` of the kernel.
const QUICK_ACKS: u64 = 16;
const MSS: u64 = 1448;
const RECEIVE_BUFFER: u64 = 67_108_864;

/// Sysctls of settings.
const SYSCTLS: [(&str, &str, &str); 9] = [
    ("tail_loss_probe", "false", "net.ipv4.tcp_early_retrans=0"),
    ("frto", "false", "net.ipv4.tcp_frto=0"),
    ("dsack", "false", "net.ipv4.tcp_dsack=0"),
    ("idle_restart", "false", "net.ipv4.tcp_slow_start_after_idle=0"),
    ("timestamps", "false", "net.ipv4.tcp_timestamps=0"),
    ("ecn", "classic", "net.ipv4.tcp_ecn=1"),
    ("loss_detection", "dupack", "net.ipv4.tcp_sack=0"),
    ("syn_linear_timeouts", "0", "net.ipv4.tcp_syn_linear_timeouts=0"),
    ("max_rto", "1s", "net.ipv4.tcp_rto_max_ms=1000"),
];
/// Settings that are written otherwise.
const ELSEWHERE: [&str; 7] = [
    "mss",
    "initial_window",
    "tso_defer",
    "pacing",
    "initial_receive_window",
    "quick_acks",
    "max_cwnd",
];
const COUNTERS: [(&str, &str); 4] = [
    ("recoveries", "TCPSackRecovery|TCPRenoRecovery"),
    ("undos", "TCPFullUndo|TCPPartialUndo|TCPDSACKUndo|TCPLossUndo"),
    ("spurious_timeouts", "TCPSpuriousRTOs"),
    ("tail_probes", "TCPLossProbes"),
];

/// The reason why a kernel cannot be asked about a script; none if it can.
#[must_use]
pub fn refusal(script: &Script) -> Option<String> {
    let Some(header) = &script.header else {
        return Some("no header says the host".to_owned());
    };
    if header.profile != "linux" {
        return Some(format!("profile {}", header.profile));
    }
    if !["reno", "cubic"].contains(&header.cc.as_str()) {
        return Some(format!("cc {}", header.cc));
    }
    for (key, value) in &header.settings {
        let (key, value) = (key.as_str(), value.as_str());
        let has_sysctl = SYSCTLS.iter().any(|known| (known.0, known.1) == (key, value));
        let is_elsewhere = ELSEWHERE.contains(&key) && (key, value) != ("pacing", "off");
        // Linux 6.17 removed RFC 6675: RACK answers in its place.
        if has_sysctl || is_elsewhere || (key, value) == ("loss_detection", "sack") {
            continue;
        }
        if key == "initial_ssthresh" {
            return Some("initial_ssthresh: a kernel's connection begins without one".to_owned());
        }
        return Some(format!("{key} {value}: the kernel has no such setting"));
    }
    if !script.events.iter().any(is_listen) {
        return None;
    }
    let packets = || script.events.iter().filter_map(|event| event.what.packet());
    if packets().any(|packet| packet.has('F')) {
        return Some(
            "a FIN: our receiver closes at once, a kernel's application when it has read it"
                .to_owned(),
        );
    }
    let quick = header.setting("quick_acks").unwrap_or("16").parse().unwrap_or(QUICK_ACKS);
    let arrivals = packets().filter(|packet| packet.arrives && packet.length > 0).count() as u64;
    // A larger number makes no difference if fewer segments arrive.
    if quick == 0 || quick == QUICK_ACKS || (quick > QUICK_ACKS && QUICK_ACKS >= arrivals) {
        return None;
    }
    Some(format!("quick_acks {quick}: the kernel's are {QUICK_ACKS} or none"))
}

fn is_listen(event: &Event) -> bool {
    event.what.call().is_some_and(|call| call.name == "listen")
}

/// Writes a script with a header as one that packetdrill runs on a kernel. `host` is what its
/// header says; the script is played on it, for the timestamps that the peer echoes.
///
/// # Errors
/// If no kernel can be set up for the script, or the simulator itself does otherwise than the
/// script says; the text is the reason.
pub fn export(script: &Script, name: &str, host: Host) -> Result<String, String> {
    let refused = refusal(script);
    let (Some(header), None) = (&script.header, &refused) else {
        return Err(refused.unwrap_or_default());
    };
    let played = play(script, host, &mut AnyCode).map_err(|reason| reason.to_string())?;
    if let Some(problem) = played.problem {
        return Err(format!("the simulator does otherwise: {problem}"));
    }
    let mut writer = Writer {
        header,
        mss: header.setting("mss").and_then(|mss| mss.parse().ok()).unwrap_or(MSS),
        is_sender: !script.events.iter().any(is_listen),
        arrived: played.arrived.into_iter(),
        lines: set_up(header, name),
        clock_us: 0,
        echo: FIRST_STAMP,
        base: 0,
        shift_us: 0,
    };
    let mut events = &script.events[..];
    while let Some((event, mut after)) = events.split_first() {
        match &event.what {
            What::Packet(packet) if packet.has('S') => {
                writer.verbatim(event);
                if packet.arrives {
                    writer.arrived.next();
                }
            }
            What::Packet(packet) if packet.arrives => writer.arrives(event, packet),
            What::Packet(packet) => {
                let mut packet = packet.as_ref().clone();
                while let Some((more, rest)) = after.split_first()
                    && joins(event, &packet, more)
                    && let Some(other) = more.what.packet()
                {
                    packet.end = other.end;
                    packet.length += other.length;
                    let fin = if other.has('F') { "F" } else { "" };
                    packet.flags = format!("{fin}{}", packet.flags);
                    after = rest;
                }
                writer.expected(event, &packet);
            }
            What::Call(call) => writer.call(event, call),
            What::Code(code) => writer.code(event, code, after),
            What::Command(_) => writer.verbatim(event),
        }
        events = after;
    }
    Ok(writer.lines.join("\n") + "\n")
}

/// Whether a line of data goes on with what the next line has, so that a kernel may send both as
/// one packet.
fn joins(event: &Event, packet: &Packet, following: &Event) -> bool {
    following.at_us == event.at_us
        && following.what.packet().is_some_and(|other| {
            !other.arrives
                && packet.length > 0
                && other.length > 0
                && other.start == packet.end
                && !packet.has('F')
                && !packet.has('W')
                && !other.has('W')
                && packet.ecn == other.ecn
        })
}

/// Takes any code for right.
struct AnyCode;

impl Code for AnyCode {
    fn run(&mut self, _: &str, _: &State) -> Result<(), CodeError> {
        Ok(())
    }
}

fn set_up(header: &Header, name: &str) -> Vec<String> {
    let mss = header.setting("mss").and_then(|mss| mss.parse().ok()).unwrap_or(MSS);
    let is_large = header.setting("initial_receive_window") == Some("67108864 bytes");
    let buffer = if is_large { 2 * RECEIVE_BUFFER } else { RECEIVE_BUFFER };
    let start = if is_large { buffer } else { 131_072 };
    let mut commands = vec![
        "sysctl -q net.ipv4.tcp_wmem=\"4096 8000000 8000000\"".to_owned(),
        format!("sysctl -q net.ipv4.tcp_rmem=\"4096 {start} {buffer}\""),
    ];
    if header.setting("ecn") != Some("classic") {
        commands.push("sysctl -q net.ipv4.tcp_ecn=0".to_owned());
    }
    for (key, value) in &header.settings {
        let known = SYSCTLS.iter().find(|known| (known.0, known.1) == (key, value));
        commands.extend(known.map(|(_, _, sysctl)| format!("sysctl -q {sysctl}")));
    }
    let window = header.setting("initial_window").unwrap_or("10 segments");
    let segments = size(window, mss).unwrap_or(0) / mss.max(1);
    let clamp = header.setting("max_cwnd").and_then(|clamp| clamp.split(' ').next());
    let clamp = clamp.map(|clamp| format!(" cwnd lock {clamp}")).unwrap_or_default();
    commands.push(format!(
        "ip route replace 192.0.2.0/24 via 192.168.0.1 dev tun0 initcwnd {segments}{clamp}"
    ));
    if header.setting("tso_defer") == Some("false") {
        // Segments that are built one by one are never deferred.
        commands.push("ip link set dev tun0 gso_max_segs 1".to_owned());
    }
    commands.push("tc qdisc replace dev tun0 root pfifo".to_owned());
    vec![
        format!("// {name}"),
        "// Written by ackclock packetdrill --export.".to_owned(),
        format!("--tolerance_usecs={TOLERANCE_US}"),
        String::new(),
        format!("`{}`", commands.join("\n")),
        String::new(),
    ]
}

struct Writer<'a> {
    header: &'a Header,
    mss: u64,
    is_sender: bool,
    /// Timestamp and echo of each packet that arrives.
    arrived: std::vec::IntoIter<(u64, u64)>,
    lines: Vec<String>,
    clock_us: i64,
    /// Timestamp of the host that the peer of a receiver echoes, ms.
    echo: u64,
    /// Bytes that the peer sends before the script begins.
    base: u64,
    /// Delay of every event relative to the script, us.
    shift_us: i64,
}

impl Writer<'_> {
    fn put(&mut self, at_us: i64, text: impl fmt::Display) {
        let delta = at_us - self.clock_us;
        self.clock_us = at_us;
        self.lines.push(format!("+{}.{:06} {text}", delta / 1_000_000, delta % 1_000_000));
    }

    fn verbatim(&mut self, event: &Event) {
        let text = event.text.split_once(' ').map_or("", |(_, text)| text).to_owned();
        self.put(event.at_us + self.shift_us, text);
    }

    fn options(&self, (stamp, echo): (u64, u64), sacks: &[(u64, u64)]) -> String {
        let mut parts = Vec::new();
        if self.header.setting("timestamps") != Some("false") {
            parts.push(format!("nop,nop,TS val {stamp} ecr {echo}"));
        }
        if !sacks.is_empty() {
            parts.push(format!("nop,nop,sack {}", show::sacks(sacks)));
        }
        if parts.is_empty() { String::new() } else { format!(" <{}>", parts.join(",")) }
    }

    fn arrives(&mut self, event: &Event, packet: &Packet) {
        let at_us = event.at_us + self.shift_us;
        let (mut stamp, mut echo) = self.arrived.next().unwrap_or_default();
        if !self.is_sender {
            stamp += (self.shift_us / MS).unsigned_abs();
            echo = self.echo;
        }
        let numbers = show::numbers(&self.moved(packet));
        let (ack, window) = (packet.ack.unwrap_or(0), packet.window.unwrap_or(0));
        let options = self.options((stamp, echo), &packet.sacks);
        let field = field(packet);
        self.put(at_us, format!("< {field}{numbers} ack {ack} win {window}{options}"));
    }

    /// A packet of the peer of a receiver, after the bytes that came before the script.
    fn moved(&self, packet: &Packet) -> Packet {
        let base = if packet.length > 0 { self.base } else { 0 };
        Packet { start: packet.start + base, end: packet.end + base, ..packet.clone() }
    }

    fn expected(&mut self, event: &Event, packet: &Packet) {
        let at_us = event.at_us + self.shift_us;
        let stamp = stamp(at_us);
        let mut flags = String::new();
        let ack = packet.ack.unwrap_or(0) + self.base;
        if self.is_sender {
            let length = packet.length;
            // PSH is no claim of a transcript: the caller corrects it by the kernel's answers.
            let is_short = !length.is_multiple_of(self.mss);
            let pushes = length > self.mss || is_short || (packet.has('F') && length > 0);
            for (letter, is_set) in
                [('F', packet.has('F')), ('P', pushes), ('W', packet.has('W')), ('.', true)]
            {
                flags.extend(is_set.then_some(letter));
            }
        } else {
            flags.push_str(if packet.has('E') { "E." } else { "." });
        }
        let echo = if self.is_sender { stamp } else { FIRST_STAMP };
        let blocks: Vec<_> =
            packet.sacks.iter().map(|block| (block.0 + self.base, block.1 + self.base)).collect();
        let options = self.options((stamp, echo), &blocks);
        let numbers = show::numbers(&Packet { flags, ..packet.clone() });
        let field = field(packet);
        self.put(at_us, format!("> {field}{numbers} ack {ack}{options}"));
        self.echo = stamp;
    }

    fn call(&mut self, event: &Event, call: &Call) {
        self.verbatim(event);
        let at_us = event.at_us;
        if call.name == "socket" && self.is_sender {
            let cc = &self.header.cc;
            self.put(
                at_us,
                format!("setsockopt(3, SOL_TCP, TCP_CONGESTION, \"{cc}\", {}) = 0", cc.len()),
            );
            // The simulator's sender has no Nagle's algorithm.
            self.put(at_us, "setsockopt(3, SOL_TCP, TCP_NODELAY, [1], 4) = 0");
            if self.header.setting("pacing") == Some("cwnd") {
                let rate = "setsockopt(3, SOL_SOCKET, SO_MAX_PACING_RATE, [2000000000], 4) = 0";
                self.put(at_us, rate);
            }
            self.put(at_us, "fcntl(3, F_GETFL) = 0x2 (flags O_RDWR)");
            self.put(at_us, "fcntl(3, F_SETFL, O_RDWR|O_NONBLOCK) = 0");
        } else if call.name == "socket" {
            self.put(at_us, "setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0");
        } else if call.name == "accept" && self.header.setting("quick_acks") == Some("0") {
            self.use_up_quick_acks(at_us);
        }
    }

    /// Lets the quick ACKs go, which the kernel has no setting for, before the script begins.
    fn use_up_quick_acks(&mut self, begin_us: i64) {
        let mss = self.mss;
        for nth in 0..QUICK_ACKS {
            let first = 1 + nth * mss;
            let at_us = begin_us + self.shift_us;
            let options = self.options((stamp(at_us), self.echo), &[]);
            let after = first + mss;
            self.put(at_us, format!("< . {first}:{after}({mss}) ack 1 win 65535{options}"));
            self.put(at_us, format!("read(4, ..., {mss}) = {mss}"));
            self.put(at_us, format!("> . 1:1(0) ack {after}{options}"));
            self.shift_us += MS;
        }
        self.base = QUICK_ACKS * mss;
    }

    fn code(&mut self, event: &Event, code: &str, after: &[Event]) {
        let at_us = event.at_us + self.shift_us;
        if code.trim() == "pass" {
            return;
        }
        let Some(Claim { name, value }) = Claim::parse(code) else {
            return self.verbatim(event);
        };
        let mut claim = |expression: &str, shown: &str| {
            self.put(at_us, format!("%{{ assert {expression}, {shown} }}%"));
        };
        let whole = value.floor();
        match name.as_str() {
            "tcpi_data_segs_out" => claim(&format!("{name} == {whole}"), &name),
            "tcpi_segs_out" => {
                let before = self.base / self.mss;
                let text = format!("%{{ assert {name} == {}, {name} }}%", add(before, whole));
                self.put(at_us, text);
            }
            "tcpi_rtt" | "tcpi_rto" => {
                #[expect(clippy::cast_possible_truncation, reason = "us of a time")]
                let slack = TOLERANCE_US.max(whole as i64 / 16);
                claim(&format!("abs({name} - {whole}) <= {slack}"), &format!("({name})"));
            }
            "inflight" => {
                let inflight = "tcpi_unacked - tcpi_sacked - tcpi_lost + tcpi_retrans";
                claim(&format!("{inflight} == {whole}"), &format!("({inflight})"));
            }
            _ if name.starts_with("tcpi_") => {
                claim(&format!("{name} == {whole}"), &format!("({name})"));
            }
            // A kernel tells a receiver's script nothing but what it sends.
            _ if !self.is_sender => (),
            _ => self.counter(&name, whole, at_us, after),
        }
    }

    fn counter(&mut self, name: &str, value: f64, at_us: i64, after: &[Event]) {
        let Some((_, counters)) = COUNTERS.iter().find(|known| known.0 == name) else {
            self.lines.push(format!("// {name} == {value}: a kernel does not tell"));
            return;
        };
        let is_end =
            after.iter().all(|later| later.at_us == at_us && matches!(later.what, What::Code(_)));
        if !is_end && after.first().is_some_and(|next| next.at_us - at_us < REST_US) {
            self.lines.push(format!(
                "// {name} == {value}: left out, as reading counters would make what follows late"
            ));
            return;
        }
        self.put(
            at_us,
            format!(
                "`awk '/^TcpExt:/ {{ if (!seen) {{ split($0, names); seen = 1 }} else for (i in \
                 names) if (names[i] ~ /^({counters})$/) sum += $i }} END {{ if (sum + 0 != \
                 {value}) {{ print \"{name} is \" sum + 0 \", expected {value}\"; exit 1 }} }}' \
                 /proc/net/netstat`"
            ),
        );
    }
}

#[expect(clippy::cast_precision_loss, reason = "sixteen at most")]
fn add(count: u64, value: f64) -> f64 {
    count as f64 + value
}

/// The ECN field, as a line begins with it.
fn field(packet: &Packet) -> String {
    packet.ecn.as_ref().map(|ecn| format!("[{ecn}] ")).unwrap_or_default()
}

/// Timestamp of an instant.
fn stamp(at_us: i64) -> u64 {
    FIRST_STAMP + (at_us / MS).unsigned_abs()
}
