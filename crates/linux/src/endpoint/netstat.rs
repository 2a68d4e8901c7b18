//! `/proc/net/netstat` of a network namespace: counters that no socket has.

use std::fs::File;
use std::io::{self, Read, Seek};

/// The file of one namespace, kept open.
#[derive(Debug)]
pub struct Netstat {
    file: File,
}

/// Counters since the namespace was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Timeouts that F-RTO showed to be spurious.
    pub spurious_timeouts: u64,
    /// Fast recoveries.
    pub recoveries: u64,
    /// Reductions of the window taken back.
    pub undos: u64,
    /// Tail loss probes.
    pub tail_probes: u64,
    /// Timeouts.
    pub timeouts: u64,
}

impl Netstat {
    /// Opens the file of the calling thread's namespace; the file stays with that namespace.
    pub fn of_this_thread() -> io::Result<Self> {
        let file = File::open("/proc/thread-self/net/netstat")?;
        Ok(Self { file })
    }

    /// Reads the present counters.
    pub fn read(&mut self) -> io::Result<Counts> {
        let mut text = String::new();
        self.file.rewind()?;
        self.file.read_to_string(&mut text)?;
        Ok(parse(&text))
    }
}

/// Parses pairs of lines, names and values. The names are those of `net/ipv4/proc.c`; a counter
/// that a kernel lacks is zero.
fn parse(text: &str) -> Counts {
    let mut lines = text.lines();
    let mut counts = Counts::default();
    while let (Some(names), Some(values)) = (lines.next(), lines.next()) {
        if !names.starts_with("TcpExt:") {
            continue;
        }
        for (name, value) in names.split(' ').zip(values.split(' ')).skip(1) {
            let counter = match name {
                "TCPSpuriousRTOs" => &mut counts.spurious_timeouts,
                "TCPSackRecovery" | "TCPRenoRecovery" => &mut counts.recoveries,
                "TCPFullUndo" | "TCPPartialUndo" | "TCPDSACKUndo" | "TCPLossUndo" => {
                    &mut counts.undos
                }
                "TCPLossProbes" => &mut counts.tail_probes,
                "TCPTimeouts" => &mut counts.timeouts,
                _ => continue,
            };
            *counter = counter.saturating_add(value.parse().unwrap_or(0));
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_found_by_name() {
        let text = "IpExt: InNoRoutes TCPTimeouts\nIpExt: 7 100\nTcpExt: SyncookiesSent \
                    TCPRenoRecovery TCPSackRecovery TCPFullUndo TCPPartialUndo TCPDSACKUndo \
                    TCPLossUndo TCPTimeouts TCPLossProbes\nTcpExt: 9 1 2 3 4 5 6 7 8\n";
        let counts = parse(text);
        assert_eq!(
            counts,
            Counts { spurious_timeouts: 0, recoveries: 3, undos: 18, tail_probes: 8, timeouts: 7 }
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(
            text in "\\PC{0,40}",
            words in "(TcpExt:|TCPTimeouts|18446744073709551615|-1|[ \n]){0,30}",
        ) {
            parse(&text);
            parse(&words);
        }
    }

    /// This test also checks the names against this machine's kernel.
    #[test]
    fn this_kernel_has_them() {
        let text = std::fs::read_to_string("/proc/thread-self/net/netstat").unwrap();
        for name in
            ["TCPSackRecovery", "TCPFullUndo", "TCPLossProbes", "TCPTimeouts", "TCPSpuriousRTOs"]
        {
            assert!(text.contains(name), "{name} in\n{text}");
        }
        assert!(Netstat::of_this_thread().unwrap().read().is_ok());
    }
}
