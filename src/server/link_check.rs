//! Asks the addresses of other sites that the published content names whether they still answer.
//! Runs only when the admin presses the button; the result is in memory until the next run.
//!
//! The addresses are the admin's, so a request could reach into the server's own network. The
//! resolver refuses every host that has an address which is not public, for each redirect again.

use respiro_content::Timestamp;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, ResponseExt as _};

/// Addresses of one run; the panel says how many were left out.
pub const LINKS_MAX: usize = 300;
const WORKERS: usize = 4;
const CALL_TIMEOUT: Duration = Duration::from_secs(15);
const RUN_TIMEOUT: Duration = Duration::from_mins(5);
const REDIRECTS_MAX: u32 = 5;
const PORTS: &[u16] = &[80, 443];
const AGENT: &str = concat!("respiro/", env!("CARGO_PKG_VERSION"), " (link check)");

/// What an address answered.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Fine,
    /// It answers at another address.
    Moved(String),
    /// 404 or 410.
    Missing,
    /// Any other 4xx: some sites refuse programs.
    Refused(u16),
    /// 5xx, or redirects without an end.
    Failing,
    NoHost,
    Silent,
    /// Its certificate is not valid.
    Insecure,
    /// A host or a port that is not public.
    NotPublic,
    /// The time was over before.
    NotChecked,
}

impl Outcome {
    const fn name(&self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Moved(_) => "moved",
            Self::Missing => "missing",
            Self::Refused(_) => "refused",
            Self::Failing => "failing",
            Self::NoHost => "noHost",
            Self::Silent => "silent",
            Self::Insecure => "insecure",
            Self::NotPublic => "notPublic",
            Self::NotChecked => "notChecked",
        }
    }
}

#[derive(Debug, Default)]
struct Run {
    started_at: Timestamp,
    finished_at: Option<Timestamp>,
    /// Addresses beyond [`LINKS_MAX`].
    left_out: usize,
    links: BTreeMap<String, Vec<Json>>,
    outcomes: BTreeMap<String, Outcome>,
}

/// The last run, or the one under way.
#[derive(Debug, Default)]
pub struct LinkCheck(Mutex<Option<Run>>);

impl LinkCheck {
    fn lock(&self) -> MutexGuard<'_, Option<Run>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a run over these addresses with their places; does nothing while one is under way.
    /// `now` is read again at the end.
    pub fn start(
        self: &Arc<Self>,
        mut links: BTreeMap<String, Vec<Json>>,
        now: impl Fn() -> Timestamp + Send + 'static,
    ) {
        let mut run = self.lock();
        if run.as_ref().is_some_and(|run| run.finished_at.is_none()) {
            return;
        }
        let left_out = links.len().saturating_sub(LINKS_MAX);
        links = links.into_iter().take(LINKS_MAX).collect();
        let addresses: VecDeque<String> = links.keys().cloned().collect();
        *run = Some(Run {
            started_at: now(),
            left_out,
            links,
            ..Run::default()
        });
        drop(run);
        let shared = Arc::clone(self);
        // Not a task of the runtime: a stop does not wait for other sites.
        thread::spawn(move || {
            shared.check_all(&Mutex::new(addresses), &agent(is_public));
            if let Some(run) = &mut *shared.lock() {
                run.finished_at = Some(now());
            }
        });
    }

    fn check_all(&self, addresses: &Mutex<VecDeque<String>>, agent: &Agent) {
        let end = Instant::now() + RUN_TIMEOUT;
        let next = || {
            addresses
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop_front()
        };
        thread::scope(|scope| {
            for _ in 0..WORKERS {
                scope.spawn(|| {
                    while let Some(address) = next() {
                        let outcome = if Instant::now() < end {
                            ask(agent, &address)
                        } else {
                            Outcome::NotChecked
                        };
                        if let Some(run) = &mut *self.lock() {
                            run.outcomes.insert(address, outcome);
                        }
                    }
                });
            }
        });
    }

    /// Returns the state for the panel; `null` before the first run.
    pub fn to_json(&self) -> Json {
        let run = self.lock();
        let Some(run) = &*run else { return Json::Null };
        let links = run.outcomes.iter().map(|(address, outcome)| {
            let (to, status) = match outcome {
                Outcome::Moved(to) => (Some(to), None),
                Outcome::Refused(status) => (None, Some(status)),
                _ => (None, None),
            };
            json!({
                "url": address,
                "result": outcome.name(),
                "to": to,
                "status": status,
                "places": run.links.get(address),
            })
        });
        json!({
            "isRunning": run.finished_at.is_none(),
            "startedAt": respiro_content::time::rfc3339(run.started_at),
            "total": run.links.len(),
            "leftOut": run.left_out,
            "links": links.collect::<Vec<_>>(),
        })
    }
}

/// Returns a client that connects to allowed addresses only, without a proxy.
fn agent(is_allowed: fn(SocketAddr) -> bool) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .max_redirects(REDIRECTS_MAX)
        .timeout_global(Some(CALL_TIMEOUT))
        .user_agent(AGENT)
        .build();
    let resolver = GuardedResolver {
        inner: DefaultResolver::default(),
        is_allowed,
    };
    Agent::with_parts(config, DefaultConnector::default(), resolver)
}

/// Requests an address without reading the answer's body.
fn ask(agent: &Agent, address: &str) -> Outcome {
    match agent.get(address).call() {
        Ok(answer) => {
            let to = answer.get_uri().to_string();
            match answer.status().as_u16() {
                404 | 410 => Outcome::Missing,
                status @ 400..500 => Outcome::Refused(status),
                500.. => Outcome::Failing,
                _ if is_same(address, &to) => Outcome::Fine,
                _ => Outcome::Moved(to),
            }
        }
        Err(ureq::Error::Other(error)) if error.is::<NotAllowed>() => Outcome::NotPublic,
        Err(ureq::Error::TooManyRedirects | ureq::Error::RedirectFailed) => Outcome::Failing,
        Err(ureq::Error::Rustls(_) | ureq::Error::Tls(_)) => Outcome::Insecure,
        Err(ureq::Error::Io(error)) => io_outcome(&error),
        Err(ureq::Error::HostNotFound | ureq::Error::BadUri(_) | ureq::Error::Http(_)) => {
            Outcome::NoHost
        }
        Err(_) => Outcome::Silent,
    }
}

fn io_outcome(error: &io::Error) -> Outcome {
    let inner = error.get_ref();
    if inner.is_some_and(|inner| inner.is::<rustls::Error>()) {
        return Outcome::Insecure;
    }
    // The system's resolver reports an unknown host without a code.
    if error.raw_os_error().is_none() {
        return Outcome::NoHost;
    }
    Outcome::Silent
}

/// Returns whether two addresses differ in the scheme, `www.` or the final slash alone.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |address: &str| {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let rest = rest.strip_prefix("www.").unwrap_or(rest);
        rest.trim_end_matches('/').to_lowercase()
    };
    plain(one) == plain(other)
}

/// Refuses hosts with an address that is not allowed.
#[derive(Debug)]
struct GuardedResolver {
    inner: DefaultResolver,
    is_allowed: fn(SocketAddr) -> bool,
}

#[derive(Debug, thiserror::Error)]
#[error("not a public address")]
struct NotAllowed;

impl Resolver for GuardedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        if found.iter().all(|address| (self.is_allowed)(*address)) {
            Ok(found)
        } else {
            Err(ureq::Error::Other(Box::new(NotAllowed)))
        }
    }
}

fn is_public(address: SocketAddr) -> bool {
    let is_public = match address.ip().to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    };
    is_public && PORTS.contains(&address.port())
}

/// The special blocks of the IANA registry (RFC 6890) are not public.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = match (first, second) {
        (0 | 10 | 127 | 224.., _)
        | (100, 64..128)
        | (169, 254)
        | (172, 16..32)
        | (192, 168)
        | (198, 18 | 19) => true,
        (192, 0) => third == 0 || third == 2,
        (198, 51) => third == 100,
        (203, 0) => third == 113,
        _ => false,
    };
    !is_special
}

/// Only global unicast is public; addresses that carry one of IPv4 are judged by that.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match parts {
        // NAT64 (RFC 6052) and 6to4 (RFC 3056).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            is_public_v4(v4(high, low))
        }
        // Teredo and other protocol assignments, documentation.
        [0x2001, second, ..] => second >= 0x200 && second != 0xdb8,
        [0x3fff, second, ..] => second >= 0x1000,
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    #[test]
    fn only_public_addresses_on_the_ports_of_the_web_are_asked() {
        for address in ["9.9.9.9:443", "[2620:fe::fe]:80", "[64:ff9b::909:909]:443"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "0.0.0.0:80",
            "10.1.2.3:80",
            "100.64.0.1:80",
            "127.0.0.1:80",
            "169.254.169.254:80",
            "172.16.0.1:80",
            "172.31.255.255:80",
            "192.0.0.1:80",
            "192.168.1.1:443",
            "198.18.0.1:80",
            "203.0.113.1:80",
            "224.0.0.1:80",
            "255.255.255.255:80",
            "[::]:80",
            "[::1]:80",
            "[::ffff:127.0.0.1]:80",
            "[::ffff:10.0.0.1]:80",
            "[64:ff9b::a00:1]:80",
            "[2002:7f00:1::]:80",
            "[2001:db8::1]:80",
            "[2001::1]:80",
            "[fc00::1]:80",
            "[fd12::1]:80",
            "[fe80::1]:80",
            "[ff02::1]:80",
            "9.9.9.9:22",
            "9.9.9.9:8080",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    /// Answers each connection by the first segment of the path; returns its origin.
    fn server() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let own = origin.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut head = [0; 4096];
                let length = stream.read(&mut head).unwrap_or_default();
                let head = String::from_utf8_lossy(&head[..length]).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                let answer = match path.as_str() {
                    "/fine" | "/www" => "200 OK\r\n".to_owned(),
                    "/missing" => "404 Not Found\r\n".to_owned(),
                    "/refused" => "403 Forbidden\r\n".to_owned(),
                    "/failing" => "500 Oh\r\n".to_owned(),
                    "/moved" => format!("301 Moved\r\nlocation: {own}/fine\r\n"),
                    "/inside" => "302 Found\r\nlocation: http://127.0.0.2/\r\n".to_owned(),
                    "/metadata" => "302 Found\r\nlocation: http://169.254.169.254/\r\n".to_owned(),
                    "/file" => "302 Found\r\nlocation: file:///etc/passwd\r\n".to_owned(),
                    _ => format!("302 Found\r\nlocation: {own}/loop\r\n"),
                };
                let answer =
                    format!("HTTP/1.1 {answer}content-length: 0\r\nconnection: close\r\n\r\n");
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        origin
    }

    /// The address of the test's own server alone.
    fn is_test_server(address: SocketAddr) -> bool {
        address.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST)
    }

    #[test]
    fn an_answer_is_told_by_its_kind_and_no_redirect_leads_inside() {
        let origin = server();
        let agent = agent(is_test_server);
        for (path, expected) in [
            ("/fine", Outcome::Fine),
            ("/fine/", Outcome::Failing),
            ("/missing", Outcome::Missing),
            ("/refused", Outcome::Refused(403)),
            ("/failing", Outcome::Failing),
            ("/moved", Outcome::Moved(format!("{origin}/fine"))),
            ("/loop", Outcome::Failing),
            ("/inside", Outcome::NotPublic),
            ("/metadata", Outcome::NotPublic),
        ] {
            assert_eq!(ask(&agent, &format!("{origin}{path}")), expected, "{path}");
        }
        let file = ask(&agent, &format!("{origin}/file"));
        assert!(
            !matches!(file, Outcome::Fine | Outcome::Moved(_)),
            "{file:?}"
        );
        let real = super::agent(is_public);
        assert_eq!(ask(&real, &format!("{origin}/fine")), Outcome::NotPublic);
        assert_eq!(ask(&real, "http://localhost/"), Outcome::NotPublic);
        assert_eq!(ask(&real, "http://a b/"), Outcome::NoHost);
    }

    #[test]
    fn a_run_asks_each_address_once_up_to_the_limit() {
        let check = Arc::new(LinkCheck::default());
        assert_eq!(check.to_json(), Json::Null);
        let place = || vec![json!({ "setting": "socialUrl" })];
        let all = (0..LINKS_MAX + 7).map(|number| (format!("http://127.0.0.1/{number}"), place()));
        check.start(all.collect(), || 5);
        let state = loop {
            let state = check.to_json();
            if state["isRunning"] == false {
                break state;
            }
            thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(
            (&state["total"], &state["leftOut"]),
            (&json!(LINKS_MAX), &json!(7))
        );
        let links = state["links"].as_array().unwrap();
        assert_eq!(links.len(), LINKS_MAX);
        assert!(links.iter().all(|link| link["result"] == "notPublic"));
        assert_eq!(links[0]["places"][0]["setting"], "socialUrl");
    }
}
