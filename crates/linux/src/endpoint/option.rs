//! TCP's socket options that nix has no names for.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, AsRawFd};

use libc::{IPPROTO_TCP, c_int, c_void, socklen_t};
use nix::{setsockopt_impl, sockopt_impl};

sockopt_impl!(
    /// Bytes that may wait unsent in the send buffer before the socket stops being writable
    /// (tcp(7)).
    NotSentLowat,
    SetOnly,
    IPPROTO_TCP,
    libc::TCP_NOTSENT_LOWAT,
    u32
);

/// Reads an option whose length depends on the kernel: as many bytes as it has and `into` holds.
pub fn tcp(socket: impl AsFd, option: c_int, into: &mut [u8]) -> io::Result<&[u8]> {
    let mut length = socklen_t::try_from(into.len()).unwrap_or(socklen_t::MAX);
    // SAFETY: both pointers live until the call returns. The kernel writes at most `length` bytes,
    // and `length` is at most what `into` has; it writes the count back to `length`. Any bytes
    // are a value of u8.
    let result = unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            IPPROTO_TCP,
            option,
            into.as_mut_ptr().cast::<c_void>(),
            &raw mut length,
        )
    };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(&into[..usize::try_from(length).unwrap_or(0).min(into.len())])
}
