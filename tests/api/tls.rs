//! TLS client of the tests, and a certificate for the server.

use crate::helpers::TestApp;
use respiro_server::config::{Config, Tls};
use rustls::crypto::ring;
use rustls::pki_types::ServerName;
use rustls::{ALL_VERSIONS, ClientConfig, RootCertStore};
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

const NAME: &str = "example.org";

/// A certificate that the client of the tests trusts.
pub struct Certificate {
    folder: tempfile::TempDir,
    roots: RootCertStore,
}

impl Certificate {
    pub fn make() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let made = rcgen::generate_simple_self_signed(vec![NAME.to_owned()]).unwrap();
        std::fs::write(folder.path().join("chain.pem"), made.cert.pem()).unwrap();
        std::fs::write(
            folder.path().join("key.pem"),
            made.signing_key.serialize_pem(),
        )
        .unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(made.cert.der().clone()).unwrap();
        Self { folder, roots }
    }

    /// Makes the server use it.
    pub fn set(&self, config: &mut Config) {
        config.tls = Tls::Files {
            certificate: self.folder.path().join("chain.pem"),
            key: self.folder.path().join("key.pem"),
        };
    }

    /// Opens a TLS connection that offers these protocols.
    pub async fn connect(&self, app: &TestApp, protocols: &[&str]) -> TlsStream<TcpStream> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_protocol_versions(ALL_VERSIONS).unwrap();
        let config = config.with_root_certificates(self.roots.clone());
        let mut config = config.with_no_client_auth();
        config.alpn_protocols = protocols
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect();
        let connector = TlsConnector::from(Arc::new(config));
        let stream = TcpStream::connect(app.running.address).await.unwrap();
        let name = ServerName::try_from(NAME).unwrap();
        connector.connect(name, stream).await.unwrap()
    }
}

/// Opens a connection from an address of the loopback network.
pub async fn connect_from(app: &TestApp, last: u8) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    let own = Ipv4Addr::new(127, 0, 0, last);
    socket.bind((own, 0).into()).unwrap();
    socket.connect(app.running.address).await.unwrap()
}
