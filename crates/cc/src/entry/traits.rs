//! Traits of algorithms. A reader of a name asks its entry, and needs no list of names.

/// Traits of an algorithm. An entry takes one of the constants and says where it differs.
///
/// `crates/cc/tests/algorithms/traits_are_what_algorithms_do.rs` holds each entry to its behaviour.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Traits {
    /// Whether it draws random numbers.
    pub draws: bool,
    /// Whether its slow start is defined only with an ssthresh.
    pub needs_ssthresh: bool,
    /// Signs of congestion that make it send less.
    pub answers: Answers,
    /// Whether it gives way to others by intention: a scavenger.
    pub gives_way: bool,
    /// Law by which its window grows in congestion avoidance.
    pub growth: Growth,
    /// Window that a loss leaves.
    pub left: Left,
    /// Closed forms of its mean window or rate under independent losses; the largest holds.
    pub response: &'static [Law],
    /// Loss rate beyond which its rate collapses, for one that answers no single loss.
    pub tolerance: Option<Law>,
    /// Utilisation of a link by one flow alone at a tail-drop queue.
    pub utilisation: Option<Law>,
    /// Equations of its window around the equilibrium.
    pub linearised: Linearised,
    /// Phases that it tells of itself.
    pub phases: Option<Phases>,
}

/// Signs of congestion that make an algorithm send less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answers {
    /// A single loss.
    pub loss: bool,
    /// A single ECN mark.
    pub marks: bool,
    /// A queue that grows. For a slow start: it ends then.
    pub delay: bool,
}

/// Law by which a window grows in congestion avoidance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// One segment per round trip (RFC 5681 section 3.1).
    Linear,
    /// A cubic function of the time since the last reduction (RFC 9438 section 4.2).
    Cubic,
    /// Another law.
    Other,
}

/// Window that a loss leaves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Left {
    /// A share of it.
    Share(Term),
    /// One segment: it slow-starts after every loss.
    Segment,
    /// The share depends on more than the parameters.
    Varies,
}

/// A closed form: a function of Python's package `ackclock.theory` with its arguments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Law {
    /// Name of the function.
    pub function: &'static str,
    /// Arguments by name.
    pub arguments: &'static [(&'static str, Term)],
    /// Source and formula, in a few words.
    pub source: &'static str,
    /// Whether timeouts lower the window at high loss rates, as in the equation of RFC 5348.
    pub has_timeouts: bool,
}

/// Value of an argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Term {
    /// A number.
    Number(f64),
    /// The parameter of this name.
    Parameter(&'static str),
    /// One less the parameter of this name.
    Rest(&'static str),
    /// A number per ACK, for a sender that counts ACKs and not bytes.
    NumberPerAck(f64),
    /// The parameter of this name per ACK, for a sender that counts ACKs and not bytes.
    ParameterPerAck(&'static str),
    /// Losses per packet sent.
    LossRate,
    /// Mean RTT, s.
    Rtt,
    /// Mean RTT less the smallest, s.
    Queueing,
    /// Room for waiting packets, in bandwidth-delay products.
    Buffer,
}

/// Equations of a window around the equilibrium.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Linearised {
    /// A function of `ackclock.theory.window_laws`.
    Law(Law),
    /// There is none here, for this reason.
    Without(&'static str),
}

/// Phases that an algorithm tells of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phases {
    /// Name of the internal value that has the phase's number.
    pub internal: &'static str,
    /// Names of the phases, from number 0 on; a part of a phase stands after a space.
    pub names: &'static [&'static str],
}

impl Law {
    /// A law of `ackclock.theory`.
    #[must_use]
    pub const fn new(
        function: &'static str,
        arguments: &'static [(&'static str, Term)],
        source: &'static str,
    ) -> Self {
        Self { function, arguments, source, has_timeouts: false }
    }

    const MATHIS: &'static [(&'static str, Term)] =
        &[("loss_rate", Term::LossRate), ("increase", Term::NumberPerAck(1.0))];

    /// Reno's mean window under independent losses.
    pub const RENO: Self = Self {
        has_timeouts: true,
        ..Self::new("aimd_random_window", Self::MATHIS, "Mathis et al. 1997, 1.31/sqrt(p)")
    };

    /// Mean window of an algorithm that is Reno where its own law would be slower.
    #[must_use]
    pub const fn reno_friendly(source: &'static str) -> Self {
        Self::new("aimd_random_window", Self::MATHIS, source)
    }
}

const UNKNOWN: Linearised =
    Linearised::Without("its growth or its cut depends on more than its window");

impl Traits {
    /// A slow start that grows until a loss or ssthresh ends it.
    pub const SLOW_START: Self = Self {
        draws: false,
        needs_ssthresh: false,
        answers: Answers { loss: false, marks: false, delay: false },
        gives_way: false,
        growth: Growth::Other,
        left: Left::Varies,
        response: &[],
        tolerance: None,
        utilisation: None,
        linearised: UNKNOWN,
        phases: None,
    };

    /// A slow start that ends when the queue grows.
    pub const DELAY_BASED_START: Self =
        Self { answers: Answers { delay: true, ..Self::SLOW_START.answers }, ..Self::SLOW_START };

    /// An avoidance that answers losses and marks.
    pub const AVOIDANCE: Self =
        Self { answers: Answers { loss: true, marks: true, delay: false }, ..Self::SLOW_START };

    /// An avoidance that also backs off when the queue grows.
    pub const DELAY_BASED: Self =
        Self { answers: Answers { delay: true, ..Self::AVOIDANCE.answers }, ..Self::AVOIDANCE };

    /// A controller that answers neither a single loss nor a mark.
    pub const MODEL_BASED: Self = Self::SLOW_START;

    /// An avoidance that grows and answers losses as Reno does (RFC 5681).
    pub const RENO: Self = Self {
        growth: Growth::Linear,
        left: Left::Share(Term::Number(0.5)),
        response: &[Law::RENO],
        ..Self::AVOIDANCE
    };
}
