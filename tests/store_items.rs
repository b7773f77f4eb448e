//! Items, order, trash, slugs and pictures, over every kind of the table.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::redundant_closure_for_method_calls,
    reason = "a test stops where it fails, and a method path is not general enough for a view"
)]

use respiro::content::{Changes, FieldError, Holds, KINDS, Kind, Picture, StoredFile, Value};
use respiro::error::Error;
use respiro::store::{Direction, PictureUse, Store, check};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use tempfile::TempDir;

const NOW: i64 = 1_790_000_000_000;

struct House {
    _folder: TempDir,
    store: Store,
}

impl std::ops::Deref for House {
    type Target = Store;
    fn deref(&self) -> &Store {
        &self.store
    }
}

fn house() -> House {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("data/respiro.redb")).unwrap();
    House {
        _folder: folder,
        store,
    }
}

fn id() -> String {
    respiro::auth::token::id().unwrap()
}

fn picture(name: &str, bytes: &[u8]) -> (Picture, Vec<(String, String, Vec<u8>)>) {
    let file = StoredFile {
        media_type: "image/jpeg".to_owned(),
        hash: Sha256::digest(bytes).into(),
        bytes: bytes.len() as u64,
    };
    let picture = Picture {
        id: name.to_owned(),
        width: 4,
        height: 3,
        placeholder: "data:,".to_owned(),
        widths: vec![],
        media_type: "image/jpeg".to_owned(),
        created_at: NOW,
        files: BTreeMap::from([("main".to_owned(), file)]),
    };
    let files = vec![("main".to_owned(), "image/jpeg".to_owned(), bytes.to_vec())];
    (picture, files)
}

impl House {
    fn picture(&self, bytes: &[u8]) -> String {
        let id = id();
        let (picture, files) = picture(&id, bytes);
        self.write(|writer| writer.put_picture(picture, files))
            .unwrap();
        id
    }

    fn create(&self, kind: &'static Kind, changes: Changes) -> respiro::content::Item {
        self.write(|writer| writer.create_item(kind, changes, id(), NOW))
            .unwrap()
            .0
    }

    fn ids(&self, kind: &Kind) -> Vec<String> {
        let items = self.read(|reader| reader.items(kind)).unwrap();
        items.into_iter().map(|item| item.id).collect()
    }
}

/// Values for every required field of a kind, and its picture.
fn changes(kind: &Kind, picture: &str, number: usize) -> Changes {
    let mut changes = Changes::default();
    for field in kind.all_fields() {
        let value = match field.holds {
            Holds::Picture => Value::Picture(picture.to_owned()),
            Holds::Slug => Value::Text(format!("indirizzo-{number}")),
            _ if field.required => Value::Text(format!("{} {number}", field.label)),
            _ => continue,
        };
        changes.values.insert(field.name, Some(value));
    }
    changes
}

#[test]
fn every_kind_takes_orders_moves_deletes_and_restores_items() {
    let house = house();
    let photo = house.picture(b"photo");
    for kind in KINDS {
        let created: Vec<String> = (0..5)
            .map(|number| house.create(kind, changes(kind, &photo, number)))
            .zip(0_i64..)
            .map(|(item, number)| {
                assert_eq!(item.sort_order, number);
                assert_eq!(item.published, kind.born_published);
                item.id
            })
            .collect();
        assert_eq!(house.ids(kind), created);

        let up =
            |id: &str| house.write(|writer| writer.move_item(kind, id, Direction::Up, NOW + 1));
        assert_eq!(up(&created[3]).unwrap().0.sort_order, 2);
        assert_eq!(up(&created[0]).unwrap().0.sort_order, 0);
        let expected = [0, 1, 3, 2, 4].map(|index: usize| created[index].clone());
        assert_eq!(house.ids(kind), expected);
        let reversed: Vec<String> = created.iter().rev().cloned().collect();
        house
            .write(|writer| writer.order_items(kind, &reversed, NOW))
            .unwrap();
        assert_eq!(house.ids(kind), reversed);

        house
            .write(|writer| writer.delete_item(kind, &created[1], NOW))
            .unwrap();
        assert_eq!(house.ids(kind).len(), 4);
        let trash = house.read(|reader| reader.trash()).unwrap();
        assert_eq!(trash.len(), 1);
        assert_eq!(
            (trash[0].kind.slug, trash[0].item.id.as_str()),
            (kind.slug, created[1].as_str())
        );
        house
            .write(|writer| writer.restore_item(&created[1], NOW))
            .unwrap();
        assert_eq!(house.ids(kind), reversed, "it comes back to its own place");
    }
    assert_eq!(
        house.read(|reader| reader.picture_use(&photo)).unwrap(),
        PictureUse::Live
    );
    let path = house.path().to_owned();
    let House { _folder, store } = house;
    drop(store);
    assert_eq!(check(&path).unwrap().counts["blog"], 5);
}

#[test]
fn a_missing_picture_and_a_taken_slug_are_named_field_by_field() {
    let house = house();
    let blog = respiro::content::kind_by_slug("blog").unwrap();
    let photo = house.picture(b"photo");
    house.create(blog, changes(blog, &photo, 1));
    let refused =
        house.write(|writer| writer.create_item(blog, changes(blog, &id(), 1), id(), NOW));
    let Err(Error::Invalid(errors)) = refused else {
        panic!("{refused:?}")
    };
    let fields: Vec<&str> = errors
        .iter()
        .map(|error: &FieldError| error.field.as_str())
        .collect();
    assert_eq!(fields, ["imageUrl", "slug"]);
    assert_eq!(house.ids(blog).len(), 1);
}
