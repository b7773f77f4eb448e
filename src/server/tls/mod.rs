//! TLS certificates: from PEM files, reloaded when they change, or ordered and renewed by ACME.

mod acme;
mod certificate_store;
mod challenge;
mod directory_client;
mod expiry;

use crate::config::Tls;
use crate::errors::Result;
use crate::state::App;
use acme::Renewal;
use arc_swap::ArcSwap;
use certificate_store::certificate_note_name;
use challenge::{ACME_TLS_PROTOCOL, AcmeResolver};
use expiry::RenewalFailure;
use respiro_content::Timestamp;
use rustls::ALL_VERSIONS;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, NoServerSessionStorage, ResolvesServerCert, ServerConfig};
use rustls::sign::CertifiedKey;
use std::fmt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Interval between checks of the files.
const FILE_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Why a certificate cannot be used. The message states the remedy.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("cannot read the certificate {path}: {reason}: it must be a PEM chain, leaf first")]
    Certificate { path: PathBuf, reason: String },
    #[error("cannot read the key {path}: {reason}: it must be PEM, without a passphrase")]
    Key { path: PathBuf, reason: String },
    #[error("{certificate} and {key} do not belong together: {reason}")]
    Mismatch {
        certificate: PathBuf,
        key: PathBuf,
        reason: String,
    },
    #[error("cannot read --acme-ca {path}: {reason}: it must hold PEM certificates")]
    Root { path: PathBuf, reason: String },
    #[error("TLS cannot be set up: {0}")]
    Setup(#[from] rustls::Error),
}

/// Task that keeps the certificate up to date; never completes.
pub type RenewalTask = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Returns the TLS configuration of the port and its keeper; `None` without TLS.
pub fn prepare(app: &Arc<App>) -> Result<Option<(ServerConfig, RenewalTask)>, TlsError> {
    match &app.config.tls {
        Tls::Off => Ok(None),
        Tls::Files { certificate, key } => {
            let files = Arc::new(CertificateFiles::open(certificate, key)?);
            let config = server_config(Arc::clone(&files) as Arc<dyn ResolvesServerCert>)?;
            let failure = Arc::<RenewalFailure>::default();
            failure.set(Some("nessuno ha sostituito il file del certificato"));
            let notices = expiry::watch(Arc::clone(app), failure);
            let keeper = async {
                tokio::join!(watch(files), notices);
            };
            Ok(Some((config, Box::pin(keeper))))
        }
        Tls::Acme(acme) => {
            let resolver = Arc::<AcmeResolver>::default();
            let failure = Arc::<RenewalFailure>::default();
            let renewal = Renewal::new(app, acme, Arc::clone(&resolver), Arc::clone(&failure))?;
            let mut config = server_config(resolver)?;
            config.alpn_protocols.push(ACME_TLS_PROTOCOL.to_vec());
            let notices = expiry::watch(Arc::clone(app), failure);
            let keeper = async {
                tokio::join!(renewal.run(), notices);
            };
            Ok(Some((config, Box::pin(keeper))))
        }
    }
}

fn server_config(resolver: Arc<dyn ResolvesServerCert>) -> Result<ServerConfig, TlsError> {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(ALL_VERSIONS)?
        .with_no_client_auth()
        .with_cert_resolver(resolver);
    config.ignore_client_order = true;
    // Sessions are resumed by tickets that clients store, under keys that rotate automatically: the
    // server stores nothing for a client.
    config.ticketer = ring::Ticketer::new()?;
    config.session_storage = Arc::new(NoServerSessionStorage {});
    Ok(config)
}

/// Reads a chain and its key, and checks that they belong together.
pub fn load(certificate: &Path, key: &Path) -> Result<CertifiedKey, TlsError> {
    let chain = chain_of(certificate).map_err(|reason| TlsError::Certificate {
        path: certificate.to_owned(),
        reason,
    })?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| TlsError::Key {
        path: key.to_owned(),
        reason: error.to_string(),
    })?;
    CertifiedKey::from_der(chain, private, &ring::default_provider()).map_err(|error| {
        TlsError::Mismatch {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            reason: error.to_string(),
        }
    })
}

/// Returns the certificates of a PEM file, at least one.
pub fn chain_of(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path)
        .map_err(|error| error.to_string())?
        .collect();
    let chain = chain.map_err(|error| error.to_string())?;
    if chain.is_empty() {
        return Err("it holds no certificate".to_owned());
    }
    Ok(chain)
}

/// Returns when the certificate in use expires; `None` while there is none.
pub async fn certificate_expiry(app: &App) -> Result<Option<Timestamp>> {
    Ok(validity(app).await?.map(|(_, until)| until))
}

/// Returns when the validity of the certificate in use begins and ends.
async fn validity(app: &App) -> Result<Option<(Timestamp, Timestamp)>> {
    match &app.config.tls {
        Tls::Off => Ok(None),
        Tls::Files { certificate, .. } => Ok(file_validity(certificate)),
        Tls::Acme(acme) => {
            let name = certificate_note_name(acme);
            let pem = app.read(move |reader| Ok(reader.note(&name)?)).await?;
            let leaf = pem.and_then(|pem| CertificateDer::pem_slice_iter(&pem).next()?.ok());
            Ok(leaf.and_then(|leaf| parse_validity(&leaf)))
        }
    }
}

/// Returns when the first certificate of a PEM file expires.
pub fn file_expiry(path: &Path) -> Option<Timestamp> {
    Some(file_validity(path)?.1)
}

fn file_validity(path: &Path) -> Option<(Timestamp, Timestamp)> {
    parse_validity(chain_of(path).ok()?.first()?)
}

fn parse_validity(certificate: &CertificateDer<'_>) -> Option<(Timestamp, Timestamp)> {
    let (_, parsed) = x509_parser::parse_x509_certificate(certificate).ok()?;
    let validity = parsed.validity();
    let at = |moment: x509_parser::time::ASN1Time| moment.timestamp() * 1000;
    Some((at(validity.not_before), at(validity.not_after)))
}

/// A certificate that is reloaded when its files change.
struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
    current: ArcSwap<CertifiedKey>,
}

impl CertificateFiles {
    fn open(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        Ok(Self {
            current: ArcSwap::from_pointee(load(certificate, key)?),
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        })
    }

    /// Returns modification times and sizes, which change when one of the files is written or
    /// replaced.
    fn stamp(&self) -> Option<[(SystemTime, u64); 2]> {
        let stamp = |path: &Path| {
            let found = std::fs::metadata(path).ok()?;
            Some((found.modified().ok()?, found.len()))
        };
        Some([stamp(&self.certificate)?, stamp(&self.key)?])
    }
}

impl ResolvesServerCert for CertificateFiles {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current.load_full())
    }
}

impl fmt::Debug for CertificateFiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Files({})", self.certificate.display())
    }
}

/// Loads a changed pair once certificate and key match; until then the former pair stays in use.
async fn watch(files: Arc<CertificateFiles>) {
    let mut seen = files.stamp();
    loop {
        tokio::time::sleep(FILE_CHECK_INTERVAL).await;
        let stamp = files.stamp();
        if stamp == seen || stamp.is_none() {
            continue;
        }
        seen = stamp;
        match load(&files.certificate, &files.key) {
            Ok(fresh) => {
                files.current.store(Arc::new(fresh));
                tracing::info!("the changed certificate is in use");
            }
            Err(error) => {
                tracing::warn!(%error, "the changed certificate is no good, the former one serves");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::client::ClientConfig;
    use rustls::{ClientConnection, HandshakeKind, RootCertStore, ServerConnection};

    #[test]
    fn a_missing_or_empty_certificate_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cert.pem");
        let missing = load(&path, &path).unwrap_err().to_string();
        assert!(missing.contains("cert.pem"), "{missing}");
        std::fs::write(&path, "no certificate").unwrap();
        let empty = load(&path, &path).unwrap_err().to_string();
        assert!(empty.contains("holds no certificate"), "{empty}");
    }

    fn handshake(server: &Arc<ServerConfig>, client: &Arc<ClientConfig>) -> HandshakeKind {
        let name = "localhost".try_into().unwrap();
        let mut client = ClientConnection::new(Arc::clone(client), name).unwrap();
        let mut server = ServerConnection::new(Arc::clone(server)).unwrap();
        while client.wants_write() || server.wants_write() {
            let mut sent = Vec::new();
            client.write_tls(&mut sent).unwrap();
            server.read_tls(&mut sent.as_slice()).unwrap();
            server.process_new_packets().unwrap();
            let mut answered = Vec::new();
            while server.wants_write() {
                server.write_tls(&mut answered).unwrap();
            }
            let mut answered = answered.as_slice();
            while !answered.is_empty() {
                client.read_tls(&mut answered).unwrap();
                client.process_new_packets().unwrap();
            }
        }
        server.handshake_kind().unwrap()
    }

    /// Regression: the server stored at most 256 sessions for all clients together.
    #[test]
    fn who_comes_back_resumes_by_a_ticket_however_many_came_between() {
        let key = rcgen::KeyPair::generate().unwrap();
        let names = vec!["localhost".to_owned()];
        let certificate = rcgen::CertificateParams::new(names).unwrap();
        let certificate = certificate.self_signed(&key).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (chain, private) = (
            folder.path().join("cert.pem"),
            folder.path().join("key.pem"),
        );
        std::fs::write(&chain, certificate.pem()).unwrap();
        std::fs::write(&private, key.serialize_pem()).unwrap();
        let files = Arc::new(CertificateFiles::open(&chain, &private).unwrap());
        let server = Arc::new(server_config(files).unwrap());
        let mut roots = RootCertStore::empty();
        roots.add(certificate.der().clone()).unwrap();
        let client = || {
            let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
            let config = config.with_protocol_versions(ALL_VERSIONS).unwrap();
            let config = config.with_root_certificates(roots.clone());
            Arc::new(config.with_no_client_auth())
        };
        let first = client();
        assert_eq!(handshake(&server, &first), HandshakeKind::Full);
        for _ in 0..300 {
            assert_eq!(handshake(&server, &client()), HandshakeKind::Full);
        }
        assert_eq!(handshake(&server, &first), HandshakeKind::Resumed);
    }
}
