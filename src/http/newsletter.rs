//! Newsletter addresses: anybody may leave one, the admin sees and removes them.

use super::body::Object;
use super::client::visitor;
use super::guard::Admin;
use super::respond::{no_content, private};
use super::{Answer, Shared};
use crate::accounts::normal;
use crate::content::time::rfc3339;
use crate::newsletter;
use crate::store::{Standing, Subscriber};
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// 202 whether the address is new or known, with the same work. With a mail server the answer
/// says that a message is on its way: to every address alike.
pub async fn subscribe(request: HttpRequest, shared: Shared, body: Object) -> Answer {
    let mails = shared.config.mail.is_some();
    let email = newsletter::checked(body.text("email")?, mails)?;
    let visitor = visitor(&request, &shared);
    let now = shared.now();
    shared.doors.newsletter(&visitor.address, now)?;
    shared
        .change(move |writer| newsletter::subscribe(writer, email, mails, now))
        .await?;
    let mut answer = HttpResponse::Accepted();
    answer.insert_header((header::CACHE_CONTROL, "no-store"));
    if mails {
        shared.mail_waiting.notify_one();
        return Ok(answer.json(json!({ "confirmation": true })));
    }
    Ok(answer.finish())
}

const fn state(standing: Standing) -> &'static str {
    match standing {
        Standing::Pending => "pending",
        Standing::Collected => "collected",
        Standing::Confirmed => "confirmed",
        Standing::Unsubscribed => "unsubscribed",
    }
}

/// As the panel calls it.
const fn state_words(standing: Standing) -> &'static str {
    match standing {
        Standing::Pending => "da confermare",
        Standing::Collected => "raccolta",
        Standing::Confirmed => "confermata",
        Standing::Unsubscribed => "cancellata",
    }
}

/// When somebody pressed the button of the message; nothing for an address that was never asked.
fn confirmed_at(subscriber: &Subscriber) -> Option<String> {
    let at = subscriber.confirmed_at.map(rfc3339);
    at.filter(|_| subscriber.standing() != Standing::Collected)
}

pub async fn list(_: Admin, shared: Shared) -> Answer {
    let mut subscribers = shared.read(|reader| reader.subscribers()).await?;
    subscribers.sort_by_key(|subscriber| std::cmp::Reverse(subscriber.created_at));
    let list: Vec<Json> = subscribers
        .iter()
        .map(|subscriber| {
            json!({
                "email": subscriber.email,
                "state": state(subscriber.standing()),
                "createdAt": rfc3339(subscriber.created_at),
                "confirmedAt": confirmed_at(subscriber),
                "consentText": subscriber.consent_text,
            })
        })
        .collect();
    private(StatusCode::OK, &list)
}

pub async fn csv(_: Admin, shared: Shared) -> Answer {
    let mut subscribers = shared.read(|reader| reader.subscribers()).await?;
    subscribers.sort_by(|a, b| (a.created_at, &a.email).cmp(&(b.created_at, &b.email)));
    // The mark at the start tells spreadsheets that this is UTF-8.
    let mut text = String::from("\u{feff}email,stato,iscritto il,confermato il,consenso\r\n");
    for subscriber in &subscribers {
        let cells = [
            subscriber.email.clone(),
            state_words(subscriber.standing()).to_owned(),
            rfc3339(subscriber.created_at),
            confirmed_at(subscriber).unwrap_or_default(),
            subscriber.consent_text.clone(),
        ];
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        // Writing to a string cannot fail.
        let _ = write!(text, "{}\r\n", cells.join(","));
    }
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"newsletter.csv\"",
        ))
        .body(text))
}

/// A cell for a spreadsheet: quoted, and never read as a formula.
fn quoted(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let guard = if formula { "'" } else { "" };
    format!("\"{guard}{}\"", cell.replace('"', "\"\""))
}

pub async fn remove(_: Admin, shared: Shared, email: web::Path<String>) -> Answer {
    let email = normal(&email);
    shared
        .change(move |writer| writer.remove_subscriber(&email))
        .await?;
    Ok(no_content())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_never_a_formula() {
        assert_eq!(quoted("a@b.it"), "\"a@b.it\"");
        assert_eq!(quoted("=1+1@b.it"), "\"'=1+1@b.it\"");
        assert_eq!(quoted("-a\"b"), "\"'-a\"\"b\"");
    }
}
