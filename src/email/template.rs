//! The HTML template of the program's own e-mails, rendered by the newsletter's components with a
//! footer of its own.

use respiro_content::{Audience, Settings};
use serde_json::{Value as Json, json};

#[derive(Debug)]
pub struct EmailTemplate<'a> {
    pub subject: &'a str,
    /// Shown above the text.
    pub heading: &'a str,
    /// Preview text that mail clients show beside the subject.
    pub preheader: &'a str,
    /// Plain text; an empty line separates paragraphs.
    pub text: &'a str,
    /// Label and address.
    pub button: Option<(&'a str, &'a str)>,
    pub footer: &'a [FooterLine<'a>],
}

/// A line of the footer, with a link (label and address) at its end.
#[derive(Debug)]
pub struct FooterLine<'a> {
    pub text: &'a str,
    pub link: Option<(&'a str, &'a str)>,
}

impl EmailTemplate<'_> {
    /// Returns the input of the server bundle's `mail` function.
    pub fn render_input(&self, public_url: &str, settings: &Settings) -> Json {
        let link = |(text, url): (&str, &str)| json!({ "text": text, "url": url });
        let footer = self.footer.iter();
        let footer = footer.map(|line| json!({ "text": line.text, "link": line.link.map(link) }));
        json!({
            "publicUrl": public_url,
            "settings": settings.to_json(Audience::Everyone),
            "subject": self.subject,
            "heading": self.heading,
            "note": null,
            "preheader": self.preheader,
            "html": html_paragraphs(self.text),
            "plain": "",
            "button": self.button.map(link),
            "foot": footer.collect::<Vec<_>>(),
            "unsubscribeMark": "",
            "whyMark": "",
        })
    }
}

fn html_paragraphs(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(str::trim);
    let filled = paragraphs.filter(|text| !text.is_empty());
    let all: Vec<String> = filled.map(escape_html).collect();
    format!("<p>{}</p>", all.join("</p><p>"))
}

/// Escapes text for HTML elements and double-quoted attributes.
pub fn escape_html(text: &str) -> String {
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
            html_paragraphs("Uno & <b>due</b>\n\n\n\n\"tre\"\n"),
            "<p>Uno &amp; &lt;b>due&lt;/b></p><p>&quot;tre&quot;</p>"
        );
    }
}
