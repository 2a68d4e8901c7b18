//! A host: a network namespace with one device.

use std::net::Ipv4Addr;
use std::os::fd::OwnedFd;

use super::Port;

/// The two ends of some flows.
#[derive(Debug)]
pub struct HostPair {
    /// Where data comes from.
    pub sender: Host,
    /// Where data goes.
    pub receiver: Host,
}

/// A network namespace with one device, whose other end is ours.
#[derive(Debug)]
pub struct Host {
    /// Its only address.
    pub address: Ipv4Addr,
    /// Injects packets towards it.
    pub port: Port,
    #[allow(dead_code)]
    namespace: OwnedFd,
}

impl Host {
    /// Does `work` in this host's network namespace, on a thread of its own. Sockets made there stay there; a process started there is there.
    /// Beware of `/proc/net`: it is the process's, this thread's is `/proc/thread-self/net`. `/proc/sys/net` is this thread's.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let _ = work;
        unimplemented!()
    }
}
