#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(table) = trilith_arena::table::load(text) {
        let again = trilith_arena::table::load(&table.text()).map(|table| table.view());
        assert_eq!(again, Ok(table.view()));
    }
});
