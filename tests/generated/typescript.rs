//! Generates the collections and settings as TypeScript: most of `ui/src/kinds/kinds.gen.ts`.

use respiro_content::collections::stored_collections;
use respiro_content::schema::{Audience, Field, FieldType, PICTURE_FIELDS};
use respiro_content::settings::SETTINGS;
use std::fmt::Write as _;

/// Returns the TypeScript source. The caller appends the constants of other crates and
/// compares the complete file.
pub fn tables() -> String {
    let mut out = String::from("export const kinds = {\n");
    for collection in stored_collections() {
        let _ = writeln!(out, "  '{}': {{", collection.slug);
        let _ = writeln!(
            out,
            "    bornPublished: {},",
            collection.published_by_default
        );
        let _ = writeln!(out, "    picture: {},", collection.picture);
        let _ = writeln!(out, "    dated: {},", collection.dated);
        let page = collection.page.map_or("null".to_owned(), |page| {
            format!(
                "{{ prefix: '{}', key: '{}' }}",
                page.prefix,
                page.key.unwrap_or("id")
            )
        });
        let _ = writeln!(out, "    page: {page},");
        out.push_str("    fields: {\n");
        for field in collection.all_fields() {
            let _ = writeln!(out, "      {}: {},", field.name, field_literal(field));
        }
        out.push_str("    },\n  },\n");
    }
    out.push_str("} as const;\n\nexport const settings = {\n");
    for setting in SETTINGS {
        let default = setting.default.map_or("null".to_owned(), quote);
        let field = field_literal(&setting.field);
        let _ = writeln!(
            out,
            "  {}: {{ group: '{}', askedAtStart: {}, default: {default}, field: {field} }},",
            setting.field.name,
            setting.group.name(),
            setting.asked_at_start,
        );
    }
    out.push_str("} as const;\n\n");
    out.push_str("/** What a setting says until somebody has filled it in. */\n");
    out.push_str("export const settingDefaults = {\n");
    for setting in SETTINGS {
        if let Some(default) = setting.default {
            let _ = writeln!(out, "  {}: {},", setting.field.name, quote(default));
        }
    }
    out.push_str("} as const;\n\n");
    let names: Vec<String> = PICTURE_FIELDS
        .iter()
        .map(|field| format!("'{}'", field.name))
        .collect();
    let _ = writeln!(
        out,
        "export const pictureFields = [{}] as const;",
        names.join(", ")
    );
    out
}

fn field_literal(field: &Field) -> String {
    let audience = match field.audience {
        Audience::Everyone => "everyone",
        Audience::Detail => "detail",
        Audience::Admin => "admin",
    };
    format!(
        "{{ {}, label: {}, required: {}, audience: '{audience}' }}",
        holds_literal(field.holds),
        quote(field.label),
        field.required,
    )
}

fn holds_literal(holds: FieldType) -> String {
    match holds {
        FieldType::Line { characters_max } => format!("type: 'line', max: {characters_max}"),
        FieldType::Lines { characters_max } => format!("type: 'lines', max: {characters_max}"),
        FieldType::Markdown { characters_max } => {
            format!("type: 'markdown', max: {characters_max}")
        }
        FieldType::Url => "type: 'url'".to_owned(),
        FieldType::Email => "type: 'email'".to_owned(),
        FieldType::Phone => "type: 'phone'".to_owned(),
        FieldType::Price => "type: 'price'".to_owned(),
        FieldType::Slug => "type: 'slug'".to_owned(),
        FieldType::Choice { words } => {
            let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
            format!("type: 'choice', words: [{}]", words.join(", "))
        }
        FieldType::OpenChoice {
            words,
            characters_max,
        } => {
            let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
            let words = words.join(", ");
            format!("type: 'openChoice', words: [{words}], max: {characters_max}")
        }
        FieldType::Integer { min, max, default } => {
            format!("type: 'integer', min: {min}, max: {max}, default: {default}")
        }
        FieldType::Count { max } => format!("type: 'count', max: {max}"),
        FieldType::Boolean { default } => format!("type: 'boolean', default: {default}"),
        FieldType::Picture => "type: 'picture'".to_owned(),
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
