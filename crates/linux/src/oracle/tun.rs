//! A TUN device (Documentation/networking/tuntap.rst): packets that the kernel routes to it are
//! read here, and packets written here reach the kernel.
#![allow(unsafe_code)]

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt as _;

use nix::libc;

use crate::lab::{self, LabError};

const PATH: &str = "/dev/net/tun";
const NAME: &str = "oracle0";
/// Number of packets that wait before the device drops.
const QUEUE: u32 = 10_000;
/// Size of the largest packet: the kernel leaves segmentation to the device, and adds a header
/// about it.
pub const LONGEST: usize = 65_536 + HEADER;
/// `struct virtio_net_hdr`, which stands before each packet.
const HEADER: usize = 10;
/// Offloads of an ordinary network card, from `linux/if_tun.h`: checksums, and cutting large
/// packets into segments.
const OFFLOADS: libc::c_uint = 0x01 | 0x02 | 0x04 | 0x08;

/// An open device.
#[derive(Debug)]
pub struct Tun(File);

impl Tun {
    /// Makes the device in the calling thread's network namespace, with this address, and a route
    /// to all others.
    pub fn new(address: Ipv4Addr) -> Result<Self, LabError> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_NONBLOCK)
            .open(PATH)
            .map_err(|error| {
                LabError(format!(
                    "{PATH}: {error} (the kernel's TUN driver: modprobe tun, as root)"
                ))
            })?;
        attach(&file)
            .map_err(|error| LabError(format!("{PATH}: cannot make a TUN device: {error}")))?;
        lab::ip(&format!(
            "link set lo up\nlink set {NAME} txqueuelen {QUEUE} mtu 1500 up\naddress add \
             {address}/32 dev {NAME}\nroute add default dev {NAME}\n"
        ))?;
        Ok(Self(file))
    }

    /// The next packet that the kernel sent, if one waits.
    pub fn read<'a>(&mut self, into: &'a mut [u8]) -> io::Result<Option<&'a [u8]>> {
        match self.0.read(into) {
            Ok(length) => Ok(into.get(HEADER..length)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Hands a packet to the kernel, which has handled it when this returns.
    pub fn write(&mut self, packet: &[u8]) -> io::Result<()> {
        // A header of zeros marks a plain packet, whose checksum the kernel checks.
        let with_header = [&[0; HEADER], packet].concat();
        self.0.write_all(&with_header)
    }
}

impl AsFd for Tun {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn attach(file: &File) -> io::Result<()> {
    let flags = libc::IFF_TUN | libc::IFF_NO_PI | libc::IFF_VNET_HDR;
    let flags = libc::c_short::try_from(flags).expect("0x5001 fits");
    // SAFETY: ifreq is integers, arrays of them and null pointers, for which all zeros is a value.
    // The name stays shorter than its field and so ends with a zero. The pointer is to an ifreq
    // that lives until the call returns; TUNSETIFF reads it, and writes the name that
    // the device got into it. TUNSETOFFLOAD takes a number.
    let done = unsafe {
        let mut request: libc::ifreq = std::mem::zeroed();
        let end = request.ifr_name.len() - 1;
        for (to, from) in request.ifr_name[..end].iter_mut().zip(NAME.bytes()) {
            *to = from.cast_signed() as libc::c_char;
        }
        request.ifr_ifru.ifru_flags = flags;
        let made = libc::ioctl(file.as_raw_fd(), libc::TUNSETIFF as _, &raw mut request);
        if made < 0 {
            made
        } else {
            libc::ioctl(file.as_raw_fd(), libc::TUNSETOFFLOAD as _, libc::c_ulong::from(OFFLOADS))
        }
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
