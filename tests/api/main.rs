//! Tests of the HTTP API over real sockets: a real server and a real data file, no mocks.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

mod accounts;
mod articles;
mod backup;
mod bounces;
mod clock;
mod connections;
mod drafts;
mod errors;
mod events;
mod full_disk;
mod guard;
mod headers;
mod helpers;
mod history;
mod home;
mod hostile;
mod hostile_content;
mod hostile_pictures;
mod http2;
#[path = "../support/http_client.rs"]
mod http_client;
mod idempotency;
mod imports;
mod items;
mod large_pictures;
mod letters;
mod login_gate;
#[path = "../support/mail_server.rs"]
mod mail_server;
#[path = "../support/mailbox_server.rs"]
mod mailbox_server;
mod newsletter;
mod notices;
mod pages;
mod person;
mod picture_library;
mod pictures;
mod plans;
mod precondition;
mod preview;
mod protocols;
mod public_ids;
mod races;
mod redirects;
mod sender_check;
mod sendings;
#[path = "../support/sensitive_routes.rs"]
mod sensitive_routes;
mod session;
mod settings;
mod site_watch;
mod statistics;
mod step_up;
mod testimonials;
mod tls;
mod trash;
mod uploads;
mod whole_site;
mod words;
