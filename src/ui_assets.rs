//! Embeds the built UI. Only this package knows `OUT_DIR`.

use crate::content::blocks::BlockDefinitions;
use crate::error::{Error, Result};
use crate::site::{Bundle, EmbeddedFile, UiAssets};
use rust_embed::{Embed, EmbeddedFile as RustEmbedFile};
use std::borrow::Cow;
use std::sync::LazyLock;

#[derive(Embed)]
#[folder = "$OUT_DIR/ui/client/"]
struct Client;

#[derive(Embed)]
#[folder = "$OUT_DIR/ui/server/"]
struct Server;

const RENDERER: &str = "server.js.gz";
const STYLE_RULES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ui/style-rules.json.gz"));
/// The 49,000 most frequent leaked passwords; the build of the UI takes them from a package.
const LEAKED_PASSWORDS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/ui/common-passwords.txt.gz"));

static BLOCK_DEFINITIONS: LazyLock<Result<BlockDefinitions, String>> = LazyLock::new(|| {
    let json = include_str!(concat!(env!("OUT_DIR"), "/ui/words.json"));
    BlockDefinitions::from_json(json).map_err(|error| error.to_string())
});

/// Returns the content blocks of this release. Fails when the build embedded definitions that this
/// program cannot read.
pub fn block_definitions() -> Result<&'static BlockDefinitions> {
    BLOCK_DEFINITIONS
        .as_ref()
        .map_err(|reason| Error::Internal(reason.clone()))
}

/// Returns the embedded UI.
pub fn load() -> Result<UiAssets> {
    let client = Client::iter().filter_map(|path| Some(file(Client::get(&path)?, path)));
    let renderer = Server::get(RENDERER)
        .ok_or_else(|| Error::Internal(format!("the program holds no {RENDERER}")))?;
    Ok(UiAssets {
        client: client.collect(),
        renderer: file(renderer, RENDERER.into()),
        style_rules: STYLE_RULES,
        block_definitions: block_definitions()?,
        leaked_passwords: LEAKED_PASSWORDS,
    })
}

/// Returns the embedded UI as a bundle, for a publisher.
pub fn bundle() -> Result<Bundle> {
    Ok(Bundle::from_assets(&load()?)?)
}

fn file(embedded: RustEmbedFile, path: Cow<'static, str>) -> EmbeddedFile {
    EmbeddedFile {
        sha256: embedded.metadata.sha256_hash(),
        bytes: embedded.data,
        path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_ui_can_be_read() {
        assert!(bundle().unwrap().files.contains_key("/admin"));
    }
}
