//! Captures, made byte by byte.

/// Flag bits.
pub const SYN: u8 = 0x02;
/// ...
pub const ACK: u8 = 0x10;
/// ...
pub const FIN: u8 = 0x01;

/// A TCP segment to be captured.
#[derive(Clone, Debug)]
pub struct Made {
    /// Time, ns.
    pub time_ns: u64,
    /// Whether the client sends it.
    pub out: bool,
    pub seq: u32,
    pub ack: u32,
    pub flags: u8,
    pub window: u16,
    pub payload: u32,
    pub timestamps: Option<(u32, u32)>,
    pub sacks: Vec<(u32, u32)>,
}

impl Made {
    /// Data from the client.
    pub fn data(time_ms: f64, seq: u32, payload: u32) -> Self {
        Self {
            time_ns: ns(time_ms),
            out: true,
            seq,
            ack: 1,
            flags: ACK,
            window: 65535,
            payload,
            timestamps: None,
            sacks: Vec::new(),
        }
    }

    /// An ACK of the server.
    pub fn ack(time_ms: f64, ack: u32) -> Self {
        Self { out: false, seq: 1, ack, payload: 0, ..Self::data(time_ms, 1, 0) }
    }

    pub fn sack(self, start: u32, end: u32) -> Self {
        Self { sacks: [vec![(start, end)], self.sacks].concat(), ..self }
    }

    pub fn flags(self, flags: u8) -> Self {
        Self { flags, ..self }
    }

    pub fn window(self, window: u16) -> Self {
        Self { window, ..self }
    }

    /// TCP header with options.
    fn tcp(&self) -> Vec<u8> {
        let (from, to) = if self.out { (40000_u16, 80_u16) } else { (80, 40000) };
        let mut options = Vec::new();
        if let Some((value, echo)) = self.timestamps {
            options.extend([1, 1, 8, 10]);
            options.extend(value.to_be_bytes());
            options.extend(echo.to_be_bytes());
        }
        if !self.sacks.is_empty() {
            options.extend([1, 1, 5, 2 + 8 * u8::try_from(self.sacks.len()).unwrap()]);
            for (start, end) in &self.sacks {
                options.extend(start.to_be_bytes());
                options.extend(end.to_be_bytes());
            }
        }
        let words = u8::try_from(5 + options.len() / 4).unwrap();
        let mut bytes = Vec::new();
        bytes.extend(from.to_be_bytes());
        bytes.extend(to.to_be_bytes());
        bytes.extend(self.seq.to_be_bytes());
        bytes.extend(self.ack.to_be_bytes());
        bytes.extend([words << 4, self.flags]);
        bytes.extend(self.window.to_be_bytes());
        bytes.extend([0; 4]);
        bytes.extend(options);
        bytes
    }

    /// The packet as IPv4, without its payload.
    pub fn ipv4(&self) -> (Vec<u8>, u32) {
        let tcp = self.tcp();
        let total = 20 + u32::try_from(tcp.len()).unwrap() + self.payload;
        let mut bytes = vec![0x45, 0];
        bytes.extend(u16::try_from(total).unwrap_or(0).to_be_bytes());
        bytes.extend([0, 0, 0x40, 0, 64, 6, 0, 0]);
        let (from, to) = if self.out { (1, 2) } else { (2, 1) };
        bytes.extend([10, 0, 0, from, 10, 0, 0, to]);
        bytes.extend(tcp);
        (bytes, total)
    }

    /// The packet as IPv6, without its payload.
    pub fn ipv6(&self) -> (Vec<u8>, u32) {
        let tcp = self.tcp();
        let length = u32::try_from(tcp.len()).unwrap() + self.payload;
        let mut bytes = vec![0x60, 0, 0, 0];
        bytes.extend(u16::try_from(length).unwrap().to_be_bytes());
        bytes.extend([6, 64]);
        let (from, to) = if self.out { (1, 2) } else { (2, 1) };
        for last in [from, to] {
            bytes.extend([0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
        }
        bytes.extend(tcp);
        (bytes, length + 40)
    }
}

fn ns(time_ms: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a test's time")]
    let ns = (time_ms * 1e6).round() as u64;
    ns
}

/// A frame: time in ns, the bytes kept, and the length on the wire.
pub type Bytes = (u64, Vec<u8>, u32);

/// Packets of raw IPv4 as frames.
pub fn raw(packets: &[Made]) -> Vec<Bytes> {
    packets
        .iter()
        .map(|it| {
            let (bytes, total) = it.ipv4();
            (it.time_ns, bytes, total)
        })
        .collect()
}

/// A pcap file of a link type, in little or big endian, in µs or ns.
pub fn pcap(link: u32, frames: &[Bytes], big: bool, nano: bool) -> Vec<u8> {
    let four = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let two = |value: u16| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut file = Vec::new();
    file.extend(four(if nano { 0xa1b2_3c4d } else { 0xa1b2_c3d4 }));
    file.extend(two(2));
    file.extend(two(4));
    file.extend([0; 8]);
    file.extend(four(65535));
    file.extend(four(link));
    for (time_ns, bytes, total) in frames {
        let fraction = time_ns % 1_000_000_000 / if nano { 1 } else { 1000 };
        file.extend(four(u32::try_from(time_ns / 1_000_000_000).unwrap()));
        file.extend(four(u32::try_from(fraction).unwrap()));
        file.extend(four(u32::try_from(bytes.len()).unwrap()));
        file.extend(four(*total));
        file.extend(bytes);
    }
    file
}

/// A block of a pcapng file.
pub fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let mut block = kind.to_le_bytes().to_vec();
    let length = u32::try_from(body.len().next_multiple_of(4) + 12).unwrap();
    block.extend(length.to_le_bytes());
    block.extend(body);
    block.resize(block.len().next_multiple_of(4), 0);
    block.extend(length.to_le_bytes());
    block
}

/// A pcapng file whose interface counts time in units of 10^-`digits` s.
pub fn pcapng(link: u16, frames: &[Bytes], digits: u8) -> Vec<u8> {
    let mut section = 0x1a2b_3c4d_u32.to_le_bytes().to_vec();
    section.extend([1, 0, 0, 0]);
    section.extend([0xff; 8]);
    let mut file = block(0x0a0d_0d0a, &section);
    let mut interface = link.to_le_bytes().to_vec();
    interface.extend([0, 0, 0, 0, 0, 0]);
    interface.extend([9, 0, 1, 0, digits, 0, 0, 0, 0, 0, 0, 0]);
    file.extend(block(1, &interface));
    for (time_ns, bytes, total) in frames {
        let units = time_ns / 10_u64.pow(9 - u32::from(digits));
        let mut body = 0_u32.to_le_bytes().to_vec();
        body.extend(u32::try_from(units >> 32).unwrap().to_le_bytes());
        body.extend(u32::try_from(units & 0xffff_ffff).unwrap().to_le_bytes());
        body.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
        body.extend(total.to_le_bytes());
        body.extend(bytes);
        file.extend(block(6, &body));
    }
    file
}

/// The handshake of a client that is captured at the client, 10 ms from its server.
pub fn handshake() -> Vec<Made> {
    vec![
        Made::data(0.0, 0, 0).flags(SYN),
        Made { seq: 0, ..Made::ack(10.0, 1).flags(SYN | ACK) },
        Made::data(10.0, 1, 0),
    ]
}
