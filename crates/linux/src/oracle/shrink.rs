//! Shorter versions of a script, of which some may still show its difference (after Zeller and
//! Hildebrandt's ddmin, 2002).

use super::replay::Difference;
use super::script::{Action, Script};

/// Time for which a difference is awaited after the event that shows it, us.
const TAIL_US: u64 = 20_000;

/// Scripts without one part of the events, of `parts` about equally long ones. The first is the
/// script without the events after the difference. Empty if nothing is left to take away.
#[must_use]
pub fn candidates(script: &Script, difference: &Difference, parts: usize) -> Vec<Script> {
    let mut all = Vec::new();
    let shown = difference.event.map_or(0, |event| event + 1).min(script.events.len());
    let end_us = script.end_us.min(
        difference.at_us.max(shown.checked_sub(1).map_or(0, |at| script.events[at].at_us))
            + TAIL_US,
    );
    if shown < script.events.len() || end_us < script.end_us {
        all.push(Script { events: script.events[..shown].to_vec(), end_us, ..script.clone() });
    }
    let count = shown;
    if count < 2 || parts / 2 >= count {
        return all;
    }
    let parts = parts.min(count);
    for part in 0..parts {
        let (first, last) = (part * count / parts, (part + 1) * count / parts);
        let mut shorter = script.clone();
        shorter.events =
            script.events[..first].iter().chain(&script.events[last..count]).cloned().collect();
        shorter.end_us = end_us;
        if has_data(&shorter) {
            all.push(shorter);
        }
    }
    all
}

/// Whether the script writes data, without which nothing is ever sent.
fn has_data(script: &Script) -> bool {
    script.events.iter().any(|event| matches!(event.action, Action::Write(_)))
}

#[cfg(test)]
mod tests {
    use super::super::script::{Ack, Echo, Event};
    use super::*;

    fn script(count: u64) -> Script {
        let write = Event { at_us: 0, action: Action::Write(1000) };
        let ack = |at_us| Event {
            at_us,
            action: Action::Ack(Ack {
                ack: at_us,
                sacks: Vec::new(),
                window: 1024,
                ece: false,
                echo: Echo::default(),
            }),
        };
        Script {
            number: 0,
            cc: "reno".into(),
            mss: 1000,
            ecn: false,
            handshake_us: 1000,
            window: 65_535,
            events: core::iter::once(write).chain((1..count).map(ack)).collect(),
            end_us: 1_000_000,
        }
    }

    /// A kernel that differs as soon as two events are there.
    fn fake(script: &Script, needed: [u64; 2]) -> Option<Difference> {
        let place = |at_us| script.events.iter().position(|event| event.at_us == at_us);
        let event = place(needed[0])?.max(place(needed[1])?);
        Some(Difference {
            what: "cwnd".into(),
            ca_state: "Open".into(),
            after: "ack".into(),
            event: Some(event),
            at_us: script.events[event].at_us,
            detail: String::new(),
            entry: 0,
        })
    }

    #[test]
    fn what_is_not_needed_is_taken_away() {
        let needed = [17, 40];
        let mut script = script(60);
        let mut parts = 2;
        for _ in 0..40 {
            let difference = fake(&script, needed).expect("it is kept");
            let shorter = candidates(&script, &difference, parts)
                .into_iter()
                .filter(|shorter| fake(shorter, needed).is_some())
                .min_by_key(|shorter| shorter.events.len());
            match shorter {
                Some(shorter) if shorter.events.len() < script.events.len() => script = shorter,
                _ => parts *= 2,
            }
        }
        let left: Vec<u64> = script.events.iter().map(|event| event.at_us).collect();
        assert_eq!(
            left,
            [0, 17, 40],
            "the write, without which nothing is sent, and what is needed"
        );
        assert_eq!(script.end_us, 40 + TAIL_US);
    }

    #[test]
    fn nothing_is_left_to_take_away_in_the_end() {
        let script = script(3);
        let difference = fake(&script, [1, 2]).expect("both are there");
        let short = candidates(&script, &difference, 2).remove(0);
        assert!(candidates(&short, &difference, 8).is_empty());
    }
}
