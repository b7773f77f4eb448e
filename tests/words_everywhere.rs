//! Tests that every text of the public site can be edited: a site whose blocks are all changed
//! shows no text of the program except its labels.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

use respiro::ui_assets;
use respiro_content::blocks::{
    BlockDefinition, Field, FieldType, PublishedBlock, Strictness, validate,
};
use respiro_content::{
    Changes, Entry, Item, Picture, Pictures, RequestLog, Settings, Snapshot, collection_by_slug,
};
use respiro_publish::{Publisher, SocialPicture};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const NOW: i64 = 1_795_000_000_000;
const DAY_MS: i64 = 86_400_000;

/// The program's own texts on public pages (`control-labels.ts`, `content/`), each with its reason.
const PROGRAM: &[(&str, &[&str])] = &[
    (
        "names of the programs that can follow the calendar",
        &[
            "iPhone, iPad e Mac",
            "Google Calendar (anche per Android)",
            "Outlook",
            "In un altro programma, copia questo indirizzo:",
        ],
    ),
    (
        "names for screen readers and buttons that only work",
        &[
            "Chiudi e continua con i soli strumenti necessari",
            "Chiudi la notifica",
            "Chiudi il menu",
            "Chiudi",
            "Vai al contenuto",
            "Torna all'inizio della pagina",
            "si apre in una nuova scheda",
            "Navigazione principale",
            "Apri il menu",
            "Notifiche (F8)",
            "Scegli l'immagine",
            "Mostra l'immagine",
            "di",
            "Ferma le animazioni",
            "Durata",
            "Prezzo",
            "Temi",
            "Tappe precedenti",
            "Tappe successive",
            "Mostra i benefici",
            "Torna al titolo",
            "Che cosa comprende",
            "Valutazione:",
            "su 5",
            "Leggi tutto: testimonianza di",
            "Leggi tutto",
            "Precedente",
            "Successivo",
            "Scegli la pagina da vedere",
            "Vai alla pagina",
            "Ingrandisci l'immagine:",
            "Data",
            "Orario",
            "Luogo",
            "Immagine dell'articolo:",
            "Informativa breve sui cookie",
            "La tua scelta",
            "Menu",
        ],
    ),
    (
        "the parts of long lists, sharing, how long a text takes",
        &[
            "Pagine",
            "Pagina precedente",
            "Pagina successiva",
            "pagina",
            "Pagina",
            "Condividi",
            "Aggiungi al calendario",
            "minuto di lettura",
            "minuti di lettura",
        ],
    ),
    (
        "screens of what went wrong",
        &[
            "404 Page Not Found",
            "Did you forget to add the page to the router?",
            "Torna alla Home",
            "Evento Non Trovato",
            "L'evento che stai cercando non esiste o è stato rimosso.",
            "Torna agli eventi",
            "Articolo Non Trovato",
            "L'articolo che stai cercando non esiste o è stato rimosso.",
            "Torna al blog",
            "Collegamento non valido",
            "Questo collegamento è scaduto o non è intero. Aprilo di nuovo dal messaggio, oppure iscriviti ancora dalla pagina Blog: ne riceverai uno nuovo.",
            "Vai al blog",
            "Hai già confermato",
            "Non serve altro: la tua iscrizione è attiva.",
            "L'iscrizione è già cancellata",
            "Non ricevi più la newsletter a questo indirizzo.",
            "Riprova tra poco",
            "Adesso il sito non riesce a registrare la tua scelta. Il collegamento resta valido: riprova tra qualche minuto.",
            "Collegamento non intero",
            "Aprilo di nuovo dal messaggio, oppure rispondi all'e-mail ricevuta: ti cancello io.",
            "Aprilo di nuovo dal messaggio. Se non funziona scrivi a",
            "ti cancello io.",
            "Scrivi un'e-mail",
        ],
    ),
    (
        "what a personal link opens says what the program does with what is written there",
        &[
            "Racconta com'è stato",
            "Questa pagina è solo per te. Quello che scrivi viene letto prima di essere pubblicato.",
            "Grazie",
            "Le tue parole sono arrivate. Verranno lette con calma; se saranno pubblicate, le troverai nella pagina Testimonianze.",
            "Vuoi cambiarle o ritirarle? Scrivi a",
            "o rispondi al messaggio con cui hai ricevuto il link.",
            "Vuoi cambiarle o ritirarle? Rispondi al messaggio con cui hai ricevuto il link.",
            "Vai al sito",
            "Il link è scaduto",
            "Valeva 30 giorni. Se vuoi ancora scrivere, rispondi al messaggio con cui l'hai ricevuto: te ne arriva uno nuovo.",
            "Hai già scritto",
            "Da questo link una testimonianza è già arrivata: grazie. Per cambiarla rispondi al messaggio con cui l'hai ricevuto.",
            "Testimonianza ritirata",
            "Non è più sul sito e verrà eliminata entro 30 giorni.",
            "Il link non vale più",
            "È stato annullato o sostituito. Se vuoi scrivere, rispondi al messaggio con cui l'hai ricevuto.",
            "Il link non è intero",
            "Aprilo di nuovo dal messaggio, oppure copialo tutto fino all'ultimo carattere.",
            "Ritira la testimonianza",
            "Ritirare la testimonianza?",
            "Se è pubblicata lascia subito il sito. Non serve un motivo.",
            "Ritira",
        ],
    ),
    (
        "what a consent was given to is kept with it, word by word",
        &[
            "Iscrivendoti accetti di ricevere per e-mail gli articoli e gli appuntamenti di",
            ", anche a pagamento. Puoi cancellarti quando vuoi, da ogni e-mail.",
        ],
    ),
    (
        "what the landscape on link previews shows, where she has not described it herself",
        &["Colline sotto un sole basso"],
    ),
    (
        "names of months, of ways to take part, of the feed",
        &["novembre", "Home", "In presenza e online", "Blog"],
    ),
];

/// Texts that are only in the page data: shown after an action of the visitor, or on a static host.
const LATER: &[&str] = &[
    "cookies.banner:",
    "cookies.preferences:",
    "blog.newsletter:success",
    "blog.newsletter:asked",
    "blog.newsletter:invalid",
    "blog.newsletter:failure",
    "blog.newsletter:elsewhere",
    "testimonianze.disclosure:asked",
];

/// Texts of e-mails, which are on no page (`tests/api/newsletter.rs`).
const IN_LETTERS: &str = "newsletter.letters:";

/// A field and the text that replaces its content.
struct Marker {
    place: String,
    needle: String,
}

#[derive(Default)]
struct Marking {
    markers: Vec<Marker>,
    pictures: Pictures,
    /// Whether optional fields are left empty.
    is_sparse: bool,
    /// Whether no field has a picture: shared links then show a generated picture with text.
    is_drawn: bool,
}

impl Marking {
    fn next(&mut self, place: &str, needle: impl Fn(usize) -> String) -> String {
        let needle = needle(self.markers.len());
        self.markers.push(Marker {
            place: place.to_owned(),
            needle: needle.clone(),
        });
        needle
    }

    fn value(&mut self, definition: &BlockDefinition) -> Json {
        let at = format!("{}:", definition.id);
        let marked = self.group(&definition.fields, &definition.default, &at);
        let kept = validate(definition, &marked, Strictness::Published, &mut || None);
        kept.unwrap_or_else(|errors| panic!("{}: {errors:?}", definition.id))
    }

    fn group(&mut self, fields: &[Field], default: &Json, at: &str) -> Json {
        let mut marked = Map::new();
        for field in fields {
            let own = &default[&field.name];
            let value = self.field(field, own, &format!("{at}{}", field.name));
            marked.insert(field.name.clone(), value);
        }
        Json::Object(marked)
    }

    fn field(&mut self, field: &Field, default: &Json, place: &str) -> Json {
        let is_drawn = self.is_drawn && matches!(field.holds, FieldType::Picture);
        if is_drawn || (self.is_sparse && !field.required) {
            return Json::Null;
        }
        match &field.holds {
            // Keeps defaults that name another entry, or that state that a setting is unknown.
            FieldType::Line { .. } if field.name == "offer" => default.clone(),
            FieldType::Link if self.is_sparse && default.is_object() => default.clone(),
            FieldType::Line { .. } | FieldType::Paragraphs { .. } | FieldType::RichText { .. } => {
                json!(self.next(place, |n| format!("M{n}M")))
            }
            FieldType::Link => json!(self.next(place, |n| format!("/m{n}m"))),
            FieldType::Amount => {
                let euro = self.next(place, |n| format!("7{n:04}"));
                let (thousands, rest) = euro.split_at(2);
                self.markers.last_mut().unwrap().needle = format!("{thousands}.{rest} €");
                json!({ "cents": euro.parse::<u64>().unwrap() * 100, "currency": "EUR" })
            }
            FieldType::Picture => {
                let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
                let id = self.next(place, |n| {
                    format!(
                        "{}{}{}{}",
                        letter(n / 676),
                        letter(n / 26),
                        letter(n),
                        "x".repeat(23)
                    )
                });
                self.pictures.insert(id.clone(), picture(&id));
                let alt = self.next(&format!("{place} (alternative text)"), |n| format!("M{n}M"));
                json!({ "path": format!("/objects/uploads/{id}"), "alt": alt,
                    "decorative": false, "focusX": 50, "focusY": 50 })
            }
            FieldType::List { fields, .. } => {
                let nothing = vec![json!({ "id": "one" })];
                let entries = default.as_array().filter(|list| !list.is_empty());
                let entries = entries.unwrap_or(&nothing);
                let marked = entries.iter().enumerate().map(|(index, entry)| {
                    let mut marked = self.group(fields, entry, &format!("{place}[{index}]."));
                    marked["id"] = entry["id"].clone();
                    marked
                });
                marked.collect()
            }
            FieldType::Choice { choices } if default.is_null() => json!(choices[0]),
            FieldType::Integer { min, .. } if default.is_null() => json!(min),
            FieldType::Choice { .. }
            | FieldType::Entry { .. }
            | FieldType::Integer { .. }
            | FieldType::Year => default.clone(),
        }
    }
}

fn picture(id: &str) -> Picture {
    Picture {
        id: id.to_owned(),
        width: 1600,
        height: 1000,
        placeholder: String::new(),
        widths: vec![640],
        media_type: "image/webp".to_owned(),
        created_at: NOW,
        files: BTreeMap::new(),
    }
}

/// Text of items, which are not blocks of the site.
const OF_ITEMS: &str = "X1X";

fn put(snapshot: &mut Snapshot, slug: &str, id: &str, sort: usize, body: &Json) {
    let collection = collection_by_slug(slug).unwrap();
    let changes = Changes::parse(collection, body.as_object().unwrap()).unwrap();
    let mut item = Item::create(collection, changes, id.to_owned(), sort, NOW).unwrap();
    item.published = true;
    item.updated_at = NOW + 2 * DAY_MS;
    let own = "p".repeat(26);
    let entry = Entry::new(
        collection,
        item,
        Pictures::from([(own.clone(), picture(&own))]),
    );
    snapshot.apply(
        collection,
        BTreeMap::from([(entry.id.clone(), Some(entry))]),
    );
}

/// Adds items so that every part of a page is rendered.
fn fill(snapshot: &mut Snapshot) {
    let image = format!("/objects/uploads/{}", "p".repeat(26));
    for n in 0..26 {
        let id = format!("i{n}");
        let named = json!({ "name": OF_ITEMS, "testimonial": format!("{OF_ITEMS} ").repeat(90), "rating": 5 });
        put(snapshot, "course-testimonials", &id, n, &named);
        for slug in ["photo-gallery", "special-thanks", "media-features"] {
            let item = json!({ "title": OF_ITEMS, "imageUrl": image, "externalUrl": "https://x.example/" });
            put(snapshot, slug, &id, n, &item);
        }
        let post = json!({ "slug": format!("p{n}"), "title": OF_ITEMS, "excerpt": OF_ITEMS, "category": "Tecniche",
            "content": "# X1X\n\nX1X\n\n# X1X\n\nX1X\n\n# X1X\n\nX1X" });
        put(snapshot, "blog", &id, n, &post);
    }
    let bare = json!({ "slug": "bare", "title": OF_ITEMS, "content": OF_ITEMS, "imageUrl": image });
    put(snapshot, "blog", "bare", 30, &bare);
    for (id, more) in [
        (
            "full",
            json!({ "description": OF_ITEMS, "content": OF_ITEMS, "date": "15/9/2027",
            "time": "14:30", "location": OF_ITEMS, "url": "https://x.example/", "soldOut": true, "price": "20" }),
        ),
        (
            "off",
            json!({ "cancelled": true, "date": "16/9/2027 - 18/9/2027", "mode": "Online", "price": "0" }),
        ),
        ("none", json!({ "mode": "In presenza e online" })),
        (
            "many",
            json!({ "date": "10-11 e 17-18 aprile 2027", "location": OF_ITEMS }),
        ),
        ("past", json!({ "date": "15/9/2020" })),
    ] {
        let mut event = more;
        event["title"] = json!(OF_ITEMS);
        put(snapshot, "events", id, 0, &event);
    }
}

struct Told {
    site: Publisher,
    markers: Vec<Marker>,
}

/// Publishes the site with a marker in place of each text.
fn marked(is_sparse: bool, counts_visits: bool, hides: bool) -> Told {
    let mut marking = Marking {
        is_sparse,
        is_drawn: counts_visits && !is_sparse && !hides,
        ..Marking::default()
    };
    let settings = if is_sparse {
        json!({})
    } else {
        json!({ "brand": "X2X", "practitioner": "X2X", "phone": "+39 02 1234567", "email": "a@b.example",
            "whatsapp": "+39 333 1234567", "socialUrl": "https://x.example/", "vatNumber": "1", "address": "X2X" })
    };
    let mut snapshot = Snapshot {
        public_url: "https://respiro.example".to_owned(),
        settings: Settings::default()
            .merge(settings.as_object().unwrap())
            .unwrap(),
        counts_visits,
        copies_elsewhere: counts_visits,
        request_log: if counts_visits {
            RequestLog::Shortened
        } else {
            RequestLog::Full
        },
        block_definitions: ui_assets::block_definitions().ok(),
        ..Snapshot::default()
    };
    for definition in &ui_assets::block_definitions().unwrap().list {
        let value = marking.value(definition);
        let hidden = hides && definition.hideable;
        let shown = PublishedBlock::new(definition, Some(value), hidden, &marking.pictures);
        snapshot
            .blocks
            .insert(definition.id.clone(), Arc::new(shown));
    }
    if !is_sparse {
        fill(&mut snapshot);
    }
    let site = Publisher::start_with(ui_assets::bundle().unwrap()).unwrap();
    site.publish(snapshot, NOW).unwrap();
    Told {
        site,
        markers: marking.markers,
    }
}

/// Returns every page and screen by its path.
fn pages(site: &Publisher) -> Vec<(String, String)> {
    let pages = site.pages().unwrap();
    let made = pages.all().filter_map(|slot| {
        let page = site.obtain(&pages, slot);
        let text = String::from_utf8(page.identity().bytes.to_vec()).ok()?;
        text.contains("<html").then(|| (slot.path.clone(), text))
    });
    made.collect()
}

/// Returns a page without the data that its script reads.
fn markup(page: &str) -> String {
    page.split("<script type=\"application/json\"")
        .next()
        .unwrap()
        .to_owned()
}

const SPOKEN: [&str; 4] = ["alt=\"", "title=\"", "aria-label=\"", "placeholder=\""];
const FACTS: [&str; 8] = [
    "name",
    "description",
    "jobTitle",
    "contactType",
    "serviceType",
    "headline",
    "articleSection",
    "founder",
];

/// Returns every text of a page that visitors, screen readers and search engines read.
fn spoken(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        found.push(plain(&rest[..start]));
        let end = start + end_of_tag(&rest[start..]);
        let tag = &rest[start..end];
        rest = &rest[end..];
        if tag.starts_with("<script") || tag.starts_with("<style") {
            let close = rest.find("</s").unwrap();
            if tag.contains("ld+json") {
                facts(&serde_json::from_str(&rest[..close]).unwrap(), &mut found);
            }
            rest = &rest[close..];
            continue;
        }
        let is_said = tag.starts_with("<meta")
            && (tag.contains("description")
                || tag.contains("keywords")
                || tag.contains(":title")
                || tag.contains(":alt"));
        let said: &[&str] = if is_said { &["content=\""] } else { &SPOKEN };
        for name in said {
            let value = tag.split_once(&format!(" {name}"));
            found.extend(value.map(|(_, value)| plain(value.split('"').next().unwrap())));
        }
    }
    found.retain(|text| !text.trim().is_empty());
    found
}

/// Returns the end of a tag. Attribute values may contain `>`.
fn end_of_tag(html: &str) -> usize {
    let mut is_quoted = false;
    let end = html.find(|c| {
        is_quoted ^= c == '"';
        c == '>' && !is_quoted
    });
    end.map_or(html.len(), |end| end + 1)
}

fn facts(json: &Json, found: &mut Vec<String>) {
    match json {
        Json::Array(list) => list.iter().for_each(|one| facts(one, found)),
        Json::Object(object) => {
            for (name, value) in object {
                match value.as_str() {
                    Some(text) if FACTS.contains(&name.as_str()) => found.push(plain(text)),
                    _ => facts(value, found),
                }
            }
        }
        _ => {}
    }
}

/// Returns a text as typed, before typography and escaping.
fn plain(html: &str) -> String {
    html.replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
        .replace(['\u{a0}', '\u{202f}'], " ")
        .replace('’', "'")
}

/// Returns the words of a text that are not markers, items, settings or labels of the program.
fn left_over(text: &str) -> String {
    let mut words: Vec<&str> = PROGRAM
        .iter()
        .flat_map(|(_, words)| words.iter().copied())
        .collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut left = text.to_owned();
    for known in [
        OF_ITEMS,
        "X2X",
        "Tecniche",
        "Respiro",
        "https://respiro.example/eventi.ics",
        "respiro.example",
        "a@b.example",
        "10-11 e 17-18 aprile 2027",
    ]
    .iter()
    .chain(&words)
    {
        let mut from = 0;
        while let Some(place) = left[from..].find(known).map(|place| from + place) {
            let end = place + known.len();
            let is_whole = !left[..place].ends_with(char::is_alphabetic)
                && !left[end..].starts_with(char::is_alphabetic);
            if is_whole {
                left.replace_range(place..end, " ");
            }
            from = place + 1;
            while !left.is_char_boundary(from.min(left.len())) {
                from += 1;
            }
            from = from.min(left.len());
        }
    }
    let words = left.split(|c: char| !c.is_alphanumeric());
    let is_word = |word: &&str| word.contains(char::is_alphabetic) && !is_marker(word);
    words.filter(is_word).collect::<Vec<_>>().join(" ")
}

fn is_marker(word: &str) -> bool {
    let number = word
        .strip_prefix('M')
        .and_then(|rest| rest.strip_suffix('M'));
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

#[test]
fn a_site_whose_words_are_all_changed_says_nothing_that_she_has_not_written() {
    let mut missing: BTreeMap<String, bool> = BTreeMap::new();
    let mut leaks = BTreeSet::new();
    for (is_sparse, counts_visits) in [(false, false), (false, true), (true, false)] {
        let told = marked(is_sparse, counts_visits, false);
        let all = pages(&told.site);
        let mut said = String::new();
        for (path, page) in &all {
            let markup = markup(page);
            for text in spoken(&markup) {
                let left = left_over(&text);
                if !left.is_empty() {
                    leaks.insert(format!("{path}: «{left}» in «{text}»"));
                }
            }
            said.push_str(&plain(&markup));
        }
        for path in [
            "home",
            "about",
            "services",
            "rebirthing",
            "testimonials",
            "events",
            "blog",
            "contact",
            "default",
        ] {
            if let Some(SocialPicture::ToDraw((title, _))) =
                told.site.social(&format!("/social/{path}.jpg"))
            {
                assert!(!title.is_empty(), "{path} is shared without a title");
                said.push_str(&title);
                said.push(' ');
            }
        }
        let data: String = all.iter().map(|(_, page)| page.as_str()).collect();
        let on_pages = told.markers.iter();
        let on_pages = on_pages.filter(|marker| !marker.place.starts_with(IN_LETTERS));
        for Marker { place, needle } in on_pages {
            let is_later = LATER.iter().any(|later| place.starts_with(later));
            let is_there = if is_later {
                data.contains(needle)
            } else {
                said.contains(needle)
            };
            *missing.entry(place.clone()).or_default() |= is_there;
        }
    }
    let missing: Vec<&String> = missing
        .iter()
        .filter(|(_, there)| !**there)
        .map(|(place, _)| place)
        .collect();
    assert!(
        missing.is_empty() && leaks.is_empty(),
        "not on any page:\n{missing:#?}\nnot hers:\n{leaks:#?}"
    );
}

#[test]
fn what_is_hidden_is_on_no_page_and_all_else_is() {
    let hides = marked(false, true, true);
    let all: String = pages(&hides.site)
        .into_iter()
        .map(|(_, page)| page)
        .collect();
    for Marker { place, needle } in &hides.markers {
        let block = place.split(':').next().unwrap();
        if ui_assets::block_definitions()
            .unwrap()
            .find(block)
            .unwrap()
            .hideable
        {
            assert!(!all.contains(needle), "{place} is hidden");
        }
    }
    for block in [
        "home.hero",
        "servizi.offers",
        "contatti.ways",
        "legal.privacy",
    ] {
        let own = hides
            .markers
            .iter()
            .find(|marker| marker.place.starts_with(block))
            .unwrap();
        assert!(all.contains(&own.needle), "{block} stays");
    }
}

/// A saved value that equals the default renders the same page.
#[test]
fn defaults_that_are_saved_give_the_same_pages_byte_for_byte() {
    let pages_with = |is_saved: bool| {
        let mut snapshot = Snapshot {
            public_url: "https://respiro.example".to_owned(),
            block_definitions: ui_assets::block_definitions().ok(),
            ..Snapshot::default()
        };
        fill(&mut snapshot);
        for definition in ui_assets::block_definitions()
            .unwrap()
            .list
            .iter()
            .filter(|_| is_saved)
        {
            let shown = PublishedBlock::new(
                definition,
                Some(definition.default.clone()),
                false,
                &Pictures::new(),
            );
            snapshot
                .blocks
                .insert(definition.id.clone(), Arc::new(shown));
        }
        let site = Publisher::start_with(ui_assets::bundle().unwrap()).unwrap();
        site.publish(snapshot, NOW).unwrap();
        pages(&site).into_iter().collect::<BTreeMap<_, _>>()
    };
    let fresh = pages_with(false);
    assert!(fresh.len() > 60 && fresh == pages_with(true));
}
