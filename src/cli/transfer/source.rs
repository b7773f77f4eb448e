//! JSON that knows where it stands in its file, and what is wrong with it.

use crate::content::validation::is_id;
use crate::content::{Kind, Timestamp, kind_by_slug, time};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// Problems that are listed; a file with more is not ours.
const PROBLEMS_MAX: usize = 100;

/// A file's text, and what was found wrong in it.
pub struct Source<'a> {
    name: &'a str,
    text: &'a str,
    problems: Vec<String>,
}

/// An object's members, as they are written.
pub type Members<'a> = BTreeMap<String, &'a RawValue>;

impl<'a> Source<'a> {
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self {
            name,
            text,
            problems: Vec::new(),
        }
    }

    /// The whole file as one object.
    pub fn members(&self) -> Result<Members<'a>, serde_json::Error> {
        serde_json::from_str(self.text)
    }

    /// Notes a problem of the field `field`, whose value stands at `part` of the file.
    pub fn problem(&mut self, part: &str, field: &str, message: &str) {
        if self.problems.len() < PROBLEMS_MAX {
            let line = self.line_of(part);
            self.problems
                .push(format!("{}:{line}: {field}: {message}", self.name));
        }
    }

    /// The line on which a part of the file begins.
    fn line_of(&self, part: &str) -> usize {
        let offset = part
            .as_ptr()
            .addr()
            .saturating_sub(self.text.as_ptr().addr());
        let before = self.text.as_bytes().iter().take(offset);
        1 + before.filter(|byte| **byte == b'\n').count()
    }

    /// What was wrong, or that nothing was.
    pub fn finish(self) -> Result<(), Vec<String>> {
        if self.problems.is_empty() {
            Ok(())
        } else {
            Err(self.problems)
        }
    }

    pub fn object(&mut self, part: &'a RawValue, field: &str) -> Members<'a> {
        self.parsed(part, field, "is no object")
    }

    pub fn list(&mut self, part: &'a RawValue, field: &str) -> Vec<&'a RawValue> {
        self.parsed(part, field, "is no list")
    }

    /// A value of the type asked for; its default when it is another, which is noted.
    pub fn parsed<T: serde::Deserialize<'a> + Default>(
        &mut self,
        part: &'a RawValue,
        field: &str,
        otherwise: &str,
    ) -> T {
        serde_json::from_str(part.get()).unwrap_or_else(|_| {
            self.problem(part.get(), field, otherwise);
            T::default()
        })
    }

    /// The members as values, for checks that need no places.
    pub fn values(members: &Members<'_>) -> Map<String, Json> {
        let value = |part: &RawValue| serde_json::from_str(part.get()).unwrap_or_default();
        members
            .iter()
            .map(|(name, part)| (name.clone(), value(part)))
            .collect()
    }
}

pub(super) fn id<'a>(
    source: &mut Source<'a>,
    whole: &'a RawValue,
    members: &Members<'a>,
    place: &str,
) -> Option<String> {
    let part = members.get("id").copied().unwrap_or(whole);
    let id: String = serde_json::from_str(part.get()).unwrap_or_default();
    if is_id(&id) {
        return Some(id);
    }
    let message = "must be 26 characters out of a-z and 2-7";
    source.problem(part.get(), &format!("{place}.id"), message);
    None
}

/// A moment, when there is one; noted when it is none.
pub(super) fn instant<'a>(
    source: &mut Source<'a>,
    members: &Members<'a>,
    place: &str,
    name: &str,
) -> Option<Timestamp> {
    let part = members.get(name).filter(|part| part.get() != "null")?;
    let text: String = serde_json::from_str(part.get()).unwrap_or_default();
    let read = time::parse_rfc3339(&text);
    if read.is_none() {
        source.problem(
            part.get(),
            &format!("{place}.{name}"),
            "is no RFC 3339 time",
        );
    }
    read
}

pub(super) fn kind_of<'a>(
    source: &mut Source<'a>,
    whole: &'a RawValue,
    members: &Members<'a>,
    place: &str,
) -> Option<&'static Kind> {
    let part = members.get("kind").copied().unwrap_or(whole);
    let slug: String = serde_json::from_str(part.get()).unwrap_or_default();
    let kind = kind_by_slug(&slug);
    if kind.is_none() {
        let message = "is a kind that this version does not know";
        source.problem(part.get(), &format!("{place}.kind"), message);
    }
    kind
}

/// Where a word first stands in a part of the file.
pub(super) fn place_of<'a>(part: &'a str, word: &str) -> &'a str {
    part.find(word)
        .and_then(|at| part.get(at..))
        .unwrap_or(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_file_line_and_field() {
        let text = "{\n \"a\": 1,\n\n \"b\": [true,\n  {\"c\": null}]\n}";
        let mut source = Source::new("x.json", text);
        let members = source.members().unwrap();
        let list = source.list(members["b"], "b");
        let object = source.object(list[1], "b[1]");
        source.problem(object["c"].get(), "b[1].c", "is empty");
        source.object(list[0], "b[0]");
        let problems = source.finish().unwrap_err();
        assert_eq!(
            problems,
            ["x.json:5: b[1].c: is empty", "x.json:4: b[0]: is no object"]
        );
    }
}
