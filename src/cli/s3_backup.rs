//! `backup-key`, and `backup`, `check` and `restore` with a place in object storage.

use super::control_client::{PinnedDataFile, is_server_running, pin_snapshot};
use super::key_sheet::{self, Origin};
use super::s3_options::{BackupOptions, CopyOptions, KeyOptions, StorageOptions};
use super::{eprint_line, megabytes, print_line, restore};
use anyhow::{Context, anyhow, bail};
use respiro_backup::offsite::{
    BackupKind, BackupRef, BackupRepository, Decryptor, Encryptor, Manifest, ManifestKey,
    ManifestSigner, Source, VerifyReport, new_pair, schedule,
};
use respiro_backup::s3_mirror::{Mirror, after_publish};
use respiro_backup::{Bucket, Claim, S3Location, StorageError};
use respiro_content::time;
use respiro_db::clock::Clock;
use respiro_db::fs_util::{
    TempKind, create_private, open_no_follow, random_id, rename_noreplace, temp_path_with_id,
    with_suffix,
};
use respiro_db::{Store, check_snapshot, remove_leftovers};
use respiro_server::config::parse_s3_uri;
use respiro_server::control::requests;
use respiro_server::state::now;
use std::fs;
use std::io::{IsTerminal, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Maximum size of a key file, which holds one line.
const KEY_BYTES_MAX: u64 = 64 * 1024;
/// Number of parts between two progress lines of a copy or restore.
const PROGRESS_EVERY: usize = 100;

/// Generates and prints a key pair. The secret key is shown only this once.
pub fn generate_keys(data: &Path, options: &KeyOptions) -> anyhow::Result<()> {
    let signer = signing_key(data);
    if options.signer {
        let signer = signer.with_context(|| {
            format!(
                "{} cannot be read: name the data file with --data",
                data.display()
            )
        })?;
        return print_line(&signer.identity_line());
    }
    let page = options.page.as_deref();
    let origin = Origin {
        place: options.backup_s3.as_deref(),
        public_url: options.public_url.as_deref(),
    };
    if let Some(place) = origin.place {
        parse_s3_uri(place).map_err(|reason| anyhow!("--backup-s3: s3://… {reason}"))?;
    }
    if !options.to_stdout && !std::io::stdout().is_terminal() {
        bail!(
            "the key would go into a file or a log: run this in a terminal, or add --to-stdout if you mean it"
        );
    }
    let (secret, public) = new_pair();
    if let Some(path) = page {
        let keys = key_sheet::Keys {
            secret: &secret,
            public: &public,
            signer: signer.as_ref(),
        };
        let sheet = key_sheet::render_sheet(&keys, &origin, now());
        let written = create_private(path).and_then(|mut file| file.write_all(sheet.as_bytes()));
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    print_line("a new pair of keys; the secret one is shown once and stored nowhere")?;
    print_line(&format!(
        "secret key (print it, keep it off this machine): {secret}"
    ))?;
    print_line(&format!(
        "public key (for RESPIRO_BACKUP_RECIPIENT): {public}"
    ))?;
    match &signer {
        Some(signer) => print_line(&format!(
            "signature of the copies (a second line for the key file; print it, too): {}",
            signer.identity_line()
        ))?,
        None => print_line(
            "signature of the copies: there is no data file yet; after the first start run \
             `respiro backup-key --signer` and write the line on the printed page",
        )?,
    }
    if let Some(path) = page {
        print_line(&format!(
            "a page to print: {} (delete the file after printing)",
            path.display()
        ))?;
    }
    print_line("without the secret key no copy can be opened, by anybody")
}

/// Returns the key that verifies the copies of a data file; `None` if the file cannot be read.
fn signing_key(data: &Path) -> Option<ManifestKey> {
    let secret = read_data(data, |store| Ok(store.read(|reader| reader.secret())?)).ok()?;
    ManifestSigner::new(&secret)
        .ok()
        .map(|signer| signer.public_key())
}

/// Reads the data file, also while a server has it open.
fn read_data<T>(data: &Path, read: impl FnOnce(&Store) -> anyhow::Result<T>) -> anyhow::Result<T> {
    match pin_snapshot(data)? {
        Some(pinned) => {
            let store = Store::open_snapshot(data, &pinned.header)?;
            pinned.outcome(read(&store))?
        }
        None => read(&Store::look(data)?),
    }
}

/// The keys whose signatures prove that a copy is of this site.
struct TrustedKeys {
    /// The key that the identity file names: every copy needs its signature.
    named: Option<ManifestKey>,
    /// The key of the present data file, if it can be read.
    own: Option<ManifestKey>,
}

impl TrustedKeys {
    fn read(data: &Path, identity: Option<&Identity>) -> Self {
        Self {
            named: identity.and_then(|identity| identity.signer.clone()),
            own: signing_key(data),
        }
    }

    /// Whether a trusted key has signed the manifest; an error if it must have and has not.
    fn prove(&self, manifest: &Manifest) -> Result<bool, StorageError> {
        let signed_by = manifest.signed_by();
        match &self.named {
            Some(_) if signed_by == self.named.as_ref() => Ok(true),
            Some(_) => Err(StorageError::NotSigned),
            None => Ok(signed_by.is_some() && signed_by == self.own.as_ref()),
        }
    }
}

/// Contents of the key file: the age identity, and the public key that signs the manifests.
struct Identity {
    decryptor: Decryptor,
    signer: Option<ManifestKey>,
}

struct Place {
    name: String,
    repository: BackupRepository,
    /// Compared with the answers of the storage.
    clock: Clock,
}

impl Place {
    fn open(text: &str, options: &StorageOptions) -> anyhow::Result<Self> {
        let space = options.space(text).map_err(|reason| anyhow!(reason))?;
        Self::of(&space)
    }

    fn of(space: &S3Location) -> anyhow::Result<Self> {
        let name = space.place();
        if space.endpoint.starts_with("http://") {
            eprint_line(&format!(
                "{name} is reached without TLS: the copy is encrypted, the keys are not; use https://"
            ));
        }
        let bucket = Bucket::new(space);
        let bucket = bucket.map_err(|error| anyhow!(error.operator_message(&name)))?;
        let clock = Clock::default();
        Ok(Self {
            repository: BackupRepository::new(bucket.with_clock(&clock)),
            name,
            clock,
        })
    }

    fn check<T>(&self, done: Result<T, StorageError>) -> anyhow::Result<T> {
        done.map_err(|error| anyhow!(error.operator_message(&self.name)))
    }

    /// Returns the message for a full storage, with the time of the last good copy.
    fn full(&self) -> String {
        let told = StorageError::Full.operator_message(&self.name);
        let newest = self
            .repository
            .all()
            .ok()
            .and_then(|all| all.into_iter().next());
        newest.map_or_else(
            || format!("{told}; there is no copy yet"),
            |copy| {
                format!(
                    "{told}; the last good copy is of {}",
                    time::rfc3339(copy.at)
                )
            },
        )
    }

    /// Lists all copies with data from their manifests.
    fn list(&self) -> anyhow::Result<()> {
        let all = self.check(self.repository.all())?;
        if all.is_empty() {
            bail!(self.none());
        }
        print_line(&format!("copies at {}, newest first", self.name))?;
        for copy in all {
            let at = time::rfc3339(copy.at);
            match self.repository.manifest(&copy) {
                Ok(manifest) => print_line(&format!(
                    "{at}\t{}\t{} items\t{}",
                    megabytes(manifest.bytes()),
                    manifest.items,
                    manifest.about()
                ))?,
                Err(StorageError::Damaged(_) | StorageError::NotThere) => {
                    print_line(&format!("{at}\tcannot be read"))?;
                }
                Err(error) => bail!(error.operator_message(&self.name)),
            }
        }
        Ok(())
    }

    fn none(&self) -> String {
        format!("there is no copy at {}: check bucket and prefix", self.name)
    }

    /// Returns the manifest of a copy, once its origin is proved or the operator accepts it.
    fn accepted_manifest(
        &self,
        copy: &BackupRef,
        trusted: &TrustedKeys,
        yes: bool,
    ) -> anyhow::Result<Manifest> {
        let manifest = match self.repository.manifest(copy) {
            Err(StorageError::NotThere | StorageError::Damaged(_)) => {
                bail!(explain_damaged(self, copy, 1))
            }
            manifest => self.check(manifest)?,
        };
        match trusted.prove(&manifest) {
            Ok(true) => return Ok(manifest),
            Ok(false) => {}
            Err(_) => bail!(self.explain_not_signed(copy, &manifest, trusted)),
        }
        let at = time::rfc3339(copy.at);
        let signed = manifest.signed_by().map_or_else(
            || "it carries no signature, like those of an older respiro".to_owned(),
            |key| format!("it is signed by {key}, which the key file does not name"),
        );
        let told = format!("the origin of this copy is not proved ({at}): {signed}");
        eprint_line(&told);
        if !yes
            && !restore::ask(
                "go on all the same?",
                &format!("{told}; add --yes to go on"),
            )?
        {
            bail!("nothing was changed");
        }
        Ok(manifest)
    }

    fn explain_not_signed(
        &self,
        copy: &BackupRef,
        manifest: &Manifest,
        trusted: &TrustedKeys,
    ) -> String {
        let at = time::rfc3339(copy.at);
        let signed = manifest.signed_by().map_or_else(
            || "it carries no signature: somebody else made it, or an older respiro".to_owned(),
            |key| format!("{key} signed it: somebody else made it, or another data file"),
        );
        let is_proved = |one: &&BackupRef| {
            let manifest = self.repository.manifest(one);
            manifest.is_ok_and(|manifest| trusted.prove(&manifest) == Ok(true))
        };
        let all = self.repository.all().unwrap_or_default();
        let older = all.iter().filter(|one| one.at < copy.at).find(is_proved);
        let next = older.map_or_else(
            || "no older one is signed by it either".to_owned(),
            |older| {
                format!(
                    "the newest that it signed: --at {}",
                    time::rfc3339(older.at)
                )
            },
        );
        format!(
            "{}: the copy of {at} is not signed by the key that the key file names: {signed}; \
             {next}; a copy without its signature opens only without the line `signed by`",
            self.name
        )
    }

    /// Returns the newest copy that is not later than `at`, or the newest of all.
    fn newest(&self, at: Option<&str>) -> anyhow::Result<BackupRef> {
        let all = self.check(self.repository.all())?;
        let Some(oldest) = all.last().cloned() else {
            bail!(self.none());
        };
        let Some(at) = at else {
            return all.into_iter().next().context("no copy");
        };
        let latest = time::parse_rfc3339(at)
            .with_context(|| format!("{at} is no moment: write it like 2026-11-21T10:00:00Z"))?;
        let found = all.into_iter().find(|copy| copy.at <= latest);
        found.with_context(|| {
            let oldest = time::rfc3339(oldest.at);
            format!("no copy is as old as {at}: the oldest is of {oldest}")
        })
    }
}

/// Uploads a full backup, verifies it, and removes backups outside the retention calendar.
pub fn backup(data: &Path, place: &str, options: &BackupOptions) -> anyhow::Result<()> {
    if options.take_over && take_mirror_over(data, place, options)? {
        return Ok(());
    }
    let encryptor = options
        .storage
        .encryptor()
        .map_err(|reason| anyhow!(reason))?;
    let mut place = Place::open(place, &options.storage)?;
    if options.take_over {
        place.repository = place.repository.taking_over();
    }
    if !data.exists() {
        bail!(
            "{} does not exist: name the data file with --data",
            data.display()
        );
    }
    match pin_snapshot(data)? {
        Some(pinned) => pinned.outcome(send(data, &place, &encryptor, Some(&pinned)))?,
        None => send(data, &place, &encryptor, None),
    }
}

/// Makes this data file the owner of the published site at `place`. Returns `false` if the place
/// holds none.
fn take_mirror_over(data: &Path, place: &str, options: &BackupOptions) -> anyhow::Result<bool> {
    let space = options
        .storage
        .space(place)
        .map_err(|reason| anyhow!(reason))?;
    let place = Place::of(&space)?;
    let mut mirror = Mirror::new(place.check(Bucket::new(&space))?);
    if !place.check(mirror.holds_site())? {
        return Ok(false);
    }
    let note = after_publish::INSTANCES_NOTE;
    let claim = read_data(data, |store| {
        Ok(store.read(|reader| Claim::read(reader, note))?)
    })?;
    if !claim.has_instance() {
        bail!(
            "{} holds a published site, but no server of this data file has tried to publish \
             there: start it with --publish-s3 {} first, then run this again",
            place.name,
            place.name
        );
    }
    place.check(mirror.take_over(&claim, now()))?;
    print_line(&format!(
        "{}: the published site is this data file's; its server brings it into step within five \
         minutes, another machine stops",
        place.name
    ))?;
    Ok(true)
}

fn send(
    data: &Path,
    place: &Place,
    encryptor: &Encryptor,
    pinned: Option<&PinnedDataFile>,
) -> anyhow::Result<()> {
    let checked = match pinned {
        Some(pinned) => check_snapshot(data, &pinned.header),
        None => respiro_db::check(data),
    };
    checked.map_err(|problems| anyhow!("{}: {}", data.display(), problems.join("; ")))?;
    let store = match pinned {
        Some(pinned) => Store::open_snapshot(data, &pinned.header)?,
        None => Store::look(data)?,
    };
    store.read(|reader| place.clock.resume(reader))?;
    let mut taken = store.read(schedule::read_snapshot)?;
    taken.is_by_command = true;
    let mut bytes = |blob| {
        let read = store.read(|reader| schedule::blob(reader, blob));
        read.map_err(|error| schedule::to_storage_error(&error))
    };
    let (repository, now) = (&place.repository, place.clock.now());
    let mut source = Source {
        report_progress: &|there, all| {
            if there.is_multiple_of(PROGRESS_EVERY) {
                eprint_line(&format!("{there} of {all} parts are there"));
            }
        },
        ..Source::of(&mut bytes)
    };
    let sent = match repository.send(encryptor, BackupKind::Full, now, &taken, &mut source) {
        Err(StorageError::Full) => {
            if let Some(now) = place.clock.trusted() {
                place.check(repository.prune(BackupKind::Full, &now))?;
            }
            bail!(place.full());
        }
        sent => place.check(sent)?,
    };
    let verified = if repository.trusts_checksums() {
        "equal by the checksums of the storage"
    } else {
        "read back and equal"
    };
    print_line(&format!(
        "copied to {}: {}, {} objects sent, {} there already; {verified}",
        place.name,
        megabytes(sent.bytes),
        sent.objects,
        sent.known
    ))?;
    let signer = place
        .check(ManifestSigner::new(&taken.secret))?
        .public_key();
    print_line(&format!("signed by {signer}"))?;
    let Some(now) = place.clock.trusted() else {
        return print_line(
            "no old copy is removed: the system time jumped since the data file was last open; \
             see `respiro clock`",
        );
    };
    match place.check(repository.prune(BackupKind::Full, &now))? {
        0 => Ok(()),
        count => print_line(&format!(
            "removed {count} old copies; kept 7 daily, 4 weekly, 12 monthly, those by command for \
             30 days, changes for 2 days"
        )),
    }
}

/// Verifies the newest copy, or that of a given time, without restoring it.
pub fn check(data: &Path, place: &str, yes: bool, options: &CopyOptions) -> anyhow::Result<()> {
    let key = options.backup_identity_file.as_deref();
    let identity = key.map(read_identity).transpose()?;
    let decryptor = identity.as_ref().map(|identity| &identity.decryptor);
    let place = Place::open(place, &options.storage)?;
    if options.list {
        return place.list();
    }
    let trusted = TrustedKeys::read(data, identity.as_ref());
    let copy = place.newest(options.at.as_deref())?;
    let manifest = place.accepted_manifest(&copy, &trusted, yes)?;
    let checked = place.repository.check_objects(&copy, manifest, decryptor);
    let looked = match checked {
        Err(StorageError::WrongKey) => bail!(explain_wrong_key(&place, &copy)),
        Err(StorageError::NotThere | StorageError::Damaged(_)) => {
            bail!(explain_damaged(&place, &copy, 1))
        }
        checked => place.check(checked)?,
    };
    let VerifyReport {
        manifest,
        bad,
        awaited,
    } = looked;
    if bad > 0 {
        bail!(explain_damaged(&place, &copy, bad));
    }
    let manifest = if awaited == 0 {
        manifest
    } else {
        let told = format!(
            "{}: the copy of {} is sound, but {awaited} parts of pictures are still to come: a \
             full backup is running, or was interrupted",
            place.name, manifest.at
        );
        match find_complete_before(&place, &copy, &trusted, decryptor)? {
            Some(complete) => print_line(&told).map(|()| complete)?,
            None => bail!("{told}; there is none before it that is complete"),
        }
    };
    if decryptor.is_none() {
        print_line(&format!(
            "{}: not opened without the key; sizes and hashes fit. Set RESPIRO_BACKUP_IDENTITY_FILE to check what is inside",
            place.name
        ))?;
    }
    print_line(&format!(
        "{}: the copy of {} is whole ({} objects, {})",
        place.name,
        manifest.at,
        manifest.objects(),
        megabytes(manifest.bytes())
    ))?;
    match manifest.signed_by() {
        Some(key) if trusted.prove(&manifest) == Ok(true) => {
            print_line(&format!("{}: signed by {key}", place.name))
        }
        _ => Ok(()),
    }
}

/// Returns the manifest of the newest earlier copy without awaited pictures, after verifying it.
fn find_complete_before(
    place: &Place,
    copy: &BackupRef,
    trusted: &TrustedKeys,
    decryptor: Option<&Decryptor>,
) -> anyhow::Result<Option<Manifest>> {
    let repository = &place.repository;
    let all = place.check(repository.all())?;
    for older in all.iter().filter(|one| one.at < copy.at) {
        let looked = repository.manifest(older).and_then(|manifest| {
            if repository.awaits(&manifest)? || trusted.prove(&manifest).is_err() {
                return Ok(None);
            }
            repository
                .check_objects(older, manifest, decryptor)
                .map(Some)
        });
        match looked {
            Ok(Some(looked)) if looked.bad == 0 => return Ok(Some(looked.manifest)),
            Ok(_)
            | Err(StorageError::NotThere | StorageError::Damaged(_) | StorageError::WrongKey) => {}
            Err(error) => bail!(error.operator_message(&place.name)),
        }
    }
    Ok(None)
}

/// Restores the site from the newest copy, or from that of a given time.
pub fn restore(data: &Path, place: &str, yes: bool, options: &CopyOptions) -> anyhow::Result<()> {
    let place = Place::open(place, &options.storage)?;
    if options.list {
        return place.list();
    }
    let key = options.backup_identity_file.as_deref();
    let key = key.context(
        "the copy is encrypted: put the secret key into a file (mode 0600) and set RESPIRO_BACKUP_IDENTITY_FILE",
    )?;
    let identity = read_identity(key)?;
    let copy = place.newest(options.at.as_deref())?;
    let trusted = TrustedKeys::read(data, Some(&identity));
    let manifest = place.accepted_manifest(&copy, &trusted, yes)?;
    // Ask before the download, which may take hours.
    let at = time::rfc3339(copy.at);
    let question = format!("restore the copy of {at} into {}?", data.display());
    restore::require_replaceable(data, yes, &question)?;
    restore::create_parent_folder(data)?;
    if !is_server_running(data) {
        remove_leftovers(data);
    }
    let id = random_id()?;
    let draft = temp_path_with_id(data, &id, TempKind::Replacement);
    let mut progress = |count: usize, total: usize| {
        if count.is_multiple_of(PROGRESS_EVERY) {
            eprint_line(&format!("{count} of {total} pictures"));
        }
    };
    let decryptor = &identity.decryptor;
    let restored = place
        .repository
        .restore((&copy, manifest), decryptor, &draft, &mut progress);
    let back = match restored {
        Err(StorageError::WrongKey) => bail!(explain_wrong_key(&place, &copy)),
        Err(StorageError::NotThere | StorageError::Damaged(_)) => {
            bail!(explain_damaged(&place, &copy, 1))
        }
        restored => place.check(restored)?,
    };
    let running = is_server_running(data);
    let had_data_file = data.exists();
    let file = open_no_follow(&draft, true)?;
    let replaced = restore::replace_by_file(data, &id, &file, running)?;
    if let restore::Outcome::Refused(error) = replaced {
        return Err(keep_download(data, &draft, &error));
    }
    let summary = requests::summarize_contents(&back.figures);
    let _ = print_line(&format!("{}: {summary}", data.display()));
    let origin = format!(" from the copy of {}", back.manifest.at);
    restore::report_restored(data, &origin, running);
    if back.lost > 0 {
        let _ = print_line(&format!(
            "{} files of pictures were still to come when this copy was made: other sizes of them, \
             or blank ones, stand in their place; upload those again",
            back.lost
        ));
    }
    let _ = print_line(if had_data_file {
        "look at the panel first: newsletters are paused"
    } else {
        "look at the panel first: newsletters are paused, and there was no data file that says who \
         left the list or was erased after this copy: they are on it again"
    });
    Ok(())
}

/// Keeps a download that was refused unless it is damaged: it may have taken hours, and the reason
/// may pass. Returns the error with the name of the kept file.
fn keep_download(data: &Path, draft: &Path, error: &anyhow::Error) -> anyhow::Error {
    if respiro_db::check(draft).is_err() {
        let _ = fs::remove_file(draft);
        return anyhow!("{error:#}; the download is damaged and was removed");
    }
    // A name that no start of the server removes.
    let kept = with_suffix(data, &format!(".download-{}", time::stamp(now())));
    match rename_noreplace(draft, &kept) {
        Ok(()) => anyhow!(
            "{error:#}; the download is kept: `respiro restore {}` when the reason is gone, then delete it",
            kept.display()
        ),
        Err(_) => anyhow!("{error:#}; the download is {}", draft.display()),
    }
}

/// Returns the message for a damaged copy, with the copy to use instead.
fn explain_damaged(place: &Place, copy: &BackupRef, bad: usize) -> String {
    let older = place.repository.all().ok();
    let older = older.and_then(|all| all.into_iter().find(|one| one.at < copy.at));
    let next = older.map_or_else(
        || "there is no older one".to_owned(),
        |older| format!("take an older one: --at {}", time::rfc3339(older.at)),
    );
    let (name, at) = (&place.name, time::rfc3339(copy.at));
    format!("{name}: {bad} objects of the copy of {at} are missing or damaged; {next}")
}

/// Returns the message for a wrong key, with the ending of the right public key.
fn explain_wrong_key(place: &Place, copy: &BackupRef) -> String {
    let ending = place
        .repository
        .manifest(copy)
        .map(|manifest| manifest.key_ending);
    let ending = ending.unwrap_or_default();
    let at = time::rfc3339(copy.at);
    format!(
        "this key does not open the copy of {at}: the public key of the right one ends with {ending}"
    )
}

/// Reads the key file. Refuses a file that other users can access.
fn read_identity(path: &Path) -> anyhow::Result<Identity> {
    let shown = path.display();
    let file = fs::metadata(path).with_context(|| format!("cannot read {shown}"))?;
    if file.permissions().mode() & 0o077 != 0 {
        bail!("{shown} can be read by other users: chmod 600 {shown}");
    }
    let is_key = file.is_file() && file.len() <= KEY_BYTES_MAX;
    let text = if is_key {
        fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?
    } else {
        String::new()
    };
    let decryptor = Decryptor::new(&text).with_context(|| {
        format!("{shown} holds no age secret key: it starts with AGE-SECRET-KEY-1")
    })?;
    let signer = ManifestKey::find_in(&text).map_err(|reason| anyhow!("{shown}: {reason}"))?;
    Ok(Identity { decryptor, signer })
}
