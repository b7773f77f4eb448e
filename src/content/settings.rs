//! Defines the site settings: one table of fields, validated by the same rules as content.

use super::schema::{Audience, Field, FieldType};
use super::validation;
use super::value::{Value, Values, value_json};
use crate::FieldError;
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Identity,
    Contacts,
    Legal,
    Book,
    Pictures,
    Newsletter,
    Notices,
}

impl Group {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Contacts => "contacts",
            Self::Legal => "legal",
            Self::Book => "book",
            Self::Pictures => "pictures",
            Self::Newsletter => "newsletter",
            Self::Notices => "notices",
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
    }
}

/// Hides the setting from the public API; only the panel receives it.
const fn private(mut setting: Setting) -> Setting {
    setting.field.audience = Audience::Admin;
    setting
}

/// A private boolean setting that is on by default.
const fn switch(group: Group, name: &'static str, label: &'static str) -> Setting {
    private(setting(
        group,
        name,
        label,
        FieldType::Boolean { default: true },
        None,
    ))
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
    asked(setting(Group::Legal, VAT_NUMBER, "Partita IVA", LINE, None)),
    asked(setting(Group::Legal, "address", "Indirizzo", LINE, None)),
    setting(
        Group::Legal,
        "copyrightYear",
        "Anno del copyright",
        LINE,
        Some("2025"),
    ),
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
    switch(Group::Notices, "noticeTestimonial", "Nuova testimonianza"),
    switch(Group::Notices, "noticeBackup", "Backup non riuscito"),
    switch(
        Group::Notices,
        "noticeCertificate",
        "Certificato in scadenza",
    ),
    switch(
        Group::Notices,
        "noticeDevice",
        "Accesso da un nuovo dispositivo",
    ),
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
                match validation::value(&setting.field, json) {
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
            .filter(|setting| !self.values.contains_key(setting.field.name))
            .map(|setting| setting.field.name)
            .collect()
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
