//! Client address, also behind trusted proxies, and the client context of sign-in.

use super::auth;
use crate::accounts::ClientContext;
use crate::state::App;
use actix_web::HttpRequest;
use actix_web::http::header;
use ipnet::IpNet;
use respiro_auth::token;
use std::net::{IpAddr, Ipv6Addr};

const FORWARDED_FOR: &str = "x-forwarded-for";
/// Hops read from `X-Forwarded-For`.
const HOPS_MAX: usize = 32;
const USER_AGENT_CHARACTERS_MAX: usize = 200;

/// Returns what rate limits and sign-in need to know about the client.
pub fn client_context(request: &HttpRequest, app: &App) -> ClientContext {
    let agent = request.headers().get(header::USER_AGENT);
    let agent = agent.and_then(|value| value.to_str().ok()).unwrap_or("");
    ClientContext {
        networks: networks(request, app),
        user_agent: agent.chars().take(USER_AGENT_CHARACTERS_MAX).collect(),
        previous_token_hash: auth::session_token(request, app).map(|token| token::hash(&token)),
        device_token: auth::cookie(request, app, auth::Cookie::Device),
    }
}

/// Returns the rate-limit key of the client's address and of two wider networks that one client may
/// control: for IPv6 its /64, /56 and /48, for IPv4 the address twice and its /24.
pub fn networks(request: &HttpRequest, app: &App) -> [String; 3] {
    containing_networks(client_addr(request, &app.config.trusted_proxies))
}

fn containing_networks(address: IpAddr) -> [String; 3] {
    let own = address_key(address);
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            [own.clone(), own, format!("{a}.{b}.{c}.0/24")]
        }
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            let d = d & 0xff00;
            let site = format!("{a:x}:{b:x}:{c:x}:{d:x}::/56");
            [own, site, format!("{a:x}:{b:x}:{c:x}::/48")]
        }
    }
}

/// Returns the client's address.
pub fn client_addr(request: &HttpRequest, trusted: &[IpNet]) -> IpAddr {
    let peer = request.peer_addr().map(|peer| peer.ip());
    let lines = request.headers().get_all(FORWARDED_FOR);
    // A line of other bytes must not be skipped: the lines before it would be believed.
    let lines: Vec<_> = lines
        .map(|line| String::from_utf8_lossy(line.as_bytes()))
        .collect();
    resolve_client_addr(peer, lines.iter().map(|line| &**line), trusted)
}

/// Returns the peer's address, unless the peer is a trusted proxy: then the nearest address of the
/// forwarded list that is not trusted itself. The client wrote everything left of it.
pub fn resolve_client_addr<'a>(
    peer: Option<IpAddr>,
    forwarded: impl DoubleEndedIterator<Item = &'a str>,
    trusted: &[IpNet],
) -> IpAddr {
    let peer = peer.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
    let is_trusted = |address: &IpAddr| {
        let address = address.to_canonical();
        trusted.iter().any(|range| range.contains(&address))
    };
    if !is_trusted(&peer) {
        return peer;
    }
    let mut nearest = peer;
    let hops = forwarded.rev().flat_map(|value| value.rsplit(','));
    for hop in hops.take(HOPS_MAX) {
        let Some(hop) = parse_hop(hop) else {
            return nearest;
        };
        nearest = hop;
        if !is_trusted(&hop) {
            return hop;
        }
    }
    nearest
}

/// Parses an address with or without port and brackets.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim().trim_matches('"');
    if let Ok(address) = hop.trim_start_matches('[').trim_end_matches(']').parse() {
        return Some(address);
    }
    hop.parse::<std::net::SocketAddr>()
        .ok()
        .map(|socket| socket.ip())
}

/// Returns the rate-limit key of an address. One household or server has a whole IPv6 /64.
fn address_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;
    use actix_web::test::TestRequest;

    fn seen(peer: &str, forwarded: &[&str]) -> String {
        let mut request = TestRequest::default().peer_addr(format!("{peer}:1").parse().unwrap());
        for value in forwarded {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            request = request.append_header((FORWARDED_FOR, value));
        }
        let trusted = ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        address_key(client_addr(&request.to_http_request(), &trusted))
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(seen("9.9.9.9", &["1.1.1.1"]), "9.9.9.9");
        assert_eq!(seen("10.0.0.1", &["1.1.1.1"]), "1.1.1.1");
        assert_eq!(seen("[::1]", &["1.1.1.1"]), "1.1.1.1");
        assert_eq!(seen("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn what_the_client_wrote_itself_is_not_believed() {
        assert_eq!(seen("10.0.0.1", &["7.7.7.7, 1.1.1.1"]), "1.1.1.1");
        assert_eq!(
            seen("10.0.0.1", &["7.7.7.7", "1.1.1.1, 10.0.0.2"]),
            "1.1.1.1"
        );
        assert_eq!(seen("10.0.0.1", &["1.1.1.1, nonsense"]), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &["1.1.1.1:443"]), "1.1.1.1");
        assert_eq!(
            seen("10.0.0.1", &["[2001:db8:1:2:3::4]:443"]),
            "2001:db8:1:2::/64"
        );
        assert_eq!(seen("10.0.0.1", &["::ffff:1.2.3.4"]), "1.2.3.4");
        // Regression: a line that is no ASCII was skipped whole, and the line before it believed.
        assert_eq!(seen("10.0.0.1", &["è, 1.1.1.1"]), "1.1.1.1");
        assert_eq!(seen("10.0.0.1", &["7.7.7.7", "è"]), "10.0.0.1");
    }

    /// With a limit for each /64 alone, a client with a /48 would have the attempts of 65,536
    /// networks.
    #[test]
    fn an_address_counts_for_the_wider_networks_that_it_is_part_of() {
        let networks = |address: &str| containing_networks(address.parse().unwrap());
        assert_eq!(
            networks("2001:db8:1:2ab::9"),
            [
                "2001:db8:1:2ab::/64",
                "2001:db8:1:200::/56",
                "2001:db8:1::/48"
            ]
        );
        assert_eq!(networks("::ffff:1.2.3.4"), networks("1.2.3.4"));
        assert_eq!(networks("1.2.3.4"), ["1.2.3.4", "1.2.3.4", "1.2.3.0/24"]);
    }
}
