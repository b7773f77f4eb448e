//! Defines the errors of the crate: a rejected field, and faults that no input can cause.

/// Why a field was rejected, in Italian, ready to display.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct FieldError {
    /// The content block, when several are checked at once.
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

/// A fault of the program that no input can cause.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the block definitions in the program are broken: {0}")]
    BlockDefinitions(#[source] serde_json::Error),
    #[error("a block as JSON: {0}")]
    BlockJson(#[source] serde_json::Error),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
