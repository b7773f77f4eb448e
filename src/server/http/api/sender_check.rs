//! Checks SPF, DKIM and DMARC of the sender's domain. Asks name servers only when it is requested.

use crate::errors::{Error, FieldError, NO_MAIL};
use crate::http::auth::Owner;
use crate::http::request_body::JsonObject;
use crate::http::responses::json_no_store;
use crate::http::{AppState, HandlerResult};
use actix_web::http::StatusCode;
use respiro_email::DnsResolver;
use respiro_email::sender_checks::{self, LetterProblem, SenderCheck};
use serde_json::{Value as Json, json};

const NO_SOURCE: &str = "Non è la lettera intera: nella tua casella aprila, scegli «Mostra \
                         originale» o «Visualizza sorgente» e copia tutto.";
const OTHER_SENDER: &str = "Questa lettera non viene dal sito: copia quella che il sito ti ha \
                            mandato come prova.";
const NO_RESULTS: &str = "La tua casella non scrive nella lettera se la firma è giusta. Manda la \
                          prova a una casella Gmail, Outlook o iCloud.";

/// Checks the domain, and the source of a received letter if the body has one.
pub async fn check(_: Owner, app: AppState, body: JsonObject) -> HandlerResult {
    let Some(mail) = app.config.mail.as_ref() else {
        return Err(NO_MAIL);
    };
    let letter = body.optional_text("letter")?;
    app.auth.rate_limits.count_sender_check(app.now())?;
    let servers = app.tuning.name_servers.clone();
    let resolver = servers.map_or_else(DnsResolver::system, DnsResolver::new);
    let report = sender_checks::check(&resolver, mail, letter).await;
    let report = report.map_err(|problem| {
        let message = match problem {
            LetterProblem::NoSource => NO_SOURCE,
            LetterProblem::OtherSender => OTHER_SENDER,
            LetterProblem::NoResults => NO_RESULTS,
        };
        Error::Invalid(vec![FieldError::new("letter", message)])
    })?;
    let json = json!({
        "domain": report.domain,
        "spf": check_json(&report.spf),
        "dkim": check_json(&report.dkim),
        "dmarc": check_json(&report.dmarc),
    });
    json_no_store(StatusCode::OK, &json)
}

fn check_json(check: &SenderCheck) -> Json {
    let wanted = check.wanted.as_ref();
    json!({
        "state": check.state.name(),
        "found": check.found,
        "wanted": wanted.map(|record| json!({ "name": record.name, "value": record.value })),
    })
}
