//! Log of requests, by option: a line for each answer, in the log on standard error, which the
//! journal rotates. Holds no query, no token of a personal link and, unless asked for, no whole
//! address.

use crate::config::RequestLog;
use crate::state::App;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

/// Target of the lines. They are logged whatever `--log-level` says.
pub const TARGET: &str = "access";
/// Segments of an IPv6 address that name the network of a site, a /48; the rest names a household
/// or a device in it.
const IPV6_NETWORK_SEGMENTS: usize = 3;
/// Paths whose next part is a secret, or names a person: only this beginning is logged.
const PERSONAL: [&str; 4] = ["anteprima/", "newsletter/", "testimonianza/", "api/admin/"];
/// The health checks of this machine say nothing about visitors.
const HEALTH: &str = "/healthz";

/// Logs a request, if the configuration says so. `address` is computed only then.
pub fn record(
    app: &App,
    (method, path, status): (&str, &str, u16),
    elapsed: Duration,
    address: impl FnOnce() -> IpAddr,
) {
    let client = match app.config.request_log {
        _ if path == HEALTH => return,
        RequestLog::Off => return,
        RequestLog::Shortened => shorten(address()),
        RequestLog::Full => address().to_canonical(),
    };
    let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    tracing::info!(
        target: TARGET,
        %client,
        method,
        path = shown_path(path),
        status,
        ms = milliseconds,
        "request"
    );
}

/// Returns the network of an address: the last number of IPv4 is cut, and all but a /48 of IPv6.
fn shorten(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            Ipv4Addr::new(a, b, c, 0).into()
        }
        IpAddr::V6(address) => {
            let mut segments = address.segments();
            segments[IPV6_NETWORK_SEGMENTS..].fill(0);
            Ipv6Addr::from(segments).into()
        }
    }
}

/// Returns the path, cut where a secret begins. A mistyped path with capitals or more slashes is
/// redirected to the right one, so it is cut too.
fn shown_path(path: &str) -> &str {
    let start = path.len() - path.trim_start_matches('/').len();
    let rest = &path.as_bytes()[start..];
    let personal = PERSONAL.iter().find(|known| {
        rest.get(..known.len())
            .is_some_and(|beginning| beginning.eq_ignore_ascii_case(known.as_bytes()))
    });
    personal.map_or(path, |known| &path[..start + known.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_loses_what_names_a_person() {
        for (whole, logged) in [
            ("203.0.113.77", "203.0.113.0"),
            ("::ffff:203.0.113.77", "203.0.113.0"),
            ("2001:db8:12:34:56::78", "2001:db8:12::"),
        ] {
            assert_eq!(shorten(whole.parse().unwrap()).to_string(), logged);
        }
    }

    #[test]
    fn a_path_is_logged_without_the_token_in_it() {
        for (path, logged) in [
            ("/", "/"),
            ("/eventi", "/eventi"),
            ("/newsletter", "/newsletter"),
            ("/testimonianza/abc", "/testimonianza/"),
            ("//Anteprima/abc", "//Anteprima/"),
            ("/newsletter/conferma/abc", "/newsletter/"),
            ("/api/admin/newsletter/anna%40example.org", "/api/admin/"),
            ("/è/anteprima", "/è/anteprima"),
        ] {
            assert_eq!(shown_path(path), logged);
        }
    }
}
