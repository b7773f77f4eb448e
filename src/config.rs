//! Flags and environment, checked once into [`Config`]. Nothing else reads the environment.

use ipnet::IpNet;
use std::net::SocketAddr;
use std::path::PathBuf;

/// What `respiro serve` runs with. Built by the command line or by a test.
#[derive(Debug, Clone)]
pub struct Config {
    pub listen: SocketAddr,
    pub data: PathBuf,
    /// Without a trailing slash. `None`: `http://` + the address the port was bound to.
    pub public_url: Option<String>,
    pub demo: bool,
    pub trusted_proxies: Vec<IpNet>,
    /// First account, when the environment names one.
    pub first_account: Option<(String, String)>,
}

impl Config {
    /// A configuration with the defaults of the contract, section 1, for this data file.
    pub fn new(listen: SocketAddr, data: PathBuf) -> Self {
        Self {
            listen,
            data,
            public_url: None,
            demo: false,
            trusted_proxies: Vec::new(),
            first_account: None,
        }
    }
}
