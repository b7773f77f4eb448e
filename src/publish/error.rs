//! Errors of changes and publishes.

use respiro_content as content;
use respiro_db as db;
use respiro_render as render;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Db(#[from] db::Error),
    /// A page, a file of the site or an e-mail cannot be rendered.
    #[error("render: {0}")]
    Render(String),
    /// No page, file or picture of this name is published.
    #[error("not found")]
    NotFound,
    /// The site has no published pages yet, or the renderer cannot render a page now. The client
    /// may retry.
    #[error("busy: {0}")]
    Unavailable(&'static str),
    /// A fault of the program that no input can cause.
    #[error("internal: {0}")]
    Internal(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<render::Error> for Error {
    fn from(error: render::Error) -> Self {
        Self::Render(error.to_string())
    }
}

impl From<content::Error> for Error {
    fn from(error: content::Error) -> Self {
        Self::Internal(error.to_string())
    }
}
