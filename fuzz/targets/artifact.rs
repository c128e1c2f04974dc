#![no_main]

use trilith_base::Artifact;

// A learned file that anybody may have made: no panic, no memory that its size does not explain, and what is read is
// written and read back the same.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(artifact) = Artifact::parse(bytes) else { return };
    let written = artifact.bytes().expect("what was read can be written");
    assert_eq!(Artifact::parse(&written).expect("what was written can be read"), artifact);
});
