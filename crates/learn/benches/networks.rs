//! Prints how fast networks are trained: `cargo bench -p trilith-learn --bench networks`.

fn main() {
    for measured in trilith_learn::reversi::speed::networks() {
        println!("{:<34} {:>12.2} {}", measured.name, measured.value, measured.unit);
    }
}
