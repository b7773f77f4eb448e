//! Signed links: HMAC-SHA256 with the key of the data file; the purpose is part of the message.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The purpose of a signature. A signature is rejected for every other purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Upload,
    Preview,
    Passkey,
    /// The state of a passkey challenge, stored by the browser in a cookie.
    PasskeyQuestion,
    /// The token of a device that has signed in before.
    Device,
    /// Confirms that the subscriber owns a newsletter address.
    Confirm,
    Unsubscribe,
    /// Derives the key of unsubscribe links, which an export carries to a new site.
    UnsubscribeKey,
    /// Derives the token of a personal link from the key of the request that creates it, so that a
    /// repeated request answers with the same link.
    RequestedLink,
    /// Rendered pages cached next to the data file.
    KeptPages,
    /// The Message-ID of an e-mail to a newsletter address.
    MessageId,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::Preview => "preview",
            Self::Passkey => "passkey",
            Self::PasskeyQuestion => "passkey-question",
            Self::Device => "device",
            Self::Confirm => "confirm",
            Self::Unsubscribe => "unsubscribe",
            Self::UnsubscribeKey => "unsubscribe-key",
            Self::RequestedLink => "requested-link",
            Self::KeptPages => "kept-pages",
            Self::MessageId => "message-id",
        }
    }
}

fn mac(key: &[u8; 32], purpose: Purpose, subject: &str, expires_at: i64) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    let name = purpose.name();
    mac.update(format!("{name}\n{subject}\n{expires_at}").as_bytes());
    Some(mac)
}

/// Signs `subject` until `expires_at`; the signature is URL-safe base64.
pub fn sign(key: &[u8; 32], purpose: Purpose, subject: &str, expires_at: i64) -> String {
    mac(key, purpose, subject, expires_at).map_or_else(String::new, |mac| {
        URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
    })
}

/// Derives 32 bytes from `subject` that do not reveal it.
pub fn derive(key: &[u8; 32], purpose: Purpose, subject: &str) -> Option<[u8; 32]> {
    mac(key, purpose, subject, 0).map(|mac| mac.finalize().into_bytes().into())
}

/// Returns the key that signs unsubscribe links: the one that an import brought, or the data file's
/// own. `None` only if the own one cannot be derived.
pub fn unsubscribe_key(secret: &[u8; 32], imported: Option<[u8; 32]>) -> Option<[u8; 32]> {
    imported.or_else(|| derive(secret, Purpose::UnsubscribeKey, ""))
}

/// Verifies a signature in constant time. The caller compares `expires_at` with the clock.
pub fn verify(
    key: &[u8; 32],
    purpose: Purpose,
    subject: &str,
    expires_at: i64,
    signature: &str,
) -> bool {
    let Ok(bytes) = URL_SAFE_NO_PAD.decode(signature) else {
        return false;
    };
    mac(key, purpose, subject, expires_at).is_some_and(|mac| mac.verify_slice(&bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_purpose_subject_time_and_key_only() {
        let key = [7; 32];
        let signature = sign(&key, Purpose::Upload, "abc", 1_000);
        assert!(verify(&key, Purpose::Upload, "abc", 1_000, &signature));
        assert!(!verify(&key, Purpose::Preview, "abc", 1_000, &signature));
        assert!(!verify(&key, Purpose::Upload, "abd", 1_000, &signature));
        assert!(!verify(&key, Purpose::Upload, "abc", 1_001, &signature));
        assert!(!verify(&[8; 32], Purpose::Upload, "abc", 1_000, &signature));
        for altered in ["", "x", &signature[1..], "è"] {
            assert!(!verify(&key, Purpose::Upload, "abc", 1_000, altered));
        }
    }

    /// E-mails with these signatures were sent, and devices store them.
    #[test]
    fn golden_signatures_of_every_purpose() {
        let golden = [
            (
                Purpose::Upload,
                "PdVqsh5L3CZ88QRPo6NMQg2mRswK2FDNTPIAJXVYnNQ",
            ),
            (
                Purpose::Preview,
                "bxgYPs_yMQo98CYSr7yzki0njP_t39qdoBPiLOT127c",
            ),
            (
                Purpose::Passkey,
                "NSMjsLt2vpERFDcVhuBi3ZyZMJ7UwBFBBClYQZeCoHc",
            ),
            (
                Purpose::PasskeyQuestion,
                "CrUftWrEaI2P7p2fDxGZ3_FYO2fxP8HlOcUTBOlKftQ",
            ),
            (
                Purpose::Device,
                "3ExXWgCQcc0hEtpEJ9pcTv5PdbBNDoR9Vs4-CbU8Z1E",
            ),
            (
                Purpose::Confirm,
                "ztU73rk3X4WjxnKe6GMl7KpnhQ7eVDiW-xb9K_HZWEs",
            ),
            (
                Purpose::Unsubscribe,
                "dU-TwaFV__sFbubeUSJyAund0lu06JbMd0y8wp3K784",
            ),
            (
                Purpose::UnsubscribeKey,
                "I_7kKUn-DPQ_J_qwVKfhiBa51ePttY2wIVS9D1jN358",
            ),
            (
                Purpose::RequestedLink,
                "MHVvDUEKxYUOb0aR-Nml_UX6fhCz0AbBXiyLFh3W_3E",
            ),
            (
                Purpose::KeptPages,
                "_r2QhV9ih-WdbMLr4f_3ekslsZoM25UemrcdkVzl_dg",
            ),
        ];
        for (purpose, signature) in golden {
            assert_eq!(sign(&[7; 32], purpose, "subject", 1_000), signature);
            assert!(verify(&[7; 32], purpose, "subject", 1_000, signature));
        }
        let key = derive(&[7; 32], Purpose::UnsubscribeKey, "").unwrap();
        let under = sign(&key, Purpose::Unsubscribe, "YkBleGFtcGxlLml0", 0);
        assert_eq!(under, "PzfQa5gGKeKJSl58fO7q9AFyqVeGmhGGYaoBq9ApDJM");
    }
}
