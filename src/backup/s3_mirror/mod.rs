//! Mirrors the published site to a bucket that a static host serves.
//!
//! Uploads only files that differ, assets before the pages that reference them. Removed assets
//! stay for a week, because a visitor may have a page open that references them. The manifest names
//! the machine that owns the bucket (`fencing.rs`): each step reads it first, and again before it
//! removes anything and every few seconds.

pub mod after_publish;

use crate::error::StorageError;
use crate::fencing::{Claim, Owner};
use crate::object_storage::{Bucket, Precondition};
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use respiro_content::{Timestamp, time};
use respiro_db::clock::Clock;
use respiro_publish::static_export::{self, Names, StaticFile};
use respiro_publish::{PageEntry, Pages};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

const FORMAT: u32 = 1;
/// Object that lists the contents of the bucket; visitors do not need it.
const MANIFEST: &str = ".respiro.json";
const GONE_MILLISECONDS: i64 = 7 * 24 * 60 * 60 * 1000;
/// Maximum length of the manifest: 100,000 objects.
const MANIFEST_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// How long a step goes on without a look at the owner of the bucket: the time during which another
/// machine that takes over may still be overwritten.
const OWNER_INTERVAL: Duration = Duration::from_secs(10);
/// The same before the manifest is written.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);
/// Number of uploads after which the manifest is saved; an interrupted first upload resumes there.
const KEPT_EVERY: usize = 100;
/// Compression saves nothing on smaller files.
const PACKED_BYTES_MIN: usize = 512;
/// Type prefixes of files that are stored with gzip, which every browser accepts.
const PACKED: &[&str] = &[
    "text/html",
    "text/css",
    "text/javascript",
    "application/javascript",
    "image/svg",
];

/// Counts of one mirror step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Step {
    pub sent: usize,
    pub removed: usize,
    pub bytes: u64,
}

/// Returns the bytes and the content type of a file, generated on demand.
pub type Make<'a> = &'a mut dyn FnMut(&StaticFile) -> Result<(Vec<u8>, String), StorageError>;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    #[serde(flatten)]
    owner: Owner,
    /// When the owner began its last step that changed something, RFC 3339. Absent in manifests of
    /// older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    objects: BTreeMap<String, Object>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    /// Equal marks mean equal bytes. Empty if the upload is not confirmed.
    mark: String,
    bytes: u64,
    is_page: bool,
    /// Since when no page references the object, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    gone_at: Option<String>,
}

/// The bucket and its known contents.
pub struct Mirror {
    bucket: Bucket,
    known: Option<Manifest>,
    /// Objects that may exist after a failed step, whatever the manifest in the bucket lists.
    unsure: BTreeMap<String, Object>,
    /// Whether the manifest in the bucket lists every object that may exist.
    is_kept: bool,
    /// Entity tag of the manifest in the bucket.
    stored: Stored,
    /// Owner that the manifest in the bucket names, and when that was last verified.
    owner: Owner,
    verified_at: Instant,
    /// Marks of rendered pages: the same page entry has the same bytes.
    seen: BTreeMap<String, (Weak<PageEntry>, String)>,
}

/// Version of the manifest object in the bucket, for the conditional write of the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stored {
    Absent,
    Tag(String),
    /// The storage names no entity tag.
    Untagged,
}

impl Stored {
    fn of(tag: Option<String>) -> Self {
        tag.map_or(Self::Untagged, Self::Tag)
    }

    fn precondition(&self) -> Option<Precondition<'_>> {
        match self {
            Self::Absent => Some(Precondition::Absent),
            Self::Tag(tag) => Some(Precondition::Tag(tag)),
            Self::Untagged => None,
        }
    }
}

impl Mirror {
    pub fn new(bucket: Bucket) -> Self {
        Self {
            bucket,
            known: None,
            unsure: BTreeMap::new(),
            is_kept: true,
            stored: Stored::Untagged,
            owner: Owner::default(),
            verified_at: Instant::now(),
            seen: BTreeMap::new(),
        }
    }

    /// Uploads and removes what differs from `pages`. Skips objects that an earlier, failed step
    /// uploaded. An unreadable file does not stop the others, but the step returns its fault. A
    /// bucket that another machine has taken over stays as it is.
    pub fn step(
        &mut self,
        pages: &Pages,
        files: &[StaticFile],
        clock: &Clock,
        claim: &Claim,
        make: Make<'_>,
    ) -> Result<Step, StorageError> {
        let mut known = self.own(claim, clock.now())?;
        let mut step = Step::default();
        let done = self.announce(&mut known, files);
        let done = done.and_then(|()| self.send(&mut known, pages, files, make, &mut step));
        let done = done.and_then(|unreadable| {
            self.send_lists(&mut known, pages, files, &mut step)?;
            self.remove(&mut known, files, clock, &mut step)?;
            Ok(unreadable)
        });
        // Save the manifest after a failure too, so that uploaded objects are not sent again.
        let is_lost = matches!(
            done,
            Err(StorageError::OtherMachine | StorageError::OtherSite)
        );
        let kept = if is_lost || step == Step::default() && self.is_kept {
            Ok(())
        } else {
            self.keep(&known)
        };
        match (done, kept) {
            (Ok(unreadable), Ok(())) => {
                self.known = Some(known);
                unreadable.map_or(Ok(step), Err)
            }
            (Err(error), _) | (_, Err(error)) => {
                self.unsure = known.objects;
                Err(error)
            }
        }
    }

    /// Returns the contents of the bucket, if this machine owns it, with this machine as the owner.
    fn own(&mut self, claim: &Claim, now: Timestamp) -> Result<Manifest, StorageError> {
        let (there, stored) = self.read_manifest()?;
        claim.check(&there.owner, there.made_at())?;
        self.found(&there.owner, stored);
        let known = self.known.take();
        let mut known = match known.filter(|known| known.owner == there.owner) {
            Some(known) => known,
            None => self.look_again(there)?,
        };
        let owner = claim.succeed(Some(&known.owner));
        if owner != known.owner {
            tracing::info!(epoch = owner.epoch, "this machine publishes to the bucket");
            known.owner = owner;
            self.is_kept = false;
        }
        known.at = Some(time::rfc3339(now));
        Ok(known)
    }

    /// Whether the bucket holds a published site.
    pub fn holds_site(&self) -> Result<bool, StorageError> {
        Ok(self.read_manifest()?.1 != Stored::Absent)
    }

    /// Makes the data file of `claim` the owner of the bucket, whoever owned it: the operator
    /// states that the other machine is off.
    pub fn take_over(&mut self, claim: &Claim, now: Timestamp) -> Result<(), StorageError> {
        let (mut there, stored) = self.read_manifest()?;
        self.found(&there.owner, stored);
        there.owner = claim.succeed(Some(&there.owner));
        there.at = Some(time::rfc3339(now));
        self.write_manifest(&there)
    }

    /// Fails if another machine has taken the bucket over since this step began. Looks at most
    /// once in `interval`.
    fn verify_owner(&mut self, interval: Duration) -> Result<(), StorageError> {
        self.bucket.check_stop()?;
        if self.verified_at.elapsed() < interval {
            return Ok(());
        }
        let (there, stored) = self.read_manifest()?;
        if there.owner != self.owner {
            return Err(StorageError::OtherMachine);
        }
        self.found(&there.owner, stored);
        Ok(())
    }

    fn found(&mut self, owner: &Owner, stored: Stored) {
        self.owner = owner.clone();
        self.stored = stored;
        self.verified_at = Instant::now();
    }

    /// Adds to the contents, as unsent, all objects that a failed step may have uploaded: a page
    /// that is unpublished meanwhile must be removed.
    fn look_again(&mut self, there: Manifest) -> Result<Manifest, StorageError> {
        let mut known = self.look(there)?;
        for (name, object) in std::mem::take(&mut self.unsure) {
            known.objects.entry(name).or_insert(object.unsent());
        }
        Ok(known)
    }

    /// Lists new files in the manifest before their upload, so that it always lists every object.
    fn announce(&mut self, known: &mut Manifest, files: &[StaticFile]) -> Result<(), StorageError> {
        for file in files {
            if !known.objects.contains_key(&file.name) {
                known.note(&file.name, String::new(), 0, file.is_page);
                self.is_kept = false;
            }
        }
        if self.is_kept {
            Ok(())
        } else {
            self.keep(known)
        }
    }

    /// Makes the next step read the contents of the bucket again.
    pub fn forget(&mut self) {
        self.known = None;
    }

    /// Returns the number of objects that are in the bucket as uploaded.
    pub fn count(&self) -> Result<usize, StorageError> {
        let (there, _) = self.read_manifest()?;
        let known = self.look(there)?;
        let objects = known.objects.values();
        Ok(objects.filter(|object| object.is_sent()).count())
    }

    fn read_manifest(&self) -> Result<(Manifest, Stored), StorageError> {
        match self.bucket.get_tagged(MANIFEST, MANIFEST_BYTES_MAX) {
            Ok((bytes, tag)) => Ok((Manifest::parse(&bytes), Stored::of(tag))),
            Err(StorageError::NotThere) => Ok((Manifest::empty(), Stored::Absent)),
            Err(error) => Err(error),
        }
    }

    /// Removes missing objects from the manifest; objects of another size become unsent.
    fn look(&self, mut known: Manifest) -> Result<Manifest, StorageError> {
        let there = self.bucket.list("")?;
        known.objects = known
            .objects
            .into_iter()
            .filter_map(|(name, object)| {
                let is_whole = there.get(&name)?.bytes == object.bytes;
                Some((name, if is_whole { object } else { object.unsent() }))
            })
            .collect();
        Ok(known)
    }

    fn keep(&mut self, known: &Manifest) -> Result<(), StorageError> {
        let kept = self.write_manifest(known);
        self.is_kept = kept.is_ok();
        kept
    }

    /// Writes the manifest if no other machine has changed it since it was read. Reads it first,
    /// because some storages ignore preconditions.
    fn write_manifest(&mut self, known: &Manifest) -> Result<(), StorageError> {
        self.verify_owner(WRITE_INTERVAL)?;
        let bytes =
            serde_json::to_vec(known).map_err(|error| StorageError::Other(error.to_string()))?;
        let headers = [
            ("content-type", "application/json"),
            ("cache-control", "no-store"),
        ];
        let bucket = &self.bucket;
        let put =
            |stored: &Stored| bucket.put_if(MANIFEST, &bytes, &headers, stored.precondition());
        let tag = match put(&self.stored) {
            Err(StorageError::Changed) => {
                // The answer to an earlier try may have been lost, or the storage may have restored
                // another version.
                let (there, stored) = self.read_manifest()?;
                if there.owner != known.owner && there.owner != self.owner {
                    return Err(StorageError::OtherMachine);
                }
                put(&stored)?
            }
            put => put?,
        };
        self.found(&known.owner, Stored::of(tag));
        Ok(())
    }

    /// Uploads changed files. Returns the fault of an unreadable file, if any.
    fn send(
        &mut self,
        known: &mut Manifest,
        pages: &Pages,
        files: &[StaticFile],
        make: Make<'_>,
        step: &mut Step,
    ) -> Result<Option<StorageError>, StorageError> {
        let mut unreadable = None;
        for file in in_order(known, files) {
            self.verify_owner(OWNER_INTERVAL)?;
            let cheap = file.mark(pages).or_else(|| self.mark_of(file));
            if cheap.is_some_and(|mark| known.has(&file.name, &mark)) {
                continue;
            }
            let (bytes, content_type) = match make(file) {
                Err(error @ StorageError::Unreadable(_)) => {
                    tracing::warn!(file = file.name, ?error, "not sent to the bucket");
                    self.withdraw_outdated(known, pages, file, step)?;
                    unreadable = Some(error);
                    continue;
                }
                content => content?,
            };
            let mark = file.mark(pages).unwrap_or_else(|| hash(&bytes));
            if let Some(page_entry) = file.page_entry() {
                let seen = (Arc::downgrade(page_entry), mark.clone());
                self.seen.insert(file.name.clone(), seen);
            }
            if known.has(&file.name, &mark) {
                continue;
            }
            let sent = self.put(&file.name, &bytes, &content_type, file.cache_control)?;
            known.note(&file.name, mark, sent, file.is_page);
            step.sent += 1;
            step.bytes += sent;
            if step.sent.is_multiple_of(KEPT_EVERY) {
                self.keep(known)?;
            }
        }
        Ok(unreadable)
    }

    /// Replaces a page in the bucket that cannot be rendered and that shows what was removed or
    /// changed since; removes such a file.
    fn withdraw_outdated(
        &mut self,
        known: &mut Manifest,
        pages: &Pages,
        file: &StaticFile,
        step: &mut Step,
    ) -> Result<(), StorageError> {
        let object = known.objects.get(&file.name);
        let may_exist = object.is_some_and(|object| object.bytes > 0);
        let seen = self.seen.get(&file.name);
        let is_current = file
            .page_entry()
            .zip(seen)
            .is_some_and(|(page_entry, (former, _))| page_entry.falls_back_on(former, pages));
        if !may_exist || is_current {
            return Ok(());
        }
        self.seen.remove(&file.name);
        if !file.is_page {
            self.bucket.remove(&file.name)?;
            known.note(&file.name, String::new(), 0, false);
            step.removed += 1;
            return Ok(());
        }
        let page = static_export::renewal_page();
        let mark = hash(&page);
        if !known.has(&file.name, &mark) {
            let sent = self.put(&file.name, &page, "text/html; charset=utf-8", "no-store")?;
            known.note(&file.name, mark, sent, true);
            step.sent += 1;
            step.bytes += sent;
        }
        Ok(())
    }

    /// Uploads `_redirects` and `_headers`, which some static hosts read.
    fn send_lists(
        &mut self,
        known: &mut Manifest,
        pages: &Pages,
        files: &[StaticFile],
        step: &mut Step,
    ) -> Result<(), StorageError> {
        self.verify_owner(OWNER_INTERVAL)?;
        let lists = [
            (LISTS[0], static_export::redirects(pages)),
            (LISTS[1], static_export::headers(files)),
        ];
        for (name, text) in lists {
            let mark = hash(text.as_bytes());
            if !known.has(name, &mark) {
                let sent = self.put(
                    name,
                    text.as_bytes(),
                    "text/plain; charset=utf-8",
                    "no-cache",
                )?;
                known.note(name, mark, sent, true);
                step.sent += 1;
                step.bytes += sent;
            }
        }
        Ok(())
    }

    /// Returns the mark of a page that has not changed since it was rendered.
    fn mark_of(&self, file: &StaticFile) -> Option<String> {
        let (seen, mark) = self.seen.get(&file.name)?;
        let same = Arc::ptr_eq(&seen.upgrade()?, file.page_entry()?);
        same.then(|| mark.clone())
    }

    /// Uploads a file, compressed if it is text. Returns the number of bytes sent.
    fn put(
        &self,
        name: &str,
        bytes: &[u8],
        content_type: &str,
        cache_control: &str,
    ) -> Result<u64, StorageError> {
        let mut headers = vec![
            ("content-type", content_type),
            ("cache-control", cache_control),
        ];
        let is_text = PACKED.iter().any(|start| content_type.starts_with(start));
        let packed = (is_text && bytes.len() >= PACKED_BYTES_MIN).then(|| packed(bytes));
        if packed.is_some() {
            headers.push(("content-encoding", "gzip"));
        }
        let bytes = packed.as_deref().unwrap_or(bytes);
        self.bucket.put_public(name, bytes, &headers)?;
        Ok(bytes.len() as u64)
    }

    /// Removes unpublished pages at once, and unreferenced assets after a week, unless the clock is
    /// doubted.
    fn remove(
        &mut self,
        known: &mut Manifest,
        files: &[StaticFile],
        clock: &Clock,
        step: &mut Step,
    ) -> Result<(), StorageError> {
        let (now, trusted) = (clock.now(), clock.trusted());
        let is_week_old = |at| {
            let now = trusted.as_ref();
            now.is_some_and(|now| now.age_of(at) > GONE_MILLISECONDS)
        };
        let present: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let mut due = Vec::new();
        for (name, object) in &mut known.objects {
            if present.contains(name.as_str()) || LISTS.contains(&name.as_str()) {
                continue;
            }
            let since = object.gone_at.as_deref().and_then(time::parse_rfc3339);
            match since {
                _ if object.is_page => due.push(name.clone()),
                Some(at) if is_week_old(at) => due.push(name.clone()),
                Some(_) => {}
                None => {
                    object.gone_at = Some(time::rfc3339(now));
                    step.removed += 1;
                }
            }
        }
        if !due.is_empty() {
            self.verify_owner(Duration::ZERO)?;
        }
        for name in due {
            self.verify_owner(OWNER_INTERVAL)?;
            self.bucket.remove(&name)?;
            known.objects.remove(&name);
            self.seen.remove(&name);
            step.removed += 1;
        }
        Ok(())
    }
}

const LISTS: [&str; 2] = ["_redirects", "_headers"];

/// Puts new pages before existing ones: an overview must not link to a page that does not exist.
fn in_order<'a>(known: &Manifest, files: &'a [StaticFile]) -> Vec<&'a StaticFile> {
    let is_there = |file: &StaticFile| known.objects.get(&file.name).is_some_and(Object::is_sent);
    let mut files: Vec<&StaticFile> = files.iter().collect();
    files.sort_by_key(|file| file.page_entry().map(|_| is_there(file)));
    files
}

impl Object {
    /// Clears the mark: the object may exist, with unknown bytes.
    fn unsent(self) -> Self {
        Self {
            mark: String::new(),
            ..self
        }
    }

    fn is_sent(&self) -> bool {
        !self.mark.is_empty()
    }
}

impl Manifest {
    fn empty() -> Self {
        Self {
            format: FORMAT,
            ..Self::default()
        }
    }

    /// Parses the manifest. An unreadable one counts as empty; its objects are uploaded again.
    /// Leaves out names that lead out of the prefix.
    fn parse(bytes: &[u8]) -> Self {
        let mut parsed: Self = serde_json::from_slice(bytes).unwrap_or_default();
        if parsed.format != FORMAT {
            return Self::empty();
        }
        parsed.objects.retain(|name, _| is_inside(name));
        parsed
    }

    /// When the owner wrote it; the earliest time if the manifest does not say.
    fn made_at(&self) -> Timestamp {
        let at = self.at.as_deref().and_then(time::parse_rfc3339);
        at.unwrap_or(Timestamp::MIN)
    }

    /// Whether the object exists with this mark. Clears `gone_at`, because a page references it.
    fn has(&mut self, name: &str, mark: &str) -> bool {
        let object = self
            .objects
            .get_mut(name)
            .filter(|object| object.mark == mark);
        object.is_some_and(|object| {
            object.gone_at = None;
            true
        })
    }

    fn note(&mut self, name: &str, mark: String, bytes: u64, is_page: bool) {
        let object = Object {
            mark,
            bytes,
            is_page,
            gone_at: None,
        };
        self.objects.insert(name.to_owned(), object);
    }
}

/// Whether an object of this name lies below the prefix, however a server reads the name.
fn is_inside(name: &str) -> bool {
    !name.contains('\\') && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Reads the manifest of a mirror, whatever its bytes. For the fuzzer.
#[doc(hidden)]
pub fn parse_any(bytes: &[u8]) -> usize {
    Manifest::parse(bytes).objects.len()
}

/// Returns the files of the site in upload order.
pub fn files(site: &respiro_publish::Publisher, pages: &Pages) -> Vec<StaticFile> {
    static_export::files(site, pages, Names::Folders)
}

fn hash(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Compresses with gzip, without name and time, so that equal bytes give equal output.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_storage::Fake;
    use respiro_content::{Changes, Entry, Item, Pictures, Snapshot, collection_by_slug};
    use respiro_db::Store;
    use respiro_publish::{Bundle, Publisher};
    use serde_json::json;

    const PAGE: &str = "chi-sono/index.html";
    const BUNDLE: &str = "
        globalThis.respiro = {
          routes: () => JSON.stringify([{ page: 'a', path: '/', kind: 'page' },
            { page: 'a', path: '/chi-sono', kind: 'page',
              reads: [{ name: 'all', of: 'events', how: 'first', count: 9 }] },
            { page: 'a', path: '/a', kind: 'page' },
            { page: 'a', path: '/404', kind: 'missing', status: 404, prefix: null }]),
          page: (page, path, input) => ({
            head: '', html: JSON.parse(input).site.publicUrl, entry: '', data: '' }),
        };";

    struct Here {
        fake: Fake,
        site: Publisher,
    }

    impl Here {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(&folder.path().join("data.redb")).unwrap();
            let site = Publisher::start_with(Bundle::of_renderer(BUNDLE)).unwrap();
            let snapshot = store
                .read(|reader| reader.snapshot("http://a", Box::leak(Box::default())))
                .unwrap();
            site.publish(snapshot, 0).unwrap();
            let fake = Fake::start();
            Self { fake, site }
        }

        /// Runs a step with the files that `is_there` accepts; each contains `bytes` and its name.
        fn step(
            &self,
            mirror: &mut Mirror,
            is_there: impl Fn(&str) -> bool,
            bytes: &str,
        ) -> Result<Step, StorageError> {
            self.step_at(0, mirror, is_there, bytes)
        }

        fn step_at(
            &self,
            now: Timestamp,
            mirror: &mut Mirror,
            is_there: impl Fn(&str) -> bool,
            bytes: &str,
        ) -> Result<Step, StorageError> {
            self.step_by(&Clock::fixed(now), mirror, is_there, bytes)
        }

        fn step_by(
            &self,
            clock: &Clock,
            mirror: &mut Mirror,
            is_there: impl Fn(&str) -> bool,
            bytes: &str,
        ) -> Result<Step, StorageError> {
            let pages = self.site.pages().unwrap();
            let mut files = files(&self.site, &pages);
            files.retain(|file| is_there(&file.name));
            self.step_as(&own(), &files, clock, mirror, bytes)
        }

        fn step_as(
            &self,
            claim: &Claim,
            files: &[StaticFile],
            clock: &Clock,
            mirror: &mut Mirror,
            bytes: &str,
        ) -> Result<Step, StorageError> {
            let pages = self.site.pages().unwrap();
            mirror.step(&pages, files, clock, claim, &mut |file| match bytes {
                "broken" if file.name == PAGE => Err(StorageError::Unreadable(file.name.clone())),
                _ => Ok((format!("{bytes} {}", file.name).into(), "text/html".into())),
            })
        }

        fn mirror(&self) -> Mirror {
            Mirror::new(self.fake.bucket())
        }

        fn has(&self, name: &str) -> bool {
            self.fake.names(name).contains(&name.to_owned())
        }
    }

    fn machine(instances: &[&str]) -> Claim {
        let instances = instances.iter().map(|one| (*one).to_owned()).collect();
        Claim::new(&[1; 32], None, instances)
    }

    fn own() -> Claim {
        machine(&["a"])
    }

    /// Regression: a retired machine that woke up put its old pages back and deleted those that
    /// only its replacement had.
    #[test]
    fn a_machine_that_wakes_changes_nothing_of_its_replacement() {
        for ignores_preconditions in [false, true] {
            let here = Here::new();
            here.fake
                .change(|inside| inside.ignores_preconditions = ignores_preconditions);
            let (mut one, mut two) = (here.mirror(), here.mirror());
            let pages = here.site.pages().unwrap();
            let all = files(&here.site, &pages);
            let without_page = || {
                let mut files = files(&here.site, &pages);
                files.retain(|file| file.name != PAGE);
                files
            };
            let (former, copied) = (machine(&["a"]), machine(&["a", "b"]));
            here.step_as(
                &former,
                &without_page(),
                &Clock::fixed(0),
                &mut one,
                "former",
            )
            .unwrap();
            here.step_as(&copied, &all, &Clock::fixed(0), &mut two, "new")
                .unwrap();
            let there = || {
                let mut objects = BTreeMap::new();
                here.fake
                    .change(|inside| objects.clone_from(&inside.objects));
                objects
            };
            let (after, restarted) = (there(), machine(&["a", "c"]));
            for claim in [&former, &restarted] {
                let woken =
                    here.step_as(claim, &without_page(), &Clock::fixed(0), &mut one, "former");
                assert_eq!(woken.unwrap_err(), StorageError::OtherMachine);
                assert!(there() == after);
                one = here.mirror();
            }
            // The machines take turns only if the operator says so.
            here.mirror().take_over(&restarted, 0).unwrap();
            let taken = here.step_as(&copied, &all, &Clock::fixed(0), &mut two, "new");
            assert_eq!(taken.unwrap_err(), StorageError::OtherMachine);
            here.step_as(
                &restarted,
                &without_page(),
                &Clock::fixed(0),
                &mut one,
                "former",
            )
            .unwrap();
            assert!(!here.has(PAGE));
            let stranger = Claim::new(&[2; 32], None, vec!["d".to_owned()]);
            let refused = here.step_as(
                &stranger,
                &all,
                &Clock::fixed(0),
                &mut here.mirror(),
                "other",
            );
            assert_eq!(refused.unwrap_err(), StorageError::OtherSite);
        }
    }

    /// The other machine takes over between two uploads of a step.
    #[test]
    fn a_machine_that_loses_the_bucket_in_a_step_leaves_the_manifest_alone() {
        let here = Here::new();
        let pages = here.site.pages().unwrap();
        let all = files(&here.site, &pages);
        let (former, copied) = (machine(&["a"]), machine(&["a", "b"]));
        let (mut one, mut two) = (here.mirror(), here.mirror());
        here.step_as(&former, &all, &Clock::fixed(0), &mut one, "former")
            .unwrap();
        let mut of_former = BTreeMap::new();
        here.fake
            .change(|inside| of_former.clone_from(&inside.objects));
        here.step_as(&copied, &all, &Clock::fixed(0), &mut two, "new")
            .unwrap();
        let mut manifest = Vec::new();
        here.fake.change(|inside| {
            manifest = std::mem::replace(&mut inside.objects, of_former)[MANIFEST].clone();
            let taken = manifest.clone();
            inside.refuse = Some(Box::new(move |objects, method, key| {
                if method == "PUT" && key == PAGE {
                    objects.insert(MANIFEST.to_owned(), taken.clone());
                }
                false
            }));
        });
        let mut one = here.mirror();
        let lost = here.step_as(&former, &all, &Clock::fixed(0), &mut one, "later");
        assert_eq!(lost.unwrap_err(), StorageError::OtherMachine);
        here.fake
            .change(|inside| assert!(inside.objects[MANIFEST] == manifest));
    }

    /// Regression: names in the manifest were deleted as they stood.
    #[test]
    fn names_that_lead_out_of_the_prefix_are_ignored() {
        let names = [
            "../a",
            "a/../../b",
            "/a",
            "a//b",
            "",
            "a\\..\\b",
            "./a",
            "a/b.c",
        ];
        let objects = names.map(|name| {
            (
                name.to_owned(),
                json!({ "mark": "m", "bytes": 1, "isPage": true }),
            )
        });
        let manifest = json!({ "format": 1, "objects": BTreeMap::from(objects) });
        let manifest = Manifest::parse(manifest.to_string().as_bytes());
        assert_eq!(manifest.objects.into_keys().collect::<Vec<_>>(), ["a/b.c"]);
    }

    /// Regression: the home page and the list were uploaded before the event page they link to.
    #[test]
    fn a_new_page_is_there_before_those_that_name_it() {
        let here = Here::new();
        here.step(&mut here.mirror(), |name| name != PAGE, "a")
            .unwrap();
        here.fake.change(|inside| inside.calls.clear());
        here.step(&mut here.mirror(), |_| true, "b").unwrap();
        here.fake.change(|inside| {
            let put = |wanted: &str| {
                let mut calls = inside.calls.iter();
                calls
                    .position(|(method, key)| method == "PUT" && key == wanted)
                    .unwrap()
            };
            assert!(put(PAGE) < put("404.html").min(put("index.html")));
            assert!(put(PAGE) < put("a/index.html"));
        });
    }

    /// Regression: a page uploaded just before the bucket refused writes, and then unpublished,
    /// stayed public forever, because no manifest listed it.
    #[test]
    fn a_page_that_is_taken_back_goes_also_after_a_failure() {
        for restarted in [false, true] {
            let here = Here::new();
            let mut mirror = here.mirror();
            here.step(&mut mirror, |name| name != PAGE, "a").unwrap();
            here.fake.change(|inside| {
                inside.refuse = Some(Box::new(|objects, method, key| {
                    method == "PUT" && key == MANIFEST && objects.contains_key(PAGE)
                }));
            });
            assert!(here.step(&mut mirror, |_| true, "a").is_err());
            assert!(here.has(PAGE));
            here.fake.change(|inside| inside.refuse = None);
            if restarted {
                mirror = here.mirror();
            }
            here.step(&mut mirror, |name| name != PAGE, "a").unwrap();
            assert!(!here.has(PAGE), "restarted: {restarted}");
        }
    }

    /// The manifest lists a file before the file is uploaded.
    #[test]
    fn nothing_new_goes_while_its_name_cannot_be_kept() {
        let here = Here::new();
        let mut mirror = here.mirror();
        here.fake.change(|inside| {
            inside.refuse = Some(Box::new(|_, method, key| {
                method == "PUT" && key == MANIFEST
            }));
        });
        for _ in 0..2 {
            assert!(here.step(&mut mirror, |_| true, "a").is_err());
            assert_eq!(here.fake.names(""), Vec::<String>::new());
        }
        here.fake.change(|inside| inside.refuse = None);
        let step = here.step(&mut mirror, |_| true, "a").unwrap();
        assert_eq!(here.mirror().count().unwrap(), step.sent);
        let nothing = here.step(&mut mirror, |_| true, "a").unwrap();
        assert_eq!(nothing, Step::default());
        // Foreign bytes under the name of a page are replaced.
        here.fake
            .change(|inside| *inside.objects.get_mut(PAGE).unwrap() = Vec::new());
        assert_eq!(here.mirror().count().unwrap(), step.sent - 1);
        assert_eq!(
            here.step(&mut here.mirror(), |_| true, "a").unwrap().sent,
            1
        );
    }

    /// A page that a visitor still has open may reference the file.
    #[test]
    fn a_file_that_is_gone_goes_after_a_week_and_a_page_at_once() {
        const FILE: &str = "robots.txt";
        const DAY: Timestamp = 24 * 60 * 60 * 1000;
        let here = Here::new();
        here.step(&mut here.mirror(), |_| true, "a").unwrap();
        let is_there = |name: &str| name != FILE && name != PAGE;
        for (day, is_kept) in [(1, true), (5, true), (8, true), (9, false)] {
            here.step_at(day * DAY, &mut here.mirror(), is_there, "a")
                .unwrap();
            assert!(here.has(FILE) == is_kept && !here.has(PAGE), "day {day}");
        }
    }

    #[test]
    fn a_file_that_is_gone_stays_while_the_clock_is_doubted_and_a_page_does_not() {
        const FILE: &str = "robots.txt";
        const DAY: Timestamp = 24 * 60 * 60 * 1000;
        let here = Here::new();
        let clock = Clock::fixed(DAY);
        let step = |is_there: &dyn Fn(&str) -> bool| {
            here.step_by(&clock, &mut here.mirror(), is_there, "a")
                .unwrap();
        };
        step(&|_| true);
        step(&|name| name != FILE);
        clock.pass(8 * DAY);
        clock.set_off(40 * DAY);
        step(&|name| name != FILE && name != PAGE);
        assert!(here.has(FILE) && !here.has(PAGE));
        clock.set_off(0);
        step(&|name| name != FILE && name != PAGE);
        assert!(!here.has(FILE));
    }

    /// Regression: one unreadable picture stopped all uploads.
    #[test]
    fn what_cannot_be_read_holds_up_nothing_else() {
        let here = Here::new();
        let mut mirror = here.mirror();
        let told = here.step(&mut mirror, |_| true, "broken").unwrap_err();
        assert_eq!(told, StorageError::Unreadable(PAGE.to_owned()));
        assert!(here.has("index.html") && here.has("_headers") && !here.has(PAGE));
        let step = here.step(&mut mirror, |_| true, "a").unwrap();
        assert!(step.sent > 0 && here.has(PAGE));
    }

    /// Regression: a page that could not be rendered stayed in the bucket with a text that had been
    /// withdrawn.
    #[test]
    fn a_page_that_cannot_be_read_stays_only_while_nothing_in_it_was_removed() {
        let here = Here::new();
        let mut mirror = here.mirror();
        let publish = |ids: &[&str], failures: u32| {
            let pages = here.site.pages().unwrap();
            let mut snapshot = Snapshot::clone(&pages.snapshot);
            let events = collection_by_slug("events").unwrap();
            let entry = |id: &&str| {
                let body = json!({ "title": id, "published": true });
                let changes = Changes::parse(events, body.as_object().unwrap()).unwrap();
                let item = Item::create(events, changes, (*id).to_owned(), 0, 1).unwrap();
                let entry = Entry::new(events, item, Pictures::new());
                ((*id).to_owned(), Some(entry))
            };
            snapshot.lists.clear();
            snapshot.apply(events, ids.iter().map(entry).collect());
            snapshot.share_unchanged(&pages.snapshot);
            here.site.fail_next_renders(failures);
            here.site.publish(snapshot, 0).unwrap();
        };
        let stored = || {
            let mut bytes = Vec::new();
            here.fake
                .change(|inside| bytes.clone_from(&inside.objects[PAGE]));
            bytes
        };
        publish(&["uno"], 0);
        assert_eq!(here.site.page("/chi-sono").unwrap().status, 200);
        here.step(&mut mirror, |_| true, "a").unwrap();
        let former = stored();
        publish(&["uno", "due"], u32::MAX);
        here.step(&mut mirror, |_| true, "broken").unwrap_err();
        assert_eq!(stored(), former);
        publish(&["due"], u32::MAX);
        here.step(&mut mirror, |_| true, "broken").unwrap_err();
        assert_eq!(stored(), packed(&static_export::renewal_page()));
        here.fake.change(|inside| inside.calls.clear());
        here.step(&mut mirror, |_| true, "broken").unwrap_err();
        here.fake.change(|inside| {
            let calls = format!("{:?}", inside.calls);
            assert!(!calls.contains(PAGE), "{calls}");
        });
        here.step(&mut mirror, |_| true, "a").unwrap();
        assert_eq!(stored(), former);
    }

    #[test]
    fn golden_list_of_the_bucket() {
        const GOLDEN: &str = concat!(
            r#"{"format":1,"objects":{"a/index.html":{"mark":"m","bytes":7,"isPage":true},"#,
            r#""assets/a.js":{"mark":"n","bytes":8,"isPage":false,"goneAt":"2026-09-21T13:33:20.000Z"}}}"#
        );
        const OWNED: &str = concat!(
            r#"{"format":1,"file":"f","lineage":"l","instance":"i","epoch":7,"#,
            r#""at":"2026-09-21T13:33:20.000Z","objects":{}}"#
        );
        let manifest: Manifest = serde_json::from_str(GOLDEN).unwrap();
        assert_eq!(serde_json::to_string(&manifest).unwrap(), GOLDEN);
        let page = &manifest.objects["a/index.html"];
        assert_eq!(
            (page.mark.as_str(), page.bytes, page.is_page),
            ("m", 7, true)
        );
        let file = &manifest.objects["assets/a.js"];
        assert_eq!(file.gone_at.as_deref(), Some("2026-09-21T13:33:20.000Z"));
        assert_eq!(manifest.owner, Owner::default());
        let owned: Manifest = serde_json::from_str(OWNED).unwrap();
        assert_eq!(serde_json::to_string(&owned).unwrap(), OWNED);
        assert_eq!(owned.owner.epoch, 7);
        assert_eq!((FORMAT, MANIFEST), (1, ".respiro.json"));
        assert_eq!(LISTS, ["_redirects", "_headers"]);
    }
}
