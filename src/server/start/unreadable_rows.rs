//! Reports rows of the data file that readers skip because they do not decode, in the panel.

use crate::state::App;
use respiro_db::{NotificationEvent, NotificationKind, Oddity, Reader};
use std::collections::BTreeMap;

/// Stores a notification when rows are skipped, and resolves it when all rows decode again.
pub(super) async fn report(app: &App) {
    match app.read(|reader| Ok(event(reader)?)).await {
        Ok(Some(event)) => app.site.notify(event).await,
        Ok(None) => {}
        Err(error) => tracing::error!(%error, "looking for unreadable rows failed"),
    }
}

/// Returns `None` if the panel shows the state already.
fn event(reader: &Reader<'_>) -> respiro_db::Result<Option<NotificationEvent>> {
    let places = summarize(&reader.oddities());
    let mut notifications = reader.notifications().list()?.into_iter();
    let open = notifications
        .rfind(|one| one.subject == NotificationKind::Unreadable && one.solved_at.is_none());
    Ok(match (places, open) {
        (Some(places), Some(open)) if open.text == places => None,
        (Some(places), _) => Some(NotificationEvent::RowsUnreadable { places }),
        (None, Some(_)) => Some(NotificationEvent::RowsReadable),
        (None, None) => None,
    })
}

/// Returns the number of skipped rows by place, in Italian. Names no row: some keys are addresses.
fn summarize(oddities: &[Oddity]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for oddity in oddities.iter().filter(|oddity| oddity.is_skipped) {
        *counts.entry(place(&oddity.table)).or_default() += 1;
    }
    let places: Vec<String> = counts
        .into_iter()
        .map(|(place, count)| format!("{place} ({count})"))
        .collect();
    (!places.is_empty()).then(|| places.join(", "))
}

fn place(table: &str) -> &'static str {
    match table {
        "items" => "contenuti",
        "trash" => "cestino",
        "settings" => "impostazioni",
        "pictures" | "blob_index" => "immagini",
        "words" | "confirmed_words" => "testi delle pagine",
        "history" => "cronologia",
        "subscribers" | "standings" | "bounces" | "sendings" | "mailings" | "queue"
        | "failures" => "newsletter",
        "accounts" | "passkeys" | "sessions" => "account",
        _ => "altri dati",
    }
}
