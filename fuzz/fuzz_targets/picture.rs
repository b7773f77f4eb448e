//! Hands arbitrary bytes to the whole picture pipeline: it may refuse, never crash nor take long.
#![no_main]

#[allow(dead_code, reason = "the fuzzer uses one way in")]
#[path = "../../src/images/mod.rs"]
mod images;

use libfuzzer_sys::fuzz_target;

fuzz_target!(
    init: {
        // The pipeline catches a panic of a decoder and refuses the picture; the fuzzer's own hook
        // would take it for a crash. What cannot be caught still ends the process.
        std::panic::set_hook(Box::new(|_| {}));
    },
    |bytes: &[u8]| {
        let answer = images::process(bytes);
        if let Ok(made) = &answer {
            assert!(made.width > 0 && made.height > 0 && !made.main.bytes.is_empty());
            assert_eq!(made.variants.len(), 2 * made.widths.len());
        }
        let sent = images::wire::encode(answer).expect("an answer that can be sent");
        assert!(images::wire::decode(&sent).is_some());
    }
);
