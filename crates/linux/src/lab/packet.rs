//! Packet sockets (packet(7)): the options that nix has no names for.
#![allow(unsafe_code)]

use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use libc::{c_int, c_void, socklen_t};

/// A packet socket that nothing reaches yet: one made with a protocol would at once receive from every device.
pub fn open() -> io::Result<OwnedFd> {
    // SAFETY: socket() takes no pointers; what it returns is ours alone.
    unsafe {
        let fd = libc::socket(libc::AF_PACKET, libc::SOCK_RAW | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK, 0);
        if fd < 0 {
            Err(io::Error::last_os_error())
        } else {
            Ok(OwnedFd::from_raw_fd(fd))
        }
    }
}

/// Binds to one device, or to all if `device` is zero; receives packets of `protocol` (`ETH_P_...`), none if it is zero.
pub fn bind(socket: &OwnedFd, device: u32, protocol: u16) -> io::Result<()> {
    // SAFETY: all zeros is a valid sockaddr_ll; the pointer is to it, with its size.
    let done = unsafe {
        let mut address: libc::sockaddr_ll = zeroed();
        address.sll_family = u16::try_from(libc::AF_PACKET).expect("17");
        address.sll_protocol = protocol.to_be();
        address.sll_ifindex = c_int::try_from(device).expect("the kernel counts devices in an int");
        libc::bind(socket.as_raw_fd(), (&raw const address).cast(), size_of_as(&address))
    };
    checked(done)
}

/// Sets an option of `SOL_PACKET`.
pub fn set<T>(socket: &OwnedFd, option: c_int, value: &T) -> io::Result<()> {
    set_at(socket, libc::SOL_PACKET, option, value)
}

/// Sets an option of any level.
pub fn set_at<T>(socket: &OwnedFd, level: c_int, option: c_int, value: &T) -> io::Result<()> {
    // SAFETY: the pointer is to a value of the size given, which the kernel only reads.
    let done = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            level,
            option,
            (&raw const *value).cast::<c_void>(),
            size_of_as(value),
        )
    };
    checked(done)
}

/// Packets that found no place since the last call.
pub fn drops(socket: &OwnedFd) -> io::Result<u32> {
    let mut stats = libc::tpacket_stats {
        tp_packets: 0,
        tp_drops: 0,
    };
    let mut length = size_of_as(&stats);
    // SAFETY: the pointers are to a tpacket_stats and its size; the kernel writes no more than that.
    let done = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_PACKET,
            libc::PACKET_STATISTICS,
            (&raw mut stats).cast(),
            &raw mut length,
        )
    };
    checked(done)?;
    Ok(stats.tp_drops)
}

fn checked(done: c_int) -> io::Result<()> {
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn size_of_as<T>(_: &T) -> socklen_t {
    socklen_t::try_from(size_of::<T>()).expect("options are small")
}
