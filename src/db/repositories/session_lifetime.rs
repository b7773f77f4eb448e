//! How long a session lasts, and how many an account may have.

use crate::Session;
use respiro_content::Timestamp;

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// A session nobody used for this long has ended.
pub const SESSION_IDLE_MILLISECONDS_MAX: i64 = 14 * DAY_MILLISECONDS;
/// No session lasts longer than this, however busy.
pub const SESSION_MILLISECONDS_MAX: i64 = 90 * DAY_MILLISECONDS;
/// Devices signed in to one account at a time; one more ends the session longest unused.
pub const SESSIONS_MAX: usize = 20;

impl Session {
    /// Whether the session still counts. Whoever asks with a token must ask this too.
    pub fn is_alive(&self, now: Timestamp) -> bool {
        now - self.last_seen_at < SESSION_IDLE_MILLISECONDS_MAX
            && now - self.created_at < SESSION_MILLISECONDS_MAX
    }
}
