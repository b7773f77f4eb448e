//! Passkeys (the Web Authentication API, Level 3): what is asked of a browser, and whether its
//! answer holds. The only file that names the library.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::AuthenticationVerificationOptions;
use webauthn_rp::request::register::{
    CredProtect, PublicKeyCredentialUserEntity, RegistrationVerificationOptions, UserHandle,
    Username,
};
use webauthn_rp::request::{AsciiDomain, PublicKeyCredentialDescriptor, RpId, TimedCeremony};
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId, SentChallenge};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions, PublicKeyCredentialCreationOptions, Registration,
    RegistrationServerState,
};

/// Length of what stands for an account inside an authenticator: it tells nothing about a person.
pub const USER_BYTES: usize = 32;
/// Passkeys on their way to be added, by people who are signed in; the oldest makes room.
const REGISTRATIONS_MAX: usize = 64;
/// Answered questions remembered, so that an answer serves once. A question lives five minutes.
const ANSWERED_MAX: usize = 1_024;

type Key = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

/// Why a passkey was not taken. `Invalid` says it for the log: never what a browser sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
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

/// Questions asked of browsers. Those to strangers are kept by the browsers themselves, so that
/// no crowd can fill a table; a restart forgets the others.
#[derive(Debug, Default)]
pub struct Ceremonies {
    registrations: Mutex<VecDeque<RegistrationServerState<USER_BYTES>>>,
    answered: Mutex<VecDeque<SentChallenge>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut registrations = lock(&self.registrations);
        if registrations.len() >= REGISTRATIONS_MAX {
            registrations.pop_front();
        }
        registrations.push_back(server);
        serde_json::to_value(&client).map_err(invalid)
    }

    fn take(&self, challenge: SentChallenge) -> Option<RegistrationServerState<USER_BYTES>> {
        let mut registrations = lock(&self.registrations);
        let asked = |state: &RegistrationServerState<USER_BYTES>| state.sent_challenge();
        let place = registrations
            .iter()
            .position(|state| asked(state) == challenge);
        registrations.remove(place?)
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
        let asked = self.take(challenge);
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
    /// Beside them the question itself, which is to come back with the answer.
    pub fn ask(party: &Party) -> Result<(serde_json::Value, Vec<u8>), Refusal> {
        let (server, client) = DiscoverableCredentialRequestOptions::passkey(&party.id)
            .start_ceremony()
            .map_err(invalid)?;
        let question = server.encode().map_err(invalid)?;
        Ok((serde_json::to_value(&client).map_err(invalid)?, question))
    }

    /// Verifies the answer to `question` by the credential it names, which belongs to `user`. The
    /// credential's moving part afterwards; an answer serves once.
    pub fn verify(
        &self,
        party: &Party,
        question: &[u8],
        answer: &Answer,
        (credential, user): (&Credential, [u8; USER_BYTES]),
    ) -> Result<[u8; 7], Refusal> {
        let asked = DiscoverableAuthenticationServerState::decode(question).map_err(invalid)?;
        let challenge = asked.sent_challenge();
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
            .verify(&party.id, &answer.0, &mut kept, &options)
            .map_err(invalid)?;
        self.count(challenge)?;
        kept.dynamic_state().encode().map_err(invalid)
    }
}

impl Ceremonies {
    /// Notes an answered question; one that was answered before is worth nothing.
    fn count(&self, challenge: SentChallenge) -> Result<(), Refusal> {
        let mut answered = lock(&self.answered);
        if answered.contains(&challenge) {
            return Err(Refusal::Expired);
        }
        if answered.len() >= ANSWERED_MAX {
            answered.pop_front();
        }
        answered.push_back(challenge);
        Ok(())
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
    fn questions_carry_the_site_and_the_account() {
        let party = Party::of("https://esempio.it").unwrap();
        let ceremonies = Ceremonies::default();
        let offer = ceremonies
            .offer(&party, [7; 32], "anna@esempio.it", vec![vec![1; 16]])
            .unwrap();
        let text = offer.to_string();
        assert!(text.contains("\"id\":\"esempio.it\""), "{text}");
        assert!(text.contains("anna@esempio.it"), "{text}");
        let (options, question) = Ceremonies::ask(&party).unwrap();
        let options = options.to_string();
        assert!(options.contains("\"rpId\":\"esempio.it\""), "{options}");
        assert!(question.len() < 64, "{}", question.len());
        assert!(DiscoverableAuthenticationServerState::decode(&question).is_ok());
    }

    #[test]
    fn passkeys_to_be_added_wait_in_a_bounded_place_and_the_oldest_makes_room() {
        let party = Party::of("https://esempio.it").unwrap();
        let ceremonies = Ceremonies::default();
        for _ in 0..2 * REGISTRATIONS_MAX {
            let offer = ceremonies.offer(&party, [7; 32], "anna@esempio.it", Vec::new());
            offer.unwrap();
        }
        assert_eq!(lock(&ceremonies.registrations).len(), REGISTRATIONS_MAX);
    }

    #[test]
    fn an_answered_question_is_answered() {
        let ceremonies = Ceremonies::default();
        let challenge = |number| SentChallenge(number);
        assert!(ceremonies.count(challenge(1)).is_ok());
        assert_eq!(ceremonies.count(challenge(1)), Err(Refusal::Expired));
        assert!(ceremonies.count(challenge(2)).is_ok());
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
