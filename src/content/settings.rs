//! Defines the site settings: one table of fields, validated by the same rules as content.

use super::event_times;
use super::schema::{Audience, Field, FieldType};
use super::validation;
use super::value::{Value, Values, value_json};
use crate::FieldError;
use jiff::civil::Date;
use serde_json::{Map, Value as Json};

const LINE: FieldType = FieldType::Line {
    characters_max: 200,
};

/// A setting and its default value.
#[derive(Debug)]
pub struct Setting {
    pub field: Field,
    /// The section of the panel that shows the setting.
    pub group: Group,
    pub default: Option<&'static str>,
    /// Whether the first-start wizard asks for the setting.
    pub asked_at_start: bool,
    /// Whether pages receive the setting only if it has a value, so that a site that does not use
    /// it keeps its bytes.
    pub is_sparse: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Identity,
    Contacts,
    Legal,
    Book,
    Pictures,
    Site,
    Newsletter,
    Notices,
    Crawlers,
}

impl Group {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Contacts => "contacts",
            Self::Legal => "legal",
            Self::Book => "book",
            Self::Pictures => "pictures",
            Self::Site => "site",
            Self::Newsletter => "newsletter",
            Self::Notices => "notices",
            Self::Crawlers => "crawlers",
        }
    }
}

const fn setting(
    group: Group,
    name: &'static str,
    label: &'static str,
    holds: FieldType,
    default: Option<&'static str>,
) -> Setting {
    Setting {
        field: Field::optional(name, label, holds),
        group,
        default,
        asked_at_start: false,
        is_sparse: false,
    }
}

/// Leaves the setting out of pages while it has no value.
const fn sparse(mut setting: Setting) -> Setting {
    setting.is_sparse = true;
    setting
}

/// Hides the setting from the public API; only the panel receives it.
const fn private(mut setting: Setting) -> Setting {
    setting.field.audience = Audience::Admin;
    setting
}

/// A private boolean setting.
const fn switch(group: Group, name: &'static str, label: &'static str, default: bool) -> Setting {
    private(setting(
        group,
        name,
        label,
        FieldType::Boolean { default },
        None,
    ))
}

/// A private boolean setting that is on by default.
const fn notice(name: &'static str, label: &'static str) -> Setting {
    switch(Group::Notices, name, label, true)
}

const fn picture(name: &'static str, label: &'static str) -> Setting {
    setting(Group::Pictures, name, label, FieldType::Picture, None)
}

/// Defines a setting for a coordinate of a picture's focal point, in percent from the left or the
/// top. Every crop keeps the focal point in view; the default is the centre.
const fn point(name: &'static str, label: &'static str) -> Setting {
    let holds = FieldType::Integer {
        min: 0,
        max: 100,
        default: 50,
    };
    private(setting(Group::Pictures, name, label, holds, None))
}

const fn asked(mut setting: Setting) -> Setting {
    setting.asked_at_start = true;
    setting
}

/// Name of the setting with the reply address of newsletters.
pub const REPLY: &str = "newsletterReply";
pub const VAT_NUMBER: &str = "vatNumber";
/// Addresses of further profiles, one a line.
const SOCIAL_PROFILES: &str = "socialProfiles";
const SOCIAL_PROFILES_MAX: usize = 8;
pub const TAX_CODE: &str = "taxCode";
pub const COPYRIGHT_YEAR: &str = "copyrightYear";
const COPYRIGHT_YEAR_DEFAULT: &str = "2025";
const CURRENT_YEAR: &str = "copyrightYearIsCurrent";
/// The line above every page, and the days on which it appears and disappears.
const BANNER: &str = "banner";
pub const BANNER_FROM: &str = "bannerFrom";
pub const BANNER_UNTIL: &str = "bannerUntil";
/// Whether visitors see a message instead of the site, and the message.
const ASLEEP: &str = "asleep";
const ASLEEP_MESSAGE: &str = "asleepMessage";
const BANNER_CHARACTERS_MAX: usize = 160;
/// Name of the setting that says what AI crawlers may do with the pages.
pub const AI_CRAWLERS: &str = "aiCrawlers";
/// The answer that the first steps propose.
pub const AI_CITE_ONLY: &str = "Possono citarti, non addestrarsi";
/// The answer that leaves robots.txt as it is without any.
pub const AI_NOTHING_SAID: &str = "Nessuna indicazione";
const BRAND: &str = "brand";
const BRAND_DEFAULT: &str = "Respiro";
const GREETING: &str = "Ciao, vorrei ricevere informazioni sul Rebirthing.";

pub const SETTINGS: &[Setting] = &[
    asked(setting(
        Group::Identity,
        BRAND,
        "Nome del sito",
        LINE,
        Some(BRAND_DEFAULT),
    )),
    asked(setting(
        Group::Identity,
        "practitioner",
        "Nome e cognome",
        LINE,
        None,
    )),
    asked(setting(Group::Identity, "towns", "Dove lavori", LINE, None)),
    setting(
        Group::Identity,
        "certifyingBody",
        "Ente che riconosce l’attestato",
        LINE,
        None,
    ),
    asked(setting(
        Group::Contacts,
        "phone",
        "Telefono",
        FieldType::Phone,
        None,
    )),
    asked(setting(
        Group::Contacts,
        "email",
        "E-mail",
        FieldType::Email,
        None,
    )),
    asked(setting(
        Group::Contacts,
        "whatsapp",
        "Numero WhatsApp",
        FieldType::Phone,
        None,
    )),
    setting(
        Group::Contacts,
        "whatsappGreeting",
        "Messaggio iniziale",
        LINE,
        Some(GREETING),
    ),
    setting(
        Group::Contacts,
        "socialName",
        "Nome del social network",
        LINE,
        None,
    ),
    setting(
        Group::Contacts,
        "socialUrl",
        "Indirizzo del profilo social",
        FieldType::Url,
        None,
    ),
    sparse(setting(
        Group::Contacts,
        SOCIAL_PROFILES,
        "Altri profili social",
        FieldType::Lines {
            characters_max: 2_000,
        },
        None,
    )),
    asked(setting(Group::Legal, VAT_NUMBER, "Partita IVA", LINE, None)),
    sparse(setting(
        Group::Legal,
        TAX_CODE,
        "Codice fiscale",
        LINE,
        None,
    )),
    asked(setting(Group::Legal, "address", "Indirizzo", LINE, None)),
    setting(
        Group::Legal,
        COPYRIGHT_YEAR,
        "Anno del copyright",
        LINE,
        Some(COPYRIGHT_YEAR_DEFAULT),
    ),
    switch(Group::Legal, CURRENT_YEAR, "L’anno cambia da solo", false),
    setting(Group::Book, "bookTitle", "Titolo del libro", LINE, None),
    setting(
        Group::Book,
        "bookstoreUrl",
        "Pagina della libreria online",
        FieldType::Url,
        None,
    ),
    setting(
        Group::Book,
        "publisherUrl",
        "Pagina dell’editore",
        FieldType::Url,
        None,
    ),
    setting(
        Group::Book,
        "bookEdition",
        "Nota sull’edizione",
        LINE,
        Some("Terza edizione prevista per gennaio 2026"),
    ),
    picture("heroImageOne", "Prima immagine di apertura"),
    picture("heroImageTwo", "Seconda immagine di apertura"),
    picture("portraitImage", "Ritratto"),
    picture("bookImage", "Copertina del libro"),
    point("heroImageOneFocusX", "Prima immagine, da sinistra"),
    point("heroImageOneFocusY", "Prima immagine, dall’alto"),
    point("heroImageTwoFocusX", "Seconda immagine, da sinistra"),
    point("heroImageTwoFocusY", "Seconda immagine, dall’alto"),
    point("portraitImageFocusX", "Ritratto, da sinistra"),
    point("portraitImageFocusY", "Ritratto, dall’alto"),
    private(setting(
        Group::Site,
        BANNER,
        "Riga in cima al sito",
        FieldType::Line {
            characters_max: BANNER_CHARACTERS_MAX,
        },
        None,
    )),
    private(setting(Group::Site, BANNER_FROM, "Dal giorno", LINE, None)),
    private(setting(
        Group::Site,
        BANNER_UNTIL,
        "Fino al giorno",
        LINE,
        None,
    )),
    switch(Group::Site, ASLEEP, "Il sito dorme", false),
    private(setting(
        Group::Site,
        ASLEEP_MESSAGE,
        "Messaggio mentre dorme",
        FieldType::Lines {
            characters_max: 600,
        },
        None,
    )),
    private(setting(
        Group::Newsletter,
        "newsletterPace",
        "Messaggi l’ora",
        FieldType::Integer {
            min: 1,
            max: NEWSLETTER_PACE_MAX,
            default: NEWSLETTER_PACE,
        },
        None,
    )),
    private(setting(
        Group::Newsletter,
        "newsletterSender",
        "Chi scrive",
        LINE,
        None,
    )),
    private(setting(
        Group::Newsletter,
        REPLY,
        "Risposte a",
        FieldType::Email,
        None,
    )),
    private(setting(
        Group::Newsletter,
        "newsletterWelcome",
        "E-mail di benvenuto",
        FieldType::Boolean { default: false },
        None,
    )),
    notice("noticeTestimonial", "Nuova testimonianza"),
    notice("noticeBackup", "Backup non riuscito"),
    notice("noticeCertificate", "Certificato in scadenza"),
    notice("noticeDevice", "Accesso da un nuovo dispositivo"),
    notice("noticeServer", "Disco quasi pieno o posta rifiutata"),
    private(setting(
        Group::Crawlers,
        AI_CRAWLERS,
        "Intelligenze artificiali",
        FieldType::Choice {
            words: &[AI_CITE_ONLY, AI_NOTHING_SAID],
        },
        None,
    )),
];

/// Default newsletter messages per hour: most mailbox providers allow that many.
pub const NEWSLETTER_PACE: i64 = 60;
pub const NEWSLETTER_PACE_MAX: i64 = 360_000;

/// The settings as stored: only values that the admin has set.
#[derive(Debug, Clone, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Settings {
    pub values: Values,
}

impl Settings {
    /// Returns the settings with `body` merged in; absent fields keep their value.
    pub fn merge(&self, body: &Map<String, Json>) -> Result<Self, Vec<FieldError>> {
        let (settings, errors) = self.merge_valid(body);
        if errors.is_empty() {
            Ok(settings)
        } else {
            Err(errors)
        }
    }

    /// Returns the settings with the valid fields of `body` merged in, and an error for each other
    /// field.
    pub fn merge_valid(&self, body: &Map<String, Json>) -> (Self, Vec<FieldError>) {
        let mut errors = Vec::new();
        let mut values = self.values.clone();
        for setting in SETTINGS {
            if let Some(json) = body.get(setting.field.name) {
                // An unchanged stored value stays valid, even if a later release added a stricter
                // rule.
                if self.is_as_kept(setting, json) {
                    continue;
                }
                let value = validation::value(&setting.field, json);
                let value = if setting.field.name == SOCIAL_PROFILES {
                    value.and_then(|value| profiles(&setting.field, value))
                } else {
                    value
                };
                match value {
                    Ok(Some(value)) => drop(values.insert(setting.field.name.to_owned(), value)),
                    Ok(None) => drop(values.remove(setting.field.name)),
                    Err(error) => errors.push(error),
                }
            }
        }
        (Self { values }, errors)
    }

    fn is_as_kept(&self, setting: &Setting, json: &Json) -> bool {
        let kept = self.values.get(setting.field.name);
        matches!((kept, json), (Some(Value::Text(kept)), Json::String(text)) if kept == text)
    }

    /// Every setting that `audience` may see, as JSON; `null` for a setting with neither a value
    /// nor a default.
    pub fn to_json(&self, audience: Audience) -> Map<String, Json> {
        SETTINGS
            .iter()
            .filter(|setting| {
                audience == Audience::Admin || setting.field.audience != Audience::Admin
            })
            .map(|setting| (setting.field.name.to_owned(), self.setting_json(setting)))
            .collect()
    }

    fn setting_json(&self, setting: &Setting) -> Json {
        match (self.values.get(setting.field.name), setting.field.holds) {
            (Some(value), _) => value_json(value),
            (None, FieldType::Integer { default, .. }) => Json::from(default),
            (None, FieldType::Boolean { default }) => Json::from(default),
            (None, _) => setting.default.map_or(Json::Null, Json::from),
        }
    }

    /// The text of a setting, when it has one.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).and_then(Value::as_text)
    }

    /// The site's name.
    pub fn brand(&self) -> &str {
        self.text(BRAND).unwrap_or(BRAND_DEFAULT)
    }

    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> bool {
        let setting = SETTINGS.iter().find(|setting| setting.field.name == name);
        match (
            self.values.get(name),
            setting.map(|setting| setting.field.holds),
        ) {
            (Some(Value::Boolean(on)), _) => *on,
            (_, Some(FieldType::Boolean { default })) => default,
            _ => false,
        }
    }

    /// Whether visitors see a message instead of the site.
    pub fn is_asleep(&self) -> bool {
        self.values.get(ASLEEP) == Some(&Value::Boolean(true))
    }

    /// The message that visitors see meanwhile, if the admin has written one.
    pub fn asleep_message(&self) -> Option<&str> {
        self.text(ASLEEP_MESSAGE)
    }

    /// Whether crawlers that collect data to train AI models are asked to stay away.
    pub fn refuses_ai_training(&self) -> bool {
        self.text(AI_CRAWLERS) == Some(AI_CITE_ONLY)
    }

    /// Maximum newsletter messages per hour.
    pub fn newsletter_pace(&self) -> i64 {
        match self.values.get("newsletterPace") {
            Some(Value::Integer(pace)) => *pace,
            _ => NEWSLETTER_PACE,
        }
    }

    /// Names of the settings that the first-start wizard asks for and that have no value.
    pub fn missing(&self) -> Vec<&'static str> {
        SETTINGS
            .iter()
            .filter(|setting| setting.asked_at_start && setting.default.is_none())
            .map(|setting| setting.field.name)
            .filter(|name| !self.values.contains_key(*name))
            .filter(|name| *name != VAT_NUMBER || !self.values.contains_key(TAX_CODE))
            .collect()
    }

    /// The line above every page, if it is shown on `today`. Without a day, for example at a start
    /// with a doubted clock, only a line without dates is shown.
    pub fn banner_on(&self, today: Option<Date>) -> Option<&str> {
        let day = |name: &str| {
            let text = self.text(name)?;
            // The stored text names its year, so the day on which it is read does not matter.
            Some(event_times::last_day(Some(text), today.unwrap_or_default()))
        };
        let is_shown = match (day(BANNER_FROM), day(BANNER_UNTIL), today) {
            (None, None, _) => true,
            (_, _, None) => false,
            (from, until, Some(today)) => {
                let has_begun = from.is_none_or(|from| from.is_some_and(|from| from <= today));
                has_begun && until.is_none_or(|until| until.is_some_and(|until| today <= until))
            }
        };
        self.text(BANNER).filter(|_| is_shown)
    }

    /// The year of the copyright notice that follows the calendar: a trailing year in the setting
    /// becomes that of `today`. `None` while the setting itself is shown.
    pub fn copyright_year_on(&self, today: Option<Date>) -> Option<String> {
        let today = today.filter(|_| self.is_on(CURRENT_YEAR))?;
        let written = self.text(COPYRIGHT_YEAR).unwrap_or(COPYRIGHT_YEAR_DEFAULT);
        let (start, year) = written.split_at_checked(written.len().checked_sub(4)?)?;
        let year: i16 = year.parse().ok()?;
        Some(format!("{start}{}", year.max(today.year())))
    }

    /// Whether a setting holds a photograph. The book cover does not count.
    pub fn has_photograph(&self) -> bool {
        let mut names = ["heroImageOne", "heroImageTwo", "portraitImage"].into_iter();
        names.any(|name| self.values.contains_key(name))
    }

    /// Focal point of the picture in a setting, in percent from left and top.
    pub fn focus(&self, picture: &str) -> (u8, u8) {
        let percent = |side: &str| match self.values.get(&format!("{picture}Focus{side}")) {
            Some(Value::Integer(percent)) => u8::try_from(*percent).unwrap_or(50),
            _ => 50,
        };
        (percent("X"), percent("Y"))
    }

    /// The first setting that uses the picture with this id.
    pub fn picture_setting(&self, id: &str) -> Option<&'static str> {
        let holds = |name: &str| self.values.get(name).and_then(Value::picture_id) == Some(id);
        let mut names = SETTINGS.iter().map(|setting| setting.field.name);
        names.find(|name| holds(name))
    }

    /// Ids of the pictures that the settings use.
    pub fn picture_ids(&self) -> impl Iterator<Item = &str> {
        self.values.values().filter_map(Value::picture_id)
    }
}

/// Reads one web address a line: completed, `https` only, each once.
fn profiles(field: &Field, value: Option<Value>) -> Result<Option<Value>, FieldError> {
    let Some(Value::Text(text)) = value else {
        return Ok(value);
    };
    let refused = |message: String| Err(FieldError::new(field.name, message));
    let mut addresses: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let address = validation::complete_web_address(line);
        if !address.starts_with("https://") || !validation::is_web_address(&address) {
            return refused(format!(
                "«{line}» non è l’indirizzo di un profilo: scrivine uno per riga, con https://"
            ));
        }
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    if addresses.len() > SOCIAL_PROFILES_MAX {
        return refused(format!(
            "Bastano {SOCIAL_PROFILES_MAX} profili: togline qualcuno"
        ));
    }
    Ok((!addresses.is_empty()).then(|| Value::Text(addresses.join("\n"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn settings(body: &Json) -> Settings {
        let body = body.as_object().unwrap();
        Settings::default().merge(body).unwrap()
    }

    #[test]
    fn the_line_above_the_site_is_shown_on_its_days_and_on_no_other() {
        let day = |text: &str| Some(text.parse::<Date>().unwrap());
        let line = json!({ "banner": "Chiuso", "bannerFrom": "1 agosto 2027",
            "bannerUntil": "20 agosto 2027" });
        let both = settings(&line);
        for (today, is_shown) in [
            ("2027-07-31", false),
            ("2027-08-01", true),
            ("2027-08-20", true),
            ("2027-08-21", false),
            ("2028-08-10", false),
        ] {
            assert_eq!(both.banner_on(day(today)).is_some(), is_shown, "{today}");
        }
        assert_eq!(both.banner_on(None), None, "the clock is doubted");
        let always = settings(&json!({ "banner": "Chiuso" }));
        assert_eq!(always.banner_on(None), Some("Chiuso"));
        let until = settings(&json!({ "banner": "Chiuso", "bannerUntil": "20 agosto 2027" }));
        assert!(until.banner_on(day("2026-01-01")).is_some());
        assert_eq!(until.banner_on(day("2027-08-21")), None);
        // An import may bring a text that is no day.
        let odd = settings(&json!({ "banner": "Chiuso", "bannerFrom": "presto" }));
        assert_eq!(odd.banner_on(day("2027-08-10")), None);
        assert_eq!(Settings::default().banner_on(day("2027-08-10")), None);
    }

    #[test]
    fn the_year_follows_the_calendar_only_after_it_was_asked_to() {
        let today = "2027-01-01".parse::<Date>().ok();
        let year = |body: Json| settings(&body).copyright_year_on(today);
        assert_eq!(year(json!({})), None);
        assert_eq!(year(json!({ "copyrightYear": "2026" })), None);
        let on =
            |text: &str| year(json!({ "copyrightYear": text, "copyrightYearIsCurrent": true }));
        assert_eq!(on("").as_deref(), Some("2027"));
        assert_eq!(on("2019–2025").as_deref(), Some("2019–2027"));
        assert_eq!(on("2030").as_deref(), Some("2030"));
        for odd in ["MMXXV", "è", "dal 25"] {
            assert_eq!(on(odd), None, "{odd}");
        }
        let on = settings(&json!({ "copyrightYearIsCurrent": true }));
        assert_eq!(on.copyright_year_on(None), None, "the clock is doubted");
    }

    #[test]
    fn a_codice_fiscale_stands_in_for_the_partita_iva() {
        let missing = |body: Json| settings(&body).missing().contains(&VAT_NUMBER);
        assert!(missing(json!({})));
        assert!(!missing(json!({ "taxCode": "RCCMNL83S18D969H" })));
    }
}
