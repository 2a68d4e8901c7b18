//! Sockets, made inside the hosts before a run begins.

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd;

use ackclock_sim::app::AppPlan;
use ackclock_sim::transport::flow::FlowPlan;
use nix::errno::Errno;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, setsockopt, socket, sockopt};

use super::EndpointError;
use super::netstat::Netstat;
use super::option;
use crate::lab::Lab;
use crate::plan::{KernelFlow, LinuxPlan};

/// Below twice this number of unsent bytes the kernel asks for more data.
///
/// It applies where the application must not be far ahead of the connection: the connection shares
/// its data with others, or a burst or the flow ends before the data does.
const LITTLE_UNSENT: u32 = 64 * 1024;

/// Resources that a flow begins with.
#[derive(Debug)]
pub struct Seat {
    /// Resources of the sender's end.
    pub sender: SenderSeat,
    /// Listening socket of the receiver.
    pub listener: TcpListener,
}

/// Resources that a sender begins with.
#[derive(Debug)]
pub struct SenderSeat {
    /// Socket that is not connected yet.
    pub socket: TcpStream,
    /// Address at which the receiver listens.
    pub target: SocketAddrV4,
    /// Counters of the sender's host, if no other flow shares it.
    pub netstat: Option<Netstat>,
}

/// Takes the seats of all flows, and a socket for each stream's datagrams.
pub fn take(plan: &LinuxPlan, lab: &Lab) -> Result<(Vec<Seat>, Vec<UdpSocket>), EndpointError> {
    let mut seats = Vec::new();
    for (index, (flow, kernel)) in plan.plan.flows.iter().zip(&plan.flows).enumerate() {
        let pair = pair(lab, kernel.host)?;
        let is_alone = plan.flows.iter().filter(|other| other.host == kernel.host).count() == 1;
        let failed = |error: EndpointError| error.of(&flow.name);
        let (socket, netstat) = pair
            .sender
            .within(|| -> Result<_, EndpointError> {
                Ok((sender(flow, kernel)?, is_alone.then(Netstat::of_this_thread).transpose()?))
            })
            .map_err(failed)?;
        let port = plan.flow_port(index);
        let listener = pair.receiver.within(|| listener(kernel, port)).map_err(failed)?;
        let target = SocketAddrV4::new(pair.receiver.address, port);
        let sender = SenderSeat { socket, target, netstat };
        seats.push(Seat { sender, listener });
    }
    let mut streams = Vec::new();
    for (index, (stream, host)) in plan.plan.streams.iter().zip(&plan.streams).enumerate() {
        let pair = pair(lab, *host)?;
        let socket = pair.receiver.within(|| datagrams(plan.stream_port(index)));
        streams.push(socket.map_err(|error| EndpointError::from(error).of(&stream.name))?);
    }
    Ok((seats, streams))
}

pub fn pair(lab: &Lab, host: u32) -> Result<&crate::lab::HostPair, EndpointError> {
    let pair = usize::try_from(host).ok().and_then(|host| lab.pairs.get(host));
    pair.ok_or_else(|| EndpointError(format!("host pair {host} does not exist")))
}

/// A sender's socket, in the namespace of the calling thread.
pub fn sender(flow: &FlowPlan, kernel: &KernelFlow) -> Result<TcpStream, EndpointError> {
    let socket = socket(
        AddressFamily::Inet,
        SockType::Stream,
        SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC,
        None,
    )?;
    configure(&socket, kernel)?;
    setsockopt(&socket, sockopt::TcpNoDelay, &kernel.is_nodelay)?;
    let shares = flow.part_of.is_some() && flow.app != (AppPlan::Bulk {});
    if flow.stop_ps.is_some() || shares || matches!(flow.app, AppPlan::OnOff(_)) {
        setsockopt(&socket, option::NotSentLowat, &LITTLE_UNSENT)?;
    }
    Ok(TcpStream::from(socket))
}

/// A receiver's socket. Accepted connections inherit its options: an algorithm such as DCTCP needs
/// support by the receiver too.
pub fn listener(kernel: &KernelFlow, port: u16) -> Result<TcpListener, EndpointError> {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, port))?;
    listener.set_nonblocking(true)?;
    configure(&listener, kernel)?;
    Ok(listener)
}

fn datagrams(port: u16) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, port))?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

fn configure(socket: &impl AsFd, kernel: &KernelFlow) -> Result<(), EndpointError> {
    setsockopt(socket, sockopt::TcpCongestion, &kernel.cc.as_str().into()).map_err(|error| {
        EndpointError(format!("congestion control {}: {}", kernel.cc, why_not(error)))
    })?;
    if let Some(maxseg) = kernel.maxseg {
        setsockopt(socket, sockopt::TcpMaxSeg, &maxseg)
            .map_err(|error| EndpointError(format!("segments of {maxseg} bytes: {error}")))?;
    }
    Ok(())
}

fn why_not(error: Errno) -> String {
    match error {
        Errno::ENOENT => "this kernel does not have it".to_owned(),
        other => other.to_string(),
    }
}
