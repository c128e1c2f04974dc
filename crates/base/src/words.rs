//! Words compared, so that an error can name the spelling that was probably meant.

/// The word of `known` nearest to `word`, if it is near enough to be a misspelling.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(word, &known.into_iter().collect::<Vec<_>>())
}

/// `known` as a list for an error text, with a hint at the nearest spelling of `word` first.
pub fn expected<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    list_of(word, &known.into_iter().collect::<Vec<_>>())
}

// Compiled once, whatever the words are taken from.
fn nearest_of<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|&candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, candidate)| distance <= candidate.chars().count().max(3) / 3)
        .map(|(_, candidate)| candidate)
}

fn list_of(word: &str, known: &[&str]) -> String {
    let list = known.join(", ");
    match nearest_of(word, known) {
        Some(hint) => format!("`{hint}`? Known: {list}"),
        None => format!("one of {list}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_nonsense_is_not() {
        let games = ["othello", "morris", "abalone"];
        assert_eq!(nearest("otelo", games), Some("othello"));
        assert_eq!(nearest("chess", games), None);
        assert_eq!(nearest("", games), None);
    }
}
