//! Generates the `OpenAPI` 3.1 file of the API from the route table and the kinds. Only the bodies
//! and the answers of single routes are written here.

use crate::sensitive_routes::{CONFIRMED_ROUTES, OWNER_ROUTES};
use respiro_content::schema::SORT_ORDER_MAX;
use respiro_content::settings::SETTINGS;
use respiro_content::{
    COLLECTIONS, Collection, Field, FieldType, collection_by_slug, stored_collections,
};
use serde_json::{Map, Value, json};

const PROBLEM: &str = "application/problem+json";

/// Names and types. `*` marks required members, `?` nullable ones.
type Members = &'static [(&'static str, &'static str)];

/// Request bodies of routes that belong to no kind: method, path, members.
const BODIES: &[(&str, &str, Members)] = &[
    (
        "POST",
        "/api/newsletter",
        &[("email*", "string"), ("page", "string?")],
    ),
    ("POST", "/api/admin/notices/read", &[("number", "integer?")]),
    ("POST", "/api/admin/sender-check", &[("letter", "string?")]),
    (
        "POST",
        "/api/admin/import",
        &[
            ("token*", "string"),
            ("kind*", "string"),
            ("proof", "string"),
        ],
    ),
    (
        "PUT",
        "/api/admin/notices/monthly",
        &[("wanted*", "boolean")],
    ),
    (
        "POST",
        "/api/admin/testimonial-requests",
        &[
            ("name", "string?"),
            ("activity", "string?"),
            ("attended*", "boolean"),
        ],
    ),
    (
        "POST",
        "/api/admin/testimonial-requests/{id}/mail",
        &[("email*", "string"), ("message*", "string")],
    ),
    (
        "PUT",
        "/api/admin/course-testimonials/{id}/provenance",
        &[("note", "string?")],
    ),
    (
        "POST",
        "/api/admin/sendings/{id}/test",
        &[("email*", "string")],
    ),
    (
        "PUT",
        "/api/admin/sendings/{id}/schedule",
        &[("at*", "string")],
    ),
    (
        "POST",
        "/api/auth/login",
        &[
            ("email*", "string"),
            ("password*", "string"),
            ("code", "string?"),
        ],
    ),
    (
        "PUT",
        "/api/admin/redirects",
        &[("from*", "string"), ("to", "string?"), ("gone", "boolean")],
    ),
    (
        "POST",
        "/api/auth/setup",
        &[
            ("token*", "string"),
            ("email*", "string"),
            ("password*", "string"),
        ],
    ),
    (
        "PUT",
        "/api/auth/password",
        &[("currentPassword*", "string"), ("newPassword*", "string")],
    ),
    ("POST", "/api/auth/forgotten", &[("email*", "string")]),
    ("POST", "/api/auth/link", &[("token*", "string")]),
    (
        "POST",
        "/api/auth/reset",
        &[("token*", "string"), ("password*", "string")],
    ),
    ("PUT", "/api/auth/email", &[("email*", "string")]),
    ("POST", "/api/auth/email/confirm", &[("token*", "string")]),
    (
        "POST",
        "/api/auth/join",
        &[("token*", "string"), ("password*", "string")],
    ),
    (
        "POST",
        "/api/admin/accounts",
        &[("email*", "string"), ("role*", "string")],
    ),
    ("PUT", "/api/admin/accounts/{id}", &[("role*", "string")]),
    ("POST", "/api/auth/passkey", &[("credential*", "object")]),
    (
        "POST",
        "/api/admin/passkeys",
        &[("name*", "string"), ("credential*", "object")],
    ),
    (
        "POST",
        "/api/admin/passkeys/options",
        &[("password*", "string")],
    ),
    (
        "POST",
        "/api/auth/confirm",
        &[("password", "string?"), ("credential", "object?")],
    ),
    (
        "DELETE",
        "/api/admin/second-factor",
        &[("password*", "string")],
    ),
    (
        "POST",
        "/api/admin/second-factor/confirm",
        &[("code*", "string")],
    ),
    ("POST", "/api/admin/clock", &[("systemTime*", "string")]),
    ("PUT", "/api/admin/statistics", &[("counting*", "boolean")]),
    ("POST", "/api/admin/restore", &[("token*", "string")]),
    (
        "POST",
        "/api/admin/person",
        &[("email", "string?"), ("name", "string?")],
    ),
    (
        "POST",
        "/api/admin/person/erase",
        &[
            ("email", "string?"),
            ("name", "string?"),
            ("items*", "array"),
        ],
    ),
    (
        "POST",
        "/api/admin/understand-date",
        &[
            ("date", "string?"),
            ("time", "string?"),
            ("dateWrittenAt", "string?"),
        ],
    ),
    (
        "POST",
        "/api/admin/preview",
        &[
            ("kind*", "string"),
            ("id", "string?"),
            ("fields*", "object"),
        ],
    ),
    (
        "PUT",
        "/api/admin/drafts/{place}",
        &[
            ("revision*", "string"),
            ("content*", "object"),
            ("publishAt", "string?"),
            ("account", "string"),
        ],
    ),
    (
        "POST",
        "/api/admin/history",
        &[
            ("scope*", "string"),
            ("moment*", "integer"),
            ("thing", "string?"),
            ("page", "string?"),
        ],
    ),
    ("PUT", "/api/admin/words", &[("blocks*", "object")]),
    (
        "PUT",
        "/api/admin/words/{id}",
        &[("value", "object?"), ("hidden", "boolean")],
    ),
    (
        "POST",
        "/api/admin/words/preview",
        &[("page*", "string"), ("blocks", "object?")],
    ),
    (
        "POST",
        "/api/admin/pictures/{id}/edits",
        &[("turns", "integer"), ("crop", "object?")],
    ),
];

/// Answers that are not JSON with status 200: method, path, status, media type.
const ANSWERS: &[(&str, &str, u16, &str)] = &[
    ("GET", "/healthz", 200, "text/plain"),
    ("GET", "/api/file-icon", 200, "image/svg+xml"),
    ("POST", "/api/newsletter", 202, "application/json"),
    ("DELETE", "/api/admin/examples", 200, "application/json"),
    ("POST", "/api/admin/notices/read", 204, ""),
    ("PUT", "/api/admin/notices/monthly", 204, ""),
    ("POST", "/api/admin/clock", 204, ""),
    (
        "DELETE",
        "/api/admin/sendings/{id}/schedule",
        200,
        "application/json",
    ),
    ("GET", "/newsletter/{purpose}/{token}", 200, "text/html"),
    ("POST", "/newsletter/{purpose}/{token}", 200, "text/html"),
    ("GET", "/testimonianza/{token}", 200, "text/html"),
    ("POST", "/testimonianza/{token}", 200, "text/html"),
    (
        "POST",
        "/api/admin/testimonial-requests",
        201,
        "application/json",
    ),
    (
        "POST",
        "/api/admin/testimonial-requests/{id}/renew",
        201,
        "application/json",
    ),
    ("POST", "/api/admin/course-testimonials/{id}/keep", 204, ""),
    (
        "POST",
        "/api/admin/course-testimonials/{id}/withdraw",
        204,
        "",
    ),
    ("POST", "/api/auth/logout", 204, ""),
    ("PUT", "/api/auth/password", 204, ""),
    ("POST", "/api/auth/forgotten", 202, "application/json"),
    ("POST", "/api/auth/reset", 204, ""),
    ("PUT", "/api/auth/email", 202, "application/json"),
    ("POST", "/api/admin/accounts", 201, "application/json"),
    ("PUT", "/api/admin/accounts/{id}", 204, ""),
    ("GET", "/api/auth/confirm", 204, ""),
    ("POST", "/api/auth/confirm", 204, ""),
    ("GET", "/objects/uploads/{id}", 200, "image/*"),
    ("GET", "/objects/uploads/{id}/{variant}", 200, "image/*"),
    ("GET", "/anteprima/{token}", 200, "text/html"),
    ("GET", "/.well-known/change-password", 302, ""),
    ("GET", "/.well-known/security.txt", 200, "text/plain"),
    ("POST", "/api/press", 204, ""),
    ("GET", "/api/admin/newsletter.csv", 200, "text/csv"),
    (
        "GET",
        "/api/admin/sendings/{id}/preview.html",
        200,
        "text/html",
    ),
    (
        "GET",
        "/api/admin/sendings/{id}/report.csv",
        200,
        "text/csv",
    ),
    ("POST", "/api/admin/newsletter/{email}/unsubscribe", 204, ""),
    ("POST", "/api/admin/newsletter/{email}/restore", 204, ""),
    ("GET", "/api/admin/statistics.csv", 200, "text/csv"),
    ("GET", "/api/admin/backup", 200, "application/octet-stream"),
    ("POST", "/api/admin/copies", 202, "application/json"),
    ("POST", "/api/admin/passkeys", 201, "application/json"),
    ("POST", "/api/admin/words/preview", 200, "text/html"),
];

/// Returns the complete file.
pub fn file() -> String {
    let mut paths = Map::new();
    for (method, path) in respiro_server::http::paths() {
        let operations = paths.entry(path.clone()).or_insert_with(|| json!({}));
        operations[method.to_lowercase()] = operation(&method, &path);
    }
    let mut schemas = Map::new();
    for collection in stored_collections() {
        schemas.insert(collection.slug.to_owned(), fields(collection));
    }
    schemas.insert("settings".to_owned(), settings());
    schemas.insert("problem".to_owned(), problem());
    let cookie = json!({ "type": "apiKey", "in": "cookie", "name": "respiro-session" });
    let file = json!({
        "openapi": "3.1.0",
        "info": { "title": "respiro", "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
        "components": { "schemas": schemas, "securitySchemes": { "session": cookie } },
    });
    format!("{file:#}\n")
}

fn operation(method: &str, path: &str) -> Value {
    let (status, media_type) = answer(method, path);
    let content = match media_type {
        "" => json!({}),
        media_type => json!({ media_type: {} }),
    };
    let refused = json!({ PROBLEM: { "schema": { "$ref": "#/components/schemas/problem" } } });
    let mut operation = json!({
        "parameters": parameters(method, path),
        "responses": {
            status.to_string(): { "description": "Done", "content": content },
            "4XX": { "description": "Refused, and why", "content": refused },
        },
    });
    if CONFIRMED_ROUTES.contains(&(method, path)) {
        operation["responses"]["403"] = json!({
            "description": "confirmation-required: no confirmation within ten minutes, see \
                            POST /api/auth/confirm",
            "content": operation["responses"]["4XX"]["content"],
        });
    }
    if OWNER_ROUTES.contains(&(method, path)) {
        operation["x-role"] = json!("owner");
    }
    if path.starts_with("/newsletter/") || path.starts_with("/testimonianza/") {
        // Opening a link shows an HTML screen, also for an invalid link; a malformed address is
        // refused before that.
        operation["responses"]["4XX"]["content"]["text/html"] = json!({});
    }
    if let Some(schema) = body(method, path) {
        let content = json!({ "application/json": { "schema": schema } });
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    if path.starts_with("/api/admin/") {
        operation["security"] = json!([{ "session": [] }]);
    }
    operation
}

fn answer(method: &str, path: &str) -> (u16, &'static str) {
    let special = ANSWERS.iter().find(|row| (row.0, row.1) == (method, path));
    if let Some((_, _, status, media_type)) = special {
        return (*status, *media_type);
    }
    match method {
        "DELETE" => (204, ""),
        "POST" if kind_of(path).is_some_and(|(_, rest)| rest.is_empty()) => {
            (201, "application/json")
        }
        _ => (200, "application/json"),
    }
}

/// Returns the kind whose list or item an admin path addresses, and the rest of the path.
fn kind_of(path: &str) -> Option<(&'static Collection, &str)> {
    let rest = path.strip_prefix("/api/admin/")?;
    let (slug, rest) = rest.split_once('/').unwrap_or((rest, ""));
    Some((collection_by_slug(slug)?, rest))
}

fn parameters(method: &str, path: &str) -> Vec<Value> {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{'));
    let mut parameters: Vec<Value> = names
        .map(|name| {
            let name = name.trim_end_matches('}');
            json!({ "name": name, "in": "path", "required": true,
                "schema": { "type": "string", "minLength": 1 } })
        })
        .collect();
    let tagged = kind_of(path).is_some_and(|(_, rest)| rest == "{id}" || rest == "{id}/move");
    let others = ["/api/admin/settings", "/api/admin/drafts/{place}"];
    if method != "GET"
        && (tagged || others.contains(&path) || path.starts_with("/api/admin/words/{id}"))
    {
        parameters.push(
            json!({ "name": "If-Match", "in": "header", "required": false,
            "schema": { "type": "string", "pattern": "^\"[0-9a-f]{24}\"$" } }),
        );
    }
    if method == "GET"
        && COLLECTIONS
            .iter()
            .any(|collection| path == format!("/api/{}", collection.slug))
    {
        parameters.extend(["category", "limit", "before"].map(query));
    }
    if (method, path) == ("DELETE", "/api/admin/redirects") {
        parameters.push(json!({ "name": "from", "in": "query", "required": true,
            "schema": { "type": "string" } }));
    }
    if method == "POST" && answer(method, path).0 == 201 && path != "/api/admin/passkeys" {
        parameters.push(
            json!({ "name": "Idempotency-Key", "in": "header", "required": false,
            "schema": { "type": "string", "minLength": 1, "maxLength": 255,
                "pattern": "^[!-~]+$" } }),
        );
    }
    let is_csv = std::path::Path::new(path)
        .extension()
        .is_some_and(|end| end == "csv");
    if is_csv {
        let separators = json!({ "type": "string", "enum": ["comma", "semicolon"] });
        parameters.push(
            json!({ "name": "separator", "in": "query", "required": false,
            "schema": separators }),
        );
    }
    if (method, path) == ("GET", "/api/admin/history") {
        parameters.extend(["before", "kinds", "account", "thing"].map(query));
    }
    if path == "/api/admin/pictures" {
        parameters.extend(["limit", "offset", "search"].map(query));
    }
    if kind_of(path).is_some_and(|(_, rest)| rest == "page") {
        parameters.extend(["limit", "offset", "search", "current"].map(query));
    }
    parameters
}

fn query(name: &str) -> Value {
    json!({ "name": name, "in": "query", "required": false, "schema": { "type": "string" } })
}

fn body(method: &str, path: &str) -> Option<Value> {
    if let Some((_, _, members)) = BODIES.iter().find(|row| (row.0, row.1) == (method, path)) {
        return Some(object(members));
    }
    if (method, path) == ("PUT", "/api/admin/settings") {
        return Some(json!({ "$ref": "#/components/schemas/settings" }));
    }
    if (method, path) == ("POST", "/api/admin/examples/restore") {
        return Some(ids());
    }
    let (collection, rest) = kind_of(path)?;
    match (method, rest) {
        ("POST", "") => {
            let required = collection.all_fields().filter(|field| field.required);
            let required: Vec<&str> = required.map(|field| field.name).collect();
            let schema = format!("#/components/schemas/{}", collection.slug);
            Some(json!({ "allOf": [{ "$ref": schema }, { "required": required }] }))
        }
        ("PUT", "{id}") => {
            Some(json!({ "$ref": format!("#/components/schemas/{}", collection.slug) }))
        }
        ("PUT", "{id}/plan") => Some(object(&[
            ("publishAt", "string?"),
            ("withdrawAt", "string?"),
        ])),
        ("PUT", "{id}/move") => Some(json!({ "type": "object",
            "properties": { "direction": { "enum": ["up", "down"] },
                "position": { "type": "integer", "minimum": 0 } },
            "anyOf": [{ "required": ["direction"] }, { "required": ["position"] }] })),
        ("PUT", "order") => Some(ids()),
        _ => None,
    }
}

fn ids() -> Value {
    json!({ "type": "object", "required": ["ids"],
        "properties": { "ids": { "type": "array", "items": { "type": "string" } } } })
}

fn object(members: Members) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, holds) in members {
        let plain = name.trim_end_matches('*');
        if plain != *name {
            required.push(plain);
        }
        let holds = match holds.strip_suffix('?') {
            Some(holds) => json!([holds, "null"]),
            None => json!(holds),
        };
        properties.insert(plain.to_owned(), json!({ "type": holds }));
    }
    json!({ "type": "object", "required": required, "properties": properties })
}

fn fields(collection: &Collection) -> Value {
    let mut properties: Map<String, Value> = collection
        .all_fields()
        .map(|field| (field.name.to_owned(), holds(field)))
        .collect();
    properties.insert("published".to_owned(), json!({ "type": "boolean" }));
    let order = json!({ "type": "integer", "minimum": 0, "maximum": SORT_ORDER_MAX });
    properties.insert("sortOrder".to_owned(), order);
    if collection.dated {
        let moment = json!({ "type": ["string", "null"], "format": "date-time" });
        properties.insert("createdAt".to_owned(), moment);
    }
    json!({ "type": "object", "properties": properties })
}

fn settings() -> Value {
    let fields = SETTINGS.iter().map(|setting| &setting.field);
    let properties: Map<String, Value> = fields
        .map(|field| (field.name.to_owned(), holds(field)))
        .collect();
    json!({ "type": "object", "properties": properties })
}

fn holds(field: &Field) -> Value {
    let text =
        |characters_max: usize| json!({ "type": ["string", "null"], "maxLength": characters_max });
    match field.holds {
        FieldType::Line { characters_max }
        | FieldType::Lines { characters_max }
        | FieldType::Markdown { characters_max }
        | FieldType::OpenChoice { characters_max, .. } => text(characters_max),
        FieldType::Url => json!({ "type": ["string", "null"], "format": "uri" }),
        FieldType::Email => json!({ "type": ["string", "null"], "format": "email" }),
        FieldType::Slug => {
            json!({ "type": ["string", "null"], "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$" })
        }
        FieldType::Phone | FieldType::Price => json!({ "type": ["string", "null"] }),
        FieldType::Choice { words } => json!({ "enum": words }),
        FieldType::Integer { min, max, .. } => {
            json!({ "type": ["integer", "null"], "minimum": min, "maximum": max })
        }
        FieldType::Count { max } => {
            json!({ "type": ["integer", "null"], "minimum": 0, "maximum": max })
        }
        FieldType::Boolean { .. } => json!({ "type": ["boolean", "null"] }),
        FieldType::Picture => {
            json!({ "type": ["string", "null"], "pattern": "^/objects/uploads/[a-z2-7]{26}$" })
        }
    }
}

fn problem() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail"],
        "properties": { "type": text, "title": text, "detail": text, "code": text,
            "status": { "type": "integer" }, "errors": { "type": "array" }, "current": {} },
    })
}
