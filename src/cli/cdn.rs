//! Options for a CDN or caching proxy in front of the site.

use super::secrets::SECRETS;
use crate::config::Cdn;
use clap::Args;
use clap::builder::{BoolishValueParser, PossibleValuesParser};
use std::path::PathBuf;

/// What `serve` and `doctor` understand of a cache in front.
#[derive(Debug, Clone, Args)]
pub struct CdnOptions {
    /// A CDN or caching proxy is in front: let it keep pages, for a day when this server is gone
    #[arg(long, env = "RESPIRO_CDN", value_parser = BoolishValueParser::new())]
    pub cdn: bool,
    /// Address of the cache that is asked to forget the pages after each publish
    #[arg(
        long,
        env = "RESPIRO_CDN_PURGE",
        value_name = "URL",
        requires = "cdn",
        value_parser = parse_address
    )]
    pub cdn_purge: Option<String>,
    /// The request that the cache understands
    #[arg(
        long,
        env = "RESPIRO_CDN_PURGE_METHOD",
        value_name = "METHOD",
        default_value = "BAN",
        value_parser = PossibleValuesParser::new(["BAN", "PURGE"])
    )]
    pub cdn_purge_method: String,
    /// Command that is run after each publish, within 5 s
    #[arg(long, env = "RESPIRO_CDN_HOOK", value_name = "FILE", requires = "cdn")]
    pub cdn_hook: Option<PathBuf>,
}

impl CdnOptions {
    pub fn check(&self) -> Option<Cdn> {
        self.cdn.then(|| Cdn {
            purge: self.cdn_purge.clone(),
            method: self.cdn_purge_method.clone(),
            hook: self.cdn_hook.clone(),
            hidden: SECRETS,
        })
    }
}

fn parse_address(text: &str) -> Result<String, String> {
    let is_address = text.starts_with("http://") || text.starts_with("https://");
    if is_address && !text.contains(['@', ' ']) {
        Ok(text.to_owned())
    } else {
        Err("must be an address without a password, like http://127.0.0.1:6081/".to_owned())
    }
}
