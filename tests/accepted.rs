//! Tests that accepted input is stored in a form that is accepted again: the answer to a save can
//! be sent back unchanged, a version can be restored, and an export can be imported. The random
//! seeds are fixed, so that a failure is reproducible.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use respiro::ui_assets;
use respiro_content::blocks::{Change, Field, FieldType, Strictness, validate};
use respiro_content::settings::SETTINGS;
use respiro_content::value::value_json;
use respiro_content::{COLLECTIONS, Value, collection_by_slug, validation as check_field};
use respiro_db::Store;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::process::{Command, Output};
use support::{NOW, changes, create};

const ROUNDS: usize = 16;
/// Fragments of the generated texts: markup, links that are rewritten, characters that are removed.
const PIECES: &[&str] = &[
    "parole ",
    "è",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "    ",
    "- ",
    "1. ",
    "> ",
    "# ",
    "*",
    "**",
    "_",
    "`",
    "```\n",
    "~~",
    "\\",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "![",
    "[x][d]",
    "[d]",
    "&amp;",
    "<b>",
    "\"",
    "'",
    "\u{200b}",
    "\u{200d}",
    "\u{ad}",
    "\u{feff}",
    "👩",
    "\u{fe0f}",
    "🧘🏽‍♀️",
    "<tel:3331234567>",
    "[x](tel:333-12.34567)",
    "[*x* `]`](<tel:3331234567> \"titolo\")",
    "<https://wa.me/3331234567>",
    "[y](https://wa.me/3331234567?text=(a))",
    "[](tel:3331234567)",
    "![z](tel:3331234567)",
    "\n\n[d]: tel:3331234567\n\n",
    "https://e.it/a?b=c&d=e",
    "tel:3331234567",
    "[mail](mailto:a@b.it)",
    "7",
    "+39 333 123 4567",
    "95,50",
    "€",
    "a@b.it",
    "404",
    "2026",
];

/// Xorshift generator (Marsaglia) with a fixed seed.
struct Chance {
    number: u64,
    /// When set, `text` repeats this fragment up to the length limit.
    filling: Option<&'static str>,
}

impl Chance {
    const fn from(number: u64) -> Self {
        Self {
            number,
            filling: None,
        }
    }

    fn below(&mut self, end: usize) -> usize {
        self.number ^= self.number << 13;
        self.number ^= self.number >> 7;
        self.number ^= self.number << 17;
        usize::try_from(self.number % (end as u64)).unwrap()
    }

    fn text(&mut self, max: usize) -> String {
        if let Some(piece) = self.filling {
            return piece.repeat(max / piece.chars().count());
        }
        // One fragment repeated, up to the limit and beyond.
        if self.below(8) == 0 {
            let piece = PIECES[self.below(PIECES.len())];
            return piece.repeat(1 + self.below(max * 5 / 4 / piece.chars().count() + 1));
        }
        (0..=self.below(9))
            .map(|_| PIECES[self.below(PIECES.len())])
            .collect()
    }

    /// Returns a text that sometimes contains references to settings.
    fn words(&mut self, max: usize) -> Json {
        match self.below(4) {
            0 if self.filling.is_none() => json!({ "text": [
                self.text(max), { "setting": "practitioner" }, self.text(20), self.text(20),
                { "either": [[self.text(20), { "setting": "towns" }], [self.text(20)]] },
                self.text(20),
            ] }),
            _ => json!(self.text(max)),
        }
    }

    fn value(&mut self, fields: &[Field], like: &Json) -> Json {
        let mut value = like.clone();
        for field in fields {
            let own = &mut value[&field.name];
            match &field.holds {
                FieldType::Line { max }
                | FieldType::Paragraphs { max }
                | FieldType::RichText { max } => {
                    *own = self.words(*max);
                }
                FieldType::Link => *own = json!(self.text(40)),
                FieldType::List { fields, .. } => {
                    let entries = own.as_array_mut().into_iter().flatten();
                    entries.for_each(|entry| *entry = self.value(fields, entry));
                }
                _ => {}
            }
        }
        value
    }
}

/// Regression: `<tel:…>` was stored at twice its length, so the answer to a save, the version and
/// the site's own export were refused when sent back.
#[test]
fn words_that_are_taken_are_taken_again_as_they_are_kept() {
    let mut chance = Chance::from(0x9e37_79b9_7f4a_7c15);
    let (mut taken, mut changed) = (0, 0);
    for block in &ui_assets::block_definitions().unwrap().list {
        for field in &block.fields {
            let fillings = PIECES.iter().filter(|piece| piece.contains("3331"));
            let fillings = fillings.map(|piece| Some(*piece));
            for filling in fillings.chain([None; ROUNDS]) {
                chance.filling = filling;
                // One field at a time, because one invalid field refuses the whole value.
                let fields = std::slice::from_ref(field);
                let value = chance.value(fields, &block.default);
                for care in [Strictness::Published, Strictness::Moved] {
                    let Ok(kept) = validate(block, &value, care, &mut || None) else {
                        continue;
                    };
                    taken += 1;
                    changed += usize::from(kept != value);
                    for care in [care, Strictness::Moved] {
                        let again = validate(block, &kept, care, &mut || None);
                        assert_eq!(again.as_ref(), Ok(&kept), "{} {value}", block.id);
                    }
                }
            }
        }
    }
    assert!(taken > 1_000 && changed > 300, "{taken} {changed}");
}

#[test]
fn fields_that_are_taken_are_taken_again_as_they_are_kept() {
    let mut chance = Chance::from(0x2545_f491_4f6c_dd1d);
    let mut taken = 0;
    let collections = COLLECTIONS
        .iter()
        .flat_map(|collection| collection.all_fields());
    for field in collections.chain(SETTINGS.iter().map(|setting| &setting.field)) {
        for _ in 0..240 {
            let text = json!(chance.text(40));
            let Ok(Some(kept)) = check_field::value(field, &text) else {
                continue;
            };
            taken += 1;
            let again = check_field::value(field, &value_json(&kept));
            assert_eq!(again, Ok(Some(kept)), "{} {text}", field.name);
        }
    }
    assert!(taken > 1_000, "{taken}");
}

fn respiro(data: &Path, arguments: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_respiro"));
    let command = command.env_clear().arg("--data").arg(data);
    let output = command.args(arguments).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    output
}

#[test]
fn an_export_of_what_was_taken_is_an_import() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let store = Store::open(&path("one.redb")).unwrap();
    let blog = collection_by_slug("blog").unwrap();
    // The first item is deleted, a second one takes its slug, and the first is restored.
    for slug in ["a".repeat(120), format!("{}-b", "a".repeat(117))] {
        let mut article = changes(blog, "", 1);
        article.values.remove("imageUrl");
        article
            .values
            .insert("slug", Some(Value::Text(slug.clone())));
        for _ in 0..2 {
            let id = create(&store, blog, article.clone()).id;
            store
                .write(|writer| writer.items().delete(blog, &id, NOW))
                .unwrap();
        }
    }
    for trashed in store.read(|reader| reader.trash().list()).unwrap() {
        let back = store.write(|writer| writer.trash().restore(&trashed.item.id, NOW));
        let (_, item) = back.unwrap().0;
        let slug = json!(item.text("slug").unwrap());
        let field = blog.slug_field().unwrap();
        let kept = check_field::value(field, &slug).unwrap().unwrap();
        assert_eq!(value_json(&kept), slug);
    }
    let mut chance = Chance::from(0xd1b5_4a32_d192_ed03);
    for block in &ui_assets::block_definitions().unwrap().list {
        for _ in 0..60 {
            let field = &block.fields[chance.below(block.fields.len())];
            let value = chance.value(std::slice::from_ref(field), &block.default);
            let Ok(kept) = validate(block, &value, Strictness::Published, &mut || None) else {
                continue;
            };
            let saved = Change {
                value: Some(Some(kept)),
                ..Change::default()
            };
            store
                .write(|writer| {
                    writer
                        .content_blocks()
                        .change(block, saved, NOW, "")
                        .map(drop)
                })
                .unwrap();
            break;
        }
    }
    drop(store);
    respiro(&path("one.redb"), &[Path::new("export"), &path("out")]);
    respiro(&path("two.redb"), &[Path::new("import"), &path("out")]);
    respiro(&path("two.redb"), &[Path::new("export"), &path("again")]);
    let read = |name: &str| -> Json {
        let text = std::fs::read(path(name).join("respiro.json")).unwrap();
        serde_json::from_slice(&text).unwrap()
    };
    let (out, again) = (read("out"), read("again"));
    assert_eq!(out["items"], again["items"]);
    assert_eq!(out["words"], again["words"]);
    assert!(out["items"]["blog"].as_array().unwrap().len() == 4);
}
