//! Connections that are open at the end of a run are reset.

use std::os::fd::AsFd;

use nix::sys::socket::{setsockopt, sockopt};

/// Makes closing a socket reset its connection: an abort sends RST and forgets what is queued (RFC
/// 9293, section 3.10.5).
///
/// Otherwise the kernel keeps the connection, and sends the data of its buffer to a link that is
/// gone. After a series of runs such orphans fill the memory that all TCP sockets share
/// (`tcp_mem`), and the next runs get smaller windows.
pub fn reset_when_closed(socket: &impl AsFd) {
    // A socket that refuses is closed as any other; the run is over, and nobody needs the error.
    let _ = setsockopt(socket, sockopt::Linger, &libc::linger { l_onoff: 1, l_linger: 0 });
}
