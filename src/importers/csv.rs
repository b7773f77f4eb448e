//! Imports the addresses of another list from a CSV table, with the source of their consent.

use crate::{Error, Result};
use csv::{ReaderBuilder, StringRecord, Trim};
use respiro_content::validation::{canonical_email, is_email_address};
use respiro_content::{Timestamp, time};
use respiro_db::{AddressStatus, SignupSource, Subscriber, Subscription, Writer};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

const TABLE_BYTES_MAX: u64 = 32 * 1024 * 1024;
const CONSENT_CHARACTERS_MAX: usize = 1_000;

/// Longest cell that a message quotes, in characters.
const QUOTED_CHARACTERS_MAX: usize = 100;

/// Why a table cannot be read; completes the sentence that begins with its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TableProblem {
    #[error("is too large for a list of addresses")]
    TooLarge,
    #[error("is no UTF-8 text: save it as CSV UTF-8")]
    NotUtf8,
    #[error(
        "needs a column named email; confirmed_at (RFC 3339) and consent_text are read when there"
    )]
    NoEmailColumn,
}

/// Why a row is no subscriber.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowProblem {
    #[error("it has other columns than the first line")]
    Columns,
    #[error("`{0}` is no e-mail address")]
    Address(String),
    #[error("confirmed_at is no RFC 3339 time, like 2024-05-01T10:00:00Z")]
    ConfirmationTime,
    #[error("confirmed_at is still to come")]
    FutureConfirmation,
    #[error("consent_text and --proof are no plain text of 1,000 characters")]
    Consent,
}

impl TableProblem {
    /// The sentence for the practitioner.
    pub const fn italian(self) -> &'static str {
        match self {
            Self::TooLarge => "Il file è troppo grande per un elenco di indirizzi.",
            Self::NotUtf8 => {
                "Il file non è un testo in UTF-8: nel foglio di calcolo salvalo come «CSV UTF-8»."
            }
            Self::NoEmailColumn => {
                "Nella prima riga manca una colonna di nome email. Si leggono anche confirmed_at e \
                 consent_text, se ci sono."
            }
        }
    }
}

impl RowProblem {
    /// The sentence for the practitioner, after the number of the line.
    pub fn italian(&self) -> String {
        match self {
            Self::Columns => "ha più o meno colonne della prima".to_owned(),
            Self::Address(written) => format!("«{written}» non è un indirizzo e-mail"),
            Self::ConfirmationTime => {
                "confirmed_at non è una data come 2024-05-01T10:00:00Z".to_owned()
            }
            Self::FutureConfirmation => "confirmed_at è nel futuro".to_owned(),
            Self::Consent => {
                "il testo del consenso ha caratteri non ammessi o è troppo lungo".to_owned()
            }
        }
    }
}

/// Reads and validates the whole table. Fails at the first wrong line.
pub fn read_subscribers(path: &Path, proof: &str, now: Timestamp) -> Result<Vec<Subscriber>> {
    let file = File::open(path).map_err(Error::file("read", path))?;
    let about = file.metadata().map_err(Error::file("read", path))?;
    if about.len() > TABLE_BYTES_MAX {
        return Err(unusable(path, TableProblem::TooLarge));
    }
    let mut text = String::new();
    file.take(TABLE_BYTES_MAX)
        .read_to_string(&mut text)
        .map_err(|error| match error.kind() {
            ErrorKind::InvalidData => unusable(path, TableProblem::NotUtf8),
            _ => Error::file("read", path)(error),
        })?;
    // With CRLF the reader begins a record at the LF of the line before, and names that line.
    let text = text.replace("\r\n", "\n");
    let text = text.trim_start_matches('\u{feff}');
    // Italian spreadsheets separate columns by semicolons.
    let head = text.lines().next().unwrap_or_default();
    let separator = if head.contains(';') { b';' } else { b',' };
    let mut table = ReaderBuilder::new()
        .delimiter(separator)
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let columns = table.headers().cloned().unwrap_or_default();
    let column = |name: &str| {
        columns
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))
    };
    let Some(email) = column("email") else {
        return Err(unusable(path, TableProblem::NoEmailColumn));
    };
    let (confirmed_at, consent) = (column("confirmed_at"), column("consent_text"));
    let mut known = BTreeSet::new();
    let mut subscribers = Vec::new();
    for row in table.records() {
        let row = row.map_err(|error| Error::InvalidRow {
            line: error.position().map_or(0, csv::Position::line),
            problem: RowProblem::Columns,
        })?;
        let line = row.position().map_or(0, csv::Position::line);
        let one = parse_row(&row, [Some(email), confirmed_at, consent], proof, now)
            .map_err(|problem| Error::InvalidRow { line, problem })?;
        if known.insert(one.email.clone()) {
            subscribers.push(one);
        }
    }
    Ok(subscribers)
}

fn unusable(path: &Path, problem: TableProblem) -> Error {
    Error::UnusableTable {
        path: path.to_owned(),
        problem,
    }
}

fn parse_row(
    row: &StringRecord,
    columns: [Option<usize>; 3],
    proof: &str,
    now: Timestamp,
) -> Result<Subscriber, RowProblem> {
    let [written, confirmed_at, consent] = columns.map(|column| {
        column
            .and_then(|column| row.get(column))
            .unwrap_or_default()
    });
    let email = canonical_email(written);
    if !is_email_address(&email) {
        let written = written.chars().filter(|sign| !sign.is_control());
        let written = written.take(QUOTED_CHARACTERS_MAX).collect();
        return Err(RowProblem::Address(written));
    }
    let confirmed_at = match confirmed_at {
        "" => None,
        text => {
            let at = time::parse_rfc3339(text).ok_or(RowProblem::ConfirmationTime)?;
            if at >= now {
                return Err(RowProblem::FutureConfirmation);
            }
            Some(at)
        }
    };
    let consent_text = match consent {
        "" => proof.to_owned(),
        text => format!("{text} ({proof})"),
    };
    let is_plain = !consent_text.contains(char::is_control);
    if !is_plain || consent_text.chars().count() > CONSENT_CHARACTERS_MAX {
        return Err(RowProblem::Consent);
    }
    Ok(Subscriber {
        email,
        state: match confirmed_at {
            Some(_) => Subscription::Confirmed,
            None => Subscription::Collected,
        },
        consent_text,
        created_at: now,
        confirmed_at,
    })
}

/// Writes the subscribers, marked as imported.
pub fn write_subscribers(writer: &mut Writer<'_>, subscribers: &[Subscriber]) -> Result<()> {
    for subscriber in subscribers {
        writer.subscribers().put(subscriber)?;
        let mut status = AddressStatus::new(&subscriber.email);
        status.way = Some(SignupSource::Import);
        writer.address_statuses().put(&status)?;
    }
    Ok(())
}
