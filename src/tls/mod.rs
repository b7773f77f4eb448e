//! Certificates: PEM files read again when they change, or ordered and renewed by ACME.

mod expiry;

use crate::app::App;
use crate::config::{Acme, Tls};
use crate::content::Timestamp;
use crate::error::{Error, Result, UNKNOWN_REASON};
use crate::store::CERTIFICATE_NOTES;
use arc_swap::ArcSwap;
use async_trait::async_trait;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as URL_SAFE_NO_PAD;
use expiry::Reason;
use futures_core::Stream;
use rustls::client::ClientConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, NoServerSessionStorage, ResolvesServerCert, ServerConfig};
use rustls::sign::CertifiedKey;
use rustls::{ALL_VERSIONS, RootCertStore};
use rustls_acme::{
    AccountCache, AcmeConfig, AcmeState, CertCache, EventError, EventOk, OrderError,
};
use sha2::{Digest, Sha256};
use std::fmt;
use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(5);
/// What a validating authority asks for (RFC 8737).
const ACME_PROTOCOL: &[u8] = b"acme-tls/1";

/// Why a certificate cannot be used. The message says what to do next.
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

/// What keeps the certificate fresh; runs for ever.
pub type Keeper = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The TLS side of the port, and what keeps it fresh. `None` without TLS.
pub fn prepare(app: &Arc<App>) -> Result<Option<(ServerConfig, Keeper)>, TlsError> {
    match &app.config.tls {
        Tls::Off => Ok(None),
        Tls::Files { certificate, key } => {
            let files = Arc::new(Files::open(certificate, key)?);
            let config = server_config(Arc::clone(&files) as Arc<dyn ResolvesServerCert>)?;
            let reason = Arc::<Reason>::default();
            reason.set(Some("nessuno ha sostituito il file del certificato"));
            let telling = expiry::tell(Arc::clone(app), reason);
            let keeper = async {
                tokio::join!(watch(files), telling);
            };
            Ok(Some((config, Box::pin(keeper))))
        }
        Tls::Acme(acme) => {
            let state = order(acme, app)?;
            let mut config = server_config(state.resolver())?;
            config.alpn_protocols.push(ACME_PROTOCOL.to_vec());
            let names = acme.domains.join(", ");
            let reason = Arc::<Reason>::default();
            let telling = expiry::tell(Arc::clone(app), Arc::clone(&reason));
            let keeper = async move {
                let ordering = keep_ordering(state, names, reason);
                tokio::join!(ordering, telling);
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
    // Sessions are resumed from tickets that clients keep, under keys that change by themselves:
    // no visitor costs memory here.
    config.ticketer = ring::Ticketer::new()?;
    config.session_storage = Arc::new(NoServerSessionStorage {});
    Ok(config)
}

/// Reads a chain and its key, and makes sure that they belong together.
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

/// The certificates of a PEM file; never none.
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

/// When the certificate in use ends; `None` while there is none.
pub async fn ends_at(app: &App) -> Result<Option<Timestamp>> {
    Ok(validity(app).await?.map(|(_, until)| until))
}

/// From when until when the certificate in use is valid.
async fn validity(app: &App) -> Result<Option<(Timestamp, Timestamp)>> {
    match &app.config.tls {
        Tls::Off => Ok(None),
        Tls::Files { certificate, .. } => Ok(validity_of_file(certificate)),
        Tls::Acme(acme) => {
            let name = note_name("certificate", &acme.domains, &acme.directory);
            let pem = app.read(move |reader| reader.note(&name)).await?;
            let leaf = pem.and_then(|pem| CertificateDer::pem_slice_iter(&pem).next()?.ok());
            Ok(leaf.and_then(|leaf| validity_of(&leaf)))
        }
    }
}

/// When the first certificate of a PEM file ends.
pub fn end_of_file(path: &Path) -> Option<Timestamp> {
    Some(validity_of_file(path)?.1)
}

fn validity_of_file(path: &Path) -> Option<(Timestamp, Timestamp)> {
    validity_of(chain_of(path).ok()?.first()?)
}

fn validity_of(certificate: &CertificateDer<'_>) -> Option<(Timestamp, Timestamp)> {
    let (_, parsed) = x509_parser::parse_x509_certificate(certificate).ok()?;
    let validity = parsed.validity();
    let at = |moment: x509_parser::time::ASN1Time| moment.timestamp() * 1000;
    Some((at(validity.not_before), at(validity.not_after)))
}

/// A certificate that follows its files.
struct Files {
    certificate: PathBuf,
    key: PathBuf,
    current: ArcSwap<CertifiedKey>,
}

impl Files {
    fn open(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        Ok(Self {
            current: ArcSwap::from_pointee(load(certificate, key)?),
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        })
    }

    /// Changes whenever somebody writes or replaces one of the files.
    fn stamp(&self) -> Option<[(SystemTime, u64); 2]> {
        let stamp = |path: &Path| {
            let found = std::fs::metadata(path).ok()?;
            Some((found.modified().ok()?, found.len()))
        };
        Some([stamp(&self.certificate)?, stamp(&self.key)?])
    }
}

impl ResolvesServerCert for Files {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current.load_full())
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Files({})", self.certificate.display())
    }
}

/// Takes a changed pair over once it fits together; until then the former one serves.
async fn watch(files: Arc<Files>) {
    let mut seen = files.stamp();
    loop {
        tokio::time::sleep(LOOK).await;
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

fn order(acme: &Acme, app: &Arc<App>) -> Result<AcmeState<Error, Error>, TlsError> {
    let client = directory_client(acme.ca.as_deref())?;
    let mut config = AcmeConfig::new_with_client_config(&acme.domains, Arc::new(client))
        .directory(&acme.directory)
        .cache(Notes(Arc::clone(app)));
    if let Some(email) = &acme.email {
        config = config.contact_push(format!("mailto:{email}"));
    }
    Ok(config.state())
}

fn directory_client(ca: Option<&Path>) -> Result<ClientConfig, TlsError> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(path) = ca {
        let refused = |reason: String| TlsError::Root {
            path: path.to_owned(),
            reason,
        };
        for root in chain_of(path).map_err(refused)? {
            roots
                .add(root)
                .map_err(|error| refused(error.to_string()))?;
        }
    }
    Ok(
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(ALL_VERSIONS)?
            .with_root_certificates(roots)
            .with_no_client_auth(),
    )
}

/// Drives orders and renewals. Each step is told; a failure says where to look.
async fn keep_ordering(mut state: AcmeState<Error, Error>, names: String, known: Arc<Reason>) {
    while let Some(event) = poll_fn(|context| Pin::new(&mut state).poll_next(context)).await {
        match event {
            Ok(EventOk::DeployedCachedCert) => {
                tracing::info!(names, "the certificate kept in the data file is in use");
            }
            Ok(EventOk::DeployedNewCert) => {
                known.set(None);
                tracing::info!(names, "a new certificate is in use");
            }
            Ok(EventOk::CertCacheStore | EventOk::AccountCacheStore) => {
                tracing::debug!(names, "kept in the data file");
            }
            Err(error) => {
                known.set(Some(told(&error)));
                tracing::error!(
                    names,
                    reason = reason(&error),
                    "no new certificate: check that the DNS records of these names lead to this \
                     machine and that port 443 reaches this program (`respiro doctor`); the next \
                     try comes by itself"
                );
            }
        }
    }
}

/// What the practitioner reads of it.
const fn told(error: &EventError<Error, Error>) -> &'static str {
    match error {
        EventError::Order(OrderError::BadAuth(_)) => {
            "l’autorità che lo rilascia non riesce a raggiungere il sito"
        }
        EventError::Order(_) => "l’autorità che lo rilascia non ha risposto come dovrebbe",
        _ => UNKNOWN_REASON,
    }
}

/// The authority's own words, when it gave any.
fn reason(error: &EventError<Error, Error>) -> String {
    if let EventError::Order(OrderError::BadAuth(refused)) = error {
        let words: Vec<&str> = refused
            .challenges
            .iter()
            .filter_map(|challenge| challenge.error.as_ref()?.detail.as_deref())
            .collect();
        if !words.is_empty() {
            return words.join("; ");
        }
    }
    error.to_string()
}

/// Account and certificates as notes of the data file.
struct Notes(Arc<App>);

impl Notes {
    async fn load(&self, name: String) -> Result<Option<Vec<u8>>> {
        self.0.read(move |reader| reader.note(&name)).await
    }

    async fn store(&self, name: String, value: &[u8]) -> Result<()> {
        let value = value.to_vec();
        self.0
            .change(move |writer| writer.put_note(&name, &value))
            .await
    }
}

/// One note for each set of names or contacts at one authority.
fn note_name(what: &str, names: &[String], directory: &str) -> String {
    let mut digest = Sha256::new();
    for name in names {
        digest.update(name.as_bytes());
        digest.update([0]);
    }
    digest.update(directory.as_bytes());
    let digest: [u8; 32] = digest.finalize().into();
    format!(
        "{CERTIFICATE_NOTES}{what}-{}",
        URL_SAFE_NO_PAD.encode(digest)
    )
}

#[async_trait]
impl CertCache for Notes {
    type EC = Error;

    async fn load_cert(&self, names: &[String], directory: &str) -> Result<Option<Vec<u8>>> {
        self.load(note_name("certificate", names, directory)).await
    }

    async fn store_cert(&self, names: &[String], directory: &str, bytes: &[u8]) -> Result<()> {
        self.store(note_name("certificate", names, directory), bytes)
            .await
    }
}

#[async_trait]
impl AccountCache for Notes {
    type EA = Error;

    async fn load_account(&self, contact: &[String], directory: &str) -> Result<Option<Vec<u8>>> {
        self.load(note_name("account", contact, directory)).await
    }

    async fn store_account(&self, contact: &[String], directory: &str, bytes: &[u8]) -> Result<()> {
        self.store(note_name("account", contact, directory), bytes)
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::{ClientConnection, HandshakeKind, ServerConnection};

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

    /// The server used to remember 256 sessions for all visitors together.
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
        let files = Arc::new(Files::open(&chain, &private).unwrap());
        let server = Arc::new(server_config(files).unwrap());
        let client = || Arc::new(directory_client(Some(&chain)).unwrap());
        let first = client();
        assert_eq!(handshake(&server, &first), HandshakeKind::Full);
        for _ in 0..300 {
            assert_eq!(handshake(&server, &client()), HandshakeKind::Full);
        }
        assert_eq!(handshake(&server, &first), HandshakeKind::Resumed);
    }

    /// Under other names, certificates would be ordered anew, and authorities limit that.
    #[test]
    fn golden_name_of_a_certificate() {
        let names = ["a.it".to_owned(), "b.it".to_owned()];
        let golden = "acme-certificate-ftnwF3uTJcN9OZgTXt4UZhnEDVvSFY_0kpHdP62VuIE";
        assert_eq!(note_name("certificate", &names, "https://x"), golden);
    }
}
