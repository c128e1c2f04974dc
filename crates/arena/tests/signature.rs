//! The signature of this code is the one that `signature.txt` holds. `UPDATE_GOLDEN=1` rewrites the file.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use trilith_arena::signature::signature;

#[test]
fn the_signature_is_the_one_in_the_file() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../signature.txt");
    let found = format!("{}\n", signature().unwrap());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap();
    assert_eq!(found, expected, "say in the commit why it changes; `trilith bench signature` prints it");
}
