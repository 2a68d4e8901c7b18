//! The frames whose packets are inside the network.

/// Most frames that the network may hold: 65536 full ones are 6 s of 125 Mbit/s.
pub const SLOTS: usize = 1 << 16;

/// A ring of frames. A packet that the network drops does not give its place back: a later frame
/// takes the place when its turn comes, and a ticket tells whether that has happened.
#[derive(Debug)]
pub struct Frames {
    slots: Vec<Slot>,
    next: u32,
}

#[derive(Clone, Debug)]
struct Slot {
    ticket: Option<u32>,
    bytes: Vec<u8>,
}

impl Default for Frames {
    fn default() -> Self {
        let slot = Slot { ticket: None, bytes: Vec::new() };
        Self { slots: vec![slot; SLOTS], next: 0 }
    }
}

impl Frames {
    /// Keeps a copy of the frame and returns the ticket for it.
    pub fn keep(&mut self, frame: &[u8]) -> u32 {
        let ticket = self.next;
        self.next = ticket.wrapping_add(1);
        let slot = &mut self.slots[place(ticket)];
        slot.ticket = Some(ticket);
        slot.bytes.clear();
        slot.bytes.extend_from_slice(frame);
        ticket
    }

    /// The frame of a ticket; `None` if its place was taken again. The frame stays in the ring,
    /// because the network may duplicate packets.
    pub fn get(&mut self, ticket: u32) -> Option<&mut [u8]> {
        let slot = &mut self.slots[place(ticket)];
        (slot.ticket == Some(ticket)).then_some(&mut slot.bytes[..])
    }
}

/// Tickets wrap at 2^32, which the number of slots divides.
const fn place(ticket: u32) -> usize {
    ticket as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_there_as_often_as_it_is_asked_for_until_its_place_is_taken() {
        let mut frames = Frames::default();
        let first = frames.keep(b"first");
        assert_eq!(frames.get(first).as_deref(), Some(&b"first"[..]));
        for _ in 1..SLOTS {
            frames.keep(b"another");
        }
        assert_eq!(frames.get(first).as_deref(), Some(&b"first"[..]));
        let last = frames.keep(b"last");
        assert_eq!(frames.get(first), None);
        assert_eq!(frames.get(last).as_deref(), Some(&b"last"[..]));
    }

    #[test]
    fn tickets_survive_their_own_wrap() {
        let mut frames = Frames { next: u32::MAX, ..Frames::default() };
        let (before, after) = (frames.keep(b"before"), frames.keep(b"after"));
        assert_eq!((before, after), (u32::MAX, 0));
        assert_eq!(frames.get(before).as_deref(), Some(&b"before"[..]));
        assert_eq!(frames.get(after).as_deref(), Some(&b"after"[..]));
    }
}
