//! The routes that require a confirmed session: credentials of the account, and all data at once.

/// Method and path of each. A route below one of `SENSITIVE_PREFIXES` that changes something must
/// be here.
pub const CONFIRMED_ROUTES: &[(&str, &str)] = &[
    ("GET", "/api/admin/backup"),
    ("POST", "/api/admin/restore"),
    ("POST", "/api/admin/restore/inspect"),
    ("DELETE", "/api/admin/sessions"),
    ("DELETE", "/api/admin/sessions/{id}"),
    ("POST", "/api/admin/passkeys"),
    ("POST", "/api/admin/passkeys/options"),
    ("DELETE", "/api/admin/passkeys/{id}"),
    ("DELETE", "/api/admin/second-factor"),
    ("POST", "/api/admin/second-factor/start"),
    ("POST", "/api/admin/second-factor/confirm"),
    ("GET", "/api/auth/confirm"),
];
