//! Offloads of a device are switched off: every packet is one segment of at most the MTU, with its
//! checksum.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use nix::sys::socket::{AddressFamily, SockFlag, SockType, socket};

use super::LabError;

/// `ethtool`'s old commands that set one feature each, in every kernel (Linux
/// include/uapi/linux/ethtool.h).
const COMMANDS: [(u32, &str); 6] = [
    (0x1f, "tso"),
    (0x24, "gso"),
    (0x2c, "gro"),
    (0x19, "sg"),
    (0x17, "tx checksum"),
    (0x15, "rx checksum"),
];

/// `struct ethtool_value`.
#[repr(C)]
struct Value {
    command: u32,
    data: u32,
}

/// Switches all offloads of the device `name` off, in the calling thread's network namespace.
pub fn switch_off(name: &str) -> Result<(), LabError> {
    let any = socket(AddressFamily::Inet, SockType::Datagram, SockFlag::SOCK_CLOEXEC, None)
        .map_err(|errno| LabError(format!("no socket to set offloads with: {errno}")))?;
    for (command, offload) in COMMANDS {
        set(&any, name, command)
            .map_err(|error| LabError(format!("cannot switch {offload} of {name} off: {error}")))?;
    }
    Ok(())
}

fn set(any: &OwnedFd, name: &str, command: u32) -> io::Result<()> {
    let mut value = Value { command, data: 0 };
    // SAFETY: ifreq is integers, arrays of them and null pointers, for which all zeros is a value.
    // The name stays shorter than its field and so ends with a zero. Both pointers are to
    // values that live until the call returns: SIOCETHTOOL with these commands reads an
    // ifreq, and the ethtool_value to which its `ifru_data` points.
    let done = unsafe {
        let mut request: libc::ifreq = core::mem::zeroed();
        let end = request.ifr_name.len() - 1;
        for (to, from) in request.ifr_name[..end].iter_mut().zip(name.bytes()) {
            *to = from.cast_signed() as libc::c_char;
        }
        request.ifr_ifru.ifru_data = (&raw mut value).cast();
        libc::ioctl(any.as_raw_fd(), libc::SIOCETHTOOL as _, &raw mut request)
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
