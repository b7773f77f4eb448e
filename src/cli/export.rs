//! `export`: everything but accounts as JSON and original pictures; with `--site` the published
//! site as plain files, completely or not at all.

use super::control_client::{PinnedDataFile, STOPPED, pin_snapshot, send_request};
use super::{eprint_line, megabytes, pluralize, print_line};
use crate::ui_assets;
use anyhow::{Context, bail};
use clap::Args;
use respiro_content::time::day;
use respiro_db::fs_util::{TempKind, parent_dir, sync_dir, temp_path};
use respiro_db::{Reader, Store};
use respiro_importers::json;
use respiro_media::sandbox;
use respiro_publish::static_export::{self, Names};
use respiro_publish::{Pages, Publisher, headers};
use respiro_server::config::parse_public_url;
use respiro_server::control::{Request, Response};
use respiro_server::state::now;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Options of `export`.
#[derive(Debug, Clone, Args)]
pub struct ExportOptions {
    /// New folder to write to
    #[arg(required_unless_present = "site", conflicts_with = "site")]
    pub dir: Option<PathBuf>,
    /// Write the published site into this new folder, for a static file host
    #[arg(long, value_name = "DIR")]
    pub site: Option<PathBuf>,
    /// With --site: name files `chi-sono.html` instead of `chi-sono/index.html`
    #[arg(long, requires = "site")]
    pub flat: bool,
    /// With --site, while no server runs: public address of the exported site
    #[arg(long, env = "RESPIRO_PUBLIC_URL", value_name = "URL", value_parser = parse_public_url)]
    pub public_url: Option<String>,
}

/// Exports the data or the published site, as the options say.
pub fn export(data: &Path, options: &ExportOptions) -> anyhow::Result<()> {
    match (&options.dir, &options.site) {
        (Some(dir), _) => export_json(data, dir),
        (None, Some(site)) => export_site(data, site, options),
        (None, None) => Ok(()),
    }
}

/// Writes everything but accounts into a new folder.
fn export_json(data: &Path, folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && fs::read_dir(folder)?.next().is_some() {
        bail!("{} is not empty: choose a new folder", folder.display());
    }
    if !data.exists() {
        bail!(
            "{} does not exist: name the data file with --data",
            data.display()
        );
    }
    // The snapshot stays pinned until `held` is dropped.
    match pin_snapshot(data)? {
        Some(held) => {
            let store = held.outcome(Store::open_snapshot(data, &held.header))??;
            held.outcome(export_json_from(&store, folder))?
        }
        None => export_json_from(&Store::look(data)?, folder),
    }
}

fn export_json_from(store: &Store, folder: &Path) -> anyhow::Result<()> {
    let definitions = ui_assets::block_definitions()?;
    let count = store.read(|reader| json::export(reader, folder, definitions, now()))?;
    print_line(&format!(
        "{}: everything but accounts, with {count} original pictures",
        folder.display()
    ))
}

/// Writes the published site of `data` into `folder`, which is new or empty.
fn export_site(data: &Path, folder: &Path, options: &ExportOptions) -> anyhow::Result<()> {
    if folder.exists() && (!folder.is_dir() || fs::read_dir(folder)?.next().is_some()) {
        bail!("{} is not empty: choose a new folder", folder.display());
    }
    if !data.exists() {
        bail!(
            "{} does not exist: name the data file with --data",
            data.display()
        );
    }
    // The snapshot stays pinned until `pinned` is dropped.
    match pin_snapshot(data)? {
        Some(pinned) => pinned.outcome(export_held(data, folder, options, Some(&pinned)))?,
        None => export_held(data, folder, options, None),
    }
}

fn export_held(
    data: &Path,
    folder: &Path,
    options: &ExportOptions,
    pinned: Option<&PinnedDataFile>,
) -> anyhow::Result<()> {
    let (store, public_url) = if let Some(pinned) = pinned {
        (
            Store::open_snapshot(data, &pinned.header)?,
            url_of_server(data)?,
        )
    } else {
        let url = options.public_url.clone().context(
            "no server runs on this data file: say where people will reach the site, \
             --public-url https://example.org",
        )?;
        (Store::look(data)?, url)
    };
    let names = if options.flat {
        Names::Flat
    } else {
        Names::Folders
    };
    let site = Publisher::start_quietly(ui_assets::bundle()?, headers::ASKED)?
        .with_image_program(Some(sandbox::OWN_PROGRAM.into()));
    let definitions = ui_assets::block_definitions()?;
    let mut snapshot = store.read(|reader| reader.snapshot(&public_url, definitions))?;
    snapshot.day = Some(day(now()));
    site.publish(snapshot, now())?;
    let pages = site.pages().context("nothing was published")?;
    let folder = std::path::absolute(folder)?;
    let draft = Draft::beside(&folder)?;
    let written = store.read(|reader| -> respiro_db::Result<_> {
        Ok(write(&site, &pages, reader, names, &draft.path))
    })??;
    if pinned
        .is_some_and(|pinned| !written.unreadable.is_empty() && !pinned.header.lease.is_valid())
    {
        bail!(STOPPED);
    }
    draft.put_in_place(&folder)?;
    for reason in &written.unreadable {
        eprint_line(&format!("left out because it cannot be read: {reason}"));
    }
    for name in static_export::LEFT {
        print_line(&format!("left out because they need the server: {name}"))?;
    }
    for address in static_export::need_javascript(&pages) {
        print_line(&format!(
            "needs JavaScript on a host of plain files: {address}"
        ))?;
    }
    print_line(&format!(
        "{}: {} pages, {} files, {}",
        folder.display(),
        written.pages,
        written.files,
        megabytes(written.bytes)
    ))?;
    match written.unreadable.len() {
        0 => Ok(()),
        count => bail!(
            "{} missing; `respiro check` says what is damaged",
            pluralize(count, "file is", "files are")
        ),
    }
}

fn url_of_server(data: &Path) -> anyhow::Result<String> {
    match send_request(data, &Request::PublicUrl)? {
        Some(Response::Text(url)) => Ok(url),
        Some(Response::Failed(reason)) => bail!(reason),
        Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
        None => bail!(STOPPED),
    }
}

#[derive(Debug, Default)]
struct Written {
    pages: usize,
    files: usize,
    bytes: u64,
    /// Names of missing files, each with the reason.
    unreadable: Vec<String>,
}

fn write(
    site: &Publisher,
    pages: &Pages,
    reader: &Reader<'_>,
    names: Names,
    folder: &Path,
) -> anyhow::Result<Written> {
    let mut written = Written::default();
    let mut taken = BTreeSet::new();
    let files = static_export::files(site, pages, names);
    let mut put = |name: &str, bytes: &[u8]| {
        if !taken.insert(name.to_owned()) {
            bail!("two addresses would be the file {name}: give one of them another address");
        }
        written.files += 1;
        written.bytes += bytes.len() as u64;
        put_file(folder, name, bytes)
    };
    let (mut count, mut unreadable) = (0, Vec::new());
    for file in &files {
        match static_export::bytes(site, pages, reader, file) {
            Ok((bytes, _)) => put(&file.name, &bytes)?,
            // Continue: the other files are useful, especially if the data file is damaged.
            Err(error) => {
                unreadable.push(format!("{}: {error}", file.name));
                continue;
            }
        }
        count += usize::from(file.is_page);
    }
    put("_redirects", static_export::redirects(pages).as_bytes())?;
    put("_headers", static_export::headers(&files).as_bytes())?;
    (written.pages, written.unreadable) = (count, unreadable);
    Ok(written)
}

fn put_file(folder: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let inside = Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if name.is_empty() || !inside {
        bail!("the address /{name} is no name of a file");
    }
    let path = folder.join(name);
    let written = fs::create_dir_all(parent_dir(&path)).and_then(|()| fs::write(&path, bytes));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Temporary folder beside the target. Dropping it removes the folder unless it was renamed.
struct Draft {
    path: PathBuf,
    is_placed: bool,
}

impl Draft {
    fn beside(folder: &Path) -> anyhow::Result<Self> {
        let name = folder
            .file_name()
            .with_context(|| format!("{} is no name of a new folder", folder.display()))?;
        let name = format!(".{}", name.to_string_lossy());
        let path = temp_path(&parent_dir(folder).join(name), TempKind::Partial)?;
        let made = fs::create_dir_all(parent_dir(folder)).and_then(|()| fs::create_dir(&path));
        made.with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self {
            path,
            is_placed: false,
        })
    }

    /// Syncs the folder, then renames it, so that a folder of that name is always complete.
    fn put_in_place(mut self, folder: &Path) -> anyhow::Result<()> {
        let placed = File::open(&self.path)
            .and_then(|draft| rustix::fs::syncfs(&draft).map_err(io::Error::from))
            .and_then(|()| fs::rename(&self.path, folder))
            .and_then(|()| sync_dir(&parent_dir(folder)));
        self.is_placed = placed.is_ok();
        placed.with_context(|| format!("cannot write {}", folder.display()))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_placed {
            // If removal fails, the name `.partial` identifies the leftover.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}
