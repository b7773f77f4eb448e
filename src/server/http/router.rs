//! Table of all routes. Pages are not in it: what is published decides which exist.

use super::api::{
    accounts, backup, campaigns, content_blocks, drafts, examples, history, home, imports, items,
    link_check, notices, page_views, parse_preview, passkeys, person, pictures, public_reads,
    publish_schedule, redirects, restore, sender_check, session, settings, statistics, subscribers,
    testimonials, trash, uploads,
};
use super::auth::{Admin, Owner};
use super::pages::{
    newsletter_links, preview, published_pages, stored_images, testimonial_form, well_known,
};
use super::responses::other_method;
use actix_web::dev::Handler;
use actix_web::http::Method;
use actix_web::{FromRequest, Responder, Route, guard, web};
use respiro_content::{COLLECTIONS, Collection, NEWSLETTERS};
use respiro_db::TESTIMONIAL_COLLECTION;
use std::future::ready;

type Methods = Vec<(Method, Route)>;

/// Returns every path with its handlers. Each handler under `/api/admin/` takes an `Admin`.
fn routes() -> Vec<(String, Methods)> {
    let mut routes = vec![
        at("/healthz", [get(public_reads::health)]),
        at("/api/site", [get(public_reads::site)]),
        at("/api/file-icon", [get(public_reads::file_icon)]),
        at("/api/newsletter", [post(subscribers::subscribe)]),
        at(
            "/testimonianza/{token}",
            [get(testimonial_form::page), post(testimonial_form::send)],
        ),
        at("/api/press", [post(page_views::record_contact_click)]),
        at(
            "/newsletter/{purpose}/{token}",
            [get(newsletter_links::page), post(newsletter_links::answer)],
        ),
        at("/anteprima/{token}", [get(preview::open_link)]),
        at("/api/admin/preview", [post(preview::render_form)]),
        at(
            "/api/admin/understand-date",
            [post(parse_preview::understand_date)],
        ),
        at(
            "/api/admin/understand-phone",
            [post(parse_preview::understand_phone)],
        ),
        at(
            "/api/admin/settings",
            [get(settings::get), put(settings::put)],
        ),
        at("/api/admin/status", [get(settings::status)]),
        at("/api/admin/clock", [post(settings::confirm_clock)]),
        at("/api/admin/notices", [get(notices::list)]),
        at("/api/admin/notices/read", [post(notices::read)]),
        at("/api/admin/notices/test", [post(notices::test)]),
        at("/api/admin/notices/monthly", [put(notices::choose_monthly)]),
        at("/api/admin/sender-check", [post(sender_check::check)]),
        at("/api/admin/newsletter", [get(subscribers::list)]),
        at("/api/admin/newsletter.csv", [get(subscribers::csv)]),
        at(
            "/api/admin/newsletter/{email}",
            [delete(subscribers::remove)],
        ),
        at(
            "/api/admin/statistics",
            [
                get(statistics::get),
                put(statistics::put),
                delete(statistics::clear),
            ],
        ),
        at("/api/admin/statistics.csv", [get(statistics::csv)]),
    ];
    routes.extend(picture_routes());
    routes.extend(well_known_routes());
    routes.extend(data_routes());
    routes.extend(account_routes());
    routes.extend(sign_in_routes());
    routes.extend(content_block_routes());
    routes.extend(draft_routes().into_iter().chain(history_routes()));
    for collection in COLLECTIONS {
        routes.extend(collection_routes(collection));
    }
    routes.extend(newsletter_routes());
    routes.extend(testimonial_routes());
    routes
}

/// Routes of uploads and of stored pictures.
fn picture_routes() -> Vec<(String, Methods)> {
    vec![
        at(
            "/objects/uploads/{id}",
            [get(stored_images::main), put(uploads::receive)],
        ),
        at(
            "/objects/uploads/{id}/{variant}",
            [get(stored_images::variant)],
        ),
        at("/api/admin/upload", [post(uploads::start)]),
        at("/api/admin/pictures", [get(pictures::list)]),
        at("/api/admin/pictures/{id}", [get(pictures::get)]),
        at("/api/admin/pictures/{id}/edits", [post(pictures::edit)]),
    ]
}

fn well_known_routes() -> Vec<(String, Methods)> {
    vec![
        at(
            "/.well-known/change-password",
            [get(well_known::change_password)],
        ),
        at(
            "/.well-known/security.txt",
            [get(well_known::security_contact)],
        ),
    ]
}

/// Routes of the trash, backups and restores.
fn data_routes() -> Vec<(String, Methods)> {
    vec![
        at("/api/admin/home", [get(home::get)]),
        at(
            "/api/admin/redirects",
            [
                get(redirects::list),
                put(redirects::put),
                delete(redirects::remove),
            ],
        ),
        at(
            "/api/admin/missing-paths",
            [delete(redirects::clear_missing)],
        ),
        at(
            "/api/admin/link-check",
            [get(link_check::get), post(link_check::start)],
        ),
        at("/api/admin/examples", [delete(examples::remove)]),
        at("/api/admin/examples/restore", [post(examples::restore)]),
        at("/api/admin/trash", [get(trash::list), delete(trash::empty)]),
        at("/api/admin/trash/{id}", [delete(trash::purge)]),
        at("/api/admin/trash/{id}/restore", [post(trash::restore)]),
        at("/api/admin/backup", [get(backup::download)]),
        at("/api/admin/person", [post(person::find)]),
        at("/api/admin/person/erase", [post(person::erase)]),
        at("/api/admin/copies", [post(backup::back_up_offsite)]),
        at("/api/admin/cdn", [post(backup::purge_cdn)]),
        at("/api/admin/restore", [post(restore::apply)]),
        at("/api/admin/restored", [delete(restore::dismiss_report)]),
        at("/api/admin/restore/inspect", [post(restore::inspect)]),
        at("/api/admin/import", [post(imports::apply)]),
        at(
            "/api/admin/import/subscribers",
            [post(imports::inspect_subscribers)],
        ),
        at(
            "/api/admin/import/wordpress",
            [post(imports::inspect_wordpress)],
        ),
    ]
}

/// Routes of the signed-in account, and of the people who may open the panel.
fn account_routes() -> Vec<(String, Methods)> {
    vec![
        at(
            "/api/admin/accounts",
            [get(accounts::list), post(accounts::invite)],
        ),
        at(
            "/api/admin/accounts/{id}",
            [put(accounts::set_role), delete(accounts::remove)],
        ),
        at(
            "/api/admin/sessions",
            [get(session::list), delete(session::end_others)],
        ),
        at("/api/admin/sessions/{id}", [delete(session::end)]),
        at(
            "/api/admin/passkeys",
            [get(passkeys::list), post(passkeys::register)],
        ),
        at(
            "/api/admin/passkeys/options",
            [post(passkeys::registration_options)],
        ),
        at("/api/admin/passkeys/{id}", [delete(passkeys::remove)]),
        at(
            "/api/admin/second-factor",
            [delete(session::second_factor_off)],
        ),
        at(
            "/api/admin/second-factor/start",
            [post(session::second_factor_start)],
        ),
        at(
            "/api/admin/second-factor/confirm",
            [post(session::second_factor_confirm)],
        ),
    ]
}

/// Routes of newsletters, which are edited like items and sent instead of published.
fn newsletter_routes() -> Vec<(String, Methods)> {
    let mut routes = admin_routes::<Owner>(&NEWSLETTERS);
    let own = |rest: &str| format!("/api/admin/sendings/{{id}}{rest}");
    routes.extend([
        at("/api/admin/sendings", [get(campaigns::list)]),
        at(&own(""), [get(campaigns::get)]),
        at(&own("/preview"), [get(campaigns::preview)]),
        at(&own("/preview.html"), [get(campaigns::preview_page)]),
        at(&own("/report.csv"), [get(campaigns::report)]),
        at(&own("/test"), [post(campaigns::test)]),
        at(&own("/start"), [post(campaigns::start)]),
        at(
            &own("/schedule"),
            [put(campaigns::schedule), delete(campaigns::unschedule)],
        ),
        at(&own("/pause"), [post(campaigns::pause)]),
        at(&own("/resume"), [post(campaigns::resume)]),
        at(&own("/stop"), [post(campaigns::stop)]),
        at(&own("/pictures"), [delete(campaigns::remove_sent_images)]),
        at(
            "/api/admin/newsletter/{email}/unsubscribe",
            [post(subscribers::unsubscribe)],
        ),
        at(
            "/api/admin/newsletter/{email}/restore",
            [post(subscribers::restore)],
        ),
        at(
            "/api/admin/ask-confirmation",
            [post(subscribers::ask_confirmation)],
        ),
    ]);
    routes
}

/// Routes of personal testimonial links, and of the provenance of testimonials.
fn testimonial_routes() -> Vec<(String, Methods)> {
    let request = |rest: &str| format!("/api/admin/testimonial-requests{rest}");
    let item = |rest: &str| format!("/api/admin/{TESTIMONIAL_COLLECTION}/{{id}}/{rest}");
    vec![
        at(
            &request(""),
            [get(testimonials::list), post(testimonials::create)],
        ),
        at(&request("/{id}"), [delete(testimonials::cancel)]),
        at(&request("/{id}/renew"), [post(testimonials::renew)]),
        at(&request("/{id}/mail"), [post(testimonials::mail)]),
        at(
            &item("provenance"),
            [
                get(testimonials::provenance),
                put(testimonials::put_provenance),
            ],
        ),
        at(&item("keep"), [post(testimonials::keep)]),
        at(&item("withdraw"), [post(testimonials::withdraw)]),
    ]
}

/// Routes for sign-in and sign-out, outside `/api/admin/` because a client without a session uses
/// them.
fn sign_in_routes() -> Vec<(String, Methods)> {
    vec![
        at("/api/auth/login", [post(session::sign_in)]),
        at("/api/auth/logout", [post(session::sign_out)]),
        at("/api/auth/session", [get(session::current)]),
        at(
            "/api/auth/setup",
            [
                get(session::setup_state),
                post(session::create_first_account),
            ],
        ),
        at("/api/auth/passkey", [post(passkeys::sign_in)]),
        at(
            "/api/auth/passkey/options",
            [post(passkeys::authentication_options)],
        ),
        at(
            "/api/auth/confirm",
            [get(session::confirmation), post(session::confirm)],
        ),
        at("/api/auth/password", [put(session::change_password)]),
        at(
            "/api/auth/forgotten",
            [get(accounts::forgotten_ways), post(accounts::forgotten)],
        ),
        at("/api/auth/link", [post(accounts::link)]),
        at("/api/auth/reset", [post(accounts::reset_password)]),
        at("/api/auth/email", [put(accounts::change_email)]),
        at("/api/auth/email/confirm", [post(accounts::confirm_email)]),
        at("/api/auth/join", [post(accounts::join)]),
    ]
}

/// Routes of content blocks. Fixed last segments come first; no id equals one of them.
fn content_block_routes() -> Vec<(String, Methods)> {
    vec![
        at(
            "/api/admin/words",
            [get(content_blocks::list), put(content_blocks::put_all)],
        ),
        at("/api/admin/words/preview", [post(content_blocks::preview)]),
        at(
            "/api/admin/words/{id}",
            [get(content_blocks::get), put(content_blocks::put)],
        ),
        at(
            "/api/admin/words/{id}/versions",
            [get(content_blocks::versions)],
        ),
        at(
            "/api/admin/words/{id}/versions/{version}/restore",
            [post(content_blocks::restore)],
        ),
    ]
}

/// Routes of the history of the site.
fn history_routes() -> Vec<(String, Methods)> {
    vec![
        at(
            "/api/admin/history",
            [get(history::list), post(history::put_back)],
        ),
        at("/api/admin/history/{moment}", [get(history::get)]),
        at("/api/admin/history/{moment}/site", [get(history::preview)]),
    ]
}

/// Routes of what was typed and not published yet.
fn draft_routes() -> Vec<(String, Methods)> {
    vec![
        at("/api/admin/drafts", [get(drafts::list)]),
        at(
            "/api/admin/drafts/{place}",
            [get(drafts::get), put(drafts::put), delete(drafts::remove)],
        ),
        at("/api/admin/drafts/{place}/link", [post(drafts::link)]),
    ]
}

/// Returns the routes of a collection. The collection is bound here, never read from a request.
fn collection_routes(collection: &'static Collection) -> Vec<(String, Methods)> {
    let public = format!("/api/{}", collection.slug);
    let admin = format!("/api/admin/{}", collection.slug);
    let mut routes = admin_routes::<Admin>(collection);
    routes.push(at(
        &public,
        [get(move |r, s| public_reads::list(collection, r, s))],
    ));
    routes.push(at(
        &format!("{admin}/{{id}}/preview-link"),
        [post(move |_: Admin, s, id| {
            preview::link(collection, s, id)
        })],
    ));
    if collection.page.is_some() {
        let path = format!("{public}/{{key}}");
        routes.push(at(
            &path,
            [get(move |r, s, key| {
                public_reads::one(collection, r, s, key)
            })],
        ));
        routes.push(at(
            &format!("{admin}/{{id}}/qr-code"),
            [get(move |_: Admin, s, id| {
                items::qr_code(collection, s, id)
            })],
        ));
        routes.push(at(
            &format!("{admin}/{{id}}/plan"),
            [
                get(move |_: Admin, s, id| publish_schedule::get(collection, s, id)),
                put(move |_: Admin, s, id, b| publish_schedule::put(collection, s, id, b)),
            ],
        ));
    }
    routes
}

/// Returns the admin routes of a collection, behind a guard of `auth.rs`.
fn admin_routes<Guard: FromRequest + 'static>(
    collection: &'static Collection,
) -> Vec<(String, Methods)> {
    let admin = format!("/api/admin/{}", collection.slug);
    vec![
        at(
            &admin,
            [
                get(move |_: Guard, s| items::list(collection, s)),
                post(move |_: Guard, a: Admin, s, k, b| items::create(collection, a, s, k, b)),
            ],
        ),
        at(
            &format!("{admin}/page"),
            [get(move |_: Guard, r, s| items::page(collection, r, s))],
        ),
        at(
            &format!("{admin}/order"),
            [put(move |_: Guard, a, s, b| {
                items::order(collection, a, s, b)
            })],
        ),
        at(
            &format!("{admin}/{{id}}"),
            [
                get(move |_: Guard, s, id| items::get(collection, s, id)),
                put(move |_: Guard, a, s, id, m, b| items::update(collection, a, s, id, m, b)),
                delete(move |_: Guard, a, s, id, m| items::delete(collection, a, s, id, m)),
            ],
        ),
        at(
            &format!("{admin}/{{id}}/move"),
            [put(move |_: Guard, a, s, id, m, b| {
                items::move_one(collection, a, s, id, m, b)
            })],
        ),
    ]
}

/// Returns method and path of every route, for tests that walk them.
pub fn paths() -> Vec<(String, String)> {
    routes()
        .into_iter()
        .flat_map(|(path, methods)| {
            methods
                .into_iter()
                .map(move |(method, _)| (method.to_string(), path.clone()))
        })
        .collect()
}

/// Registers every route. Its row decides which methods `Allow` names; other paths are pages or
/// 404.
pub(super) fn configure(config: &mut web::ServiceConfig) {
    for (path, methods) in routes() {
        let allow = allow(&methods);
        let mut resource = web::resource(path);
        for (method, route) in methods {
            resource = resource.route(if method == Method::GET {
                route.guard(guard::Any(guard::Get()).or(guard::Head()))
            } else {
                route.method(method)
            });
        }
        config.service(resource.default_service(web::to(move |method: Method| {
            ready(other_method(&method, &allow))
        })));
    }
    config.default_service(web::to(published_pages::serve));
}

fn allow(methods: &Methods) -> String {
    let mut names = Vec::new();
    for (method, _) in methods {
        names.push(method.as_str());
        if method == Method::GET {
            names.push("HEAD");
        }
    }
    names.join(", ")
}

fn at<const N: usize>(path: &str, methods: [(Method, Route); N]) -> (String, Methods) {
    (path.to_owned(), methods.into())
}

macro_rules! methods {
    ($($name:ident $method:ident),*) => {$(
        fn $name<F, Args>(handler: F) -> (Method, Route)
        where
            F: Handler<Args>,
            Args: FromRequest + 'static,
            F::Output: Responder + 'static,
        {
            (Method::$method, web::to(handler))
        }
    )*};
}

methods!(get GET, post POST, put PUT, delete DELETE);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_left_to_its_handler_by_what_lies_ready() {
        for (path, _) in routes() {
            assert!(published_pages::is_for_handlers(&path), "{path}");
        }
        assert!(
            !published_pages::is_for_handlers("/") && !published_pages::is_for_handlers("/eventi")
        );
    }
}
