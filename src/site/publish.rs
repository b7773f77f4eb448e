//! One publish: plan, render what changed, compress what changed, put the new site together.

use super::compress::{self, Raw};
use super::{Figures, Page, Pages, Site, files, template};
use crate::content::Snapshot;
use crate::error::{Error, Result};
use crate::render::{PageKind, PlannedPage, Rendering};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// Answers a site may have; two kinds of 2,000 items have pages of their own.
const ANSWERS_MAX: usize = 20_000;
/// Bytes all answers may have together, uncompressed.
const ANSWERS_BYTES_MAX: usize = 512 * 1024 * 1024;
/// Threads that compress while a publish waits, and answers that are worth one more.
const THREADS_MAX: usize = 4;
const ANSWERS_PER_THREAD_MIN: usize = 4;
/// Former paths may lead to former paths, so far.
const REDIRECT_HOPS_MAX: usize = 16;
/// Paths that never were pages and are linked to (decisions, `/testimonials`).
const REDIRECTS: &[(&str, &str)] = &[("/testimonials", "/testimonianze")];

const HTML: &str = "text/html; charset=utf-8";

/// Before the path that only names a screen.
const SCREEN: &str = "screen ";

type Hash = [u8; 32];

/// A published answer and what it was made from.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    hash: Hash,
    pub(super) page: Arc<Page>,
    /// Whether its Brotli is as small as it gets.
    pub(super) best: bool,
}

/// A new site, not yet swapped in.
pub(super) struct Prepared {
    pub(super) kept: BTreeMap<String, Kept>,
    pub(super) pages: Pages,
    pub(super) figures: Figures,
}

/// An answer of the new site: made anew, or as it was.
struct Draft {
    key: String,
    hash: Hash,
    content: Content,
}

enum Content {
    New(Raw),
    Former(Kept),
}

impl Site {
    /// Makes a new site from `snapshot`, taking over from `former` what did not change.
    pub(super) fn prepare(
        &self,
        snapshot: Snapshot,
        former: &BTreeMap<String, Kept>,
    ) -> Result<Prepared> {
        let started = Instant::now();
        let json = snapshot.to_json();
        let hashes: BTreeMap<String, Hash> = former
            .iter()
            .map(|(key, kept)| (key.clone(), kept.hash))
            .collect();
        let wanted = move |page: &PlannedPage| hashes.get(&key_of(page)) != Some(&hash_of(page));
        let rendering = self.renderer.render(json.to_string(), Box::new(wanted))?;
        let mut figures = Figures {
            planned: rendering.plan.len(),
            rendered: rendering
                .plan
                .iter()
                .filter(|(_, page)| page.is_some())
                .count(),
            render_time: rendering.took,
            ..Figures::default()
        };
        let others = files::all(&snapshot, &json, &rendering.plan)?;
        let mut drafts = self.page_drafts(rendering, former)?;
        drafts.extend(
            others
                .into_iter()
                .map(|(path, raw)| file_draft(path, raw, former)),
        );
        let is_new = |draft: &&Draft| matches!(draft.content, Content::New(_));
        figures.compressed = drafts.iter().filter(is_new).count();
        check_limits(&drafts)?;
        let compressing = Instant::now();
        let kept = compress_all(drafts, figures.compressed);
        figures.compress_time = compressing.elapsed();
        let pages = assemble(&kept, snapshot)?;
        figures.whole_time = started.elapsed();
        Ok(Prepared {
            kept,
            pages,
            figures,
        })
    }

    fn page_drafts(
        &self,
        rendering: Rendering,
        former: &BTreeMap<String, Kept>,
    ) -> Result<Vec<Draft>> {
        let mut drafts = Vec::with_capacity(rendering.plan.len());
        for (planned, rendered) in rendering.plan {
            let key = key_of(&planned);
            let hash = hash_of(&planned);
            let content = match (rendered, former.get(&key)) {
                (Some(page), _) => Content::New(Raw {
                    status: status_of(planned.kind),
                    content_type: HTML,
                    bytes: template::page(&self.shared.bundle, &page, &planned.slice).into_bytes(),
                }),
                (None, Some(kept)) => Content::Former(kept.clone()),
                (None, None) => return Err(Error::Render(format!("no page for {key}"))),
            };
            drafts.push(Draft { key, hash, content });
        }
        Ok(drafts)
    }
}

/// The path of a page. A screen has none, and a key that no path can be.
fn key_of(page: &PlannedPage) -> String {
    match page.kind {
        PageKind::Page => page.path.clone(),
        PageKind::Screen => format!("{SCREEN}{}", page.path),
        PageKind::NotFound => "not found".to_owned(),
        PageKind::EventNotFound => "event not found".to_owned(),
        PageKind::ArticleNotFound => "article not found".to_owned(),
    }
}

const fn status_of(kind: PageKind) -> u16 {
    match kind {
        PageKind::Page | PageKind::Screen => 200,
        PageKind::NotFound | PageKind::EventNotFound | PageKind::ArticleNotFound => 404,
    }
}

/// A page is a pure function of its slice; the bundle does not change while the program runs.
fn hash_of(page: &PlannedPage) -> Hash {
    Sha256::digest(page.slice.as_bytes()).into()
}

fn file_draft(key: String, raw: Raw, former: &BTreeMap<String, Kept>) -> Draft {
    let hash: Hash = Sha256::digest(&raw.bytes).into();
    let content = match former.get(&key).filter(|kept| kept.hash == hash) {
        Some(kept) => Content::Former(kept.clone()),
        None => Content::New(raw),
    };
    Draft { key, hash, content }
}

fn check_limits(drafts: &[Draft]) -> Result<()> {
    let bytes: usize = drafts
        .iter()
        .map(|draft| match &draft.content {
            Content::New(raw) => raw.bytes.len(),
            Content::Former(kept) => kept.page.identity.bytes.len(),
        })
        .sum();
    if drafts.len() > ANSWERS_MAX || bytes > ANSWERS_BYTES_MAX {
        return Err(Error::Render(format!(
            "the site is too large: {} answers of {bytes} bytes together, \
             at most {ANSWERS_MAX} of {ANSWERS_BYTES_MAX}",
            drafts.len()
        )));
    }
    Ok(())
}

/// Compresses the new answers, on several threads when there are many.
fn compress_all(drafts: Vec<Draft>, new: usize) -> BTreeMap<String, Kept> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.min(THREADS_MAX).min(new / ANSWERS_PER_THREAD_MIN);
    if threads < 2 {
        return drafts.into_iter().map(finish).collect();
    }
    let waiting = Mutex::new(drafts.into_iter());
    let next = || super::locked(&waiting).next();
    let work = || {
        let mut done = Vec::new();
        while let Some(draft) = next() {
            done.push(finish(draft));
        }
        done
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_default());
        }
        done.into_iter().collect()
    })
}

fn finish(draft: Draft) -> (String, Kept) {
    let kept = match draft.content {
        Content::Former(kept) => kept,
        Content::New(raw) => Kept {
            hash: draft.hash,
            page: Arc::new(compress::page(raw)),
            best: false,
        },
    };
    (draft.key, kept)
}

fn assemble(kept: &BTreeMap<String, Kept>, snapshot: Snapshot) -> Result<Pages> {
    let screen = |kind: &str| {
        kept.get(kind)
            .map(|kept| Arc::clone(&kept.page))
            .ok_or_else(|| Error::Render(format!("the plan lacks the screen `{kind}`")))
    };
    let by_path: BTreeMap<String, Arc<Page>> = kept
        .iter()
        .filter(|(key, _)| key.starts_with('/'))
        .map(|(key, kept)| (key.clone(), Arc::clone(&kept.page)))
        .collect();
    Ok(Pages {
        redirects: redirects(&snapshot, &by_path),
        by_path,
        not_found: screen("not found")?,
        event_not_found: screen("event not found")?,
        article_not_found: screen("article not found")?,
        screens: kept
            .iter()
            .filter_map(|(key, kept)| {
                let name = key.strip_prefix(SCREEN)?;
                Some((name.to_owned(), Arc::clone(&kept.page)))
            })
            .collect(),
        snapshot: Arc::new(snapshot),
    })
}

/// Former paths to pages that are up. A page that took a former path over wins.
fn redirects(
    snapshot: &Snapshot,
    by_path: &BTreeMap<String, Arc<Page>>,
) -> BTreeMap<String, String> {
    let fixed = REDIRECTS.iter().copied();
    let former = snapshot
        .redirects
        .iter()
        .map(|(from, to)| (from.as_str(), to.as_str()));
    let all: BTreeMap<&str, &str> = former.chain(fixed).collect();
    let mut found = BTreeMap::new();
    for from in all.keys().filter(|from| !by_path.contains_key(**from)) {
        let mut path = *from;
        for _ in 0..REDIRECT_HOPS_MAX {
            match all.get(path) {
                Some(next) if !by_path.contains_key(path) => path = next,
                _ => break,
            }
        }
        if by_path.contains_key(path) {
            found.insert((*from).to_owned(), path.to_owned());
        }
    }
    found
}
