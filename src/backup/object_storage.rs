//! S3 client with time limits; classifies failures by what the operator has to do.

use crate::error::StorageError;
use rusty_s3::actions::{CreateMultipartUpload, ListObjectsV2};
use rusty_s3::{Bucket as Signer, Credentials, S3Action, UrlStyle};
use std::collections::BTreeMap;
use std::fmt;
use std::thread;
use std::time::{Duration, Instant, SystemTime};
use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body, Timeout};

/// Validity of a presigned URL.
const SIGNED: Duration = Duration::from_mins(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(8);
/// A transfer without progress for this long is considered dead.
const STALL_TIMEOUT: Duration = Duration::from_secs(12);
/// Limit of one call with its body: one part at 1 Mbit/s.
const CALL_TIMEOUT: Duration = Duration::from_secs(45);
/// A call is retried only within this time after the first try, so that it ends within a minute.
const RETRY_WITHIN: Duration = Duration::from_secs(10);
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Limit of the cleanup after a failure, which must not delay the report of that failure.
const CLEAR_TIMEOUT: Duration = Duration::from_secs(3);
/// S3's minimum size of a multipart part, except the last.
pub const PART_BYTES: usize = 5 * 1024 * 1024;
/// Largest object that is read: the rows of a site, or a photograph.
const OBJECT_BYTES_MAX: u64 = 1024 * 1024 * 1024;
const ERROR_BYTES_MAX: u64 = 64 * 1024;
/// Maximum of pages of one listing, with 1,000 names each.
const LIST_PAGES_MAX: usize = 1_000;
const NAMESPACE: &str = "http://s3.amazonaws.com/doc/2006-03-01/";
/// Beyond this clock difference, a refused signature is reported as a clock fault.
const CLOCK_SECONDS_MAX: u64 = 240;

/// A location in S3-compatible object storage.
#[derive(Clone, PartialEq, Eq)]
pub struct S3Location {
    pub bucket: String,
    /// Without leading and trailing slash; may be empty.
    pub prefix: String,
    pub endpoint: String,
    pub region: String,
    pub path_style: bool,
    pub access_key: String,
    pub secret_key: String,
}

impl S3Location {
    /// Returns `s3://bucket/prefix`, for display.
    pub fn place(&self) -> String {
        let Self { bucket, prefix, .. } = self;
        let slash = if prefix.is_empty() { "" } else { "/" };
        format!("s3://{bucket}{slash}{prefix}")
    }
}

impl fmt::Debug for S3Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("S3Location")
            .field("place", &self.place())
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

/// Listing entry of an object.
#[derive(Debug, Clone)]
pub struct Listed {
    pub bytes: u64,
    /// Time of the last change, RFC 3339, if the server reports it.
    pub modified: Option<String>,
}

pub struct Bucket {
    agent: Agent,
    signer: Signer,
    credentials: Credentials,
    prefix: String,
}

impl Bucket {
    pub fn new(space: &S3Location) -> Result<Self, StorageError> {
        let style = if space.path_style {
            UrlStyle::Path
        } else {
            UrlStyle::VirtualHost
        };
        let endpoint = space.endpoint.parse();
        let endpoint = endpoint.or(Err(StorageError::Other(
            "RESPIRO_S3_ENDPOINT is no address".into(),
        )))?;
        let signer = Signer::new(endpoint, style, space.bucket.clone(), space.region.clone())
            .map_err(|error| StorageError::Other(error.to_string()))?;
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_resolve(Some(CONNECT_TIMEOUT))
            .timeout_per_read(Some(STALL_TIMEOUT))
            .timeout_per_write(Some(STALL_TIMEOUT))
            .timeout_global(Some(CALL_TIMEOUT))
            .max_idle_connections(1)
            .user_agent(concat!("respiro/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Ok(Self {
            agent,
            signer,
            credentials: Credentials::new(&space.access_key, &space.secret_key),
            prefix: space.prefix.clone(),
        })
    }

    fn key(&self, name: &str) -> String {
        match self.prefix.as_str() {
            "" => name.to_owned(),
            prefix => format!("{prefix}/{name}"),
        }
    }

    /// Sends a request and retries passing failures within `RETRY_WITHIN`. Never logs the presigned
    /// URL, because it grants access.
    fn call(
        &self,
        send: &dyn Fn(&Agent) -> Result<Response<Body>, ureq::Error>,
    ) -> Result<Response<Body>, StorageError> {
        self.call_since(Instant::now(), send)
    }

    fn call_since(
        &self,
        started: Instant,
        send: &dyn Fn(&Agent) -> Result<Response<Body>, ureq::Error>,
    ) -> Result<Response<Body>, StorageError> {
        loop {
            let error = match send(&self.agent) {
                Ok(answer) if answer.status().is_success() => return Ok(answer),
                Ok(answer) => refused(answer),
                Err(error) => unreachable(&error),
            };
            if !error.is_passing() || started.elapsed() > RETRY_WITHIN {
                return Err(error);
            }
            thread::sleep(RETRY_PAUSE);
        }
    }

    pub fn get(&self, name: &str) -> Result<Vec<u8>, StorageError> {
        let key = self.key(name);
        let started = Instant::now();
        loop {
            let action = self.signer.get_object(Some(&self.credentials), &key);
            let ask = |agent: &Agent| agent.get(action.sign(SIGNED).as_str()).call();
            let mut answer = self.call_since(started, &ask)?;
            let body = answer.body_mut().with_config().limit(OBJECT_BYTES_MAX);
            match body.read_to_vec() {
                Ok(bytes) => return Ok(bytes),
                Err(error) if started.elapsed() > RETRY_WITHIN => return Err(unreachable(&error)),
                Err(_) => thread::sleep(RETRY_PAUSE),
            }
        }
    }

    /// Uploads an object. Large objects go in parts, each retried on its own.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let key = self.key(name);
        if bytes.len() > PART_BYTES {
            return self.put_parts(&key, bytes);
        }
        let action = self.signer.put_object(Some(&self.credentials), &key);
        self.call(&|agent| agent.put(action.sign(SIGNED).as_str()).send(bytes))
            .map(drop)
    }

    /// Uploads an object with HTTP headers for browsers that download it directly.
    pub fn put_public(
        &self,
        name: &str,
        bytes: &[u8],
        headers: &[(&'static str, &str)],
    ) -> Result<(), StorageError> {
        let key = self.key(name);
        let action = self.signer.put_object(Some(&self.credentials), &key);
        let send = |agent: &Agent| {
            let mut request = agent.put(action.sign(SIGNED).as_str());
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            request.send(bytes)
        };
        self.call(&send).map(drop)
    }

    fn put_parts(&self, key: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let credentials = Some(&self.credentials);
        let action = self.signer.create_multipart_upload(credentials, key);
        let mut answer =
            self.call(&|agent| agent.post(action.sign(SIGNED).as_str()).send_empty())?;
        let created = CreateMultipartUpload::parse_response(&text(&mut answer)?);
        let created = created.map_err(|error| StorageError::Other(error.to_string()))?;
        let id = created.upload_id();
        let sent = self.send_parts(key, id, bytes);
        if sent.is_err() {
            // Uploaded parts occupy storage until the server discards them.
            let action = self.signer.abort_multipart_upload(credentials, key, id);
            let clear = self.agent.delete(action.sign(SIGNED).as_str());
            let bounded = clear.config().timeout_global(Some(CLEAR_TIMEOUT)).build();
            let _ = bounded.call();
        }
        sent
    }

    fn send_parts(&self, key: &str, id: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let credentials = Some(&self.credentials);
        let mut tags = Vec::new();
        for (number, part) in (1_u16..).zip(bytes.chunks(PART_BYTES)) {
            let action = self.signer.upload_part(credentials, key, number, id);
            let answer = self.call(&|agent| agent.put(action.sign(SIGNED).as_str()).send(part))?;
            let tag = answer
                .headers()
                .get("etag")
                .and_then(|tag| tag.to_str().ok());
            let tag =
                tag.ok_or_else(|| StorageError::Other("a part was taken without a tag".into()))?;
            tags.push(tag.to_owned());
        }
        let tags_of = || tags.iter().map(String::as_str);
        let action = self
            .signer
            .complete_multipart_upload(credentials, key, id, tags_of());
        let url = action.sign(SIGNED);
        let body = self
            .signer
            .complete_multipart_upload(credentials, key, id, tags_of())
            .body();
        let mut answer = self.call(&|agent| agent.post(url.as_str()).send(body.as_str()))?;
        let told = text(&mut answer)?;
        // S3 may answer 200 with an error in the body.
        if told.contains("<Error>") {
            return Err(to_storage_error(StatusCode::OK, &told, None));
        }
        Ok(())
    }

    pub fn remove(&self, name: &str) -> Result<(), StorageError> {
        let key = self.key(name);
        let action = self.signer.delete_object(Some(&self.credentials), &key);
        let done = self.call(&|agent| agent.delete(action.sign(SIGNED).as_str()).call());
        match done {
            Ok(_) | Err(StorageError::NotThere) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Lists all objects below `folder` by their names relative to it.
    pub fn list(&self, folder: &str) -> Result<BTreeMap<String, Listed>, StorageError> {
        let start = self.key(folder);
        let mut found = BTreeMap::new();
        let mut next: Option<String> = None;
        for _ in 0..LIST_PAGES_MAX {
            let mut action = self.signer.list_objects_v2(Some(&self.credentials));
            action.with_prefix(start.as_str());
            if let Some(token) = &next {
                action.with_continuation_token(token.as_str());
            }
            let url = action.sign(SIGNED);
            let mut answer = self.call(&|agent| agent.get(url.as_str()).call())?;
            let page = ListObjectsV2::parse_response(&text(&mut answer)?)
                .map_err(|error| StorageError::Other(format!("its list is odd: {error}")))?;
            for object in page.contents {
                if let Some(name) = object.key.strip_prefix(&start) {
                    let listed = Listed {
                        bytes: object.size.unwrap_or_default(),
                        modified: object.last_modified,
                    };
                    found.insert(name.to_owned(), listed);
                }
            }
            next = page.next_continuation_token;
            if next.is_none() {
                return Ok(found);
            }
        }
        Err(StorageError::Other("its list has no end".into()))
    }
}

fn text(answer: &mut Response<Body>) -> Result<String, StorageError> {
    let body = answer.body_mut().with_config().limit(OBJECT_BYTES_MAX);
    let text = body.read_to_string().map_err(|error| unreachable(&error))?;
    Ok(in_namespace(&text))
}

/// Sets the XML namespace that `rusty_s3` parses; servers send other namespaces or none.
fn in_namespace(text: &str) -> String {
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

fn unreachable(error: &ureq::Error) -> StorageError {
    match error {
        ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            StorageError::Network("no connection in time".into())
        }
        ureq::Error::Timeout(_) => StorageError::Slow,
        ureq::Error::HostNotFound => StorageError::Network("its name leads nowhere".into()),
        ureq::Error::ConnectionFailed => StorageError::Network("no connection".into()),
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => {
            StorageError::Slow
        }
        ureq::Error::Io(error) => StorageError::Network(error.to_string()),
        ureq::Error::Rustls(error) => StorageError::Network(format!("no TLS: {error}")),
        // Other errors may contain the presigned URL.
        _ => StorageError::Network("the answer cannot be read".into()),
    }
}

fn refused(mut answer: Response<Body>) -> StorageError {
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

fn to_storage_error(status: StatusCode, told: &str, off: Option<u64>) -> StorageError {
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
        "SlowDown" | "ServiceUnavailable" | "InternalError" => {
            StorageError::Network(format!("it answers {code}"))
        }
        _ if status == StatusCode::INSUFFICIENT_STORAGE => StorageError::Full,
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
        assert!(of(503, "SlowDown", None).starts_with("Network"));
    }
}
