//! Response headers that do not depend on the request. The server sends them, and exports list them
//! for static hosts.

use http::HeaderValue;

/// The hashes are those of `SPECULATION`, which holds speculation rules only, of `STARTER` and
/// `PLAIN` (`html_template.rs`), and of the script in `ui/admin.html`.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; \
    script-src 'self' 'sha256-ErvhotMB1PdKNUFzfWnqrGS40D2y6y9IRRkrdAE26V0=' \
    'sha256-Mli1/MDBqP+7BIfLs0v4zxVfasqd4twGJ4ZgPuZTxWw=' \
    'sha256-jx/rIG9KCi2lp6G+qERUFHfu0/gLktSm60YoYXKi9L4=' \
    'sha256-vO7C4RhiG2fY3lsmHazOcYArDOHOLfyrDUl/sDA3dlE='; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";
const STYLES: &str = "style-src 'self'";
/// For everything that is no HTML: opened as a document, it loads and runs nothing.
const FILE_POLICY: &str = "default-src 'none'; sandbox";

/// Returns the policy of a response that does not bring its own.
pub fn policy_of(content_type: &str) -> &'static str {
    if content_type.starts_with("text/html") {
        CONTENT_SECURITY_POLICY
    } else {
        FILE_POLICY
    }
}

/// The policy of a page with inlined style rules. It allows these rules and no other inline style.
#[derive(Debug, Clone)]
pub struct Policy {
    /// SHA-256 of the rules in Base64.
    pub(super) rules: String,
    /// A value of a header: to check its 500 bytes at each request took a twentieth of its time.
    pub value: HeaderValue,
}

impl Policy {
    pub(super) fn of_rules(rules: String) -> Self {
        // Base64 is valid in a header.
        let value = HeaderValue::try_from(policy_with(&rules))
            .unwrap_or(HeaderValue::from_static(CONTENT_SECURITY_POLICY));
        Self { rules, value }
    }
}

fn policy_with(rules: &str) -> String {
    let styles = format!("{STYLES} 'sha256-{rules}'");
    CONTENT_SECURITY_POLICY.replacen(STYLES, &styles, 1)
}

pub const POLICY: &str = "content-security-policy";

/// The part of the policy of pages that browsers ignore in a `<meta>`.
pub(super) const FRAME_POLICY: &str = "frame-ancestors 'self'";

/// Returns the policy of a page as its own `<meta>` says it.
pub(super) fn policy_in_page(rules: Option<&str>) -> String {
    let policy = rules.map_or_else(|| CONTENT_SECURITY_POLICY.to_owned(), policy_with);
    let without = policy.strip_suffix(FRAME_POLICY).unwrap_or(&policy);
    without.trim_end_matches("; ").to_owned()
}

/// Sent with every response that does not set them itself; the policy only with HTML.
pub const HEADERS: &[(&str, &str)] = &[
    (POLICY, CONTENT_SECURITY_POLICY),
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

/// For pages: caches revalidate each time.
pub const ASKED: &str = "no-cache";
/// For pages behind a shared cache that is not purged: a change shows within two seconds. While the
/// server is down the cache may still have what was removed before, so it serves stale pages only
/// as long as a restart takes: a stop may wait 60 s for an e-mail.
pub const SHARED: &str =
    "public, max-age=0, s-maxage=1, stale-while-revalidate=1, stale-if-error=120";
/// For pages behind a shared cache that is purged on each publish and therefore revalidates less
/// often.
pub const SHARED_TOLD: &str =
    "public, max-age=0, s-maxage=60, stale-while-revalidate=1, stale-if-error=86400";

/// Value of `Retry-After`, in seconds, of a page with status 503.
pub const RENEWAL_RETRY_AFTER: &str = "30";
/// The same, in seconds, while the site is asleep: the admin wakes it.
pub const ASLEEP_RETRY_AFTER: &str = "3600";
/// For a page with status 503.
pub(super) const NOT_STORED: &str = "no-store";

/// For content that never changes at its address.
pub const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// For link-preview images of pages, which carry a title that may change.
pub const FOR_AN_HOUR: &str = "public, max-age=3600";
/// For uploaded pictures with a title drawn on them, which may change.
pub const FOR_A_DAY: &str = "public, max-age=86400";
/// For pictures that only a signed-in admin may see.
pub const FOR_NOBODY: &str = "private, no-store";
