//! Validates the value of a block against its definition. Every error names the path of its field.

use super::link_validation::{self, NO_LINK};
use super::{BlockDefinition, Field, FieldType, rich_text, text_with_settings};
use crate::FieldError;
use crate::validation::is_id_of_entry;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;

/// Maximum size of a block value, as JSON.
const VALUE_BYTES_MAX: usize = 96 * 1024;
const CENTS_MAX: i64 = 1_000_000_000;
const CURRENCIES: [&str; 2] = ["EUR", "CHF"];
const ERRORS_MAX: usize = 100;
/// A draft may exceed the length limit by this factor; the bound keeps the cost of a preview
/// finite.
const DRAFT_TIMES: usize = 4;

const EMPTY: &str = "manca il testo";
const NOWHERE: &str = "manca l'indirizzo";
pub const NO_AMOUNT: &str = "scrivi un importo, per esempio 95 oppure 95,50";
const NO_NUMBER: &str = "serve un numero intero";
const NO_YEAR: &str = "l'anno deve avere quattro cifre";
const NO_PICTURE: &str = "l'immagine non si può usare: caricala di nuovo";
pub(super) const NO_CHOICE: &str = "non è tra le scelte possibili";
const NO_LIST: &str = "deve essere un elenco";
const NO_OBJECT: &str = "deve essere un oggetto";
const UNKNOWN: &str = "qui non c'è un campo con questo nome";
const TWICE: &str = "la stessa voce c'è due volte";
const NO_ID: &str = "la voce ha un identificativo che non si può usare";
const TOO_LARGE: &str = "il testo è troppo pesante";

/// How strictly a value is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// For publication: every rule applies.
    Published,
    /// For a preview: texts may be missing or too long, links and years incomplete.
    Draft,
    /// For an import: the value was published before, possibly by a release with looser rules.
    Moved,
}

/// Returns the value as stored: texts sanitized, new list entries with ids from `new_id`.
pub fn validate(
    definition: &BlockDefinition,
    value: &Json,
    care: Strictness,
    new_id: &mut dyn FnMut() -> Option<String>,
) -> Result<Json, Vec<FieldError>> {
    let mut checker = Validator {
        care,
        new_id,
        errors: Vec::new(),
    };
    let label = &definition.label;
    let Some(object) = value.as_object() else {
        checker.refuse("value", label, NO_OBJECT);
        return Err(checker.errors);
    };
    let kept = Json::Object(checker.group(&definition.fields, object, "", &[]));
    if kept.to_string().len() > VALUE_BYTES_MAX {
        checker.refuse("value", label, TOO_LARGE);
    }
    if checker.errors.is_empty() {
        Ok(kept)
    } else {
        Err(checker.errors)
    }
}

pub(super) struct Validator<'a> {
    pub(super) care: Strictness,
    new_id: &'a mut dyn FnMut() -> Option<String>,
    errors: Vec<FieldError>,
}

impl Validator<'_> {
    pub(super) fn refuse(&mut self, path: &str, label: &str, problem: &str) {
        if self.errors.len() < ERRORS_MAX {
            let message = format!("«{label}»: {problem}");
            self.errors.push(FieldError::new(path, message));
        }
    }

    fn group(
        &mut self,
        fields: &[Field],
        object: &Map<String, Json>,
        at: &str,
        beside: &[&str],
    ) -> Map<String, Json> {
        for name in object.keys() {
            let is_known = fields.iter().any(|field| field.name == *name);
            if !is_known && !beside.contains(&name.as_str()) {
                let shown: String = name.chars().take(60).collect();
                self.refuse(&format!("{at}{name}"), &shown, UNKNOWN);
            }
        }
        let value = |field: &Field| object.get(&field.name).unwrap_or(&Json::Null);
        let mut kept = Map::new();
        for field in fields {
            let path = format!("{at}{}", field.name);
            kept.insert(field.name.clone(), self.value(field, value(field), &path));
        }
        kept
    }

    fn value(&mut self, field: &Field, json: &Json, path: &str) -> Json {
        let found = match &field.holds {
            FieldType::Line { max } => self.text(field, json, path, *max, false),
            FieldType::Paragraphs { max } => self.text(field, json, path, *max, true),
            FieldType::RichText { max } => self.rich(field, json, path, *max),
            FieldType::List { min, max, fields } => {
                self.list(field, json, path, (*min, *max), fields)
            }
            FieldType::Picture => self.picture(json, path).ok_or(NO_PICTURE),
            _ if json.is_null() || json.as_str() == Some("") => self.nothing(field),
            FieldType::Amount => amount(json, self.care).ok_or(NO_AMOUNT),
            FieldType::Integer { min, max } => match self.care {
                Strictness::Draft => json.as_i64().map(|number| json!(number.clamp(*min, *max))),
                Strictness::Published | Strictness::Moved => integer(json, *min, *max),
            }
            .ok_or(NO_NUMBER),
            FieldType::Year => match self.care {
                Strictness::Draft => json.as_i64().map(|year| json!(year.clamp(0, 9999))),
                Strictness::Published | Strictness::Moved => integer(json, 1000, 9999),
            }
            .ok_or(NO_YEAR),
            FieldType::Link => self.link(json),
            FieldType::Choice { choices } => match json.as_str() {
                Some(word) if choices.iter().any(|known| known == word) => Ok(json.clone()),
                _ => Err(NO_CHOICE),
            },
            FieldType::Entry { .. } => match json.as_str() {
                Some(id) if is_id_of_entry(id) => Ok(json.clone()),
                // Earlier releases stored the service as text.
                Some(_) if self.care != Strictness::Published => Ok(json!("")),
                _ => Err(NO_CHOICE),
            },
        };
        found.unwrap_or_else(|problem| {
            self.refuse(path, &field.label, problem);
            Json::Null
        })
    }

    /// The value of an empty field. A draft gets a placeholder for a required field.
    fn nothing(&self, field: &Field) -> Result<Json, &'static str> {
        if !field.required {
            return Ok(Json::Null);
        }
        match &field.holds {
            FieldType::Link if self.care != Strictness::Draft => Err(NOWHERE),
            FieldType::Entry { .. } if self.care != Strictness::Draft => Err(NO_CHOICE),
            _ if self.care != Strictness::Draft => Err(EMPTY),
            FieldType::Amount => Ok(json!({ "cents": 0, "currency": "EUR" })),
            FieldType::Integer { min, .. } => Ok(json!(min)),
            FieldType::Choice { choices } => Ok(json!(choices.first())),
            _ => Ok(json!("")),
        }
    }

    fn text(
        &mut self,
        field: &Field,
        json: &Json,
        path: &str,
        max: usize,
        several_lines: bool,
    ) -> Result<Json, &'static str> {
        let (kept, count) = text_with_settings::validate(json, several_lines)?;
        self.fits(field, path, count, max);
        self.said(field, kept)
    }

    fn said(&self, field: &Field, kept: Json) -> Result<Json, &'static str> {
        if self.care == Strictness::Draft {
            return Ok(kept);
        }
        match kept.as_str() {
            Some("") if field.required => Err(EMPTY),
            Some("") => Ok(Json::Null),
            _ => Ok(kept),
        }
    }

    /// Whether a text is within its limit; reports an error when it is not.
    fn fits(&mut self, field: &Field, path: &str, count: usize, max: usize) -> bool {
        let most = match self.care {
            Strictness::Published => max,
            Strictness::Draft => max * DRAFT_TIMES,
            // Another release counted characters differently: an import keeps published text.
            Strictness::Moved => usize::MAX,
        };
        if count > most {
            let problem = format!("ci sono {count} caratteri, il massimo è {max}");
            self.refuse(path, &field.label, &problem);
        }
        count <= most
    }

    fn rich(
        &mut self,
        field: &Field,
        json: &Json,
        path: &str,
        max: usize,
    ) -> Result<Json, &'static str> {
        let (kept, count) = text_with_settings::validate(json, true)?;
        if !self.fits(field, path, count, max) {
            return Ok(Json::Null);
        }
        let kept = rich_text::map_addresses(&kept, |address| {
            link_validation::validate(address, self.care)
        })?;
        // Count again, because country codes and rewritten links lengthen the text. A text that was
        // counted only before was rejected when it was saved again.
        let (kept, count) = text_with_settings::validate(&kept, true)?;
        self.fits(field, path, count, max);
        self.said(field, kept)
    }

    fn link(&self, json: &Json) -> Result<Json, &'static str> {
        if let Some(object) = members(json, &["setting"]) {
            let name = object.get("setting").ok_or(NO_LINK)?;
            return text_with_settings::setting(name).map(|name| json!({ "setting": name }));
        }
        let address = text_with_settings::strip_invisible(json.as_str().ok_or(NO_LINK)?);
        link_validation::validate(address.trim(), self.care).map(|address| json!(address))
    }

    fn list(
        &mut self,
        field: &Field,
        json: &Json,
        path: &str,
        (min, max): (usize, usize),
        fields: &[Field],
    ) -> Result<Json, &'static str> {
        let nothing = Vec::new();
        let entries = match json {
            Json::Null => &nothing,
            Json::Array(entries) => entries,
            _ => return Err(NO_LIST),
        };
        let count = entries.len();
        let problem = match count {
            _ if count > max => Some(format!("ci sono {count} voci, il massimo è {max}")),
            _ if count < min && self.care != Strictness::Draft => {
                Some(format!("ci sono {count} voci, il minimo è {min}"))
            }
            _ => None,
        };
        if let Some(problem) = problem {
            self.refuse(path, &field.label, &problem);
        }
        let mut ids = BTreeSet::new();
        let mut kept = Vec::new();
        for (index, entry) in entries.iter().take(max).enumerate() {
            let at = format!("{path}[{index}]");
            let Some(object) = entry.as_object() else {
                self.refuse(&at, &field.label, NO_OBJECT);
                continue;
            };
            let id = self.id(object, &at, &field.label);
            if !ids.insert(id.clone()) {
                self.refuse(&format!("{at}.id"), &field.label, TWICE);
            }
            let mut entry = self.group(fields, object, &format!("{at}."), &["id"]);
            entry.insert("id".to_owned(), json!(id));
            kept.push(Json::Object(entry));
        }
        Ok(Json::Array(kept))
    }

    fn id(&mut self, entry: &Map<String, Json>, at: &str, label: &str) -> String {
        match entry.get("id") {
            Some(Json::String(id)) if is_id_of_entry(id) => return id.clone(),
            None | Some(Json::Null) => {
                if let Some(id) = (self.new_id)() {
                    return id;
                }
            }
            Some(_) => {}
        }
        self.refuse(&format!("{at}.id"), label, NO_ID);
        at.to_owned()
    }
}

/// Returns the object if it has no members other than `known`.
pub(super) fn members<'a>(json: &'a Json, known: &[&str]) -> Option<&'a Map<String, Json>> {
    let object = json.as_object()?;
    let fits = object.keys().all(|name| known.contains(&name.as_str()));
    fits.then_some(object)
}

fn amount(json: &Json, care: Strictness) -> Option<Json> {
    let object = match care {
        // `typed` holds the unparsable input beside the last valid amount.
        Strictness::Draft => members(json, &["cents", "currency", "typed"])?,
        Strictness::Published | Strictness::Moved => members(json, &["cents", "currency"])?,
    };
    let cents = integer(object.get("cents")?, 0, CENTS_MAX)?;
    let currency = object.get("currency").map_or(Some("EUR"), Json::as_str)?;
    CURRENCIES
        .contains(&currency)
        .then(|| json!({ "cents": cents, "currency": currency }))
}

pub(super) fn integer(json: &Json, min: i64, max: i64) -> Option<Json> {
    let number = json.as_i64()?;
    (min..=max).contains(&number).then(|| json!(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: an incomplete year stopped the preview from rendering.
    #[test]
    fn a_draft_may_hold_half_a_number_and_what_is_published_may_not() {
        let definition: BlockDefinition = serde_json::from_value(json!({
            "id": "a", "label": "A", "pages": [], "default": {}, "hideable": false, "fields": [
                { "name": "since", "label": "Dal", "type": "year" },
                { "name": "minutes", "label": "Minuti", "type": "integer", "min": 10, "max": 90 }
            ]
        }))
        .unwrap();
        let typed = json!({ "since": 19, "minutes": 4 });
        let checked = |care| validate(&definition, &typed, care, &mut || None);
        let shown = json!({ "since": 19, "minutes": 10 });
        assert_eq!(checked(Strictness::Draft), Ok(shown));
        assert_eq!(checked(Strictness::Published).unwrap_err().len(), 2);
    }

    #[test]
    fn a_draft_may_hold_a_price_that_cannot_be_read_and_what_is_published_may_not() {
        let definition: BlockDefinition = serde_json::from_value(json!({
            "id": "a", "label": "A", "pages": [], "default": {}, "hideable": false, "fields": [
                { "name": "price", "label": "Prezzo", "type": "amount", "required": true }
            ]
        }))
        .unwrap();
        let typed = json!({ "cents": 9_500, "currency": "EUR", "typed": "120 forse" });
        let typed = json!({ "price": typed });
        let checked = |care| validate(&definition, &typed, care, &mut || None);
        let shown = json!({ "price": { "cents": 9_500, "currency": "EUR" } });
        assert_eq!(checked(Strictness::Draft), Ok(shown));
        assert!(checked(Strictness::Published).is_err());
        assert!(checked(Strictness::Moved).is_err());
    }

    /// Regression: a typed service name, "Sessioni di gruppo", was published in place of the entry
    /// id, and the package silently lost its saving.
    #[test]
    fn an_entry_of_another_list_is_named_by_its_id_and_in_no_other_way() {
        let definition: BlockDefinition = serde_json::from_value(json!({
            "id": "a", "label": "A", "pages": [], "default": {}, "hideable": false, "fields": [
                { "name": "offer", "label": "Servizio", "type": "entry", "of": "b:list", "required": true }
            ]
        }))
        .unwrap();
        let checked = |offer: &str, care| {
            let value = json!({ "offer": offer });
            validate(&definition, &value, care, &mut || None)
        };
        let kept = |offer: &str| Ok(json!({ "offer": offer }));
        assert_eq!(checked("group", Strictness::Published), kept("group"));
        for typed in ["Sessioni di gruppo", ""] {
            assert!(checked(typed, Strictness::Published).is_err());
            assert_eq!(checked(typed, Strictness::Draft), kept(""));
        }
    }
}
