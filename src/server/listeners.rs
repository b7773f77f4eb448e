//! Binds the listening sockets of the ports.

use rustix::io::{Errno, Result};
use rustix::net::sockopt::{set_ipv6_v6only, set_socket_reuseaddr};
use rustix::net::{
    AddressFamily, SocketFlags, SocketType, bind as bind_socket, listen, socket_with,
};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

/// Connections that wait to be accepted; the kernel lowers it to `net.core.somaxconn`.
const BACKLOG: i32 = 4_096;

/// Binds every address, in this order. `[::]` takes IPv4 connections too, unless an IPv4 address
/// of the list has the same port; on a machine without IPv6 it becomes `0.0.0.0`.
///
/// Returns the address that failed with the error.
pub fn bind_all(
    addresses: &[SocketAddr],
) -> std::result::Result<Vec<TcpListener>, (SocketAddr, io::Error)> {
    bind_each(addresses, open)
}

/// Like `bind_all`, for one address.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let mut bound = bind_all(&[address]).map_err(|(_, error)| error)?;
    bound.pop().ok_or(io::ErrorKind::AddrNotAvailable.into())
}

fn bind_each<T>(
    addresses: &[SocketAddr],
    open: impl Fn(SocketAddr, bool) -> Result<T>,
) -> std::result::Result<Vec<T>, (SocketAddr, io::Error)> {
    let mut bound = Vec::new();
    for &address in addresses {
        let is_shared = |other: &SocketAddr| other.is_ipv4() && other.port() == address.port();
        let has_ipv4_twin = addresses.iter().any(is_shared);
        match open(address, has_ipv4_twin) {
            Ok(listener) => bound.push(listener),
            Err(Errno::AFNOSUPPORT | Errno::ADDRNOTAVAIL) if is_any_ipv6(address) => {
                tracing::warn!(
                    %address,
                    "this machine has no IPv6: listening on IPv4 alone; an AAAA record in the DNS \
                     would lead visitors nowhere"
                );
                if !has_ipv4_twin {
                    let ipv4 = (Ipv4Addr::UNSPECIFIED, address.port()).into();
                    bound.push(open(ipv4, false).map_err(|error| (ipv4, error.into()))?);
                }
            }
            Err(error) => return Err((address, error.into())),
        }
    }
    Ok(bound)
}

const fn is_any_ipv6(address: SocketAddr) -> bool {
    match address {
        SocketAddr::V6(address) => address.ip().is_unspecified(),
        SocketAddr::V4(_) => false,
    }
}

/// Opens a listening socket. The system's default (`net.ipv6.bindv6only`) must not decide whether
/// `[::]` takes IPv4.
fn open(address: SocketAddr, is_ipv6_only: bool) -> Result<TcpListener> {
    let family = match address {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let socket = socket_with(family, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    set_socket_reuseaddr(&socket, true)?;
    if address.is_ipv6() {
        set_ipv6_v6only(&socket, is_ipv6_only)?;
    }
    bind_socket(&socket, &address)?;
    listen(&socket, BACKLOG)?;
    Ok(TcpListener::from(socket))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpStream;

    fn parse(addresses: &[&str]) -> Vec<SocketAddr> {
        addresses.iter().map(|text| text.parse().unwrap()).collect()
    }

    /// A machine whose kernel has no IPv6.
    fn open_without_ipv6(address: SocketAddr, _: bool) -> Result<SocketAddr> {
        if address.is_ipv6() {
            return Err(Errno::AFNOSUPPORT);
        }
        Ok(address)
    }

    #[test]
    fn any_ipv6_address_becomes_any_ipv4_address_on_a_machine_without_ipv6() {
        let bound = |addresses: &[&str]| bind_each(&parse(addresses), open_without_ipv6);
        assert_eq!(bound(&["[::]:443"]).unwrap(), parse(&["0.0.0.0:443"]));
        let both = ["0.0.0.0:443", "[::]:443"];
        assert_eq!(bound(&both).unwrap(), parse(&["0.0.0.0:443"]));
        // An address that was named itself is not replaced by another one.
        let (address, _) = bound(&["[2001:db8::1]:443"]).unwrap_err();
        assert_eq!(address, "[2001:db8::1]:443".parse().unwrap());
    }

    #[test]
    fn an_ipv6_socket_is_for_ipv6_alone_beside_an_ipv4_address_of_its_port() {
        let choices = |addresses: &[&str]| {
            bind_each(&parse(addresses), |address, only| {
                Ok((address.is_ipv6(), only))
            })
            .unwrap()
        };
        assert_eq!(choices(&["[::]:443"]), [(true, false)]);
        assert_eq!(choices(&["[::]:443", "0.0.0.0:80"])[0], (true, false));
        assert_eq!(choices(&["[::]:443", "0.0.0.0:443"])[0], (true, true));
    }

    #[test]
    fn any_ipv6_address_takes_ipv4_connections_too() {
        let listener = bind("[::]:0".parse().unwrap()).unwrap();
        let port = listener.local_addr().unwrap().port();
        TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    }

    #[test]
    fn a_taken_address_is_named() {
        let taken = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = taken.local_addr().unwrap();
        let (named, error) = bind_all(&[address]).unwrap_err();
        assert_eq!(named, address);
        assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
    }
}
