//! Encodes stored records: one format byte, then bincode. The only place that does.

use bincode::config::{self, Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};

/// First byte of every record. Another record layout gets another byte.
const FORMAT: u8 = 1;
/// Largest record in bytes: a damaged length must not cause a huge allocation.
const RECORD_BYTES_MAX: usize = 16 * 1024 * 1024;

const LAYOUT: Configuration<LittleEndian, Fixint, Limit<RECORD_BYTES_MAX>> = config::standard()
    .with_fixed_int_encoding()
    .with_limit::<RECORD_BYTES_MAX>();

/// Why a record cannot be encoded or decoded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CodecError {
    #[error("empty record")]
    Empty,
    #[error("record format {0} is unknown to this version, which writes {FORMAT}")]
    UnknownFormat(u8),
    #[error("{0} bytes after the end of the record")]
    TrailingBytes(usize),
    #[error("record cannot be read: {0}")]
    Decode(#[from] bincode::error::DecodeError),
    #[error("record cannot be written: {0}")]
    Encode(#[from] bincode::error::EncodeError),
}

pub(crate) fn encode<V: Encode>(value: &V) -> Result<Vec<u8>, CodecError> {
    let mut bytes = vec![FORMAT];
    bincode::encode_into_std_write(value, &mut bytes, LAYOUT)?;
    Ok(bytes)
}

pub(crate) fn decode<V: Decode<()>>(bytes: &[u8]) -> Result<V, CodecError> {
    let (&format, record) = bytes.split_first().ok_or(CodecError::Empty)?;
    if format != FORMAT {
        return Err(CodecError::UnknownFormat(format));
    }
    let (value, used) = bincode::decode_from_slice(record, LAYOUT)?;
    match record.len() - used {
        0 => Ok(value),
        left => Err(CodecError::TrailingBytes(left)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_as_it_went_in() {
        let value = ("perché no?".to_owned(), Some(7_i64), vec![1_u8, 2, 3]);
        let bytes = encode(&value).unwrap();
        assert_eq!(bytes.first(), Some(&FORMAT));
        assert_eq!(
            decode::<(String, Option<i64>, Vec<u8>)>(&bytes).unwrap(),
            value
        );
    }

    #[test]
    fn an_unknown_format_byte_a_short_and_a_long_record_are_errors() {
        let mut bytes = encode(&42_u64).unwrap();
        bytes.push(0);
        assert!(matches!(
            decode::<u64>(&bytes),
            Err(CodecError::TrailingBytes(1))
        ));
        bytes.truncate(5);
        assert!(matches!(decode::<u64>(&bytes), Err(CodecError::Decode(_))));
        bytes[0] = 9;
        assert!(matches!(
            decode::<u64>(&bytes),
            Err(CodecError::UnknownFormat(9))
        ));
        assert!(matches!(decode::<u64>(&[]), Err(CodecError::Empty)));
    }

    #[test]
    fn a_damaged_length_is_an_error_not_an_allocation() {
        let mut bytes = vec![FORMAT];
        bytes.extend_from_slice(&u64::MAX.to_le_bytes());
        assert!(matches!(
            decode::<Vec<u8>>(&bytes),
            Err(CodecError::Decode(_))
        ));
    }
}
