//! Injects packets towards one host.

use std::io;
use std::os::fd::OwnedFd;

/// A packet socket bound to our end of a host's wire. It may be used from any thread.
#[derive(Debug)]
pub struct Port {
    #[allow(dead_code)]
    socket: OwnedFd,
}

impl Port {
    /// Sends one Ethernet frame to the host: when this returns, its kernel has usually worked on it.
    ///
    /// # Errors
    /// As `send(2)`.
    pub fn send(&self, frame: &[u8]) -> io::Result<()> {
        let _ = frame;
        unimplemented!()
    }
}
