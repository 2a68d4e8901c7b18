//! Packet sockets (packet(7)): the options that nix has no names for.
#![allow(unsafe_code)]

use std::io;
use std::mem::zeroed;
use std::os::fd::{AsRawFd, OwnedFd};

use libc::{c_int, socklen_t};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, getsockopt, socket};
use nix::{getsockopt_impl, setsockopt_impl, sockopt_impl};

sockopt_impl!(
    /// Layout of the receive ring, one of `tpacket_versions`.
    Version,
    SetOnly,
    libc::SOL_PACKET,
    libc::PACKET_VERSION,
    c_int
);
sockopt_impl!(
    /// Keeps outgoing packets of a device from the socket, which is for incoming ones.
    IgnoreOutgoing,
    SetOnly,
    libc::SOL_PACKET,
    libc::PACKET_IGNORE_OUTGOING,
    bool
);
sockopt_impl!(
    /// Makes the receive ring.
    ReceiveRing,
    SetOnly,
    libc::SOL_PACKET,
    libc::PACKET_RX_RING,
    libc::tpacket_req
);
sockopt_impl!(
    /// Sends past the device's queueing discipline.
    QdiscBypass,
    SetOnly,
    libc::SOL_PACKET,
    libc::PACKET_QDISC_BYPASS,
    bool
);
sockopt_impl!(
    /// Counts since the last time that they were read.
    Statistics,
    GetOnly,
    libc::SOL_PACKET,
    libc::PACKET_STATISTICS,
    libc::tpacket_stats
);

/// Opens a packet socket that receives nothing yet. A socket made with a protocol would at once
/// receive from every device.
pub fn open() -> io::Result<OwnedFd> {
    let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
    Ok(socket(AddressFamily::Packet, SockType::Raw, flags, None)?)
}

/// Binds to one device, or to all if `device` is zero; receives packets of `protocol`
/// (`ETH_P_...`), none if it is zero.
pub fn bind(socket: &OwnedFd, device: u32, protocol: u16) -> io::Result<()> {
    let length = socklen_t::try_from(size_of::<libc::sockaddr_ll>()).expect("20 bytes");
    // SAFETY: sockaddr_ll is integers and an array of them, for which all zeros is a value. The
    // pointer is to one that lives until the call returns, `length` is its size, and the kernel
    // only reads it.
    let done = unsafe {
        let mut address: libc::sockaddr_ll = zeroed();
        address.sll_family = u16::try_from(libc::AF_PACKET).expect("17");
        address.sll_protocol = protocol.to_be();
        address.sll_ifindex = c_int::try_from(device).expect("the kernel counts devices in an int");
        libc::bind(socket.as_raw_fd(), (&raw const address).cast(), length)
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Shows the socket what passes a filter, of a packet as many bytes as the filter returns.
pub fn attach(socket: &OwnedFd, filter: &mut [libc::sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).expect("a short filter"),
        filter: filter.as_mut_ptr(),
    };
    let length = socklen_t::try_from(size_of_val(&program)).expect("16 bytes");
    // SAFETY: `program` points to as many instructions as it says. Both live until the call
    // returns, `length` is the size of `program`, and the kernel copies all.
    let done = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_ATTACH_FILTER,
            (&raw const program).cast(),
            length,
        )
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Number of packets that found no place since the last call.
pub fn drops(socket: &OwnedFd) -> io::Result<u32> {
    Ok(getsockopt(socket, Statistics)?.tp_drops)
}
