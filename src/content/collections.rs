//! Defines the collections: one row each. Storage, API, panel and pages derive from the row.

use super::schema::{Audience, Collection, Field, FieldType, LINE_CHARACTERS_MAX, Order, Page};

const LINE: FieldType = FieldType::Line {
    characters_max: LINE_CHARACTERS_MAX,
};
const SHORT_TEXT: FieldType = FieldType::Lines {
    characters_max: 1_000,
};

/// Categories of a blog post (specification, section 2, Blog). The admin may write others.
pub const BLOG_CATEGORIES: &[&str] = &["Tecniche", "Guarigione", "Spiritualità", "Benessere"];

/// Allowed attendance modes of an event.
pub const EVENT_MODES: &[&str] = &["In presenza", "Online", "In presenza e online"];

/// The page that shows every collection except events and blog posts.
const TESTIMONIALS_PAGE: &str = "/testimonianze";

const IMAGE_URL: Field = Field::required("imageUrl", "Immagine", FieldType::Picture);
const OPTIONAL_IMAGE_URL: Field = Field::optional("imageUrl", "Immagine", FieldType::Picture);
const FILENAME: Field = Field::optional("filename", "Nome del file", LINE);
const TITLE: Field = Field::optional("title", "Titolo", LINE);
const DESCRIPTION: Field = Field::optional("description", "Descrizione", SHORT_TEXT);

pub const COLLECTIONS: &[Collection] = &[
    Collection {
        number: 1,
        slug: "course-testimonials",
        published_by_default: true,
        picture: false,
        order: Order::Sorted,
        list: Some(TESTIMONIALS_PAGE),
        page: None,
        dated: false,
        fields: &[
            Field::required("name", "Nome", LINE),
            Field::required(
                "testimonial",
                "Testimonianza",
                FieldType::Lines {
                    characters_max: 5_000,
                },
            ),
            Field::optional("profession", "Professione", LINE),
            Field::optional(
                "rating",
                "Valutazione",
                FieldType::Integer {
                    min: 1,
                    max: 5,
                    default: 5,
                },
            ),
        ],
    },
    Collection {
        number: 2,
        slug: "photo-gallery",
        published_by_default: true,
        picture: true,
        order: Order::Sorted,
        list: Some(TESTIMONIALS_PAGE),
        page: None,
        dated: false,
        fields: &[IMAGE_URL, FILENAME, TITLE, DESCRIPTION],
    },
    Collection {
        number: 3,
        slug: "special-thanks",
        published_by_default: true,
        picture: true,
        order: Order::Sorted,
        list: Some(TESTIMONIALS_PAGE),
        page: None,
        dated: false,
        fields: &[IMAGE_URL, FILENAME, TITLE, DESCRIPTION],
    },
    Collection {
        number: 4,
        slug: "media-features",
        published_by_default: true,
        picture: true,
        order: Order::Sorted,
        list: Some(TESTIMONIALS_PAGE),
        page: None,
        dated: false,
        fields: &[
            IMAGE_URL,
            FILENAME,
            TITLE,
            DESCRIPTION,
            Field::optional("externalUrl", "Link esterno", FieldType::Url),
        ],
    },
    Collection {
        number: 5,
        slug: "events",
        published_by_default: false,
        picture: true,
        order: Order::Sorted,
        list: Some("/eventi"),
        page: Some(Page {
            prefix: "/evento/",
            key: None,
        }),
        dated: false,
        fields: &[
            OPTIONAL_IMAGE_URL,
            Field::required("title", "Titolo", LINE),
            Field::optional("description", "Descrizione breve", SHORT_TEXT),
            Field::optional(
                "content",
                "Informazioni dettagliate",
                FieldType::Lines {
                    characters_max: 20_000,
                },
            ),
            Field::optional("date", "Data", LINE),
            Field::optional("time", "Orario", LINE),
            Field::optional("location", "Luogo", LINE),
            Field::optional("mapUrl", "Link alla mappa", FieldType::Url),
            Field::optional(
                "mode",
                "Come si partecipa",
                FieldType::Choice { words: EVENT_MODES },
            ),
            Field::optional("price", "Prezzo", FieldType::Price),
            Field::optional(
                "placesLeft",
                "Posti rimasti",
                FieldType::Count { max: 9_999 },
            ),
            Field::optional(
                "soldOut",
                "Posti esauriti",
                FieldType::Boolean { default: false },
            ),
            Field::optional(
                "cancelled",
                "Annullato",
                FieldType::Boolean { default: false },
            ),
            Field::optional("url", "Link per maggiori informazioni", FieldType::Url),
        ],
    },
    Collection {
        number: 6,
        slug: "blog",
        published_by_default: false,
        picture: true,
        order: Order::NewestFirst,
        list: Some("/blog"),
        page: Some(Page {
            prefix: "/blog/",
            key: Some("slug"),
        }),
        dated: true,
        fields: &[
            Field::required("slug", "Indirizzo dell’articolo", FieldType::Slug),
            Field::required("title", "Titolo", LINE),
            Field::optional("excerpt", "Riassunto", SHORT_TEXT),
            Field::optional(
                "category",
                "Categoria",
                FieldType::OpenChoice {
                    words: BLOG_CATEGORIES,
                    characters_max: 40,
                },
            ),
            OPTIONAL_IMAGE_URL,
            Field::optional(
                "content",
                "Testo",
                FieldType::Markdown {
                    characters_max: 60_000,
                },
            )
            .for_audience(Audience::Detail),
        ],
    },
];

/// Newsletter messages. Edited and stored like other items but never shown on a page, so they are
/// not in [`COLLECTIONS`].
pub static NEWSLETTERS: Collection = Collection {
    number: 7,
    slug: "newsletters",
    published_by_default: false,
    picture: false,
    order: Order::NewestFirst,
    list: None,
    page: None,
    dated: false,
    fields: &[
        Field::optional("title", "Oggetto", LINE),
        Field::optional("preheader", "Riga di anteprima", LINE),
        Field::optional(
            "content",
            "Testo",
            FieldType::Markdown {
                characters_max: 60_000,
            },
        ),
        Field::optional(
            "buttonText",
            "Scritta del pulsante",
            FieldType::Line { characters_max: 80 },
        ),
        Field::optional("buttonUrl", "Dove porta", FieldType::Url),
    ],
};

/// Every collection that the data file stores.
pub fn stored_collections() -> impl Iterator<Item = &'static Collection> {
    COLLECTIONS.iter().chain([&NEWSLETTERS])
}

/// The collection with this slug.
pub fn collection_by_slug(slug: &str) -> Option<&'static Collection> {
    stored_collections().find(|collection| collection.slug == slug)
}

/// The collection with this number in the data file.
pub fn collection_by_number(number: u8) -> Option<&'static Collection> {
    stored_collections().find(|collection| collection.number == number)
}
