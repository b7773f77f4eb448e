//! Reads a JSON file value by value and reports problems with file, line and field.

use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use serde_path_to_error::{Segment, Track};
use std::collections::BTreeMap;

/// Deserializes from a JSON value and records the path of the first error.
type Tracked<'track, 'json> = serde_path_to_error::Deserializer<'track, 'json, Json>;

/// Problems that are listed; later ones are dropped.
const PROBLEMS_MAX: usize = 100;

/// A value as the file spells it, and its path, such as `sendings[3].waiting`.
#[derive(Clone)]
pub struct SpannedJson<'a> {
    raw: &'a RawValue,
    pub path: String,
}

impl<'a> SpannedJson<'a> {
    /// The whole file as one value.
    pub fn parse(text: &'a str) -> serde_json::Result<Self> {
        let raw = serde_json::from_str(text)?;
        let path = String::new();
        Ok(Self { raw, path })
    }

    pub fn text(&self) -> &'a str {
        self.raw.get()
    }

    /// The value of a member, unless it is missing or `null`.
    pub fn get(&self, name: &str) -> Option<Self> {
        let raw = self.raw_members().ok()?.get(name).copied();
        let raw = raw.filter(|raw| raw.get() != "null")?;
        Some(self.member(name, raw))
    }

    /// Where a problem of a member is reported: at the object if the member is missing.
    pub fn field(&self, name: &str) -> Self {
        let members = self.raw_members().unwrap_or_default();
        self.member(name, members.get(name).copied().unwrap_or(self.raw))
    }

    fn element(&self, number: usize) -> Self {
        let elements = self.raw_elements().unwrap_or_default();
        self.numbered(number, elements.get(number).copied().unwrap_or(self.raw))
    }

    /// The members by name; of a name that occurs twice, the last.
    fn raw_members(&self) -> serde_json::Result<BTreeMap<String, &'a RawValue>> {
        serde_json::from_str(self.text())
    }

    fn raw_elements(&self) -> serde_json::Result<Vec<&'a RawValue>> {
        serde_json::from_str(self.text())
    }

    fn member(&self, name: &str, raw: &'a RawValue) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{name}", self.path);
        Self { raw, path }
    }

    fn numbered(&self, number: usize, raw: &'a RawValue) -> Self {
        let path = format!("{}[{number}]", self.path);
        Self { raw, path }
    }
}

/// The problems of a file.
pub struct Problems<'a> {
    file_name: &'a str,
    text: &'a str,
    lines: Vec<String>,
}

impl<'a> Problems<'a> {
    pub const fn new(file_name: &'a str, text: &'a str) -> Self {
        Self {
            file_name,
            text,
            lines: Vec::new(),
        }
    }

    /// Adds a problem of a value, with the line on which the value begins.
    pub fn add(&mut self, json: &SpannedJson<'a>, message: &str) {
        self.add_at(json.text(), &json.path, message);
    }

    /// Adds a problem of a value at the first occurrence of `word` in it.
    pub fn add_at_word(&mut self, json: &SpannedJson<'a>, word: &str, message: &str) {
        let text = json.text();
        let found = text.find(word).and_then(|offset| text.get(offset..));
        self.add_at(found.unwrap_or(text), &json.path, message);
    }

    fn add_at(&mut self, part: &str, path: &str, message: &str) {
        if self.lines.len() < PROBLEMS_MAX {
            let (part, start) = (part.as_ptr().addr(), self.text.as_ptr().addr());
            let before = self.text.bytes().take(part.saturating_sub(start));
            let line = 1 + before.filter(|byte| *byte == b'\n').count();
            let file_name = self.file_name;
            self.lines
                .push(format!("{file_name}:{line}: {path}: {message}"));
        }
    }

    /// Fails with all problems, if there are any.
    pub fn finish(self) -> Result<(), Vec<String>> {
        if self.lines.is_empty() {
            Ok(())
        } else {
            Err(self.lines)
        }
    }

    pub fn members(&mut self, json: &SpannedJson<'a>) -> BTreeMap<String, SpannedJson<'a>> {
        let members = json.raw_members().unwrap_or_else(|_| {
            self.add(json, "is no object");
            BTreeMap::new()
        });
        let member = |(name, raw): (String, &'a RawValue)| {
            let json = json.member(&name, raw);
            (name, json)
        };
        members.into_iter().map(member).collect()
    }

    pub fn list(&mut self, json: &SpannedJson<'a>) -> Vec<SpannedJson<'a>> {
        let elements = json.raw_elements().unwrap_or_else(|_| {
            self.add(json, "is no list");
            Vec::new()
        });
        let elements = elements.into_iter().enumerate();
        elements
            .map(|(number, raw)| json.numbered(number, raw))
            .collect()
    }

    pub fn value<T: DeserializeOwned>(&mut self, json: &SpannedJson<'a>) -> Option<T> {
        self.record(json, |tracked| T::deserialize(tracked))
    }

    /// Deserializes a record by itself, so that one bad record does not hide the problems of
    /// others. Duplicate members do not fail: the last counts.
    pub fn record<T>(
        &mut self,
        json: &SpannedJson<'a>,
        read: impl FnOnce(Tracked<'_, '_>) -> serde_json::Result<T>,
    ) -> Option<T> {
        let mut track = Track::new();
        let value = serde_json::from_str(json.text());
        let record =
            value.and_then(|value| read(serde_path_to_error::Deserializer::new(value, &mut track)));
        record
            .map_err(|error| {
                let mut place = json.clone();
                for segment in &track.path() {
                    place = match segment {
                        Segment::Map { key } => place.field(key),
                        Segment::Seq { index } => place.element(*index),
                        _ => break,
                    };
                }
                self.add(&place, &error.to_string());
            })
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_file_line_and_field() {
        let text = "{\n \"a\": 1,\n\n \"b\": [true,\n  {\"c\": null}]\n}";
        let mut problems = Problems::new("x.json", text);
        let root = SpannedJson::parse(text).unwrap();
        let list = problems.list(&root.field("b"));
        problems.add(&list[1].field("c"), "is empty");
        problems.members(&list[0]);
        let problems = problems.finish().unwrap_err();
        assert_eq!(
            problems,
            ["x.json:5: b[1].c: is empty", "x.json:4: b[0]: is no object"]
        );
    }

    #[test]
    fn a_record_is_read_with_its_last_duplicate_and_reports_where_it_is_wrong() {
        let text = "{\"a\": [1,\n 2], \"a\": [1,\n 2,\n -3],\n \"b\": [4], \"b\": [5]}";
        let mut problems = Problems::new("x.json", text);
        let root = SpannedJson::parse(text).unwrap();
        assert_eq!(problems.value(&root.field("b")), Some(vec![5]));
        assert_eq!(problems.value::<BTreeMap<String, Vec<u8>>>(&root), None);
        let problems = problems.finish().unwrap_err();
        assert!(
            problems[0].starts_with("x.json:4: a[2]: invalid value"),
            "{problems:?}"
        );
    }
}
