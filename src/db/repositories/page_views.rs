//! The totals of visits, a row for each day, and whether visits are counted.

use crate::error::{Error, Result};
use crate::file_metadata::STATISTICS_OFF_KEY;
use crate::repositories::day_totals::DayTotals;
use crate::tables::{self, META, STATISTICS};
use crate::{Reader, Writer};
use jiff::civil::Date;
use respiro_content::Timestamp;

impl Reader<'_> {
    /// Every day with a visit, in their order.
    pub fn visits(&self) -> Result<Vec<(Date, DayTotals)>> {
        let rows = tables::records(self.tables, STATISTICS, b"")?;
        let rows = rows.into_iter();
        rows.map(|(key, totals)| Ok((date_of(&key)?, totals)))
            .collect()
    }

    pub fn visits_on(&self, date: Date) -> Result<Option<DayTotals>> {
        tables::record(self.tables, STATISTICS, date.to_string().as_bytes())
    }

    /// Since when visits are not counted; `None` while they are.
    pub fn uncounted_since(&self) -> Result<Option<Timestamp>> {
        let since: Option<Option<Timestamp>> =
            tables::record(self.tables, META, STATISTICS_OFF_KEY)?;
        Ok(since.flatten())
    }
}

impl Writer<'_> {
    pub fn put_visits_on(&mut self, date: Date, totals: &DayTotals) -> Result<()> {
        let key = date.to_string();
        tables::put(self.transaction, STATISTICS, key.as_bytes(), totals)
    }

    /// Removes the days before `first`; how many there were.
    pub fn remove_visits_before(&mut self, first: Date) -> Result<u64> {
        let mut removed = 0;
        for (date, _) in self.visits()? {
            if date < first {
                let key = date.to_string();
                self.transaction.remove(STATISTICS, key.as_bytes())?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// The privacy page says which it is.
    pub fn set_uncounted_since(&mut self, since: Option<Timestamp>) -> Result<()> {
        self.touched.site |= self.uncounted_since()?.is_some() != since.is_some();
        tables::put(self.transaction, META, STATISTICS_OFF_KEY, &since)
    }
}

/// Years have four digits: the order of keys is that of days.
pub(crate) fn date_of(key: &[u8]) -> Result<Date> {
    let date = std::str::from_utf8(key)
        .ok()
        .and_then(|key| key.parse().ok());
    date.ok_or_else(|| Error::Storage(format!("{} is no day of visits", key.escape_ascii())))
}
