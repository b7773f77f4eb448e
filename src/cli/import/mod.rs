//! `import`: from an exported folder, from WordPress or from a CSV table of addresses.

mod staging;
mod wordpress;

use super::control_client::is_server_running;
use super::{eprint_line, print_line};
use crate::ui_assets;
use anyhow::bail;
use clap::{ArgGroup, Args};
use respiro_db::{Store, Subscriber, Subscription};
use respiro_importers::csv;
use respiro_importers::json;
use respiro_server::state::now;
use staging::{StagingStore, read_site};
use std::path::{Path, PathBuf};

/// Options of `import`.
#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("source").required(true).args(["dir", "wordpress", "csv"])))]
pub struct ImportOptions {
    /// Folder written by `export`
    pub dir: Option<PathBuf>,
    /// WordPress export file (Tools, Export, All content): posts become articles
    #[arg(long, value_name = "FILE")]
    pub wordpress: Option<PathBuf>,
    /// With --wordpress: the folder wp-content/uploads, or a ZIP of it
    #[arg(long, value_name = "DIR|ZIP", requires = "wordpress")]
    pub media: Option<PathBuf>,
    /// With --wordpress: file that maps categories, one `WORDPRESS = OURS` per line
    #[arg(long, value_name = "FILE", requires = "wordpress")]
    pub categories: Option<PathBuf>,
    /// With --wordpress: write the texts of pages to this new file instead of the report
    #[arg(long, value_name = "FILE", requires = "wordpress")]
    pub texts: Option<PathBuf>,
    /// With --wordpress: skip posts whose address is in use
    #[arg(long, requires = "wordpress")]
    pub skip_existing: bool,
    /// With --wordpress or --csv: dry run, only report
    #[arg(long, conflicts_with = "dir")]
    pub dry_run: bool,
    /// CSV file of newsletter addresses, columns `email`, `confirmed_at` and `consent_text`
    #[arg(long, value_name = "FILE", requires = "proof")]
    pub csv: Option<PathBuf>,
    /// With --csv: source of the consent, stored with each address
    #[arg(long, value_name = "TEXT", requires = "csv")]
    pub proof: Option<String>,
}

/// Imports from the one source that the options name.
pub fn import(data: &Path, options: &ImportOptions) -> anyhow::Result<()> {
    match (&options.dir, &options.wordpress, &options.csv) {
        (Some(dir), _, _) => import_folder(data, dir),
        (_, Some(export), _) => wordpress::import(data, export, options),
        (_, _, Some(table)) => {
            let proof = options.proof.as_deref().unwrap_or_default();
            import_csv(data, table, proof, options.dry_run)
        }
        _ => Ok(()),
    }
}

/// Imports an exported folder into an empty site, in one transaction. A running server accepts
/// writes while the pictures are decoded.
fn import_folder(data: &Path, folder: &Path) -> anyhow::Result<()> {
    let content = json::read(folder, ui_assets::block_definitions()?)?;
    let (items, pictures) = (content.items.len(), content.pictures.len());
    // Before the pictures are decoded, which takes minutes.
    read_site(data, json::require_empty)?;
    if is_server_running(data) {
        let staging = StagingStore::create(data)?;
        staging.write(|writer| json::write(writer, content, folder))?;
        staging.merge_export(data)?;
    } else {
        Store::open(data)?.write(|writer| json::write(writer, content, folder))?;
    }
    print_line(&format!("{items} items and {pictures} pictures imported"))
}

/// Imports the newsletter addresses of a table, with the source of their consent.
fn import_csv(data: &Path, path: &Path, proof: &str, is_dry_run: bool) -> anyhow::Result<()> {
    let proof = proof.trim();
    if proof.is_empty() || proof.contains(char::is_control) {
        bail!("say where the consent comes from: --proof TEXT; it is kept beside each address");
    }
    let subscribers = csv::read_subscribers(path, proof, now())?;
    let confirmed = |one: &&Subscriber| one.state == Subscription::Confirmed;
    let (total, confirmed) = (
        subscribers.len(),
        subscribers.iter().filter(confirmed).count(),
    );
    if is_dry_run {
        let known = read_site(data, |reader| {
            let known = subscribers
                .iter()
                .map(|one| reader.subscribers().get(&one.email));
            let known: respiro_db::Result<Vec<_>> = known.collect();
            Ok(known?.into_iter().flatten().count())
        })?;
        print_line(&format!(
            "{total} addresses: {confirmed} confirmed, the others collected; {} are known here and stay as they are",
            known.unwrap_or_default()
        ))?;
        eprint_line("dry run: nothing was changed");
        return Ok(());
    }
    let staging = StagingStore::create(data)?;
    staging.write(|writer| csv::write_subscribers(writer, &subscribers))?;
    let summary = staging.merge(data)?;
    print_line(&format!(
        "{total} addresses: {confirmed} confirmed, the others collected; people who unsubscribed here stay unsubscribed"
    ))?;
    eprint_line(&summary);
    Ok(())
}
