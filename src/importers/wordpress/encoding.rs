//! Reads an export as UTF-8: decodes its declared encoding, and bytes that are not UTF-8 as
//! Windows-1252.

use encoding_rs::{Decoder, Encoding, UTF_8, WINDOWS_1252};
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

const PART_BYTES: usize = 64 * 1024;
/// Longest XML declaration that is searched for an encoding.
const DECLARATION_BYTES_MAX: usize = 256;
/// Most offsets that are kept at a time. Only whether an entry has one counts.
const STRAYS_MAX: usize = 2 * PART_BYTES;

/// Reader of UTF-8 text over bytes in another encoding.
pub struct Utf8Reader<R> {
    source: R,
    /// `None` for UTF-8.
    decoder: Option<Decoder>,
    /// Bytes that are not decoded yet: the beginning of a character.
    rest: Vec<u8>,
    text: String,
    /// Number of bytes of `text` that the caller has consumed.
    consumed: usize,
    /// Number of bytes decoded before `text`.
    position: u64,
    /// Offsets in the decoded text of bytes that were not UTF-8.
    strays: VecDeque<u64>,
    is_ended: bool,
}

impl<R: Read> Utf8Reader<R> {
    pub fn new(mut source: R) -> io::Result<Self> {
        let mut rest = Vec::new();
        source
            .by_ref()
            .take(PART_BYTES as u64)
            .read_to_end(&mut rest)?;
        let is_ended = rest.len() < PART_BYTES;
        let encoding = match Encoding::for_bom(&rest) {
            Some((encoding, length)) => {
                rest.drain(..length);
                encoding
            }
            None => declared(&rest).unwrap_or(UTF_8),
        };
        let mut reader = Self {
            source,
            decoder: (encoding != UTF_8).then(|| encoding.new_decoder_without_bom_handling()),
            rest: Vec::new(),
            text: String::new(),
            consumed: 0,
            position: 0,
            strays: VecDeque::new(),
            is_ended,
        };
        reader.decode(&rest);
        Ok(reader)
    }

    /// Removes the stray bytes before this offset of the text. Returns whether there were any.
    pub fn take_strays(&mut self, position: u64) -> bool {
        let count = self.strays.partition_point(|stray| *stray < position);
        self.strays.drain(..count).next().is_some()
    }

    fn decode(&mut self, bytes: &[u8]) {
        self.position += self.text.len() as u64;
        self.text.clear();
        self.consumed = 0;
        if let Some(decoder) = &mut self.decoder {
            let most = decoder.max_utf8_buffer_length(bytes.len());
            self.text.reserve(most.unwrap_or_default());
            let _ = decoder.decode_to_string(bytes, &mut self.text, self.is_ended);
            return;
        }
        let mut rest = std::mem::take(&mut self.rest);
        rest.extend_from_slice(bytes);
        let mut bytes = rest.as_slice();
        while let Err(error) = std::str::from_utf8(bytes) {
            let (valid, others) = bytes.split_at(error.valid_up_to());
            self.text.push_str(&String::from_utf8_lossy(valid));
            let length = match error.error_len() {
                Some(length) => length,
                None if self.is_ended => others.len(),
                None => {
                    self.rest = others.to_vec();
                    return;
                }
            };
            if self.strays.len() < STRAYS_MAX {
                let offset = self.position + self.text.len() as u64;
                self.strays.push_back(offset);
            }
            let (stray, after) = others.split_at(length);
            let (decoded, _) = WINDOWS_1252.decode_without_bom_handling(stray);
            self.text.push_str(&decoded);
            bytes = after;
        }
        self.text.push_str(&String::from_utf8_lossy(bytes));
    }
}

impl<R: Read> BufRead for Utf8Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.consumed == self.text.len() && !self.is_ended {
            let mut bytes = vec![0; PART_BYTES];
            let length = match self.source.read(&mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            self.is_ended = length == 0;
            self.decode(&bytes[..length]);
        }
        Ok(&self.text.as_bytes()[self.consumed..])
    }

    fn consume(&mut self, amount: usize) {
        self.consumed = (self.consumed + amount).min(self.text.len());
    }
}

impl<R: Read> Read for Utf8Reader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

/// Returns the encoding that the XML declaration names. A declaration of UTF-16 that is readable as
/// ASCII is wrong.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(DECLARATION_BYTES_MAX)];
    let head = String::from_utf8_lossy(head);
    let declaration = head.trim_start().strip_prefix("<?xml")?;
    let declaration = declaration.split("?>").next()?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let label = value[1..].split(quote).next()?;
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time, so that characters are split between reads.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(into.len()).min(1);
            into[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    fn text_of(bytes: &[u8]) -> (String, bool) {
        let mut reader = Utf8Reader::new(Slow(bytes)).unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        let has_strays = reader.take_strays(u64::MAX);
        (text, has_strays)
    }

    #[test]
    fn declared_encodings_are_decoded_and_stray_bytes_are_windows_1252() {
        let latin = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>perch\xe9 \x80";
        let latin9 = b"<?xml encoding='iso-8859-15' ?>\xa4";
        let utf16: Vec<u8> = "\u{feff}<a>è"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (bytes, ending, has_strays) in [
            (&latin[..], "perché €", false),
            (latin9, "€", false),
            (&utf16, "<a>è", false),
            ("\u{feff}è".as_bytes(), "è", false),
            ("<?xml encoding=\"UTF-16\"?>è".as_bytes(), "è", false),
            ("<?xml encoding=\"nessuna\"?>è".as_bytes(), "è", false),
            (b"a\xe8 \xe2\x80\x99b\x93c\x94", "aè ’b“c”", true),
            (b"perch\xc3", "perchÃ", true),
            (b"", "", false),
        ] {
            let (text, found) = text_of(bytes);
            assert!(text.ends_with(ending), "{text}");
            assert_eq!(found, has_strays, "{text}");
        }
    }

    #[test]
    fn stray_bytes_belong_to_a_place_in_the_text() {
        let mut bytes = "è".repeat(PART_BYTES).into_bytes();
        bytes.extend_from_slice(b"\xe8");
        bytes.extend_from_slice("è".repeat(PART_BYTES).as_bytes());
        let mut reader = Utf8Reader::new(bytes.as_slice()).unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "è".repeat(2 * PART_BYTES + 1));
        let place = 2 * PART_BYTES as u64;
        assert!(!reader.take_strays(place));
        assert!(reader.take_strays(place + 1));
        assert!(!reader.take_strays(u64::MAX));
    }
}
