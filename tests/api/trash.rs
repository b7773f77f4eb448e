//! Tests of the trash, for every content kind.

use crate::helpers::TestApp;
use respiro_content::COLLECTIONS;
use serde_json::json;

#[tokio::test]
async fn a_deleted_item_comes_back_as_it_was() {
    let app = TestApp::start().await;
    for collection in COLLECTIONS {
        let item = app
            .create(collection, "uno", json!({ "published": true }))
            .await;
        let id = item["id"].as_str().unwrap();
        let path = format!("/api/admin/{}/{id}", collection.slug);
        assert_eq!(app.delete(&path).await.status, 204);
        app.get(&path).await.is(404);
        app.delete(&path).await.is(404);
        let public = format!("/api/{}", collection.slug);
        assert_eq!(
            app.visit(&public).await.json(),
            json!([]),
            "{}",
            collection.slug
        );
        let trash = app.get("/api/admin/trash").await.is(200).json();
        assert_eq!(trash[0]["id"], item["id"]);
        assert_eq!(trash[0]["kind"], collection.slug);
        assert_eq!(trash[0]["item"]["id"], item["id"]);
        let restore = format!("/api/admin/trash/{id}/restore");
        let back = app.post(&restore, &json!({})).await.is(200).json();
        assert_eq!(back["id"], item["id"]);
        assert_eq!(back["imageUrl"], item["imageUrl"]);
        app.post(&restore, &json!({})).await.is(404);
        assert_eq!(
            app.visit(&public).await.json()[0]["id"],
            item["id"],
            "{}",
            collection.slug
        );
    }
}

#[tokio::test]
async fn the_trash_is_emptied_piece_by_piece_or_whole() {
    let app = TestApp::start().await;
    let collection = &COLLECTIONS[0];
    let mut ids = Vec::new();
    for label in ["a", "b", "c"] {
        let item = app.create(collection, label, json!({})).await;
        let id = item["id"].as_str().unwrap().to_owned();
        app.delete(&format!("/api/admin/{}/{id}", collection.slug))
            .await;
        ids.push(id);
    }
    let path = format!("/api/admin/trash/{}", ids[0]);
    assert_eq!(app.delete(&path).await.status, 204);
    app.delete(&path).await.is(404);
    app.delete("/api/admin/trash/x").await.is(404);
    let trash = app.get("/api/admin/trash").await.json();
    assert_eq!(trash.as_array().unwrap().len(), 2);
    assert_eq!(app.delete("/api/admin/trash").await.status, 204);
    assert_eq!(app.get("/api/admin/trash").await.json(), json!([]));
}
