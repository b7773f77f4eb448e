//! Responses of object storage: classifies failures by what the operator has to do.

use crate::error::StorageError;
use std::io::ErrorKind;
use std::time::SystemTime;
use ureq::http::{Response, StatusCode};
use ureq::{Body, Timeout};

const ERROR_BYTES_MAX: u64 = 64 * 1024;
const NAMESPACE: &str = "http://s3.amazonaws.com/doc/2006-03-01/";
/// Beyond this clock difference, a refused signature is reported as a clock fault.
const CLOCK_SECONDS_MAX: u64 = 240;

/// Sets the XML namespace that `rusty_s3` parses; servers send other namespaces or none.
pub fn in_namespace(text: &str) -> String {
    let begins = |at: &usize| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
    let root = text.match_indices('<').map(|(at, _)| at).find(begins);
    let found = root.and_then(|start| Some((start, start + text[start..].find('>')?)));
    let Some((start, end)) = found else {
        return text.to_owned();
    };
    let head = text[start..end].trim_end_matches('/');
    let name = head.split_ascii_whitespace().next().unwrap_or(head);
    let rest = &text[start + head.len()..];
    format!("{name} xmlns=\"{NAMESPACE}\"{rest}")
}

/// Classifies a call without a response. Its text never contains the presigned URL.
pub fn unreachable(error: &ureq::Error) -> StorageError {
    match error {
        ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            StorageError::Network("no connection in time".into())
        }
        ureq::Error::Timeout(_) => StorageError::Slow,
        ureq::Error::HostNotFound => StorageError::Network("its name leads nowhere".into()),
        ureq::Error::ConnectionFailed => StorageError::Network("no connection".into()),
        ureq::Error::Io(error) if error.kind() == ErrorKind::TimedOut => StorageError::Slow,
        ureq::Error::Io(error) => StorageError::Network(error.to_string()),
        ureq::Error::Rustls(error) => StorageError::Network(format!("no TLS: {error}")),
        // Other errors may contain the presigned URL.
        _ => StorageError::Network("the answer cannot be read".into()),
    }
}

/// Classifies a response that is no success.
pub fn refused(mut answer: Response<Body>) -> StorageError {
    let status = answer.status();
    let date = answer
        .headers()
        .get("date")
        .and_then(|date| date.to_str().ok());
    let off = date.and_then(seconds_off);
    let region = answer.headers().get("x-amz-bucket-region");
    let region = region
        .and_then(|region| region.to_str().ok())
        .map(str::to_owned);
    let body = answer.body_mut().with_config().limit(ERROR_BYTES_MAX);
    let told = body.read_to_string().unwrap_or_default();
    if status.is_redirection()
        && let Some(region) = region
    {
        return StorageError::Region(region);
    }
    to_storage_error(status, &told, off)
}

/// Returns the seconds between this clock and an HTTP date.
fn seconds_off(date: &str) -> Option<u64> {
    let there = jiff::fmt::rfc2822::parse(date)
        .ok()?
        .timestamp()
        .as_second();
    let here = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .ok()?;
    let here = i64::try_from(here.as_secs()).ok()?;
    Some(here.abs_diff(there))
}

/// Returns the text of an element of an S3 error.
fn element<'a>(told: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = told.split_once(&format!("<{name}>"))?;
    Some(rest.split_once("</")?.0)
}

/// Classifies an S3 error by its status and body; `off` is the difference of the clocks in seconds.
pub fn to_storage_error(status: StatusCode, told: &str, off: Option<u64>) -> StorageError {
    let code = element(told, "Code").unwrap_or_default();
    let is_refusal = status == StatusCode::FORBIDDEN || status == StatusCode::BAD_REQUEST;
    match (code, off) {
        ("RequestTimeTooSkewed", off) => return StorageError::Clock(off.unwrap_or_default()),
        (_, Some(off)) if is_refusal && off > CLOCK_SECONDS_MAX => return StorageError::Clock(off),
        _ => {}
    }
    match code {
        "InvalidAccessKeyId"
        | "SignatureDoesNotMatch"
        | "InvalidToken"
        | "ExpiredToken"
        | "NotSignedUp" => StorageError::Credentials,
        "AccessDenied" | "AllAccessDisabled" => StorageError::Forbidden,
        "NoSuchBucket" => StorageError::NoBucket,
        "NoSuchKey" => StorageError::NotThere,
        "AuthorizationHeaderMalformed"
        | "PermanentRedirect"
        | "AuthorizationQueryParametersError" => match element(told, "Region") {
            Some(region) => StorageError::Region(region.to_owned()),
            None => StorageError::Credentials,
        },
        "QuotaExceeded"
        | "XMinioStorageFull"
        | "InsufficientCapacity"
        | "StorageFull"
        | "EntityTooLarge"
        | "TooManyBuckets"
        | "InsufficientStorage" => StorageError::Full,
        "InvalidRange" => StorageError::EmptyRange,
        "PreconditionFailed" | "ConditionalRequestConflict" => StorageError::Changed,
        "NotImplemented" => StorageError::NotImplemented,
        "SlowDown" | "ServiceUnavailable" | "InternalError" => {
            StorageError::Network(format!("it answers {code}"))
        }
        _ if status == StatusCode::INSUFFICIENT_STORAGE => StorageError::Full,
        _ if status == StatusCode::RANGE_NOT_SATISFIABLE => StorageError::EmptyRange,
        _ if status == StatusCode::PRECONDITION_FAILED => StorageError::Changed,
        _ if status == StatusCode::NOT_IMPLEMENTED => StorageError::NotImplemented,
        _ if status == StatusCode::NOT_FOUND => StorageError::NotThere,
        _ if status == StatusCode::UNAUTHORIZED => StorageError::Credentials,
        _ if status == StatusCode::FORBIDDEN => StorageError::Forbidden,
        _ if status.is_server_error() => StorageError::Network(format!("it answers {status}")),
        _ => StorageError::Other(format!("it answers {status} {code}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusty_s3::actions::ListObjectsV2;

    #[test]
    fn lists_are_read_in_any_namespace() {
        // Regression: answers of a server with another namespace were rejected.
        let other = "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"http://doc.s3.amazonaws.com/2006-03-01/\">\
            <IsTruncated>false</IsTruncated><Contents><Key>a/b</Key><Size>7</Size></Contents></ListBucketResult>";
        for text in [
            other.to_owned(),
            other.replace(" xmlns=\"http://doc.s3.amazonaws.com/2006-03-01/\"", ""),
        ] {
            let page = ListObjectsV2::parse_response(&in_namespace(&text)).unwrap();
            assert_eq!(
                (page.contents[0].key.as_str(), page.contents[0].size),
                ("a/b", Some(7))
            );
        }
        let empty = ListObjectsV2::parse_response(&in_namespace("<ListBucketResult/>")).unwrap();
        assert!(empty.contents.is_empty());
        assert_eq!(in_namespace("no"), "no");
    }

    #[test]
    fn refusals_are_told_apart_by_what_to_do() {
        let error = |code: &str| format!("<Error><Code>{code}</Code><Region>eu</Region></Error>");
        let of = |status: u16, code: &str, off| {
            let status = StatusCode::from_u16(status).unwrap();
            format!("{:?}", to_storage_error(status, &error(code), off))
        };
        assert_eq!(of(403, "SignatureDoesNotMatch", Some(1)), "Credentials");
        assert_eq!(of(403, "SignatureDoesNotMatch", Some(900)), "Clock(900)");
        // s3s-fs answers NotSignedUp for an unknown access key.
        assert_eq!(of(403, "NotSignedUp", Some(1)), "Credentials");
        assert_eq!(of(403, "AccessDenied", None), "Forbidden");
        assert_eq!(of(403, "RequestTimeTooSkewed", Some(3)), "Clock(3)");
        assert_eq!(of(404, "NoSuchBucket", None), "NoBucket");
        assert_eq!(of(404, "NoSuchKey", None), "NotThere");
        assert_eq!(of(301, "PermanentRedirect", None), "Region(\"eu\")");
        assert_eq!(of(403, "QuotaExceeded", None), "Full");
        assert_eq!(of(507, "", None), "Full");
        assert_eq!(of(412, "PreconditionFailed", None), "Changed");
        assert_eq!(of(416, "", None), "EmptyRange");
        assert!(of(503, "SlowDown", None).starts_with("Network"));
    }
}
