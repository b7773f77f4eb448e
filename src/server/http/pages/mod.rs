//! Handlers of public pages and public files.

mod mistyped_paths;
pub mod newsletter_links;
pub mod preview;
pub mod published_pages;
pub mod stored_images;
pub mod testimonial_form;
pub mod well_known;
