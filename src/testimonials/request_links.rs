//! Requests for testimonials by a personal link: who may use a link, how a testimonial is received,
//! and how its author withdraws consent. Only the hash of a link's token is stored.

use super::error::{Error, Result};
use super::form::{self, Consent, Form};
use super::messages;
use respiro_auth::signed_links::{Purpose, derive};
use respiro_auth::token;
use respiro_content::Timestamp;
use respiro_db::{
    NotificationEvent, Origin, Provenance, Reader, TestimonialRequest, Writer,
    testimonial_collection,
};

/// How long a personal link is valid. Its texts name the same period.
const LINK_MILLISECONDS: i64 = 30 * 24 * 60 * 60_000;
/// Maximum number of open links.
pub const WAITING_MAX: usize = 100;
pub const NAME_CHARACTERS_MAX: usize = 80;
pub const ACTIVITY_CHARACTERS_MAX: usize = 160;
/// Limit of the message that a link is sent with.
pub const MESSAGE_CHARACTERS_MAX: usize = 4_000;
/// Limit of the note that is stored with a testimonial.
pub const NOTE_CHARACTERS_MAX: usize = 1_000;
/// Maximum number of listed links that ended unused. The oldest ones are deleted.
const ENDED_MAX: usize = 300;
/// Length of a token (`auth::token::secret`).
const TOKEN_LETTERS: usize = 52;

/// The state of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    Open(TestimonialRequest),
    Used(TestimonialRequest),
    Withdrawn,
    Expired,
    /// Cancelled, or so old that it is no longer stored.
    Cancelled,
    /// The token is incomplete.
    Broken,
}

/// The person that a link is for, and the activity that they took part in.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub name: String,
    pub activity: String,
}

/// Id and token of a new link. They are created outside of transactions, because they need random
/// numbers.
#[derive(Debug, Clone)]
pub struct NewLink {
    pub id: String,
    pub token: String,
}

impl NewLink {
    pub fn make() -> Result<Self> {
        Ok(Self {
            id: token::id()?,
            token: token::secret()?,
        })
    }

    /// Returns the link with this id for a request with an idempotency key. `subject` stands for
    /// the key; nothing stored reveals the token.
    pub fn repeatable(id: String, secret: &[u8; 32], subject: &str) -> Self {
        let half = |number: u8| {
            let subject = format!("{number} {id} {subject}");
            let derived = derive(secret, Purpose::RequestedLink, &subject).unwrap_or_default();
            let (bytes, _) = derived.split_first_chunk().unwrap_or((&[0; 16], &[]));
            token::encode(*bytes)
        };
        let token = half(1) + &half(2);
        Self { id, token }
    }
}

/// Returns the path of a link.
pub fn path(token: &str) -> String {
    format!("/testimonianza/{token}")
}

pub fn ask(
    writer: &mut Writer<'_>,
    link: &NewLink,
    asked: Asked,
    now: Timestamp,
) -> Result<TestimonialRequest> {
    let known = writer.testimonial_requests().list()?;
    if known.iter().filter(|(_, one)| one.is_open(now)).count() >= WAITING_MAX {
        return Err(Error::Conflict(messages::TOO_MANY_OPEN_LINKS));
    }
    forget_oldest(writer, &known, now)?;
    let request = TestimonialRequest {
        id: link.id.clone(),
        name: asked.name,
        activity: asked.activity,
        created_at: now,
        expires_at: now + LINK_MILLISECONDS,
        opened_at: None,
        cancelled_at: None,
        received_at: None,
        item_id: None,
    };
    writer
        .testimonial_requests()
        .put(&token::hash(&link.token), &request)?;
    Ok(request)
}

fn forget_oldest(
    writer: &mut Writer<'_>,
    known: &[([u8; 32], TestimonialRequest)],
    now: Timestamp,
) -> Result<()> {
    let ended = |(hash, one): &([u8; 32], TestimonialRequest)| Some((one.ended_at(now)?, *hash));
    let mut ended: Vec<_> = known.iter().filter_map(ended).collect();
    ended.sort_unstable();
    let many = ended.len().saturating_sub(ENDED_MAX);
    for (_, hash) in ended.iter().take(many) {
        writer.testimonial_requests().remove(hash)?;
    }
    Ok(())
}

/// Replaces an unused link by a new one for the same person and activity.
pub fn renew(
    writer: &mut Writer<'_>,
    id: &str,
    link: &NewLink,
    now: Timestamp,
) -> Result<TestimonialRequest> {
    let (_, former) = unused(writer, id)?;
    cancel(writer, id, now)?;
    let asked = Asked {
        name: former.name,
        activity: former.activity,
    };
    ask(writer, link, asked, now)
}

/// Cancels an unused link. Its page then says that the link is no longer valid.
pub fn cancel(writer: &mut Writer<'_>, id: &str, now: Timestamp) -> Result<()> {
    let (hash, mut request) = unused(writer, id)?;
    request.cancelled_at.get_or_insert(now);
    Ok(writer.testimonial_requests().put(&hash, &request)?)
}

fn unused(reader: &Reader<'_>, id: &str) -> Result<([u8; 32], TestimonialRequest)> {
    let mut known = reader.testimonial_requests().list()?.into_iter();
    let found = known.find(|(_, one)| one.id == id).ok_or(Error::NotFound)?;
    if found.1.received_at.is_some() {
        return Err(Error::Conflict(messages::ALREADY_RECEIVED));
    }
    Ok(found)
}

/// Returns whether `text` contains the open link of this request. The panel sends only messages
/// that do.
pub fn holds_link(reader: &Reader<'_>, id: &str, text: &str, now: Timestamp) -> Result<bool> {
    let start = path("");
    for (at, _) in text.match_indices(&start) {
        let token: String = text[at + start.len()..]
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        if let Link::Open(request) = look(reader, &token, now)?
            && request.id == id
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the state of a link. Changes nothing.
pub fn look(reader: &Reader<'_>, token: &str, now: Timestamp) -> Result<Link> {
    let is_whole = token.len() == TOKEN_LETTERS
        && token
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'));
    if !is_whole {
        return Ok(Link::Broken);
    }
    let Some(request) = reader.testimonial_requests().get(&token::hash(token))? else {
        return Ok(Link::Cancelled);
    };
    if let Some(item_id) = &request.item_id {
        let provenance = reader.provenances().get(item_id)?;
        let is_withdrawn = provenance.is_none_or(|one| one.withdrawn_at.is_some());
        return Ok(if is_withdrawn {
            Link::Withdrawn
        } else {
            Link::Used(request)
        });
    }
    if request.cancelled_at.is_some() {
        return Ok(Link::Cancelled);
    }
    Ok(if request.is_open(now) {
        Link::Open(request)
    } else {
        Link::Expired
    })
}

/// Records when the form was first opened.
pub fn note_opened(writer: &mut Writer<'_>, token: &str, now: Timestamp) -> Result<()> {
    let Link::Open(mut request) = look(writer, token, now)? else {
        return Ok(());
    };
    request.opened_at.get_or_insert(now);
    Ok(writer
        .testimonial_requests()
        .put(&token::hash(token), &request)?)
}

/// Stores a validated form as a draft, once. Returns the link's state if the link is no longer
/// open.
pub fn receive(
    writer: &mut Writer<'_>,
    token: &str,
    form: &Form,
    consent: &Consent,
    item_id: &str,
    now: Timestamp,
) -> Result<Option<Link>> {
    let mut request = match look(writer, token, now)? {
        Link::Open(request) => request,
        other => return Ok(Some(other)),
    };
    let item = writer.items().create(
        testimonial_collection()?,
        form.changes()?,
        item_id.to_owned(),
        now,
    )?;
    writer.provenances().put(&Provenance {
        origin: Some(Origin::Link),
        received_at: Some(now),
        request_id: Some(request.id.clone()),
        requested_at: Some(request.created_at),
        activity: request.activity.clone(),
        consent_text: consent.whole(),
        consent_version: form::CONSENT_VERSION.to_owned(),
        consented_at: Some(now),
        received: item.values,
        ..Provenance::new(item_id)
    })?;
    writer
        .notifications()
        .add(NotificationEvent::Testimonial, now)?;
    request.opened_at.get_or_insert(now);
    request.received_at = Some(now);
    request.item_id = Some(item_id.to_owned());
    writer
        .testimonial_requests()
        .put(&token::hash(token), &request)?;
    Ok(None)
}

/// Withdraws a testimonial at its author's request, by the link it was submitted with.
pub fn withdraw(writer: &mut Writer<'_>, token: &str, now: Timestamp) -> Result<Link> {
    let Link::Used(TestimonialRequest {
        item_id: Some(item_id),
        ..
    }) = look(writer, token, now)?
    else {
        return look(writer, token, now);
    };
    writer.provenances().withdraw(&item_id, now)?;
    Ok(Link::Withdrawn)
}
