//! The sender's end of a flow: its application, and the socket that it writes to.

use std::io::{self, Write};
use std::net::{Shutdown, SocketAddrV4, TcpStream};
use std::os::fd::AsRawFd;

use ackclock_sim::app::{App, Written};
use ackclock_units::{Duration, Time};
use nix::errno::Errno;
use nix::sys::socket::{SockaddrIn, connect};

use super::counters::Sums;
use super::info::Info;
use super::reset::reset_when_closed;

/// Bytes of one write, as in `iperf3`.
pub const CHUNK: usize = 128 * 1024;
static ZEROS: [u8; CHUNK] = [0; CHUNK];

/// Phase in the life of the present connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not opened yet.
    Idle,
    /// The SYN is out.
    Connecting,
    /// Data may flow.
    Open,
    /// All data is written, and the socket is closed for writing.
    Closing,
    /// Closed both ways, or broken.
    Done,
}

/// A sender.
pub struct Line {
    target: SocketAddrV4,
    /// Socket of the present connection; absent only in [`Phase::Done`].
    socket: Option<TcpStream>,
    phase: Phase,
    app: Box<dyn App>,
    written: Written,
    /// Bytes of the present connection that the kernel has taken.
    handed: u64,
    /// Payload of earlier connections, all acknowledged.
    pub acked_before: u64,
    start_at: Time,
    stop_at: Time,
    opened_at: Option<Time>,
    /// Counters of earlier connections.
    past: Sums,
    /// Reason why the last connection broke, if it did.
    pub fault: Option<String>,
}

impl Line {
    /// A sender that waits for its start.
    #[must_use]
    pub fn new(
        socket: TcpStream,
        target: SocketAddrV4,
        app: Box<dyn App>,
        start_at: Time,
        stop_at: Time,
    ) -> Self {
        Self {
            target,
            socket: Some(socket),
            phase: Phase::Idle,
            app,
            written: Written::NOTHING_YET,
            handed: 0,
            acked_before: 0,
            start_at,
            stop_at,
            opened_at: None,
            past: Sums::default(),
            fault: None,
        }
    }

    /// Phase of the present connection.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The socket, while there is a connection.
    #[must_use]
    pub fn connection(&self) -> Option<&TcpStream> {
        self.socket.as_ref().filter(|_| self.phase != Phase::Idle)
    }

    /// Bytes of the present connection that the kernel has taken.
    #[must_use]
    pub fn handed(&self) -> u64 {
        self.handed
    }

    /// Time of the next action by the clock.
    #[must_use]
    pub fn deadline(&self) -> Time {
        match self.phase {
            Phase::Idle => self.start_at,
            Phase::Open => self.written.next_write.min(self.stop_at),
            Phase::Connecting | Phase::Closing | Phase::Done => Time::MAX,
        }
    }

    /// Whether the sender has data to write as soon as the kernel takes it.
    #[must_use]
    pub fn wants_to_write(&self) -> bool {
        match self.phase {
            Phase::Connecting => true,
            Phase::Open => self.written.has_more || self.handed < self.written.bytes,
            Phase::Idle | Phase::Closing | Phase::Done => false,
        }
    }

    /// Number of bytes that the application wrote to this connection, once it has closed it.
    #[must_use]
    pub fn closes_at(&self) -> Option<u64> {
        (self.written.closed && self.phase != Phase::Idle).then_some(self.written.bytes)
    }

    /// Opens the connection: sends the SYN.
    pub fn open(&mut self) {
        let Some(socket) = &self.socket else { return };
        self.phase = Phase::Connecting;
        match connect(socket.as_raw_fd(), &SockaddrIn::from(self.target)) {
            Ok(()) | Err(Errno::EINPROGRESS) => {}
            Err(error) => self.fail(&error.into()),
        }
    }

    /// Opens a new connection in the place of a finished one.
    pub fn renew(&mut self, socket: TcpStream, app: Box<dyn App>) {
        self.socket = Some(socket);
        self.phase = Phase::Idle;
        self.app = app;
        self.written = Written::NOTHING_YET;
        self.handed = 0;
        self.opened_at = None;
        self.open();
    }

    /// The session writes to the connection.
    pub fn hand_in(&mut self, bytes: u64, closes: bool, now: Time) {
        self.app.hand_in(bytes, closes);
        self.written.next_write = Time::ZERO;
        self.work(now, false);
    }

    /// Handles the end of the handshake, with a connection or an error.
    pub fn on_connected(&mut self, now: Time) {
        let Some(socket) = &self.socket else { return };
        match socket.take_error() {
            Ok(None) => {
                self.phase = Phase::Open;
                self.opened_at = Some(now);
                self.work(now, true);
            }
            Ok(Some(error)) | Err(error) => self.fail(&error),
        }
    }

    /// Handles a close by the other end, or a broken connection.
    pub fn on_hangup(&mut self, now: Time) {
        let error = self.socket.as_ref().and_then(|socket| socket.take_error().ok().flatten());
        match error {
            Some(error) => self.fail(&error),
            None if self.phase == Phase::Closing => self.close(now),
            None => self.fail(&io::ErrorKind::ConnectionAborted.into()),
        }
    }

    /// Does the application's work that is due. The kernel takes one write at a time, so that each
    /// flow has its turn.
    pub fn work(&mut self, now: Time, is_writable: bool) {
        if self.phase != Phase::Open {
            return;
        }
        if self.stop_at <= now && !self.written.closed {
            // The application will write no more than the kernel has taken.
            self.written = Written {
                bytes: self.handed,
                closed: true,
                has_more: false,
                next_write: Time::MAX,
            };
        }
        let is_dry = self.handed == self.written.bytes;
        if self.written.next_write <= now || (self.written.has_more && is_dry && is_writable) {
            self.written = self.app.written(now, is_dry);
        }
        if let Err(error) = self.write() {
            self.fail(&error);
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let Some(socket) = &self.socket else { return Ok(()) };
        let left = self.written.bytes.saturating_sub(self.handed);
        let chunk = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
        if chunk > 0 {
            match (&*socket).write(&ZEROS[..chunk]) {
                Ok(taken) => self.handed += taken as u64,
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                    ) => {}
                Err(error) => return Err(error),
            }
        }
        if self.written.closed && self.handed >= self.written.bytes {
            self.phase = Phase::Closing;
            socket.shutdown(Shutdown::Write)?;
        }
        Ok(())
    }

    fn fail(&mut self, error: &io::Error) {
        self.fault = Some(error.to_string());
        self.phase = Phase::Done;
        self.socket = None;
    }

    fn close(&mut self, now: Time) {
        self.past = self.sums(now);
        self.acked_before += self.handed;
        self.phase = Phase::Done;
        self.socket = None;
    }

    /// Sum of the counters of all connections.
    #[must_use]
    pub fn sums(&self, now: Time) -> Sums {
        let open = self.opened_at.map_or(Duration::ZERO, |opened| now.since(opened));
        match self.connection().map(Info::read) {
            Some(Ok(info)) => self.past.plus(Sums::of(&info, open)),
            _ => self.past,
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(socket) = &self.socket {
            reset_when_closed(socket);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::{Ipv4Addr, SocketAddr, TcpListener};

    use ackclock_sim::app::mailbox;

    use super::*;

    #[test]
    fn what_the_end_of_a_run_finds_open_is_reset() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let SocketAddr::V4(target) = listener.local_addr().unwrap() else { unreachable!() };
        let socket = TcpStream::connect(target).unwrap();
        socket.set_nonblocking(true).unwrap();
        let (mut other, _) = listener.accept().unwrap();
        let mut line = Line::new(socket, target, mailbox(), Time::ZERO, Time::MAX);
        line.phase = Phase::Connecting;
        line.on_connected(Time::ZERO);
        line.hand_in(CHUNK as u64, false, Time::ZERO);
        assert!(line.handed() > 0, "the kernel has data to send");
        drop(line);
        let mut taken = vec![0; 1 << 20];
        let end = loop {
            match other.read(&mut taken) {
                Ok(0) => break None,
                Ok(_) => {}
                Err(error) => break Some(error.kind()),
            }
        };
        assert_eq!(end, Some(io::ErrorKind::ConnectionReset));
    }
}
