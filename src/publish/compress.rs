//! Builds responses in three encodings, each with its own entity tag.

use super::headers::Policy;
use super::{Body, IdentityBody, Page};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::{self, Read as _, Write as _};

/// Brotli qualities: while a client waits, and in the background.
const BROTLI_QUALITY_FAST: i32 = 5;
const BROTLI_QUALITY_BEST: i32 = 11;
/// Pages fit in 256 KiB; a larger window costs 32 MB a page at the best quality and gains nothing.
const BROTLI_WINDOW_LOG: i32 = 18;
const GZIP_LEVEL: u32 = 6;
/// Suffixes of the entity tags, by encoding.
const FAST: &str = "-b5";
const BEST: &str = "-b11";
pub(super) const BEST_END: &str = "-b11\"";
const GZIP: &str = "-g";
/// Smaller responses fit in one packet anyway.
const COMPRESSED_BYTES_MIN: usize = 256;
/// Bytes of the content's hash in an entity tag.
const TAG_BYTES: usize = 12;
/// Length of these bytes in Base64.
const TAG_CHARACTERS: usize = TAG_BYTES / 3 * 4;
/// Length of the Base64 hash of a page's style rules in a cache file; padded with blanks if the
/// page has none.
const RULES_CHARACTERS: usize = 44;

/// A response before compression.
#[derive(Debug)]
pub(super) struct UncompressedResponse {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) bytes: Vec<u8>,
    /// Hash of the style rules inlined in a page, in Base64.
    pub(super) rules: Option<String>,
}

impl UncompressedResponse {
    pub(super) fn ok(content_type: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            content_type,
            bytes: bytes.into(),
            rules: None,
        }
    }
}

/// Compresses a response fast into three encodings.
pub(super) fn page(raw: UncompressedResponse, cache_control: &'static str) -> Page {
    let tag = tag_of(&Sha256::digest(&raw.bytes));
    let brotli = compressed(&raw.bytes, |bytes| brotli(bytes, BROTLI_QUALITY_FAST));
    let gzip = compressed(&raw.bytes, gzip);
    Page {
        status: raw.status,
        content_type: raw.content_type,
        cache_control,
        policy: raw.rules.map(Policy::of_rules).map(Box::new),
        plain: plain(raw.bytes.into(), gzip.is_some()),
        brotli: brotli.map(|bytes| body(bytes.into(), &tag, FAST)),
        gzip: gzip.map(|bytes| body(bytes.into(), &tag, GZIP)),
        tag,
    }
}

/// Properties of an embedded or drawn file: its media type, its `Cache-Control` value and the hash
/// of its content.
#[derive(Debug)]
pub(super) struct AssetMeta<'a> {
    pub(super) content_type: &'static str,
    pub(super) cache_control: &'static str,
    pub(super) hash: &'a [u8],
}

/// Returns an uncompressed response.
pub(super) fn stored(meta: &AssetMeta<'_>, bytes: Bytes) -> Page {
    let tag = tag_of(meta.hash);
    Page {
        status: 200,
        content_type: meta.content_type,
        cache_control: meta.cache_control,
        policy: None,
        plain: IdentityBody::whole(bytes),
        brotli: None,
        gzip: None,
        tag,
    }
}

/// Returns a response from bytes that were compressed at build time.
pub(super) fn packed(meta: &AssetMeta<'_>, brotli: Option<Bytes>, gzip: Bytes) -> Page {
    let tag = tag_of(meta.hash);
    Page {
        brotli: brotli.map(|bytes| body(bytes, &tag, "-b")),
        gzip: Some(body(gzip, &tag, GZIP)),
        plain: IdentityBody::default(),
        ..stored(meta, Bytes::new())
    }
}

/// Returns the response with the smallest Brotli body; `None` if it has no Brotli body. Slow.
///
/// The bytes differ from the fast ones, so their strong entity tag does too.
pub(super) fn best(page: &Page) -> Option<Page> {
    page.brotli.as_ref()?;
    let bytes = page.plain();
    let smallest = brotli(&bytes, BROTLI_QUALITY_BEST)?;
    Some(Page {
        status: page.status,
        content_type: page.content_type,
        cache_control: page.cache_control,
        policy: page.policy.clone(),
        plain: plain(bytes, page.gzip.is_some()),
        brotli: Some(body(smallest.into(), &page.tag, BEST)),
        gzip: page.gzip.clone(),
        tag: page.tag.clone(),
    })
}

/// Properties of a response that its cache file does not store.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResponseHead {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) cache_control: &'static str,
}

/// Serializes a response for the page cache; `None` for one that is too small to be compressed.
pub(super) fn to_cache_file(page: &Page) -> Option<Vec<u8>> {
    let (brotli, gzip) = (page.brotli.as_ref()?, page.gzip.as_ref()?);
    let rules = page.policy.as_ref().map_or("", |policy| &policy.rules);
    let rules = format!("{rules:RULES_CHARACTERS$}");
    let length = u32::try_from(brotli.bytes.len()).ok()?.to_le_bytes();
    let head = [page.tag.as_bytes(), rules.as_bytes(), &length].concat();
    Some([&head[..], &brotli.bytes, &gzip.bytes].concat())
}

/// Restores a response from the bytes of `to_cache_file`.
pub(super) fn from_cache_file(sent: ResponseHead, bytes: &Bytes) -> Option<Page> {
    let (tag, rest) = bytes.split_first_chunk::<TAG_CHARACTERS>()?;
    let (rules, rest) = rest.split_first_chunk::<RULES_CHARACTERS>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (brotli, gzip) = rest.split_at_checked(length)?;
    let tag = std::str::from_utf8(tag).ok()?.to_owned();
    let rules = std::str::from_utf8(rules).ok()?.trim_end();
    let has_rules = !rules.is_empty();
    Some(Page {
        status: sent.status,
        content_type: sent.content_type,
        cache_control: sent.cache_control,
        policy: has_rules.then(|| Box::new(Policy::of_rules(rules.to_owned()))),
        plain: IdentityBody::default(),
        brotli: Some(body(bytes.slice_ref(brotli), &tag, BEST)),
        gzip: Some(body(bytes.slice_ref(gzip), &tag, GZIP)),
        tag,
    })
}

fn plain(bytes: Bytes, is_packed: bool) -> IdentityBody {
    if is_packed {
        IdentityBody::default()
    } else {
        IdentityBody::whole(bytes)
    }
}

fn body(bytes: Bytes, tag: &str, encoding: &str) -> Body {
    Body {
        bytes,
        etag: etag(tag, encoding),
    }
}

pub(super) fn etag(tag: &str, encoding: &str) -> String {
    format!("\"{tag}{encoding}\"")
}

fn tag_of(hash: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(hash.get(..TAG_BYTES).unwrap_or(hash))
}

fn compressed(bytes: &[u8], with: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    if bytes.len() < COMPRESSED_BYTES_MIN {
        return None;
    }
    with(bytes).filter(|smaller| smaller.len() < bytes.len())
}

fn brotli(bytes: &[u8], quality: i32) -> Option<Vec<u8>> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality,
        lgwin: BROTLI_WINDOW_LOG,
        size_hint: bytes.len(),
        ..Default::default()
    };
    respiro_generics::brotli(bytes, &parameters).ok()
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let smaller = Vec::with_capacity(bytes.len() / 4);
    let mut encoder = GzEncoder::new(smaller, flate2::Compression::new(GZIP_LEVEL));
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

/// Decompresses gzip.
pub(super) fn unpacked(gzip: &[u8]) -> io::Result<Vec<u8>> {
    let mut plain = Vec::with_capacity(gzip.len() * 4);
    GzDecoder::new(gzip).read_to_end(&mut plain)?;
    Ok(plain)
}

/// Returns the decompressed length from the last four bytes of gzip data (RFC 1952, ISIZE).
pub(super) fn unpacked_length(gzip: &[u8]) -> u64 {
    let length = gzip.last_chunk().copied().unwrap_or_default();
    u32::from_le_bytes(length).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headers::ASKED;

    #[test]
    fn every_encoding_gives_the_same_bytes_back_under_its_own_tag() {
        let text = "respiro e benessere, ".repeat(100);
        let fast = page(UncompressedResponse::ok("text/plain", text.as_str()), ASKED);
        let best = best(&fast).unwrap();
        let mut tags = vec![fast.identity().etag.clone()];
        for body in [&fast.brotli, &best.brotli].map(|body| body.as_ref().unwrap()) {
            let mut plain = Vec::new();
            brotli::BrotliDecompress(&mut &*body.bytes, &mut plain).unwrap();
            assert_eq!(plain, text.as_bytes());
            tags.push(body.etag.clone());
        }
        let gzip = fast.gzip.as_ref().unwrap();
        assert_eq!(unpacked(&gzip.bytes).unwrap(), text.as_bytes());
        for page in [&fast, &best] {
            assert_eq!(page.identity().bytes, text.as_bytes());
            assert_eq!(page.identity().etag, fast.identity().etag);
        }
        tags.push(gzip.etag.clone());
        tags.sort();
        tags.dedup();
        assert_eq!(tags.len(), 4, "{tags:?}");
    }

    /// Regression: requests without `Accept-Encoding` left every page decompressed in memory.
    #[test]
    fn what_was_unpacked_is_shared_by_its_readers_and_goes_with_them() {
        let text = "respiro e benessere, ".repeat(100);
        let page = page(UncompressedResponse::ok("text/plain", text.as_str()), ASKED);
        assert_eq!(page.plain_length(), text.len() as u64);
        let before = page.bytes();
        let (one, other) = (page.plain(), page.plain());
        assert_eq!((one.as_ptr(), one.len()), (other.as_ptr(), text.len()));
        assert_eq!(page.bytes(), before);
        drop((one, other));
        assert_eq!(page.plain.readers(), 0);
        let short = stored(
            &AssetMeta {
                content_type: "text/plain",
                cache_control: ASKED,
                hash: &[1; 32],
            },
            Bytes::from_static(b"ok"),
        );
        assert_eq!((short.plain_length(), short.bytes()), (2, 2));
    }

    #[test]
    fn what_does_not_get_smaller_is_sent_as_it_is() {
        let short = page(UncompressedResponse::ok("text/plain", "ok"), ASKED);
        assert!(short.brotli.is_none() && short.gzip.is_none() && best(&short).is_none());
    }
}
