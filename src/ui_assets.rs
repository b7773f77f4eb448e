//! Embeds the built UI. Only this package knows `OUT_DIR`.

use respiro_content::blocks::BlockDefinitions;
use respiro_publish::{Bundle, EmbeddedFile, UiAssets};
use respiro_server::errors::{Error, Result};
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
pub const LEAKED_PASSWORDS: &[u8] =
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
    use respiro_auth::leaked_passwords::LeakedPasswords;

    #[test]
    fn the_embedded_ui_can_be_read() {
        assert!(bundle().unwrap().files.contains_key("/admin"));
    }

    #[test]
    fn what_many_people_have_is_common() {
        let leaked = LeakedPasswords::from_gzip(LEAKED_PASSWORDS);
        let about = ["anna", "verdi", "respiro", "como"];
        let common = [
            "123456789012",
            "qwertyuiopas",
            "password1234",
            "Password2026!",
            "P@ssw0rd1234",
            "iloveyou1234",
            "aaaaaaaaaaaaaaaa",
            "abcabcabcabc",
            "annaverdi2026",
            "respirocomo1",
            "francescagiulia1",
            "juventus juventus",
            "1qaz2wsx3edc",
            "0987654321987",
        ];
        for password in common {
            assert!(leaked.is_common(password, &about).unwrap(), "{password}");
        }
        let own = [
            "corretto cavallo batteria",
            "un respiro misurato",
            "respiro profondo",
            "fG7#kd92-xQpl",
            "tre gatti sul tetto",
        ];
        for password in own {
            assert!(!leaked.is_common(password, &about).unwrap(), "{password}");
        }
    }
}
