//! Encryption of copies in the age format: only the holder of the secret key can decrypt them.

use super::StorageError;
use age::secrecy::ExposeSecret as _;
use age::x25519::{Identity, Recipient};
use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use std::io::{Read as _, Write as _};

/// Bytes of a content name; enough that collisions are negligible.
const NAME_BYTES: usize = 16;
/// Limit of decompressed rows: a small object must not cause a huge allocation.
const UNPACKED_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// Generates a key pair. Returns the secret and the public key.
pub fn new_pair() -> (String, String) {
    let identity = Identity::generate();
    let public = identity.to_public().to_string();
    (identity.to_string().expose_secret().to_owned(), public)
}

/// Returns the last six characters of a public key, by which people tell keys apart.
pub fn ending_of(public: &str) -> String {
    let length = public.chars().count();
    public.chars().skip(length.saturating_sub(6)).collect()
}

/// Encrypts for one recipient and derives content names.
#[derive(Clone)]
pub struct Encryptor {
    recipient: Recipient,
    text: String,
}

impl std::fmt::Debug for Encryptor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Encryptor")
    }
}

impl Encryptor {
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match text.parse() {
            Ok(recipient) => Ok(Self {
                recipient,
                text: text.to_owned(),
            }),
            Err(_) => {
                Err("RESPIRO_BACKUP_RECIPIENT is no age public key: it starts with age1".into())
            }
        }
    }

    pub fn ending(&self) -> String {
        ending_of(&self.text)
    }

    pub fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, StorageError> {
        age::encrypt(&self.recipient, plain).map_err(|error| StorageError::Other(error.to_string()))
    }

    /// Compresses, then encrypts.
    pub fn seal_rows(&self, rows: &[u8]) -> Result<Vec<u8>, StorageError> {
        let other = |error: std::io::Error| StorageError::Other(error.to_string());
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(rows).map_err(other)?;
        self.seal(&packer.finish().map_err(other)?)
    }

    /// Returns the content name: equal content has one name under one key. The HMAC prevents the
    /// storage provider from testing whether a known file is among the copies.
    pub fn name(&self, content: &[u8]) -> String {
        // HMAC accepts keys of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.text.as_bytes()) else {
            return String::new();
        };
        mac.update(content);
        let name = mac.finalize().into_bytes();
        HEXLOWER.encode(name.get(..NAME_BYTES).unwrap_or(&name))
    }
}

/// Decrypts with the secret key.
pub struct Decryptor(Identity);

impl Decryptor {
    /// Parses the text of a key file, as `age-keygen` and `respiro backup-key` write it.
    pub fn new(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(str::trim);
        let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'))?;
        line.parse().ok().map(Self)
    }

    pub fn encryptor(&self) -> Result<Encryptor, String> {
        Encryptor::new(&self.0.to_public().to_string())
    }

    pub fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, StorageError> {
        age::decrypt(&self.0, sealed).map_err(|error| match error {
            age::DecryptError::NoMatchingKeys => StorageError::WrongKey,
            error => StorageError::Damaged(error.to_string()),
        })
    }

    pub fn open_rows(&self, sealed: &[u8]) -> Result<Vec<u8>, StorageError> {
        let packed = self.open(sealed)?;
        let mut rows = Vec::new();
        flate2::read::GzDecoder::new(packed.as_slice())
            .take(UNPACKED_BYTES_MAX)
            .read_to_end(&mut rows)
            .map_err(|error| StorageError::Damaged(error.to_string()))?;
        Ok(rows)
    }
}

pub fn hash(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_with_its_own_key_alone() {
        let ((secret, public), (other, _)) = (new_pair(), new_pair());
        assert!(secret.starts_with("AGE-SECRET-KEY-1") && public.starts_with("age1"));
        let encryptor = Encryptor::new(&public).unwrap();
        let rows = b"righe ".repeat(1_000);
        let object = encryptor.seal_rows(&rows).unwrap();
        assert!(object.len() < rows.len() / 2);
        let decryptor = Decryptor::new(&format!("# commento\n\n{secret}\n")).unwrap();
        assert_eq!(decryptor.open_rows(&object).unwrap(), rows);
        assert_eq!(
            decryptor.encryptor().unwrap().name(b"x"),
            encryptor.name(b"x")
        );
        let stranger = Decryptor::new(&other).unwrap();
        assert!(matches!(
            stranger.open(&object),
            Err(StorageError::WrongKey)
        ));
        let mut torn = object.clone();
        torn.pop();
        assert!(matches!(
            decryptor.open(&torn),
            Err(StorageError::Damaged(_))
        ));
        assert!(Encryptor::new(&secret).is_err() && Decryptor::new(&public).is_none());
        assert_ne!(
            encryptor.name(b"x"),
            stranger.encryptor().unwrap().name(b"x")
        );
    }
}
