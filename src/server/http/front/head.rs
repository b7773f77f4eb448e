//! Reads the head of a request strictly: what this does not know for plain is another's business.

use crate::http::cached_response::ConditionalHeaders;
use httparse::{Header, Request, Status};
use respiro_analytics::RequestHints;
use std::mem::MaybeUninit;

/// Query parameters that select a page or a redirect (`published_pages::find_by_query`); actix
/// serves these requests.
const SELECTING: &[&str] = &["evento=", "servizio=", "per=", "p=", "feed="];

/// A browser sends about fifteen.
const HEADERS_MAX: usize = 32;

/// A plain request for what a path shows.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked<'a> {
    pub method: &'static str,
    pub host: &'a str,
    /// Without query. Nothing in it is encoded.
    pub path: &'a str,
    pub accepts: Option<&'a str>,
    pub has: Option<&'a str>,
    pub wish: ConditionalHeaders<'a>,
    pub told: RequestHints<'a>,
    /// `X-Forwarded-For`, where it is one line.
    pub forwarded: Option<&'a str>,
    /// Bytes of the head.
    pub length: usize,
}

/// `None` for anything but one whole GET or HEAD of HTTP/1.1 without a body, with a plain target,
/// one host and no header twice that matters here.
pub fn read(bytes: &[u8]) -> Option<Asked<'_>> {
    let mut headers = [const { MaybeUninit::uninit() }; HEADERS_MAX];
    let mut request = Request::new(&mut []);
    let parsed = request.parse_with_uninit_headers(bytes, &mut headers);
    let Ok(Status::Complete(length)) = parsed else {
        return None;
    };
    let method = match request.method {
        Some("GET") => "GET",
        Some("HEAD") => "HEAD",
        _ => return None,
    };
    if request.version != Some(1) {
        return None;
    }
    let (path, query) = plain_target(request.path?)?;
    let mut asked = Asked {
        method,
        host: "",
        path,
        accepts: None,
        has: None,
        wish: ConditionalHeaders {
            is_head: method == "HEAD",
            ..ConditionalHeaders::default()
        },
        told: RequestHints {
            query,
            ..RequestHints::default()
        },
        forwarded: None,
        length,
    };
    let mut host = None;
    for header in request.headers.iter() {
        take(&mut asked, &mut host, header)?;
    }
    host.map(|host| Asked { host, ..asked })
}

/// Notes what a header says. `None`: this request is not for here.
fn take<'a>(asked: &mut Asked<'a>, host: &mut Option<&'a str>, header: &Header<'a>) -> Option<()> {
    let is = |name: &str| header.name.eq_ignore_ascii_case(name);
    if is("purpose") || is("sec-purpose") {
        // Chromium sends both with a prefetch, and both say so.
        let purpose = std::str::from_utf8(header.value).ok()?;
        asked.told.purpose.get_or_insert(purpose);
        return Some(());
    }
    let place = match header.name.len() {
        2 if is("te") => return None,
        4 if is("host") => host,
        5 if is("range") => &mut asked.wish.range,
        3 if is("dnt") => &mut asked.told.do_not_track,
        6 if is("expect") => return None,
        6 if is("cookie") => &mut asked.told.cookie,
        7 if is("referer") => &mut asked.told.referer,
        7 if is("sec-gpc") => &mut asked.told.privacy_control,
        7 if is("upgrade") || is("trailer") => return None,
        8 if is("if-range") => &mut asked.wish.if_range,
        10 if is("connection") => {
            return header
                .value
                .eq_ignore_ascii_case(b"keep-alive")
                .then_some(());
        }
        10 if is("user-agent") => &mut asked.told.agent,
        13 if is("if-none-match") => &mut asked.has,
        14 if is("content-length") => return None,
        15 if is("accept-encoding") => &mut asked.accepts,
        15 if is("accept-language") => &mut asked.told.language,
        15 if is("x-forwarded-for") => &mut asked.forwarded,
        17 if is("transfer-encoding") => return None,
        _ => return Some(()),
    };
    let value = std::str::from_utf8(header.value).ok()?;
    match place.replace(value) {
        None => Some(()),
        Some(_) => None,
    }
}

/// Path and query of a target in which nothing has to be decoded or doubted.
fn plain_target(target: &str) -> Option<(&str, Option<&str>)> {
    let parts = target.split_once('?');
    let (path, query) = parts.unwrap_or((target, ""));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let is_harmless = |byte: u8| is_plain(byte) || b"=&%+,:;@!?".contains(&byte);
    let fits =
        path.starts_with('/') && path.bytes().all(is_plain) && query.bytes().all(is_harmless);
    let selects = |part: &str| SELECTING.iter().any(|key| part.starts_with(key));
    let is_plain_query = !query.split('&').any(selects);
    (fits && is_plain_query).then_some((path, parts.map(|(_, query)| query)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "GET /eventi?x=%20 HTTP/1.1\r\nHost: a\r\n";

    #[test]
    fn a_plain_request_is_read_whole() {
        let head = format!(
            "{PLAIN}Connection: Keep-Alive\r\nAccept-Encoding: br\r\nIf-None-Match: \"a\"\r\n\
             Range: bytes=0-1\r\nIf-Range: \"b\"\r\nCookie: x\r\n\r\nGET"
        );
        let asked = read(head.as_bytes()).unwrap();
        let (accepts, has) = (Some("br"), Some("\"a\""));
        let wish = ConditionalHeaders {
            is_head: false,
            range: Some("bytes=0-1"),
            if_range: Some("\"b\""),
        };
        let expected = Asked {
            method: "GET",
            host: "a",
            path: "/eventi",
            accepts,
            has,
            wish,
            told: RequestHints {
                cookie: Some("x"),
                query: Some("x=%20"),
                ..RequestHints::default()
            },
            forwarded: None,
            length: head.len() - 3,
        };
        assert_eq!(asked, expected);
    }

    #[test]
    fn what_is_not_plain_is_handed_on() {
        assert!(read(format!("{PLAIN}\r\n").as_bytes()).is_some());
        let prefetch = format!("{PLAIN}Purpose: prefetch\r\nSec-Purpose: prefetch\r\n\r\n");
        let asked = read(prefetch.as_bytes()).unwrap();
        assert_eq!(asked.told.purpose, Some("prefetch"));
        for header in [
            "Content-Length: 0",
            "content-length: 5",
            "Transfer-Encoding: chunked",
            "Expect: 100-continue",
            "Upgrade: h2c",
            "Connection: close",
            "Connection: keep-alive, upgrade",
            "TE: trailers",
            "Trailer: x",
            "Host: b",
            "Accept-Encoding: br\r\naccept-encoding: gzip",
            "If-None-Match: \"a\"\r\nIf-None-Match: \"b\"",
            "X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2",
            "Broken",
            " folded: x",
            "Range: \u{0}",
        ] {
            let head = format!("{PLAIN}{header}\r\n\r\n");
            assert!(read(head.as_bytes()).is_none(), "{header}");
        }
        for head in [
            "",
            "GET / HTTP/1.1\r\nHost: a\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\n\r\n",
            "get / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /contatti?servizio=x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /contatti?fbclid=x&evento=x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /contatti?per=x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /?p=12 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /event%69 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /\u{e8} HTTP/1.1\r\nHost: a\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\n",
        ] {
            assert!(read(head.as_bytes()).is_none(), "{head}");
        }
        let many = "X: y\r\n".repeat(HEADERS_MAX);
        assert!(read(format!("{PLAIN}{many}\r\n").as_bytes()).is_none());
    }
}
