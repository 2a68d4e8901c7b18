//! A pair of connections that stay open: one carries requests, the other answers.
//!
//! The asking side opens both. The SYN of the answering side leaves when that of the asking side
//! does, so that the first answer arrives two round trips after the beginning, as over one
//! connection that carries both.

use super::Stage;

/// A pair of connections, with the bytes written to each.
#[derive(Clone, Copy)]
pub struct Exchange {
    answers: usize,
    requests: usize,
    asked: u64,
    answered: u64,
    open: u8,
}

impl Exchange {
    /// Makes a pair of the connections with these numbers.
    #[must_use]
    pub fn new(answers: usize, requests: usize) -> Self {
        Self { answers, requests, asked: 0, answered: 0, open: 0 }
    }

    /// Opens both connections.
    pub fn open(&mut self, stage: &mut Stage) {
        (self.asked, self.answered, self.open) = (0, 0, 2);
        stage.open(self.requests);
        stage.open(self.answers);
    }

    /// Sends a request.
    pub fn ask(&mut self, bytes: u64, stage: &mut Stage) {
        self.asked += bytes;
        stage.write(self.requests, bytes, false);
    }

    /// Sends an answer.
    pub fn answer(&mut self, bytes: u64, stage: &mut Stage) {
        self.answered += bytes;
        stage.write(self.answers, bytes, false);
    }

    /// Whether the last request has arrived completely, if `bytes` of this connection have.
    #[must_use]
    pub fn is_asked(&self, connection: usize, bytes: u64) -> bool {
        connection == self.requests && bytes == self.asked
    }

    /// Whether the last answer has arrived completely, if `bytes` of this connection have.
    #[must_use]
    pub fn is_answered(&self, connection: usize, bytes: u64) -> bool {
        connection == self.answers && bytes == self.answered
    }

    /// Closes both connections.
    pub fn close(&self, stage: &mut Stage) {
        stage.write(self.requests, 0, true);
        stage.write(self.answers, 0, true);
    }

    /// Notes that one of the connections is finished. Returns whether both are.
    pub fn is_closed_by_one_more(&mut self) -> bool {
        self.open = self.open.saturating_sub(1);
        self.open == 0
    }
}
