//! The learned files that come with the program, besides the weights of `patterns`.

use std::sync::LazyLock;

use trilith_base::Artifact;

macro_rules! shipped {
    ($($name:literal => $file:literal),* $(,)?) => {
        /// The file of the evaluation called `name`, unpacked and checked once; none if nothing is shipped for it.
        pub fn shipped(name: &str) -> Option<&'static Artifact> {
            $(if name == $name {
                static FILE: LazyLock<Artifact> = LazyLock::new(|| {
                    let bytes = include_bytes!(concat!("../../artifacts/othello/", $file));
                    Artifact::parse(bytes).expect("a test reads all shipped files")
                });
                return Some(&FILE);
            })*
            None
        }
    };
}

shipped! {
    "mlp" => "mlp.safetensors",
    "log" => "log.safetensors.zst",
    "fisher" => "fisher.safetensors.zst",
    "quad" => "quad.safetensors.zst",
}
