//! Well-known addresses (RFC 8615) that programs request.
//!
//! `traffic-advice` is not one of them: without the file Chrome's private prefetch proxy may
//! prefetch pages, which are cached and cost nothing.

use crate::errors::Error;
use crate::http::{AppState, HandlerResult};
use actix_web::HttpResponse;
use actix_web::http::header;
use respiro_content::time::rfc3339;

/// Where the panel changes a password.
const ACCOUNT_PATH: &str = "/admin#/account";
/// RFC 9116 recommends that the file expires within a year.
const SECURITY_CONTACT_MILLISECONDS: i64 = 180 * 24 * 60 * 60 * 1_000;

/// Leads password managers to the form that changes a password.
pub async fn change_password() -> HandlerResult {
    Ok(HttpResponse::Found()
        .insert_header((header::LOCATION, ACCOUNT_PATH))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .finish())
}

/// Names the host's contact for reports of vulnerabilities (RFC 9116); 404 if none is configured,
/// because the practitioner's public address is none.
pub async fn security_contact(app: AppState) -> HandlerResult {
    let contact = app.config.security_contact.as_ref();
    let contact = contact.ok_or(Error::NotFound)?;
    let day = 24 * 60 * 60 * 1_000;
    // Changes once a day, so that caches are useful.
    let expires = (app.now() + SECURITY_CONTACT_MILLISECONDS) / day * day;
    let text = format!(
        "Contact: {contact}\nExpires: {}\nPreferred-Languages: it, en\n\
         Canonical: {}/.well-known/security.txt\n",
        rfc3339(expires),
        app.site.public_url(),
    );
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .body(text))
}
