//! Our sender, driven by a script.

use std::sync::LazyLock;

use ackclock_sim::packet::flags;
use ackclock_sim::plan::{EcnMode, TransportPlan};
use ackclock_sim::rng;
use ackclock_sim::testbench::{self, Arriving, TcpInfo};
use ackclock_units::Time;

use super::script::{Ack, Action, Script, Transmissions};

/// What our sender sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When.
    pub at: Time,
    /// First byte.
    pub seq: u64,
    /// Payload, bytes.
    pub payload: u32,
    /// Whether it carries the FIN.
    pub fin: bool,
    /// Whether it says that the window was reduced (RFC 3168).
    pub cwr: bool,
}

const SEED: u64 = 1;
const FLOW: &str = "oracle";
/// BBR's gain cycle begins with one of so many phases.
const START_PHASES: usize = 7;

/// Seeds with which a congestion control shows all that it may draw: for BBR one for each phase that its gain cycle may begin with.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a share of seven"
)]
pub fn seeds(cc: &str) -> &'static [u64] {
    static OF_PHASES: LazyLock<Vec<u64>> = LazyLock::new(|| {
        let mut seeds = [None; START_PHASES];
        for seed in SEED.. {
            let drawn = rng::unit(&mut rng::stream(seed, &format!("flow/{FLOW}/cc")));
            seeds[(drawn * START_PHASES as f64) as usize].get_or_insert(seed);
            if seeds.iter().all(Option::is_some) {
                break;
            }
        }
        seeds.into_iter().flatten().collect()
    });
    if cc == "bbr" { &OF_PHASES } else { &[SEED] }
}

/// A sender whose time only goes forward.
pub struct Bench {
    inner: testbench::Bench,
    transmissions: Transmissions,
    noted: usize,
    now: Time,
}

impl Bench {
    /// For a script; `transport` is the profile, of which the script sets mss, initial window and ECN. The SYN leaves at `start`.
    ///
    /// # Errors
    /// Where there is no such congestion control.
    pub fn new(script: &Script, transport: &TransportPlan, start: Time) -> Result<Self, String> {
        Self::with_seed(script, transport, start, SEED)
    }

    /// A bench for a script whose sender draws the random numbers of a run with this seed.
    ///
    /// # Errors
    /// Where there is no such congestion control.
    pub fn with_seed(script: &Script, transport: &TransportPlan, start: Time, seed: u64) -> Result<Self, String> {
        let transport = TransportPlan {
            mss: script.mss,
            initial_window_bytes: 10 * u64::from(script.mss),
            ecn: if script.ecn { EcnMode::Classic } else { EcnMode::Off },
            ..transport.clone()
        };
        let plan = testbench::plan(FLOW, &script.cc, transport);
        let mut bench = Self {
            inner: testbench::Bench::sender_of_run(&plan, seed).map_err(|error| error.to_string())?,
            transmissions: Transmissions::default(),
            noted: 0,
            now: start,
        };
        bench.inner.open(start);
        bench.note();
        Ok(bench)
    }

    /// The SYN-ACK arrives.
    pub fn establish(&mut self, window: u32, at: Time) {
        self.now = self.now.max(at);
        let synack = Arriving {
            flags: flags::SYN | flags::ACK,
            window: Some(window),
            ..Arriving::default()
        };
        self.inner.inject(&synack, self.now);
        // SYN and ACK of the handshake are nobody's matter.
        self.inner.drain();
        self.note();
    }

    /// An event of the script happens.
    pub fn play(&mut self, action: &Action, at: Time) {
        self.now = self.now.max(at);
        match action {
            Action::Write(bytes) => self.inner.write(u64::from(*bytes), false, self.now),
            Action::Close => self.inner.write(0, true, self.now),
            Action::Ack(ack) => self.ack(ack),
        }
        self.note();
    }

    fn ack(&mut self, ack: &Ack) {
        let arriving = Arriving {
            ack: ack.ack,
            window: Some(ack.window),
            flags: flags::ACK | if ack.ece { flags::ECE } else { 0 },
            sacks: ack.sacks.clone(),
            echo: Some(self.transmissions.timestamp(ack.echo).unwrap_or_default()),
            ..Arriving::default()
        };
        self.inner.inject(&arriving, self.now);
    }

    fn note(&mut self) {
        for (_, event) in &self.inner.history()[self.noted..] {
            if let testbench::Event::Sent(packet) = event
                && (packet.span() > 0 || packet.has(flags::SYN))
            {
                self.transmissions.note(packet.seq, packet.seq + packet.span(), packet.ts_val);
            }
        }
        self.noted = self.inner.history().len();
    }

    /// Simulated time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// When a timer is due next.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.inner.deadline()
    }

    /// Whether the next timer is the pacer's, which the kernel has in ns and not in jiffies.
    #[must_use]
    pub fn is_pacing_next(&self) -> bool {
        match self.inner.host() {
            testbench::Host::Sender(sender) => sender.pacing_deadline() == sender.deadline(),
            testbench::Host::Receiver(_) => false,
        }
    }

    /// When the pacer lets the next segment go.
    #[must_use]
    pub fn pacing_deadline(&self) -> Time {
        match self.inner.host() {
            testbench::Host::Sender(sender) => sender.pacing_deadline(),
            testbench::Host::Receiver(_) => Time::MAX,
        }
    }

    /// When the timer runs out that the kernel has in jiffies.
    #[must_use]
    pub fn timer_deadline(&self) -> Time {
        match self.inner.host() {
            testbench::Host::Sender(sender) => sender.timer_deadline(),
            testbench::Host::Receiver(_) => Time::MAX,
        }
    }

    /// Lets the pacer alone run out at `at`.
    pub fn fire_pacer(&mut self, at: Time) {
        self.now = self.now.max(at);
        self.inner.on_pacing_timer(self.now);
        self.note();
    }

    /// Lets the pacer open for new data alone, at `at`.
    pub fn open_for_new_data(&mut self, at: Time) {
        self.now = self.now.max(at);
        self.inner.on_pacer_open_for_new_data(self.now);
        self.note();
    }

    /// Lets what is due at `at` run out.
    pub fn fire(&mut self, at: Time) {
        self.now = self.now.max(at);
        self.inner.on_timer(self.now);
        self.note();
    }

    /// The next packet that was sent and not taken yet.
    pub fn next_sent(&mut self) -> Option<Sent> {
        let sent = self.peek_sent();
        if sent.is_some() {
            self.inner.next_sent(Time::ZERO);
        }
        sent
    }

    /// The next packet, left where it is.
    #[must_use]
    pub fn peek_sent(&self) -> Option<Sent> {
        self.inner.waiting().map(|(at, packet)| Sent {
            at: *at,
            seq: packet.seq,
            payload: packet.payload,
            fin: packet.has(flags::FIN),
            cwr: packet.has(flags::CWR),
        })
    }

    /// All transmissions so far.
    #[must_use]
    pub fn transmissions(&self) -> &Transmissions {
        &self.transmissions
    }

    /// First byte that is not acknowledged, and the next new byte.
    #[must_use]
    pub fn edges(&self) -> (u64, u64) {
        match self.inner.host() {
            testbench::Host::Sender(sender) => (sender.board().una(), sender.board().next()),
            testbench::Host::Receiver(_) => (0, 0),
        }
    }

    /// The first byte of what is to be sent again next.
    #[must_use]
    pub fn next_to_repair(&self) -> Option<u64> {
        match self.inner.host() {
            testbench::Host::Sender(sender) => {
                let mut board = sender.board().clone();
                board.next_lost().map(|number| board.get(number).seq)
            }
            testbench::Host::Receiver(_) => None,
        }
    }

    /// Whether everything, the FIN included, is acknowledged: then our connection is gone.
    #[must_use]
    pub fn is_done(&self) -> bool {
        match self.inner.host() {
            testbench::Host::Sender(sender) => sender.is_done(),
            testbench::Host::Receiver(_) => false,
        }
    }

    /// What the algorithm shows of itself, in words.
    #[must_use]
    pub fn internals(&self) -> String {
        use core::fmt::Write as _;
        let mut text = String::new();
        if let testbench::Host::Sender(sender) = self.inner.host() {
            sender.cc().internals(&mut |name, value| {
                let _ = write!(text, " {name} {value}");
            });
        }
        text
    }

    /// The sender's state.
    ///
    /// # Panics
    /// Never: the host is a sender.
    #[must_use]
    pub fn info(&self) -> TcpInfo {
        self.inner.info().expect("a sender has one")
    }
}
