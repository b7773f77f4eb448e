//! `import --csv`: imports the addresses of another list, with the source of their consent.

use super::staging::{StagingStore, read_site};
use crate::app::now;
use crate::cli::{complain, say};
use crate::content::{Timestamp, time};
use crate::newsletter;
use crate::store::{AddressStatus, SignupSource, Subscriber, Subscription};
use anyhow::{Context, bail};
use csv::{ReaderBuilder, StringRecord, Trim};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

const TABLE_BYTES_MAX: u64 = 32 * 1024 * 1024;
const CONSENT_CHARACTERS_MAX: usize = 1_000;

pub fn import(data: &Path, path: &Path, proof: &str, is_trial: bool) -> anyhow::Result<()> {
    let proof = proof.trim();
    if proof.is_empty() || proof.contains(char::is_control) {
        bail!("say where the consent comes from: --proof TEXT; it is kept beside each address");
    }
    let subscribers = read(path, proof, now())?;
    let confirmed = |one: &&Subscriber| one.state == Subscription::Confirmed;
    let (total, confirmed) = (
        subscribers.len(),
        subscribers.iter().filter(confirmed).count(),
    );
    if is_trial {
        let known = read_site(data, |reader| {
            let known = subscribers.iter().map(|one| reader.subscriber(&one.email));
            let known: crate::store::Result<Vec<_>> = known.collect();
            Ok(known?.into_iter().flatten().count())
        })?;
        say(&format!(
            "{total} addresses: {confirmed} confirmed, the others collected; {} are known here and stay as they are",
            known.unwrap_or_default()
        ))?;
        complain("dry run: nothing was changed");
        return Ok(());
    }
    let staging = StagingStore::create(data)?;
    staging.write(|writer| {
        for subscriber in &subscribers {
            writer.put_subscriber(subscriber)?;
            let mut standing = AddressStatus::new(&subscriber.email);
            standing.way = Some(SignupSource::Import);
            writer.put_address_status(&standing)?;
        }
        Ok(())
    })?;
    let told = staging.merge(data)?;
    say(&format!(
        "{total} addresses: {confirmed} confirmed, the others collected; people who unsubscribed here stay unsubscribed"
    ))?;
    complain(&told);
    Ok(())
}

/// Reads and validates the whole table. Fails at the first wrong line.
fn read(path: &Path, proof: &str, now: Timestamp) -> anyhow::Result<Vec<Subscriber>> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
    if file.metadata()?.len() > TABLE_BYTES_MAX {
        bail!("{shown} is too large for a list of addresses");
    }
    let mut bytes = Vec::new();
    file.take(TABLE_BYTES_MAX).read_to_end(&mut bytes)?;
    let text = String::from_utf8(bytes)
        .ok()
        .with_context(|| format!("{shown} is no UTF-8 text: save it as CSV UTF-8"))?;
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
        bail!(
            "{shown} needs a column named email; confirmed_at (RFC 3339) and consent_text are read when there"
        );
    };
    let (confirmed_at, consent) = (column("confirmed_at"), column("consent_text"));
    let mut known = BTreeSet::new();
    let mut subscribers = Vec::new();
    for row in table.records() {
        let row = row.map_err(|error| {
            let line = error.position().map_or(0, csv::Position::line);
            anyhow::anyhow!(
                "line {line}: it has other columns than the first line; nothing was imported"
            )
        })?;
        let line = row.position().map_or(0, csv::Position::line);
        let one = subscriber(&row, [Some(email), confirmed_at, consent], proof, now);
        let one =
            one.map_err(|reason| anyhow::anyhow!("line {line}: {reason}; nothing was imported"))?;
        if known.insert(one.email.clone()) {
            subscribers.push(one);
        }
    }
    Ok(subscribers)
}

fn subscriber(
    row: &StringRecord,
    columns: [Option<usize>; 3],
    proof: &str,
    now: Timestamp,
) -> Result<Subscriber, String> {
    let [email, confirmed_at, consent] = columns.map(|column| {
        column
            .and_then(|column| row.get(column))
            .unwrap_or_default()
    });
    let email =
        newsletter::checked(email, false).or(Err(format!("`{email}` is no e-mail address")))?;
    let confirmed_at = match confirmed_at {
        "" => None,
        text => {
            let at = time::parse_rfc3339(text)
                .ok_or("confirmed_at is no RFC 3339 time, like 2024-05-01T10:00:00Z")?;
            Some(at)
                .filter(|at| *at < now)
                .ok_or("confirmed_at is still to come")?
                .into()
        }
    };
    let consent_text = match consent {
        "" => proof.to_owned(),
        text => format!("{text} ({proof})"),
    };
    let is_plain = !consent_text.contains(char::is_control);
    if !is_plain || consent_text.chars().count() > CONSENT_CHARACTERS_MAX {
        return Err("consent_text and --proof are no plain text of 1,000 characters".to_owned());
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
