//! TLS-ALPN-01 (RFC 8737): proves control of a name by answering on the HTTPS port itself.

use arc_swap::ArcSwapOption;
use rcgen::{CertificateParams, CustomExtension, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The only protocol that a validating certificate authority offers in its `ClientHello`.
pub(super) const ACME_TLS_PROTOCOL: &[u8] = b"acme-tls/1";

/// Serves the site's certificate, and challenge certificates to the certificate authority.
#[derive(Debug, Default)]
pub(super) struct AcmeResolver {
    certificate: ArcSwapOption<CertifiedKey>,
    /// Challenge certificates of the current order, by name.
    challenges: Mutex<HashMap<String, Arc<CertifiedKey>>>,
}

impl AcmeResolver {
    pub(super) fn set_certificate(&self, certificate: Arc<CertifiedKey>) {
        self.certificate.store(Some(certificate));
    }

    pub(super) fn set_challenge(&self, name: String, certificate: CertifiedKey) {
        let mut challenges = self
            .challenges
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        challenges.insert(name, Arc::new(certificate));
    }

    pub(super) fn clear_challenges(&self) {
        let mut challenges = self
            .challenges
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        challenges.clear();
    }

    fn challenge(&self, name: &str) -> Option<Arc<CertifiedKey>> {
        let challenges = self
            .challenges
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        challenges.get(name).cloned()
    }
}

impl ResolvesServerCert for AcmeResolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        if is_challenge(&hello) {
            self.challenge(hello.server_name()?)
        } else {
            self.certificate.load_full()
        }
    }
}

/// RFC 8737, section 3: the validation offers `acme-tls/1` and no other protocol.
fn is_challenge(hello: &ClientHello<'_>) -> bool {
    hello
        .alpn()
        .is_some_and(|mut protocols| protocols.by_ref().eq([ACME_TLS_PROTOCOL]))
}

/// The self-signed certificate that answers a challenge: it names the domain and holds the SHA-256
/// digest of the key authorization in its acmeIdentifier extension.
pub(super) fn challenge_certificate(
    name: &str,
    key_authorization_digest: &[u8],
) -> Result<CertifiedKey, ChallengeError> {
    let mut parameters = CertificateParams::new(vec![name.to_owned()])?;
    let extension = CustomExtension::new_acme_identifier(key_authorization_digest);
    parameters.custom_extensions = vec![extension];
    let key = KeyPair::generate()?;
    let certificate = parameters.self_signed(&key)?;
    let key = PrivatePkcs8KeyDer::from(key.serialize_der());
    // Not `from_der`: it parses the certificate and refuses the critical extension.
    let key = ring::sign::any_supported_type(&key.into())?;
    Ok(CertifiedKey::new(vec![certificate.der().clone()], key))
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ChallengeError {
    #[error("cannot make the challenge certificate: {0}")]
    Generate(#[from] rcgen::Error),
    #[error("cannot use the challenge certificate: {0}")]
    Use(#[from] rustls::Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::client::ClientConfig;
    use rustls::server::Acceptor;
    use rustls::{ALL_VERSIONS, ClientConnection, RootCertStore};

    /// The certificate for a client that asks for this name and offers these protocols.
    fn resolve(
        resolver: &AcmeResolver,
        name: &'static str,
        protocols: &[&[u8]],
    ) -> Option<Arc<CertifiedKey>> {
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider);
        let config = config.with_protocol_versions(ALL_VERSIONS).unwrap();
        let config = config.with_root_certificates(RootCertStore::empty());
        let mut config = config.with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        let name = name.try_into().unwrap();
        let mut client = ClientConnection::new(Arc::new(config), name).unwrap();
        let mut sent = Vec::new();
        client.write_tls(&mut sent).unwrap();
        let mut acceptor = Acceptor::default();
        acceptor.read_tls(&mut sent.as_slice()).unwrap();
        let accepted = acceptor.accept().unwrap().unwrap();
        resolver.resolve(accepted.client_hello())
    }

    #[test]
    fn challenge_certificates_go_to_the_validating_authority_alone() {
        let resolver = AcmeResolver::default();
        assert!(resolve(&resolver, "a.it", &[b"http/1.1"]).is_none());
        let site = Arc::new(challenge_certificate("a.it", &[1; 32]).unwrap());
        resolver.set_certificate(Arc::clone(&site));
        let challenge = challenge_certificate("a.it", &[2; 32]).unwrap();
        let leaf = challenge.cert.first().cloned();
        resolver.set_challenge("a.it".to_owned(), challenge);

        let http = b"http/1.1".as_slice();
        for protocols in [vec![], vec![http], vec![http, ACME_TLS_PROTOCOL]] {
            let served = resolve(&resolver, "a.it", &protocols).unwrap();
            assert!(Arc::ptr_eq(&served, &site));
        }
        let served = resolve(&resolver, "a.it", &[ACME_TLS_PROTOCOL]).unwrap();
        assert_eq!(served.cert.first(), leaf.as_ref());
        assert!(resolve(&resolver, "b.it", &[ACME_TLS_PROTOCOL]).is_none());
        resolver.clear_challenges();
        assert!(resolve(&resolver, "a.it", &[ACME_TLS_PROTOCOL]).is_none());
    }

    /// RFC 8737, section 3: a critical extension that holds the digest as an octet string.
    #[test]
    fn a_challenge_certificate_holds_the_digest() {
        let certified = challenge_certificate("a.it", &[7; 32]).unwrap();
        let (_, parsed) = x509_parser::parse_x509_certificate(&certified.cert[0]).unwrap();
        let extensions = parsed.extensions();
        let identifier = extensions
            .iter()
            .find(|extension| extension.oid.to_id_string() == "1.3.6.1.5.5.7.1.31")
            .unwrap();
        assert!(identifier.critical);
        assert_eq!(identifier.value, [&[4, 32][..], &[7; 32]].concat());
    }
}
