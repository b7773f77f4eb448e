//! `import --wordpress`: reads the whole export, then imports all of it or nothing.

use super::ImportOptions;
use super::staging::{StagingStore, read_site};
use crate::cli::{eprint_line, print_line};
use anyhow::{Context, anyhow};
use respiro_content::Picture;
use respiro_content::collections::BLOG_CATEGORIES;
use respiro_content::picture::NewFile;
use respiro_db::fs_util::create_private;
use respiro_importers::wordpress::{
    self, DEFAULT_CATEGORY, EXPORT_MEGABYTES_MAX, ImportResult, Media, ReadError, convert, read,
};
use respiro_media::sandbox;
use respiro_server::control::requests;
use respiro_server::errors::Error;
use respiro_server::state::now;
use std::io::Write as _;
use std::path::Path;

const PROGRESS_EVERY: usize = 25;

pub fn import(data: &Path, path: &Path, options: &ImportOptions) -> anyhow::Result<()> {
    let export = read(path).map_err(|unread| unusable(path, unread))?;
    let media = match &options.media {
        Some(place) => Media::open(place)
            .with_context(|| format!("cannot read the pictures in {}", place.display()))?,
        None => Media::default(),
    };
    let categories = wordpress::read_categories(options.categories.as_deref())?;
    let staging = if options.dry_run {
        None
    } else {
        Some(StagingStore::create(data)?)
    };
    let mut pictures = 0;
    let mut keep = |picture: Picture, files: Vec<NewFile>| {
        pictures += 1;
        if pictures % PROGRESS_EVERY == 0 {
            eprint_line(&format!("{pictures} pictures"));
        }
        match &staging {
            Some(staging) => staging.write(|writer| Ok(writer.pictures().put(picture, files)?)),
            None => Ok(()),
        }
    };
    let import_options = wordpress::ImportOptions {
        categories,
        default_category: DEFAULT_CATEGORY,
        existing_slugs: read_site(data, wordpress::slugs_of_posts)?.unwrap_or_default(),
        skip_existing: options.skip_existing,
        now: now(),
        program: Some(Path::new(sandbox::OWN_PROGRAM)),
    };
    let result = convert(&export, &media, &import_options, &mut keep);
    let result = result.map_err(unimported)?;
    let told = match staging {
        Some(staging) => {
            staging
                .write(|writer| wordpress::put(writer, &result))
                .map_err(|error| refused(&error.into()))?;
            staging.merge(data)?
        }
        None => "dry run: nothing was changed".to_owned(),
    };
    report(&result, options, &told)
}

fn report(result: &ImportResult, options: &ImportOptions, told: &str) -> anyhow::Result<()> {
    let report = &result.report;
    if let Some(path) = options
        .texts
        .as_deref()
        .filter(|_| !report.pages.is_empty())
    {
        let written = create_private(path)
            .and_then(|mut file| file.write_all(report.page_texts().as_bytes()));
        // The articles are imported: report the failure and continue.
        if let Err(error) = written {
            eprint_line(&format!("cannot write {}: {error}", path.display()));
        }
    }
    print_line(
        report
            .text(options.dry_run, DEFAULT_CATEGORY, options.texts.is_none())
            .trim_end(),
    )?;
    if !report.homeless.is_empty() {
        eprint_line(&format!(
            "no place for {} categories: name them with --categories FILE, a line each: FORMER = ONE OF {}",
            report.homeless.len(),
            BLOG_CATEGORIES.join(", ")
        ));
    }
    if result.skipped > 0 {
        eprint_line(&format!("{} posts are here already", result.skipped));
    }
    if options.media.is_none() && report.missing_pictures > 0 {
        eprint_line(
            "pictures are not in the export: copy wp-content/uploads and add --media FOLDER",
        );
    }
    eprint_line(told);
    Ok(())
}

fn unimported(error: respiro_importers::Error) -> anyhow::Error {
    use respiro_importers::Error as E;
    match error {
        E::SlugTaken { .. } => {
            anyhow!("{error}: nothing was imported; add --skip-existing to leave such posts out")
        }
        E::InvalidPost { .. } | E::MissingCollection(_) => {
            anyhow!("nothing was imported: {error}")
        }
        error => refused(&error.into()),
    }
}

fn refused(error: &Error) -> anyhow::Error {
    let reason = requests::explain_error(error);
    if let Some(place) = reason.strip_prefix("refused: slug: ") {
        return anyhow!(
            "{place}: nothing was imported; add --skip-existing to leave such posts out"
        );
    }
    anyhow!("nothing was imported: {reason}")
}

fn unusable(path: &Path, unread: ReadError) -> anyhow::Error {
    let shown = path.display();
    match unread {
        ReadError::NotWxr => {
            anyhow!("{shown} is no WordPress export: in WordPress use Tools, Export, All content")
        }
        ReadError::TooLarge => {
            anyhow!("{shown} is over {EXPORT_MEGABYTES_MAX} MB: export posts of one year at a time")
        }
        ReadError::Line { line, reason } => {
            anyhow!("nothing was imported: {shown}, line {line}: {reason}")
        }
        ReadError::Io(reason) => anyhow!("cannot read {shown}: {reason}"),
    }
}
