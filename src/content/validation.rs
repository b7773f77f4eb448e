//! Validates one JSON value against its field. Values are parsed here once; later code trusts them.

use super::amounts;
use super::phone;
use super::sanitize;
use super::schema::{Field, FieldType, LINE_CHARACTERS_MAX, URL_CHARACTERS_MAX};
use super::time::Timestamp;
use super::value::{UPLOAD_PREFIX, Value};
use crate::FieldError;
use serde_json::Value as Json;
use std::borrow::Cow;

/// Key of the "not found" screens; `ui/src/site/routes.tsx` defines the same key.
const MISSING_KEY: &str = "404";
pub const SLUG_CHARACTERS_MAX: usize = 120;
pub const OVER: &str = "Questo momento è già passato: scegline uno dopo.";
pub const NOT_A_PRICE: &str =
    "Non riesco a leggere la cifra. Scrivi per esempio 15 oppure 15,50; in franchi 15 CHF.";

const YEAR_MILLISECONDS: i64 = 366 * 24 * 60 * 60_000;

/// Validates the time of a scheduled action: in the future and within one year.
pub fn planned(field: &str, at: Timestamp, now: Timestamp) -> Result<Timestamp, FieldError> {
    if at <= now {
        return Err(FieldError::new(field, OVER));
    }
    if at - now > YEAR_MILLISECONDS {
        return Err(FieldError::new(field, "Scegli un giorno entro un anno."));
    }
    Ok(at)
}

/// The message for a required field without a value.
pub fn required(field: &Field) -> FieldError {
    FieldError::new(
        field.name,
        format!("Il campo «{}» è obbligatorio", field.label),
    )
}

/// Returns the validated value, `None` when empty. A wrong JSON type is an error, never a
/// conversion.
pub fn value(field: &Field, json: &Json) -> Result<Option<Value>, FieldError> {
    if json.is_null() {
        return Ok(None);
    }
    match field.holds {
        FieldType::Boolean { .. } => match json.as_bool() {
            Some(boolean) => Ok(Some(Value::Boolean(boolean))),
            None => refuse(field, "deve essere vero o falso"),
        },
        FieldType::Integer { min, max, .. } => integer(field, json, min, max),
        FieldType::Count { max } => integer(field, json, 0, max),
        FieldType::Line { characters_max } | FieldType::OpenChoice { characters_max, .. } => {
            text(field, json, characters_max, false)
        }
        FieldType::Lines { characters_max } | FieldType::Markdown { characters_max } => {
            text(field, json, characters_max, true)
        }
        FieldType::Url => checked(
            field,
            text(field, json, URL_CHARACTERS_MAX, false)?.map(completed_address),
            is_web_address,
            "deve essere un indirizzo web completo, che inizi con https://",
        ),
        FieldType::Email => checked(
            field,
            text(field, json, 254, false)?,
            is_email_address,
            "non è un indirizzo e-mail valido",
        ),
        FieldType::Phone => phone_number(field, json),
        FieldType::Price => price(field, json),
        FieldType::Slug => slug(field, json),
        FieldType::Choice { words } => {
            let known = |word: &str| words.contains(&word);
            checked(
                field,
                text(field, json, LINE_CHARACTERS_MAX, false)?,
                known,
                "non è tra le scelte possibili",
            )
        }
        FieldType::Picture => picture(field, json),
    }
}

fn refuse<T>(field: &Field, reason: &str) -> Result<T, FieldError> {
    Err(FieldError::new(
        field.name,
        format!("Il campo «{}» {reason}", field.label),
    ))
}

fn integer(field: &Field, json: &Json, min: i64, max: i64) -> Result<Option<Value>, FieldError> {
    match json.as_i64() {
        Some(number) if (min..=max).contains(&number) => Ok(Some(Value::Integer(number))),
        Some(_) if field.name == "rating" => Err(FieldError::new(
            field.name,
            format!("La valutazione deve essere compresa tra {min} e {max}"),
        )),
        _ => refuse(
            field,
            &format!("deve essere un numero intero tra {min} e {max}"),
        ),
    }
}

/// Validates a text: trimmed, within its limit, with `\n` line ends. `None` when no character is
/// visible.
fn text(
    field: &Field,
    json: &Json,
    characters_max: usize,
    several_lines: bool,
) -> Result<Option<Value>, FieldError> {
    let Some(raw) = json.as_str() else {
        return refuse(field, "deve essere un testo");
    };
    let clean = match field.holds {
        FieldType::Markdown { .. } => sanitize::strip_invisible_from_markdown(raw),
        _ => sanitize::strip_invisible(raw),
    };
    let clean = sanitize::trim_blank(&clean);
    let forbidden = |c: char| c.is_control() && !(several_lines && (c == '\n' || c == '\t'));
    if clean.chars().any(forbidden) {
        return refuse(field, "contiene caratteri non ammessi");
    }
    if clean.chars().count() > characters_max {
        return refuse(
            field,
            &format!("è troppo lungo (massimo {characters_max} caratteri)"),
        );
    }
    Ok((!clean.is_empty()).then(|| Value::Text(clean.to_owned())))
}

fn checked(
    field: &Field,
    value: Option<Value>,
    test: impl Fn(&str) -> bool,
    reason: &str,
) -> Result<Option<Value>, FieldError> {
    match &value {
        Some(Value::Text(written)) if !test(written) => refuse(field, reason),
        _ => Ok(value),
    }
}

/// Validates a slug. The key of the "not found" screens is reserved.
fn slug(field: &Field, json: &Json) -> Result<Option<Value>, FieldError> {
    let value = checked(
        field,
        text(field, json, SLUG_CHARACTERS_MAX, false)?,
        is_slug,
        "può contenere solo lettere minuscole senza accenti, cifre e trattini",
    )?;
    let reason =
        format!("non può essere «{MISSING_KEY}»: è riservato alle pagine che non esistono");
    checked(field, value, |written| written != MISSING_KEY, &reason)
}

/// Parses a telephone number into E.164.
fn phone_number(field: &Field, json: &Json) -> Result<Option<Value>, FieldError> {
    let Some(Value::Text(written)) = text(field, json, LINE_CHARACTERS_MAX, false)? else {
        return Ok(None);
    };
    match phone::read(&written) {
        Ok(number) => Ok(Some(Value::Text(number))),
        Err(unread) => match unread.question() {
            Some(question) => Err(FieldError::new(field.name, question)),
            None => refuse(field, phone::NOT_A_NUMBER),
        },
    }
}

/// Normalizes a price to its stored form.
fn price(field: &Field, json: &Json) -> Result<Option<Value>, FieldError> {
    let Some(Value::Text(written)) = text(field, json, LINE_CHARACTERS_MAX, false)? else {
        return Ok(None);
    };
    match amounts::normalized(&written) {
        Some(price) => Ok(Some(Value::Text(price))),
        None => Err(FieldError::new(field.name, NOT_A_PRICE)),
    }
}

/// Extracts the upload id from its path. The store checks that the upload exists.
fn picture(field: &Field, json: &Json) -> Result<Option<Value>, FieldError> {
    let Some(path) = json.as_str() else {
        return refuse(field, "deve essere un testo");
    };
    if path.trim().is_empty() {
        return Ok(None);
    }
    match path.strip_prefix(UPLOAD_PREFIX) {
        Some(id) if is_id(id) => Ok(Some(Value::Picture(id.to_owned()))),
        _ => refuse(field, "deve essere il percorso di un'immagine caricata"),
    }
}

/// Whether the text is an item or upload id: 26 characters of lower-case base 32. Clients treat ids
/// as opaque.
pub fn is_id(text: &str) -> bool {
    text.len() == 26
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || (b'2'..=b'7').contains(&b))
}

/// Whether the text is a valid id of a list entry in a content block. The id is also an HTML
/// anchor.
pub fn is_id_of_entry(text: &str) -> bool {
    (1..=40).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

fn is_slug(text: &str) -> bool {
    text.split('-').all(|part| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    })
}

fn completed_address(value: Value) -> Value {
    match value {
        Value::Text(text) => Value::Text(complete_web_address(&text)),
        other => other,
    }
}

/// Adds a missing `https://` and lower-cases the URL scheme: phone keyboards produce `HTTPS://…`,
/// and pages match lower case only. `ui/src/lib/web-address.ts` has the same rule.
pub fn complete_web_address(text: &str) -> String {
    match text.split_once("://") {
        Some((scheme, rest)) => format!("{}://{rest}", scheme.to_ascii_lowercase()),
        None if is_host_with_path(text) => format!("https://{text}"),
        None => text.to_owned(),
    }
}

/// Whether the text begins with a host that has a top-level domain. `www.` and one label is an
/// unfinished host.
fn is_host_with_path(text: &str) -> bool {
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = authority.split_once(':').unwrap_or((authority, "0"));
    let is_sign = |c: char| c.is_alphabetic() || c.is_ascii_digit();
    let is_label = |label: &str| {
        label.starts_with(is_sign)
            && label.ends_with(is_sign)
            && label.chars().all(|c| is_sign(c) || c == '-')
    };
    let Some((labels, top)) = host.rsplit_once('.') else {
        return false;
    };
    !text.contains(char::is_whitespace)
        && !port.is_empty()
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && labels.split('.').all(is_label)
        && !labels.eq_ignore_ascii_case("www")
        && top.chars().count() > 1
        && top.chars().all(char::is_alphabetic)
}

/// Whether the text is a whole `http` or `https` address with a host, without user name.
pub fn is_web_address(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let Some(rest) = rest else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
    !name.is_empty()
        && !host.contains('@')
        && is_port
        && (port.is_empty() || port.parse::<u16>().is_ok())
        && !text.contains(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\\'))
}

/// Whether the text is a plausible e-mail address: one `@`, a dotted domain, no spaces (RFC 5321
/// lengths).
pub fn is_email_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let clean = |c: char| !c.is_whitespace() && !c.is_control() && !"<>()[],;:\\\"@".contains(c);
    (1..=64).contains(&local.len())
        && text.len() <= 254
        && local.chars().all(clean)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && domain
            .rsplit_once('.')
            .is_some_and(|(_, top)| is_top_level(top))
        && domain.split('.').all(|label| {
            !label.is_empty()
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_alphanumeric() || c == '-')
        })
}

/// Returns the form in which the accounts of the panel are compared: lower case, without
/// surrounding spaces.
pub fn normalize_email(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Returns the form in which newsletter addresses are stored and compared: as `normalize_email`,
/// with the domain in ASCII.
pub fn canonical_email(email: &str) -> String {
    with_ascii_domain(&normalize_email(email))
}

/// Returns the address with its domain in ASCII, as mail servers know it.
pub fn with_ascii_domain(email: &str) -> String {
    match email.rsplit_once('@') {
        Some((local, domain)) => format!("{local}@{}", ascii_domain(domain)),
        None => email.to_owned(),
    }
}

/// Returns a domain as people write it: `perché.it` for `xn--perch-fsa.it`. What does not decode
/// stays as it is.
pub fn unicode_domain(domain: &str) -> Cow<'_, str> {
    if !domain.contains("xn--") {
        return Cow::Borrowed(domain);
    }
    match idna::domain_to_unicode(domain) {
        (decoded, Ok(())) => Cow::Owned(decoded),
        (_, Err(_)) => Cow::Borrowed(domain),
    }
}

/// Returns a domain in ASCII: `xn--perch-fsa.it` for `perché.it` (UTS 46). What is no domain stays
/// as it is.
pub fn ascii_domain(domain: &str) -> Cow<'_, str> {
    if domain.is_ascii() {
        return Cow::Borrowed(domain);
    }
    idna::domain_to_ascii(domain).map_or(Cow::Borrowed(domain), Cow::Owned)
}

/// Whether the last label can be a top-level domain: two characters or more, not a number.
fn is_top_level(label: &str) -> bool {
    label.chars().count() > 1 && !label.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether every mail server accepts the address, with its domain in ASCII: no other letters, no
/// quoting, no consecutive dots.
pub fn is_reachable(address: &str) -> bool {
    let address = with_ascii_domain(address);
    address.is_ascii() && is_email_address(&address) && !address.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn field(holds: FieldType) -> Field {
        Field::optional("title", "Titolo", holds)
    }

    #[test]
    fn a_price_is_stored_in_one_form_and_never_a_guess() {
        let read = |text: &str| value(&field(FieldType::Price), &json!(text));
        for (written, kept) in [
            (" € 15,00 ", "15"),
            ("1.200", "1200"),
            ("chf 0120,5", "120,50 CHF"),
            ("offerta libera", "offerta libera"),
        ] {
            let kept = Some(Value::Text(kept.to_owned()));
            assert_eq!(read(written), Ok(kept), "{written}");
        }
        assert_eq!(read("15,0,0").unwrap_err().message, NOT_A_PRICE);
        assert_eq!(read("").unwrap(), None);
    }

    #[test]
    fn text_is_trimmed_and_empty_text_is_no_value() {
        let line = field(FieldType::Line { characters_max: 5 });
        assert_eq!(
            value(&line, &json!("  ab ")),
            Ok(Some(Value::Text("ab".to_owned())))
        );
        assert_eq!(value(&line, &json!("   ")), Ok(None));
        assert_eq!(value(&line, &json!(null)), Ok(None));
    }

    /// Regression: an event whose title had only invisible characters was published.
    #[test]
    fn what_nobody_sees_is_no_value() {
        let line = field(FieldType::Line { characters_max: 9 });
        let lines = field(FieldType::Lines { characters_max: 9 });
        let markdown = field(FieldType::Markdown { characters_max: 9 });
        for field in [&line, &lines, &markdown] {
            let read = |text: &str| value(field, &json!(text)).unwrap();
            assert_eq!(read("\u{200b}\u{2060} \u{ad}"), None);
            let seen = Some(Value::Text("Ciao".to_owned()));
            assert_eq!(read("\u{202e}Ci\u{feff}ao\u{ffff}"), seen);
        }
        let joint = "**a**\u{200b}*b*";
        let kept = value(&markdown, &json!(joint));
        assert_eq!(kept, Ok(Some(Value::Text(joint.to_owned()))));
    }

    #[test]
    fn limits_count_characters_and_control_characters_are_refused() {
        let line = field(FieldType::Line { characters_max: 5 });
        assert!(value(&line, &json!("perché")).is_err());
        assert!(value(&line, &json!("però!")).is_ok());
        for nasty in ["a\0b", "a\nb", "a\u{1b}b", "a\u{85}b"] {
            assert!(value(&line, &json!(nasty)).is_err(), "{nasty:?}");
        }
        let lines = field(FieldType::Lines { characters_max: 9 });
        assert_eq!(
            value(&lines, &json!("a\r\nb")),
            Ok(Some(Value::Text("a\nb".to_owned())))
        );
    }

    #[test]
    fn wrong_types_are_errors_and_never_converted() {
        assert!(value(&field(FieldType::Line { characters_max: 5 }), &json!(5)).is_err());
        assert!(value(&field(FieldType::Boolean { default: true }), &json!("true")).is_err());
        let rating = Field::optional(
            "rating",
            "Valutazione",
            FieldType::Integer {
                min: 1,
                max: 5,
                default: 5,
            },
        );
        for wrong in [json!(0), json!(6), json!(4.5), json!("5"), json!(1e40)] {
            assert!(value(&rating, &wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_pictures_slugs_and_mail_have_their_forms() {
        let url = field(FieldType::Url);
        for bad in ["javascript:x", "//a"] {
            assert!(value(&url, &json!(bad)).is_err(), "{bad}");
        }
        let picture = field(FieldType::Picture);
        let path = format!("{UPLOAD_PREFIX}{}", "a".repeat(26));
        assert!(value(&picture, &json!(path)).is_ok());
        for bad in [
            "https://example.com/a.jpg",
            "/objects/uploads/../x",
            "/objects/uploads/",
        ] {
            assert!(value(&picture, &json!(bad)).is_err(), "{bad}");
        }
        assert!(value(&field(FieldType::Slug), &json!("tre-minuti-2")).is_ok());
        for bad in ["Tre", "a--b", "-a", "a/b", "è"] {
            assert!(
                value(&field(FieldType::Slug), &json!(bad)).is_err(),
                "{bad}"
            );
        }
        let reserved = value(&field(FieldType::Slug), &json!("404")).unwrap_err();
        assert!(
            reserved
                .message
                .ends_with("riservato alle pagine che non esistono")
        );
    }

    #[derive(serde::Deserialize)]
    struct Examples {
        valid: Vec<(String, String)>,
        invalid: Vec<String>,
    }

    /// The tests of `ui/src` read the same examples.
    fn assert_reads(holds: FieldType, examples: &str) {
        let examples: Examples = serde_json::from_str(examples).unwrap();
        let field = field(holds);
        for (typed, stored) in examples.valid {
            let found = value(&field, &json!(typed));
            assert_eq!(found, Ok(Some(Value::Text(stored))), "{typed:?}");
        }
        for typed in examples.invalid {
            assert!(value(&field, &json!(typed)).is_err(), "{typed:?}");
        }
    }

    #[test]
    fn an_email_address_has_a_domain_that_mail_can_reach() {
        let examples = include_str!("../../tests/data/email-addresses.json");
        assert_reads(FieldType::Email, examples);
    }

    #[test]
    fn a_web_address_is_completed_and_has_a_host() {
        let examples = include_str!("../../tests/data/web-addresses.json");
        assert_reads(FieldType::Url, examples);
    }

    #[test]
    fn an_accented_domain_is_one_with_its_ascii_form() {
        for written in [
            "anna@perché.it",
            " Anna@PERCHÉ.it",
            "anna@perche\u{301}.it",
            "anna@xn--perch-fsa.it",
        ] {
            let address = canonical_email(written);
            assert_eq!(address, "anna@xn--perch-fsa.it", "{written}");
            assert!(is_email_address(&address) && is_reachable(written.trim()));
        }
        for written in ["anna@example.it", "perché", "anna@xn--a.è", ""] {
            assert_eq!(canonical_email(written).is_empty(), written.is_empty());
        }
        assert!(!is_reachable("à@example.it"));
    }

    #[test]
    fn the_scheme_of_an_address_may_be_written_in_capitals() {
        let field = Field::optional("link", "Collegamento", FieldType::Url);
        let read = |text: &str| value(&field, &json!(text));
        let plain = Ok(Some(Value::Text("https://Example.it/A".to_owned())));
        assert_eq!(read("HTTPS://Example.it/A"), plain);
        assert_eq!(read("Https://Example.it/A"), plain);
        for wrong in ["FTP://a.it", "JAVASCRIPT://a.it", "://a.it", "HTTPS:a.it"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
