//! Socket options for which no crate has a safe call: those of unknown length, and one that is missing.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, AsRawFd};

use libc::{IPPROTO_TCP, c_int, c_void, socklen_t};

/// What the kernel answers: its first bytes, as many as it has and `into` holds.
pub fn tcp(socket: impl AsFd, option: c_int, into: &mut [u8]) -> io::Result<&[u8]> {
    let mut length = socklen_t::try_from(into.len()).unwrap_or(socklen_t::MAX);
    // SAFETY: the kernel writes at most `length` bytes, which `into` has.
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

/// Sets an option that is a number.
pub fn set_tcp(socket: impl AsFd, option: c_int, value: u32) -> io::Result<()> {
    let length = socklen_t::try_from(size_of::<u32>()).unwrap_or(0);
    // SAFETY: `value` lives until the call returns, and `length` is its size.
    let result = unsafe {
        libc::setsockopt(
            socket.as_fd().as_raw_fd(),
            IPPROTO_TCP,
            option,
            (&raw const value).cast::<c_void>(),
            length,
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
