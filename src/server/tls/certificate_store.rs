//! The ACME account key and the issued certificate, as notes in the data file.
//!
//! Names and bytes are those that releases with rustls-acme wrote: the account is the PKCS#8 DER of
//! a P-256 key, the certificate is PEM (private key, leaf, intermediates).

use super::parse_validity;
use crate::config::Acme;
use crate::errors::Result;
use crate::state::App;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use respiro_content::Timestamp;
use respiro_db::CERTIFICATE_NOTES;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Notes of one set of names and one contact at one certificate authority.
pub(super) struct CertificateStore {
    app: Arc<App>,
    account_note: String,
    certificate_note: String,
}

impl CertificateStore {
    pub(super) fn new(app: Arc<App>, acme: &Acme) -> Self {
        Self {
            app,
            account_note: note_name("account", &contacts(acme), &acme.directory),
            certificate_note: certificate_note_name(acme),
        }
    }

    /// The PKCS#8 DER of the account key.
    pub(super) async fn load_account_key(&self) -> Result<Option<Vec<u8>>> {
        self.load(&self.account_note).await
    }

    pub(super) async fn save_account_key(&self, pkcs8_der: &[u8]) -> Result<()> {
        self.save(&self.account_note, pkcs8_der.to_vec()).await
    }

    /// Private key and chain as PEM.
    pub(super) async fn load_certificate(&self) -> Result<Option<Vec<u8>>> {
        self.load(&self.certificate_note).await
    }

    pub(super) async fn save_certificate(&self, pem: Vec<u8>) -> Result<()> {
        self.save(&self.certificate_note, pem).await
    }

    async fn load(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let name = name.to_owned();
        self.app.read(move |reader| Ok(reader.note(&name)?)).await
    }

    async fn save(&self, name: &str, value: Vec<u8>) -> Result<()> {
        let name = name.to_owned();
        self.app
            .change(move |writer| Ok(writer.put_note(&name, &value)?))
            .await
    }
}

/// Contact addresses as URLs (RFC 8555, section 7.3).
pub(super) fn contacts(acme: &Acme) -> Vec<String> {
    let email = acme.email.as_ref();
    email
        .map(|email| format!("mailto:{email}"))
        .into_iter()
        .collect()
}

pub(super) fn certificate_note_name(acme: &Acme) -> String {
    note_name("certificate", &acme.domains, &acme.directory)
}

/// One note for each list of names or contacts at one authority.
fn note_name(kind: &str, names: &[String], directory: &str) -> String {
    let mut digest = Sha256::new();
    for name in names {
        digest.update(name.as_bytes());
        digest.update([0]);
    }
    digest.update(directory.as_bytes());
    let digest: [u8; 32] = digest.finalize().into();
    let digest = BASE64_URL_SAFE_NO_PAD.encode(digest);
    format!("{CERTIFICATE_NOTES}{kind}-{digest}")
}

/// A certificate with its key, ready for rustls.
pub(super) struct IssuedCertificate {
    pub(super) key: Arc<CertifiedKey>,
    pub(super) leaf: CertificateDer<'static>,
    pub(super) valid_from: Timestamp,
    pub(super) valid_until: Timestamp,
}

impl IssuedCertificate {
    /// Reads a private key and its chain from PEM. The error states the reason.
    pub(super) fn from_pem(pem: &[u8]) -> Result<Self, String> {
        let key = PrivateKeyDer::from_pem_slice(pem)
            .map_err(|error| format!("cannot read the private key: {error}"))?;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let chain = chain.map_err(|error| format!("cannot read the chain: {error}"))?;
        let leaf = chain.first().cloned().ok_or("there is no certificate")?;
        let validity = parse_validity(&leaf).ok_or("the certificate is not X.509")?;
        let (valid_from, valid_until) = validity;
        let key = CertifiedKey::from_der(chain, key, &ring::default_provider())
            .map_err(|error| format!("key and certificate do not belong together: {error}"))?;
        Ok(Self {
            key: Arc::new(key),
            leaf,
            valid_from,
            valid_until,
        })
    }

    /// Returns when to renew if the authority suggests no time.
    pub(super) const fn last_third_begins_at(&self) -> Timestamp {
        self.valid_until - (self.valid_until - self.valid_from) / 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::HEXLOWER;
    use instant_acme::Key;
    use rustls::pki_types::PrivatePkcs8KeyDer;

    /// Stored by a release with rustls-acme 0.15.4; the authority was Pebble.
    const CERTIFICATE: &[u8] = include_bytes!("../../../tests/data/golden/acme-certificate.pem");
    const ACCOUNT: &str = "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420\
                           46aa6bef3640ab96f0da2c1f6fee7fdb00845363fdfb8dc951edc2f6fbe0ce32a1440342\
                           0004a564e72cfc5bd2db6e22bad2ca2b9c9512d45b69190c60e599f182d0bcc2fc16bd47\
                           92b4b872b0fbf837f3109de18a844b4937f8237913268d7125784250c98b";

    #[test]
    fn golden_account_key_is_accepted() {
        let der = HEXLOWER.decode(ACCOUNT.as_bytes()).unwrap();
        Key::from_pkcs8_der(PrivatePkcs8KeyDer::from(der)).unwrap();
    }

    #[test]
    fn golden_certificate_is_read_with_its_key_and_dates() {
        let issued = IssuedCertificate::from_pem(CERTIFICATE).unwrap();
        assert_eq!(issued.key.cert.len(), 2);
        assert_eq!(issued.valid_from, 1_795_709_172_000);
        assert_eq!(issued.valid_until, 1_795_709_201_000);
        assert_eq!(issued.last_third_begins_at(), 1_795_709_191_334);
    }

    #[test]
    fn a_certificate_without_a_fitting_key_is_refused() {
        let error = |pem: &[u8]| IssuedCertificate::from_pem(pem).err().unwrap();
        assert!(error(b"").contains("private key"));
        let other = rcgen::KeyPair::generate().unwrap().serialize_pem();
        let text = std::str::from_utf8(CERTIFICATE).unwrap();
        let (_, chain) = text.split_once("-----END PRIVATE KEY-----").unwrap();
        let mixed = error(format!("{other}{chain}").as_bytes());
        assert!(mixed.contains("do not belong together"), "{mixed}");
    }

    #[test]
    fn each_set_of_names_at_each_authority_has_its_own_note() {
        let names = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let one = note_name("certificate", &names(&["a.it", "b.it"]), "https://x");
        assert_eq!(
            one,
            note_name("certificate", &names(&["a.it", "b.it"]), "https://x")
        );
        assert_ne!(
            one,
            note_name("certificate", &names(&["a.itb.it"]), "https://x")
        );
        assert_ne!(
            one,
            note_name("certificate", &names(&["a.it", "b.it"]), "https://y")
        );
    }

    /// A changed name would order certificates again, and authorities limit orders.
    #[test]
    fn golden_name_of_a_certificate() {
        let names = ["a.it".to_owned(), "b.it".to_owned()];
        let golden = "acme-certificate-ftnwF3uTJcN9OZgTXt4UZhnEDVvSFY_0kpHdP62VuIE";
        assert_eq!(note_name("certificate", &names, "https://x"), golden);
    }
}
