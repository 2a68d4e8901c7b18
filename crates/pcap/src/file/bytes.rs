//! Bytes of a file in order, with numbers in either byte order.

use std::io::{self, Read};

/// How much of a piece the file had.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Got {
    /// The piece is whole.
    All,
    /// The file ends before the piece.
    Nothing,
    /// The file ends within the piece, after this many bytes.
    Part(usize),
}

/// A file that is read from its start to its end.
pub struct Source<R> {
    from: R,
}

impl<R: Read> Source<R> {
    pub fn new(from: R) -> Self {
        Self { from }
    }

    /// Reads as many bytes as `into` takes.
    pub fn fill(&mut self, into: &mut [u8]) -> io::Result<Got> {
        let mut done = 0;
        while done < into.len() {
            match self.from.read(&mut into[done..]) {
                Ok(0) => return Ok(if done == 0 { Got::Nothing } else { Got::Part(done) }),
                Ok(more) => done += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Got::All)
    }

    /// Reads `count` bytes into `into`, and whether the file had them. Memory grows with the bytes
    /// that the file has, not with `count`.
    pub fn take(&mut self, count: u32, into: &mut Vec<u8>) -> io::Result<bool> {
        into.clear();
        self.from.by_ref().take(count.into()).read_to_end(into)?;
        Ok(into.len() == count as usize)
    }

    /// Passes over `count` bytes, and whether the file had them.
    pub fn skip(&mut self, count: u32) -> io::Result<bool> {
        let passed = io::copy(&mut self.from.by_ref().take(count.into()), &mut io::sink())?;
        Ok(passed == u64::from(count))
    }
}

/// The byte order of a file's numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Order {
    Big,
    Little,
}

impl Order {
    /// The number of 16 bits at `at`, if `bytes` has it.
    pub fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let found = bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Big => u16::from_be_bytes(*found),
            Self::Little => u16::from_le_bytes(*found),
        })
    }

    /// The number of 32 bits at `at`, if `bytes` has it.
    pub fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let found = bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Big => u32::from_be_bytes(*found),
            Self::Little => u32::from_le_bytes(*found),
        })
    }

    /// The signed number of 64 bits at `at`, if `bytes` has it.
    pub fn i64(self, bytes: &[u8], at: usize) -> Option<i64> {
        let found = bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Big => i64::from_be_bytes(*found),
            Self::Little => i64::from_le_bytes(*found),
        })
    }
}
