//! S3 client with time limits for each call, which ends when the server stops.

use crate::error::StorageError;
use crate::storage_response::{in_namespace, refused, to_storage_error, unreachable};
use data_encoding::BASE64;
use respiro_db::clock::{Clock, TimeSource};
use rusty_s3::actions::{CreateMultipartUpload, ListObjectsV2};
use rusty_s3::{Bucket as Signer, Credentials, S3Action, UrlStyle};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body, SendBody};

/// Validity of a presigned URL.
const SIGNED: Duration = Duration::from_mins(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(8);
/// A transfer without progress for this long is considered dead.
const STALL_TIMEOUT: Duration = Duration::from_secs(12);
/// Limit of one call with its body: one part at 1 Mbit/s.
const CALL_TIMEOUT: Duration = Duration::from_secs(48);
/// A call is retried only within this time after the first try, so that it ends within a minute.
const RETRY_WITHIN: Duration = Duration::from_secs(10);
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Limit of the cleanup after a failure, which must not delay the report of that failure.
const CLEAR_TIMEOUT: Duration = Duration::from_secs(3);
/// S3's minimum size of a multipart part, except the last.
/// Small in tests.
pub const PART_BYTES: usize = if cfg!(test) {
    256 * 1024
} else {
    5 * 1024 * 1024
};
/// Objects are read in ranges of this length, each with its own time limit. An encrypted piece of a
/// picture fits into one range. Small in tests.
const RANGE_BYTES: u64 = if cfg!(test) {
    128 * 1024
} else {
    4 * 1024 * 1024 + 64 * 1024
};
/// Bytes between two looks at the stop flag within a transfer.
const SLICE_BYTES: usize = 16 * 1024;
/// Object with which [`Bucket`] finds out whether the storage verifies checksums. Removed at once.
const CHECKSUM_PROBE: &str = "checksum-probe";
const CHECKSUM: &str = "x-amz-checksum-sha256";
/// Largest object that is read: the rows of a site, or a photograph.
const OBJECT_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Maximum of pages of one listing, with 1,000 names each.
const LIST_PAGES_MAX: usize = 1_000;

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

/// Ends the transfers of a [`Bucket`] when the server stops. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    fn check(&self) -> Result<(), StorageError> {
        if self.is_stopped() {
            return Err(StorageError::Stopped);
        }
        Ok(())
    }
}

/// Reads a request body in slices and fails once the server stops.
struct StoppableBody<'a> {
    rest: &'a [u8],
    stop: &'a StopFlag,
}

impl Read for StoppableBody<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_stopped() {
            return Err(io::Error::other("the server stops"));
        }
        let end = buffer.len().min(SLICE_BYTES);
        self.rest.read(buffer.get_mut(..end).unwrap_or_default())
    }
}

/// Condition of a `PUT` on the object that it replaces (RFC 9110, section 13.1). A storage without
/// conditional writes ignores it.
#[derive(Debug, Clone, Copy)]
pub enum Precondition<'a> {
    /// The object does not exist.
    Absent,
    /// The object has this entity tag.
    Tag(&'a str),
}

impl<'a> Precondition<'a> {
    const fn header(self) -> (&'static str, &'a str) {
        match self {
            Self::Absent => ("if-none-match", "*"),
            Self::Tag(tag) => ("if-match", tag),
        }
    }
}

/// A range of an object, or all of it if the server ignores ranges.
struct Range {
    bytes: Vec<u8>,
    /// Length of the object; `None` if `bytes` is all of it.
    total: Option<u64>,
    tag: Option<String>,
}

pub struct Bucket {
    agent: Agent,
    signer: Signer,
    credentials: Credentials,
    prefix: String,
    stop: StopFlag,
    /// Whether the storage verifies checksums, once that is known.
    has_checksums: Mutex<Option<bool>>,
    /// Compared with the `Date` of each answer.
    clock: Option<Clock>,
}

impl Bucket {
    pub fn new(space: &S3Location) -> Result<Self, StorageError> {
        Self::with_call_timeout(space, CALL_TIMEOUT)
    }

    /// `call_timeout` limits one call with its body.
    pub fn with_call_timeout(
        space: &S3Location,
        call_timeout: Duration,
    ) -> Result<Self, StorageError> {
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
            .timeout_global(Some(call_timeout))
            .max_idle_connections(1)
            .user_agent(concat!("respiro/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Ok(Self {
            agent,
            signer,
            credentials: Credentials::new(&space.access_key, &space.secret_key),
            prefix: space.prefix.clone(),
            stop: StopFlag::default(),
            has_checksums: Mutex::default(),
            clock: None,
        })
    }

    /// Compares this clock with the `Date` of each answer.
    #[must_use]
    pub fn with_clock(self, clock: &Clock) -> Self {
        Self {
            clock: Some(clock.clone()),
            ..self
        }
    }

    /// Ends the calls and transfers of this bucket once `stop` is set.
    #[must_use]
    pub fn stopped_by(self, stop: StopFlag) -> Self {
        Self { stop, ..self }
    }

    /// Fails once the server stops.
    pub fn check_stop(&self) -> Result<(), StorageError> {
        self.stop.check()
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
            self.stop.check()?;
            let answer = send(&self.agent);
            self.observe_clock(&answer);
            let error = match answer {
                Ok(answer) if answer.status().is_success() => return Ok(answer),
                Ok(answer) => refused(answer),
                Err(error) => unreachable(&error),
            };
            self.stop.check()?;
            if !error.is_passing() || started.elapsed() > RETRY_WITHIN {
                return Err(error);
            }
            thread::sleep(RETRY_PAUSE);
        }
    }

    /// Sends a body that ends early once the server stops. Names its length, because S3 takes no
    /// chunked bodies.
    fn send_body(
        &self,
        request: ureq::RequestBuilder<ureq::typestate::WithBody>,
        bytes: &[u8],
    ) -> Result<Response<Body>, ureq::Error> {
        let mut body = StoppableBody {
            rest: bytes,
            stop: &self.stop,
        };
        request
            .header("content-length", bytes.len().to_string())
            .send(SendBody::from_reader(&mut body))
    }

    fn observe_clock(&self, answer: &Result<Response<Body>, ureq::Error>) {
        if let (Some(clock), Ok(answer)) = (&self.clock, answer)
            && let Some(date) = date_of(answer)
        {
            clock.observe_date(TimeSource::ObjectStorage, date);
        }
    }

    pub fn get(&self, name: &str) -> Result<Vec<u8>, StorageError> {
        Ok(self.get_tagged(name, OBJECT_BYTES_MAX)?.0)
    }

    /// Returns an object of at most `bytes_max` with its entity tag, if the server names one.
    pub fn get_tagged(
        &self,
        name: &str,
        bytes_max: u64,
    ) -> Result<(Vec<u8>, Option<String>), StorageError> {
        let mut whole = Vec::new();
        let tag = self.read(name, bytes_max, &mut |bytes| {
            if whole.is_empty() {
                whole = bytes;
            } else {
                whole.extend(bytes);
            }
            true
        })?;
        Ok((whole, tag))
    }

    /// Whether the bytes of an object are these.
    fn is_equal(&self, name: &str, bytes: &[u8]) -> Result<bool, StorageError> {
        let mut rest = Some(bytes);
        self.read(name, OBJECT_BYTES_MAX, &mut |part| {
            rest = rest.and_then(|rest| rest.strip_prefix(part.as_slice()));
            rest.is_some()
        })?;
        Ok(rest.is_some_and(<[u8]>::is_empty))
    }

    /// Reads an object range by range, so that each has the time limit of one call, until `each`
    /// returns `false`. Returns the entity tag.
    fn read(
        &self,
        name: &str,
        bytes_max: u64,
        each: &mut dyn FnMut(Vec<u8>) -> bool,
    ) -> Result<Option<String>, StorageError> {
        let key = self.key(name);
        let too_large = || StorageError::Damaged(format!("{name} is too large"));
        let mut from = 0;
        loop {
            let range = self.range(&key, from, bytes_max.saturating_sub(from))?;
            from = from.saturating_add(range.bytes.len() as u64);
            let is_end = range.total.is_none_or(|total| from >= total);
            if range.total.is_some_and(|total| total > bytes_max) {
                return Err(too_large());
            }
            let has_ended = !is_end && range.bytes.is_empty();
            if !each(range.bytes) || is_end {
                return Ok(range.tag);
            }
            if has_ended {
                return Err(StorageError::Network("an answer ends too early".into()));
            }
        }
    }

    fn range(&self, key: &str, from: u64, bytes_max: u64) -> Result<Range, StorageError> {
        let started = Instant::now();
        let wanted = format!("bytes={from}-{}", from.saturating_add(RANGE_BYTES - 1));
        loop {
            let action = self.signer.get_object(Some(&self.credentials), key);
            let ask = |agent: &Agent| {
                let request = agent.get(action.sign(SIGNED).as_str());
                request.header("range", &wanted).call()
            };
            let mut answer = match self.call_since(started, &ask) {
                // No range of an empty object can be read.
                Err(StorageError::EmptyRange) if from == 0 => {
                    return Ok(Range {
                        bytes: Vec::new(),
                        total: None,
                        tag: None,
                    });
                }
                answer => answer?,
            };
            let total = total_of(&answer);
            // The server ignores ranges: skip what was read already.
            let skipped = if total.is_some() { 0 } else { from };
            let tag = header(&answer, "etag").map(str::to_owned);
            match self.read_body(&mut answer, bytes_max.saturating_add(skipped)) {
                Ok(mut bytes) => {
                    bytes.drain(
                        ..bytes
                            .len()
                            .min(usize::try_from(skipped).unwrap_or(usize::MAX)),
                    );
                    return Ok(Range { bytes, total, tag });
                }
                Err(error) if !error.is_passing() || started.elapsed() > RETRY_WITHIN => {
                    return Err(error);
                }
                Err(_) => thread::sleep(RETRY_PAUSE),
            }
        }
    }

    /// Reads a response body of at most `bytes_max`; fails once the server stops.
    fn read_body(
        &self,
        answer: &mut Response<Body>,
        bytes_max: u64,
    ) -> Result<Vec<u8>, StorageError> {
        let mut reader = answer.body_mut().as_reader();
        let (mut bytes, mut slice) = (Vec::new(), vec![0; SLICE_BYTES]);
        loop {
            self.stop.check()?;
            let read = reader
                .read(&mut slice)
                .map_err(|error| unreachable(&ureq::Error::from(error)))?;
            if read == 0 {
                return Ok(bytes);
            }
            bytes.extend_from_slice(slice.get(..read).unwrap_or_default());
            if bytes.len() as u64 > bytes_max {
                return Err(StorageError::Damaged("an object is too large".to_owned()));
            }
        }
    }

    /// Uploads an object. Large objects go in parts, each retried on its own.
    fn put_with(
        &self,
        name: &str,
        bytes: &[u8],
        checksum: Option<&str>,
    ) -> Result<(), StorageError> {
        let key = self.key(name);
        if bytes.len() > PART_BYTES {
            return self.put_parts(&key, bytes);
        }
        let mut action = self.signer.put_object(Some(&self.credentials), &key);
        if let Some(checksum) = checksum {
            action.headers_mut().insert(CHECKSUM, checksum);
        }
        let send = |agent: &Agent| {
            let mut request = agent.put(action.sign(SIGNED).as_str());
            if let Some(checksum) = checksum {
                request = request.header(CHECKSUM, checksum);
            }
            self.send_body(request, bytes)
        };
        self.call(&send).map(drop)
    }

    /// Uploads an object and verifies it: by the checksum that the storage computed, or by reading
    /// it back. Returns whether the stored bytes are these.
    pub fn put_verified(&self, name: &str, bytes: &[u8]) -> Result<bool, StorageError> {
        if bytes.len() <= PART_BYTES && self.has_checksums()? {
            let checksum = checksum_of(bytes);
            self.put_with(name, bytes, Some(&checksum))?;
            if self.stored_checksum(name)? == Some(checksum) {
                return Ok(true);
            }
        } else {
            self.put_with(name, bytes, None)?;
        }
        self.is_equal(name, bytes)
    }

    /// Whether uploads are verified by checksums of the storage, as far as known.
    pub fn trusts_checksums(&self) -> bool {
        let known = self.has_checksums.lock();
        known
            .unwrap_or_else(PoisonError::into_inner)
            .unwrap_or(false)
    }

    /// Returns the checksum that the storage reports for an object, if it does.
    fn stored_checksum(&self, name: &str) -> Result<Option<String>, StorageError> {
        let key = self.key(name);
        let mut action = self.signer.head_object(Some(&self.credentials), &key);
        action
            .headers_mut()
            .insert("x-amz-checksum-mode", "ENABLED");
        let ask = |agent: &Agent| {
            let request = agent.head(action.sign(SIGNED).as_str());
            request.header("x-amz-checksum-mode", "ENABLED").call()
        };
        let answer = self.call(&ask)?;
        Ok(header(&answer, CHECKSUM).map(str::to_owned))
    }

    /// Whether the storage verifies checksums: it takes a right one, reports it, and refuses a
    /// wrong one. Asked once for each bucket.
    fn has_checksums(&self) -> Result<bool, StorageError> {
        let mut known = self
            .has_checksums
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = *known {
            return Ok(known);
        }
        let probed = self.probe_checksums();
        let found = match probed {
            Err(error) if error.is_passing() || error == StorageError::Stopped => {
                return Err(error);
            }
            probed => probed.unwrap_or(false),
        };
        *known = Some(found);
        Ok(found)
    }

    fn probe_checksums(&self) -> Result<bool, StorageError> {
        let (bytes, wrong) = (b"respiro", checksum_of(b"other bytes"));
        let right = checksum_of(bytes);
        self.put_with(CHECKSUM_PROBE, bytes, Some(&right))?;
        let is_reported = self.stored_checksum(CHECKSUM_PROBE).ok().flatten() == Some(right);
        let is_honest = is_reported && self.put_with(CHECKSUM_PROBE, bytes, Some(&wrong)).is_err();
        self.remove(CHECKSUM_PROBE)?;
        Ok(is_honest)
    }

    /// Uploads an object with HTTP headers for browsers that download it directly.
    pub fn put_public(
        &self,
        name: &str,
        bytes: &[u8],
        headers: &[(&'static str, &str)],
    ) -> Result<(), StorageError> {
        self.put_headers(name, bytes, headers).map(drop)
    }

    /// Like `put_public`, under a precondition if the storage honours it. Returns the new entity
    /// tag; [`StorageError::Changed`] if the object changed meanwhile.
    pub fn put_if(
        &self,
        name: &str,
        bytes: &[u8],
        headers: &[(&'static str, &str)],
        precondition: Option<Precondition<'_>>,
    ) -> Result<Option<String>, StorageError> {
        let conditional: Vec<_> = headers
            .iter()
            .copied()
            .chain(precondition.map(Precondition::header))
            .collect();
        match self.put_headers(name, bytes, &conditional) {
            Err(StorageError::NotImplemented) => self.put_headers(name, bytes, headers),
            done => done,
        }
    }

    fn put_headers(
        &self,
        name: &str,
        bytes: &[u8],
        headers: &[(&'static str, &str)],
    ) -> Result<Option<String>, StorageError> {
        let key = self.key(name);
        let action = self.signer.put_object(Some(&self.credentials), &key);
        let send = |agent: &Agent| {
            let mut request = agent.put(action.sign(SIGNED).as_str());
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            self.send_body(request, bytes)
        };
        let answer = self.call(&send)?;
        Ok(header(&answer, "etag").map(str::to_owned))
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
            let answer =
                self.call(&|agent| self.send_body(agent.put(action.sign(SIGNED).as_str()), part))?;
            let tag = header(&answer, "etag")
                .ok_or_else(|| StorageError::Other("a part was taken without a tag".into()))?;
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

fn header<'a>(answer: &'a Response<Body>, name: &str) -> Option<&'a str> {
    answer.headers().get(name)?.to_str().ok()
}

/// Returns the length of the object of which a response holds a range.
fn total_of(answer: &Response<Body>) -> Option<u64> {
    let range = header(answer, "content-range")?;
    let (_, total) = range.rsplit_once('/')?;
    (answer.status() == StatusCode::PARTIAL_CONTENT).then_some(())?;
    total.parse().ok()
}

fn checksum_of(bytes: &[u8]) -> String {
    BASE64.encode(&Sha256::digest(bytes))
}

fn text(answer: &mut Response<Body>) -> Result<String, StorageError> {
    let body = answer.body_mut().with_config().limit(OBJECT_BYTES_MAX);
    let text = body.read_to_string().map_err(|error| unreachable(&error))?;
    Ok(in_namespace(&text))
}

fn date_of(answer: &Response<Body>) -> Option<&str> {
    answer.headers().get("date")?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_storage::Fake;

    /// Regression: an object that had gone up in parts was read back in one call; on a line of
    /// 1 Mbit/s that never ended within its limit.
    #[test]
    fn what_goes_in_parts_comes_back_in_parts_within_the_limit_of_a_call_each() {
        let fake = Fake::start();
        // Sixteen ranges of eight slices: one call takes 0.4 s of its 3 s, all together 6.4 s.
        fake.change(|inside| inside.pace = Duration::from_millis(50));
        let bucket = fake.bucket_with_timeout(Duration::from_secs(3));
        let bytes: Vec<u8> = (0..16 * RANGE_BYTES).map(|at| (at % 251) as u8).collect();
        assert!(bucket.put_verified("a", &bytes).unwrap());
        assert!(bucket.get("a").unwrap() == bytes);
        fake.change(|inside| {
            inside.pace = Duration::ZERO;
            let ranges = inside
                .headers
                .iter()
                .filter(|one| one.contains_key("range"));
            assert_eq!(ranges.count(), 32);
            inside.objects.get_mut("a").unwrap()[2_000_000] ^= 1;
        });
        assert!(!bucket.is_equal("a", &bytes).unwrap());
        fake.change(|inside| {
            inside.objects.get_mut("a").unwrap()[2_000_000] ^= 1;
            inside.objects.get_mut("a").unwrap().push(0);
        });
        assert!(!bucket.is_equal("a", &bytes).unwrap());
        fake.change(|inside| drop(inside.objects.get_mut("a").unwrap().split_off(9)));
        assert!(!bucket.is_equal("a", &bytes).unwrap());
    }

    #[test]
    fn servers_without_ranges_and_empty_objects_are_read() {
        let fake = Fake::start();
        let bytes = vec![7; 3 * usize::try_from(RANGE_BYTES).unwrap()];
        fake.change(|inside| {
            inside.objects.insert("empty".to_owned(), Vec::new());
            inside.objects.insert("a".to_owned(), bytes.clone());
        });
        let bucket = fake.bucket();
        assert_eq!(bucket.get("empty").unwrap(), b"");
        fake.change(|inside| inside.ignores_ranges = true);
        assert!(bucket.get("a").unwrap() == bytes);
        let limited = |bytes_max| bucket.get_tagged("a", bytes_max);
        assert!(limited(bytes.len() as u64).is_ok());
        assert!(matches!(limited(9), Err(StorageError::Damaged(_))));
        fake.change(|inside| inside.ignores_ranges = false);
        assert!(matches!(limited(9), Err(StorageError::Damaged(_))));
    }

    /// The checksum of a storage replaces the reading back only where the storage verifies it.
    #[test]
    fn checksums_are_trusted_where_a_wrong_one_is_refused() {
        for (is_verified, is_echoed, reads) in
            [(true, false, 0), (false, true, 2), (false, false, 2)]
        {
            let fake = Fake::start();
            fake.change(|inside| {
                inside.checksum = is_verified.then_some(checksum_of);
                inside.echoes_checksums = is_echoed;
            });
            let bucket = fake.bucket();
            for name in ["one", "two"] {
                assert!(bucket.put_verified(name, b"bytes").unwrap());
            }
            assert_eq!(fake.names(""), ["one", "two"]);
            fake.change(|inside| {
                let read = inside.calls.iter().filter(|(method, _)| method == "GET");
                assert_eq!(read.count(), reads, "{is_verified} {is_echoed}");
            });
        }
    }

    #[test]
    fn a_precondition_refuses_what_changed_meanwhile() {
        let fake = Fake::start();
        let bucket = fake.bucket();
        let put = |bytes: &[u8], precondition| bucket.put_if("a", bytes, &[], Some(precondition));
        let tag = put(b"one", Precondition::Absent).unwrap().unwrap();
        let absent = put(b"two", Precondition::Absent);
        assert_eq!(absent, Err(StorageError::Changed));
        put(b"two", Precondition::Tag(&tag)).unwrap();
        let stale = put(b"three", Precondition::Tag(&tag));
        assert_eq!(stale, Err(StorageError::Changed));
        fake.change(|inside| inside.ignores_preconditions = true);
        put(b"three", Precondition::Tag(&tag)).unwrap();
    }

    /// Regression: the end of the server waited for calls of up to 45 s, and for their retries.
    #[test]
    fn a_stop_ends_calls_and_transfers() {
        let fake = Fake::start();
        let stop = StopFlag::default();
        let bucket = fake.bucket().stopped_by(stop.clone());
        let flag = stop.clone();
        fake.change(|inside| {
            inside.objects.insert("a".to_owned(), vec![7; 100_000]);
            // The server stops while the answer is under way.
            inside.refuse = Some(Box::new(move |_, _, _| {
                flag.stop();
                false
            }));
        });
        assert_eq!(bucket.get("a"), Err(StorageError::Stopped));
        for done in [
            bucket.get("a").map(drop),
            bucket.put_verified("b", b"b").map(drop),
            bucket.list("").map(drop),
            bucket.remove("a"),
        ] {
            assert_eq!(done, Err(StorageError::Stopped));
        }
        fake.change(|inside| assert_eq!(inside.calls.len(), 1));
        let stop = StopFlag::default();
        let bytes = vec![7; 3 * SLICE_BYTES];
        let mut body = StoppableBody {
            rest: &bytes,
            stop: &stop,
        };
        let mut buffer = vec![0; 10 * SLICE_BYTES];
        assert_eq!(body.read(&mut buffer).unwrap(), SLICE_BYTES);
        stop.stop();
        assert!(body.read(&mut buffer).is_err());
    }
}
