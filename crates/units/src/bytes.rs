//! A number of bytes that has a textual form.

/// A size in bytes, where it is read or shown; calculations use plain `u64`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Bytes(u64);

impl Bytes {
    /// `bytes` bytes.
    #[must_use]
    pub const fn from_u64(bytes: u64) -> Self {
        Self(bytes)
    }
    /// The number of bytes.
    #[must_use]
    pub const fn as_u64(self) -> u64 {
        self.0
    }
}
