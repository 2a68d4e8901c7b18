//! Why a capture cannot be read.

use std::fmt;
use std::io;

/// Why a capture cannot be read; the text is one sentence without the file's name.
#[derive(Debug)]
pub enum ReadError {
    /// The file could not be read.
    Io(io::Error),
    /// The file is no capture; the reason.
    NotACapture(String),
    /// A block of the file is damaged.
    Damaged {
        /// Frames before the damage.
        frames: u64,
        /// The reader's reason.
        why: String,
    },
    /// No packet of the capture belongs to a TCP connection; frames and the reason they were
    /// skipped for.
    NoTcp(String),
    /// The capture has no connection of this number.
    NoConnection {
        /// The number asked for.
        number: usize,
        /// Connections that the capture has.
        count: usize,
    },
    /// The connection has no payload, so nothing can be laid out.
    NoPayload {
        /// The connection's number.
        number: usize,
    },
    /// The caller asked to stop.
    Stopped,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::NotACapture(why) => {
                write!(f, "this is no pcap or pcapng capture: {why}")
            }
            Self::Damaged { frames, why } => {
                write!(f, "the capture is damaged after frame {frames}: {why}")
            }
            Self::NoTcp(why) => write!(f, "the capture has no packet of TCP over IP: {why}"),
            Self::NoConnection { number, count: 1 } => {
                write!(f, "there is no connection {number}: the capture has one, number 0")
            }
            Self::NoConnection { number, count } => write!(
                f,
                "there is no connection {number}: the capture has {count}, numbered 0 to {}",
                count - 1
            ),
            Self::NoPayload { number } => {
                write!(f, "connection {number} carries no payload: there is nothing to lay out")
            }
            Self::Stopped => write!(f, "the reading was stopped"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
