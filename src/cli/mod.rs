//! The operator's commands.
