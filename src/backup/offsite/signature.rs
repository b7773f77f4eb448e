//! Signatures of manifests (Ed25519): they prove that the data file whose key is printed on the key
//! sheet made a copy. The key derives from the secret of the data file, which a restore brings back
//! with the rest: copies of the restored site carry the same signature.

use super::StorageError;
use data_encoding::{BASE32_NOPAD, HEXLOWER};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;

/// Purpose of the key that is derived from the secret of a data file.
const DERIVATION: &[u8] = b"respiro manifest signing key\n";
/// Begins each signed message, so that the signature is valid nowhere else.
const DOMAIN: &[u8] = b"respiro manifest\n";
/// Begins the text of a public key.
const TEXT_PREFIX: &str = "sign1";
const KEY_BYTES: usize = 32;
/// With the key, a multiple of five bytes: base32 needs no padding.
const CHECK_BYTES: usize = 3;
/// Suffix of a manifest after its signed bytes: this field, the signature in hex digits, `END`.
const FIELD: &str = ",\"signature\":\"";
const SIGNATURE_DIGITS: usize = 2 * Signature::BYTE_SIZE;
const END: &str = "\"}";

/// Signs the manifests of one data file.
pub struct ManifestSigner(SigningKey);

impl ManifestSigner {
    /// Derives the key from the random secret of the data file.
    pub fn new(secret: &[u8; 32]) -> Result<Self, StorageError> {
        let mac = Hmac::<Sha256>::new_from_slice(secret);
        let mut mac = mac.map_err(|error| StorageError::Other(error.to_string()))?;
        mac.update(DERIVATION);
        Ok(Self(SigningKey::from_bytes(
            &mac.finalize().into_bytes().into(),
        )))
    }

    pub fn public_key(&self) -> ManifestKey {
        ManifestKey(self.0.verifying_key())
    }

    /// Appends the signature to the JSON object of the manifest `name`.
    pub fn sign(&self, name: &str, json: &str) -> Result<Vec<u8>, StorageError> {
        let open = json
            .strip_suffix('}')
            .ok_or_else(|| StorageError::Other("a manifest is no object".to_owned()))?;
        let signature = self.0.sign(&message(name, json.as_bytes()));
        let signature = HEXLOWER.encode(&signature.to_bytes());
        Ok(format!("{open}{FIELD}{signature}{END}").into_bytes())
    }
}

fn message(name: &str, json: &[u8]) -> Vec<u8> {
    [DOMAIN, name.as_bytes(), b"\n", json].concat()
}

/// Splits the signature from a manifest. Returns the signed JSON and the signature.
fn split(bytes: &[u8]) -> Option<(Vec<u8>, Signature)> {
    let rest = bytes.strip_suffix(END.as_bytes())?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(SIGNATURE_DIGITS)?)?;
    let mut json = rest.strip_suffix(FIELD.as_bytes())?.to_vec();
    json.push(b'}');
    let signature = HEXLOWER.decode(digits).ok()?;
    Some((json, Signature::from_slice(&signature).ok()?))
}

/// Public key of a [`ManifestSigner`]. Its text has a checksum, because people type it from paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestKey(VerifyingKey);

impl ManifestKey {
    /// Whether this key signed the manifest `name`.
    pub fn has_signed(&self, name: &str, bytes: &[u8]) -> bool {
        split(bytes).is_some_and(|(json, signature)| {
            self.0
                .verify_strict(&message(name, &json), &signature)
                .is_ok()
        })
    }

    /// Returns the key that the text of a key file names in a comment: `# signed by: sign1…`.
    pub fn find_in(text: &str) -> Result<Option<Self>, String> {
        let mut words = text.split_whitespace().map(str::to_ascii_lowercase);
        let found = words.find(|word| word.starts_with(TEXT_PREFIX));
        found.map(|word| word.parse()).transpose()
    }

    /// Returns the line of the identity file that names this key.
    pub fn identity_line(&self) -> String {
        format!("# signed by: {self}")
    }
}

impl fmt::Display for ManifestKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.0.as_bytes();
        let text = BASE32_NOPAD.encode(&[&key[..], &checksum(key)].concat());
        write!(formatter, "{TEXT_PREFIX}{}", text.to_ascii_lowercase())
    }
}

impl FromStr for ManifestKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let text = text.to_ascii_lowercase();
            let digits = text.strip_prefix(TEXT_PREFIX)?.to_ascii_uppercase();
            let bytes = BASE32_NOPAD.decode(digits.as_bytes()).ok()?;
            let (key, check) = bytes.split_at_checked(KEY_BYTES)?;
            let key: &[u8; KEY_BYTES] = key.try_into().ok()?;
            (checksum(key) == check).then_some(())?;
            VerifyingKey::from_bytes(key).ok().map(Self)
        };
        parse().ok_or_else(|| {
            format!("{text} is mistyped: it is the key after \"signed by\" on the key sheet")
        })
    }
}

fn checksum(key: &[u8; KEY_BYTES]) -> [u8; CHECK_BYTES] {
    let hash = Sha256::digest([TEXT_PREFIX.as_bytes(), key].concat());
    std::array::from_fn(|index| hash.get(index).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "whole/20260921T133320Z";

    #[test]
    fn a_signature_holds_for_its_key_its_name_and_its_bytes_alone() {
        let (own, other) = (
            ManifestSigner::new(&[1; 32]).unwrap(),
            ManifestSigner::new(&[2; 32]).unwrap(),
        );
        let signed = own.sign(NAME, r#"{"items":3}"#).unwrap();
        let key = own.public_key();
        assert!(key.has_signed(NAME, &signed));
        assert!(!other.public_key().has_signed(NAME, &signed));
        // An old copy under a newer name.
        assert!(!key.has_signed("whole/20270921T133320Z", &signed));
        for place in 0..signed.len() {
            let mut bytes = signed.clone();
            bytes[place] ^= 1;
            assert!(!key.has_signed(NAME, &bytes), "byte {place}");
            assert!(!key.has_signed(NAME, &signed[..place]), "{place} bytes");
        }
        let json: serde_json::Value = serde_json::from_slice(&signed).unwrap();
        assert_eq!(json["items"], 3);
        assert_eq!(json["signature"].as_str().unwrap().len(), SIGNATURE_DIGITS);
        assert!(own.sign(NAME, "[]").is_err());
    }

    /// The key is on paper: its text and its derivation never change.
    #[test]
    fn golden_key_and_signature() {
        let own = ManifestSigner::new(&[1; 32]).unwrap();
        assert_eq!(
            own.public_key().to_string(),
            "sign1dhh6bo4wxmdotm3rue73qcvmkyu6gvauhliftndy2vhfspipx5q6ivky"
        );
        let signed = own.sign(NAME, r#"{"items":3}"#).unwrap();
        assert_eq!(
            String::from_utf8(signed).unwrap(),
            concat!(
                r#"{"items":3,"signature":"82244dc7be2b612d716a837ec578f45818ab08974c65643779cb5de3"#,
                r#"11a08ed7980897dbee3a962b225ebfff0276c6c298f69421483cd52dd39ced835172800e"}"#,
            )
        );
    }

    #[test]
    fn a_key_is_found_in_an_identity_file_and_mistyped_ones_are_refused() {
        let key = ManifestSigner::new(&[1; 32]).unwrap().public_key();
        let file = format!("AGE-SECRET-KEY-1QQQ\n{}\n", key.identity_line());
        assert_eq!(ManifestKey::find_in(&file), Ok(Some(key.clone())));
        let capitals = file.to_ascii_uppercase();
        assert_eq!(ManifestKey::find_in(&capitals), Ok(Some(key.clone())));
        assert_eq!(ManifestKey::find_in("AGE-SECRET-KEY-1QQQ\n"), Ok(None));
        let text = key.to_string();
        for place in TEXT_PREFIX.len()..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] = if bytes[place] == b'a' { b'b' } else { b'a' };
            let wrong = String::from_utf8(bytes).unwrap();
            assert!(wrong.parse::<ManifestKey>().is_err(), "{wrong}");
        }
        assert!("sign1".parse::<ManifestKey>().is_err());
        assert!(ManifestKey::find_in("# signed by: sign1abc").is_err());
    }
}
