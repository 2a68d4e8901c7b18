//! Measures the largest load that this machine carries.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration as Patience;

use ackclock_units::{Duration, Time};

use super::priority::{Role, take};
use super::{Arrival, HostPair, Lab, LabError, Ring, Waiter};
use crate::clock::{Clock, real_ns};
use crate::plan::{FIRST_PORT, HostPlan};

/// TCP reaches full speed in the first part; packets are counted in the second.
const WARMUP: Duration = Duration::from_millis(150);
const END: Duration = Duration::from_millis(500);
/// Longest wait of a call, so that its thread notices the end.
const PATIENCE: Patience = Patience::from_millis(100);
const WRITE_BYTES: usize = 128 << 10;
const MTU: u32 = 1500;
/// The Ethernet header, which the MTU does not count.
const ETHERNET: usize = 14;

/// Result of a measurement of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    /// Full-sized data packets per second, with their ACKs on the way back.
    pub data_packets_per_second: f64,
    /// Packets of all kinds per second.
    pub packets_per_second: f64,
}

/// Measures how much of one TCP connection this machine carries when nothing limits it.
///
/// Takes about half a second; call `enter` first.
///
/// # Errors
///
/// If the laboratory cannot be made.
pub fn measure() -> Result<Carried, LabError> {
    let Lab { pairs, mut ring } = Lab::new(&[HostPlan {
        sysctls: BTreeMap::new(),
        initial_window_packets: None,
        min_rto_ms: None,
        acks_at_once: false,
        mtu: MTU,
    }])?;
    let pair = &pairs[0];
    let [mut data, mut all] = [0.0, 0.0];
    through(pair, |waiter| {
        let clock = Clock::starting_at(real_ns());
        relay(pair, &mut ring, waiter, &clock, Time::ZERO.saturating_add(END), |arrival| {
            if clock.at(arrival.stamp_ns) >= Time::ZERO.saturating_add(WARMUP) {
                all += 1.0;
                data += f64::from(u8::from(arrival.frame.len() == MTU as usize + ETHERNET));
            }
        })
    })?;
    let seconds = END.saturating_sub(WARMUP).as_secs_f64();
    // An overloaded receiver acknowledges more packets at once; any other acknowledges every
    // second.
    let with_acks = f64::min(data, all / 1.5);
    Ok(Carried { data_packets_per_second: with_acks / seconds, packets_per_second: all / seconds })
}

/// Hands each packet of the pair's hosts to the other host at once, until `until`. `seen` sees each
/// packet first.
///
/// # Errors
///
/// If the kernel does not take a packet.
pub fn relay(
    pair: &HostPair,
    ring: &mut Ring,
    mut waiter: Waiter,
    clock: &Clock,
    until: Time,
    mut seen: impl FnMut(&Arrival<'_>),
) -> Result<(), LabError> {
    let mut failure = None;
    while failure.is_none() && clock.now() < until {
        waiter.wait(ring.as_fd(), until, clock);
        ring.drain(|arrival| {
            seen(&arrival);
            let host = if destination(arrival.frame) == Some(pair.sender.address) {
                &pair.sender
            } else {
                &pair.receiver
            };
            failure = host.port.send(arrival.frame).err().or(failure.take());
        });
    }
    failure
        .map_or(Ok(()), |error| Err(LabError(format!("the kernel did not take a packet: {error}"))))
}

fn destination(frame: &[u8]) -> Option<Ipv4Addr> {
    frame.get(30..34).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok()).map(Ipv4Addr::from)
}

/// Does `work` on a thread with the emulator's priority, while a bulk TCP connection of the pair
/// always has data to send.
///
/// # Errors
///
/// If `work` fails, or sockets cannot be made.
pub fn through<T: Send>(
    pair: &HostPair,
    work: impl FnOnce(Waiter) -> Result<T, LabError> + Send,
) -> Result<T, LabError> {
    let at = SocketAddr::from((pair.receiver.address, FIRST_PORT));
    let listener = pair.receiver.within(|| TcpListener::bind(at)).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    let listener = listener.map_err(|error| LabError(format!("cannot listen: {error}")))?;
    let is_over = AtomicBool::new(false);
    let unless_over = |result: io::Result<()>| match result {
        Err(error) if !is_over.load(Ordering::Relaxed) => eprintln!("calibration: {error}"),
        _ => {}
    };
    thread::scope(|scope| {
        scope.spawn(|| unless_over(sink(&listener, &is_over)));
        scope.spawn(|| unless_over(pair.sender.within(|| blast(at, &is_over))));
        let worker = scope.spawn(|| work(Waiter::new(take(Role::Emulator))));
        let done = worker.join();
        is_over.store(true, Ordering::Relaxed);
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn blast(at: SocketAddr, is_over: &AtomicBool) -> io::Result<()> {
    let _ = take(Role::Endpoint);
    let mut stream = TcpStream::connect_timeout(&at, PATIENCE * 10)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let data = vec![0; WRITE_BYTES];
    while !is_over.load(Ordering::Relaxed) {
        patiently(stream.write(&data))?;
    }
    Ok(())
}

fn sink(listener: &TcpListener, is_over: &AtomicBool) -> io::Result<()> {
    let _ = take(Role::Endpoint);
    while !is_over.load(Ordering::Relaxed) {
        let Some((mut stream, _)) = patiently(listener.accept())? else {
            thread::yield_now();
            continue;
        };
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut data = vec![0; WRITE_BYTES];
        while !is_over.load(Ordering::Relaxed) && patiently(stream.read(&mut data))? != Some(0) {}
    }
    Ok(())
}

/// Turns an expired wait into `None`.
fn patiently<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    }
}
