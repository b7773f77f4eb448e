//! The form of a testimonial: parses and validates what a participant submits, and returns it with
//! the faults. The consent text that the form shows is stored with the testimonial.

use super::error::Result;
use super::messages;
use data_encoding::HEXLOWER;
use respiro_content::url::authority_of;
use respiro_content::{Changes, Settings, sanitize};
use respiro_db::testimonial_collection;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

/// Version of the consent text.
pub(super) const CONSENT_VERSION: &str = "1";
/// Length in bytes of the hash by which a submitted form names the consent text that it showed.
const KEY_BYTES: usize = 8;

/// The submitted fields, sanitized. Keeps only what the page shows again beside the faults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Form {
    pub name: String,
    pub profession: String,
    /// `1` to `5`; empty if no rating was chosen.
    pub rating: String,
    pub text: String,
    /// The key of the consent text that the participant agreed to.
    #[serde(skip)]
    pub consent: String,
}

/// Reasons to reject a form. The page has a text for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Fault {
    Name,
    NameLong,
    ProfessionLong,
    Stars,
    Body,
    BodyLong,
    /// A field contains a web address.
    Link,
    Consent,
}

impl Form {
    /// Reads the name-value pairs of a form, in any order. Ignores unknown names.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut form = Self::default();
        for (name, value) in pairs {
            match name.as_str() {
                "name" => form.name = sanitize::single_line(&value),
                "profession" => form.profession = sanitize::single_line(&value),
                "rating" => form.rating = value,
                "text" => form.text = sanitize::multi_line(&value),
                "consent" => form.consent = value,
                _ => {}
            }
        }
        if !matches!(form.rating.as_str(), "1" | "2" | "3" | "4" | "5") {
            form.rating.clear();
        }
        form
    }

    /// Returns the maximum length of each field, in characters.
    pub fn longest() -> Json {
        let max = |name| testimonial_collection().map_or(0, |kind| kind.characters_max(name));
        json!({
            "name": max("name"),
            "profession": max("profession"),
            "text": max("testimonial"),
        })
    }

    /// Returns all faults, in the order of the page's fields.
    pub fn faults(&self, consent: &Consent) -> Result<Vec<Fault>> {
        let kind = testimonial_collection()?;
        let is_long = |text: &str, name| text.chars().count() > kind.characters_max(name);
        let has_link = [&self.name, &self.profession, &self.text]
            .into_iter()
            .any(|text| names_address(text));
        let checks = [
            (self.name.is_empty(), Fault::Name),
            (is_long(&self.name, "name"), Fault::NameLong),
            (
                is_long(&self.profession, "profession"),
                Fault::ProfessionLong,
            ),
            (self.rating.is_empty(), Fault::Stars),
            (self.text.is_empty(), Fault::Body),
            (is_long(&self.text, "testimonial"), Fault::BodyLong),
            (has_link, Fault::Link),
            (self.consent != consent.key, Fault::Consent),
        ];
        let wrong = checks.into_iter().filter(|(is_wrong, _)| *is_wrong);
        Ok(wrong.map(|(_, fault)| fault).collect())
    }

    /// Returns the fields as an unpublished testimonial.
    pub fn changes(&self) -> Result<Changes> {
        let mut body = Map::new();
        body.insert("name".to_owned(), json!(self.name));
        body.insert("profession".to_owned(), json!(self.profession));
        body.insert("rating".to_owned(), json!(self.rating.parse::<i64>().ok()));
        body.insert("testimonial".to_owned(), json!(self.text));
        body.insert("published".to_owned(), json!(false));
        Ok(Changes::parse(testimonial_collection()?, &body)?)
    }
}

fn names_address(text: &str) -> bool {
    let text = text.to_lowercase();
    ["http://", "https://", "www."]
        .iter()
        .any(|start| text.contains(start))
}

/// The consent text as the page shows it now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Consent {
    /// The text beside the checkbox.
    #[serde(rename = "box")]
    pub box_text: String,
    pub declaration: &'static str,
    pub elsewhere: &'static str,
    /// A hash of the text, which changes with every change of the text.
    pub key: String,
}

impl Consent {
    pub fn new(settings: &Settings, public_url: &str) -> Self {
        let host = authority_of(public_url).unwrap_or(public_url);
        let known = settings.text("practitioner").zip(settings.text("email"));
        let box_text = match known {
            Some((practitioner, email)) => messages::NAMED_BOX
                .replace("{siteHost}", host)
                .replace("{practitioner}", practitioner)
                .replace("{email}", email),
            None => messages::UNNAMED_BOX.replace("{siteHost}", host),
        };
        let mut consent = Self {
            box_text,
            declaration: messages::DECLARATION,
            elsewhere: messages::ELSEWHERE,
            key: String::new(),
        };
        let hash = Sha256::digest(consent.whole().as_bytes());
        consent.key = HEXLOWER.encode(&hash[..KEY_BYTES]);
        consent
    }

    /// Returns the whole text, as it is stored.
    pub fn whole(&self) -> String {
        [&self.box_text, self.declaration, self.elsewhere].join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn consent() -> Consent {
        Consent::new(&Settings::default(), "https://example.org")
    }

    fn form(pairs: &[(&str, &str)]) -> Form {
        Form::from_pairs(
            pairs
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned())),
        )
    }

    #[test]
    fn an_empty_form_lists_every_field_that_is_missing() {
        let faults = form(&[("rating", "6")]).faults(&consent()).unwrap();
        assert_eq!(
            faults,
            [Fault::Name, Fault::Stars, Fault::Body, Fault::Consent]
        );
    }

    #[test]
    fn line_ends_and_control_characters_of_browsers_are_made_plain() {
        let key = consent().key;
        let form = form(&[
            ("name", " Marta\u{0}\r\n B. "),
            ("rating", "5"),
            ("text", "Una riga\r\n\r\nun’altra\u{7}\r"),
            ("consent", &key),
        ]);
        assert_eq!(
            (form.name.as_str(), form.text.as_str()),
            ("Marta B.", "Una riga\n\nun’altra")
        );
        assert!(form.faults(&consent()).unwrap().is_empty());
        assert!(form.changes().is_ok());
    }

    #[test]
    fn what_is_too_long_by_one_letter_or_advertises_is_refused() {
        let key = consent().key;
        let of = |name: &str, text: &str| {
            form(&[
                ("name", name),
                ("profession", "Insegnante"),
                ("rating", "1"),
                ("text", text),
                ("consent", &key),
            ])
            .faults(&consent())
            .unwrap()
        };
        assert!(of(&"è".repeat(200), &"ù".repeat(5_000)).is_empty());
        assert_eq!(of(&"è".repeat(201), "x"), [Fault::NameLong]);
        assert_eq!(of("Marta", &"ù".repeat(5_001)), [Fault::BodyLong]);
        assert_eq!(of("Marta", "vedi HTTPS://esempio.it"), [Fault::Link]);
        assert_eq!(of("WWW.esempio.it", "x"), [Fault::Link]);
    }

    #[test]
    fn a_text_of_consent_that_changed_meanwhile_is_asked_again() {
        let mut form = form(&[("name", "M"), ("rating", "5"), ("text", "x")]);
        form.consent = consent().key;
        let other = Consent::new(&Settings::default(), "https://example.com");
        assert_eq!(form.faults(&other).unwrap(), [Fault::Consent]);
    }
}
