//! Defines the schema of a collection: its fields, their types and limits, public paths and order.

/// Longest single-line text a field may hold, in characters, unless its row says less.
pub const LINE_CHARACTERS_MAX: usize = 200;
/// Longest web address a field may hold, in characters.
pub const URL_CHARACTERS_MAX: usize = 2_000;
/// Largest `sortOrder` a client may send.
pub const SORT_ORDER_MAX: i64 = 1_000_000;
/// Maximum items of one collection; creating another is answered with 409.
pub const ITEMS_PER_COLLECTION_MAX: usize = 10_000;
/// Bytes of all items of a data file together, drafts included: the published ones are in memory,
/// and lists of them are serialized whole. docs/reliability.md adds up the memory.
pub const ITEM_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// A row of [`super::COLLECTIONS`]: fields, order and public paths of one kind of item.
#[derive(Debug)]
pub struct Collection {
    /// Stable number of the collection in the data file. Never reused.
    pub number: u8,
    /// Last segment of its API path, `course-testimonials`.
    pub slug: &'static str,
    /// Whether an item is published when the request body has no `published`.
    pub published_by_default: bool,
    /// Whether items carry a picture, and with it the [`PICTURE_FIELDS`].
    pub picture: bool,
    /// The order of the public list.
    pub order: Order,
    /// The public page that shows the items; `None` when none does.
    pub list: Option<&'static str>,
    /// Builds the page path of an item; `None` when items have no page.
    pub page: Option<Page>,
    /// Whether the body may set `createdAt` (the date a post is shown with).
    pub dated: bool,
    pub fields: &'static [Field],
}

/// The order of a public list. [`super::item::sort_for_admin`] defines the order in the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// `sortOrder`, then `createdAt`, then id.
    Sorted,
    /// `createdAt` descending, then id.
    NewestFirst,
}

/// The page path of an item.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Path before the key: `/evento/`.
    pub prefix: &'static str,
    /// Name of the field that is the key; `None` when it is the id.
    pub key: Option<&'static str>,
}

/// A field of a collection or of the settings: its name, type and limits.
#[derive(Debug)]
pub struct Field {
    /// camelCase, as in JSON.
    pub name: &'static str,
    /// Italian, as people see it in messages.
    pub label: &'static str,
    pub holds: FieldType,
    pub required: bool,
    pub audience: Audience,
}

/// The least privileged audience that sees a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Visitors, in lists and in details.
    Everyone,
    /// Visitors, in the detail answer only: too large for a list.
    Detail,
    /// The admin only.
    Admin,
}

/// The type of a field and its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// One line.
    Line {
        characters_max: usize,
    },
    /// Several lines; newlines are kept.
    Lines {
        characters_max: usize,
    },
    /// Markdown, rendered to a safe subset of HTML.
    Markdown {
        characters_max: usize,
    },
    /// `http` or `https` address.
    Url,
    /// An e-mail address.
    Email,
    /// A telephone number, kept in E.164.
    Phone,
    /// Part of a path: lower-case letters, digits and single hyphens; unique within the collection.
    Slug,
    /// One of a fixed list of words.
    Choice {
        words: &'static [&'static str],
    },
    /// A word of the list, or another short line that the admin writes.
    OpenChoice {
        words: &'static [&'static str],
        characters_max: usize,
    },
    /// A price: an amount (`45`, `45,50`, `45 CHF`), an amount with a note (`15 € a persona`), or
    /// words (`offerta libera`).
    Price,
    Integer {
        min: i64,
        max: i64,
        default: i64,
    },
    /// A whole number from 0 that may be absent.
    Count {
        max: i64,
    },
    Boolean {
        default: bool,
    },
    /// The path of a finished upload, `/objects/uploads/{id}`.
    Picture,
}

impl Collection {
    /// Every field of the collection, the picture's own included.
    pub fn all_fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let picture: &'static [Field] = if self.picture { PICTURE_FIELDS } else { &[] };
        self.fields.iter().chain(picture)
    }

    /// Maximum length of this field in characters; 0 when it holds no text.
    pub fn characters_max(&self, name: &str) -> usize {
        let field = self.all_fields().find(|field| field.name == name);
        match field.map(|field| field.holds) {
            Some(
                FieldType::Line { characters_max }
                | FieldType::Lines { characters_max }
                | FieldType::Markdown { characters_max }
                | FieldType::OpenChoice { characters_max, .. },
            ) => characters_max,
            _ => 0,
        }
    }

    /// The field that holds the slug, when the collection has one.
    pub fn slug_field(&self) -> Option<&'static Field> {
        self.fields
            .iter()
            .find(|field| field.holds == FieldType::Slug)
    }
}

impl Field {
    pub(super) const fn required(
        name: &'static str,
        label: &'static str,
        holds: FieldType,
    ) -> Self {
        Self {
            name,
            label,
            holds,
            required: true,
            audience: Audience::Everyone,
        }
    }

    pub(super) const fn optional(
        name: &'static str,
        label: &'static str,
        holds: FieldType,
    ) -> Self {
        Self {
            name,
            label,
            holds,
            required: false,
            audience: Audience::Everyone,
        }
    }

    pub(super) const fn for_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }
}

/// Fields that come with `imageUrl`; visitors see them inside `image`.
pub const PICTURE_FIELDS: &[Field] = &[
    Field::optional(
        "imageAlt",
        "Testo alternativo",
        FieldType::Line {
            characters_max: 300,
        },
    )
    .for_audience(Audience::Admin),
    Field::optional(
        "imageDecorative",
        "Immagine decorativa",
        FieldType::Boolean { default: false },
    )
    .for_audience(Audience::Admin),
    Field::optional(
        "imageFocusX",
        "Punto da non tagliare, da sinistra",
        FieldType::Integer {
            min: 0,
            max: 100,
            default: 50,
        },
    )
    .for_audience(Audience::Admin),
    Field::optional(
        "imageFocusY",
        "Punto da non tagliare, dall’alto",
        FieldType::Integer {
            min: 0,
            max: 100,
            default: 50,
        },
    )
    .for_audience(Audience::Admin),
];
