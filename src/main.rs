//! The program: arguments to configuration to run.

fn main() {}
