//! Validates link addresses in texts and completes telephone numbers with their country code.

use super::Strictness;
use crate::phone::{self, DIGITS_MAX, DIGITS_MIN, Unread};
use crate::validation::{complete_web_address, is_email_address, is_web_address};

const CHARACTERS_MAX: usize = 2_000;

pub(super) const NO_LINK: &str =
    "il link non si può usare: scegli una pagina, un sito, un telefono, un'e-mail o WhatsApp";
pub(super) const NO_COUNTRY: &str = "al numero del link manca il prefisso del Paese: scrivilo con +39 per l'Italia o +41 per la Svizzera";
const NO_SITE: &str = "l'indirizzo del sito non è completo: controllalo";
const NO_EMAIL: &str = "l'indirizzo e-mail del link non è valido: controllalo";
const NO_NUMBER: &str = "il numero del link non si può chiamare: controlla le cifre";

/// Placeholder address in a draft while the typed link is incomplete.
const NOWHERE: &str = "#";

/// Returns the address as stored. A draft replaces an invalid address by [`NOWHERE`]; only
/// publishing rejects a number without a country code.
pub(super) fn validate(address: &str, care: Strictness) -> Result<String, &'static str> {
    if !is_link(address) {
        return match care {
            Strictness::Draft => Ok(NOWHERE.to_owned()),
            Strictness::Published | Strictness::Moved => Err(NO_LINK),
        };
    }
    if care == Strictness::Published {
        reject_unreachable(address)?;
    }
    match with_country(address) {
        Err(problem) if care == Strictness::Published => Err(problem),
        Ok(found) if care == Strictness::Published && !is_link(&found) => Err(NO_LINK),
        found => Ok(found.unwrap_or_else(|_| address.to_owned())),
    }
}

/// Whether the address is a path or anchor of this site, or uses a scheme that is safe to open.
fn is_link(address: &str) -> bool {
    let is_plain = !address.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\');
    if !is_plain || address.chars().count() > CHARACTERS_MAX {
        return false;
    }
    if let Some(path) = address.strip_prefix('/') {
        return !path.starts_with('/');
    }
    let lower = address.to_ascii_lowercase();
    let after = |scheme: &str| lower.strip_prefix(scheme).filter(|rest| !rest.is_empty());
    address.starts_with('#')
        || ["https://", "http://", "mailto:"]
            .iter()
            .any(|scheme| after(scheme).is_some())
        || after("tel:").is_some_and(|number| {
            number
                .chars()
                .all(|c| c.is_ascii_digit() || "+-.()".contains(c))
        })
}

/// Applies the rules of the fields for web and e-mail addresses.
fn reject_unreachable(address: &str) -> Result<(), &'static str> {
    if let Some((_, rest)) = split_after(address, &["mailto:"]) {
        let receiver = rest.split('?').next().unwrap_or_default();
        return if is_email_address(receiver) {
            Ok(())
        } else {
            Err(NO_EMAIL)
        };
    }
    let is_web = split_after(address, &["https://", "http://"]).is_some();
    if is_web && !is_web_address(&complete_web_address(address)) {
        return Err(NO_SITE);
    }
    Ok(())
}

/// Adds the country code to `tel:` and wa.me numbers. Without the code, a number dialled abroad
/// reaches another subscriber, and WhatsApp always requires the code.
fn with_country(address: &str) -> Result<String, &'static str> {
    if let Some((scheme, number)) = split_after(address, &["tel:"]) {
        let digits = number.chars().filter(char::is_ascii_digit).count();
        if number.starts_with('+') || number.starts_with("00") || digits < DIGITS_MIN {
            return Ok(address.to_owned());
        }
        return phone::read(number)
            .map(|number| format!("{scheme}{number}"))
            .map_err(problem_of);
    }
    let beginnings = ["https://wa.me/", "http://wa.me/", "https://www.wa.me/"];
    let Some((scheme, rest)) = split_after(address, &beginnings) else {
        return Ok(address.to_owned());
    };
    let (number, message) = rest.split_at(rest.find(['?', '#', '/']).unwrap_or(rest.len()));
    if number.is_empty() && message.is_empty() {
        return Err(NO_NUMBER);
    }
    // wa.me paths that are not digits are message links, and a leading `+` states the country code.
    if number.is_empty() || !number.chars().all(|c| c.is_ascii_digit()) {
        return Ok(address.to_owned());
    }
    match phone::read(number) {
        Ok(whole) => Ok(format!(
            "{scheme}{}{message}",
            whole.trim_start_matches('+')
        )),
        // wa.me numbers omit the `+`, so a number outside the Italian and Swiss plans carries its
        // country code.
        Err(Unread::NotANumber)
            if !number.starts_with('0') && (DIGITS_MIN..=DIGITS_MAX).contains(&number.len()) =>
        {
            Ok(address.to_owned())
        }
        Err(unread) => Err(problem_of(unread)),
    }
}

const fn problem_of(unread: Unread) -> &'static str {
    match unread {
        Unread::NotANumber | Unread::Several => NO_NUMBER,
        Unread::CountryUnclear => NO_COUNTRY,
    }
}

/// Splits the address after the first matching prefix, compared without case; the prefix stays as
/// typed.
fn split_after<'a>(address: &'a str, beginnings: &[&str]) -> Option<(&'a str, &'a str)> {
    let lower = address.to_ascii_lowercase();
    let beginning = beginnings.iter().find(|one| lower.starts_with(*one))?;
    address.split_at_checked(beginning.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_do_no_harm_are_links() {
        for good in [
            "/",
            "/servizi#pricing",
            "#faq",
            "https://example.it/a?b=c",
            "tel:+39021",
            "mailto:a@b.it",
            "HTTPS://E.IT",
        ] {
            assert!(is_link(good), "{good}");
        }
        for bad in [
            "",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "//evil.test",
            "/\\evil.test",
            "data:text/html,x",
            "vbscript:x",
            "java\nscript:x",
            "a b",
            "servizi",
            "https://",
            "tel:javascript",
        ] {
            assert!(!is_link(bad), "{bad}");
        }
    }

    /// Regression: `mailto:anna@gmail` and `https://u@sito.it`, which the fields refuse, were
    /// published.
    #[test]
    fn a_link_takes_the_addresses_that_the_fields_take() {
        #[derive(serde::Deserialize)]
        struct Examples {
            valid: Vec<(String, String)>,
            invalid: Vec<String>,
        }
        let emails = include_str!("../../../tests/data/email-addresses.json");
        let sites = include_str!("../../../tests/data/web-addresses.json");
        for (scheme, examples) in [("mailto:", emails), ("", sites)] {
            let examples: Examples = serde_json::from_str(examples).unwrap();
            for (_, stored) in examples.valid {
                let link = format!("{scheme}{stored}");
                let kept = validate(&link, Strictness::Published);
                assert_eq!(kept.as_deref(), Ok(link.as_str()));
            }
            for wrong in examples.invalid {
                let link = format!("{scheme}{wrong}");
                if scheme.is_empty() && !link.starts_with("http") {
                    continue;
                }
                assert!(validate(&link, Strictness::Published).is_err(), "{link}");
            }
        }
    }

    /// `linkOf` of the page editor writes the groups of a number with hyphens.
    #[test]
    fn a_number_in_a_link_is_read_as_in_a_field() {
        #[derive(serde::Deserialize)]
        struct Examples {
            numbers: Vec<(String, String)>,
        }
        let examples = include_str!("../../../tests/data/phone-numbers.json");
        let examples: Examples = serde_json::from_str(examples).unwrap();
        let is_part = |c: char| c.is_ascii_digit() || "+()".contains(c);
        for (typed, number) in examples.numbers {
            if typed.contains(char::is_alphabetic) {
                continue;
            }
            let seen = crate::sanitize::strip_invisible(&typed);
            let groups: Vec<&str> = seen.split(|c| !is_part(c)).collect();
            let kept: Vec<&str> = groups.into_iter().filter(|one| !one.is_empty()).collect();
            let link = format!("tel:{}", kept.join("-"));
            let read = validate(&link, Strictness::Published).unwrap();
            let national = read.trim_start_matches("tel:");
            assert_eq!(phone::read(national).as_ref(), Ok(&number), "{typed}");
        }
    }

    /// Regression: the length was checked before the country code was added, so a stored address
    /// was rejected when it was saved again.
    #[test]
    fn an_address_is_measured_with_its_country() {
        let long = |signs: usize| {
            let begin = "https://wa.me/3331234567?text=";
            format!("{begin}{}", "a".repeat(signs - begin.len()))
        };
        let kept = validate(&long(CHARACTERS_MAX - 2), Strictness::Published).unwrap();
        assert_eq!(validate(&kept, Strictness::Published), Ok(kept));
        assert_eq!(
            validate(&long(CHARACTERS_MAX), Strictness::Published),
            Err(NO_LINK)
        );
    }

    /// Regression: "333 12 34 567" produced wa.me/3331234567, a number without a country code.
    #[test]
    fn a_number_gets_its_country_or_is_asked_for_it() {
        for (written, kept) in [
            ("https://wa.me/3331234567", "https://wa.me/393331234567"),
            (
                "https://wa.me/3331234567?text=Ciao",
                "https://wa.me/393331234567?text=Ciao",
            ),
            ("tel:3331234567", "tel:+393331234567"),
            ("tel:333-12.34567", "tel:+393331234567"),
            ("tel:0041791234567", "tel:0041791234567"),
        ] {
            assert_eq!(
                validate(written, Strictness::Published).as_deref(),
                Ok(kept)
            );
        }
        for whole in [
            "tel:+39021",
            "tel:112",
            "https://wa.me/393331234567",
            "https://wa.me/41791234567",
            "https://wa.me/33612345678",
            "https://wa.me/message/ABC1",
            "https://wa.me/?text=Ciao",
            "https://example.it/3331234567",
        ] {
            assert_eq!(validate(whole, Strictness::Published).as_deref(), Ok(whole));
        }
        for (written, problem) in [
            ("https://wa.me/0911234567", NO_COUNTRY),
            ("tel:0212345678", NO_COUNTRY),
            ("https://wa.me/33312", NO_NUMBER),
            ("https://wa.me/", NO_NUMBER),
            ("tel:33312345678", NO_NUMBER),
        ] {
            assert_eq!(
                validate(written, Strictness::Published),
                Err(problem),
                "{written}"
            );
            // An import from another release accepts the address unchanged.
            assert_eq!(validate(written, Strictness::Moved).as_deref(), Ok(written));
        }
    }
}
