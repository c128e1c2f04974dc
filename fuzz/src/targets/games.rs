//! Texts of the games.

use trilith_games::{Game, MoveList, Record, pgn};

/// Rule texts.
pub fn rules<G: Game>(text: &str) {
    let Ok(rules) = text.parse::<G::Rules>() else { return };
    assert_eq!(rules.to_string().parse::<G::Rules>().as_ref(), Ok(&rules));
    let game = G::new(rules);
    game.validate(&game.start()).expect("every rule set has a start that can be played from");
}

/// Position texts; whatever is read can be played from.
pub fn position<G: Game>(text: &str) {
    let game = G::new(G::Rules::default());
    let Ok(position) = game.parse_position(text) else { return };
    assert_eq!(game.validate(&position), Ok(()));
    assert_eq!(game.parse_position(&game.position_text(&position)), Ok(position));
    let mut moves = MoveList::new();
    game.moves(&position, &mut moves);
    assert_eq!(moves.is_empty(), game.outcome(&position).is_some());
    for &mv in &moves {
        assert_eq!(game.parse_move(&position, &game.move_text(mv)), Ok(mv));
        game.validate(&game.play(&position, mv)).expect("legal moves lead to valid positions");
    }
}

/// Move texts, one a word, played one after the other as far as they are legal.
pub fn moves<G: Game>(text: &str) {
    let mut record = Record::new(G::new(G::Rules::default()));
    for word in text.split(' ') {
        if record.push_text(word).is_ok() {
            let mv = record.moves().next_back().expect("just played");
            let before = record.position_after(record.len() - 1).expect("just played");
            assert_eq!(record.game().parse_move(before, &record.game().move_text(mv)), Ok(mv));
        }
    }
}

/// Game texts.
pub fn game_text<G: Game>(text: &str) {
    let Ok(games) = pgn::parse::<G>(text) else { return };
    for game in games {
        let written = pgn::write(&game.record, &game.tags);
        let again = pgn::parse::<G>(&written).expect("what was written can be read");
        assert_eq!(again.len(), 1, "{written}");
        assert_eq!(again[0].record.position(), game.record.position());
        assert_eq!((&again[0].tags, again[0].result), (&game.tags, game.result));
    }
}

/// The formats of Othello.
pub mod othello_formats {
    use trilith_games::othello::Othello;
    use trilith_games::othello::formats::{Sheet, ggf, obf, sgf, transcript, wthor, xot};
    use trilith_games::{FormatError, Game};

    /// Transcripts and lists of them.
    pub fn transcripts(text: &str) {
        let game = Othello::default();
        let _ = xot::parse_xot(&game, text);
        let Ok(record) = transcript::parse_transcript(&game, text) else { return };
        let again = transcript::parse_transcript(&game, &transcript::transcript_text(&record));
        assert_eq!(again.map(|again| *again.position()), Ok(*record.position()));
    }

    /// Positions with scored moves.
    pub fn problems(text: &str) {
        let game = Othello::default();
        let Ok(problems) = obf::parse_obf(&game, text) else { return };
        assert_eq!(obf::parse_obf(&game, &obf::obf_text(&problems)).as_ref(), Ok(&problems));
    }

    /// GGF.
    pub fn ggf(text: &str) {
        round_trip(text, ggf::parse_ggf, ggf::ggf_text);
    }

    /// SGF.
    pub fn sgf(text: &str) {
        round_trip(text, sgf::parse_sgf, sgf::sgf_text);
    }

    /// WTHOR games and names.
    pub fn wthor(bytes: &[u8]) {
        let _ = wthor::parse_wtb(&Othello::default(), bytes);
        let _ = wthor::parse_players(bytes);
        let _ = wthor::parse_tournaments(bytes);
    }

    fn round_trip(
        text: &str,
        parse: impl Fn(&Othello, &str) -> Result<Vec<Sheet>, FormatError>,
        write: impl Fn(&[Sheet]) -> String,
    ) {
        let game = Othello::new(Default::default());
        let Ok(sheets) = parse(&game, text) else { return };
        let again = parse(&game, &write(&sheets)).expect("what was written can be read");
        assert_eq!(again.len(), sheets.len());
        for (again, sheet) in again.iter().zip(&sheets) {
            assert_eq!(again.record.position(), sheet.record.position());
            assert_eq!(again.tags, sheet.tags);
        }
    }
}
