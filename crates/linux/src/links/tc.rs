//! The tool `tc` of iproute2: changes of disciplines during a run, and their statistics.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::lab::LabError;

/// Places of the tool; the PATH of ordinary users does not lead to all of them.
const PLACES: [&str; 3] = ["tc", "/usr/sbin/tc", "/sbin/tc"];

/// The tool's place.
pub fn find() -> Result<&'static str, LabError> {
    let is_there = |place: &&&str| {
        Command::new(place)
            .arg("-V")
            .output()
            .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("iproute2"))
    };
    PLACES.iter().find(is_there).copied().ok_or_else(|| {
        LabError(
            "the `tc` tool of iproute2 is not there, which makes the kernel's links: install \
             iproute2 (Debian, Ubuntu: apt-get install iproute2)"
                .into(),
        )
    })
}

/// Counters of the disciplines of a device since they were made, the root's queue, and what they
/// say of their drops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Packets that wait.
    pub queue_packets: u64,
    /// Bytes that wait, without link-layer headers.
    pub queue_bytes: u64,
    /// Packets dropped.
    pub dropped: u64,
    /// Packets dropped because a discipline was full.
    pub overflowed: u64,
    /// Packets marked CE.
    pub marked: u64,
}

/// Counters of packets that a full queue dropped, by the names of `tc -j -s qdisc`: RED counts them
/// as `pdrop`, PIE as `overlimit`.
const OVERFLOWS: [&str; 5] =
    ["pdrop", "overlimit", "overmemory", "drop_overlimit", "drop_overmemory"];
const MARKS: [&str; 4] = ["marked", "ecn_mark", "ecn_marks", "ce_mark"];
/// Disciplines that drop a packet only if they are full.
const PLAIN: [&str; 2] = ["pfifo", "bfifo"];

/// Reads the statistics of all devices from an answer of `tc -j -s qdisc show`.
fn parse(text: &str) -> Option<BTreeMap<String, Statistics>> {
    let Ok(Value::Array(disciplines)) = serde_json::from_str(text) else { return None };
    let mut devices: BTreeMap<String, Statistics> = BTreeMap::new();
    for discipline in &disciplines {
        let Some(device) = discipline["dev"].as_str() else { continue };
        let sum = |place: &Value, names: &[&str]| -> u64 {
            names.iter().filter_map(|name| place[*name].as_u64()).sum()
        };
        let statistics = devices.entry(device.to_owned()).or_default();
        if discipline["root"] == Value::Bool(true) {
            statistics.queue_packets = sum(discipline, &["qlen"]);
            statistics.queue_bytes = sum(discipline, &["backlog"]);
            statistics.dropped = sum(discipline, &["drops"]);
        }
        statistics.overflowed +=
            if discipline["kind"].as_str().is_some_and(|kind| PLAIN.contains(&kind)) {
                sum(discipline, &["drops"])
            } else {
                sum(discipline, &OVERFLOWS)
            };
        // CAKE counts by tin.
        let tins = discipline["tins"].as_array().into_iter().flatten();
        statistics.marked += tins.chain([discipline]).map(|place| sum(place, &MARKS)).sum::<u64>();
    }
    Some(devices)
}

/// A process of the tool that takes commands as long as a run lasts, in the namespace of the thread
/// that started it.
#[derive(Debug)]
pub struct Tc {
    child: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Tc {
    /// Starts the tool.
    pub fn start(tool: &str) -> Result<Self, LabError> {
        let mut child = Command::new(tool)
            .args(["-s", "-j", "-force", "-batch", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| LabError(format!("cannot start `tc`: {error}")))?;
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        Ok(Self { commands: child.stdin.take(), answers, child })
    }

    /// Changes a discipline.
    pub fn change(&mut self, command: &str) -> Result<(), LabError> {
        self.write(command).map_err(|error| LabError(format!("tc {command}: {error}")))
    }

    /// The statistics of all devices.
    pub fn statistics(&mut self) -> Result<BTreeMap<String, Statistics>, LabError> {
        let mut line = String::new();
        let answer = self.write("qdisc show").and_then(|()| self.answers.read_line(&mut line));
        match answer {
            Ok(_) => parse(&line).ok_or_else(|| {
                LabError(format!("`tc -s -j qdisc show` answers '{}'", line.trim()))
            }),
            Err(error) => Err(LabError(format!("`tc -s -j qdisc show`: {error}"))),
        }
    }

    fn write(&mut self, command: &str) -> io::Result<()> {
        let Some(commands) = &mut self.commands else { return Ok(()) };
        commands.write_all(format!("{command}\n").as_bytes())
    }

    /// Ends the tool.
    ///
    /// # Errors
    ///
    /// If a command failed.
    pub fn finish(mut self) -> Result<(), LabError> {
        self.commands = None;
        let mut complaints = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            let _ = stderr.read_to_string(&mut complaints);
        }
        let _ = self.child.wait();
        match complaints.trim() {
            "" => Ok(()),
            text => Err(LabError(format!("tc: {text}"))),
        }
    }
}

impl Drop for Tc {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_and_marks_are_read_by_the_names_of_each_discipline() {
        let text = r#"[
            {"kind":"noqueue","handle":"0:","dev":"lo","root":true,"drops":0,"backlog":0,"qlen":0},
            {"kind":"htb","handle":"1:","dev":"q0","root":true,"drops":7,"backlog":3000,"qlen":2},
            {"kind":"red","handle":"2:","dev":"q0","parent":"1:1","drops":7,"backlog":3000,"qlen":2,
             "marked":4,"early":5,"pdrop":2,"other":0},
            {"kind":"htb","handle":"1:","dev":"q1","root":true,"drops":9,"backlog":0,"qlen":0},
            {"kind":"cake","handle":"2:","dev":"q1","drops":9,"tins":[{"drops":9,"ecn_mark":3}]},
            {"kind":"bfifo","handle":"2:","dev":"q2","root":true,"drops":6,"backlog":0,"qlen":0}
        ]"#;
        let devices = parse(text).unwrap();
        let all = |dropped, overflowed, marked| Statistics {
            dropped,
            overflowed,
            marked,
            ..Statistics::default()
        };
        let waits = Statistics { queue_packets: 2, queue_bytes: 3000, ..all(7, 2, 4) };
        assert_eq!(
            (devices["q0"], devices["q1"], devices["q2"]),
            (waits, all(9, 0, 3), all(6, 6, 0))
        );
        assert_eq!(parse("Error"), None);
    }
}
