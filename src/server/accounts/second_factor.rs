//! Enables and disables the second factor, and verifies its codes at sign-in.

use super::{ClientContext, confirm_password, device, notify_access_change};
use crate::errors::{Error, FieldError, Result};
use crate::qr_code::QrCode;
use crate::state::App;
use respiro_auth::login_gate::LoginClient;
use respiro_auth::totp;
use respiro_db::SecondFactor;
use std::fmt::Write as _;

const CODE_REFUSED: &str = "Il codice di verifica non è corretto.";
const SWITCHED_ON: &str = "Il codice di verifica è stato attivato";
const SWITCHED_OFF: &str = "Il codice di verifica è stato disattivato";
const NOT_STARTED: &str = "Comincia di nuovo l'attivazione del codice di verifica.";
const ALREADY_ON: &str = "Il codice di verifica è già attivo.";

/// From this many wrong codes on the owner is notified; one or two are slips.
const WRONG_CODES_NOTIFIED: u32 = 3;

/// The secret and QR code that the panel shows to enrol an authenticator app.
#[derive(Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TotpSetup {
    pub secret: String,
    pub otpauth_url: String,
    pub qr_svg: String,
}

/// Creates a secret that is pending until the first code confirms it.
pub async fn start(app: &App, email: &str, brand: &str) -> Result<TotpSetup> {
    let wanted = email.to_owned();
    let account = app
        .read(move |reader| Ok(reader.accounts().get(&wanted)?))
        .await?;
    if account.ok_or(Error::Unauthorized)?.second_factor.is_some() {
        return Err(Error::Conflict(ALREADY_ON));
    }
    let secret = totp::new_secret()?;
    let text = totp::encode_base32(&secret);
    let (issuer, name) = (percent_encode(brand), percent_encode(email));
    let otpauth_url = format!("otpauth://totp/{issuer}:{name}?secret={text}&issuer={issuer}");
    let qr_svg = QrCode::of(&otpauth_url)?.svg();
    app.auth
        .login_gate
        .totp_enrolments
        .start(email, secret, app.now());
    Ok(TotpSetup {
        secret: text,
        otpauth_url,
        qr_svg,
    })
}

/// Enables the second factor with the app's first code. Returns the recovery codes, shown once.
pub async fn confirm(app: &App, email: &str, code: &str) -> Result<Vec<String>> {
    let enrolments = &app.auth.login_gate.totp_enrolments;
    let secret = enrolments.secret(email, app.now());
    let secret = secret.ok_or(Error::Conflict(NOT_STARTED))?;
    // The app of the account follows its own clock.
    let code_time = app.site.clock().system_time();
    let Some(last_step) = totp::matching_step(&secret, code, 0, code_time) else {
        let error = FieldError::new("code", CODE_REFUSED);
        return Err(Error::Invalid(vec![error]));
    };
    let recovery = totp::new_recovery_codes()?;
    let factor = SecondFactor {
        secret,
        recovery_hashes: recovery
            .iter()
            .map(|code| totp::hash_recovery_code(code))
            .collect(),
        last_step,
    };
    let wanted = email.to_owned();
    app.change(move |writer| {
        let mut account = writer.accounts().get(&wanted)?.ok_or(Error::Unauthorized)?;
        account.second_factor = Some(factor);
        Ok(writer.accounts().put(&account)?)
    })
    .await?;
    app.auth.login_gate.totp_enrolments.finish(email);
    notify_access_change(app, email, SWITCHED_ON.to_owned()).await;
    Ok(recovery)
}

/// Disables the second factor; requires the password.
pub async fn remove(app: &App, email: &str, password: &str) -> Result<()> {
    let account = confirm_password(app, email, password, "password").await?;
    app.change(move |writer| {
        let mut account = writer
            .accounts()
            .get(&account.email)?
            .ok_or(Error::Unauthorized)?;
        account.second_factor = None;
        Ok(writer.accounts().put(&account)?)
    })
    .await?;
    notify_access_change(app, email, SWITCHED_OFF.to_owned()).await;
    Ok(())
}

/// Verifies the code of a client whose password was correct. Notifies the owner of repeated wrong
/// codes, because somebody else may know the password.
pub(super) async fn verify_code(
    app: &App,
    context: &ClientContext,
    client: LoginClient<'_>,
    code: &str,
) -> Result<()> {
    let attempts = app.auth.login_gate.admit_totp(client, app.now())?;
    let email = client.email;
    let used = redeem_code(app, email, code).await;
    let is_unknown = client.device.is_none();
    if matches!(used, Err(Error::Refused(_))) && is_unknown && attempts >= WRONG_CODES_NOTIFIED {
        let from = device::display_name(&context.user_agent);
        let what = format!("Password giusta ma codice di verifica sbagliato, da {from}");
        notify_access_change(app, email, what).await;
    }
    used
}

/// Verifies and uses up a time-based or recovery code in one transaction.
async fn redeem_code(app: &App, email: &str, written: &str) -> Result<()> {
    let (email, written) = (email.to_owned(), written.to_owned());
    // The app of the account follows its own clock.
    let code_time = app.site.clock().system_time();
    app.change(move |writer| {
        let refused = || Error::Refused(CODE_REFUSED);
        let mut account = writer.accounts().get(&email)?.ok_or_else(refused)?;
        let factor = account.second_factor.as_mut().ok_or_else(refused)?;
        let step = totp::matching_step(&factor.secret, &written, factor.last_step, code_time);
        if let Some(step) = step {
            factor.last_step = step;
        } else {
            let hash = totp::hash_recovery_code(&written);
            let found = factor.recovery_hashes.iter().position(|kept| *kept == hash);
            factor.recovery_hashes.remove(found.ok_or_else(refused)?);
        }
        Ok(writer.accounts().put(&account)?)
    })
    .await
}

/// Percent-encodes all but the unreserved characters.
fn percent_encode(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}
