//! Newsletters on their way: how far each is, who waits, and what came to nothing.

use crate::error::{Error, Result};
use crate::tables::{self, FAILURES, MAILINGS, QUEUE, SENDINGS, STANDINGS};
use crate::transaction::Transaction;
use crate::{Delivery, Fate, Mailing, Reader, Sending, SendingState, Standing, Writer};

pub const STARTED: Error =
    Error::Conflict("L’invio è già cominciato: questa modifica non si può più fare.");

/// Why nobody knows what became of a message that was in flight when the copy was made.
const IN_THE_COPY: &str = "la copia è stata fatta durante la consegna";

/// The key of a message that waits: what is due first stands first.
fn queue_key(id: &str, delivery: &Delivery) -> Vec<u8> {
    let due = u64::try_from(delivery.at).unwrap_or_default();
    [id.as_bytes(), &due.to_be_bytes(), delivery.email.as_bytes()].concat()
}

fn failure_key(id: &str, email: &str) -> Vec<u8> {
    [id.as_bytes(), email.as_bytes()].concat()
}

impl Reader<'_> {
    pub fn sendings(&self) -> Result<Vec<Sending>> {
        let rows = tables::records(self.tables, SENDINGS, b"")?;
        Ok(rows.into_iter().map(|(_, sending)| sending).collect())
    }

    /// How far a newsletter is: a draft when nothing is known.
    pub fn sending(&self, id: &str) -> Result<Sending> {
        let found = tables::record(self.tables, SENDINGS, id.as_bytes())?;
        Ok(found.unwrap_or_else(|| Sending::new(id)))
    }

    pub fn mailing(&self, id: &str) -> Result<Option<Mailing>> {
        tables::record(self.tables, MAILINGS, id.as_bytes())
    }

    /// The message that is due first.
    pub fn first_in_queue(&self, id: &str) -> Result<Option<Delivery>> {
        let row = self.tables.first(QUEUE, id.as_bytes())?;
        row.map(|(key, bytes)| tables::decode(QUEUE, &key, &bytes))
            .transpose()
    }

    /// Every message that waits.
    pub fn queued(&self, id: &str) -> Result<Vec<Delivery>> {
        let rows = tables::records(self.tables, QUEUE, id.as_bytes())?;
        Ok(rows.into_iter().map(|(_, delivery)| delivery).collect())
    }

    /// Messages that wait for another try. Who has not been tried yet has been due since the
    /// newsletter began, and stands before them: thousands of those are not read.
    pub fn postponed(&self, sending: &Sending) -> Result<Vec<Delivery>> {
        let Some(started_at) = sending.started_at else {
            return Ok(Vec::new());
        };
        let id = sending.id.as_bytes();
        let after = u64::try_from(started_at + 1).unwrap_or_default();
        let from = [id, &after.to_be_bytes()].concat();
        let mut postponed = Vec::new();
        self.tables
            .scan_from(QUEUE, (&from, id), &mut |key, bytes| {
                postponed.push(tables::decode(QUEUE, key, bytes)?);
                Ok(())
            })?;
        Ok(postponed)
    }

    /// Messages that came to nothing.
    pub fn delivery_failures(&self, id: &str) -> Result<Vec<Delivery>> {
        let rows = tables::records(self.tables, FAILURES, id.as_bytes())?;
        Ok(rows.into_iter().map(|(_, delivery)| delivery).collect())
    }

    pub fn standings(&self) -> Result<Vec<Standing>> {
        let rows = tables::records(self.tables, STANDINGS, b"")?;
        Ok(rows.into_iter().map(|(_, standing)| standing).collect())
    }

    pub fn standing(&self, email: &str) -> Result<Standing> {
        let found = tables::record(self.tables, STANDINGS, email.as_bytes())?;
        Ok(found.unwrap_or_else(|| Standing::new(email)))
    }
}

impl Writer<'_> {
    pub fn put_sending(&mut self, sending: &Sending) -> Result<()> {
        tables::put(self.transaction, SENDINGS, sending.id.as_bytes(), sending)
    }

    pub fn put_mailing(&mut self, id: &str, mailing: &Mailing) -> Result<()> {
        tables::put(self.transaction, MAILINGS, id.as_bytes(), mailing)
    }

    /// Puts a message among those that wait.
    pub fn enqueue(&mut self, id: &str, delivery: &Delivery) -> Result<()> {
        tables::put(self.transaction, QUEUE, &queue_key(id, delivery), delivery)
    }

    pub fn dequeue(&mut self, id: &str, delivery: &Delivery) -> Result<()> {
        self.transaction
            .remove(QUEUE, &queue_key(id, delivery))
            .map(drop)
    }

    /// Nobody waits for this newsletter any more.
    pub fn clear_queue(&mut self, id: &str) -> Result<()> {
        clear(self.transaction, id)
    }

    pub fn put_delivery_failure(&mut self, id: &str, delivery: &Delivery) -> Result<()> {
        let key = failure_key(id, &delivery.email);
        tables::put(self.transaction, FAILURES, &key, delivery)
    }

    pub fn remove_delivery_failure(&mut self, id: &str, email: &str) -> Result<()> {
        let key = failure_key(id, email);
        self.transaction.remove(FAILURES, &key).map(drop)
    }

    pub fn put_standing(&mut self, standing: &Standing) -> Result<()> {
        let key = standing.email.as_bytes();
        tables::put(self.transaction, STANDINGS, key, standing)
    }

    /// The standing of who leaves, also on a full disk: an address has one, so these rows end.
    pub fn put_last_standing(&mut self, standing: &Standing) -> Result<()> {
        let (key, bytes) = (standing.email.as_bytes(), tables::encode(standing)?);
        self.transaction.put_reserved(STANDINGS, key, &bytes)
    }

    /// What has begun to go out does not change any more.
    pub(crate) fn check_open(&self, id: &str) -> Result<()> {
        if self.sending(id)?.state.is_open() {
            return Ok(());
        }
        Err(STARTED)
    }

    /// What goes out is not deleted meanwhile, and what was planned is no more.
    pub(crate) fn check_deletable(&mut self, id: &str) -> Result<()> {
        let mut sending = self.sending(id)?;
        if sending.state.is_under_way() {
            return Err(Error::Conflict("È in invio: prima fermala."));
        }
        if sending.state == SendingState::Scheduled {
            sending.state = SendingState::Draft;
            sending.scheduled_at = None;
            self.put_sending(&sending)?;
        }
        Ok(())
    }

    /// What was known of a newsletter that is gone for good.
    pub(crate) fn forget_sending(&mut self, id: &str) -> Result<()> {
        self.clear_queue(id)?;
        for (key, _) in tables::records::<Delivery>(self.tables, FAILURES, id.as_bytes())? {
            self.transaction.remove(FAILURES, &key)?;
        }
        self.transaction.remove(MAILINGS, id.as_bytes())?;
        self.transaction.remove(SENDINGS, id.as_bytes()).map(drop)
    }

    /// Removes an address from every list that holds it, what is known of it too.
    pub(crate) fn forget_address(&mut self, email: &str) -> Result<()> {
        for mut sending in self.sendings()? {
            let key = failure_key(&sending.id, email);
            self.transaction.remove(FAILURES, &key)?;
            if !sending.state.is_under_way() {
                continue;
            }
            for (key, waiting) in
                tables::records::<Delivery>(self.tables, QUEUE, sending.id.as_bytes())?
            {
                if waiting.email == email {
                    self.transaction.remove(QUEUE, &key)?;
                    sending.tally.skipped += 1;
                    self.put_sending(&sending)?;
                }
            }
        }
        self.transaction
            .remove(STANDINGS, email.as_bytes())
            .map(drop)
    }
}

fn clear(transaction: &Transaction, id: &str) -> Result<()> {
    for (key, _) in tables::records::<Delivery>(transaction, QUEUE, id.as_bytes())? {
        transaction.remove(QUEUE, &key)?;
    }
    Ok(())
}

/// Holds whatever is on its way or planned: in a copy that becomes a data file, going on by itself
/// could write to somebody twice. How many were held.
pub(crate) fn hold_all(transaction: &Transaction) -> Result<u32> {
    let mut held = 0;
    for (key, mut sending) in tables::records::<Sending>(transaction, SENDINGS, b"")? {
        if !sending.hold() {
            continue;
        }
        if let Some(mut delivery) = sending.in_flight.take() {
            sending.tally.uncertain += 1;
            delivery.fate = Fate::Uncertain;
            IN_THE_COPY.clone_into(&mut delivery.reason);
            let key = failure_key(&sending.id, &delivery.email);
            tables::put(transaction, FAILURES, &key, &delivery)?;
        }
        tables::put(transaction, SENDINGS, &key, &sending)?;
        held += 1;
    }
    Ok(held)
}
