//! Extracts host, authority and origin from URLs: the site's own address, and headers of requests.

/// Returns host and port of a URL (RFC 3986, 3.2); `None` without a scheme.
pub fn authority_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    rest.split(['/', '?', '#']).next()
}

/// Returns the host of a URL, without scheme and port.
pub fn host_of(url: &str) -> &str {
    let authority = authority_of(url).unwrap_or(url);
    authority.split(':').next().unwrap_or(authority)
}

/// Returns the origin of a URL as browsers write it: scheme, host and port, no default port.
pub fn origin_of(url: &str) -> &str {
    let end = url.find("://").map_or(0, |at| at + 3);
    let rest = &url[end..];
    let host = rest.find('/').map_or(url, |at| &url[..end + at]);
    let default_port = if host.starts_with("https://") {
        ":443"
    } else {
        ":80"
    };
    host.strip_suffix(default_port).unwrap_or(host)
}
