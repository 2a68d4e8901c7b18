//! Text to events.

use crate::header::{self, Header};

const US: f64 = 1e6;
/// Digits of a number or a time.
const LONGEST_NUMBER: usize = 20;
const LATEST_US: i64 = 24 * 3600 * 1_000_000;
/// A number in a packet has 32 bits.
const MOST: u64 = (1 << 32) - 1;
/// Bytes of a segment before a network card cuts it.
const MOST_LENGTH: u64 = 1 << 20;
/// The option has a byte.
const MOST_SHIFT: u64 = 255;

/// A packetdrill script.
#[derive(Debug, Default)]
pub struct Script {
    /// The host under test, if the script says it.
    pub header: Option<Header>,
    /// Lines `--name=value`.
    pub options: Vec<(String, String)>,
    /// Shell commands before the first event.
    pub setup: Vec<String>,
    /// Timed lines.
    pub events: Vec<Event>,
}

/// A timed line.
#[derive(Debug)]
pub struct Event {
    /// Number of the line, from 1.
    pub line: usize,
    /// The line, its blanks and comments taken out.
    pub text: String,
    /// Time since the script's beginning; with `is_any` the time of the line before.
    pub at_us: i64,
    /// Time since the line before, on which packetdrill's tolerance depends.
    pub delay_us: i64,
    /// Latest time, if the line gives a range.
    pub to_us: Option<i64>,
    /// Whether the event may happen at any time (`*`).
    pub is_any: bool,
    /// The event itself.
    pub what: What,
}

/// Kinds of events.
#[derive(Debug)]
pub enum What {
    /// `<` or `>`.
    Packet(Box<Packet>),
    /// A system call.
    Call(Call),
    /// Shell commands between backquotes.
    Command(String),
    /// Python between `%{` and `}%`, with the socket's `TCP_INFO` as its variables.
    Code(String),
}

/// A packet; of protocols other than TCP only the name is known (`other`).
#[derive(Clone, Debug, Default)]
pub struct Packet {
    /// Whether the packet is injected; otherwise the host must send it.
    pub arrives: bool,
    /// Letters of the flags; a dot is ACK.
    pub flags: String,
    /// Sequence number of the first byte.
    pub start: u64,
    /// The number after the last byte.
    pub end: u64,
    /// Payload, bytes.
    pub length: u64,
    /// Acknowledgment number.
    pub ack: Option<u64>,
    /// Window as on the wire, without the scale.
    pub window: Option<u64>,
    /// ECN field of IP.
    pub ecn: Option<String>,
    /// Option of a SYN: largest segment.
    pub mss: Option<u64>,
    /// Option of a SYN: shift of the windows.
    pub scale: Option<u32>,
    /// Option of a SYN: SACK may be used.
    pub sack_permitted: bool,
    /// Timestamp and echo.
    pub stamps: Option<(u64, u64)>,
    /// SACK blocks.
    pub sacks: Vec<(u64, u64)>,
    /// Bytes that arrived marked, by the option of accurate ECN (RFC 9768 section 3.2.3).
    pub marked: Option<u64>,
    /// Whether the options may be any (`<...>`).
    pub ignores_options: bool,
    /// A protocol or a TCP option that is not understood.
    pub other: Option<String>,
}

impl Script {
    /// Timed shell commands before the first packet, which set up.
    pub fn commands_before(&self) -> impl Iterator<Item = &str> {
        self.commands(|begun| !begun)
    }

    /// Timed shell commands after the first packet.
    pub fn commands_on_the_way(&self) -> impl Iterator<Item = &str> {
        self.commands(|begun| begun)
    }

    fn commands(&self, chosen: impl Fn(bool) -> bool) -> impl Iterator<Item = &str> {
        let mut has_begun = false;
        self.events.iter().filter_map(move |event| match &event.what {
            What::Command(text) => chosen(has_begun).then_some(text.as_str()),
            what => {
                has_begun |= what.packet().is_some();
                None
            }
        })
    }
}

impl What {
    /// The packet, if the event is one.
    #[must_use]
    pub fn packet(&self) -> Option<&Packet> {
        if let Self::Packet(packet) = self { Some(packet) } else { None }
    }

    /// The call, if the event is one.
    #[must_use]
    pub fn call(&self) -> Option<&Call> {
        if let Self::Call(call) = self { Some(call) } else { None }
    }
}

impl Packet {
    /// Whether the packet has this flag.
    #[must_use]
    pub fn has(&self, letter: char) -> bool {
        self.flags.contains(letter)
    }
}

/// A system call.
#[derive(Debug)]
pub struct Call {
    /// Name of the call.
    pub name: String,
    /// The text between its brackets.
    pub arguments: String,
    /// Result that the call must have.
    pub result: String,
    /// Whether the script gives the call a time to return.
    pub is_blocking: bool,
}

type Parsed<T> = Result<T, String>;

/// Parses a script.
///
/// # Errors
/// If a line is not understood; the text names the line.
pub fn parse(text: &str) -> Parsed<Script> {
    let mut script = Script::default();
    let mut reader = Reader { text, place: 0, counted: 0, lines: 1 };
    let mut clock = 0;
    loop {
        reader.skip(&mut script.header)?;
        if reader.left().is_empty() {
            return Ok(script);
        }
        if reader.left().starts_with('`') {
            let commands = reader.enclosed("`", "`", "a command")?;
            if script.events.is_empty() {
                script.setup.push(commands);
            }
            // Commands after the first event restore the machine.
        } else if let Some((name, value)) = reader.option() {
            match script.options.iter_mut().find(|known| known.0 == name) {
                Some(known) => known.1 = value,
                None => script.options.push((name, value)),
            }
        } else {
            let event = reader.event(clock)?;
            clock = event.at_us;
            script.events.push(event);
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    place: usize,
    /// Place up to which lines are counted, and the number of the line there.
    counted: usize,
    lines: usize,
}

impl<'a> Reader<'a> {
    fn left(&self) -> &'a str {
        &self.text[self.place..]
    }

    /// Number of the line, from 1.
    fn line(&self) -> usize {
        self.lines + self.text[self.counted..self.place].matches('\n').count()
    }

    fn fail<T>(&self, problem: &str) -> Parsed<T> {
        Err(format!("line {}: {problem}", self.line()))
    }

    fn number(&self, digits: &str, most: u64) -> Parsed<u64> {
        match digits.parse::<u64>() {
            Ok(number) if digits.len() <= LONGEST_NUMBER && number <= most && is_whole(digits) => {
                Ok(number)
            }
            _ => self.fail(&format!(
                "'{}' is not a number of at most {most}",
                first_letters(digits, 20)
            )),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "20 digits, of which `within` takes few")]
    fn microseconds(&self, seconds: &str) -> Parsed<i64> {
        if seconds.len() > LONGEST_NUMBER {
            let begin = first_letters(seconds, LONGEST_NUMBER);
            return self.fail(&format!("'{begin}...' is no time: at most {LONGEST_NUMBER} digits"));
        }
        let time: f64 = seconds.parse().unwrap_or_default();
        Ok((time * US).round_ties_even() as i64)
    }

    fn within(&self, at: i64) -> Parsed<i64> {
        if at <= LATEST_US {
            return Ok(at);
        }
        let (late, latest) = (at / 1_000_000, LATEST_US / 1_000_000);
        self.fail(&format!("{late} s after the beginning: a script lasts {latest} s at most"))
    }

    /// Skips space and comments, in which the header is.
    fn skip(&mut self, header: &mut Option<Header>) -> Parsed<()> {
        loop {
            let left = self.left();
            let blank = left.len() - left.trim_start_matches(is_space).len();
            if blank > 0 {
                self.place += blank;
            } else if left.starts_with("//") || left.starts_with('#') {
                let line = &left[..left.find('\n').unwrap_or(left.len())];
                if let Some(setting) = line.strip_prefix(header::MARK) {
                    let read = header.get_or_insert_default().read(setting);
                    if let Err(problem) = read {
                        return self.fail(&problem);
                    }
                }
                self.place += line.len();
            } else if left.starts_with("/*") {
                self.place = self.after("*/", "a comment")?;
            } else {
                return Ok(());
            }
        }
    }

    /// The place after the next `mark` that is not here.
    fn after(&self, mark: &str, what: &str) -> Parsed<usize> {
        match self.text[self.place + 1..].find(mark) {
            Some(found) => Ok(self.place + 1 + found + mark.len()),
            None => self.fail(&format!("{what} has no end")),
        }
    }

    fn enclosed(&mut self, begin: &str, end: &str, what: &str) -> Parsed<String> {
        let start = self.place + begin.len();
        self.place = self.after(end, what)?;
        Ok(self.text.get(start..self.place - end.len()).unwrap_or_default().to_owned())
    }

    fn rest_of_line(&mut self) -> &'a str {
        let line = self.left().split('\n').next().unwrap_or_default();
        self.place += line.len();
        line.split("//").next().unwrap_or_default().trim()
    }

    /// `--name`, `--name=value` or `--name value`.
    fn option(&mut self) -> Option<(String, String)> {
        let left = self.left().strip_prefix("--")?;
        let name_end = left.find(|c: char| !(is_word(c) || c == '-')).unwrap_or(left.len());
        if name_end == 0 {
            return None;
        }
        let (name, rest) = left.split_at(name_end);
        let value = rest
            .strip_prefix(['=', ' '])
            .map(|rest| &rest[..rest.find(is_space).unwrap_or(rest.len())])
            .unwrap_or_default();
        self.place += 2 + name_end + if value.is_empty() { 0 } else { 1 + value.len() };
        Some((name.to_owned(), value.to_owned()))
    }

    fn event(&mut self, clock: i64) -> Parsed<Event> {
        let (line, begin) = (self.line(), self.place);
        (self.lines, self.counted) = (line, begin);
        let Some((is_any, is_relative, from, to)) = self.time() else {
            let rest = first_letters(self.rest_of_line(), 60);
            return self.fail(&format!("'{rest}' begins with no time"));
        };
        let before = if is_relative { clock } else { 0 };
        let at_us = if is_any { clock } else { self.within(self.microseconds(from)? + before)? };
        let to_us = match to {
            Some(to) => Some(self.within(self.microseconds(to)? + before)?),
            None => None,
        };
        let is_blocking = self.end_time();
        // Blanks only: a packet ends with its line.
        self.place += self.left().len() - self.left().trim_start_matches([' ', '\t']).len();
        let what = match self.left().get(..2).unwrap_or_else(|| self.left()) {
            here if here.starts_with('`') => What::Command(self.enclosed("`", "`", "a command")?),
            "%{" => What::Code(self.enclosed("%{", "}%", "code")?),
            here if here.starts_with(['<', '>']) => {
                self.place += 1;
                What::Packet(Box::new(self.packet(here.starts_with('<'))?))
            }
            _ => What::Call(self.call(is_blocking)?),
        };
        let text = self.text[begin..self.place].split("//").next().unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Event { line, text, at_us, delay_us: at_us - clock, to_us, is_any, what })
    }

    /// `*`, or a time with the sign of a relative one and the end of a range.
    fn time(&mut self) -> Option<(bool, bool, &'a str, Option<&'a str>)> {
        let left = self.left();
        if left.starts_with('*') {
            self.place += 1;
            return Some((true, false, "", None));
        }
        let unsigned = left.strip_prefix('+');
        let rest = unsigned.unwrap_or(left).trim_start_matches(is_space);
        let (from, mut rest) = rest.split_at(decimal(rest)?);
        let range = rest
            .trim_start_matches(is_space)
            .strip_prefix('~')
            .map(|range| range.trim_start_matches(is_space))
            .map(|range| range.strip_prefix('+').unwrap_or(range));
        let to = range.and_then(|range| Some(range.split_at(decimal(range)?)));
        if let Some((_, after)) = to {
            rest = after;
        }
        self.place = self.text.len() - rest.len();
        Some((false, unsigned.is_some(), from, to.map(|(to, _)| to)))
    }

    /// Passes over `...0.2`, the time at which a call returns.
    fn end_time(&mut self) -> bool {
        let rest = self.left().trim_start_matches(is_space);
        let Some(rest) = rest.strip_prefix("...") else { return false };
        let rest = rest.trim_start_matches(is_space);
        let Some(rest) = decimal(rest).map(|end| &rest[end..]) else { return false };
        if !rest.starts_with(is_space) {
            return false;
        }
        self.place = self.text.len() - rest.len();
        true
    }

    fn call(&mut self, is_blocking: bool) -> Parsed<Call> {
        let left = self.left();
        let name_end = left
            .find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'))
            .unwrap_or(left.len());
        let (name, rest) = left.split_at(name_end);
        let Some(mut rest) = rest
            .trim_start_matches(is_space)
            .strip_prefix('(')
            .filter(|_| name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_'))
        else {
            let rest = first_letters(self.rest_of_line(), 60);
            return self.fail(&format!("'{rest}' is neither a packet, a call, code nor a command"));
        };
        let begin = self.text.len() - rest.len();
        let (mut depth, mut is_quoted) = (1, false);
        while depth > 0 {
            self.place = self.text.len() - rest.len();
            let Some(letter) = rest.chars().next() else {
                return self.fail(&format!("{name}( has no end"));
            };
            rest = &rest[letter.len_utf8()..];
            match letter {
                '"' => is_quoted = !is_quoted,
                '(' | '[' | '{' if !is_quoted => depth += 1,
                ')' | ']' | '}' if !is_quoted => depth -= 1,
                _ => (),
            }
        }
        let arguments = &self.text[begin..self.place];
        self.place = self.text.len() - rest.len();
        let Some(result) = self.rest_of_line().strip_prefix('=') else {
            return self.fail(&format!("{name}(...) has no result"));
        };
        Ok(Call {
            name: name.to_owned(),
            arguments: arguments.split_whitespace().collect::<Vec<_>>().join(" "),
            result: result.trim().to_owned(),
            is_blocking,
        })
    }

    fn packet(&mut self, arrives: bool) -> Parsed<Packet> {
        let text = self.rest_of_line();
        if let Some(other) = other_protocol(text) {
            return Ok(Packet { arrives, other: Some(other.to_owned()), ..Packet::default() });
        }
        let Some(header) = Fields::of(text) else {
            let begin = first_letters(text, 80);
            return self.fail(&format!("the packet '{begin}' is not understood"));
        };
        let optional = |digits: Option<&str>| digits.map(|it| self.number(it, MOST)).transpose();
        let mut packet = Packet {
            arrives,
            flags: header.flags.replace('-', ""),
            start: self.number(header.start, MOST)?,
            end: self.number(header.end, MOST)?,
            length: self.number(header.length, MOST_LENGTH)?,
            ack: optional(header.ack)?,
            window: optional(header.window)?,
            ecn: header.ip.map(str::to_owned),
            other: header.urgent.map(|_| "urgent data".to_owned()),
            ..Packet::default()
        };
        if let Some(options) = header.options {
            self.options(options, &mut packet)?;
        }
        Ok(packet)
    }

    fn options(&self, text: &str, packet: &mut Packet) -> Parsed<()> {
        if text.trim() == "..." {
            packet.ignores_options = true;
            return Ok(());
        }
        for option in text.split(',').map(str::trim) {
            let mut values = option.split_whitespace();
            let word = values.next().unwrap_or_default();
            let values: Vec<&str> = values.collect();
            match word {
                "nop" | "eol" | "" => (),
                "mss" | "wscale" => {
                    let &[value] = &values[..] else {
                        let count = values.len();
                        return self.fail(&format!(
                            "the option {word} has one value, as in '{word} 7', and not {count}"
                        ));
                    };
                    if word == "mss" {
                        packet.mss = Some(self.number(value, MOST)?);
                    } else {
                        let shift = self.number(value, MOST_SHIFT)?;
                        packet.scale = u32::try_from(shift).ok();
                    }
                }
                "sackOK" => packet.sack_permitted = true,
                "sack" => {
                    let mut blocks = Vec::new();
                    for block in &values {
                        let Some((start, end)) =
                            block.split_once(':').filter(|(_, end)| !end.contains(':'))
                        else {
                            let begin = first_letters(option, 40);
                            return self
                                .fail(&format!("the blocks of '{begin}' are written 1:1001"));
                        };
                        blocks.push((start, end));
                    }
                    packet.sacks = blocks
                        .into_iter()
                        .map(|(start, end)| {
                            Ok((self.number(start, MOST)?, self.number(end, MOST)?))
                        })
                        .collect::<Parsed<_>>()?;
                }
                "ECN" => packet.marked = marked(&values),
                _ => match stamps(option) {
                    Some((stamp, echo)) => {
                        packet.stamps = Some((self.number(stamp, MOST)?, self.number(echo, MOST)?));
                    }
                    None => packet.other = Some(format!("TCP option {word}")),
                },
            }
            if word == "ECN" && packet.marked.is_none() {
                packet.other = Some("TCP option ECN".to_owned());
            }
        }
        Ok(())
    }
}

/// The parts of a packet's line.
#[derive(Default)]
struct Fields<'a> {
    ip: Option<&'a str>,
    flags: &'a str,
    start: &'a str,
    end: &'a str,
    length: &'a str,
    ack: Option<&'a str>,
    window: Option<&'a str>,
    urgent: Option<&'a str>,
    options: Option<&'a str>,
}

impl<'a> Fields<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let mut found = Self::default();
        let mut rest = text;
        if let Some((ip, after)) = ip_field(rest) {
            found.ip = Some(ip);
            rest = after.trim_start_matches(is_space);
        }
        if let Some(after) = ports(rest) {
            rest = after;
        }
        let flags = rest.find(is_space).unwrap_or(rest.len());
        (found.flags, rest) = rest.split_at(flags);
        let letters = found.flags.strip_suffix('.').unwrap_or(found.flags);
        let is_letter = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        if !(found.flags == "-" || letters.chars().all(is_letter)) || !rest.starts_with(is_space) {
            return None;
        }
        rest = rest.trim_start_matches(is_space);
        (found.start, rest) = digits(rest)?;
        (found.end, rest) = digits(rest.strip_prefix(':')?)?;
        (found.length, rest) = digits(rest.strip_prefix('(')?)?;
        rest = rest.strip_prefix(')')?;
        for (name, field) in
            [("ack", &mut found.ack), ("win", &mut found.window), ("urg", &mut found.urgent)]
        {
            if let Some((number, after)) = named(rest, name) {
                (*field, rest) = (Some(number), after);
            }
        }
        if let Some(inside) = rest.trim_start_matches(is_space).strip_prefix('<') {
            let (options, after) = inside.split_once('>')?;
            (found.options, rest) = (Some(options), after);
        }
        rest.chars().all(is_space).then_some(found)
    }
}

/// `[ect0]` or `(ect0)`, and what follows.
fn ip_field(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix(['[', '('])?;
    let end = inside.find([']', ')'])?;
    Some((&inside[..end], &inside[end + 1..]))
}

fn other_protocol(text: &str) -> Option<&'static str> {
    let starts = |text: &str| {
        ["icmp", "udp", "gre", "mpls", "raw", "ipv4", "ipv6"]
            .into_iter()
            .find(|name| text.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_word)))
    };
    let inside = ip_field(text).map(|(_, rest)| rest.trim_start_matches(is_space));
    inside.and_then(starts).or_else(|| starts(text))
}

/// The rest after the ports in `80 > 90 S 0:0(0)`.
fn ports(text: &str) -> Option<&str> {
    let (_, rest) = digits(text)?;
    let rest = rest.trim_start_matches(is_space).strip_prefix('>')?;
    let (_, rest) = digits(rest.trim_start_matches(is_space))?;
    rest.starts_with(is_space).then(|| rest.trim_start_matches(is_space))
}

/// The number of ` ack 1`, and what follows.
fn named<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let rest = text.trim_start_matches(is_space).strip_prefix(name)?;
    rest.starts_with(is_space).then(|| digits(rest.trim_start_matches(is_space)))?
}

fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The two numbers of `TS val 1 ecr 2`.
fn stamps(option: &str) -> Option<(&str, &str)> {
    let (stamp, rest) = digits(option.strip_prefix("TS val ")?)?;
    let (echo, _) = digits(rest.strip_prefix(" ecr ")?)?;
    Some((stamp, echo))
}

/// The number after `ceb`.
fn marked(values: &[&str]) -> Option<u64> {
    let place = values.iter().position(|name| *name == "ceb")?;
    values.get(place + 1)?.parse().ok()
}

/// Length of a decimal number at the beginning of a text: `1`, `1.5` or `.5`.
fn decimal(text: &str) -> Option<usize> {
    let whole = digits(text).map_or(0, |(whole, _)| whole.len());
    let part = text[whole..].strip_prefix('.').and_then(digits).map(|(part, _)| part.len() + 1);
    part.map(|part| whole + part).or((whole > 0).then_some(whole))
}

pub(crate) fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\x1c'..='\x1f').contains(&letter)
}

pub(crate) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

pub(crate) fn first_letters(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}
