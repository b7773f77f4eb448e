//! Options of off-site copies: the object storage and the encryption key.

use super::secrets::{S3_ACCESS_KEY, S3_SECRET_KEY, secret};
use clap::Args;
use clap::builder::BoolishValueParser;
use respiro_backup::offsite::Encryptor;
use respiro_server::config::{OffsiteOptions, S3Location, parse_public_url, parse_s3_uri};
use std::path::PathBuf;

const REFUSED: &str = "a copy that leaves this machine must be encrypted; run `respiro backup-key`, \
    then set RESPIRO_BACKUP_RECIPIENT";

/// Options of every command that uses object storage.
#[derive(Debug, Clone, Args)]
pub struct StorageOptions {
    /// Endpoint of S3-compatible object storage [default: Amazon S3 in the region]
    #[arg(long, env = "RESPIRO_S3_ENDPOINT", value_name = "URL", value_parser = parse_endpoint)]
    pub s3_endpoint: Option<String>,
    /// Region of the object storage
    #[arg(
        long,
        env = "RESPIRO_S3_REGION",
        value_name = "NAME",
        default_value = "us-east-1"
    )]
    pub s3_region: String,
    /// Put the bucket into the path instead of the host name [default: with an endpoint]
    #[arg(long, env = "RESPIRO_S3_PATH_STYLE", value_name = "BOOL", value_parser = BoolishValueParser::new())]
    pub s3_path_style: Option<bool>,
    /// Public key for the encryption of off-site backups (`respiro backup-key` generates one)
    #[arg(long, env = "RESPIRO_BACKUP_RECIPIENT", value_name = "AGE1")]
    pub backup_recipient: Option<String>,
}

/// Options of an off-site backup by hand.
#[derive(Debug, Clone, Args)]
pub struct BackupOptions {
    #[command(flatten)]
    pub storage: StorageOptions,
    /// Back up although another machine has backed up this site since: that one is off. At the
    /// place of `--publish-s3`: let this machine publish there
    #[arg(long)]
    pub take_over: bool,
}

/// Options of `backup-key`.
#[derive(Debug, Clone, Args)]
pub struct KeyOptions {
    /// Print the keys even if standard output is not a terminal
    #[arg(long)]
    pub to_stdout: bool,
    /// Print only the line of the key file that names the signature of the data file
    #[arg(long, conflicts_with_all = ["to_stdout", "page"])]
    pub signer: bool,
    /// Write a printable key sheet to this new file
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// Location of the backups, printed on the key sheet
    #[arg(long, env = "RESPIRO_BACKUP_S3", value_name = "s3://BUCKET/PREFIX")]
    pub backup_s3: Option<String>,
    /// Address of the site, printed on the key sheet
    #[arg(long, env = "RESPIRO_PUBLIC_URL", value_name = "URL", value_parser = parse_public_url)]
    pub public_url: Option<String>,
}

/// Options of commands that read an off-site backup.
#[derive(Debug, Clone, Args)]
pub struct CopyOptions {
    #[command(flatten)]
    pub storage: StorageOptions,
    /// Off-site: use the newest backup not later than this time
    #[arg(long, value_name = "RFC3339")]
    pub at: Option<String>,
    /// Off-site: list the backups and do nothing else
    #[arg(long)]
    pub list: bool,
    /// File with the secret key of the off-site backups (mode 0600)
    #[arg(long, env = "RESPIRO_BACKUP_IDENTITY_FILE", value_name = "FILE")]
    pub backup_identity_file: Option<PathBuf>,
}

impl StorageOptions {
    /// Returns the storage of `s3://…`, with the access keys from the environment.
    pub fn space(&self, place: &str) -> Result<S3Location, String> {
        let (bucket, prefix) =
            parse_s3_uri(place).map_err(|reason| format!("{SCHEME}… {reason}"))?;
        let needed = |name: &str| {
            secret(name)?.ok_or_else(|| format!("{place}: set {name} (or {name}_FILE)"))
        };
        let region = self.s3_region.clone();
        let amazon = || format!("https://s3.{region}.amazonaws.com");
        Ok(S3Location {
            bucket,
            prefix,
            endpoint: self.s3_endpoint.clone().unwrap_or_else(amazon),
            path_style: self.s3_path_style.unwrap_or(self.s3_endpoint.is_some()),
            access_key: needed(S3_ACCESS_KEY)?,
            secret_key: needed(S3_SECRET_KEY)?,
            region,
        })
    }

    /// Returns the encryption for the configured recipient. Fails without one, because unencrypted
    /// copies must not leave the machine.
    pub fn encryptor(&self) -> Result<Encryptor, String> {
        let recipient = self.backup_recipient.as_deref();
        Encryptor::new(recipient.ok_or_else(|| format!("refused: {REFUSED}"))?)
    }
}

/// Options for scheduled work of the server with object storage.
#[derive(Debug, Clone, Args)]
pub struct OffsiteBackupOptions {
    /// Object storage for encrypted backups: a full one every day, changes within a minute
    #[arg(long, env = "RESPIRO_BACKUP_S3", value_name = "s3://BUCKET/PREFIX")]
    pub backup_s3: Option<String>,
    /// Bucket that mirrors the published site, for a static file host
    #[arg(long, env = "RESPIRO_PUBLISH_S3", value_name = "s3://BUCKET/PREFIX")]
    pub publish_s3: Option<String>,
    #[command(flatten)]
    pub storage: StorageOptions,
}

impl OffsiteBackupOptions {
    pub fn offsite_backup(&self) -> Result<Option<OffsiteOptions>, String> {
        let Some(place) = &self.backup_s3 else {
            return Ok(None);
        };
        self.storage.encryptor()?;
        Ok(Some(OffsiteOptions {
            space: self.storage.space(place)?,
            recipient: self.storage.backup_recipient.clone().unwrap_or_default(),
        }))
    }

    /// Returns the bucket of the public mirror. Fails if it overlaps the place of the copies.
    pub fn mirror(&self) -> Result<Option<S3Location>, String> {
        let Some(place) = &self.publish_s3 else {
            return Ok(None);
        };
        let space = self.storage.space(place)?;
        let copies = self.backup_s3.as_deref().map(parse_s3_uri).transpose()?;
        if let Some((bucket, prefix)) = copies {
            let lies_in = |inner: &str, outer: &str| {
                outer.is_empty() || inner == outer || inner.starts_with(&format!("{outer}/"))
            };
            let shares = lies_in(&prefix, &space.prefix) || lies_in(&space.prefix, &prefix);
            if bucket == space.bucket && shares {
                return Err(
                    "--publish-s3 and --backup-s3 name the same place: everybody reads the one, \
                     nobody may read the other; use two buckets"
                        .to_owned(),
                );
            }
        }
        Ok(Some(space))
    }
}

/// Prefix of places in object storage on the command line.
pub const SCHEME: &str = "s3://";

fn parse_endpoint(text: &str) -> Result<String, String> {
    let text = text.trim().trim_end_matches('/');
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .ok_or("must start with https:// or http://")?;
    if host.is_empty() || host.contains(['@', '?', '#', ' ']) {
        return Err("must be an address without keys, like https://s3.example.org".to_owned());
    }
    Ok(text.to_owned())
}
