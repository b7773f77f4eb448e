//! Defines the questions that the panel asks about an event's date and time: an assumed year, a
//! wrong weekday, a day that does not exist, a past day, or two possible meanings.

use super::messages;
use jiff::civil::{Date, Weekday};
use serde::Serialize;

/// The codes of section 13 of the HTTP contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionCode {
    /// The year is not written; `year` is the assumed one.
    GuessedYear,
    /// The written weekday (`written`) is not that of the day (`actual`).
    WeekdayMismatch,
    /// The day does not exist, or the days are out of order.
    ImpossibleDate,
    /// The last day is over.
    PastDate,
    /// Two readings are possible: one event or several, morning or evening.
    Ambiguous,
}

/// The field of the form whose text the answers replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QuestionField {
    Date,
    Time,
}

/// A question to the admin about a text, with answers to choose from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    pub code: QuestionCode,
    pub field: QuestionField,
    /// Italian.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<&'static str>,
    pub answers: Vec<Answer>,
}

/// `text` replaces the whole text of the field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Italian.
    pub label: String,
    pub text: String,
}

impl Question {
    fn new(code: QuestionCode, message: String, answers: Vec<Answer>) -> Self {
        Self {
            code,
            field: QuestionField::Date,
            message,
            year: None,
            written: None,
            actual: None,
            answers,
        }
    }

    pub(super) fn guessed_year(year: i16, answers: Vec<Answer>) -> Self {
        Self {
            year: Some(year),
            ..Self::new(
                QuestionCode::GuessedYear,
                messages::guessed_year(year),
                answers,
            )
        }
    }

    /// `actual` is the day that the text names by its number.
    pub(super) fn weekday_mismatch(written: Weekday, actual: Date, answers: Vec<Answer>) -> Self {
        Self {
            written: Some(messages::weekday(written)),
            actual: Some(messages::weekday(actual.weekday())),
            ..Self::new(
                QuestionCode::WeekdayMismatch,
                messages::weekday_mismatch(actual),
                answers,
            )
        }
    }

    pub(super) fn impossible_date(message: String) -> Self {
        Self::new(QuestionCode::ImpossibleDate, message, Vec::new())
    }

    pub(super) fn past_date(last: Date, answers: Vec<Answer>) -> Self {
        Self::new(QuestionCode::PastDate, messages::past_date(last), answers)
    }

    /// Asks whether `count` consecutive days are one event; `range` and `list` are the texts of
    /// both answers.
    pub(super) fn one_or_several(count: usize, range: String, list: String) -> Self {
        let answers = [
            (messages::ONE_EVENT.to_owned(), range),
            (messages::several_events(count), list),
        ];
        let answers = answers.map(|(label, text)| Answer { label, text });
        Self::new(
            QuestionCode::Ambiguous,
            messages::one_or_several(count),
            answers.into(),
        )
    }

    /// Asks whether an hour of 1 to 8 is in the morning or in the evening.
    pub(super) fn morning_or_evening(hour: i32, morning: String, evening: String) -> Self {
        let answers = [
            (messages::at_hour(hour), morning),
            (messages::at_hour(hour + 12), evening),
        ];
        let answers = answers.map(|(label, text)| Answer { label, text });
        Self {
            field: QuestionField::Time,
            ..Self::new(
                QuestionCode::Ambiguous,
                messages::morning_or_evening(hour),
                answers.into(),
            )
        }
    }
}
