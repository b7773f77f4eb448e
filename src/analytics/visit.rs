//! A visit to count, and the request headers that decide whether it is counted.

use respiro_content::url::authority_of;
use respiro_db::{DIRECT, OTHERS};
use std::net::IpAddr;

const AGENT_BYTES_MAX: usize = 300;
const HOST_BYTES_MAX: usize = 64;
/// Cookies of the admin (`http/guard.rs`), with or without `__Host-`: her visits do not count.
const OWN_COOKIES: [&str; 2] = ["respiro-session=", "respiro-device="];

/// Request headers that the decision is made from; none is stored.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct RequestHints<'a> {
    pub agent: Option<&'a str>,
    pub language: Option<&'a str>,
    pub cookie: Option<&'a str>,
    pub referer: Option<&'a str>,
    /// `DNT` and `Sec-GPC`.
    pub do_not_track: Option<&'a str>,
    pub privacy_control: Option<&'a str>,
    /// `Sec-Purpose` or `Purpose`: set on a prefetch.
    pub purpose: Option<&'a str>,
}

/// A click on a contact link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactClick {
    Phone,
    Email,
    Message,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisitKind {
    /// A page view. The source is the referring host, [`DIRECT`], or `None` for the site itself.
    View {
        source: Option<Box<str>>,
    },
    Click(ContactClick),
}

/// A visit to count. Address and user agent are dropped once they are hashed.
#[derive(Debug)]
pub struct Visit {
    pub kind: VisitKind,
    pub path: Box<str>,
    pub address: IpAddr,
    pub agent: Box<str>,
}

impl ContactClick {
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "phone" => Some(Self::Phone),
            "email" => Some(Self::Email),
            "message" => Some(Self::Message),
            _ => None,
        }
    }
}

impl RequestHints<'_> {
    /// Cheap check before a visit is recorded: browsers send `Accept-Language`; visitors with `DNT`
    /// or `Sec-GPC`, prefetches and the admin are not counted.
    pub fn is_countable(&self) -> bool {
        let is_own = |cookie: &str| OWN_COOKIES.iter().any(|own| cookie.contains(own));
        self.agent.is_some_and(|agent| !agent.is_empty())
            && self.language.is_some_and(|language| !language.is_empty())
            && self.do_not_track != Some("1")
            && self.privacy_control != Some("1")
            && self.purpose.is_none()
            && !self.cookie.is_some_and(is_own)
    }

    /// The user agent, truncated.
    pub fn agent(&self) -> Box<str> {
        let agent = self.agent.unwrap_or_default();
        agent[..agent.floor_char_boundary(AGENT_BYTES_MAX)].into()
    }

    /// The source of a view; `own` is host and port of the site.
    pub fn source(&self, own: &str) -> Option<Box<str>> {
        let Some(host) = self.referer.and_then(authority_of) else {
            return Some(DIRECT.into());
        };
        if host.eq_ignore_ascii_case(own) {
            return None;
        }
        Some(normalize_host(host))
    }
}

/// The host without port and `www.`; `OTHERS` for anything but a plain host name.
fn normalize_host(authority: &str) -> Box<str> {
    let host = authority.split(':').next().unwrap_or_default();
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
    let fits = host.len() <= HOST_BYTES_MAX && host.contains('.') && host.bytes().all(is_plain);
    if fits { host.into() } else { OTHERS.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROWSER: RequestHints<'static> = RequestHints {
        agent: Some("Mozilla/5.0"),
        language: Some("it"),
        cookie: Some("cookie-consent=1"),
        referer: None,
        do_not_track: Some("0"),
        privacy_control: None,
        purpose: None,
    };

    #[test]
    fn who_asks_not_to_be_counted_who_works_here_and_who_is_no_browser_is_left_out() {
        assert!(BROWSER.is_countable());
        for left_out in [
            RequestHints::default(),
            RequestHints {
                agent: None,
                ..BROWSER
            },
            RequestHints {
                language: None,
                ..BROWSER
            },
            RequestHints {
                do_not_track: Some("1"),
                ..BROWSER
            },
            RequestHints {
                privacy_control: Some("1"),
                ..BROWSER
            },
            RequestHints {
                purpose: Some("prefetch"),
                ..BROWSER
            },
            RequestHints {
                cookie: Some("a=b; respiro-session=x"),
                ..BROWSER
            },
            RequestHints {
                cookie: Some("__Host-respiro-device=x"),
                ..BROWSER
            },
        ] {
            assert!(!left_out.is_countable(), "{left_out:?}");
        }
    }

    #[test]
    fn a_source_is_a_host_and_nothing_more() {
        let source = |referer| {
            let hints = RequestHints {
                referer: Some(referer),
                ..BROWSER
            };
            hints
                .source("respiro.example:8080")
                .map(|source| source.to_string())
        };
        let host = |host: &str| Some(host.to_owned());
        assert_eq!(
            source("https://WWW.Search.example/q?words=secret"),
            host("search.example")
        );
        assert_eq!(source("https://a.example:444#x"), host("a.example"));
        assert_eq!(source("http://respiro.example:8080/eventi"), None);
        assert_eq!(
            source("android-app://com.example.mail/"),
            host("com.example.mail")
        );
        assert_eq!(source("about:blank"), host(DIRECT));
        assert_eq!(BROWSER.source("x"), Some(DIRECT.into()));
        for odd in [
            "https://anna:secret@a.example/",
            "https://[::1]/",
            "https://localhost/",
            "https://è.example",
        ] {
            assert_eq!(source(odd), host(OTHERS), "{odd}");
        }
        let long = format!("https://{}.example/", "a".repeat(80));
        assert_eq!(source(&long), host(OTHERS));
    }
}
