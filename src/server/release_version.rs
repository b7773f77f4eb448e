//! Version of a release, and the newer one that `respiro upgrade --check` announced.

use crate::errors::Result;
use respiro_db::{Reader, Writer};
use std::fmt;

/// Version of this program.
pub const CURRENT: &str = env!("CARGO_PKG_VERSION");

/// Name of the note that holds the announced version.
const NOTE: &str = "announced-release";

/// A version such as `0.2.0` or `0.2.0-rc.1`, ordered as semantic versioning orders it: a
/// pre-release comes before its release.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReleaseVersion {
    numbers: [u32; 3],
    is_final: bool,
    pre_release: Vec<Identifier>,
}

/// Part of a pre-release. Numbers come before names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Number(u32),
    Name(String),
}

impl ReleaseVersion {
    /// Returns `None` for a text that is no version.
    pub fn parse(text: &str) -> Option<Self> {
        let (numbers, pre_release) = text
            .split_once('-')
            .map_or((text, None), |(numbers, rest)| (numbers, Some(rest)));
        let mut numbers = numbers.split('.').map(number);
        let three = [numbers.next()??, numbers.next()??, numbers.next()??];
        if numbers.next().is_some() {
            return None;
        }
        let parts = pre_release.into_iter().flat_map(|rest| rest.split('.'));
        let pre_release: Option<Vec<_>> = parts.map(identifier).collect();
        let pre_release = pre_release?;
        Some(Self {
            numbers: three,
            is_final: pre_release.is_empty(),
            pre_release,
        })
    }

    /// Returns the version of this program.
    pub fn current() -> Option<Self> {
        Self::parse(CURRENT)
    }
}

/// Parses digits alone: `u32::from_str` would take a sign.
fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

fn identifier(text: &str) -> Option<Identifier> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if text.is_empty() || !text.bytes().all(is_plain) {
        return None;
    }
    Some(number(text).map_or_else(|| Identifier::Name(text.to_owned()), Identifier::Number))
}

impl fmt::Display for ReleaseVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(formatter, "{major}.{minor}.{patch}")?;
        for (index, part) in self.pre_release.iter().enumerate() {
            formatter.write_str(if index == 0 { "-" } else { "." })?;
            match part {
                Identifier::Number(number) => write!(formatter, "{number}")?,
                Identifier::Name(name) => formatter.write_str(name)?,
            }
        }
        Ok(())
    }
}

/// Stores the version that the panel announces while the running one is older.
pub fn announce(writer: &mut Writer<'_>, version: &ReleaseVersion) -> Result<()> {
    Ok(writer.put_note(NOTE, version.to_string().as_bytes())?)
}

/// Returns the announced version, if it is newer than this program.
pub fn newer_release(reader: &Reader<'_>) -> Result<Option<ReleaseVersion>> {
    let announced = reader.note(NOTE)?;
    let announced = announced.and_then(|bytes| String::from_utf8(bytes).ok());
    let announced = announced.and_then(|text| ReleaseVersion::parse(&text));
    Ok(announced.filter(|version| Some(version) > ReleaseVersion::current().as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_semver_orders_them() {
        let ordered = [
            "0.1.0-alpha",
            "0.1.0-rc.1",
            "0.1.0-rc.2",
            "0.1.0-rc.10",
            "0.1.0",
            "0.1.1",
            "0.2.0",
            "0.10.0",
            "1.0.0",
        ];
        let parsed = ordered.map(|text| ReleaseVersion::parse(text).unwrap());
        assert!(parsed.is_sorted_by(|one, two| one < two));
        assert_eq!(parsed.map(|version| version.to_string()), ordered);
        assert!(ReleaseVersion::current().is_some());
    }

    #[test]
    fn what_is_no_version_is_refused() {
        for odd in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "v1.2.3",
            "1.2.+3",
            "1.2.3-",
            "1.2.3-a..b",
            "1.2.x",
        ] {
            assert_eq!(ReleaseVersion::parse(odd), None, "{odd}");
        }
    }
}
