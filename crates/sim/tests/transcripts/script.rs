//! The language of the transcripts: text to steps. `README.md` beside this file is its description.

use ackclock_sim::app::AppPlan;
use ackclock_sim::packet::{Ecn, flags};
use ackclock_sim::testbench;
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_sim::transport::plan::TransportPlan;
use ackclock_units::{Duration, Rate, Time};
use serde_json::Value;

const LINUX: &str = include_str!("../support/linux.json");
const CLASSIC: &str = include_str!("../support/classic.json");

/// The end of the connection that is under test; the script plays the other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Sender,
    Receiver,
}

/// A transcript.
pub struct Script {
    pub plan: FlowPlan,
    pub side: Side,
    /// Round trip of the handshake before the first line; `None`: the script has its own handshake.
    pub handshake: Option<Duration>,
    /// Window that the peer advertises where a line does not say one.
    pub window: u32,
    pub tolerance: Duration,
    pub steps: Vec<Step>,
}

/// A timed line.
pub struct Step {
    pub line: usize,
    pub text: String,
    pub delay: Duration,
    pub action: Action,
}

pub enum Action {
    /// `<`: the peer's packet arrives.
    Inject(Segment),
    /// `>`: the host under test sends this, now.
    Expect(Segment),
    /// `*`: the state of the host under test has this value.
    Check { name: String, value: String },
    /// `nothing`: the host under test has sent nothing up to now.
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Syn,
    SynAck,
    Ack,
    Data,
    Fin,
    Probe,
}

/// A packet as a line describes it. Properties that the line leaves out are not checked, except
/// flags and SACK blocks, which must be equal.
#[derive(Clone, Debug)]
pub struct Segment {
    pub kind: Kind,
    /// First byte of data, or sequence number of a probe or FIN.
    pub start: u64,
    /// The byte after the last, or the acknowledgment number.
    pub end: u64,
    pub flags: u16,
    pub sacks: Vec<(u64, u64)>,
    pub window: Option<u32>,
    pub ecn: Option<Ecn>,
    /// Instant of the timestamp that the packet echoes.
    pub echo: Option<Time>,
    pub marked: Option<u32>,
}

type Parsed<T> = Result<T, String>;

impl Script {
    pub fn parse(text: &str) -> Parsed<Self> {
        let mut reader = Reader::new();
        for (number, raw) in (1..).zip(text.lines()) {
            let line = raw.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let read =
                if line.starts_with('+') { reader.step(number, line) } else { reader.option(line) };
            read.map_err(|problem| format!("line {number}: {problem}\n  {raw}"))?;
        }
        reader.finish()
    }
}

struct Reader {
    transport: Option<serde_json::Map<String, Value>>,
    cc: String,
    app: AppPlan,
    side: Side,
    handshake: Option<Duration>,
    window: u32,
    tolerance: Duration,
    steps: Vec<Step>,
}

impl Reader {
    fn new() -> Self {
        Self {
            transport: None,
            cc: "reno".into(),
            app: AppPlan::Bulk {},
            side: Side::Sender,
            handshake: Some(Duration::from_millis(100)),
            window: 1 << 30,
            tolerance: Duration::from_micros(1),
            steps: Vec::new(),
        }
    }

    fn finish(self) -> Parsed<Script> {
        let transport = self.transport.ok_or("no `profile linux` or `profile classic`")?;
        let transport: TransportPlan =
            serde_json::from_value(Value::Object(transport)).map_err(|e| format!("set: {e}"))?;
        Ok(Script {
            plan: FlowPlan { app: self.app, ..testbench::plan("transcript", &self.cc, transport) },
            side: self.side,
            handshake: self.handshake,
            window: self.window,
            tolerance: self.tolerance,
            steps: self.steps,
        })
    }

    fn option(&mut self, line: &str) -> Parsed<()> {
        let (key, rest) =
            line.split_once(' ').ok_or("an option needs a value, a timed line begins with +")?;
        let rest = rest.trim();
        match key {
            "profile" => {
                let text = match rest {
                    "linux" => LINUX,
                    "classic" => CLASSIC,
                    _ => return Err(format!("profile '{rest}': linux or classic")),
                };
                // Options that a plan may leave out are written out, so that `set` knows them.
                let plan: TransportPlan = serde_json::from_str(text).map_err(|e| e.to_string())?;
                let written = serde_json::to_value(plan).map_err(|e| e.to_string())?;
                self.transport = written.as_object().cloned();
            }
            "side" => {
                self.side = match rest {
                    "sender" => Side::Sender,
                    "receiver" => Side::Receiver,
                    _ => return Err(format!("side '{rest}': sender or receiver")),
                }
            }
            "cc" => self.cc = rest.into(),
            "app" => self.app = app(rest)?,
            "handshake" => {
                self.handshake = if rest == "none" { None } else { Some(duration(rest)?) }
            }
            "window" => self.window = number(rest)?,
            "tolerance" => self.tolerance = duration(rest)?,
            "set" => self.set(rest)?,
            _ => {
                return Err(format!(
                    "option '{key}': profile, side, cc, app, handshake, window, tolerance or set"
                ));
            }
        }
        Ok(())
    }

    /// Reads `set KEY VALUE`, with a key of `TransportPlan`. A unit in the value replaces the one
    /// in the key: `initial_window 4 segments` sets `initial_window_bytes`.
    fn set(&mut self, rest: &str) -> Parsed<()> {
        let (key, text) = rest.split_once(' ').ok_or("set KEY VALUE")?;
        let transport = self.transport.as_mut().ok_or("set comes after profile")?;
        let mss = transport.get("mss").and_then(Value::as_u64).unwrap_or(1);
        let (full, value) = if transport.contains_key(key) {
            (
                key.to_owned(),
                serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.into())),
            )
        } else if transport.contains_key(&format!("{key}_ps")) {
            (format!("{key}_ps"), duration(text)?.as_ps().into())
        } else if transport.contains_key(&format!("{key}_bps")) {
            (format!("{key}_bps"), text.parse::<Rate>().map_err(|e| e.to_string())?.as_bps().into())
        } else if transport.contains_key(&format!("{key}_bytes")) {
            (format!("{key}_bytes"), size(text, mss)?.into())
        } else {
            return Err(format!("set '{key}': not an option of the transport"));
        };
        if full == "mss"
            && let (Some(window), Some(new)) =
                (transport.get("initial_window_bytes").and_then(Value::as_u64), value.as_u64())
        {
            transport.insert("initial_window_bytes".into(), (window / mss * new).into());
        }
        transport.insert(full, value);
        Ok(())
    }

    fn step(&mut self, line: usize, text: &str) -> Parsed<()> {
        let mut words = Words::new(text);
        let delay = seconds(words.next("a time")?.trim_start_matches('+'))?;
        let action = match words.next("<, >, * or nothing")? {
            "<" => Action::Inject(segment(&mut words)?),
            ">" => Action::Expect(segment(&mut words)?),
            "*" => {
                let name = words.next("a name")?.to_owned();
                if words.next("==")? != "==" {
                    return Err("checks are written * NAME == VALUE".into());
                }
                Action::Check { name, value: words.rest() }
            }
            "nothing" => Action::Nothing,
            other => return Err(format!("'{other}': <, >, * or nothing")),
        };
        words.end()?;
        self.steps.push(Step { line, text: text.into(), delay, action });
        Ok(())
    }
}

struct Words<'a> {
    left: std::iter::Peekable<std::str::SplitWhitespace<'a>>,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self { left: text.split_whitespace().peekable() }
    }
    fn next(&mut self, wanted: &str) -> Parsed<&'a str> {
        self.left.next().ok_or_else(|| format!("{wanted} is missing"))
    }
    fn rest(&mut self) -> String {
        self.left.by_ref().collect::<Vec<_>>().join(" ")
    }
    fn end(&mut self) -> Parsed<()> {
        self.left.next().map_or(Ok(()), |word| Err(format!("'{word}' is not understood here")))
    }
}

fn segment(words: &mut Words) -> Parsed<Segment> {
    let kind = match words.next("a packet")? {
        "syn" => Kind::Syn,
        "synack" => Kind::SynAck,
        "ack" => Kind::Ack,
        "data" => Kind::Data,
        "fin" => Kind::Fin,
        "probe" => Kind::Probe,
        other => return Err(format!("packet '{other}': syn, synack, ack, data, fin or probe")),
    };
    let (start, end) = match kind {
        Kind::Syn | Kind::SynAck => (0, 0),
        Kind::Data => range(words.next("FIRST:END")?)?,
        Kind::Ack => (0, number(words.next("an acknowledgment number")?)?),
        Kind::Fin | Kind::Probe => {
            let seq = number(words.next("a sequence number")?)?;
            (seq, seq)
        }
    };
    let mut found = Segment {
        kind,
        start,
        end,
        flags: if kind == Kind::Fin { flags::FIN } else { 0 },
        sacks: Vec::new(),
        window: None,
        ecn: None,
        echo: None,
        marked: None,
    };
    while let Some(word) = words.left.next() {
        match word {
            "ece" => found.flags |= flags::ECE,
            "cwr" => found.flags |= flags::CWR,
            "fin" => found.flags |= flags::FIN,
            "psh" => found.flags |= flags::PSH,
            "not-ect" => found.ecn = Some(Ecn::NotEct),
            "ect0" => found.ecn = Some(Ecn::Ect0),
            "ce" => found.ecn = Some(Ecn::Ce),
            "win" => found.window = Some(number(words.next("a window")?)?),
            "echo" => found.echo = Some(Time::ZERO + seconds(words.next("a time")?)?),
            "marked" => found.marked = Some(number(words.next("a number of bytes")?)?),
            "sack" => {
                found.sacks = words.next("blocks")?.split(',').map(range).collect::<Parsed<_>>()?;
            }
            other => {
                return Err(format!(
                    "'{other}': ece, cwr, fin, psh, not-ect, ect0, ce, win, echo, marked or sack"
                ));
            }
        }
    }
    Ok(found)
}

fn app(text: &str) -> Parsed<AppPlan> {
    let mut words = Words::new(text);
    let kind = words.next("bulk, file or writes")?;
    let made = match kind {
        "bulk" => AppPlan::Bulk {},
        "file" => AppPlan::File { size_bytes: number(words.next("a size")?)? },
        "writes" => {
            let mut writes = Vec::new();
            for word in words.left.by_ref() {
                let (when, bytes) = word.split_once(':').ok_or("writes are TIME:BYTES")?;
                writes.push((duration(when)?.as_ps(), number(bytes)?));
            }
            AppPlan::Writes { writes }
        }
        other => return Err(format!("app '{other}': bulk, file or writes")),
    };
    words.end()?;
    Ok(made)
}

fn number<T: std::str::FromStr>(text: &str) -> Parsed<T> {
    text.replace('_', "").parse().map_err(|_| format!("'{text}' is not a number that fits"))
}

fn range(text: &str) -> Parsed<(u64, u64)> {
    let (start, end) = text.split_once(':').ok_or_else(|| format!("'{text}': FIRST:END"))?;
    Ok((number(start)?, number(end)?))
}

fn duration(text: &str) -> Parsed<Duration> {
    text.parse().map_err(|e: ackclock_units::ParseError| e.to_string())
}

/// Parses seconds without a unit, exactly.
pub fn seconds(text: &str) -> Parsed<Duration> {
    duration(&format!("{text}s"))
}

/// Parses `4 segments` or `5000 bytes` to bytes; a number without a unit means segments.
pub fn size(text: &str, mss: u64) -> Parsed<u64> {
    let (count, unit) = text.split_once(' ').unwrap_or((text, "segments"));
    match unit {
        "segments" | "segment" => Ok(number::<u64>(count)? * mss),
        "bytes" => number(count),
        _ => Err(format!("'{text}': N segments or N bytes")),
    }
}
