//! Rules of the transport itself: loss detection, PRR, timers, undo, window validation.

use ackclock_cc::{AckEvent, Rule};
use ackclock_units::Time;

use super::Facts;
use crate::record::{CallKind, Cause};
use crate::transport::accounting::Limit;
use crate::transport::recovery::CaState;
use crate::transport::sender::{Detection, Sender, Snapshot};

/// The rule of the transport that applied at an event, the weightiest if there are several.
pub(super) fn of_transport(
    facts: &Facts,
    before: &Snapshot,
    after: &Snapshot,
    sender: &Sender,
    now: Time,
) -> Option<Rule> {
    of_timer(facts, before, after, sender)
        .or_else(|| of_undo(facts, before, after))
        .or_else(|| of_new_episode(facts, before, after, sender))
        .or_else(|| of_unused_window(facts, before, sender, now))
        .or_else(|| of_partial_ack(facts, before, after, sender))
        .or_else(|| of_episode(facts.notes.ack.as_ref(), after, sender))
        .or_else(|| of_duplicate(facts, before, after))
}

fn of_timer(facts: &Facts, before: &Snapshot, after: &Snapshot, sender: &Sender) -> Option<Rule> {
    Some(match facts.cause {
        Cause::Timeout if !before.is_open => Rule::new(
            "the SYN is not answered within its timeout: it is sent again",
            "RFC 6298 section 5",
        ),
        Cause::Timeout if after.state == CaState::Loss && sender.detection() == Detection::Rack => {
            Rule::new(
                "retransmission timeout: the first segment is sent again, all that are older than \
                 an RTT are lost, and the RTO doubles",
                "RFC 6298 section 5, (5.4) to (5.6); RFC 8985 section 6.3",
            )
        }
        Cause::Timeout if after.state == CaState::Loss => Rule::new(
            "retransmission timeout: what is in flight is lost, the first segment is sent again, \
             and the RTO doubles",
            "RFC 6298 section 5, (5.4) to (5.6)",
        ),
        Cause::TailProbe if facts.sent > 0 => Rule::new(
            "tail loss probe: two RTTs without an ACK, so new data or the last segment is sent",
            "RFC 8985 sections 7.2 and 7.3",
        ),
        Cause::ReorderingTimer if facts.lost > 0 => Rule::new(
            "RACK's reordering timer has run out: the segments it waited for are lost",
            "RFC 8985 section 6.2, step 5",
        ),
        Cause::WindowProbe if facts.sent > 0 => Rule::new(
            "the receiver's window stays smaller than a segment: what fits into it is sent",
            "RFC 9293 section 3.8.6.2.1",
        ),
        Cause::WindowProbe => Rule::new(
            "the receiver's window is shut: a window probe asks whether it has opened",
            "RFC 9293 section 3.8.6.1",
        ),
        _ => return None,
    })
}

fn of_undo(facts: &Facts, before: &Snapshot, after: &Snapshot) -> Option<Rule> {
    if after.undos <= before.undos {
        return None;
    }
    Some(if facts.has_dsack {
        Rule::new(
            "D-SACKs show that every retransmission was needless: the reaction is taken back",
            "RFC 3708 section 3",
        )
    } else if before.state == CaState::Loss {
        Rule::new(
            "an original arrived after the timeout, which was spurious: it is taken back",
            "RFC 5682 section 3.1; RFC 3522 section 3.2",
        )
    } else {
        Rule::new(
            "the ACK answers the original, not the retransmission: the recovery is taken back",
            "RFC 3522 section 3.2",
        )
    })
}

fn of_new_episode(
    facts: &Facts,
    before: &Snapshot,
    after: &Snapshot,
    sender: &Sender,
) -> Option<Rule> {
    let has_entered = after.state != before.state;
    let was_told = |call| facts.notes.calls & (1 << call as u8) != 0;
    Some(match after.state {
        CaState::Recovery | CaState::Loss if has_entered && sender.is_tahoe() => Rule::new(
            "three duplicate ACKs: back to one segment and slow start",
            "RFC 2001 sections 3 and 4",
        ),
        CaState::Recovery if was_told(CallKind::Loss) && facts.lost == 0 => Rule::new(
            "the recovery is over, but data sent in it was lost: the window is reduced again",
            "RFC 5681 section 4.3",
        ),
        CaState::Recovery if has_entered || was_told(CallKind::Loss) => match sender.detection() {
            Detection::Rack => Rule::new(
                "RACK: a later segment was delivered, and the reordering window has passed; fast \
                 recovery begins",
                "RFC 8985 section 6.2, step 5",
            ),
            Detection::Sack => Rule::new(
                "SACKs of three segments beyond the lost one; fast recovery begins",
                "RFC 6675 sections 4 and 5",
            ),
            Detection::Dupack => Rule::new(
                "three duplicate ACKs: fast retransmit, and fast recovery begins",
                "RFC 5681 section 3.2",
            ),
        },
        CaState::Cwr if has_entered || was_told(CallKind::Ecn) => Rule::new(
            "the receiver reports marks: one reduction per window of data",
            "RFC 3168 section 6.1.2",
        ),
        _ if was_told(CallKind::Loss) && before.is_probing_tail => Rule::new(
            "the tail loss probe has repaired a loss: the window is reduced for it",
            "RFC 8985 section 7.4.2",
        ),
        _ => return None,
    })
}

fn of_unused_window(facts: &Facts, before: &Snapshot, sender: &Sender, now: Time) -> Option<Rule> {
    if facts.notes.calls & (1 << CallKind::IdleRestart as u8) == 0 {
        return None;
    }
    // An idle connection has nothing out.
    let is_idle = before.segments == 0 && now.since(before.last_sent_at) > sender.rto();
    Some(if is_idle {
        Rule::new(
            "idle for longer than the RTO: the window is halved per RTO, to the initial window",
            "RFC 2861 section 3.1; RFC 5681 section 4.1",
        )
    } else {
        Rule::new(
            "the window was not full, and no ACK came, for an RTO: half of its unused part goes",
            "RFC 2861 section 3.1; Linux 6 net/ipv4/tcp_output.c, tcp_cwnd_application_limited",
        )
    })
}

/// A new ACK that leaves a recovery without SACK on its way, as only `NewReno`'s does.
fn of_partial_ack(
    facts: &Facts,
    before: &Snapshot,
    after: &Snapshot,
    sender: &Sender,
) -> Option<Rule> {
    let is_partial = before.state == CaState::Recovery
        && after.state == CaState::Recovery
        && sender.detection() == Detection::Dupack
        && facts.acked > 0;
    is_partial.then(|| {
        Rule::new(
            "a partial ACK: the first segment that it does not acknowledge is sent again",
            "RFC 6582 section 3.2, step 3",
        )
    })
}

fn of_episode(ack: Option<&AckEvent>, after: &Snapshot, sender: &Sender) -> Option<Rule> {
    const LINUX: &str = "RFC 9937 section 6.2; Linux 6 net/ipv4/tcp_input.c, tcp_cwnd_reduction";
    const RFC: &str = "RFC 9937 section 6.2";
    let source = if sender.has_linux_prr() { LINUX } else { RFC };
    if after.is_reducing {
        let inflight = ack.map_or(after.inflight, |ack| ack.inflight);
        let is_above = inflight > sender.decision().cwnd;
        return Some(if is_above {
            Rule::new(
                "PRR: as many packets leave as the reduction's share of what was delivered",
                source,
            )
        } else {
            Rule::new(
                "PRR below the new window: one packet for each delivered, one more on safe ACKs",
                source,
            )
        });
    }
    after.inflates.then(|| {
        Rule::new(
            "fast recovery: each duplicate ACK inflates the window by a segment",
            "RFC 5681 section 3.2, step 4",
        )
    })
}

fn of_duplicate(facts: &Facts, before: &Snapshot, after: &Snapshot) -> Option<Rule> {
    let is_first = after.state == CaState::Disorder && before.state <= CaState::Disorder;
    let is_duplicate = facts.cause == Cause::Ack && facts.acked == 0;
    if is_first
        && is_duplicate
        && facts.sent > 0
        && facts.retransmitted == 0
        && after.limit == Limit::Cwnd
    {
        return Some(Rule::new(
            "limited transmit: a duplicate ACK, before a loss is found, lets new packets go",
            "RFC 3042 section 2",
        ));
    }
    None
}
