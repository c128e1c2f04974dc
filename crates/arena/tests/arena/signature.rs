//! The signature of this code is the one that `signature.txt` holds. `UPDATE_GOLDEN=1` rewrites the file.

use std::path::Path;

use trilith_arena::GAMES;
use trilith_arena::signature::signature;

/// A game of the tests alone is not signed.
const UNSIGNED: &str = "tictactoe";

#[test]
fn the_signature_is_the_one_in_the_file() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../signature.txt");
    let games: Vec<&str> = GAMES.iter().copied().filter(|game| *game != UNSIGNED).collect();
    let found = format!("{}\n", signature(&games).unwrap());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap();
    assert_eq!(found, expected, "say in the commit why it changes; `trilith bench signature` prints it");
}
