//! Serde adapters for fields of exported records: how a value is written, and what an import
//! accepts. Exports of earlier releases and of other programs lack fields: each has a default.
#![expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes references to fields"
)]

use crate::Error;
use respiro_content::Timestamp;
use respiro_content::validation::{canonical_email, is_email_address, is_id, normalize_email};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value as Json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the time of the import. Serde calls it for a missing field, so no caller can pass it.
pub fn now() -> Timestamp {
    let elapsed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}

/// Optional RFC 3339 time.
pub mod optional_time {
    use respiro_content::{Timestamp, time};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(at: &Option<Timestamp>, out: S) -> Result<S::Ok, S::Error> {
        at.map(time::rfc3339).serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Timestamp>, D::Error> {
        let text = Option::<String>::deserialize(json)?;
        let parse = |text: String| time::parse_rfc3339(&text);
        let no_time = || D::Error::custom("is no RFC 3339 time");
        text.map(|text| parse(text).ok_or_else(no_time)).transpose()
    }
}

/// RFC 3339 time; the time of the import if it is missing.
pub mod time_or_now {
    use super::{now, optional_time};
    use respiro_content::{Timestamp, time};
    use serde::{Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(at: &Timestamp, out: S) -> Result<S::Ok, S::Error> {
        time::rfc3339(*at).serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(json: D) -> Result<Timestamp, D::Error> {
        Ok(optional_time::deserialize(json)?.unwrap_or_else(now))
    }
}

/// A collection, by its slug.
pub mod kind {
    use respiro_content::{Collection, collection_by_slug};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(kind: &&'static Collection, out: S) -> Result<S::Ok, S::Error> {
        kind.slug.serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        json: D,
    ) -> Result<&'static Collection, D::Error> {
        let kind = collection_by_slug(&String::deserialize(json)?);
        kind.ok_or_else(|| D::Error::custom("is a kind that this version does not know"))
    }
}

/// 32 bytes in hexadecimal.
pub mod hex {
    use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8; 32], out: S) -> Result<S::Ok, S::Error> {
        HEXLOWER.encode(bytes).serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(json: D) -> Result<[u8; 32], D::Error> {
        let bytes = HEXLOWER_PERMISSIVE.decode(String::deserialize(json)?.as_bytes());
        let bytes = bytes.ok().and_then(|bytes| bytes.try_into().ok());
        bytes.ok_or_else(|| D::Error::custom("is not 32 bytes in hexadecimal"))
    }
}

/// The id of a record.
#[derive(Deserialize)]
pub struct Key {
    #[serde(deserialize_with = "id")]
    pub id: String,
}

pub fn id<'de, D: Deserializer<'de>>(json: D) -> Result<String, D::Error> {
    let text = String::deserialize(json)?;
    if !is_id(&text) {
        return Err(D::Error::custom("must be 26 characters out of a-z and 2-7"));
    }
    Ok(text)
}

pub fn email_address<'de, D: Deserializer<'de>>(json: D) -> Result<String, D::Error> {
    let text = String::deserialize(json)?;
    if !is_email_address(&text) || normalize_email(&text) != text {
        return Err(D::Error::custom("is no e-mail address"));
    }
    // Exports of former releases hold accented domains.
    Ok(canonical_email(&text))
}

/// Text of at most `MAX` characters; `null` is empty.
pub fn text<'de, const MAX: usize, D: Deserializer<'de>>(json: D) -> Result<String, D::Error> {
    let text = Option::<String>::deserialize(json)?.unwrap_or_default();
    if text.chars().count() > MAX {
        return Err(D::Error::custom("is too long"));
    }
    Ok(text)
}

/// Optional text of at most `MAX` characters; empty text is `None`.
pub fn optional_text<'de, const MAX: usize, D: Deserializer<'de>>(
    json: D,
) -> Result<Option<String>, D::Error> {
    Ok(Some(text::<MAX, D>(json)?).filter(|text| !text.is_empty()))
}

/// Returns the default for a value of the wrong type, such as a count that is no number.
pub fn or_default<'de, T: DeserializeOwned + Default, D: Deserializer<'de>>(
    json: D,
) -> Result<T, D::Error> {
    let value = Json::deserialize(json)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// Merges the members of several serialized records into one JSON object.
pub fn merge<const COUNT: usize>(
    records: [serde_json::Result<Json>; COUNT],
) -> Result<Json, Error> {
    let mut members = Map::new();
    for record in records {
        match record.map_err(|error| Error::Internal(error.to_string()))? {
            Json::Object(more) => members.extend(more),
            _ => return Err(Error::Internal("a record is no object".to_owned())),
        }
    }
    Ok(members.into())
}
