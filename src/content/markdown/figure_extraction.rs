//! Lifts pictures and buttons out of paragraphs, because both render as block elements.

use super::nesting_limit::is_mark;
use super::{Named, RenderContext, address, figure_html, link_address, owned};
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

/// Link title that turns a link alone in its paragraph into a button.
const BUTTON_TITLE: &str = "pulsante";

/// A segment of an inline run: text, adjacent pictures, or a button.
enum Part<'a> {
    Words(Vec<Event<'a>>),
    Pictures(Vec<Named>),
    Button { words: String, address: String },
}

enum Inline<'a> {
    Event(Event<'a>),
    Picture(Named),
}

/// Returns the events with safe links, raw HTML as text, and figures in place of pictures.
pub(super) fn with_figures<'a>(
    events: impl Iterator<Item = Event<'a>>,
    around: &RenderContext<'_>,
) -> Vec<Event<'a>> {
    let mut out = Vec::new();
    let mut run = Vec::new();
    let mut is_paragraph = false;
    let mut events = events;
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Paragraph) => {
                flush(&mut run, false, around, &mut out);
                is_paragraph = true;
            }
            Event::End(TagEnd::Paragraph) => {
                flush(&mut run, is_paragraph, around, &mut out);
                is_paragraph = false;
            }
            Event::Start(Tag::Heading { level, .. }) => {
                flush(&mut run, false, around, &mut out);
                out.push(Event::Start(Tag::Heading {
                    level,
                    id: None,
                    classes: vec![],
                    attrs: vec![],
                }));
            }
            Event::End(TagEnd::Heading(level)) => {
                // A heading cannot contain figures, so a picture is reduced to its alternative
                // text.
                let words = run.drain(..).map(|inline| match inline {
                    Inline::Event(event) => safe(event, around),
                    Inline::Picture(named) => Event::Text(owned(named.alt)),
                });
                out.extend(words);
                out.push(Event::End(TagEnd::Heading(level)));
            }
            Event::Start(Tag::Image {
                dest_url, title, ..
            }) => {
                run.push(image(&dest_url, &title, &mut events));
            }
            Event::Html(text) | Event::InlineHtml(text) => {
                run.push(Inline::Event(Event::Text(text)));
            }
            other if is_inline(&other) => run.push(Inline::Event(other)),
            block => {
                flush(&mut run, false, around, &mut out);
                out.push(block);
            }
        }
    }
    flush(&mut run, false, around, &mut out);
    out
}

fn is_inline(event: &Event<'_>) -> bool {
    match event {
        Event::Start(tag) => is_mark(tag.to_end()),
        Event::End(tag) => is_mark(*tag),
        Event::Rule => false,
        _ => true,
    }
}

/// Consumes a picture up to its end event. An external picture is reduced to its alternative text.
fn image<'a>(
    dest_url: &str,
    title: &str,
    rest: &mut impl Iterator<Item = Event<'a>>,
) -> Inline<'a> {
    let alt = alternative_text(rest);
    match address(dest_url) {
        Some((id, focus)) => Inline::Picture(Named {
            id,
            alt,
            caption: title.to_owned(),
            focus,
        }),
        None => Inline::Event(Event::Text(owned(alt))),
    }
}

/// Consumes the events of a picture up to its end, and returns their text.
pub(super) fn alternative_text<'a>(rest: &mut impl Iterator<Item = Event<'a>>) -> String {
    let mut alt = String::new();
    let mut depth = 1;
    for event in rest {
        match event {
            Event::Start(Tag::Image { .. }) => depth += 1,
            Event::End(TagEnd::Image) => depth -= 1,
            Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) => alt.push_str(&text),
            Event::SoftBreak | Event::HardBreak => alt.push(' '),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    alt
}

fn flush<'a>(
    run: &mut Vec<Inline<'a>>,
    is_paragraph: bool,
    around: &RenderContext<'_>,
    out: &mut Vec<Event<'a>>,
) {
    for part in parts(std::mem::take(run)) {
        match part {
            Part::Words(events) => {
                if is_paragraph {
                    out.push(Event::Start(Tag::Paragraph));
                }
                out.extend(events.into_iter().map(|event| safe(event, around)));
                if is_paragraph {
                    out.push(Event::End(TagEnd::Paragraph));
                }
            }
            Part::Pictures(named) => {
                out.push(Event::Html(owned(figure_html::figures(&named, around))));
            }
            Part::Button { words, address } => {
                let html = figure_html::button(&words, &address, around);
                out.push(Event::Html(owned(html)));
            }
        }
    }
}

/// Splits a run into text and pictures, in order. A picture inside a link or an emphasis follows
/// that element.
fn parts(run: Vec<Inline<'_>>) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut words = Vec::new();
    let mut inside = Vec::new();
    let mut depth = 0_usize;
    for inline in run {
        match inline {
            Inline::Picture(named) if depth > 0 => inside.push(named),
            Inline::Picture(named) => {
                push_words(&mut parts, std::mem::take(&mut words));
                push_pictures(&mut parts, vec![named]);
            }
            Inline::Event(event) => {
                match &event {
                    Event::Start(_) => depth += 1,
                    Event::End(_) => depth = depth.saturating_sub(1),
                    _ => {}
                }
                words.push(event);
                if depth == 0 && !inside.is_empty() {
                    push_words(&mut parts, std::mem::take(&mut words));
                    push_pictures(&mut parts, std::mem::take(&mut inside));
                }
            }
        }
    }
    push_words(&mut parts, words);
    push_pictures(&mut parts, inside);
    parts
}

fn push_pictures(parts: &mut Vec<Part<'_>>, named: Vec<Named>) {
    match parts.last_mut() {
        _ if named.is_empty() => {}
        Some(Part::Pictures(group)) => group.extend(named),
        _ => parts.push(Part::Pictures(named)),
    }
}

/// Appends text without the line breaks that separated it from a picture.
fn push_words<'a>(parts: &mut Vec<Part<'a>>, mut words: Vec<Event<'a>>) {
    if words.iter().all(is_blank) {
        return;
    }
    let is_break = |event: &Event<'_>| matches!(event, Event::SoftBreak | Event::HardBreak);
    while words.last().is_some_and(is_break) {
        words.pop();
    }
    let first = words.iter().position(|event| !is_break(event));
    words.drain(..first.unwrap_or_default());
    parts.push(match button(&words) {
        Some((words, address)) => Part::Button { words, address },
        None => Part::Words(words),
    });
}

fn is_blank(event: &Event<'_>) -> bool {
    match event {
        Event::Text(text) => text.trim().is_empty(),
        Event::Code(_) => false,
        _ => true,
    }
}

/// Returns text and address if a link with the button title is the only content.
fn button(words: &[Event<'_>]) -> Option<(String, String)> {
    let (first, rest) = words.split_first()?;
    let (last, inner) = rest.split_last()?;
    let Event::Start(Tag::Link {
        dest_url, title, ..
    }) = first
    else {
        return None;
    };
    let ends = |event: &Event<'_>| matches!(event, Event::End(TagEnd::Link));
    if &**title != BUTTON_TITLE || !ends(last) || inner.iter().any(ends) {
        return None;
    }
    let words = inner.iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(&**text),
        Event::SoftBreak | Event::HardBreak => Some(" "),
        _ => None,
    });
    Some((words.collect(), dest_url.to_string()))
}

fn safe<'a>(event: Event<'a>, around: &RenderContext<'_>) -> Event<'a> {
    match event {
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: CowStr::from(link_address(&dest_url, around)),
            title,
            id,
        }),
        other => other,
    }
}
