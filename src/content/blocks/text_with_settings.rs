//! Validates texts that contain settings: `{"text": ["Sono ", {"setting": "practitioner"}]}`.
//! Settings are JSON objects, so no typed pattern is a placeholder.

use crate::FieldType as SettingType;
pub(super) use crate::sanitize::strip_invisible;
use crate::sanitize::trim_blank;
use crate::settings::SETTINGS;
use crate::validation::is_id_of_entry;
use serde_json::{Map, Value as Json, json};

const PARTS_MAX: usize = 60;
const ALTERNATIVES_MAX: usize = 8;

pub(super) const CONTROL: &str =
    "ci sono caratteri invisibili che il sito non può mostrare: controlla e riprova";
pub(super) const NO_TEXT: &str = "deve essere un testo";
const NO_SETTING: &str = "c'è un'impostazione che il sito non conosce";
const MANY_PARTS: &str = "ci sono troppe impostazioni in un testo solo";

/// Returns the text as stored and its length in characters. `Err` is the Italian reason.
pub(super) fn validate(json: &Json, several_lines: bool) -> Result<(Json, usize), &'static str> {
    match json {
        Json::Null => Ok((json!(""), 0)),
        Json::String(raw) => {
            let clean = words(raw, several_lines)?;
            let clean = trim_blank(&clean);
            Ok((json!(clean), clean.chars().count()))
        }
        Json::Object(object) if object.len() == 1 => {
            let parts = object.get("text").and_then(Json::as_array).ok_or(NO_TEXT)?;
            let mut count = 0;
            let parts = checked_parts(parts, several_lines, true, &mut count)?;
            let kept = from_parts(&parts);
            let count = kept.as_str().map_or(count, |words| words.chars().count());
            Ok((kept, count))
        }
        _ => Err(NO_TEXT),
    }
}

fn words(raw: &str, several_lines: bool) -> Result<String, &'static str> {
    let clean = strip_invisible(raw);
    let forbidden = |c: char| c.is_control() && !(several_lines && (c == '\n' || c == '\t'));
    if clean.contains(forbidden) {
        return Err(CONTROL);
    }
    Ok(clean)
}

fn checked_parts(
    parts: &[Json],
    several_lines: bool,
    outermost: bool,
    count: &mut usize,
) -> Result<Vec<Json>, &'static str> {
    if parts.len() > PARTS_MAX {
        return Err(MANY_PARTS);
    }
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Json::String(raw) => {
                let clean = words(raw, several_lines)?;
                *count += clean.chars().count();
                if !clean.is_empty() {
                    kept.push(json!(clean));
                }
            }
            Json::Object(object) if object.len() == 1 => {
                kept.push(reference(object, several_lines, outermost, count)?);
            }
            _ => return Err(NO_TEXT),
        }
    }
    Ok(kept)
}

/// Validates one non-text part: a setting, a price, the date of the last change, or alternatives,
/// of which the first with all its values is shown.
fn reference(
    object: &Map<String, Json>,
    several_lines: bool,
    outermost: bool,
    count: &mut usize,
) -> Result<Json, &'static str> {
    if let Some(name) = object.get("setting") {
        return setting(name).map(|name| json!({ "setting": name }));
    }
    if let Some(offer) = object.get("price").and_then(Json::as_str) {
        return if is_id_of_entry(offer) {
            Ok(json!({ "price": offer }))
        } else {
            Err(NO_TEXT)
        };
    }
    if let Some(until) = object.get("changed").and_then(Json::as_str) {
        let clean = words(until, false)?;
        *count += clean.chars().count();
        return Ok(json!({ "changed": clean }));
    }
    let alternatives = object.get("either").and_then(Json::as_array);
    let alternatives = alternatives.filter(|list| outermost && list.len() <= ALTERNATIVES_MAX);
    let mut kept = Vec::new();
    for alternative in alternatives.ok_or(NO_TEXT)? {
        let parts = alternative.as_array().ok_or(NO_TEXT)?;
        kept.push(Json::from(checked_parts(
            parts,
            several_lines,
            false,
            count,
        )?));
    }
    Ok(json!({ "either": kept }))
}

/// Returns the name of a known setting that holds text.
pub(super) fn setting(name: &Json) -> Result<&str, &'static str> {
    let name = name.as_str().ok_or(NO_SETTING)?;
    let is_known = SETTINGS
        .iter()
        .any(|setting| setting.field.name == name && setting.field.holds != SettingType::Picture);
    if is_known { Ok(name) } else { Err(NO_SETTING) }
}

/// Stores a text without references as a plain string.
pub(super) fn from_parts(parts: &[Json]) -> Json {
    let words: Option<String> = parts.iter().map(Json::as_str).collect();
    match words {
        Some(words) => json!(trim_blank(&words)),
        None => json!({ "text": parts }),
    }
}

/// Returns the parts of a text; a plain string is a single part.
pub(super) fn parts(text: &Json) -> Vec<Json> {
    match text.get("text").and_then(Json::as_array) {
        Some(parts) => parts.clone(),
        None => vec![text.clone()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_no_text() {
        for nothing in [
            json!("\u{200b} \u{ad}"),
            json!({ "text": ["\u{2060}", " \u{fe0f}"] }),
        ] {
            assert_eq!(validate(&nothing, false), Ok((json!(""), 0)), "{nothing}");
        }
        assert_eq!(validate(&json!("a\u{7}"), false), Err(CONTROL));
        let lines = json!("a\nb");
        assert!(validate(&lines, false).is_err() && validate(&lines, true).is_ok());
    }

    #[test]
    fn a_text_is_words_or_the_notation_and_nothing_else() {
        for typed in ["{{brand}}", "[[a||b]]", "{\"setting\":\"brand\"}"] {
            assert_eq!(validate(&json!(typed), false).unwrap().0, json!(typed));
        }
        let own = json!({ "text": ["Sono ", { "setting": "practitioner" }] });
        assert_eq!(validate(&own, false), Ok((own.clone(), 5)));
        let plain = json!({ "text": ["a", " b "] });
        assert_eq!(validate(&plain, false).unwrap().0, json!("a b"));
        let inner = json!({ "either": [[{ "either": [] }]] });
        for wrong in [
            json!(5),
            json!([]),
            json!({ "text": "a" }),
            json!({ "text": [{ "setting": "portraitImage" }] }),
            json!({ "text": [{ "setting": "unheardOf" }] }),
            json!({ "text": [{ "html": "<b>" }] }),
            json!({ "text": [inner] }),
            json!({ "text": [], "more": 1 }),
        ] {
            assert!(validate(&wrong, false).is_err(), "{wrong}");
        }
    }
}
