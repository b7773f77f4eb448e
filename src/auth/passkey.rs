//! Passkeys (the Web Authentication API, Level 3): what is asked of a browser, and whether its
//! answer holds. The only file that names the library.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::sync::{Mutex, MutexGuard, PoisonError};
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::AuthenticationVerificationOptions;
use webauthn_rp::request::register::{
    CredProtect, PublicKeyCredentialUserEntity, RegistrationVerificationOptions, UserHandle,
    Username,
};
use webauthn_rp::request::{
    AsciiDomain, FixedCapHashSet, InsertResult, PublicKeyCredentialDescriptor, RpId,
};
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions, PublicKeyCredentialCreationOptions, Registration,
    RegistrationServerState,
};

/// Length of what stands for an account inside an authenticator: it tells nothing about a person.
pub const USER_BYTES: usize = 32;
/// Questions that wait for an answer; each is forgotten after five minutes.
const WAITING_MAX: usize = 1_024;

type Key = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

/// Why a passkey was not taken. `Invalid` says it for the log: never what a browser sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("{WAITING_MAX} passkey questions wait for their answers")]
    Busy,
    #[error("the question of this answer is unknown or too old")]
    Expired,
    #[error("{0}")]
    Invalid(String),
}

fn invalid(error: impl std::fmt::Display) -> Refusal {
    Refusal::Invalid(error.to_string())
}

/// The site as authenticators know it: a domain, and the origin that its pages have.
#[derive(Debug)]
pub struct Party {
    id: RpId,
    origin: String,
}

impl Party {
    /// `None` where browsers allow no passkeys: the site is reached by a bare address, or without
    /// HTTPS by a name other than `localhost`.
    pub fn of(origin: &str) -> Option<Self> {
        let (scheme, rest) = origin.split_once("://")?;
        let host = rest.rsplit_once(':').map_or(rest, |(host, _)| host);
        if host.parse::<std::net::Ipv4Addr>().is_ok() || host.starts_with('[') {
            return None;
        }
        if scheme != "https" && host != "localhost" {
            return None;
        }
        let domain = AsciiDomain::try_from(host.to_owned()).ok()?;
        Some(Self {
            id: RpId::Domain(domain),
            origin: origin.to_owned(),
        })
    }
}

/// What is kept of a passkey: nothing in it is secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    pub id: Vec<u8>,
    /// Public key and what never changes, as the library writes it.
    pub fixed: Vec<u8>,
    /// Signature counter and what may change with each use.
    pub moving: [u8; 7],
}

/// Questions asked of browsers. They live in memory: a restart forgets them.
#[derive(Debug)]
pub struct Ceremonies {
    registrations: Mutex<FixedCapHashSet<RegistrationServerState<USER_BYTES>>>,
    sign_ins: Mutex<FixedCapHashSet<DiscoverableAuthenticationServerState>>,
}

impl Default for Ceremonies {
    fn default() -> Self {
        Self {
            registrations: Mutex::new(FixedCapHashSet::new(WAITING_MAX)),
            sign_ins: Mutex::new(FixedCapHashSet::new(WAITING_MAX)),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn inserted(result: InsertResult) -> Result<(), Refusal> {
    match result {
        InsertResult::Success => Ok(()),
        InsertResult::CapacityFull | InsertResult::Duplicate => Err(Refusal::Busy),
    }
}

impl Ceremonies {
    /// The options for `navigator.credentials.create`, as JSON. `known`: ids that the account has.
    pub fn offer(
        &self,
        party: &Party,
        user: [u8; USER_BYTES],
        name: &str,
        known: Vec<Vec<u8>>,
    ) -> Result<serde_json::Value, Refusal> {
        let user = user_handle(user)?;
        let transports = AuthTransports::decode(0).map_err(invalid)?;
        let mut exclude = Vec::with_capacity(known.len());
        for id in known {
            let id = CredentialId::decode(id).map_err(invalid)?;
            exclude.push(PublicKeyCredentialDescriptor { id, transports });
        }
        let entity = PublicKeyCredentialUserEntity {
            name: Username::try_from(name).map_err(invalid)?,
            id: &user,
            display_name: None,
        };
        let mut options = PublicKeyCredentialCreationOptions::passkey(&party.id, entity, exclude);
        // Many telephones do not know this extension, and each sign-in verifies the person anyway.
        options.extensions.cred_protect = CredProtect::None;
        let (server, client) = options.start_ceremony().map_err(invalid)?;
        inserted(lock(&self.registrations).insert_or_replace_all_expired(server))?;
        serde_json::to_value(&client).map_err(invalid)
    }

    /// A new passkey out of what the browser made for `user`.
    pub fn accept(
        &self,
        party: &Party,
        user: [u8; USER_BYTES],
        answer: &[u8],
    ) -> Result<Credential, Refusal> {
        let registration = Registration::from_json_relaxed(answer).map_err(invalid)?;
        let challenge = registration.challenge_relaxed().map_err(invalid)?;
        let asked = lock(&self.registrations).take(&challenge);
        let origins = [party.origin.as_str()];
        let options = RegistrationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            ..RegistrationVerificationOptions::default()
        };
        let made = asked
            .ok_or(Refusal::Expired)?
            .verify(&party.id, &registration, &options)
            .map_err(invalid)?;
        if *made.user_id() != user_handle(user)? {
            return Err(Refusal::Expired);
        }
        Ok(Credential {
            id: made.id().as_ref().to_vec(),
            fixed: made.static_state().encode().map_err(invalid)?,
            moving: made.dynamic_state().encode().map_err(invalid)?,
        })
    }

    /// The options for `navigator.credentials.get`, as JSON: any passkey of this site will do.
    pub fn ask(&self, party: &Party) -> Result<serde_json::Value, Refusal> {
        let (server, client) = DiscoverableCredentialRequestOptions::passkey(&party.id)
            .start_ceremony()
            .map_err(invalid)?;
        inserted(lock(&self.sign_ins).insert_or_replace_all_expired(server))?;
        serde_json::to_value(&client).map_err(invalid)
    }

    /// Verifies an answer by the credential it names, which belongs to `user`. The credential's
    /// moving part afterwards; an answer serves once.
    pub fn verify(
        &self,
        party: &Party,
        answer: &Answer,
        credential: &Credential,
        user: [u8; USER_BYTES],
    ) -> Result<[u8; 7], Refusal> {
        let challenge = answer.0.challenge_relaxed().map_err(invalid)?;
        let asked = lock(&self.sign_ins).take(&challenge);
        let user = user_handle(user)?;
        let fixed = StaticState::<Key>::decode(&credential.fixed).map_err(invalid)?;
        let moving = DynamicState::decode(credential.moving).map_err(invalid)?;
        let id = CredentialId::decode(credential.id.as_slice()).map_err(invalid)?;
        let mut kept = AuthenticatedCredential::new(id, &user, fixed, moving).map_err(invalid)?;
        let origins = [party.origin.as_str()];
        let options = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            ..AuthenticationVerificationOptions::default()
        };
        asked
            .ok_or(Refusal::Expired)?
            .verify(&party.id, &answer.0, &mut kept, &options)
            .map_err(invalid)?;
        kept.dynamic_state().encode().map_err(invalid)
    }
}

/// What a browser sent to sign in.
#[derive(Debug)]
pub struct Answer(DiscoverableAuthentication<USER_BYTES>);

impl Answer {
    pub fn parse(json: &[u8]) -> Result<Self, Refusal> {
        DiscoverableAuthentication::from_json_relaxed(json)
            .map(Self)
            .map_err(invalid)
    }

    pub fn credential_id(&self) -> Vec<u8> {
        self.0.raw_id().as_ref().to_vec()
    }
}

/// The public form of a credential's id: URL-safe base 64.
pub fn id_text(id: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(id)
}

/// The reverse of `id_text`.
pub fn id_bytes(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

fn user_handle(bytes: [u8; USER_BYTES]) -> Result<UserHandle<USER_BYTES>, Refusal> {
    UserHandle::decode(bytes).map_err(invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_need_a_name_and_a_safe_origin() {
        for origin in [
            "https://esempio.it",
            "https://www.esempio.it:8443",
            "http://localhost:8080",
            "https://localhost",
        ] {
            assert!(Party::of(origin).is_some(), "{origin}");
        }
        for origin in [
            "http://esempio.it",
            "http://127.0.0.1:8080",
            "https://192.0.2.1",
            "https://[::1]:8080",
            "esempio.it",
            "",
        ] {
            assert!(Party::of(origin).is_none(), "{origin}");
        }
    }

    #[test]
    fn questions_carry_the_site_and_the_account_and_wait_in_a_bounded_place() {
        let party = Party::of("https://esempio.it").unwrap();
        let ceremonies = Ceremonies::default();
        let offer = ceremonies
            .offer(&party, [7; 32], "anna@esempio.it", vec![vec![1; 16]])
            .unwrap();
        let text = offer.to_string();
        assert!(text.contains("\"id\":\"esempio.it\""), "{text}");
        assert!(text.contains("anna@esempio.it"), "{text}");
        let question = ceremonies.ask(&party).unwrap().to_string();
        assert!(question.contains("\"rpId\":\"esempio.it\""), "{question}");
        let mut asked = 1;
        while ceremonies.ask(&party).is_ok() {
            asked += 1;
            assert!(asked < 10 * WAITING_MAX, "nothing bounds the questions");
        }
        assert!(asked >= WAITING_MAX);
        assert_eq!(ceremonies.ask(&party).unwrap_err(), Refusal::Busy);
    }

    #[test]
    fn rubbish_is_refused() {
        let party = Party::of("https://esempio.it").unwrap();
        let ceremonies = Ceremonies::default();
        for rubbish in ["", "{}", "null", "[1]", r#"{"id":"x","response":{}}"#] {
            assert!(Answer::parse(rubbish.as_bytes()).is_err(), "{rubbish}");
            let accepted = ceremonies.accept(&party, [7; 32], rubbish.as_bytes());
            assert!(accepted.is_err(), "{rubbish}");
        }
    }
}
