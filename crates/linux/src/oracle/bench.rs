//! The simulator's sender, driven by a script.

use std::sync::LazyLock;

use ackclock_sim::packet::flags;
use ackclock_sim::rng;
use ackclock_sim::testbench::{self, Arriving, TcpInfo};
use ackclock_sim::transport::plan::{EcnMode, TransportPlan};
use ackclock_units::Time;

use super::script::{Ack, Action, Script, Transmissions};

/// A segment sent by the simulator's sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Time of sending.
    pub at: Time,
    /// First byte.
    pub seq: u64,
    /// Payload, bytes.
    pub payload: u32,
    /// Whether it carries the FIN.
    pub fin: bool,
    /// Whether it says that the window was reduced (CWR, RFC 3168).
    pub cwr: bool,
}

const SEED: u64 = 1;
const FLOW: &str = "oracle";
/// Number of phases with which BBR's gain cycle may begin.
const START_PHASES: usize = 7;

/// Seeds with which a congestion control shows all of its random choices: for BBR one for each
/// phase with which its gain cycle may begin.
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

/// A simulated sender whose time only goes forward.
pub struct Bench {
    inner: testbench::Bench,
    transmissions: Transmissions,
    noted: usize,
    now: Time,
}

impl Bench {
    /// The bench for a script. `transport` is the profile; the script sets mss, initial window and
    /// ECN. The SYN leaves at `start`.
    ///
    /// # Errors
    ///
    /// If there is no such congestion control.
    pub fn new(script: &Script, transport: &TransportPlan, start: Time) -> Result<Self, String> {
        Self::with_seed(script, transport, start, SEED)
    }

    /// A bench for a script whose sender draws the random numbers of a run with this seed.
    ///
    /// # Errors
    /// Where there is no such congestion control.
    pub fn with_seed(
        script: &Script,
        transport: &TransportPlan,
        start: Time,
        seed: u64,
    ) -> Result<Self, String> {
        let transport = TransportPlan {
            mss: script.mss,
            initial_window_bytes: 10 * u64::from(script.mss),
            ecn: if script.ecn { EcnMode::Classic } else { EcnMode::Off },
            ..transport.clone()
        };
        let plan = testbench::plan(FLOW, &script.cc, transport);
        let mut bench = Self {
            inner: testbench::Bench::sender_of_run(&plan, seed)
                .map_err(|error| error.to_string())?,
            transmissions: Transmissions::default(),
            noted: 0,
            now: start,
        };
        bench.inner.open(start);
        bench.note();
        Ok(bench)
    }

    /// Delivers the SYN-ACK.
    pub fn establish(&mut self, window: u32, at: Time) {
        self.now = self.now.max(at);
        let synack = Arriving {
            flags: flags::SYN | flags::ACK,
            window: Some(window),
            ..Arriving::default()
        };
        self.inner.inject(&synack, self.now);
        // The SYN and the ACK of the handshake are not compared.
        self.inner.drain();
        self.note();
    }

    /// Plays an event of the script.
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

    /// Present simulated time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Time of the next timer.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.inner.deadline()
    }

    /// Whether the next timer is the pacer's, which the kernel runs in ns and not in jiffies.
    #[must_use]
    pub fn is_pacing_next(&self) -> bool {
        match self.inner.host() {
            testbench::Host::Sender(sender) => sender.pacing_deadline() == sender.deadline(),
            testbench::Host::Receiver(_) => false,
        }
    }

    /// Time at which the pacer lets the next segment go.
    #[must_use]
    pub fn pacing_deadline(&self) -> Time {
        match self.inner.host() {
            testbench::Host::Sender(sender) => sender.pacing_deadline(),
            testbench::Host::Receiver(_) => Time::MAX,
        }
    }

    /// Time of the timer that the kernel runs in jiffies.
    #[must_use]
    pub fn timer_deadline(&self) -> Time {
        match self.inner.host() {
            testbench::Host::Sender(sender) => sender.timer_deadline(),
            testbench::Host::Receiver(_) => Time::MAX,
        }
    }

    /// Fires only the pacer, at `at`.
    pub fn fire_pacer(&mut self, at: Time) {
        self.now = self.now.max(at);
        self.inner.on_pacing_timer(self.now);
        self.note();
    }

    /// Opens the pacer for new data only, at `at`.
    pub fn open_for_new_data(&mut self, at: Time) {
        self.now = self.now.max(at);
        self.inner.on_pacer_open_for_new_data(self.now);
        self.note();
    }

    /// Fires the timers that are due at `at`.
    pub fn fire(&mut self, at: Time) {
        self.now = self.now.max(at);
        self.inner.on_timer(self.now);
        self.note();
    }

    /// Takes the next packet that was sent.
    pub fn next_sent(&mut self) -> Option<Sent> {
        let sent = self.peek_sent();
        if sent.is_some() {
            self.inner.next_sent(Time::ZERO);
        }
        sent
    }

    /// Shows the next packet that was sent, without taking it.
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

    /// The first byte of the next retransmission.
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

    /// Whether everything, the FIN included, is acknowledged: then the simulated connection is
    /// gone.
    #[must_use]
    pub fn is_done(&self) -> bool {
        match self.inner.host() {
            testbench::Host::Sender(sender) => sender.is_done(),
            testbench::Host::Receiver(_) => false,
        }
    }

    /// The algorithm's internals as text.
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
    ///
    /// Never, because the host is a sender.
    #[must_use]
    pub fn info(&self) -> TcpInfo {
        self.inner.info().expect("a sender has one")
    }
}
