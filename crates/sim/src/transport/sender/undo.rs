//! Evidence that a reaction to congestion was a mistake, from retransmissions and D-SACKs.

use ackclock_units::Time;

use super::options::Options;
use crate::transport::rtt::TimestampClock;

/// A reaction to congestion that may be taken back.
struct Reaction {
    /// An undo restores cwnd and ssthresh too. False if ECN has proved congestion, or an earlier
    /// episode reduced the window (Linux's `prior_ssthresh` of 0).
    restores: bool,
    /// SND.UNA when the episode began: a D-SACK that ends there or below is of an earlier episode.
    marker: u64,
    /// Retransmissions that no D-SACK has shown needless yet; none before the first.
    needed: Option<u32>,
}

/// Evidence for and against the latest reaction.
#[derive(Default)]
struct Evidence {
    reaction: Option<Reaction>,
    /// Segments sent again on this connection, less those that D-SACKs reported as received twice.
    unreported: i32,
    /// Timestamp of the first retransmission since none was out (Linux's `retrans_stamp`).
    first_retransmission: Option<u32>,
}

/// The latest reaction, and the outcome of its retransmissions.
#[derive(Default)]
pub(super) struct Undo {
    /// None before the first retransmission or reaction, because most flows have no loss.
    evidence: Option<Box<Evidence>>,
}

impl Undo {
    /// A reaction begins at SND.UNA = `una`. `restores`: an undo restores the window too.
    /// `still_out`: retransmissions that are out, a tail loss probe included, which Linux counts
    /// for the new episode (`tcp_init_undo`).
    pub fn begin(&mut self, restores: bool, una: u64, still_out: u32) {
        let needed = (still_out > 0).then_some(still_out);
        self.evidence.get_or_insert_default().reaction =
            Some(Reaction { restores, marker: una, needed });
    }

    /// Takes out the reaction to undo, if there is one. Returns whether it restores the window.
    pub fn take(&mut self) -> Option<bool> {
        self.evidence.as_mut()?.reaction.take().map(|reaction| reaction.restores)
    }

    /// The latest reaction is final.
    pub fn forget(&mut self) {
        self.take();
    }

    /// After a mark, an undo does not restore the window (Linux's `tcp_fastretrans_alert`).
    pub fn keep_reduction(&mut self) {
        if let Some(reaction) = self.reaction_mut() {
            reaction.restores = false;
        }
    }

    /// Whether a reaction may be taken back.
    pub fn is_possible(&self) -> bool {
        self.reaction().is_some()
    }

    fn reaction(&self) -> Option<&Reaction> {
        self.evidence.as_ref()?.reaction.as_ref()
    }

    fn reaction_mut(&mut self) -> Option<&mut Reaction> {
        self.evidence.as_mut()?.reaction.as_mut()
    }

    /// SND.UNA when the episode began; [`u64::MAX`] without a reaction.
    pub fn marker(&self) -> u64 {
        self.reaction().map_or(u64::MAX, |reaction| reaction.marker)
    }

    /// A lost segment is sent again.
    pub fn on_retransmission(&mut self, clock: TimestampClock, now: Time) {
        let evidence = self.evidence.get_or_insert_default();
        evidence.first_retransmission.get_or_insert_with(|| clock.at(now));
        if let Some(reaction) = &mut evidence.reaction {
            *reaction.needed.get_or_insert(0) += 1;
        }
    }

    /// A segment is sent again, lost or as a tail loss probe.
    pub fn on_sent_again(&mut self) {
        self.evidence.get_or_insert_default().unreported += 1;
    }

    /// A D-SACK reports `segments` as received twice. Returns false if there are more reports than
    /// retransmissions, which proves that the network makes copies (Linux's `tcp_dsack_seen`).
    pub fn on_duplicates(&mut self, segments: u64) -> bool {
        let segments = i32::try_from(segments).unwrap_or(i32::MAX);
        let evidence = self.evidence.get_or_insert_default();
        evidence.unreported = evidence.unreported.saturating_sub(segments);
        evidence.unreported >= 0
    }

    /// D-SACKs showed that `segments` were retransmitted needlessly.
    pub fn on_needless(&mut self, segments: u32) {
        if let Some(reaction) = self.reaction_mut() {
            reaction.needed = reaction.needed.map(|needed| needed.saturating_sub(segments));
        }
    }

    /// No retransmission is out: the next one counts as the first.
    pub fn forget_first_retransmission(&mut self) {
        if let Some(evidence) = &mut self.evidence {
            evidence.first_retransmission = None;
        }
    }

    /// Whether D-SACKs have shown every retransmission of the reaction to be needless (RFC 3708).
    pub fn are_all_needless(&self, options: &Options) -> bool {
        options.undo && self.reaction().is_some_and(|reaction| reaction.needed == Some(0))
    }

    /// Whether an ACK that advances SND.UNA to `una` answers the original of a segment that was
    /// declared lost. The echoed timestamp shows it (Eifel detection, RFC 3522), or the pacer has
    /// let no retransmission go yet (Linux's `tcp_packet_delayed`). `point`: end of the episode.
    pub fn was_spurious(&self, echo: u32, una: u64, point: u64, options: &Options) -> bool {
        let Some(evidence) = self.evidence.as_ref().filter(|_| options.undo) else { return false };
        if evidence.reaction.is_none() {
            return false;
        }
        match evidence.first_retransmission {
            Some(first) => options.timestamps && first.wrapping_sub(echo).cast_signed() > 0,
            None => options.has_sack || una < point,
        }
    }
}
