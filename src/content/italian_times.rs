//! Parses the time of an event as Italians write it: `14:30`, `ore 20,30`, `20.30/22`, `8 di sera`,
//! `dalle 9 alle 12 e mezza`, `tutto il giorno`.

use super::date_questions::Question;
use super::time::NUMBERS;

/// Minutes since the midnight at which the day begins; more than 24 hours means the next day.
pub(super) type Clock = i32;

pub(super) const NOON: Clock = 12 * 60;
pub(super) const MIDNIGHT: Clock = 24 * 60;
/// An hour up to this one may be in the morning or in the evening.
const UNCLEAR_HOUR_MAX: i32 = 8;

/// Start and, if the text states one, end.
pub(super) type Times = (Clock, Option<Clock>);

#[derive(Debug, Default)]
pub(super) struct TimeReading {
    /// `None` for the whole day.
    pub times: Option<Times>,
    pub question: Option<Question>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartOfDay {
    Morning,
    Afternoon,
    Evening,
    Night,
}

/// One time as written.
#[derive(Debug, Clone, Copy)]
struct Written {
    hour: i32,
    minute: Option<i32>,
    part: Option<PartOfDay>,
}

impl Written {
    fn clock(self) -> Clock {
        let is_afternoon = match self.part {
            Some(PartOfDay::Afternoon | PartOfDay::Evening) => self.hour < 12,
            Some(PartOfDay::Night) => (8..12).contains(&self.hour),
            Some(PartOfDay::Morning) | None => false,
        };
        (self.hour + if is_afternoon { 12 } else { 0 }) * 60 + self.minute.unwrap_or_default()
    }

    const fn is_unclear(self) -> bool {
        let is_bare = self.minute.is_none() && self.part.is_none();
        is_bare && self.hour >= 1 && self.hour <= UNCLEAR_HOUR_MAX
    }
}

/// `None` when a word of the text is not part of a time, or the text names more than two times.
pub(super) fn read(text: &str) -> Option<TimeReading> {
    let text = text.to_lowercase();
    let words = words(&text);
    if is_whole_day(&words) {
        return Some(TimeReading::default());
    }
    let mut times = written(&words)?;
    if let [first, last] = times.as_mut_slice()
        && first.part.is_none()
        && last.part.is_some()
    {
        // `dalle 8 alle 10 di sera`
        let same = Written {
            part: last.part,
            ..*first
        };
        if same.clock() < last.clock() {
            *first = same;
        }
    }
    let clocks = match times.as_slice() {
        [from] => (from.clock(), None),
        [from, to] => (from.clock(), Some(to.clock())),
        _ => return None,
    };
    Some(TimeReading {
        question: morning_or_evening(&times),
        times: Some(clocks),
    })
}

/// Splits into numbers, words and dashes. A number keeps its minutes: `20,30` and `20h30` are
/// `20:30`.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_digit = |c: char| c.is_ascii_digit();
        let end = if is_digit(first) {
            rest.find(|c| !is_digit(c))
        } else if first.is_alphabetic() {
            rest.find(|c: char| !c.is_alphabetic())
        } else {
            Some(first.len_utf8())
        };
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        if is_digit(first) {
            let mut word = word.to_owned();
            let minutes = after.strip_prefix([':', '.', ',', 'h']);
            let two = minutes.and_then(|minutes| minutes.get(..2));
            if let (Some(minutes), Some(two)) = (minutes, two)
                && two.chars().all(is_digit)
                && !minutes[2..].starts_with(is_digit)
            {
                word = format!("{word}:{two}");
                rest = &minutes[2..];
            }
            // The seconds that a spreadsheet writes.
            rest = rest.strip_prefix(":00").unwrap_or(rest);
            words.push(word);
        } else if first.is_alphabetic() {
            words.push(word.to_owned());
        } else if matches!(first, '-' | '–' | '—' | '/' | '>' | '›' | '→' | '~') {
            words.push("-".to_owned());
        } else if !first.is_whitespace() && !".,;:'’()".contains(first) {
            words.push("?".to_owned());
        }
    }
    words
}

fn is_whole_day(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        words.as_slice(),
        ["tutto", "il", "giorno"]
            | ["tutta", "la", "giornata"]
            | ["giornata", "intera"]
            | ["intera", "giornata"]
    )
}

fn written(words: &[String]) -> Option<Vec<Written>> {
    let mut times: Vec<Written> = Vec::new();
    // Of `sera, ore 8`.
    let mut part_before = None;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let next = words.get(at + 1).map(String::as_str);
        at += 1;
        if let Some(part) = part_of_day(word) {
            let before = at.checked_sub(2).and_then(|at| words.get(at));
            match times.last_mut() {
                // `dalle 10 a sera` says no hour of its end.
                Some(_) if before.is_some_and(|word| matches!(word.as_str(), "a" | "alla")) => {
                    return None;
                }
                Some(last) => last.part = Some(part),
                None => part_before = Some(part),
            }
            continue;
        }
        match word.as_str() {
            "ore" | "ora" | "dalle" | "dalla" | "dall" | "alle" | "alla" | "all" | "h" | "-"
            | "le" | "circa" | "ca" | "inizio" | "dal" | "da" | "a" | "al" | "fino" | "sino"
            | "precise" | "puntuali" | "in" | "poi" | "di" | "del" | "della" | "l" | "la"
            | "verso" | "orario" | "orari" => {}
            "mezzogiorno" => times.push(at_noon(12)),
            "mezzanotte" => times.push(at_noon(24)),
            "e" => {
                let (minute, length) = match (next?, words.get(at + 1).map(String::as_str)) {
                    ("mezza" | "mezzo" | "trenta", _) => (30, 1),
                    ("un", Some("quarto")) => (15, 2),
                    ("tre", Some("quarti")) => (45, 2),
                    (number @ ("15" | "20" | "30" | "40" | "45" | "50"), _) => {
                        (number.parse().ok()?, 1)
                    }
                    ("quindici", _) => (15, 1),
                    ("quarantacinque", _) => (45, 1),
                    _ => return None,
                };
                let last = times.last_mut().filter(|time| time.minute.is_none())?;
                last.minute = Some(minute);
                at += length;
            }
            number => times.push(number_of(number)?),
        }
    }
    for time in &mut times {
        time.part = time.part.or(part_before);
    }
    Some(times)
}

fn part_of_day(word: &str) -> Option<PartOfDay> {
    match word {
        "mattina" | "mattino" => Some(PartOfDay::Morning),
        "pomeriggio" => Some(PartOfDay::Afternoon),
        "sera" => Some(PartOfDay::Evening),
        "notte" => Some(PartOfDay::Night),
        _ => None,
    }
}

const fn at_noon(hour: i32) -> Written {
    Written {
        hour,
        minute: Some(0),
        part: None,
    }
}

fn number_of(word: &str) -> Option<Written> {
    let spelled = match word {
        "una" => Some(1),
        word => NUMBERS
            .iter()
            .take(24)
            .position(|name| *name == word)
            .map(|at| at + 1),
    };
    if let Some(hour) = spelled {
        return Some(Written {
            hour: i32::try_from(hour).ok()?,
            minute: None,
            part: None,
        });
    }
    let (hour, minute) = match word.split_once(':') {
        Some((hour, minute)) => (hour, Some(minute.parse().ok()?)),
        None => (word, None),
    };
    if hour.is_empty() || hour.len() > 2 || !hour.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let hour = hour.parse().ok()?;
    let clock = hour * 60 + minute.unwrap_or_default();
    let is_time = minute.is_none_or(|minute| minute < 60) && clock <= MIDNIGHT;
    is_time.then_some(Written {
        hour,
        minute,
        part: None,
    })
}

/// Asks about a bare hour that may be in the morning or in the evening. An end after noon shows
/// that the text counts to 24.
fn morning_or_evening(times: &[Written]) -> Option<Question> {
    match times {
        [from] if from.is_unclear() => Some(Question::morning_or_evening(
            from.hour,
            format!("{}:00", from.hour),
            format!("{}:00", from.hour + 12),
        )),
        [from, to]
            if from.is_unclear()
                && to.part.is_none()
                && to.hour <= 12
                && from.clock() < to.clock() =>
        {
            let end = |hours: i32| {
                let minute = to.minute.unwrap_or_default();
                format!("{}:{minute:02}", to.hour + hours)
            };
            Some(Question::morning_or_evening(
                from.hour,
                format!("dalle {}:00 alle {}", from.hour, end(0)),
                format!("dalle {}:00 alle {}", from.hour + 12, end(12)),
            ))
        }
        _ => None,
    }
}
