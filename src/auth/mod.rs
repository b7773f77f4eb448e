//! Passwords, tokens, throttling, second factor: rules only. Pure, but for the random source.

pub mod token;
