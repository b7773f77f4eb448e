//! The page behind a personal link: its holder writes a testimonial without an account and without
//! scripts. A script that asks for JSON gets the same data.

use crate::errors::{Error, Result, SizeLimit};
use crate::http::client_addr::client_context;
use crate::http::pages::published_pages;
use crate::http::request_body::{self, JSON_BYTES_MAX};
use crate::http::responses::{json_no_store, values};
use crate::http::{AppState, HandlerResult};
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
const FORM_PAIRS_MAX: usize = 20;

/// The response: a screen of the table of routes, or the form with its values.
enum FormResponse {
    Screen(&'static str),
    Form {
        screen: &'static str,
        status: StatusCode,
        input: Json,
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
pub async fn page(request: HttpRequest, app: AppState, token: Token) -> HandlerResult {
    let (link, consent) = find_link(&app, &token).await?;
    let Link::Open(open) = link else {
        return respond(&request, &app, closed_link_screen(&link)).await;
    };
    let agent = request.headers().get(header::USER_AGENT);
    let agent = agent.and_then(|agent| agent.to_str().ok()).unwrap_or("");
    if open.opened_at.is_none() && !is_robot(agent) && request.method() == Method::GET {
        let (token, now) = (token.into_inner(), app.now());
        let noted = app.change(move |writer| Ok(testimonials::note_opened(writer, &token, now)?));
        // Show the form even if the opening cannot be recorded.
        if let Err(error) = noted.await {
            tracing::warn!(%error, "it could not be noted that a personal link was opened");
        }
    }
    let response = form(&open, &consent, &Form::default(), &Refusal::default());
    respond(&request, &app, response).await
}

/// Receives a testimonial, or its withdrawal.
pub async fn send(
    request: HttpRequest,
    app: AppState,
    token: Token,
    payload: web::Payload,
) -> HandlerResult {
    let (link, consent) = find_link(&app, &token).await?;
    let mut payload = payload.into_inner();
    let bytes = request_body::read(&request, &mut payload, JSON_BYTES_MAX, SizeLimit::Body).await;
    let response = match (link, bytes) {
        (Link::Open(open), Ok(bytes)) => {
            let form = Form::from_pairs(form_pairs(&bytes));
            receive(&request, &app, token.into_inner(), open, consent, form).await?
        }
        (Link::Open(open), Err(Error::TooLarge(_))) => {
            let refusal = Refusal {
                status: StatusCode::PAYLOAD_TOO_LARGE,
                faults: vec![Fault::BodyLong],
                ..Refusal::default()
            };
            form(&open, &consent, &Form::default(), &refusal)
        }
        (Link::Used(_), Ok(bytes)) if form_pairs(&bytes).any(|(name, _)| name == "withdraw") => {
            let (token, now) = (token.into_inner(), app.now());
            let link = app
                .change(move |writer| Ok(testimonials::withdraw(writer, &token, now)?))
                .await?;
            closed_link_screen(&link)
        }
        (link, Ok(_)) => closed_link_screen(&link),
        (_, Err(error)) => return Err(error),
    };
    respond(&request, &app, response).await
}

async fn receive(
    request: &HttpRequest,
    app: &AppState,
    token: String,
    open: TestimonialRequest,
    consent: Consent,
    written: Form,
) -> Result<FormResponse> {
    let now = app.now();
    let faults = written.faults(&consent)?;
    let counted = app
        .auth
        .rate_limits
        .count_testimonial(&client_context(request, app).networks[0], now);
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
    let received = app
        .change(move |writer| {
            Ok(testimonials::receive(
                writer, &token, &fields, &agreed, &id, now,
            )?)
        })
        .await;
    Ok(match received {
        Ok(None) => {
            app.site.announce_notification();
            FormResponse::Form {
                screen: "/testimonianza/thanks",
                status: StatusCode::OK,
                input: json!({ "name": written.name }),
            }
        }
        Ok(Some(link)) => closed_link_screen(&link),
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

async fn find_link(app: &AppState, token: &str) -> Result<(Link, Consent)> {
    let (token, now) = (token.to_owned(), app.now());
    let public_url = app.site.public_url().to_owned();
    app.read(move |reader| {
        let link = testimonials::look(reader, &token, now)?;
        Ok((link, Consent::new(&reader.settings().get()?, &public_url)))
    })
    .await
}

const fn closed_link_screen(link: &Link) -> FormResponse {
    FormResponse::Screen(match link {
        // Callers handle open links before.
        Link::Open(_) | Link::Broken => "/testimonianza/broken",
        Link::Used(_) => "/testimonianza/used",
        Link::Withdrawn => "/testimonianza/withdrawn",
        Link::Expired => "/testimonianza/expired",
        Link::Cancelled => "/testimonianza/cancelled",
    })
}

fn form(
    open: &TestimonialRequest,
    consent: &Consent,
    values: &Form,
    refusal: &Refusal,
) -> FormResponse {
    FormResponse::Form {
        screen: "/testimonianza/write",
        status: refusal.status,
        input: json!({
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

fn form_pairs(bytes: &[u8]) -> impl Iterator<Item = (String, String)> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let pairs = web::Query::<Vec<(String, String)>>::from_query(text);
    let pairs = pairs.map_or_else(|_| Vec::new(), web::Query::into_inner);
    pairs.into_iter().take(FORM_PAIRS_MAX)
}

async fn respond(request: &HttpRequest, app: &AppState, response: FormResponse) -> HandlerResult {
    let mut accepted = values(request.headers(), header::ACCEPT);
    let is_script = accepted.any(|value| value.starts_with("application/json"));
    match response {
        FormResponse::Screen(screen) if is_script => {
            json_no_store(StatusCode::GONE, &json!({ "screen": screen }))
        }
        FormResponse::Screen(screen) => published_pages::screen(request, app, screen).await,
        FormResponse::Form {
            screen,
            status,
            mut input,
        } if is_script => {
            input["screen"] = json!(screen);
            json_no_store(status, &input)
        }
        FormResponse::Form {
            screen,
            status,
            input,
        } => published_pages::render_form(request, app, screen, status, input).await,
    }
}
