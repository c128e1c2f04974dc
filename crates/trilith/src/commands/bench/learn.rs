//! `trilith bench learn`: how fast networks are trained and asked, and how a table of S3's size is held and kept.

use trilith_learn::reversi::speed::{self, Measured};

/// Measures.
pub fn measure() -> anyhow::Result<Vec<Measured>> {
    let mut all = speed::networks();
    all.extend(speed::tables(&std::env::temp_dir())?);
    Ok(all)
}

/// Prints for people.
pub fn print(all: &Vec<Measured>) {
    for Measured { name, value, unit } in all {
        println!("{name:<34} {value:>14.2} {unit}");
    }
}
