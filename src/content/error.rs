//! Errors of the crate: a refused field, and the faults that no input can cause.

/// Why one field was refused, in Italian, fit to show.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct FieldError {
    /// The content block, where several are checked at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    pub field: String,
    pub message: String,
}

impl FieldError {
    pub fn new(field: &str, message: impl Into<String>) -> Self {
        Self {
            block: None,
            field: field.to_owned(),
            message: message.into(),
        }
    }
}

/// A fault of the program, not of its input.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the block definitions in the program are broken: {0}")]
    BlockDefinitions(#[source] serde_json::Error),
    #[error("a block as JSON: {0}")]
    BlockJson(#[source] serde_json::Error),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
