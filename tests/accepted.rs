//! What is taken is kept in a form that is taken again: the answer to a save can be sent back as it
//! stands, a version can return, and an export is an import. Always the same texts, so that a
//! failure comes back.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

mod house;

use house::{NOW, changes, create};
use respiro::block_definitions;
use respiro::content::blocks::{Change, Field, FieldType, Strictness, validate};
use respiro::content::settings::SETTINGS;
use respiro::content::value::value_json;
use respiro::content::{KINDS, Value, kind_by_slug, validation as check_field};
use respiro::store::Store;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::process::{Command, Output};

const ROUNDS: usize = 16;
/// What texts are made of here: notation, links that are written anew, signs that go.
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

/// Marsaglia's xorshift: the same numbers each time.
struct Chance {
    number: u64,
    /// What fills every text up to its limit.
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
        // Some of one thing over and over, up to the limit and beyond.
        if self.below(8) == 0 {
            let piece = PIECES[self.below(PIECES.len())];
            return piece.repeat(1 + self.below(max * 5 / 4 / piece.chars().count() + 1));
        }
        (0..=self.below(9))
            .map(|_| PIECES[self.below(PIECES.len())])
            .collect()
    }

    /// A text with settings in it now and then.
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

/// `<tel:…>` was kept at twice its length: what had been answered was refused when it came back,
/// and so were that version and the site's own export.
#[test]
fn words_that_are_taken_are_taken_again_as_they_are_kept() {
    let mut chance = Chance::from(0x9e37_79b9_7f4a_7c15);
    let (mut taken, mut changed) = (0, 0);
    for block in &block_definitions::table().unwrap().list {
        for field in &block.fields {
            let fillings = PIECES.iter().filter(|piece| piece.contains("3331"));
            let fillings = fillings.map(|piece| Some(*piece));
            for filling in fillings.chain([None; ROUNDS]) {
                chance.filling = filling;
                // One field each time: a value is refused for any of them.
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
    let kinds = KINDS.iter().flat_map(|kind| kind.all_fields());
    for field in kinds.chain(SETTINGS.iter().map(|setting| &setting.field)) {
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
    let blog = kind_by_slug("blog").unwrap();
    // Deleted, its address taken by another, and brought back.
    for slug in ["a".repeat(120), format!("{}-b", "a".repeat(117))] {
        let mut article = changes(blog, "", 1);
        article.values.remove("imageUrl");
        article
            .values
            .insert("slug", Some(Value::Text(slug.clone())));
        for _ in 0..2 {
            let id = create(&store, blog, article.clone()).id;
            store
                .write(|writer| writer.delete_item(blog, &id, NOW))
                .unwrap();
        }
    }
    for trashed in store.read(|reader| reader.trash()).unwrap() {
        let back = store.write(|writer| writer.restore_item(&trashed.item.id, NOW));
        let (_, item) = back.unwrap().0;
        let slug = json!(item.text("slug").unwrap());
        let field = blog.slug_field().unwrap();
        let kept = check_field::value(field, &slug).unwrap().unwrap();
        assert_eq!(value_json(&kept), slug);
    }
    let mut chance = Chance::from(0xd1b5_4a32_d192_ed03);
    for block in &block_definitions::table().unwrap().list {
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
                .write(|writer| writer.change_block(block, saved, NOW, "").map(drop))
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
