//! Stores notices for the practitioner.

use super::App;
use crate::store::NotificationEvent;

impl App {
    /// Stores a notice for the panel and, if the settings ask for it, for an e-mail. A failure is
    /// only logged, so that it does not fail the work that the notice is about.
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
