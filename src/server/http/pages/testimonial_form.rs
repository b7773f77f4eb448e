//! The page behind a personal link: its holder writes a testimonial without an account and without
//! scripts. A script that asks for JSON gets the same data.

use crate::errors::{Error, Excess, Result};
use crate::http::client_addr::client_context;
use crate::http::pages::published_pages;
use crate::http::request_body::{self, JSON_BYTES_MAX};
use crate::http::responses::{private, values};
use crate::http::{Answer, Shared};
use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpRequest, web};
use respiro_analytics::is_robot;
use respiro_auth::token;
use respiro_content::time::format_day;
use respiro_db::TestimonialRequest;
use respiro_testimonials::{self as testimonials, Consent, Fault, Form, Link};
use serde_json::{Value as Json, json};

type Token = web::Path<String>;

/// Form fields that are read; the form has six.
const PAIRS_MAX: usize = 20;

/// The response: a screen of the table of routes, or the form with its values.
enum Shown {
    Screen(&'static str),
    Filled {
        screen: &'static str,
        status: StatusCode,
        given: Json,
    },
}

/// What is added to the form when a submission is refused.
#[derive(Default)]
struct Refusal {
    status: StatusCode,
    faults: Vec<Fault>,
    /// Why the submission as a whole was refused.
    trouble: Option<&'static str>,
    minutes: Option<u64>,
}

/// Shows the form, and records that the link was opened. Programs that scan links do not count.
pub async fn page(request: HttpRequest, shared: Shared, token: Token) -> Answer {
    let (link, consent) = look(&shared, &token).await?;
    let Link::Open(open) = link else {
        return answer(&request, &shared, ended(&link)).await;
    };
    let agent = request.headers().get(header::USER_AGENT);
    let agent = agent.and_then(|agent| agent.to_str().ok()).unwrap_or("");
    if open.opened_at.is_none() && !is_robot(agent) && request.method() == Method::GET {
        let (token, now) = (token.into_inner(), shared.now());
        let noted =
            shared.change(move |writer| Ok(testimonials::note_opened(writer, &token, now)?));
        // Show the form even if the opening cannot be recorded.
        if let Err(error) = noted.await {
            tracing::warn!(%error, "it could not be noted that a personal link was opened");
        }
    }
    let shown = form(&open, &consent, &Form::default(), &Refusal::default());
    answer(&request, &shared, shown).await
}

/// Receives a testimonial, or its withdrawal.
pub async fn send(
    request: HttpRequest,
    shared: Shared,
    token: Token,
    payload: web::Payload,
) -> Answer {
    let (link, consent) = look(&shared, &token).await?;
    let mut payload = payload.into_inner();
    let bytes = request_body::read(&request, &mut payload, JSON_BYTES_MAX, Excess::Body).await;
    let shown = match (link, bytes) {
        (Link::Open(open), Ok(bytes)) => {
            let form = Form::from_pairs(pairs(&bytes));
            receive(&request, &shared, token.into_inner(), open, consent, form).await?
        }
        (Link::Open(open), Err(Error::TooLarge(_))) => {
            let refusal = Refusal {
                status: StatusCode::PAYLOAD_TOO_LARGE,
                faults: vec![Fault::BodyLong],
                ..Refusal::default()
            };
            form(&open, &consent, &Form::default(), &refusal)
        }
        (Link::Used(_), Ok(bytes)) if pairs(&bytes).any(|(name, _)| name == "withdraw") => {
            let (token, now) = (token.into_inner(), shared.now());
            let link = shared
                .change(move |writer| Ok(testimonials::withdraw(writer, &token, now)?))
                .await?;
            ended(&link)
        }
        (link, Ok(_)) => ended(&link),
        (_, Err(error)) => return Err(error),
    };
    answer(&request, &shared, shown).await
}

async fn receive(
    request: &HttpRequest,
    shared: &Shared,
    token: String,
    open: TestimonialRequest,
    consent: Consent,
    written: Form,
) -> Result<Shown> {
    let now = shared.now();
    let faults = written.faults(&consent)?;
    let counted = shared
        .auth
        .rate_limits
        .count_testimonial(&client_context(request, shared).networks[0], now);
    if let Err(error) = counted {
        return Ok(form(&open, &consent, &written, &refusal(error.into())?));
    }
    if !faults.is_empty() {
        let refusal = Refusal {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            faults,
            ..Refusal::default()
        };
        return Ok(form(&open, &consent, &written, &refusal));
    }
    let id = token::id().map_err(|error| Error::Internal(error.to_string()))?;
    let (fields, agreed) = (written.clone(), consent.clone());
    let received = shared
        .change(move |writer| {
            Ok(testimonials::receive(
                writer, &token, &fields, &agreed, &id, now,
            )?)
        })
        .await;
    Ok(match received {
        Ok(None) => {
            shared.site.announce_notification();
            Shown::Filled {
                screen: "/testimonianza/thanks",
                status: StatusCode::OK,
                given: json!({ "name": written.name }),
            }
        }
        Ok(Some(link)) => ended(&link),
        Err(error) => form(&open, &consent, &written, &refusal(error)?),
    })
}

/// Returns what to tell while the testimonial cannot be stored; the form keeps the typed text.
fn refusal(error: Error) -> Result<Refusal> {
    let status = StatusCode::from_u16(error.code().status).unwrap_or_default();
    match error {
        Error::TooManyRequests {
            retry_after_seconds,
        } => Ok(Refusal {
            status,
            trouble: Some("limit"),
            minutes: Some(retry_after_seconds.div_ceil(60)),
            ..Refusal::default()
        }),
        Error::StorageFull | Error::ReadOnly | Error::Store(_) | Error::Conflict(_) => {
            tracing::warn!(%error, "a testimonial could not be stored");
            Ok(Refusal {
                status: StatusCode::SERVICE_UNAVAILABLE,
                trouble: Some("server"),
                ..Refusal::default()
            })
        }
        error => Err(error),
    }
}

async fn look(shared: &Shared, token: &str) -> Result<(Link, Consent)> {
    let (token, now) = (token.to_owned(), shared.now());
    let public_url = shared.site.public_url().to_owned();
    shared
        .read(move |reader| {
            let link = testimonials::look(reader, &token, now)?;
            Ok((link, Consent::new(&reader.settings()?, &public_url)))
        })
        .await
}

const fn ended(link: &Link) -> Shown {
    Shown::Screen(match link {
        // Callers handle open links before.
        Link::Open(_) | Link::Broken => "/testimonianza/broken",
        Link::Used(_) => "/testimonianza/used",
        Link::Withdrawn => "/testimonianza/withdrawn",
        Link::Expired => "/testimonianza/expired",
        Link::Cancelled => "/testimonianza/cancelled",
    })
}

fn form(open: &TestimonialRequest, consent: &Consent, values: &Form, refusal: &Refusal) -> Shown {
    Shown::Filled {
        screen: "/testimonianza/write",
        status: refusal.status,
        given: json!({
            "activity": open.activity,
            "until": format_day(open.expires_at),
            "consent": consent,
            "longest": Form::longest(),
            "values": values,
            "agreed": values.consent == consent.key,
            "faults": refusal.faults,
            "trouble": refusal.trouble,
            "minutes": refusal.minutes,
        }),
    }
}

fn pairs(bytes: &[u8]) -> impl Iterator<Item = (String, String)> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let pairs = web::Query::<Vec<(String, String)>>::from_query(text);
    let pairs = pairs.map_or_else(|_| Vec::new(), web::Query::into_inner);
    pairs.into_iter().take(PAIRS_MAX)
}

async fn answer(request: &HttpRequest, shared: &Shared, shown: Shown) -> Answer {
    let mut accepted = values(request.headers(), header::ACCEPT);
    let is_script = accepted.any(|value| value.starts_with("application/json"));
    match shown {
        Shown::Screen(screen) if is_script => {
            private(StatusCode::GONE, &json!({ "screen": screen }))
        }
        Shown::Screen(screen) => published_pages::screen(request, shared, screen).await,
        Shown::Filled {
            screen,
            status,
            mut given,
        } if is_script => {
            given["screen"] = json!(screen);
            private(status, &given)
        }
        Shown::Filled {
            screen,
            status,
            given,
        } => published_pages::filled(request, shared, screen, status, given).await,
    }
}
