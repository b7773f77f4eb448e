//! Hands arbitrary bytes to the whole picture pipeline: it may refuse, never crash nor take long.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = respiro::images::process(bytes);
});
