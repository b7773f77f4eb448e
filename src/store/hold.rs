//! How who reads a file beside its owner knows that it is left alone.

use std::fmt;
use std::sync::Arc;

/// Tells whether the view of a moment is held still: once it is not, its pages may be written over.
#[derive(Clone)]
pub struct Hold(Arc<dyn Fn() -> bool + Send + Sync>);

impl Hold {
    pub fn new(lasts: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(lasts))
    }

    pub fn lasts(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for Hold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.lasts() { "lasting" } else { "gone" })
    }
}
