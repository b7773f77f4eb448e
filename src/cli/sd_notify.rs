//! Notifies systemd (`sd_notify`): one datagram to the socket in `NOTIFY_SOCKET`.

use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

/// Sends `state`, if `NOTIFY_SOCKET` is set.
pub fn notify(state: &str) -> io::Result<()> {
    match std::env::var_os("NOTIFY_SOCKET") {
        Some(name) if !name.is_empty() => send(&name, state),
        _ => Ok(()),
    }
}

/// How many times within the limit of the watchdog a sign of life is sent: one that is late,
/// because the machine is busy, must not end the program.
const SIGNS_IN_LIMIT: u32 = 4;

/// Returns the interval of signs of life, if systemd waits for them from this process.
pub fn watchdog_interval() -> Option<Duration> {
    let number = |name: &str| std::env::var(name).ok();
    let pid = number("WATCHDOG_PID");
    interval_of(
        &number("WATCHDOG_USEC")?,
        pid.as_deref(),
        std::process::id(),
    )
}

fn interval_of(limit_us: &str, pid: Option<&str>, own_pid: u32) -> Option<Duration> {
    let is_meant = pid.is_none_or(|pid| pid.parse() == Ok(own_pid));
    let limit = limit_us.parse().ok().filter(|limit| *limit > 0)?;
    is_meant.then(|| Duration::from_micros(limit) / SIGNS_IN_LIMIT)
}

/// Sends to a socket. A name that begins with `@` is abstract; containers get such names.
fn send(name: &OsStr, state: &str) -> io::Result<()> {
    let address = match name.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(name)?,
    };
    let socket = UnixDatagram::unbound()?;
    socket.send_to_addr(state.as_bytes(), &address).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(socket: &UnixDatagram) -> String {
        let mut bytes = [0; 64];
        let length = socket.recv(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    #[test]
    fn signs_of_life_are_sent_four_times_within_the_limit_of_this_process() {
        let quarter = Some(Duration::from_secs(15));
        assert_eq!(interval_of("60000000", None, 7), quarter);
        assert_eq!(interval_of("60000000", Some("7"), 7), quarter);
        assert_eq!(interval_of("60000000", Some("8"), 7), None);
        assert_eq!(interval_of("0", None, 7), None);
        assert_eq!(interval_of("soon", None, 7), None);
    }

    #[test]
    fn a_socket_with_a_path_and_one_without_hear_that_all_is_ready() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        send(path.as_os_str(), "READY=1").unwrap();
        assert_eq!(heard(&socket), "READY=1");
        let name = format!("respiro-test-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let socket = UnixDatagram::bind_addr(&address).unwrap();
        send(OsStr::new(&format!("@{name}")), "READY=1").unwrap();
        assert_eq!(heard(&socket), "READY=1");
        assert!(send(OsStr::new("/not/there"), "READY=1").is_err());
    }
}
