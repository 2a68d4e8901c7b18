//! Prints a script for packetdrill, together with the kernel's behaviour.

use core::fmt::Write as _;

use super::play::{Entry, Info, Trace};
use super::replay::{CA_STATES, Difference};
use super::script::{Ack, Action, Echo, Script, Transmissions, WINDOW_SHIFT, WINDOW_UNIT};

/// First timestamp of the script, that of the SYN.
const FIRST_STAMP: u32 = 1000;
/// Largest difference of a time, us: the kernel's timers are as exact as its jiffies and their
/// wheel.
const TOLERANCE_US: u32 = 45_000;

/// A packetdrill script with the peer and the application of `script`. It asserts the kernel's
/// behaviour in `trace`, as far as the first difference; comments describe the behaviour of the
/// simulator's sender there.
#[must_use]
pub fn print(script: &Script, trace: &Trace, difference: &Difference) -> String {
    let mut printer = Printer {
        text: header(script, difference),
        script,
        last_us: 0,
        open_us: trace.open_ns / 1000,
        sent: Transmissions::default(),
        now_stamp: 0,
        echoed: 0,
        highest_ack: 0,
    };
    printer.sent.note(0, 0, FIRST_STAMP);
    printer.open();
    let mut asserted = None;
    // The entries up to the first state of the kernel after the difference.
    let after = trace
        .entries
        .iter()
        .skip(difference.entry)
        .position(|entry| matches!(entry, Entry::State { .. }));
    let shown = after.map_or(trace.entries.len(), |after| difference.entry + after + 1);
    let mut burst: Option<(u64, u64)> = None;
    for entry in &trace.entries[..shown] {
        match entry {
            Entry::Event { at_ns, index } => {
                printer.event(&script.events[*index].action, at_ns / 1000);
            }
            Entry::Sent { at_ns, seq, payload, fin, psh, cwr, stamp, more } => {
                let end = seq + u64::from(*payload);
                let start = burst.map_or(*seq, |burst| burst.0);
                let is_marked = *cwr || burst.is_some_and(|burst| burst.1 > 0);
                printer.sent.note(*seq, end + u64::from(*fin), FIRST_STAMP + stamp);
                burst = more.then_some((start, u64::from(is_marked)));
                if !more {
                    let flags = [(*fin, "F"), (*psh, "P"), (is_marked, "W")];
                    printer.sent(start, end, &flags, *stamp, at_ns / 1000);
                }
            }
            Entry::State { state, .. } => asserted = Some(*state),
        }
    }
    if let Some(state) = asserted {
        printer.assert(&state);
    }
    printer.text
}

fn header(script: &Script, difference: &Difference) -> String {
    let after = difference.event.map_or("the handshake".to_owned(), |_| difference.after.clone());
    let ecn = u8::from(script.ecn);
    format!(
        "// Random script {} of {}: {} in {} after {after}.\n// \
         {}\n--tolerance_usecs={TOLERANCE_US}\n\n`sysctl -q net.ipv4.tcp_wmem=\"4096 33554432 \
         67108864\"\nsysctl -q net.ipv4.tcp_rmem=\"4096 131072 67108864\"\nsysctl -q \
         net.ipv4.tcp_no_metrics_save=1 net.ipv4.tcp_autocorking=0 \
         net.ipv4.tcp_retrans_collapse=0\nsysctl -q net.ipv4.tcp_ecn={ecn}\ntc qdisc replace dev \
         tun0 root pfifo`\n\n",
        script.number, script.cc, difference.what, difference.ca_state, difference.detail
    )
}

struct Printer<'a> {
    text: String,
    script: &'a Script,
    last_us: u64,
    open_us: u64,
    sent: Transmissions,
    /// Present timestamp of the peer, ms since the SYN.
    now_stamp: u32,
    /// The peer's timestamp that the kernel echoes: of the last packet that was not older than an
    /// earlier one.
    echoed: u32,
    highest_ack: u64,
}

impl Printer<'_> {
    fn line(&mut self, after_us: u64, what: &str) {
        let _ = writeln!(self.text, "+{}.{:06} {what}", after_us / 1_000_000, after_us % 1_000_000);
    }

    /// Time since the previous line.
    fn passed(&mut self, at_us: u64) -> u64 {
        let at_us = at_us.saturating_sub(self.open_us);
        let passed = at_us.saturating_sub(self.last_us);
        self.last_us = self.last_us.max(at_us);
        self.now_stamp =
            u32::try_from((self.script.handshake_us + self.last_us) / 1000).unwrap_or_default();
        passed
    }

    fn open(&mut self) {
        let cc = &self.script.cc;
        let (syn, synack) = if self.script.ecn { ("SEW", "SE.") } else { ("S", "S.") };
        let mss = self.script.mss + 12;
        self.line(0, "socket(..., SOCK_STREAM, IPPROTO_TCP) = 3");
        self.line(
            0,
            &format!("setsockopt(3, SOL_TCP, TCP_CONGESTION, \"{cc}\", {}) = 0", cc.len()),
        );
        self.line(0, "setsockopt(3, SOL_TCP, TCP_NODELAY, [1], 4) = 0");
        self.line(0, "fcntl(3, F_GETFL) = 0x2 (flags O_RDWR)");
        self.line(0, "fcntl(3, F_SETFL, O_RDWR|O_NONBLOCK) = 0");
        self.line(0, "connect(3, ..., ...) = -1 EINPROGRESS (Operation now in progress)");
        self.line(
            0,
            &format!("> {syn} 0:0(0) <mss 1460,sackOK,TS val {FIRST_STAMP} ecr 0,nop,wscale 11>"),
        );
        let handshake = self.script.handshake_us;
        let stamp = FIRST_STAMP + u32::try_from(handshake / 1000).unwrap_or_default();
        let window = self.script.window.min(65_535);
        self.line(
            handshake,
            &format!(
                "< {synack} 0:0(0) ack 1 win {window} <mss {mss},sackOK,TS val {stamp} ecr \
                 {FIRST_STAMP},nop,wscale {WINDOW_SHIFT}>"
            ),
        );
        self.line(0, "> . 1:1(0) ack 1 <...>");
        self.echoed = stamp;
    }

    fn event(&mut self, action: &Action, at_us: u64) {
        let passed = self.passed(at_us);
        match action {
            Action::Write(bytes) => self.line(passed, &format!("write(3, ..., {bytes}) = {bytes}")),
            Action::Close => self.line(passed, "shutdown(3, SHUT_WR) = 0"),
            Action::Ack(ack) => {
                let text = self.ack(ack);
                self.line(passed, &text);
            }
        }
    }

    fn ack(&mut self, ack: &Ack) -> String {
        let flags = if ack.ece { "E." } else { "." };
        let stamp = FIRST_STAMP + self.now_stamp;
        if ack.ack >= self.highest_ack {
            (self.highest_ack, self.echoed) = (ack.ack, stamp);
        }
        let echo = self
            .sent
            .timestamp(ack.echo)
            .or_else(|| self.sent.timestamp(Echo::default()))
            .unwrap_or_default();
        let blocks: Vec<String> =
            ack.sacks.iter().map(|(start, end)| format!("{}:{}", start + 1, end + 1)).collect();
        let sacks = if blocks.is_empty() {
            String::new()
        } else {
            format!(",nop,nop,sack {}", blocks.join(" "))
        };
        format!(
            "< {flags} 1:1(0) ack {} win {} <nop,nop,TS val {stamp} ecr {echo}{sacks}>",
            ack.ack + 1,
            ack.window / WINDOW_UNIT
        )
    }

    fn sent(&mut self, start: u64, end: u64, flags: &[(bool, &str)], stamp: u32, at_us: u64) {
        let passed = self.passed(at_us);
        let letters: String = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
        let stamp = FIRST_STAMP + stamp;
        // A probe has the number of the byte before the window.
        let (start, end) = (start.wrapping_add(1) & 0xffff_ffff, end.wrapping_add(1) & 0xffff_ffff);
        self.line(
            passed,
            &format!(
                "> {letters}. {start}:{end}({}) ack 1 <nop,nop,TS val {stamp} ecr {}>",
                end.wrapping_sub(start),
                self.echoed
            ),
        );
    }

    fn assert(&mut self, state: &Info) {
        let fields = [
            ("tcpi_ca_state", u32::from(state.ca_state)),
            ("tcpi_snd_cwnd", state.cwnd),
            ("tcpi_snd_ssthresh", state.ssthresh.unwrap_or(0x7fff_ffff)),
            ("tcpi_unacked", state.out),
            ("tcpi_sacked", state.sacked),
            ("tcpi_lost", state.lost),
            ("tcpi_retrans", state.retrans),
            ("tcpi_backoff", u32::from(state.backoff)),
        ];
        let name = CA_STATES.get(usize::from(state.ca_state)).copied().unwrap_or("?");
        let _ = writeln!(self.text, "// The kernel is in {name}.");
        for (field, value) in fields {
            self.line(0, &format!("%{{ assert {field} == {value}, {field} }}%"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Event;
    use super::*;

    #[test]
    fn a_script_is_printed_with_what_the_kernel_did() {
        let ack = Ack {
            ack: 1000,
            sacks: vec![(2000, 3000)],
            window: 2 * WINDOW_UNIT,
            ece: false,
            echo: Echo { seq: 0, nth: 0 },
        };
        let event = |at_us, action| Event { at_us, action };
        let script = Script {
            number: 7,
            cc: "cubic".into(),
            mss: 1000,
            ecn: false,
            handshake_us: 20_000,
            window: 65_535,
            events: vec![event(1000, Action::Write(3000)), event(30_000, Action::Ack(ack))],
            end_us: 40_000,
        };
        let sent = |seq: u64, more: bool| Entry::Sent {
            at_ns: 5_001_100_000,
            seq,
            payload: 1000,
            fin: false,
            psh: !more,
            cwr: false,
            stamp: 21,
            more,
        };
        let state = Info { ca_state: 1, cwnd: 11, out: 2, sacked: 1, ..Info::default() };
        let trace = Trace {
            syn_ns: 4_980_000_000,
            open_ns: 5_000_000_000,
            entries: vec![
                Entry::Event { at_ns: 5_001_000_000, index: 0 },
                sent(0, true),
                sent(1000, true),
                sent(2000, false),
                Entry::Event { at_ns: 5_030_000_000, index: 1 },
                Entry::State { at_ns: 5_030_010_000, state },
            ],
            disturbed: None,
        };
        let difference = Difference {
            what: "cwnd".into(),
            ca_state: "Open".into(),
            after: "ack+sack".into(),
            event: Some(1),
            at_us: 30_010,
            detail: "kernel 11, ours 10".into(),
            entry: 5,
        };
        let text = print(&script, &trace, &difference);
        let lines: Vec<&str> = text.lines().collect();
        for line in [
            "// Random script 7 of cubic: cwnd in Open after ack+sack.",
            "// kernel 11, ours 10",
            "+0.000000 > S 0:0(0) <mss 1460,sackOK,TS val 1000 ecr 0,nop,wscale 11>",
            "+0.020000 < S. 0:0(0) ack 1 win 65535 <mss 1012,sackOK,TS val 1020 ecr \
             1000,nop,wscale 7>",
            "+0.001000 write(3, ..., 3000) = 3000",
            "+0.000100 > P. 1:3001(3000) ack 1 <nop,nop,TS val 1021 ecr 1020>",
            "+0.028900 < . 1:1(0) ack 1001 win 2 <nop,nop,TS val 1050 ecr 1021,nop,nop,sack \
             2001:3001>",
            "+0.000000 %{ assert tcpi_snd_cwnd == 11, tcpi_snd_cwnd }%",
            "+0.000000 %{ assert tcpi_snd_ssthresh == 2147483647, tcpi_snd_ssthresh }%",
        ] {
            assert!(lines.contains(&line), "{line}\nis not in\n{text}");
        }
    }
}
