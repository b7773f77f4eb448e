//! Other host names of the site, which redirect to the public URL: its `www.` twin, the names of
//! its certificate, and each with a trailing dot, as DNS zones write names.
//!
//! The redirect is needed because writes are accepted from the origin of the public URL only.

use crate::config::{Tls, host_of};

/// Host names in lower case, without a port.
#[derive(Debug, Default)]
pub struct HostAliases {
    own: String,
    others: Vec<String>,
}

impl HostAliases {
    /// Returns no names if the public URL has no domain: an IP address has no `www.` twin.
    pub fn of(tls: &Tls, public_url: &str) -> Self {
        let own = host_of(public_url).to_ascii_lowercase();
        if !is_domain(&own) {
            return Self::default();
        }
        let twin = match own.strip_prefix("www.") {
            Some(bare) => bare.to_owned(),
            None => format!("www.{own}"),
        };
        let ordered = match tls {
            Tls::Acme(acme) => acme.domains.as_slice(),
            Tls::Off | Tls::Files { .. } => &[],
        };
        let ordered = ordered.iter().map(|name| name.to_ascii_lowercase());
        let mut others: Vec<String> = ordered.chain([twin]).filter(|name| *name != own).collect();
        others.dedup();
        Self { own, others }
    }

    /// Returns whether `host`, the value of a `Host` header, is one of these names. Ignores the
    /// port.
    pub fn has(&self, host: &str) -> bool {
        let name = host.split_once(':').map_or(host, |(name, _)| name);
        let bare = name.strip_suffix('.').unwrap_or(name);
        let is_bare = |other: &String| other.eq_ignore_ascii_case(bare);
        let is_dotted_own = bare != name && is_bare(&self.own) && !self.own.is_empty();
        is_dotted_own || self.others.iter().any(is_bare)
    }
}

fn is_domain(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or_default();
    host.contains('.') && !last.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_has_its_twin_and_nothing_else_has_one() {
        let of = |url: &str| HostAliases::of(&Tls::Off, url);
        assert!(of("https://example.org").has("www.example.org"));
        assert!(of("https://example.org").has("WWW.Example.org:443"));
        assert!(of("https://www.example.org:8443").has("example.org"));
        for host in ["example.org.", "Example.org.:443", "www.example.org."] {
            assert!(of("https://example.org").has(host), "{host}");
        }
        for host in [
            "example.org",
            "a.example.org",
            "a.example.org.",
            "example.org..",
            "127.0.0.1:8080",
            "[::1]:8080",
            "x",
            ".",
            "",
        ] {
            assert!(!of("https://example.org").has(host), "{host}");
        }
        for url in [
            "http://127.0.0.1:8080",
            "http://localhost",
            "http://[::1]:80",
        ] {
            assert_eq!(of(url).others, Vec::<String>::new(), "{url}");
            assert!(!of(url).has(".") && !of(url).has("127.0.0.1."), "{url}");
        }
    }
}
