//! Passkeys (Web Authentication, Level 3): challenges for browsers, and verification of their
//! responses. The only file that names the library.

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

/// Length of the user handle, which identifies an account to an authenticator without naming it.
pub const USER_BYTES: usize = 32;
/// Pending registrations of signed-in admins; a further one evicts the oldest.
const REGISTRATIONS_MAX: usize = 64;
/// Answered challenges remembered, so that a response is valid once. A challenge expires after five
/// minutes.
const ANSWERED_MAX: usize = 1_024;

type Key = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

/// Why a passkey was refused. `Invalid` holds a reason for the log, never what a browser sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    #[error("the question of this answer is unknown or too old")]
    Expired,
    #[error("{0}")]
    Invalid(String),
}

fn invalid(error: impl std::fmt::Display) -> PasskeyError {
    PasskeyError::Invalid(error.to_string())
}

/// The site as authenticators know it: a domain, and the origin of its pages.
#[derive(Debug)]
pub struct RelyingParty {
    id: RpId,
    origin: String,
}

impl RelyingParty {
    /// Returns `None` where browsers allow no passkeys: for an IP address, and without HTTPS for
    /// any name but `localhost`.
    pub fn from_origin(origin: &str) -> Option<Self> {
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

/// The stored part of a passkey. Nothing in it is secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    pub id: Vec<u8>,
    /// Public key and other constants, as encoded by the library.
    pub immutable_state: Vec<u8>,
    /// Signature counter and flags that may change with each use.
    pub counter_state: [u8; 7],
}

/// Pending registrations and answered challenges, in memory only. The state of a sign-in challenge
/// is stored by the browser, so that anonymous clients cannot fill a table.
#[derive(Debug, Default)]
pub struct PendingCeremonies {
    registrations: Mutex<VecDeque<RegistrationServerState<USER_BYTES>>>,
    answered: Mutex<VecDeque<SentChallenge>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PendingCeremonies {
    /// Returns the options for `navigator.credentials.create` as JSON. `known` holds the ids of the
    /// account's passkeys.
    pub fn begin_registration(
        &self,
        party: &RelyingParty,
        user: [u8; USER_BYTES],
        name: &str,
        known: Vec<Vec<u8>>,
    ) -> Result<serde_json::Value, PasskeyError> {
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
        // Many phones do not support this extension, and each sign-in verifies the user anyway.
        options.extensions.cred_protect = CredProtect::None;
        let (server, client) = options.start_ceremony().map_err(invalid)?;
        let mut registrations = lock(&self.registrations);
        if registrations.len() >= REGISTRATIONS_MAX {
            registrations.pop_front();
        }
        registrations.push_back(server);
        serde_json::to_value(&client).map_err(invalid)
    }

    fn take_registration(
        &self,
        challenge: SentChallenge,
    ) -> Option<RegistrationServerState<USER_BYTES>> {
        let mut registrations = lock(&self.registrations);
        let sent = |state: &RegistrationServerState<USER_BYTES>| state.sent_challenge();
        let place = registrations
            .iter()
            .position(|state| sent(state) == challenge);
        registrations.remove(place?)
    }

    /// Verifies what the browser created for `user` and returns the new passkey.
    pub fn finish_registration(
        &self,
        party: &RelyingParty,
        user: [u8; USER_BYTES],
        response: &[u8],
    ) -> Result<Credential, PasskeyError> {
        let registration = Registration::from_json_relaxed(response).map_err(invalid)?;
        let challenge = registration.challenge_relaxed().map_err(invalid)?;
        let pending = self.take_registration(challenge);
        let origins = [party.origin.as_str()];
        let options = RegistrationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            ..RegistrationVerificationOptions::default()
        };
        let registered = pending
            .ok_or(PasskeyError::Expired)?
            .verify(&party.id, &registration, &options)
            .map_err(invalid)?;
        if *registered.user_id() != user_handle(user)? {
            return Err(PasskeyError::Expired);
        }
        Ok(Credential {
            id: registered.id().as_ref().to_vec(),
            immutable_state: registered.static_state().encode().map_err(invalid)?,
            counter_state: registered.dynamic_state().encode().map_err(invalid)?,
        })
    }

    /// Returns the options for `navigator.credentials.get` as JSON, for any passkey of this site,
    /// and the state of the challenge, which the caller passes to [`Self::finish_authentication`].
    pub fn begin_authentication(
        party: &RelyingParty,
    ) -> Result<(serde_json::Value, Vec<u8>), PasskeyError> {
        let (server, client) = DiscoverableCredentialRequestOptions::passkey(&party.id)
            .start_ceremony()
            .map_err(invalid)?;
        let challenge_state = server.encode().map_err(invalid)?;
        Ok((
            serde_json::to_value(&client).map_err(invalid)?,
            challenge_state,
        ))
    }

    /// Verifies a response to the challenge with the credential that it names, which belongs to
    /// `user`. Returns the new counter state. A response is valid once.
    pub fn finish_authentication(
        &self,
        party: &RelyingParty,
        challenge_state: &[u8],
        response: &AuthenticationResponse,
        (credential, user): (&Credential, [u8; USER_BYTES]),
    ) -> Result<[u8; 7], PasskeyError> {
        let pending =
            DiscoverableAuthenticationServerState::decode(challenge_state).map_err(invalid)?;
        let challenge = pending.sent_challenge();
        let user = user_handle(user)?;
        let immutable = StaticState::<Key>::decode(&credential.immutable_state).map_err(invalid)?;
        let counter = DynamicState::decode(credential.counter_state).map_err(invalid)?;
        let id = CredentialId::decode(credential.id.as_slice()).map_err(invalid)?;
        let mut kept =
            AuthenticatedCredential::new(id, &user, immutable, counter).map_err(invalid)?;
        let origins = [party.origin.as_str()];
        let options = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            ..AuthenticationVerificationOptions::default()
        };
        pending
            .verify(&party.id, &response.0, &mut kept, &options)
            .map_err(invalid)?;
        self.record_answered(challenge)?;
        kept.dynamic_state().encode().map_err(invalid)
    }
}

impl PendingCeremonies {
    /// Records an answered challenge; fails if it was answered before.
    fn record_answered(&self, challenge: SentChallenge) -> Result<(), PasskeyError> {
        let mut answered = lock(&self.answered);
        if answered.contains(&challenge) {
            return Err(PasskeyError::Expired);
        }
        if answered.len() >= ANSWERED_MAX {
            answered.pop_front();
        }
        answered.push_back(challenge);
        Ok(())
    }
}

/// The response of the client's authenticator to a sign-in challenge.
#[derive(Debug)]
pub struct AuthenticationResponse(DiscoverableAuthentication<USER_BYTES>);

impl AuthenticationResponse {
    pub fn parse(json: &[u8]) -> Result<Self, PasskeyError> {
        DiscoverableAuthentication::from_json_relaxed(json)
            .map(Self)
            .map_err(invalid)
    }

    pub fn credential_id(&self) -> Vec<u8> {
        self.0.raw_id().as_ref().to_vec()
    }
}

/// Returns the public form of a credential's id: URL-safe base64.
pub fn encode_id(id: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(id)
}

/// The reverse of `encode_id`.
pub fn decode_id(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

fn user_handle(bytes: [u8; USER_BYTES]) -> Result<UserHandle<USER_BYTES>, PasskeyError> {
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
            assert!(RelyingParty::from_origin(origin).is_some(), "{origin}");
        }
        for origin in [
            "http://esempio.it",
            "http://127.0.0.1:8080",
            "https://192.0.2.1",
            "https://[::1]:8080",
            "esempio.it",
            "",
        ] {
            assert!(RelyingParty::from_origin(origin).is_none(), "{origin}");
        }
    }

    #[test]
    fn questions_carry_the_site_and_the_account() {
        let party = RelyingParty::from_origin("https://esempio.it").unwrap();
        let ceremonies = PendingCeremonies::default();
        let offer = ceremonies
            .begin_registration(&party, [7; 32], "anna@esempio.it", vec![vec![1; 16]])
            .unwrap();
        let text = offer.to_string();
        assert!(text.contains("\"id\":\"esempio.it\""), "{text}");
        assert!(text.contains("anna@esempio.it"), "{text}");
        let (options, challenge_state) = PendingCeremonies::begin_authentication(&party).unwrap();
        let options = options.to_string();
        assert!(options.contains("\"rpId\":\"esempio.it\""), "{options}");
        assert!(challenge_state.len() < 64, "{}", challenge_state.len());
        assert!(DiscoverableAuthenticationServerState::decode(&challenge_state).is_ok());
    }

    #[test]
    fn passkeys_to_be_added_wait_in_a_bounded_place_and_the_oldest_makes_room() {
        let party = RelyingParty::from_origin("https://esempio.it").unwrap();
        let ceremonies = PendingCeremonies::default();
        for _ in 0..2 * REGISTRATIONS_MAX {
            let offer =
                ceremonies.begin_registration(&party, [7; 32], "anna@esempio.it", Vec::new());
            offer.unwrap();
        }
        assert_eq!(lock(&ceremonies.registrations).len(), REGISTRATIONS_MAX);
    }

    #[test]
    fn an_answered_question_is_answered() {
        let ceremonies = PendingCeremonies::default();
        let challenge = |number| SentChallenge(number);
        assert!(ceremonies.record_answered(challenge(1)).is_ok());
        assert_eq!(
            ceremonies.record_answered(challenge(1)),
            Err(PasskeyError::Expired)
        );
        assert!(ceremonies.record_answered(challenge(2)).is_ok());
    }

    #[test]
    fn rubbish_is_refused() {
        let party = RelyingParty::from_origin("https://esempio.it").unwrap();
        let ceremonies = PendingCeremonies::default();
        for rubbish in ["", "{}", "null", "[1]", r#"{"id":"x","response":{}}"#] {
            assert!(
                AuthenticationResponse::parse(rubbish.as_bytes()).is_err(),
                "{rubbish}"
            );
            let accepted = ceremonies.finish_registration(&party, [7; 32], rubbish.as_bytes());
            assert!(accepted.is_err(), "{rubbish}");
        }
    }
}
