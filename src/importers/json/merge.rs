//! Merges an import that was collected in a data file of its own into the site, in one transaction.
//! Sign-ups, visits, sessions and requests for testimonials that the site stored meanwhile stay.

use super::import::require_empty;
use super::statistics::add_visits;
use crate::Result;
use respiro_content::blocks::BlockDefinitions;
use respiro_content::stored_collections;
use respiro_db::{ImportSummary, Notification, Reader, Writer};

/// Merges everything that [`super::write`] has put into `from`. Fails if the site has items.
pub fn merge(
    writer: &mut Writer<'_>,
    from: &Reader<'_>,
    definitions: &BlockDefinitions,
) -> Result<ImportSummary> {
    require_empty(writer)?;
    let mut summary = ImportSummary {
        pictures: writer.adopt_pictures(from)?,
        ..ImportSummary::default()
    };
    writer.settings().put(&from.settings().get()?)?;
    merge_items(writer, from, &mut summary)?;
    merge_blocks(writer, from, definitions)?;
    merge_newsletters(writer, from, &mut summary)?;
    merge_records(writer, from)?;
    writer.set_demo(from.is_demo()?)?;
    Ok(summary)
}

fn merge_items(
    writer: &mut Writer<'_>,
    from: &Reader<'_>,
    summary: &mut ImportSummary,
) -> Result<()> {
    for (id, schedule) in from.schedules().list()? {
        writer.schedules().put(&id, &schedule)?;
    }
    for kind in stored_collections() {
        for item in from.items().list(kind)? {
            writer.items().import(kind, &item)?;
            summary.items += 1;
        }
        for (slug, id) in from.redirects().slugs(kind)? {
            writer.redirects().put_slug(kind, &slug, &id)?;
        }
    }
    for trashed in from.trash().list()? {
        writer.trash().put(trashed)?;
    }
    for (path, id) in from.redirects().paths()? {
        writer.redirects().put_path(&path, &id)?;
    }
    writer.public_ids().forget_all()?;
    for (id, ids) in from.public_ids().list()? {
        writer.public_ids().put(&id, &ids)?;
    }
    if let Some(feed) = from.public_ids().feed()? {
        writer.public_ids().put_feed(&feed)?;
    }
    for (from, redirect) in from.redirects().of_admin()? {
        writer.redirects().put_of_admin(&from, &redirect)?;
    }
    Ok(())
}

fn merge_blocks(
    writer: &mut Writer<'_>,
    from: &Reader<'_>,
    definitions: &BlockDefinitions,
) -> Result<()> {
    for id in from.content_blocks().list()?.into_keys() {
        for saved in from.content_blocks().versions(&id)?.iter().rev() {
            writer.content_blocks().put(saved)?;
        }
    }
    for definition in &definitions.list {
        if let Some(attestation) = from.content_blocks().attestation(&definition.id)? {
            writer
                .content_blocks()
                .put_attestation(&definition.id, Some(&attestation))?;
        }
    }
    Ok(())
}

fn merge_newsletters(
    writer: &mut Writer<'_>,
    from: &Reader<'_>,
    summary: &mut ImportSummary,
) -> Result<()> {
    for subscriber in from.subscribers().list()? {
        let status = from.address_statuses().get(&subscriber.email)?;
        if writer.import_subscriber(&subscriber, &status)? {
            summary.subscribers += 1;
        } else {
            summary.known += 1;
        }
    }
    for campaign in from.campaigns().list()? {
        let id = &campaign.id;
        writer.campaigns().put(&campaign)?;
        if let Some(rendered) = from.campaigns().rendered(id)? {
            writer.campaigns().put_rendered(id, &rendered)?;
        }
        for delivery in from.campaigns().queued(id)? {
            writer.campaigns().enqueue(id, &delivery)?;
        }
        for delivery in from.campaigns().failures(id)? {
            writer.campaigns().put_failure(id, &delivery)?;
        }
    }
    for (id, pictures) in from.sent_images().list()? {
        writer.sent_images().put(&id, &pictures)?;
    }
    if let Some(key) = from.imported_unsubscribe_key()? {
        writer.put_imported_unsubscribe_key(&key)?;
    }
    if let Some(marker) = from.restore_marker()? {
        writer.put_restore_marker(marker)?;
    }
    Ok(())
}

/// Merges notices, statistics and the origin of testimonials.
fn merge_records(writer: &mut Writer<'_>, from: &Reader<'_>) -> Result<()> {
    let last = writer.notifications().list()?;
    let last = last.last().map_or(0, |notice| notice.number);
    for (number, notice) in (last + 1..).zip(from.notifications().list()?) {
        writer
            .notifications()
            .put(&Notification { number, ..notice })?;
    }
    for (date, totals) in from.page_views().list()? {
        add_visits(writer, date, &totals)?;
    }
    if let Some(since) = from.page_views().uncounted_since()? {
        writer.page_views().set_uncounted_since(Some(since))?;
    }
    for (token_hash, request) in from.testimonial_requests().list()? {
        writer.testimonial_requests().put(&token_hash, &request)?;
    }
    for provenance in from.provenances().list()? {
        writer.provenances().put(&provenance)?;
    }
    Ok(())
}
