//! Caches which pictures only items in the trash use, until the next change.

use super::App;
use crate::error::Result;
use std::collections::BTreeSet;
use tokio::sync::Mutex;

/// The ids of these pictures, and the number of commits at which they were read.
pub(super) type TrashPictures = Mutex<Option<(u64, BTreeSet<String>)>>;

impl App {
    /// Returns whether only items in the trash use this picture.
    ///
    /// Reads all items once after a change, because a client may request the address of an
    /// unpublished picture any number of times.
    pub async fn is_picture_of_trash_only(&self, id: &str) -> Result<bool> {
        let mut known = self.trash_pictures.lock().await;
        // Read the counter before the items: a commit in between makes the next call read them
        // again.
        let changes = *self.changes.borrow();
        let ids = match known.take() {
            Some((at, ids)) if at == changes => ids,
            _ => {
                self.read(|reader| Ok(reader.picture_ids_of_trash_only()?))
                    .await?
            }
        };
        let is_it = ids.contains(id);
        *known = Some((changes, ids));
        Ok(is_it)
    }
}

#[cfg(debug_assertions)]
#[cfg(test)]
mod tests {
    use crate::app::App;
    use crate::app::power_loss::BUNDLE;
    use crate::config::Config;
    use crate::site::{Bundle, Publisher};
    use crate::store::Store;
    use crate::store::power_loss::STEPS;

    /// Regression: each request of a picture that had once been public read the trash and all
    /// items.
    #[test]
    fn everything_is_gone_through_once_after_a_change_however_often_somebody_asks() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.redb");
        let store = Store::open(&data).unwrap();
        let site = Publisher::start_with(Bundle::of_renderer(BUNDLE)).unwrap();
        let config = Config::new("127.0.0.1:0".parse().unwrap(), data);
        let app = App::new(config, "http://a".to_owned(), store, site);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let asked = || {
            let ask = app.is_picture_of_trash_only("foto");
            runtime.block_on(ask).unwrap()
        };
        let (shown, others) = STEPS.split_at(6);
        for step in shown {
            runtime
                .block_on(app.change(|writer| Ok(step(writer)?)))
                .unwrap();
            assert!(!asked());
        }
        let [delete, _, restore, ..] = others else {
            panic!("too few steps");
        };
        runtime
            .block_on(app.change(|writer| Ok(delete(writer)?)))
            .unwrap();
        assert!(asked());
        // Bypasses `App::change`, so the cached ids stay in use.
        app.store().write(restore).unwrap();
        assert!(asked());
        runtime.block_on(app.change(|_| Ok(()))).unwrap();
        assert!(!asked());
    }
}
