//! The way by which anything tells the practitioner of something.

use super::App;
use crate::store::NotificationEvent;

impl App {
    /// Writes a notice down for the panel and, where she wants it, for an e-mail. Whatever keeps
    /// it from being written fails nothing else.
    pub async fn notify(&self, notice: NotificationEvent) {
        let now = self.now();
        match self
            .change(move |writer| Ok(writer.add_notification(notice, now)?))
            .await
        {
            Ok(()) => self.notice_waiting.notify_one(),
            Err(error) => tracing::error!(%error, "a notice for the panel cannot be written down"),
        }
    }
}
