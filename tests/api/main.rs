//! The HTTP surface, over real sockets: a real server, a real data file, no mocks.

mod backup;
mod errors;
mod guard;
mod headers;
mod helpers;
mod hostile;
mod items;
mod newsletter;
mod pages;
mod preview;
mod session;
mod settings;
mod trash;
mod uploads;
