//! Public endpoints for items of every content kind: lists and details.

use super::items::{WRONG_QUERY, limit_of, offset_of};
use super::respond::{public, public_list, serialize_list};
use super::{Answer, Shared};
use crate::content::time::parse_rfc3339;
use crate::content::{Audience, Entry, Kind};
use crate::error::{Error, Result};
use actix_web::{HttpRequest, web};
use serde::Deserialize;
use serde_json::Value as Json;
use std::sync::Arc;

const WRONG_BEFORE: &str = "Il parametro «before» deve essere una data.";

/// Query parameters of a public list.
#[derive(Debug, Default, Deserialize)]
pub struct Narrow {
    category: Option<String>,
    limit: Option<String>,
    before: Option<String>,
    offset: Option<String>,
}

/// The parsed query parameters.
struct Wanted {
    category: Option<String>,
    limit: usize,
    /// Milliseconds since 1970.
    before: i64,
    offset: usize,
}

impl Wanted {
    fn of(narrow: Narrow) -> Result<Self> {
        let before = match narrow.before.as_deref().map(parse_rfc3339) {
            None => i64::MAX,
            Some(Some(before)) => before,
            Some(None) => return Err(Error::BadRequest(WRONG_BEFORE)),
        };
        Ok(Self {
            limit: limit_of(narrow.limit.as_deref(), usize::MAX)?,
            before,
            offset: offset_of(narrow.offset.as_deref())?,
            category: narrow.category,
        })
    }

    /// Yields the indices of matching items in the public list of a kind.
    fn places<'a>(&'a self, published: &'a [Arc<Entry>]) -> impl Iterator<Item = usize> + 'a {
        let fits = |item: &Entry| {
            let category = self.category.as_deref();
            item.created_at < self.before
                && category.is_none_or(|wanted| item.text("category") == Some(wanted))
        };
        let items = published.iter().enumerate();
        let fitting = items.filter(move |(_, item)| fits(item));
        let places = fitting.map(|(place, _)| place);
        places.skip(self.offset).take(self.limit)
    }
}

/// Serializes the whole list off the request threads. A part is sent as byte ranges of it.
pub async fn list(kind: &'static Kind, request: HttpRequest, shared: Shared) -> Answer {
    let narrow = web::Query::<Narrow>::from_query(request.query_string());
    let Ok(web::Query(narrow)) = narrow else {
        return Err(Error::BadRequest(WRONG_QUERY));
    };
    let wanted = Wanted::of(narrow)?;
    let snapshot = shared.site.published_snapshot().await?;
    let of = Arc::clone(&snapshot);
    let serialize = move || serialize_list(of.published(kind).iter().map(|item| shown(kind, item)));
    let list = shared.public_list(kind, &snapshot, serialize).await?;
    public_list(&request, &list, wanted.places(snapshot.published(kind)))
}

fn shown(kind: &Kind, item: &Entry) -> Json {
    item.to_json_for(kind, Audience::Everyone)
}

pub async fn one(
    kind: &'static Kind,
    request: HttpRequest,
    shared: Shared,
    key: web::Path<String>,
) -> Answer {
    let snapshot = shared.site.published_snapshot().await?;
    let is_wanted = |item: &&Arc<Entry>| match kind.page.and_then(|page| page.key) {
        Some(name) => item.text(name) == Some(key.as_str()),
        None => item.id == *key,
    };
    let item = snapshot.published(kind).iter().find(is_wanted);
    let item = item.ok_or(Error::NotFound)?;
    public(&request, &item.to_json_for(kind, Audience::Detail))
}
