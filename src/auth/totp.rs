//! Second factor: time-based one-time passwords (TOTP, RFC 6238) and recovery codes.

use super::error::Result;
use super::token;
use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use std::sync::{Mutex, MutexGuard, PoisonError};
use subtle::ConstantTimeEq;

const STEP_SECONDS: i64 = 30;
/// Phone clocks drift: the previous and the next time step are accepted too.
const STEP_DRIFT_MAX: i64 = 1;
const SECRET_BYTES: usize = 20;
pub const RECOVERY_CODE_COUNT: usize = 10;
/// How long a secret waits for the first code of its app.
const ENROLMENT_MS_MAX: i64 = 15 * 60_000;
/// Enrolments at once; a further one replaces the oldest.
const ENROLMENTS_MAX: usize = 16;

/// Secrets that wait for the first code of their app, one per account. In memory only.
#[derive(Debug, Default)]
pub struct PendingEnrolments(Mutex<Vec<Enrolment>>);

#[derive(Debug)]
struct Enrolment {
    email: String,
    secret: Vec<u8>,
    started_at: i64,
}

impl PendingEnrolments {
    /// Stores the secret, in place of an earlier one of the account.
    pub fn start(&self, email: &str, secret: Vec<u8>, now: i64) {
        let mut enrolments = self.lock();
        enrolments.retain(|other| other.email != email);
        if enrolments.len() >= ENROLMENTS_MAX {
            enrolments.remove(0);
        }
        enrolments.push(Enrolment {
            email: email.to_owned(),
            secret,
            started_at: now,
        });
    }

    pub fn secret(&self, email: &str, now: i64) -> Option<Vec<u8>> {
        self.lock()
            .iter()
            .find(|one| one.email == email && now - one.started_at < ENROLMENT_MS_MAX)
            .map(|one| one.secret.clone())
    }

    pub fn finish(&self, email: &str) {
        self.lock().retain(|other| other.email != email);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Enrolment>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a new secret for an authenticator app.
pub fn new_secret() -> Result<Vec<u8>> {
    let mut bytes = vec![0_u8; SECRET_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Returns the time step of a code, or `None` if the code is wrong or its step is not after
/// `last_step`: a code is valid once.
pub fn matching_step(secret: &[u8], input: &str, last_step: u64, now: i64) -> Option<u64> {
    let digits: String = input.chars().filter(|c| !c.is_whitespace()).collect();
    if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let current = now / 1_000 / STEP_SECONDS;
    // A code that was used while the clock was ahead must not refuse all codes until that time.
    let newest = u64::try_from(current + STEP_DRIFT_MAX).ok()?;
    let last_step = if last_step > newest { 0 } else { last_step };
    (-STEP_DRIFT_MAX..=STEP_DRIFT_MAX)
        .filter_map(|drift| u64::try_from(current + drift).ok())
        .filter(|step| *step > last_step)
        .find(|step| bool::from(code(secret, *step).as_bytes().ct_eq(digits.as_bytes())))
}

/// Returns the six digits of one time step.
pub fn code(secret: &[u8], step: u64) -> String {
    let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(secret) else {
        return String::new();
    };
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest[19] & 15);
    let mut word = [0_u8; 4];
    word.copy_from_slice(&digest[offset..offset + 4]);
    let number = (u32::from_be_bytes(word) & 0x7fff_ffff) % 1_000_000;
    format!("{number:06}")
}

/// Returns recovery codes in the form people copy: `abcd-efgh-ijkl-mnop`.
pub fn new_recovery_codes() -> Result<Vec<String>> {
    (0..RECOVERY_CODE_COUNT)
        .map(|_| {
            let id = token::id()?;
            let groups = [&id[..4], &id[4..8], &id[8..12], &id[12..16]];
            Ok(groups.join("-"))
        })
        .collect()
}

/// Returns the stored hash of a recovery code; spaces, hyphens and case do not matter.
pub fn hash_recovery_code(input: &str) -> [u8; 32] {
    let plain: String = input
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    token::hash(&plain)
}

/// Encodes a secret for typing into an app: base 32 (RFC 4648) without padding.
pub fn encode_base32(bytes: &[u8]) -> String {
    BASE32_NOPAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B, SHA-1, last six digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let secret = b"12345678901234567890";
        for (seconds, expected) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (20_000_000_000_u64, "353130"),
        ] {
            assert_eq!(code(secret, seconds / 30), expected);
        }
    }

    #[test]
    fn a_code_serves_once_and_only_near_its_time() {
        let secret = b"12345678901234567890";
        let now = 1_111_111_109_000;
        let step = matching_step(secret, "081 804", 0, now).unwrap();
        assert_eq!(matching_step(secret, "081804", step, now), None);
        assert_eq!(matching_step(secret, "081804", 0, now + 30_000), Some(step));
        assert_eq!(matching_step(secret, "081804", 0, now + 90_000), None);
        for wrong in ["", "081805", "0818044", "abcdef", "٠٨١٨٠٤"] {
            assert_eq!(matching_step(secret, wrong, 0, now), None, "{wrong}");
        }
    }

    #[test]
    fn the_secret_is_written_in_base_32() {
        assert_eq!(encode_base32(b"foobar"), "MZXW6YTBOI");
        assert_eq!(
            encode_base32(b"12345678901234567890"),
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        );
    }

    #[test]
    fn recovery_codes_are_read_however_they_are_typed() {
        let codes = new_recovery_codes().unwrap();
        assert_eq!(codes.len(), RECOVERY_CODE_COUNT);
        let typed = format!(" {} ", codes[0].to_uppercase().replace('-', " "));
        assert_eq!(hash_recovery_code(&typed), hash_recovery_code(&codes[0]));
        assert_ne!(hash_recovery_code(&codes[0]), hash_recovery_code(&codes[1]));
    }
}
