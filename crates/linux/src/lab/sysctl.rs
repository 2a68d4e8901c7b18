//! Settings of a host's own TCP. Each belongs to a network namespace; the machine's settings stay
//! untouched.

use std::fs;
use std::io::ErrorKind;

use super::LabError;

/// Settings of every host, which a plan may change.
///
/// Buffers never limit, and nothing is remembered from the connection before. Senders' ports lie
/// below those of receivers. There are few of them, so a port in TIME-WAIT may be used again.
const OURS: [(&str, &str); 5] = [
    ("tcp_rmem", "4096 131072 67108864"),
    ("tcp_wmem", "4096 16384 67108864"),
    ("tcp_no_metrics_save", "1"),
    ("ip_local_port_range", "1024 9999"),
    ("tcp_tw_reuse", "1"),
];

/// Sets the settings of every host, then `others`, in the calling thread's network namespace.
pub fn set<'a>(others: impl Iterator<Item = (&'a str, &'a str)>) -> Result<(), LabError> {
    for (name, value) in OURS.into_iter().chain(others) {
        write(name, value)?;
    }
    Ok(())
}

/// Switches IPv6 off, so that it sends nothing; a kernel may lack it.
pub fn silence_ipv6() -> Result<(), LabError> {
    for devices in ["all", "default"] {
        let path = format!("/proc/sys/net/ipv6/conf/{devices}/disable_ipv6");
        match fs::write(&path, "1") {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(LabError(format!("{path}: {error}{}", remedy(error.kind()))));
            }
            _ => {}
        }
    }
    Ok(())
}

pub fn write(name: &str, value: &str) -> Result<(), LabError> {
    let is_plain = name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_');
    if !is_plain {
        return Err(LabError(format!("net.ipv4.{name} is no name of a setting")));
    }
    let path = format!("/proc/sys/net/ipv4/{name}");
    fs::write(&path, value).map_err(|error| {
        LabError(format!("net.ipv4.{name} = {value}: {error}{}", remedy(error.kind())))
    })
}

fn remedy(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotFound => " (this kernel does not have it for each network namespace)",
        ErrorKind::ReadOnlyFilesystem => {
            " (/proc/sys is read-only, as in an unprivileged container: start it with \
             --privileged, or run outside)"
        }
        _ => "",
    }
}
