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
    /// The query of the address.
    pub query: Option<&'a str>,
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

    /// The source of a view: `utm_source`, or else the referring host. `own` is host and port of
    /// the site.
    pub fn source(&self, own: &str) -> Option<Box<str>> {
        let mut fields = self.query.unwrap_or_default().split('&');
        let named = fields.find_map(|field| field.strip_prefix("utm_source="));
        if let Some(source) = named.and_then(normalize_campaign) {
            return Some(source);
        }
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
    if fits {
        service_of(host).into()
    } else {
        OTHERS.into()
    }
}

/// The source that a link names, such as `newsletter`: a plain word or a host name.
fn normalize_campaign(text: &str) -> Option<Box<str>> {
    let name = text.to_ascii_lowercase();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let is_word = !name.is_empty() && name.len() <= HOST_BYTES_MAX && name.bytes().all(is_plain);
    let known = SERVICES
        .iter()
        .find(|(_, aliases)| aliases.contains(&&*name));
    let service = known.map_or(service_of(&name), |(service, _)| service);
    is_word.then(|| service.into())
}

/// Services with several hosts, and the short names that links give them.
const SERVICES: &[(&str, &[&str])] = &[
    (
        "facebook.com",
        &["facebook", "fb", "com.facebook.katana", "com.facebook.orca"],
    ),
    (
        "instagram.com",
        &["instagram", "ig", "com.instagram.android"],
    ),
    ("whatsapp.com", &["whatsapp", "wa.me", "com.whatsapp"]),
    ("mail.google.com", &["gmail", "com.google.android.gm"]),
    (
        "google.com",
        &["google", "com.google.android.googlequicksearchbox"],
    ),
    (
        "youtube.com",
        &["youtube", "youtu.be", "com.google.android.youtube"],
    ),
    (
        "t.me",
        &["telegram", "telegram.org", "org.telegram.messenger"],
    ),
    (
        "linkedin.com",
        &["linkedin", "lnkd.in", "com.linkedin.android"],
    ),
];
/// Hosts below these that are services of their own.
const OWN_NAMES: &[&str] = &["mail.google.com"];

/// The main host of a known service (`l.facebook.com` is `facebook.com`), or the host itself.
fn service_of(host: &str) -> &str {
    let belongs = |service: &str| {
        let below = host.strip_suffix(service);
        below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
    };
    if host.starts_with("google.") {
        return "google.com";
    }
    if let Some(own) = OWN_NAMES.iter().find(|own| belongs(own)) {
        return own;
    }
    let found = SERVICES.iter().find(|(service, aliases)| {
        belongs(service) || host.contains('.') && aliases.contains(&host)
    });
    found.map_or(host, |(service, _)| service)
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
        query: None,
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

    /// Regression: a visit from the newsletter was «direct», and Facebook stood under four hosts.
    #[test]
    fn a_source_is_named_by_the_link_and_a_service_is_one_source() {
        let source = |referer: Option<&str>, query: &str| {
            let hints = RequestHints {
                referer,
                query: Some(query),
                ..BROWSER
            };
            hints
                .source("respiro.example")
                .map(|source| source.to_string())
        };
        for (referer, query, expected) in [
            (None, "utm_source=newsletter&utm_medium=email", "newsletter"),
            (None, "evento=x&utm_source=Newsletter", "newsletter"),
            (Some("https://l.facebook.com/"), "fbclid=x", "facebook.com"),
            (Some("https://m.facebook.com/"), "", "facebook.com"),
            (
                Some("android-app://com.facebook.katana/"),
                "",
                "facebook.com",
            ),
            (None, "utm_source=fb", "facebook.com"),
            (Some("https://l.instagram.com/"), "", "instagram.com"),
            (None, "utm_source=ig", "instagram.com"),
            (
                Some("android-app://com.google.android.gm/"),
                "",
                "mail.google.com",
            ),
            (Some("https://mail.google.com/"), "", "mail.google.com"),
            (Some("https://www.google.it/"), "", "google.com"),
            (Some("https://notfacebook.com/"), "", "notfacebook.com"),
            (Some("https://a.example/"), "utm_source=", "a.example"),
            (
                Some("https://a.example/"),
                "utm_source=%3Cscript%3E",
                "a.example",
            ),
            (None, "utm_source=a+b", DIRECT),
            (
                Some("https://respiro.example/"),
                "utm_source=newsletter",
                "newsletter",
            ),
        ] {
            assert_eq!(
                source(referer, query).as_deref(),
                Some(expected),
                "{referer:?} {query}"
            );
        }
        assert_eq!(
            source(Some("https://respiro.example/"), "utm_source="),
            None
        );
    }
}
