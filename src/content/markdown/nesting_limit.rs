//! Limits the nesting depth of Markdown. Renderers recurse, and the author chooses the depth:
//! thousands of nested quotes or emphases would overflow the stack.

use pulldown_cmark::{Event, Tag, TagEnd};

/// Maximum depth of lists and quotes. Deeper content becomes lines of the innermost rendered
/// element.
pub const NESTING_DEPTH_MAX: usize = 12;
/// Maximum depth of emphasis and links. Deeper ones are reduced to their text.
const MARKS_MAX: usize = 12;

/// Iterator that drops the start and end events of elements beyond the limit.
pub struct NestingLimit<I> {
    events: I,
    /// Number of open lists and quotes, including dropped ones.
    levels: usize,
    marks: usize,
    /// Whether the current line has text: a dropped list item then starts a new line.
    has_words: bool,
}

pub fn limit_nesting<'a, I: Iterator<Item = Event<'a>>>(events: I) -> NestingLimit<I> {
    NestingLimit {
        events,
        levels: 0,
        marks: 0,
        has_words: false,
    }
}

impl<'a, I: Iterator<Item = Event<'a>>> Iterator for NestingLimit<I> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            let event = self.events.next()?;
            let kept = match &event {
                Event::Start(Tag::List(_) | Tag::BlockQuote(_)) => {
                    self.levels += 1;
                    self.levels <= NESTING_DEPTH_MAX
                }
                Event::End(TagEnd::List(_) | TagEnd::BlockQuote(_)) => {
                    self.levels = self.levels.saturating_sub(1);
                    self.levels < NESTING_DEPTH_MAX
                }
                Event::Start(Tag::Item) if self.levels > NESTING_DEPTH_MAX => {
                    if std::mem::take(&mut self.has_words) {
                        return Some(Event::HardBreak);
                    }
                    false
                }
                Event::End(TagEnd::Item) => self.levels <= NESTING_DEPTH_MAX,
                Event::Start(tag) if is_mark(tag.to_end()) => {
                    self.marks += 1;
                    self.marks <= MARKS_MAX
                }
                Event::End(tag) if is_mark(*tag) => {
                    self.marks = self.marks.saturating_sub(1);
                    self.marks < MARKS_MAX
                }
                _ => true,
            };
            if kept {
                self.has_words = match &event {
                    Event::Start(tag) => is_mark(tag.to_end()) && self.has_words,
                    Event::End(tag) => is_mark(*tag) && self.has_words,
                    Event::Text(_) | Event::Code(_) | Event::InlineHtml(_) => true,
                    _ => false,
                };
                return Some(event);
            }
        }
    }
}

/// Whether the element is inline.
pub const fn is_mark(tag: TagEnd) -> bool {
    use TagEnd::{Emphasis, Link, Strikethrough, Strong};
    matches!(tag, Emphasis | Strong | Strikethrough | Link)
}
