//! A message of the program's own as mail programs show it: drawn as newsletters are, with a foot
//! of its own. Its plain text says the same.

use crate::app::{App, blocking};
use crate::content::{Audience, Settings};
use serde_json::json;
use std::sync::Arc;

#[derive(Debug)]
pub struct Sheet<'a> {
    pub subject: &'a str,
    /// Over the text.
    pub heading: &'a str,
    /// Beside the subject in a list of mails.
    pub preheader: &'a str,
    /// Paragraphs with an empty line between them.
    pub text: &'a str,
    /// Its words, and where it leads.
    pub button: Option<(&'a str, &'a str)>,
    pub foot: &'a [Line<'a>],
}

/// A line below the text, with a link at its end.
#[derive(Debug)]
pub struct Line<'a> {
    pub text: &'a str,
    pub link: Option<(&'a str, &'a str)>,
}

/// `None` when it cannot be drawn now: no message waits for its colours.
pub async fn html(app: &App, settings: &Settings, sheet: &Sheet<'_>) -> Option<String> {
    let link = |(text, url): (&str, &str)| json!({ "text": text, "url": url });
    let foot = sheet.foot.iter();
    let foot = foot.map(|line| json!({ "text": line.text, "link": line.link.map(link) }));
    let input = json!({
        "publicUrl": app.public_url,
        "settings": settings.to_json(Audience::Everyone),
        "subject": sheet.subject,
        "heading": sheet.heading,
        "note": null,
        "preheader": sheet.preheader,
        "html": paragraphs(sheet.text),
        "plain": "",
        "button": sheet.button.map(link),
        "foot": foot.collect::<Vec<_>>(),
        "unsubscribeMark": "",
        "whyMark": "",
    });
    let site = Arc::clone(&app.site);
    match blocking(move || site.mail(input.to_string())).await {
        Ok(drawn) => Some(drawn.html),
        Err(error) => {
            tracing::warn!(%error, "a message goes out as plain text alone");
            None
        }
    }
}

fn paragraphs(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(str::trim);
    let filled = paragraphs.filter(|text| !text.is_empty());
    let all: Vec<String> = filled.map(escaped).collect();
    format!("<p>{}</p>", all.join("</p><p>"))
}

/// As text of HTML, and in its attributes.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_wrote_stays_text() {
        assert_eq!(
            paragraphs("Uno & <b>due</b>\n\n\n\n\"tre\"\n"),
            "<p>Uno &amp; &lt;b>due&lt;/b></p><p>&quot;tre&quot;</p>"
        );
    }
}
