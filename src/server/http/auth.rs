//! Authentication of requests: the session cookie, the `Admin` extractor and the CSRF check.

use super::request_body;
use crate::accounts;
use crate::config::origin_of;
use crate::errors::{Error, Result};
use crate::state::App;
use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use respiro_auth::token;
use respiro_content::Timestamp;
use respiro_db::{Actor, Cause, Role, SESSION_MILLISECONDS_MAX, Session};
use std::future::Future;
use std::pin::Pin;

const WRONG_ORIGIN: &str =
    "La richiesta non viene da questo sito. Apri la pagina dal suo indirizzo pubblico e riprova.";

/// A signed-in admin. A handler that takes it cannot be reached without a session.
#[derive(Debug, Clone)]
pub struct Admin {
    pub session: Session,
    pub token_hash: [u8; 32],
    pub role: Role,
}

impl Admin {
    /// Names the admin in the history.
    pub fn actor(&self, at: Timestamp) -> Actor {
        Actor {
            at,
            account: self.session.email.clone(),
            user_agent: self.session.user_agent.clone(),
            cause: Cause::Edit,
        }
    }
}

impl FromRequest for Admin {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            // The middleware in front of the routes has read the session already.
            if let Some(admin) = request.extensions().get::<Self>() {
                return Ok(admin.clone());
            }
            let app = request_body::app(&request)?;
            find_admin(&request, &app).await?.ok_or(Error::Unauthorized)
        })
    }
}

/// An admin who signed in, or confirmed the password or a passkey, in this session within ten
/// minutes. A handler that takes it answers 403 `confirmation-required` otherwise, and has done
/// nothing: a stolen session or an unlocked laptop opens neither credentials nor backups.
#[derive(Debug, Clone)]
pub struct ConfirmedAdmin(pub Admin);

impl FromRequest for ConfirmedAdmin {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (app, admin) = (
            request_body::app(request),
            Admin::from_request(request, payload),
        );
        Box::pin(async move {
            let (app, admin) = (app?, admin.await?);
            let confirmations = &app.auth.confirmations;
            if confirmations.is_confirmed(&admin.token_hash, app.now()) {
                Ok(Self(admin))
            } else {
                Err(Error::ConfirmationRequired)
            }
        })
    }
}

/// An admin whose account may do everything. A handler that takes it answers 403 `owner-required`
/// to an editor, and has done nothing.
#[derive(Debug, Clone)]
pub struct Owner(pub Admin);

impl FromRequest for Owner {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let admin = Admin::from_request(request, payload);
        Box::pin(async move {
            let admin = admin.await?;
            match admin.role {
                Role::Owner => Ok(Self(admin)),
                Role::Editor => Err(Error::OwnerRequired),
            }
        })
    }
}

/// An [`Owner`] who is a [`ConfirmedAdmin`] too. An editor is not asked to confirm.
#[derive(Debug, Clone)]
pub struct ConfirmedOwner(pub Admin);

impl FromRequest for ConfirmedOwner {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let owner = Owner::from_request(request, payload);
        let confirmed = ConfirmedAdmin::from_request(request, payload);
        Box::pin(async move {
            owner.await?;
            confirmed.await.map(|ConfirmedAdmin(admin)| Self(admin))
        })
    }
}

/// Returns the live session of a request.
pub async fn find_admin(request: &HttpRequest, app: &App) -> Result<Option<Admin>> {
    let Some(token) = session_token(request, app) else {
        return Ok(None);
    };
    let token_hash = token::hash(&token);
    let found = accounts::find_session(app, token_hash).await?;
    if found.is_some() {
        app.site.publisher.expect_change();
        app.auth.record_panel_request(app.now());
    }
    Ok(found.map(|(session, role)| Admin {
        session,
        token_hash,
        role,
    }))
}

/// A cookie of the site. Scripts cannot read any of them.
#[derive(Debug, Clone, Copy)]
pub enum Cookie {
    /// The session's token.
    Session,
    /// Token of a trusted device; it opens nothing.
    Device,
    /// The state of a passkey challenge until the browser answers it.
    PasskeyChallenge,
}

impl Cookie {
    /// Browsers take a cookie whose name begins with `__Host-` only over HTTPS, for this host and
    /// path `/`.
    const fn name(self, https: bool) -> &'static str {
        match (self, https) {
            (Self::Session, true) => "__Host-respiro-session",
            (Self::Session, false) => "respiro-session",
            (Self::Device, true) => "__Host-respiro-device",
            (Self::Device, false) => "respiro-device",
            (Self::PasskeyChallenge, true) => "__Host-respiro-passkey",
            (Self::PasskeyChallenge, false) => "respiro-passkey",
        }
    }

    /// Navigation from another site sends the device cookie only. It grants no access and excludes
    /// the admin's visits from the statistics.
    const fn same_site(self) -> &'static str {
        match self {
            Self::Session | Self::PasskeyChallenge => "Strict",
            Self::Device => "Lax",
        }
    }

    const fn seconds(self) -> i64 {
        match self {
            Self::Session => SESSION_MILLISECONDS_MAX / 1_000,
            Self::Device => accounts::DEVICE_MILLISECONDS / 1_000,
            Self::PasskeyChallenge => 5 * 60,
        }
    }
}

/// Returns the token in the session cookie.
pub fn session_token(request: &HttpRequest, app: &App) -> Option<String> {
    cookie(request, app, Cookie::Session)
}

pub fn cookie(request: &HttpRequest, app: &App, cookie: Cookie) -> Option<String> {
    let name = cookie.name(app.is_https());
    request
        .headers()
        .get_all(header::COOKIE)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned())
}

/// `Set-Cookie` that gives a browser its cookie, or with `None` takes it away.
pub fn set_cookie(app: &App, cookie: Cookie, value: Option<&str>) -> String {
    let name = cookie.name(app.is_https());
    let secure = if app.is_https() { "; Secure" } else { "" };
    let seconds = value.map_or(0, |_| cookie.seconds());
    let value = value.unwrap_or("");
    let same_site = cookie.same_site();
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}")
}

/// CSRF check: refuses a write that another site made the browser send.
///
/// Browsers send `Origin` with every write; other programs send neither header.
pub fn check_origin(headers: &HeaderMap, public_url: &str) -> Result<()> {
    let mut origins = headers.get_all(header::ORIGIN).peekable();
    if origins.peek().is_some() {
        let own = origin_of(public_url);
        let right = origins.all(|origin| origin.as_bytes() == own.as_bytes());
        return if right {
            Ok(())
        } else {
            Err(Error::Forbidden(WRONG_ORIGIN))
        };
    }
    match headers
        .get("sec-fetch-site")
        .map(header::HeaderValue::as_bytes)
    {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(Error::Forbidden(WRONG_ORIGIN)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn check(pairs: &[(&'static str, &'static str)], url: &str) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            let value = HeaderValue::from_static(value);
            headers.append(HeaderName::from_static(name), value);
        }
        check_origin(&headers, url).is_ok()
    }

    #[test]
    fn changes_come_from_the_public_origin_or_from_no_browser() {
        let url = "https://example.com";
        assert!(check(&[], url));
        assert!(check(&[("origin", "https://example.com")], url));
        assert!(check(&[("sec-fetch-site", "same-origin")], url));
        assert!(check(&[("sec-fetch-site", "none")], url));
        assert!(check(
            &[("origin", "https://example.com")],
            "https://example.com:443/x"
        ));
        for wrong in [
            "null",
            "",
            "http://example.com",
            "https://example.com:444",
            "https://example.com.evil.test",
            "https://www.example.com",
            "https://example.com/",
            "HTTPS://EXAMPLE.COM",
        ] {
            assert!(!check(&[("origin", wrong)], url), "{wrong}");
        }
        assert!(!check(&[("sec-fetch-site", "cross-site")], url));
        assert!(!check(&[("sec-fetch-site", "same-site")], url));
        let twice = [
            ("origin", "https://example.com"),
            ("origin", "https://evil.test"),
        ];
        assert!(!check(&twice, url));
    }

    #[test]
    fn golden_names_of_cookies() {
        let golden = [
            (Cookie::Session, "respiro-session", "Strict", 7_776_000),
            (Cookie::Device, "respiro-device", "Lax", 34_560_000),
            (Cookie::PasskeyChallenge, "respiro-passkey", "Strict", 300),
        ];
        for (cookie, name, same_site, seconds) in golden {
            assert_eq!(cookie.name(false), name);
            assert_eq!(cookie.name(true), format!("__Host-{name}"));
            assert_eq!((cookie.same_site(), cookie.seconds()), (same_site, seconds));
        }
    }
}
