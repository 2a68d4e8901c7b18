//! Whether the simulator's hosts have all that a script needs.

use crate::language::{Call, Packet, Script, What, is_whole};
use crate::player::NotApplicable;

const KNOWN_CALLS: [&str; 12] = [
    "socket",
    "bind",
    "listen",
    "accept",
    "fcntl",
    "connect",
    "read",
    "recv",
    "recvfrom",
    "getsockopt",
    "setsockopt",
    "ioctl",
];
pub const WRITES: [&str; 3] = ["write", "send", "sendto"];
pub const CLOSES: [&str; 2] = ["close", "shutdown"];
const IGNORED_SOCKET_OPTIONS: [&str; 8] = [
    "SO_REUSEADDR",
    "SO_SNDBUF",
    "SO_RCVBUF",
    "SO_ERROR",
    "TCP_NODELAY",
    "IP_MTU_DISCOVER",
    "IP_TOS",
    "TCP_MAXSEG",
];
const KNOWN_OPTIONS: [&str; 7] = [
    "ip_version",
    "mss",
    "tolerance_usecs",
    "tolerance_percent",
    "tcp_ts_tick_usecs",
    "tcp_ts_ecr_scaled",
    "send_omit_free",
];
pub const ECN: [&str; 4] = ["noecn", "ect1", "ect0", "ce"];
pub const LARGEST_SEGMENT: u64 = 65_535;

type Checked<T = ()> = Result<T, NotApplicable>;

/// Properties of a whole script.
pub struct Reading<'a> {
    pub is_sender: bool,
    /// Whether the host accepts the connection.
    pub is_passive: bool,
    /// The peer's SYN, or SYN-ACK.
    pub syn: &'a Packet,
    /// The host's SYN, or SYN-ACK.
    pub own_syn: &'a Packet,
    pub congestion_control: Option<String>,
    pub is_paced: bool,
    /// Largest segment that the application allows (`TCP_MAXSEG`), bytes.
    pub segment: Option<u64>,
}

pub fn refuse<T>(reason: impl Into<String>) -> Checked<T> {
    Err(NotApplicable(reason.into()))
}

/// Reads a whole number of a script.
pub fn whole(text: &str, what: &str, most: u64) -> Checked<u64> {
    let number = is_whole(text).then(|| text.parse().ok()).flatten();
    match number {
        Some(number) if text.len() <= 20 && number <= most => Ok(number),
        _ => {
            let begin = crate::language::first_letters(text, 20);
            refuse(format!("{what} '{begin}': from 0 to {most} is known"))
        }
    }
}

pub fn read(script: &Script) -> Checked<Reading<'_>> {
    for (name, _) in &script.options {
        if !KNOWN_OPTIONS.contains(&name.as_str()) {
            return refuse(format!("option --{name}"));
        }
    }
    if let Some(command) = script.commands_on_the_way().next() {
        let words: Vec<&str> = command.split_whitespace().take(3).collect();
        return refuse(format!("runs '{}' on the way", words.join(" ")));
    }
    let packets = || script.events.iter().filter_map(|event| event.what.packet());
    let calls = || script.events.iter().filter_map(|event| event.what.call());
    let is_exact = script.header.is_some();
    let mut fin_before = false;
    for packet in packets() {
        check_packet(packet, fin_before, is_exact)?;
        fin_before |= !packet.arrives && packet.has('F');
    }
    let (mut congestion_control, mut is_paced, mut segment) = (None, false, None);
    let mut is_closed = false;
    for call in calls() {
        check_call(call, is_closed, is_exact)?;
        if let Some(option) = socket_option(call, &mut segment)? {
            is_paced |= option == "SO_MAX_PACING_RATE";
            if option == "TCP_CONGESTION" && call.name == "setsockopt" {
                let name = argument(call, 3).trim_matches(['"', '[', ']']);
                congestion_control = Some(name.to_owned());
            }
        }
        if call.name == "ioctl" && argument(call, 1) != "SIOCINQ" {
            return refuse(format!("ioctl({})", argument(call, 1)));
        }
        is_closed |= CLOSES.contains(&call.name.as_str()) && !call.arguments.ends_with("SHUT_RD");
    }
    let count = |name: &str| calls().filter(|call| call.name == name).count();
    if count("socket") > 1 || count("accept") > 1 {
        return refuse("more than one connection");
    }
    let is_passive = count("listen") > 0;
    if !is_passive && count("connect") == 0 {
        return refuse("opens no connection");
    }
    let sends = packets().any(|it| !it.arrives && it.length > 0)
        || calls().any(|it| WRITES.contains(&it.name.as_str()));
    let takes = packets().any(|it| it.arrives && it.length > 0);
    if sends && takes {
        return refuse("data in both directions");
    }
    if takes && !is_passive {
        return refuse("a receiver that opens the connection");
    }
    let mut theirs = packets().filter(|it| it.arrives && it.has('S'));
    let mut ours = packets().filter(|it| !it.arrives && it.has('S'));
    let (Some(syn), None, Some(own_syn)) = (theirs.next(), theirs.next(), ours.next()) else {
        return refuse("no handshake, or another one");
    };
    if ours.next().is_some() && is_passive {
        return refuse("the answer to the SYN is sent again");
    }
    let fins = packets().filter(|it| !it.arrives && it.has('F')).count() as u64;
    if takes && packets().any(|it| it.arrives && it.ack.unwrap_or(0) > 1 + fins) {
        return refuse("an ACK of what was never sent, at a receiver");
    }
    // A host that accepts and has nothing to send is a receiver to a header.
    let is_sender = !(takes || (is_exact && is_passive));
    if takes && !closes_last(script) {
        return refuse("a host that closes before its peer and receives");
    }
    Ok(Reading { is_sender, is_passive, syn, own_syn, congestion_control, is_paced, segment })
}

fn check_packet(packet: &Packet, fin_before: bool, is_exact: bool) -> Checked {
    if let Some(other) = &packet.other {
        return refuse(if other.contains(' ') { other.clone() } else { other.to_uppercase() });
    }
    if packet.marked.is_some() && !is_exact {
        return refuse("TCP option ECN");
    }
    // An RST of a closed connection has nothing to do with congestion control: it is ignored.
    if packet.has('U') || (packet.has('R') && (packet.arrives || !fin_before)) {
        return refuse(if packet.has('R') { "RST" } else { "urgent data" });
    }
    if packet.has('S') && packet.length > 0 {
        return refuse("data in a SYN");
    }
    if packet.arrives && !packet.has('.') && !packet.has('S') {
        return refuse("a packet without ACK");
    }
    match &packet.ecn {
        Some(ecn) if !ECN.contains(&ecn.as_str()) => refuse(format!("IP field {ecn}")),
        _ => Ok(()),
    }
}

/// An argument of a call; those are separated by commas.
pub fn argument(call: &Call, index: usize) -> &str {
    call.arguments.split(',').nth(index).unwrap_or_default().trim()
}

fn check_call(call: &Call, is_closed: bool, is_exact: bool) -> Checked {
    let name = call.name.as_str();
    let writes = WRITES.contains(&name);
    if !(KNOWN_CALLS.contains(&name) || writes || CLOSES.contains(&name)) {
        return refuse(format!("{name}()"));
    }
    if !writes {
        return Ok(());
    }
    if call.is_blocking {
        return refuse(format!("{name}() that waits for memory"));
    }
    if !(is_whole(&call.result) || is_closed && call.result.contains("EPIPE")) {
        return refuse(format!("{name}() that fails"));
    }
    let flags = ["MSG_MORE", "MSG_FASTOPEN", "MSG_ZEROCOPY", "MSG_EOR", "MSG_OOB"];
    let unknown = if is_exact { &flags[1..] } else { &flags[..] };
    match unknown.iter().find(|flag| call.arguments.contains(**flag)) {
        Some(flag) => refuse(format!("{name}() with {flag}")),
        None => Ok(()),
    }
}

/// The option of `setsockopt` or `getsockopt`, if it means something here.
fn socket_option<'a>(call: &'a Call, segment: &mut Option<u64>) -> Checked<Option<&'a str>> {
    let (name, option) = (call.name.as_str(), argument(call, 2));
    let sets = name == "setsockopt";
    if !sets && name != "getsockopt" {
        return Ok(None);
    }
    if option == "TCP_MAXSEG" && sets {
        let size = argument(call, 3).trim_matches(['[', ']']);
        *segment = Some(whole(size, "TCP_MAXSEG", LARGEST_SEGMENT)?);
    }
    // With a rate that never limits, the kernel paces by cwnd.
    if option == "SO_MAX_PACING_RATE" || (option == "TCP_CONGESTION" && sets) {
        return Ok(Some(option));
    }
    if IGNORED_SOCKET_OPTIONS.contains(&option) {
        return Ok(None);
    }
    refuse(format!("{name}({option})"))
}

/// Whether the host closes only after the peer's FIN.
fn closes_last(script: &Script) -> bool {
    let mut listening = true;
    for event in &script.events {
        match &event.what {
            What::Packet(packet) if packet.arrives && packet.has('F') => return true,
            What::Call(call) if call.name == "accept" => listening = false,
            // The listening socket may close at any time.
            What::Call(call)
                if CLOSES.contains(&call.name.as_str())
                    && !listening
                    && argument(call, 0) != "3" =>
            {
                return false;
            }
            _ => (),
        }
    }
    true
}
