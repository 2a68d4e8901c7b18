//! Injects packets towards one host.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use nix::sys::socket::{MsgFlags, send, setsockopt};

use super::{LabError, packet};

/// A packet socket bound to the network's end of a host's wire. It may be used from any thread.
#[derive(Debug)]
pub struct Port {
    socket: OwnedFd,
}

impl Port {
    /// The port of the device with this index, in the calling thread's network namespace.
    pub(super) fn new(device: u32) -> Result<Self, LabError> {
        let port = || {
            let socket = packet::open()?;
            setsockopt(&socket, packet::QdiscBypass, &true)?;
            packet::bind(&socket, device, 0)?;
            Ok(Self { socket })
        };
        port()
            .map_err(|error: io::Error| LabError(format!("no packet socket to send with: {error}")))
    }

    /// Sends one Ethernet frame to the host. When this returns, the host's kernel has usually
    /// handled it.
    ///
    /// # Errors
    ///
    /// Errors of `send(2)`.
    pub fn send(&self, frame: &[u8]) -> io::Result<()> {
        send(self.socket.as_raw_fd(), frame, MsgFlags::MSG_DONTWAIT)?;
        Ok(())
    }
}
