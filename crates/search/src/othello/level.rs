//! How far a bound in the table can be trusted: the depth of a heuristic search, or a search to the end by how much
//! it takes for certain.

/// Nothing was taken for certain.
pub const EXACT: u8 = 255;
/// Searches to the end that cut off what is probable, the boldest first.
pub const SELECTIVE: [u8; 4] = [200, 201, 202, 203];

/// How many hundredths of a standard deviation a shallow search must lie outside the window.
pub fn percent(level: u8) -> i32 {
    match level {
        200 => 75,
        201 => 120,
        202 => 170,
        _ => 230,
    }
}

/// Plies of the shallow search that stands for one to the end.
pub fn depth(empties: u32) -> u32 {
    2 * empties.isqrt() - 4
}
