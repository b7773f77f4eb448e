//! Headers of answers that do not depend on the request: the program sends them, and tells hosts of
//! plain files to.

/// The hashes are those of `SPECULATION`, which only says what may be fetched ahead, and of
/// `STARTER` (`template.rs`).
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; \
    script-src 'self' 'sha256-ErvhotMB1PdKNUFzfWnqrGS40D2y6y9IRRkrdAE26V0=' \
    'sha256-Mli1/MDBqP+7BIfLs0v4zxVfasqd4twGJ4ZgPuZTxWw='; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";
const STYLES: &str = "style-src 'self'";

/// The policy of a page that brings style rules along: these are allowed in it, and no others.
#[derive(Debug, Clone)]
pub struct Policy {
    /// SHA-256 of the rules, in Base64.
    pub(super) rules: String,
    pub value: String,
}

impl Policy {
    pub(super) fn of_rules(rules: String) -> Self {
        let styles = format!("{STYLES} 'sha256-{rules}'");
        let value = CONTENT_SECURITY_POLICY.replacen(STYLES, &styles, 1);
        Self { rules, value }
    }
}

/// Set on every answer that does not set them itself.
pub const HEADERS: &[(&str, &str)] = &[
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "SAMEORIGIN"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    (
        "permissions-policy",
        "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), \
         gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
    ),
    ("cross-origin-opener-policy", "same-origin"),
];
pub const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000";

/// Of pages: kept by nobody without asking.
pub const ASKED: &str = "no-cache";
/// Of pages behind a cache that nobody tells of changes: each is seen within two seconds, and the
/// pages stay up for a day without the program.
pub const SHARED: &str =
    "public, max-age=0, s-maxage=1, stale-while-revalidate=1, stale-if-error=86400";
/// Of pages behind a cache that is told of changes, which then needs to ask less.
pub const SHARED_TOLD: &str =
    "public, max-age=0, s-maxage=60, stale-while-revalidate=1, stale-if-error=86400";

/// Of what never changes at its address.
pub const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// Of the picture of a page, with its title, which may change.
pub const FOR_AN_HOUR: &str = "public, max-age=3600";
/// Of a picture with a title on it, which may change.
pub const FOR_A_DAY: &str = "public, max-age=86400";
/// Of a picture that only who is signed in may see.
pub const FOR_NOBODY: &str = "private, no-store";
