//! Validates a picture of a block and its alternative text.

use super::text_with_settings;
use super::validation::{Strictness, Validator, integer, members};
use crate::validation::is_id;
use crate::value::UPLOAD_PREFIX;
use serde_json::{Value as Json, json};

const ALTERNATIVE: &str = "Testo alternativo";
const ALTERNATIVE_MAX: usize = 300;

impl Validator<'_> {
    /// Returns the picture as stored, `None` when unusable. Errors of the alternative text are
    /// reported here.
    pub(super) fn picture(&mut self, json: &Json, at: &str) -> Option<Json> {
        if json.is_null() {
            return Some(Json::Null);
        }
        let object = members(json, &["path", "alt", "decorative", "focusX", "focusY"])?;
        let path = object.get("path")?.as_str()?;
        if !path.strip_prefix(UPLOAD_PREFIX).is_some_and(is_id) {
            return None;
        }
        let percent = |name: &str| match object.get(name) {
            None | Some(Json::Null) => Some(json!(50)),
            Some(number) => integer(number, 0, 100),
        };
        let decorative = object
            .get("decorative")
            .map_or(Some(false), Json::as_bool)?;
        let alt = match object.get("alt") {
            None | Some(Json::Null) => Json::Null,
            Some(alt) => self.alternative(alt.as_str()?, at),
        };
        Some(json!({
            "path": path,
            "alt": alt,
            "decorative": decorative,
            "focusX": percent("focusX")?,
            "focusY": percent("focusY")?,
        }))
    }

    /// Reports errors at the path of the alternative text. An error at the picture made users
    /// upload the picture again, without effect.
    fn alternative(&mut self, words: &str, at: &str) -> Json {
        let at = format!("{at}.alt");
        match text_with_settings::validate(&json!(words), false) {
            Err(problem) => {
                self.refuse(&at, ALTERNATIVE, problem);
                Json::Null
            }
            Ok((kept, count)) => {
                if count > ALTERNATIVE_MAX && self.care != Strictness::Draft {
                    let problem =
                        format!("ci sono {count} caratteri, il massimo è {ALTERNATIVE_MAX}");
                    self.refuse(&at, ALTERNATIVE, &problem);
                }
                kept
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BlockDefinition, validate};
    use super::*;
    use crate::FieldError;

    /// Regression: a long alternative text was reported as an unusable picture.
    #[test]
    fn words_of_a_picture_that_are_too_long_are_named_with_their_number() {
        let definition: BlockDefinition = serde_json::from_value(json!({
            "id": "a", "label": "A", "pages": [], "default": {}, "hideable": false, "fields": [
                { "name": "picture", "label": "Immagine", "type": "picture" }
            ]
        }))
        .unwrap();
        let checked = |alt: String, care| {
            let path = format!("{UPLOAD_PREFIX}{}", "a".repeat(26));
            let value = json!({ "picture": { "path": path, "alt": alt } });
            validate(&definition, &value, care, &mut || None)
        };
        let problem = "«Testo alternativo»: ci sono 360 caratteri, il massimo è 300";
        let refused = vec![FieldError::new("picture.alt", problem)];
        assert_eq!(
            checked("è".repeat(360), Strictness::Published),
            Err(refused)
        );
        assert!(checked("è".repeat(360), Strictness::Draft).is_ok());
        assert!(checked("è".repeat(300), Strictness::Published).is_ok());
        let unseen = checked("a\u{7}".to_owned(), Strictness::Draft).unwrap_err();
        assert_eq!(unseen[0].field, "picture.alt");
    }
}
