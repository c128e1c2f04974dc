//! The tables that the server and the doctor look after.

use trilith_games::morris::Rules;
use trilith_tablebase::{FIRST_STONES, default_folder, ensure};

/// Builds the tables that Morris is played with. Whoever needs some before they are there plays with those that are.
pub fn build_for_server(stones: u32) {
    let rules = Rules::default();
    let folder = default_folder(&rules);
    // The smallest first: nobody waits for those, or for longer than a second.
    for stones in [stones.min(FIRST_STONES), stones] {
        if let Err(error) = ensure(&folder, &rules, stones) {
            let why = anyhow::Error::from(error);
            eprintln!("Morris is played without its tables of endgames, which cannot be built: {why:#}");
            eprintln!("(TRILITH_HOME names another folder for them)");
            return;
        }
    }
}

/// What tables are there, in words.
pub fn found() -> String {
    let folder = default_folder(&Rules::default());
    match std::fs::read_dir(&folder).into_iter().flatten().flatten().count() {
        0 => "none of Morris yet: the server builds the small ones in the background".into(),
        count => format!("{count} files of Morris in {}", folder.display()),
    }
}
