//! The HTTP surface. The only place that names actix.
