//! `respiro config`: the settings in force, each with its source, secrets hidden.

use super::arguments::Arguments;
use super::control_client::send_request;
use super::secrets::{SECRETS, secret_source};
use super::{eprint_line, print_line};
use anyhow::bail;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};
use respiro_server::control::{Request, Response};
use std::path::Path;

/// Prints the settings of the running server, or those that a start with this environment would
/// have.
pub fn print_config(data: &Path, matches: &ArgMatches) -> anyhow::Result<()> {
    match send_request(data, &Request::Settings)? {
        Some(Response::Text(settings)) => print_line(settings.trim_end()),
        Some(Response::Failed(reason)) => bail!(reason),
        Some(_) => bail!("the server gave an answer that does not fit: is it another version?"),
        None => {
            eprint_line(&format!(
                "no server runs on {}: these settings are those of a start from here",
                data.display()
            ));
            let lines = describe_settings(matches, "config");
            lines.iter().try_for_each(|line| print_line(line))
        }
    }
}

/// Returns a line for each option of a command and for each secret.
pub fn describe_settings(matches: &ArgMatches, command: &str) -> Vec<String> {
    let options = settings(matches, command).into_iter();
    let options = options.map(|(name, value, source)| format!("{name} = {value}  ({source})"));
    let secrets = SECRETS
        .iter()
        .map(|name| format!("{name}: {}", secret_source(name)));
    options.chain(secrets).collect()
}

/// Returns every option with value and source. Reads them from clap, so that none is missing.
fn settings(matches: &ArgMatches, command: &str) -> Vec<(String, String, &'static str)> {
    let mut whole = Arguments::command();
    whole.build();
    let Some(command) = whole.find_subcommand(command) else {
        return Vec::new();
    };
    let options = command.get_arguments().filter_map(|option| {
        let values = matches.try_get_raw(option.get_id().as_str()).ok()?;
        let values: Vec<String> = values
            .into_iter()
            .flatten()
            .map(|value| without_secrets(&value.to_string_lossy()))
            .collect();
        let value = if values.is_empty() {
            "-".to_owned()
        } else {
            values.join(",")
        };
        let source = source(matches, option.get_id().as_str());
        Some((option.get_long()?.to_owned(), value, source))
    });
    options.filter(|(name, ..)| name != "help").collect()
}

/// Removes a password or the values of a query from an address, such as `scheme://user:pw@host` or
/// `https://host/purge?token=…`.
fn without_secrets(value: &str) -> String {
    let value = without_password(value);
    match value.split_once('?') {
        Some((address, _)) if address.contains("://") => format!("{address}?…"),
        _ => value,
    }
}

fn without_password(value: &str) -> String {
    let parts = value
        .split_once("://")
        .and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?)));
    match parts {
        Some((scheme, (user, place))) => {
            let user = user.split_once(':').map_or(user, |(user, _)| user);
            format!("{scheme}://{user}@{place}")
        }
        None => value.to_owned(),
    }
}

fn source(matches: &ArgMatches, id: &str) -> &'static str {
    match matches.value_source(id) {
        Some(ValueSource::CommandLine) => "command line",
        Some(ValueSource::EnvVariable) => "environment",
        _ => "default",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_not_printed() {
        for (typed, printed) in [
            ("smtps://me:a@b@x.it:465", "smtps://me@x.it:465"),
            ("smtps://me@x.it", "smtps://me@x.it"),
            ("smtps://me:a?b@x.it", "smtps://me@x.it"),
            ("https://example.org", "https://example.org"),
            ("https://a.it/x?token=b@c", "https://a.it/x?…"),
            ("sito@example.org", "sito@example.org"),
        ] {
            assert_eq!(without_secrets(typed), printed);
        }
    }
}
