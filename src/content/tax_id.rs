//! Checks the numbers that a site has to state: Italian partita IVA and codice fiscale, Swiss UID.
//!
//! The text is stored as typed: labels, prefixes and separators are the admin's choice.

const VAT_DIGITS: usize = 11;
const PERSON_CHARACTERS: usize = 16;
const SWISS_DIGITS: usize = 9;
const SWISS_PREFIX: &str = "CHE";

const VAT_INVALID: &str = "Questa partita IVA non esiste: controlla le cifre.";
const PERSON_INVALID: &str = "Questo codice fiscale non esiste: controlla lettere e cifre.";
const SWISS_INVALID: &str = "Questo numero IDI non esiste: controlla le cifre.";
const UNKNOWN: &str =
    "Scrivi la partita IVA (11 cifre), il codice fiscale o il numero IDI (CHE-123.456.789).";

/// Words around the numbers, without signs and spaces. Longer ones first.
const LABELS: &[&str] = &[
    "CODICEFISCALE",
    "PARTITAIVA",
    "NUMERO",
    "PIVA",
    "MWST",
    "IVA",
    "VAT",
    "TVA",
    "UID",
    "IDI",
    "CF",
    "PI",
    "NR",
    "N",
    "E",
];

/// Prefixes of VAT numbers of other countries, whose check digits are not verified.
const FOREIGN: &[&str] = &[
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "EL", "ES", "FI", "FR", "HR", "HU", "IE", "LT",
    "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK", "SM",
];

/// Returns why the text is no tax number; `None` when it consists of valid ones and their labels.
pub fn problem(text: &str) -> Option<String> {
    let plain: String = text
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_uppercase())
        .collect();
    let is_other = |character: char| character.is_alphanumeric() && !character.is_ascii();
    if text.contains(is_other) {
        return Some(UNKNOWN.to_owned());
    }
    let mut rest = plain.as_str();
    let mut count = 0;
    while !rest.is_empty() {
        if let Some(after) = number(rest) {
            rest = after;
            count += 1;
        } else if let Some(after) = LABELS.iter().find_map(|label| rest.strip_prefix(label)) {
            rest = after;
        } else {
            return Some(reason(rest));
        }
    }
    (count == 0).then(|| UNKNOWN.to_owned())
}

/// As [`problem`], for a codice fiscale alone: of a person, or the 11 digits of an association.
pub fn code_problem(text: &str) -> Option<String> {
    let is_sign = |character: &char| character.is_ascii_whitespace() || ".-".contains(*character);
    let plain: String = text.chars().filter(|sign| !is_sign(sign)).collect();
    let plain = plain.to_ascii_uppercase();
    if is_person(&plain) || is_organization(&plain) {
        return None;
    }
    let message = match plain.chars().count() {
        PERSON_CHARACTERS | VAT_DIGITS => PERSON_INVALID.to_owned(),
        count => format!("Il codice fiscale ha {PERSON_CHARACTERS} caratteri: qui sono {count}."),
    };
    Some(message)
}

/// Whether the text is the codice fiscale of an association or a company.
fn is_organization(text: &str) -> bool {
    text.len() == VAT_DIGITS
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && is_vat_number(text)
}

/// Returns what follows the valid number at the start of the text.
fn number(text: &str) -> Option<&str> {
    let head = |length: usize| text.split_at_checked(length);
    let digits_after = |prefix: &str, length: usize| {
        let (number, rest) = text.strip_prefix(prefix)?.split_at_checked(length)?;
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let ends = !rest.starts_with(|next: char| next.is_ascii_digit());
        (is_number && ends).then_some((number, rest))
    };
    let vat = ["IT", ""]
        .iter()
        .find_map(|prefix| digits_after(prefix, VAT_DIGITS))
        .filter(|(number, _)| is_vat_number(number));
    let swiss = digits_after(SWISS_PREFIX, SWISS_DIGITS).filter(|(number, _)| is_swiss(number));
    let person = head(PERSON_CHARACTERS).filter(|(number, _)| is_person(number));
    let found = vat.or(swiss).or(person);
    found
        .map(|(_, rest)| rest)
        .or_else(|| business_register(text))
        .or_else(|| foreign(text))
}

/// The entry in the Italian business register beside the number: `REA CO-123456`.
fn business_register(text: &str) -> Option<&str> {
    let (province, rest) = text.strip_prefix("REA")?.split_at_checked(2)?;
    let end = rest.find(|next: char| !next.is_ascii_digit());
    let end = end.unwrap_or(rest.len());
    let is_entry = province.bytes().all(|byte| byte.is_ascii_uppercase()) && (5..=7).contains(&end);
    is_entry.then(|| &rest[end..])
}

fn foreign(text: &str) -> Option<&str> {
    let number = FOREIGN
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))?;
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    ((8..=12).contains(&number.len()) && digits > 6).then_some("")
}

fn reason(text: &str) -> String {
    let digits = text.strip_prefix("IT").unwrap_or(text);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    if text.starts_with(SWISS_PREFIX) {
        return SWISS_INVALID.to_owned();
    }
    if count == digits.len() && count == VAT_DIGITS {
        return VAT_INVALID.to_owned();
    }
    if count == digits.len() && count > 0 {
        return format!("La partita IVA ha {VAT_DIGITS} cifre: qui sono {count}.");
    }
    let starts_as_person = text.bytes().take(6).all(|byte| byte.is_ascii_uppercase());
    if starts_as_person && text.bytes().any(|byte| byte.is_ascii_digit()) {
        return PERSON_INVALID.to_owned();
    }
    UNKNOWN.to_owned()
}

fn digits_of(text: &str) -> impl Iterator<Item = u32> {
    text.bytes().map(|byte| u32::from(byte.wrapping_sub(b'0')))
}

/// Luhn's check digit, also of the codice fiscale of associations and companies.
fn is_vat_number(digits: &str) -> bool {
    let parts = digits_of(digits).enumerate().map(|(index, digit)| {
        let doubled = digit * 2;
        match index % 2 {
            0 => digit,
            _ if doubled > 9 => doubled - 9,
            _ => doubled,
        }
    });
    parts.sum::<u32>() % 10 == 0
}

/// Modulo 11, as the Swiss Federal Statistical Office defines it.
fn is_swiss(digits: &str) -> bool {
    const WEIGHTS: [u32; 8] = [5, 4, 3, 2, 7, 6, 5, 4];
    let weighted = digits_of(digits).zip(WEIGHTS).map(|(digit, by)| digit * by);
    let check = (11 - weighted.sum::<u32>() % 11) % 11;
    digits_of(digits).last() == Some(check)
}

/// Codice fiscale of a person: six letters, then digits of which any may be replaced by a letter to
/// distinguish people who would have the same one.
fn is_person(text: &str) -> bool {
    const SHAPE: &[u8; PERSON_CHARACTERS] = b"AAAAAA00A00A000A";
    const REPLACEMENTS: &[u8] = b"LMNPQRSTUV";
    /// Values of `0`-`9` and of `A`-`J` at odd places.
    const ODD: [u32; 26] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24,
        23,
    ];
    let fits = text.len() == PERSON_CHARACTERS
        && text.bytes().zip(SHAPE).all(|(byte, shape)| match shape {
            b'A' => byte.is_ascii_uppercase(),
            _ => byte.is_ascii_digit() || REPLACEMENTS.contains(&byte),
        });
    let value = |byte: u8| {
        if byte.is_ascii_digit() {
            byte - b'0'
        } else {
            byte.wrapping_sub(b'A')
        }
    };
    let parts = text.bytes().take(PERSON_CHARACTERS - 1).enumerate();
    let sum: u32 = parts
        .map(|(index, byte)| match (index % 2, value(byte)) {
            (0, value) => ODD.get(usize::from(value)).copied().unwrap_or_default(),
            (_, value) => u32::from(value),
        })
        .sum();
    fits && text.bytes().last().map(value).map(u32::from) == Some(sum % 26)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_exist_are_taken_as_people_write_them() {
        for text in [
            "00743110157",
            "01234567897",
            "IT00743110157",
            "it 00743110157",
            "007 431 101 57",
            "P. IVA 00743110157",
            "P.IVA: IT00743110157",
            "Partita IVA n. 00743110157",
            "RCCMNL83S18D969H",
            "rccmnl83s18d969h",
            "RCC MNL 83S18 D969H",
            "C.F. RCCMNL83S18D969H",
            "codice fiscale: MRTMTT25D09F205Z",
            "00743110157 - C.F. RCCMNL83S18D969H",
            "P. IVA e C.F. 00743110157",
            "00743110157 RCCMNL83S18D969H",
            "00743110157 – REA MI-123456",
            "CHE-107.787.577",
            "CHE-107.787.577 IVA",
            "CHE107787577 MWST",
            "IDI CHE-100.155.212",
            "ATU13585627",
            "DE 136 695 976",
        ] {
            assert_eq!(problem(text), None, "{text}");
        }
    }

    #[test]
    fn a_codice_fiscale_is_that_of_a_person_or_of_an_association() {
        for text in ["RCCMNL83S18D969H", " rcc mnl 83s18 d969h", "00743110157"] {
            assert_eq!(code_problem(text), None, "{text}");
        }
        for (text, reason) in [
            ("RCCMNL83S18D969X", PERSON_INVALID),
            ("00743110158", PERSON_INVALID),
            (
                "RCCMNL83S18D969",
                "Il codice fiscale ha 16 caratteri: qui sono 15.",
            ),
            (
                "RCCMNL83S18D969HH",
                "Il codice fiscale ha 16 caratteri: qui sono 17.",
            ),
            (
                "CHE-107.787.577",
                "Il codice fiscale ha 16 caratteri: qui sono 12.",
            ),
            ("RCCMNL83S18D96à9", PERSON_INVALID),
        ] {
            assert_eq!(code_problem(text).as_deref(), Some(reason), "{text}");
        }
    }

    #[test]
    fn a_wrong_number_is_told_what_is_wrong() {
        let ten = "La partita IVA ha 11 cifre: qui sono 10.";
        for (text, reason) in [
            ("0074311015", ten),
            ("IT0074311015", ten),
            ("P. IVA 0074311015", ten),
            ("007431101577", "La partita IVA ha 11 cifre: qui sono 12."),
            ("1", "La partita IVA ha 11 cifre: qui sono 1."),
            ("00743110158", VAT_INVALID),
            ("07043110157", VAT_INVALID),
            ("IT12345678901", VAT_INVALID),
            ("RCCMNL83S18D969X", PERSON_INVALID),
            ("RCCMNL83S18D969", PERSON_INVALID),
            ("RCCMNL83S18D9690H", PERSON_INVALID),
            ("CHE-107.787.578", SWISS_INVALID),
            ("CHE-107.787.57", SWISS_INVALID),
            ("00743110157 C.F. RCCMNL83S18D969X", PERSON_INVALID),
            ("non ce l’ho", UNKNOWN),
            ("P. IVA", UNKNOWN),
            ("città", UNKNOWN),
        ] {
            assert_eq!(problem(text).as_deref(), Some(reason), "{text}");
        }
    }
}
