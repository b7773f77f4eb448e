//! Error type of an import.

use respiro_content::FieldError;

/// A failure in a function that the caller hands in: the store, the decoder or the random source.
pub type CallerError = Box<dyn std::error::Error + Send + Sync>;

/// Error that stops the whole import: nothing is imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The site already has a post with the slug of a post in the export.
    #[error("a post at /blog/{slug} is there already")]
    SlugTaken { slug: String },
    #[error("refused: {}", list_errors(title, errors))]
    InvalidPost {
        title: String,
        errors: Vec<FieldError>,
    },
    #[error("the collection {0} is missing")]
    MissingCollection(&'static str),
    #[error(transparent)]
    Caller(#[from] CallerError),
}

fn list_errors(title: &str, errors: &[FieldError]) -> String {
    let errors = errors
        .iter()
        .map(|error| format!("«{title}», {}: {}", error.field, error.message));
    errors.collect::<Vec<_>>().join("; ")
}
