//! The receivers' thread: it accepts connections and reads all data at once.
//!
//! It reads as `iperf3 --skip-rx-copy` does. With `MSG_TRUNC` the kernel does all work of a read on
//! the connection (acknowledgements, window, the tuning of its buffer) but copies nothing, so that
//! the processor is free for the measured work.

use std::io;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::sys::eventfd::EventFd;
use nix::sys::socket::{MsgFlags, recv};

use super::line::CHUNK;
use super::reset::reset_when_closed;
use super::{EndpointError, ThreadReport};
use crate::lab::priority::{self, Role};

/// Period at which the thread checks for the end of the run, ms.
const LOOK: u8 = 20;

/// Arrivals, as the senders learn of them.
#[derive(Debug)]
pub struct Arrived {
    /// Bytes read of each flow that a session runs, on all of its connections.
    pub bytes: Vec<Option<AtomicU64>>,
    /// Event that is readable when `bytes` has grown.
    pub grown: EventFd,
    /// Set when the thread must end.
    pub stop: AtomicBool,
}

/// State of the receivers' thread.
pub struct Receivers {
    epoll: Epoll,
    listeners: Vec<TcpListener>,
    streams: Vec<UdpSocket>,
    /// Connections with their flow; a closed one leaves its place to the next.
    open: Vec<Option<(usize, TcpStream)>>,
    free: Vec<usize>,
    /// For each flow the place of its latest connection, if that is open.
    latest: Vec<Option<usize>>,
    arrived: Arc<Arrived>,
    scratch: Vec<u8>,
}

impl AsFd for Receivers {
    /// Readable when a socket has an event.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.epoll.0.as_fd()
    }
}

impl Receivers {
    /// Listens on all ports.
    pub fn new(
        listeners: Vec<TcpListener>,
        streams: Vec<UdpSocket>,
        arrived: Arc<Arrived>,
    ) -> Result<Self, EndpointError> {
        let receivers = Self {
            epoll: Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?,
            latest: vec![None; listeners.len()],
            listeners,
            streams,
            open: Vec::new(),
            free: Vec::new(),
            arrived,
            scratch: vec![0; CHUNK],
        };
        for (token, listener) in receivers.listeners.iter().enumerate() {
            receivers.watch(listener, token)?;
        }
        for (token, stream) in (receivers.listeners.len()..).zip(&receivers.streams) {
            receivers.watch(stream, token)?;
        }
        Ok(receivers)
    }

    fn watch(&self, fd: impl AsFd, token: usize) -> Result<(), Errno> {
        self.epoll.add(fd, EpollEvent::new(EpollFlags::EPOLLIN, token as u64))
    }

    /// Runs until it is stopped.
    pub fn run(mut self) -> Result<ThreadReport, EndpointError> {
        let scheduling = priority::take(Role::Endpoint);
        while !self.arrived.stop.load(Ordering::Relaxed) {
            self.on_sockets(LOOK.into())?;
        }
        Ok(ThreadReport::now(scheduling))
    }

    /// Waits for events of the sockets and handles them.
    pub fn on_sockets(&mut self, timeout: EpollTimeout) -> Result<(), EndpointError> {
        let mut events = [EpollEvent::empty(); 64];
        let count = match self.epoll.wait(&mut events, timeout) {
            Ok(count) => count,
            Err(Errno::EINTR) => 0,
            Err(error) => return Err(error.into()),
        };
        let mut has_grown = false;
        for event in &events[..count] {
            has_grown |= self.on_ready(usize::try_from(event.data()).unwrap_or(usize::MAX))?;
        }
        if has_grown {
            self.arrived.grown.write(1)?;
        }
        Ok(())
    }

    /// Reads the data of a flow, to which a packet was handed over just now.
    pub fn on_packet(&mut self, flow: usize) -> Result<(), EndpointError> {
        if let Some(place) = self.latest.get(flow).copied().flatten()
            && self.read(place)
        {
            self.arrived.grown.write(1)?;
        }
        Ok(())
    }

    /// Handles a ready socket. Returns whether a session waits for its data.
    fn on_ready(&mut self, token: usize) -> Result<bool, EndpointError> {
        let streams = self.listeners.len();
        let connections = streams + self.streams.len();
        if token < streams {
            self.accept(token)?;
            Ok(false)
        } else if token < connections {
            // The emulator knows the sender and the sending time.
            while self.streams[token - streams].recv(&mut []).is_ok() {}
            Ok(false)
        } else {
            Ok(self.read(token - connections))
        }
    }

    fn accept(&mut self, flow: usize) -> Result<(), EndpointError> {
        loop {
            let connection = match self.listeners[flow].accept() {
                Ok((connection, _)) => connection,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                // The connection broke before it was accepted.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                Err(error) => return Err(error.into()),
            };
            connection.set_nonblocking(true)?;
            let place = self.free.pop().unwrap_or_else(|| {
                self.open.push(None);
                self.open.len() - 1
            });
            self.watch(&connection, self.listeners.len() + self.streams.len() + place)?;
            self.open[place] = Some((flow, connection));
            self.latest[flow] = Some(place);
        }
    }

    fn read(&mut self, place: usize) -> bool {
        let Some((flow, connection)) = self.open.get(place).and_then(Option::as_ref) else {
            return false;
        };
        let mut bytes = 0;
        let is_closed = loop {
            match recv(connection.as_raw_fd(), &mut self.scratch, MsgFlags::MSG_TRUNC) {
                Ok(0) => break true,
                Ok(count) => {
                    bytes += count as u64;
                    if count < self.scratch.len() {
                        break false;
                    }
                }
                Err(Errno::EAGAIN | Errno::EINTR) => break false,
                Err(_) => break true,
            }
        };
        let waiting = self.arrived.bytes[*flow].as_ref().filter(|_| bytes > 0);
        if let Some(count) = waiting {
            count.fetch_add(bytes, Ordering::Release);
        }
        let has_grown = waiting.is_some();
        if is_closed {
            if self.latest[*flow] == Some(place) {
                self.latest[*flow] = None;
            }
            self.open[place] = None;
            self.free.push(place);
        }
        has_grown
    }
}

impl Drop for Receivers {
    fn drop(&mut self) {
        for (_, connection) in self.open.iter().flatten() {
            reset_when_closed(connection);
        }
    }
}
