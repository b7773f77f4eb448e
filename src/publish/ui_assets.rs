//! The built UI, as the package `respiro` embeds it and hands it over. No crate of the workspace
//! embeds `ui/`, so a change of the UI relinks one package.

use bytes::Bytes;
use respiro_content::blocks::BlockDefinitions;
use std::borrow::Cow;

/// A file of the built UI.
#[derive(Debug, Clone)]
pub struct EmbeddedFile {
    /// Path in its folder, without a leading slash.
    pub path: Cow<'static, str>,
    pub bytes: Cow<'static, [u8]>,
    /// Of `bytes`.
    pub sha256: [u8; 32],
}

impl EmbeddedFile {
    /// Converts without a copy: embedded data is static.
    pub(super) fn shared_bytes(&self) -> Bytes {
        match &self.bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.clone().into(),
        }
    }
}

/// The built UI.
#[derive(Debug, Clone)]
pub struct UiAssets {
    /// Files for the browser, and Vite's manifest. Text files end in `.br` and `.gz`: they are
    /// embedded in these two encodings only.
    pub client: Vec<EmbeddedFile>,
    /// The script that renders pages and e-mails, compressed by gzip.
    pub renderer: EmbeddedFile,
    /// Output of `ui/style-rules.ts`, compressed by gzip.
    pub style_rules: &'static [u8],
    pub block_definitions: &'static BlockDefinitions,
    /// The most frequent leaked passwords, one a line, compressed by gzip.
    pub leaked_passwords: &'static [u8],
}
