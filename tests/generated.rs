//! Generated files are committed and current. `BLESS=1` rewrites them.

use std::{env, fs, path::PathBuf};

#[test]
fn the_typescript_of_the_kinds_is_what_the_table_says() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ui/src/kinds/kinds.gen.ts");
    let expected = respiro::content::typescript::file();
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "run BLESS=1 cargo test --test generated");
}
